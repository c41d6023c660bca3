//! `sgfq count`: games, nodes, moves and bytes, as fast as the reader, on all
//! cores.

use std::io::Write;

use clap::Args;

use sgfstream::adapt::Count as Sums;
use sgfstream::read::EventReader;
use sgfstream::read::parallel::PartReader;
use sgfstream_archive::Walk;

use super::exit::Exit;
use super::input::Inputs;
use super::output::Output;
use super::schedule::{self, At, Flush, Job, Pool, Progress};

/// Count games, nodes, moves and bytes.
#[derive(Debug, Args)]
#[command(before_help = "Examples:\n\
\x20 sgfq count games/\n\
\x20 sgfq count -f json archive.zip")]
pub(super) struct Count {
    /// Output format.
    #[arg(short = 'f', long, value_parser = ["text", "json"], default_value = "text")]
    format: String,

    #[command(flatten)]
    pool: Pool,

    #[command(flatten)]
    inputs: Inputs,
}

/// Counts the contents of a unit.
struct Counting;

#[derive(Default)]
struct Total {
    sums: Sums,
    files: u64,
    bytes: u64,
}

impl Job for Counting {
    type Acc = Total;

    fn begin(&self) -> Total {
        Total::default()
    }

    fn read(
        &self,
        total: &mut Total,
        at: &At<'_>,
        part: &mut PartReader<'_>,
        _: &mut Flush<'_, Total>,
    ) -> anyhow::Result<()> {
        total.files += u64::from(at.is_start);
        let result = part.drive(&mut total.sums);
        total.bytes += part.offset() - part.start();
        Ok(result?)
    }
}

impl Count {
    pub(super) fn run(self, out: &mut Output) -> anyhow::Result<Exit> {
        let inputs = self.inputs.parsed();
        let mut progress = Progress::new(self.pool.progress, &inputs);
        let works = Walk::new(inputs).map(|work| (0, work));
        let mut total = Total::default();
        let (options, archives) = (self.inputs.how.options(), self.inputs.how.archives());
        let exit = schedule::run(&self.pool, options, &archives, works, &Counting, &mut progress, |part| {
            if let Some(part) = &part.acc {
                total.sums.merge(&part.sums);
                total.files += part.files;
                total.bytes += part.bytes;
            }
            Ok(())
        })?;
        progress.finish(exit == Exit::Interrupted);
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
        if self.format == "json" {
            let object: serde_json::Map<_, _> =
                rows.iter().map(|&(name, count)| (name.to_owned(), count.into())).collect();
            writeln!(out, "{}", serde_json::Value::Object(object))?;
        } else {
            for (name, count) in rows {
                writeln!(out, "{name}\t{count}")?;
            }
        }
        Ok(exit)
    }
}
