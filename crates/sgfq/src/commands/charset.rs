//! `sgfq charset`: the declared and the detected charset of each game.

use std::io::Write;

use clap::Args;
use serde::Serialize;

use sgfstream::internal::GameCharset;
use sgfstream_engine::Out;
use sgfstream_table::row::{ColumnSet, RowReader};

use crate::args::io::Io;
use crate::args::threads::{self, ANSWER, Lines, Pool};
use crate::io::output::Output;
use crate::report::exit::Exit;
use crate::report::format::Format;
use crate::report::json;
use crate::report::terminal::clean;

/// Maximum bytes of a game that are examined.
const LOOKED_AT: usize = 2 << 20;

/// Print the charset of each game: declared, valid or not, and detected.
///
/// `declared` is CA as written. `valid` is `yes`, `no`, or `ascii` if all texts are ASCII.
/// `detected` is a guess, and `confidence` says how good it is: `high`, `medium` or `low`.
/// `framing` is the `--framing` that reads the game without errors: `value` (bytes), `whole`
/// (characters), `either` or `neither`. See also `sgfq help charsets`.
#[derive(Debug, Args)]
#[command(before_help = "Examples:\n\
\x20 sgfq charset archive.zip\n\
\x20 sgfq charset -f jsonl games/")]
pub(crate) struct Charsets {
    /// Output format; the extension of the output file selects it, too [default: text].
    #[arg(short = 'f', long, value_parser = Format::one_of(FORMATS))]
    format: Option<Format>,

    #[command(flatten)]
    io: Io<Pool>,
}

const FORMATS: &[Format] = &[Format::Text, Format::Jsonl];

/// Fields of a line after the number of the game.
#[derive(Serialize)]
struct CharsetFields<'f> {
    declared: Option<&'f str>,
    valid: &'static str,
    detected: Option<&'static str>,
    confidence: Option<&'static str>,
    framing: &'static str,
}

/// Writes a line. `number` is the number of the game in its part.
fn write(
    found: &GameCharset,
    is_jsonl: bool,
    name: &str,
    number: i64,
    lines: &mut Lines,
) -> std::io::Result<()> {
    let declared = found.declared.as_deref().map(String::from_utf8_lossy);
    let detected = found.guess.map(|guess| guess.charset.name());
    let confidence = found.guess.map(|guess| guess.confidence.as_str());
    if is_jsonl {
        lines.begin_object(name, number)?;
        let declared = declared.as_deref();
        let rest = CharsetFields {
            declared,
            valid: found.valid,
            detected,
            confidence,
            framing: found.framing,
        };
        json::write_fields(&mut lines.text, &rest)?;
        lines.text.extend_from_slice(b"}\n");
        return Ok(());
    }
    write!(lines.text, "{}#{number}", clean(name))?;
    lines.note_number(number, |before| before.games);
    writeln!(
        lines.text,
        "\t{}\t{}\t{}\t{}\t{}",
        clean(declared.as_deref().unwrap_or("-")),
        found.valid,
        detected.unwrap_or("-"),
        confidence.unwrap_or("-"),
        found.framing
    )
}

impl Charsets {
    pub(crate) fn run(mut self, out: &mut Output) -> anyhow::Result<Exit> {
        let format = self.io.destination.format(self.format, FORMATS)?;
        let (chooser, is_jsonl) = (self.io.parse_without_text()?, format == Format::Jsonl);
        let head = if is_jsonl {
            ""
        } else {
            "game\tdeclared\tvalid\tdetected\tconfidence\tframing\n"
        };
        let row = || chooser.row(ColumnSet::default());
        let job = threads::each_part(row, |filled, part, lines: &mut Out<'_, Lines>| {
            let name = part.name().to_string();
            let mut rows = RowReader::of_part(part, filled)?;
            // A game that is too long is not returned here: `end` of the part names it.
            while let Some(game) = chooser.next_game(&mut rows)? {
                let bytes = game.as_bytes();
                let found = GameCharset::of(&bytes[..bytes.len().min(LOOKED_AT)]);
                write(&found, is_jsonl, &name, game.number() as i64, lines)?;
                if !threads::hand_out_if_full(lines) {
                    break;
                }
            }
            Ok(rows.end()?)
        });
        self.io.write_lines(out, &chooser, ANSWER, head, &job)
    }
}
