//! `sgfq cat`: joins the games of all inputs in one file.

use std::io::{self, BufWriter, Write};

use clap::Args;

use sgfstream::record::{GameItem, GameRecord};
use sgfstream_table::row::write_property;

use crate::args::io::Io;
use crate::args::threads::Pool;
use crate::commands::filter::write_chosen;
use crate::commands::select::GameNumbers;
use crate::io::output::Output;
use crate::report::exit::Exit;

/// Join the games of all inputs, without the text between games.
///
/// `cat` keeps the bytes of each game and ends each game with a newline. With `--sgfs`, each game
/// is one line: `cat` removes newlines between tokens, and writes newlines in values as CR, which
/// has the same meaning. It then leaves out unparseable bytes inside games, reports how many, and
/// exits with status 1.
#[derive(Debug, Args)]
#[command(before_help = "Examples:\n\
\x20 sgfq cat old.sgf new.sgf > all.sgf\n\
\x20 sgfq cat --sgfs archive.zip -o games.sgfs\n\
\x20 sgfq cat --games 3-7,-5 archive.zip")]
pub(crate) struct Cat {
    /// Write one game per line.
    #[arg(long)]
    sgfs: bool,

    /// Write only these games, counted from 1 over all inputs; `-5` is the last five:
    /// `3-7,9,20-,-5`.
    #[arg(
        long,
        value_name = "RANGES",
        allow_hyphen_values = true,
        conflicts_with = "sgfs"
    )]
    games: Option<GameNumbers>,

    #[command(flatten)]
    io: Io<Pool>,
}

impl Cat {
    pub(crate) fn run(mut self, out: &mut Output) -> anyhow::Result<Exit> {
        if let Some(numbers) = &self.games {
            return self.io.write_numbers(out, numbers);
        }
        self.io.inputs.how.write_games();
        let chooser = self.io.parse_without_text()?;
        if self.sgfs {
            return self.io.write_games(out, &chooser, write_on_line);
        }
        let is_all = chooser.chooses_all();
        write_chosen(&chooser.into_choosing(), None, is_all, &self.io, out)
    }
}

/// Writes a game on one line, and leaves nothing out.
fn write_on_line(game: &GameRecord<'_>, out: &mut dyn Write) -> io::Result<u64> {
    // Buffer the output, because each move makes three short writes.
    let mut out = BufWriter::new(out);
    for item in game.items(game.tokens()) {
        match item {
            GameItem::VariationStart => out.write_all(b"(")?,
            GameItem::VariationEnd => out.write_all(b")")?,
            GameItem::Node => out.write_all(b";")?,
            GameItem::Property(_, property) => {
                write_property(&property, |bytes| write_bytes(bytes, &mut out))?
            }
            _ => {}
        }
    }
    out.write_all(b"\n")?;
    out.flush()?;
    Ok(0)
}

/// Writes each LF, CR, CR LF and LF CR as one CR.
fn write_bytes(mut rest: &[u8], out: &mut impl Write) -> io::Result<()> {
    while let Some(at) = memchr::memchr2(b'\n', b'\r', rest) {
        let pair = matches!(rest.get(at + 1), Some(&next @ (b'\n' | b'\r')) if next != rest[at]);
        out.write_all(&rest[..at])?;
        out.write_all(b"\r")?;
        rest = &rest[at + 1 + usize::from(pair)..];
    }
    out.write_all(rest)
}
