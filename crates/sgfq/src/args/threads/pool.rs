//! Arguments of commands that read on all cores, and a run of the engine.

use clap::Args;

use crate::args::input::Inputs;
use crate::io::interrupt::{self, Interrupt};
use crate::report::exit::Exit;
use crate::report::terminal;
use sgfstream_engine::{Engine, Job, Outcome, Source};

use super::progress::{Progress, ProgressWhen};

/// Arguments of commands that read on all cores.
#[derive(Clone, Debug, Args)]
pub(crate) struct Pool {
    /// Number of threads; 0 for one per core.
    #[arg(short = 'j', long, value_name = "N", default_value_t = 0)]
    pub(crate) jobs: usize,

    /// Show progress on stderr.
    #[arg(long, value_enum, value_name = "WHEN", default_value_t = ProgressWhen::Auto, hide = true, help_heading = "Threads")]
    pub(crate) progress: ProgressWhen,
}

/// Reads `sources` with `engine` and `job`, and gives each result to `take` on this
/// thread. Problems of archives are said on stderr in their place.
pub(crate) fn run<J: Job>(
    pool: &Pool,
    engine: &Engine,
    sources: impl Iterator<Item = Source> + Send,
    job: &J,
    progress: &Progress,
    mut take: impl FnMut(&mut Outcome<J::Output>) -> anyhow::Result<()>,
) -> anyhow::Result<Exit> {
    let engine = engine.clone().with_threads(pool.jobs);
    let interrupt = Interrupt::listen(engine.monitor());
    let mut exit = Exit::Done;
    engine.run_groups(sources, job, |out| {
        take(out)?;
        for problem in &out.problems {
            exit = exit.or(Exit::of_problem(problem));
            progress.suspend(|| terminal::say(&format!("sgfq: {problem}")));
        }
        Ok(())
    })?;
    Ok(if interrupt.is_pressed() { Exit::Interrupted } else { exit })
}

/// Reads `inputs` with `engine` and `job` for a command whose answer is written as it comes,
/// to a terminal where `is_shown`: no bar is shown then. Ctrl-C ends the process.
pub(crate) fn answer<J: Job>(
    pool: &Pool,
    inputs: &Inputs,
    engine: Engine,
    is_shown: bool,
    job: &J,
    take: impl FnMut(&mut Outcome<J::Output>) -> anyhow::Result<()>,
) -> anyhow::Result<Exit> {
    let when = match pool.progress {
        ProgressWhen::Auto if is_shown => ProgressWhen::Never,
        when => when,
    };
    let engine = engine.without_borders(u64::MAX);
    let (exit, progress) = run_inputs(pool, &engine, inputs, when, job, take)?;
    if exit == Exit::Interrupted {
        progress.clear();
        interrupt::end();
    }
    progress.finish(false);
    Ok(exit)
}

/// Bytes of a plain file that one thread sums up before it says how far it is.
const SUM_BLOCK: u64 = 32 << 20;

/// How outputs are added up.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Sum {
    /// The sum is the same, however the games are divided among the outputs.
    Exact,
    /// A sum holds only so much. What it leaves out depends on how the games are divided.
    Lossy,
}

/// Reads `inputs` with `job` for a command whose answer is written at the end. `is_uncut`: as for [`answer`].
pub(crate) fn sum<J: Job>(
    how: Sum,
    pool: &Pool,
    inputs: &Inputs,
    is_uncut: bool,
    job: &J,
    take: impl FnMut(&mut Outcome<J::Output>) -> anyhow::Result<()>,
) -> anyhow::Result<Exit> {
    let engine = inputs.how.engine().uncut(is_uncut);
    let engine = match how {
        Sum::Exact => engine.without_borders(SUM_BLOCK),
        Sum::Lossy => engine.with_few_blocks(),
    };
    let (exit, progress) = run_inputs(pool, &engine, inputs, pool.progress, job, take)?;
    progress.finish(exit == Exit::Interrupted);
    Ok(exit)
}

fn run_inputs<J: Job>(
    pool: &Pool,
    engine: &Engine,
    inputs: &Inputs,
    when: ProgressWhen,
    job: &J,
    take: impl FnMut(&mut Outcome<J::Output>) -> anyhow::Result<()>,
) -> anyhow::Result<(Exit, Progress)> {
    let parsed = inputs.parsed();
    let progress = Progress::new(when, &parsed, engine.monitor());
    let sources = engine.clone().with_threads(pool.jobs).sources(parsed);
    let exit = run(pool, engine, sources, job, &progress, take)?;
    let monitor = engine.monitor();
    Ok((inputs.or_empty(exit, monitor.progress().entries > 0, monitor.meter()), progress))
}
