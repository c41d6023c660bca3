//! Arguments of the scheduler, and its run.

use std::num::NonZero;

use clap::Args;

use crate::exit::Exit;
use crate::input::Inputs;
use crate::interrupt::{self, Interrupt};
use crate::terminal;
use sgfstream::read::Options;
use sgfstream_archive::{self as archive, Walk};

use super::progress::{Progress, ProgressWhen};
use sgfstream_engine::Lanes;
use sgfstream_engine::Worker;
use sgfstream_engine::{Fed, Feed};
use sgfstream_engine::{Job, Output};

/// Arguments of commands that read on all cores.
#[derive(Clone, Debug, Args)]
pub(crate) struct Pool {
    /// Number of threads; 0 for one per core. The output does not depend on it.
    #[arg(short = 'j', long, value_name = "N", default_value_t = 0)]
    jobs: usize,

    /// Show progress on stderr.
    #[arg(long, value_enum, value_name = "WHEN", default_value_t = ProgressWhen::Auto)]
    pub(crate) progress: ProgressWhen,

    /// Entries are read whole, each by one worker.
    #[arg(skip)]
    is_uncut: bool,

    /// Results come as they are ready.
    #[arg(skip)]
    is_unordered: bool,
}

/// The same for commands whose answer is written as it comes.
#[derive(Clone, Debug, Args)]
pub(crate) struct AnswerPool {
    #[command(flatten)]
    pool: Pool,

    /// Write results as soon as they are ready, in any order of inputs; the order within a file is kept.
    #[arg(long)]
    unordered: bool,
}

impl Pool {
    pub(crate) fn workers(&self) -> usize {
        match self.jobs {
            0 => std::thread::available_parallelism().map_or(1, NonZero::get),
            jobs => jobs.min(1024),
        }
    }

    /// The same, with entries that are read whole: games have their numbers.
    pub(crate) fn without_cuts(self) -> Self {
        Self { is_uncut: true, ..self }
    }
}

/// Reads `works` with `job`, and gives each result to `take`, in order, on this
/// thread. Problems of archives are said on stderr in their place, unless
/// `take` keeps them.
pub(crate) fn run<J: Job>(
    pool: &Pool,
    options: Options,
    archives: &archive::ReadOptions,
    works: impl Iterator<Item = Fed> + Send,
    job: &J,
    progress: &mut Progress,
    mut take: impl FnMut(&mut Output<J::Acc>) -> anyhow::Result<()>,
) -> anyhow::Result<Exit> {
    let interrupt = Interrupt::listen();
    let workers = pool.workers();
    let lanes = Lanes::new(workers, pool.is_unordered);
    let mut exit = Exit::Done;
    std::thread::scope(|scope| {
        // However this ends, the others are told.
        let _stop = StopOnDrop(&lanes);
        let has_whole_files = job.bytes().is_some();
        let feed = Feed { lanes: &lanes, scope, options: archives, is_uncut: pool.is_uncut, has_whole_files };
        scope.spawn(move || feed.run(works));
        for number in 0..workers {
            let worker = Worker { number, job, lanes: &lanes, archives, options };
            scope.spawn(move || worker.run());
        }
        while let Some(out) = lanes.pop() {
            if interrupt.is_pressed() {
                exit = Exit::Interrupted;
                break;
            }
            if lanes.is_stopped() {
                break;
            }
            progress.tick(archives.meter.raw());
            let Some(mut out) = out else { continue };
            progress.add(out.tally);
            take(&mut out)?;
            for problem in &out.problems {
                exit = exit.or(Exit::Unreadable);
                progress.suspend(|| terminal::say(&format!("sgfq: {problem}")));
            }
            progress.archive_problems += out.problems.len() as u64;
            if let Some(err) = out.failed {
                return Err(err);
            }
        }
        if interrupt.is_pressed() {
            exit = Exit::Interrupted;
        }
        Ok(exit)
    })
}

/// Reads `inputs` with `job` for a command whose answer is written as it comes,
/// to a terminal where `is_shown`: no bar stands in its way then. Ctrl-C ends the
/// process.
pub(crate) fn answer<J: Job>(
    how: &AnswerPool,
    inputs: &Inputs,
    is_shown: bool,
    job: &J,
    take: impl FnMut(&mut Output<J::Acc>) -> anyhow::Result<()>,
) -> anyhow::Result<Exit> {
    let (options, archives, parsed) = (inputs.how.options(), inputs.how.archives(), inputs.parsed());
    let pool = &Pool { is_unordered: how.unordered, ..how.pool.clone() };
    let when = match pool.progress {
        ProgressWhen::Auto if is_shown => ProgressWhen::Never,
        when => when,
    };
    let mut progress = Progress::new(when, &parsed);
    let works = Walk::new(parsed).map(|work| (0, work));
    let exit = run(pool, options, &archives, works, job, &mut progress, take)?;
    if exit == Exit::Interrupted {
        progress.clear();
        interrupt::end();
    }
    progress.finish(false);
    Ok(exit)
}

struct StopOnDrop<'s, A>(&'s Lanes<A>);

impl<A> Drop for StopOnDrop<'_, A> {
    fn drop(&mut self) {
        self.0.stop();
    }
}
