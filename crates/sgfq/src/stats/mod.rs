//! `sgfq stats`: a summary of any number of games, for a person or as JSON.

mod html;
mod json;
mod text;

use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};

use clap::{Args, ValueEnum};

use sgfstream::adapt::stats::{Stats as Summary, StatsOptions};
use sgfstream::read::EventReader;
use sgfstream::read::parallel::PartReader;
use sgfstream_archive::Walk;

use super::destination::WholeFile;
use super::exit::Exit;
use super::input::Inputs;
use super::output::Output;
use super::schedule::{self, At, Flush, Job, Pool, Progress};

/// Print statistics: counts, players, results, openings, problems, and where moves are played.
///
/// Problems are those that the reader reports; `sgfq check` finds more. Lengths, first moves, openings and move counts
/// per point are of main lines: the nodes before the first `)` of a game. Openings leave out games with setup stones;
/// openings of Go, Gomoku and Kropki that differ by a rotation or reflection are counted together. Memory use does
/// not depend on the size of the input; where that makes a list incomplete, the output says by how much.
#[derive(Debug, Args)]
#[command(before_help = "Examples:\n\
\x20 sgfq stats games/\n\
\x20 sgfq stats --html report.html archive.tar.zst")]
pub(super) struct Stats {
    /// Output format.
    #[arg(short = 'f', long, value_enum, default_value_t = Format::Text)]
    format: Format,

    /// Rows of each list; 0 for all.
    #[arg(long, value_name = "N", default_value_t = 10)]
    top: usize,

    /// Number of moves of an opening, at most 16.
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u8).range(0..=16))]
    depth: u8,

    /// Write an HTML page with charts to FILE instead; it needs no network.
    #[arg(long, value_name = "FILE", conflicts_with = "format")]
    html: Option<PathBuf>,

    #[command(flatten)]
    pool: Pool,

    #[command(flatten)]
    inputs: Inputs,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Format {
    /// Aligned text.
    Text,
    /// One JSON object.
    Json,
}

/// Summarises the games of a unit.
struct Summarising {
    options: StatsOptions,
    /// Summaries that were added to the sum, to be filled again: tables that
    /// are taken and given back all the time leave holes between them.
    spare: Mutex<Vec<Summary>>,
}

impl Summarising {
    fn spare(&self) -> MutexGuard<'_, Vec<Summary>> {
        self.spare.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Job for Summarising {
    type Acc = Summary;

    fn begin(&self) -> Summary {
        let spare = self.spare().pop();
        spare.unwrap_or_else(|| Summary::new(self.options))
    }

    fn read(
        &self,
        stats: &mut Summary,
        at: &At<'_>,
        part: &mut PartReader<'_>,
        _: &mut Flush<'_, Summary>,
    ) -> anyhow::Result<()> {
        let result = part.drive(stats);
        stats.end_input(part.offset() - part.start());
        // The parts of a file are one file.
        stats.files -= u64::from(!at.is_start);
        Ok(result?)
    }
}

impl Stats {
    pub(super) fn run(self, out: &mut Output) -> anyhow::Result<Exit> {
        let options = StatsOptions { opening_depth: usize::from(self.depth), ..StatsOptions::default() };
        let mut stats = Summary::new(options);
        let names = self.inputs.names();
        let inputs = self.inputs.parsed();
        let mut progress = Progress::new(self.pool.progress, &inputs);
        let works = Walk::new(inputs).map(|work| (0, work));
        let (reading, archives) = (self.inputs.how.options(), self.inputs.how.archives());
        let job = Summarising { options, spare: Mutex::default() };
        let exit = schedule::run(&self.pool, reading, &archives, works, &job, &mut progress, |part| {
            if let Some(mut part) = part.acc.take() {
                stats.merge(&part);
                part.clear();
                job.spare().push(part);
            }
            Ok(())
        })?;
        progress.finish(exit == Exit::Interrupted);
        if exit == Exit::Interrupted {
            return Ok(exit);
        }
        if let Some(path) = &self.html {
            let mut file = WholeFile::create(path)?;
            html::write(&mut file, &stats, &names)?;
            file.finish()?;
            return Ok(exit);
        }
        let top = if self.top == 0 { usize::MAX } else { self.top };
        match self.format {
            Format::Text => text::write(out, &stats, top)?,
            Format::Json => json::write(out, &stats, top)?,
        }
        Ok(exit)
    }
}
