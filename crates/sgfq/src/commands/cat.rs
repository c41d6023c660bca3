//! `sgfq cat`: all games in one file.

use std::io::Write;
use std::ops::ControlFlow;

use clap::Args;

use sgfstream::{Event, Place, RawValue};
use sgfstream_table::row::ColumnSet;

use crate::args::io::Io;
use crate::io::chosen::Others;
use crate::io::games::{without_open_escape, write_events};
use crate::io::output::Output;
use crate::report::exit::Exit;

/// Join the games of all inputs; text between games is left out.
///
/// The bytes of each game are kept; each game is followed by a newline. With `--sgfs`, each game is one line:
/// newlines between tokens are removed and newlines in values become CR, which has the same meaning.
#[derive(Debug, Args)]
#[command(before_help = "Examples:\n\
\x20 sgfq cat old.sgf new.sgf > all.sgf\n\
\x20 sgfq cat --sgfs archive.zip -o games.sgfs")]
pub(crate) struct Cat {
    /// Write one game per line.
    #[arg(long)]
    sgfs: bool,

    #[command(flatten)]
    io: Io,
}

impl Cat {
    pub(crate) fn run(mut self, out: &mut Output) -> anyhow::Result<Exit> {
        self.io.inputs.how.write_games();
        let chooser = self.io.parse_without_text()?;
        self.io.with(out, |out| {
            if self.sgfs {
                let mut lines = Lines { out };
                let exit = self.io.each_chosen(&chooser, Others::LeftOut, |_, reader, _| {
                    write_events(reader, |event, place| lines.write(event, place))
                })?;
                return Ok(chooser.or_none(&self.io.inputs, exit));
            }
            self.io.games(&chooser, chooser.builder(ColumnSet::default()), |game| {
                game.write_line(out)?;
                Ok(ControlFlow::Continue(()))
            })
        })
    }
}

/// Writes each game on one line.
struct Lines<'o> {
    out: &'o mut dyn Write,
}

impl Lines<'_> {
    fn write(&mut self, event: &Event<'_>, place: &Place) -> std::io::Result<()> {
        match event {
            Event::VariationStart { .. } => self.out.write_all(b"("),
            Event::NodeStart { .. } => self.out.write_all(b";"),
            Event::VariationEnd { .. } => self.out.write_all(if place.depth == 1 { b")\n" } else { b")" }),
            Event::Property(property) => {
                self.out.write_all(property.ident().as_bytes())?;
                for value in property.values() {
                    self.out.write_all(b"[")?;
                    self.value(value, true)?;
                    self.out.write_all(b"]")?;
                }
                Ok(())
            }
            Event::PropertyPart(part) => {
                if part.is_property_start() {
                    self.out.write_all(part.ident().as_bytes())?;
                }
                if part.is_value_start() {
                    self.out.write_all(b"[")?;
                }
                self.value(part.content(), part.is_value_end())?;
                if part.is_value_end() { self.out.write_all(b"]") } else { Ok(()) }
            }
            _ => Ok(()),
        }
    }

    /// Writes each LF, CR, CR LF and LF CR as one CR. A trailing `\` at the end of
    /// input must not escape the `]` that follows it.
    fn value(&mut self, value: RawValue<'_>, ends: bool) -> std::io::Result<()> {
        let mut rest = if ends { without_open_escape(value.as_bytes()) } else { value.as_bytes() };
        while let Some(at) = memchr::memchr2(b'\n', b'\r', rest) {
            let pair = matches!(rest.get(at + 1), Some(&next @ (b'\n' | b'\r')) if next != rest[at]);
            self.out.write_all(&rest[..at])?;
            self.out.write_all(b"\r")?;
            rest = &rest[at + 1 + usize::from(pair)..];
        }
        self.out.write_all(rest)
    }
}
