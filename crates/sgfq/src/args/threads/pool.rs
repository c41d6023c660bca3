//! Arguments of commands that read in parallel, and a run of the engine.

use clap::Args;

use crate::args::input::Inputs;
use crate::io::interrupt::{self, Interrupt};
use crate::report::exit::Exit;
use crate::report::terminal;
use sgfstream_engine::{Engine, Job, PartResult, PartSize};

use super::progress::{Progress, ProgressWhen};

/// Arguments of commands that read on all cores.
#[derive(Clone, Debug, Args)]
pub(crate) struct Pool {
    /// Use N threads; 0 for one per core.
    #[arg(short = 'j', long, value_name = "N", default_value_t = 0)]
    pub(crate) jobs: usize,

    /// Show progress on stderr.
    #[arg(long, value_enum, value_name = "WHEN", default_value_t = ProgressWhen::Auto, hide = true, help_heading = "Threads")]
    pub(crate) progress: ProgressWhen,
}

/// Reads `inputs` with `engine` and `job` for a command that streams its output. If `is_shown`, the
/// output goes to a terminal, so no progress bar is drawn. Ctrl-C ends the process.
pub(crate) fn answer<J: Job>(
    pool: &Pool,
    inputs: &Inputs,
    engine: Engine,
    is_shown: bool,
    job: &J,
    take: impl FnMut(&mut PartResult<J::Output>) -> anyhow::Result<()>,
) -> anyhow::Result<Exit> {
    let when = match pool.progress {
        ProgressWhen::Auto if is_shown => ProgressWhen::Never,
        when => when,
    };
    let (exit, progress) = run(pool, engine, inputs, when, job, take)?;
    if exit == Exit::Interrupted {
        progress.clear();
        interrupt::end();
    }
    progress.finish(false);
    Ok(exit)
}

/// Cut for streamed output.
pub(crate) const ANSWER: PartSize = PartSize::Bytes(u64::MAX);

/// Cut for sums, which do not depend on how the games are divided. Progress is updated after this
/// many bytes per thread.
pub(crate) const SUM: PartSize = PartSize::Bytes(32 << 20);

/// Reads `inputs` with `job` for a command that writes its output at the end.
pub(crate) fn sum<J: Job>(
    pool: &Pool,
    inputs: &Inputs,
    engine: Engine,
    job: &J,
    take: impl FnMut(&mut PartResult<J::Output>) -> anyhow::Result<()>,
) -> anyhow::Result<Exit> {
    let (exit, progress) = run(pool, engine, inputs, pool.progress, job, take)?;
    progress.finish(exit == Exit::Interrupted);
    Ok(exit)
}

/// Reads `inputs` with `engine` and `job`, and passes each result to `take` on this thread. Reports
/// problems of archives on stderr in the order of the inputs.
fn run<J: Job>(
    pool: &Pool,
    engine: Engine,
    inputs: &Inputs,
    when: ProgressWhen,
    job: &J,
    mut take: impl FnMut(&mut PartResult<J::Output>) -> anyhow::Result<()>,
) -> anyhow::Result<(Exit, Progress)> {
    let (engine, parsed) = (engine.with_threads(pool.jobs), inputs.parsed());
    let monitor = engine.monitor();
    let progress = Progress::new(when, &engine, &parsed);
    let interrupt = Interrupt::listen(monitor.clone());
    let mut exit = Exit::Done;
    engine.run(&parsed, job, |out| {
        take(out)?;
        for problem in &out.problems {
            exit = exit.or(Exit::of_problem(problem));
            progress.suspend(|| terminal::print_line(&format!("sgfq: {problem}")));
        }
        Ok(())
    })?;
    let exit = if interrupt.is_pressed() {
        Exit::Interrupted
    } else {
        exit
    };
    Ok((
        inputs.or_empty(exit, monitor.progress().entries > 0, &monitor),
        progress,
    ))
}
