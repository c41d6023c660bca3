//! `sgfq count`: games, nodes, moves and bytes, as fast as the reader, on all
//! cores.

use clap::Args;

use sgfstream::EventReader;
use sgfstream_adapt::Count as Sums;
use sgfstream_engine::{Job, Out, Part, PartEnd};

use crate::args::io::Io;
use crate::args::threads::{self, Pool, SUM};
use crate::args::where_games::Chooser;
use crate::io::chosen::Others;
use crate::io::output::Output;
use crate::report::exit::Exit;
use crate::report::json;

/// Count games, nodes, moves and bytes.
#[derive(Debug, Args)]
#[command(before_help = "Examples:\n\
\x20 sgfq count games/\n\
\x20 sgfq count -f json archive.zip\n\
\x20 sgfq count --where \"winner = 'B'\" games/")]
pub(crate) struct Count {
    /// Output format.
    #[arg(short = 'f', long, value_parser = ["text", "json"], default_value = "text")]
    format: String,

    #[command(flatten)]
    io: Io<Pool>,
}

/// Counts the contents of a unit.
struct Counting {
    chooser: Chooser,
}

#[derive(Default)]
struct Total {
    sums: Sums,
    files: u64,
    bytes: u64,
}

impl Job for Counting {
    type Worker = ();
    type Output = Total;

    fn worker(&self) {}

    fn output(&self) -> Total {
        Total::default()
    }

    fn read(&self, _: &mut (), part: Part<'_>, total: &mut Out<'_, Total>) -> anyhow::Result<PartEnd> {
        total.files += u64::from(part.is_start());
        self.chooser.read(part, Others::LeftOut, |mut reader, reading| {
            let result = reader.drive(&mut total.sums);
            total.bytes += reading.bytes(reader.offset() - reader.start());
            result?;
            Ok(reader.finish()?)
        })
    }
}

impl Count {
    pub(crate) fn run(mut self, out: &mut Output) -> anyhow::Result<Exit> {
        let mut total = Total::default();
        let job = Counting { chooser: self.io.parse_without_text()? };
        let exit = threads::sum(job.chooser.cut(SUM), &self.io.pool, &self.io.inputs, &job, |part| {
            if let Some(part) = &part.output {
                total.sums.merge(&part.sums);
                total.files += part.files;
                total.bytes += part.bytes;
            }
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
            ("bytes", total.bytes),
        ];
        self.io.with(out, |out| {
            if self.format == "json" {
                let fields = std::iter::once(("schema", json::SCHEMA)).chain(rows);
                let object: serde_json::Map<_, _> =
                    fields.map(|(name, count)| (name.to_owned(), count.into())).collect();
                writeln!(out, "{}", serde_json::Value::Object(object))?;
            } else {
                for (name, count) in rows {
                    writeln!(out, "{name}\t{count}")?;
                }
            }
            Ok(job.chooser.or_none(&self.io.inputs, exit))
        })
    }
}
