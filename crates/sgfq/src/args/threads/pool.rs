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

/// Cut for streamed output.
pub(crate) const ANSWER: PartSize = PartSize::Bytes(u64::MAX);

/// Cut for sums, which do not depend on how the games are divided. Progress is updated after this
/// many bytes per thread.
pub(crate) const SUM: PartSize = PartSize::Bytes(32 << 20);

/// How a command writes its output.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum OutputTiming {
    /// While it reads. Ctrl-C ends the process.
    Streamed {
        /// Whether the output goes to a terminal, so that no progress bar is drawn.
        is_shown: bool,
    },
    /// At the end.
    AtEnd,
}

/// Reads `inputs` with `engine` and `job`, and passes each result to `take` on this thread. Reports
/// problems of archives on stderr in the order of the inputs.
pub(crate) fn read<J: Job>(
    pool: &Pool,
    inputs: &Inputs,
    engine: Engine,
    timing: OutputTiming,
    job: &J,
    mut take: impl FnMut(&mut PartResult<J::Output>) -> anyhow::Result<()>,
) -> anyhow::Result<Exit> {
    let when = match pool.progress {
        ProgressWhen::Auto if timing == (OutputTiming::Streamed { is_shown: true }) => {
            ProgressWhen::Never
        }
        when => when,
    };
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
    if interrupt.is_pressed() {
        exit = Exit::Interrupted;
    }
    let exit = inputs.or_empty(exit, monitor.progress().entries > 0, &monitor);
    let is_interrupted = exit == Exit::Interrupted;
    if is_interrupted && timing != OutputTiming::AtEnd {
        progress.clear();
        interrupt::end();
    }
    progress.finish(is_interrupted);
    Ok(exit)
}
