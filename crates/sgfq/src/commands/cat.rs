//! `sgfq cat`: joins the games of all inputs in one file.

use std::io::Write;
use std::ops::ControlFlow;

use clap::Args;

use sgfstream::{Event, Place};
use sgfstream_table::row::ColumnSet;

use crate::args::games::write_property;
use crate::args::io::Io;
use crate::commands::select::GameNumbers;
use crate::io::output::Output;
use crate::report::exit::Exit;

/// Join the games of all inputs, without the text between games.
///
/// `cat` keeps the bytes of each game and ends each game with a newline. With `--sgfs`, each game is one line: `cat` removes
/// newlines between tokens, and writes newlines in values as CR, which has the same meaning. It then leaves out unparseable
/// bytes inside games, reports how many, and exits with status 1.
#[derive(Debug, Args)]
#[command(before_help = "Examples:\n\
\x20 sgfq cat old.sgf new.sgf > all.sgf\n\
\x20 sgfq cat --sgfs archive.zip -o games.sgfs\n\
\x20 sgfq cat --games 3-7,-5 archive.zip")]
pub(crate) struct Cat {
    /// Write one game per line.
    #[arg(long)]
    sgfs: bool,

    /// Write only these games, counted from 1 over all inputs; `-5` is the last five: `3-7,9,20-,-5`.
    #[arg(long, value_name = "RANGES", allow_hyphen_values = true, conflicts_with = "sgfs")]
    games: Option<GameNumbers>,

    #[command(flatten)]
    io: Io,
}

impl Cat {
    pub(crate) fn run(mut self, out: &mut Output) -> anyhow::Result<Exit> {
        if let Some(numbers) = &self.games {
            return self.io.write_numbers(out, numbers);
        }
        self.io.inputs.how.write_games();
        let chooser = self.io.parse_without_text()?;
        self.io.with(out, |out| {
            if self.sgfs {
                let mut lines = Lines { out };
                return self.io.write_events(&chooser, |event, place| lines.write(event, place));
            }
            self.io.games(&chooser, chooser.builder(ColumnSet::default()), |game| {
                game.write_line(out)?;
                Ok(ControlFlow::Continue(()))
            })
        })
    }
}

/// Writer of one game per line.
struct Lines<'o> {
    out: &'o mut dyn Write,
}

impl Lines<'_> {
    fn write(&mut self, event: &Event<'_>, place: &Place) -> std::io::Result<()> {
        match event {
            Event::VariationStart { .. } => self.out.write_all(b"("),
            Event::NodeStart { .. } => self.out.write_all(b";"),
            Event::VariationEnd { .. } => self.out.write_all(if place.depth == 1 { b")\n" } else { b")" }),
            event => write_property(event, |bytes| self.write_bytes(bytes)),
        }
    }

    /// Writes the bytes with each LF, CR, CR LF and LF CR replaced by one CR.
    fn write_bytes(&mut self, mut rest: &[u8]) -> std::io::Result<()> {
        while let Some(at) = memchr::memchr2(b'\n', b'\r', rest) {
            let pair = matches!(rest.get(at + 1), Some(&next @ (b'\n' | b'\r')) if next != rest[at]);
            self.out.write_all(&rest[..at])?;
            self.out.write_all(b"\r")?;
            rest = &rest[at + 1 + usize::from(pair)..];
        }
        self.out.write_all(rest)
    }
}
