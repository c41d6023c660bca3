//! A filter that drops the variations of games and keeps every other byte:
//!
//! ```sh
//! cargo run --example drop_variations < games.sgf > main-lines.sgf
//! ```

use std::error::Error;
use std::io::{self, Read, Write};

use sgfstream::{Event, EventReader, Options, Reader, Writer};

fn main() -> Result<(), Box<dyn Error>> {
    drop_variations(io::stdin().lock(), io::BufWriter::new(io::stdout().lock()))
}

fn drop_variations(input: impl Read, output: impl Write) -> Result<(), Box<dyn Error>> {
    // With the gaps, the events hold every byte of the input.
    let mut reader = Reader::with_options(input, Options::default().with_gaps(true));
    let mut writer = Writer::new(output);
    // The first `)` of a game ends its main line.
    let mut is_over = false;
    while reader.advance()? {
        match reader.event() {
            Event::VariationStart(variation) if variation.is_game() => is_over = false,
            Event::VariationStart { .. } if is_over => {
                reader.skip_variation();
                // The `)` of the game.
                reader.advance()?;
                continue;
            }
            Event::VariationEnd { .. } => is_over = true,
            _ => {}
        }
        writer.event(&reader.event())?;
    }
    // Flushes the output and returns it.
    writer.finish()?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_other_byte_is_kept() {
        for (games, expected) in [
            (
                "(;B[aa]\n C [x] (;W[bb] (;B[cc])(;B[dd])) (;W[ee]))\n",
                "(;B[aa]\n C [x] (;W[bb] (;B[cc])) )\n",
            ),
            (
                "mail\n(;A ddBlack[aa];\t)\r\n( ;B[])(;GM[1",
                "mail\n(;A ddBlack[aa];\t)\r\n( ;B[])(;GM[1",
            ),
            (
                "(;(;B[a\\]](;W[(;]))(;B[b]))(;(;)(;))",
                "(;(;B[a\\]](;W[(;])))(;(;))",
            ),
        ] {
            let mut output = Vec::new();
            drop_variations(games.as_bytes(), &mut output).expect("written");
            assert_eq!(String::from_utf8_lossy(&output), expected);
        }
    }
}
