//! `sgfq count`: counts games, nodes, moves and bytes at the speed of the reader, in parallel.

use std::convert::Infallible;

use clap::Args;

use sgfstream::{EventReader, Sink};
use sgfstream_adapt::Count as Sums;
use sgfstream_engine::Out;
use sgfstream_table::row::{ColumnSet, RowReader};

use crate::args::io::Io;
use crate::args::threads::{self, OutputTiming, Pool, SUM};
use crate::io::output::Output;
use crate::report::exit::Exit;
use crate::report::format::Format;
use crate::report::json;

/// Count games, nodes, moves and bytes.
///
/// `moves` counts the moves of all variations, and `main_line_moves` only the moves of main lines,
/// as the column `moves` does.
#[derive(Debug, Args)]
#[command(before_help = "Examples:\n\
\x20 sgfq count games/\n\
\x20 sgfq count -f json archive.zip\n\
\x20 sgfq count --where \"winner = 'B'\" games/")]
pub(crate) struct Count {
    /// Output format; the extension of the output file selects it, too [default: text].
    #[arg(short = 'f', long, value_parser = Format::one_of(FORMATS))]
    format: Option<Format>,

    #[command(flatten)]
    io: Io<Pool>,
}

const FORMATS: &[Format] = &[Format::Text, Format::Json, Format::Jsonl];

/// Counts of the games of a part.
#[derive(Default)]
struct Total {
    sums: Sums,
    files: u64,
    bytes: u64,
}

impl threads::Output for Total {}

impl Count {
    pub(crate) fn run(mut self, out: &mut Output) -> anyhow::Result<Exit> {
        let format = self.io.destination.format(self.format, FORMATS)?;
        let mut total = Total::default();
        let chooser = self.io.parse_without_text()?;
        let job = threads::each_part(
            || chooser.row(ColumnSet::default()),
            |filled, part, total: &mut Out<'_, Total>| {
                total.files += u64::from(part.is_start());
                if chooser.chooses_all() {
                    let mut reader = part.reader();
                    let result = reader.drive(&mut total.sums);
                    total.bytes += reader.offset() - reader.start();
                    if result.is_err() {
                        // `index` and `get` have no row for an unfinished game, and the totals must
                        // agree with their rows.
                        total.sums.drop_open_game();
                    }
                    result?;
                    return Ok(reader.finish()?);
                }
                let mut rows = RowReader::of_part(part, filled)?;
                while let Some(game) = chooser.next_game(&mut rows)? {
                    total.bytes += game.span().len();
                    let Ok(()) = game.each_event::<Infallible>(|event, place| {
                        total.sums.event(event, place);
                        Ok(())
                    });
                }
                Ok(rows.end()?)
            },
        );
        let exit = self.io.read(OutputTiming::AtEnd, SUM, &job, |part| {
            total.sums.merge(&part.output.sums);
            total.files += part.output.files;
            total.bytes += part.output.bytes;
            Ok(())
        })?;
        if exit == Exit::Interrupted {
            return Ok(exit);
        }
        let rows = [
            ("files", total.files),
            ("games", total.sums.games),
            ("nodes", total.sums.nodes),
            ("moves", total.sums.moves()),
            ("main_line_moves", total.sums.main_line_moves()),
            ("bytes", total.bytes),
        ];
        self.io.with(out, |out| {
            if format != Format::Text {
                let fields = std::iter::once(("schema", json::SCHEMA)).chain(rows);
                let object: serde_json::Map<_, _> = fields
                    .map(|(name, count)| (name.to_owned(), count.into()))
                    .collect();
                writeln!(out, "{}", serde_json::Value::Object(object))?;
            } else {
                for (name, count) in rows {
                    writeln!(out, "{name}\t{count}")?;
                }
            }
            Ok(chooser.or_none(&self.io.inputs, exit))
        })
    }
}
