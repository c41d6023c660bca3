//! Progress of a run on stderr.

use std::io::IsTerminal;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

use clap::ValueEnum;
use indicatif::{HumanBytes, HumanCount, ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::report::terminal;
use sgfstream_archive::Input;

use sgfstream_engine::{Engine, Monitor};

/// When to show it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum ProgressWhen {
    /// When stderr is a terminal.
    #[default]
    Auto,
    Always,
    Never,
}

/// Progress bar on stderr, and a summary line at the end.
pub(crate) struct Progress {
    bar: Option<ProgressBar>,
    begun: Instant,
    monitor: Monitor,
}

/// Interval between updates of the bar.
const EACH: Duration = Duration::from_millis(100);

impl Progress {
    /// Creates the progress of a run. If it is shown, a background thread walks `inputs` to
    /// determine the total size.
    pub(crate) fn new(when: ProgressWhen, engine: &Engine, inputs: &[Input]) -> Self {
        let monitor = engine.monitor();
        let is_shown = match when {
            ProgressWhen::Auto => std::io::stderr().is_terminal(),
            ProgressWhen::Always => true,
            ProgressWhen::Never => false,
        };
        let bar = is_shown.then(|| {
            let style = ProgressStyle::with_template(
                "{bar:24} {bytes}/{total_bytes} {bytes_per_sec} {msg} ETA {eta}",
            );
            let target = ProgressDrawTarget::stderr_with_hz(10);
            let bar = ProgressBar::with_draw_target(Some(0), target)
                .with_style(style.expect("a template that is right"));
            let total = Arc::new(AtomicU64::new(0));
            count_bytes(engine, inputs, Arc::clone(&total));
            follow(bar.clone(), monitor.clone(), total);
            bar
        });
        Self {
            bar,
            begun: Instant::now(),
            monitor,
        }
    }

    /// Hides the bar while `print_line` writes a message.
    pub(crate) fn suspend(&self, print_line: impl FnOnce()) {
        match &self.bar {
            Some(bar) => bar.suspend(print_line),
            None => print_line(),
        }
    }

    /// Removes the bar without a message.
    pub(crate) fn clear(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }

    /// Writes the summary line. An interrupted run always writes it.
    pub(crate) fn finish(&self, is_interrupted: bool) {
        self.clear();
        if self.bar.is_none() && !is_interrupted {
            return;
        }
        let progress = self.monitor.progress();
        let seconds = self.begun.elapsed().as_secs_f64();
        let rate = progress.bytes as f64 / seconds.max(1e-3) / 1e6;
        let begun = if is_interrupted {
            "sgfq: interrupted after "
        } else {
            ""
        };
        let passed_over: u64 = self.monitor.meter().passed_over().values().sum();
        let passed_over = if passed_over > 0 {
            format!(", {} files skipped", HumanCount(passed_over))
        } else {
            String::new()
        };
        terminal::print_line(&format!(
            "{begun}{} games in {} files, {} in {seconds:.1} s, {rate:.0} MB/s, {} problems{passed_over}",
            HumanCount(progress.games),
            HumanCount(progress.entries),
            HumanBytes(progress.bytes),
            HumanCount(progress.problems),
        ));
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.clear();
    }
}

/// Draws the bar on its own thread until it is finished.
fn follow(bar: ProgressBar, monitor: Monitor, total: Arc<AtomicU64>) {
    let thread = std::thread::Builder::new().name("progress".to_owned());
    _ = thread.spawn(move || {
        while !bar.is_finished() {
            let progress = monitor.progress();
            bar.set_length(total.load(Relaxed).max(progress.packed));
            bar.set_position(progress.packed);
            bar.set_message(format!("{} games", HumanCount(progress.games)));
            std::thread::sleep(EACH);
        }
    });
}

/// Adds up the sizes of the inputs on a detached thread. Skips lists from stdin, because they can
/// be read only once.
pub(crate) fn count_bytes(engine: &Engine, inputs: &[Input], total: Arc<AtomicU64>) {
    let is_countable = |input: &&Input| match input {
        Input::Stdin => false,
        Input::List { path, .. } => path.as_os_str() != "-",
        _ => true,
    };
    let inputs: Vec<_> = inputs.iter().filter(is_countable).cloned().collect();
    let walk = engine.walk(&inputs);
    let thread = std::thread::Builder::new().name("sizes".to_owned());
    _ = thread.spawn(move || {
        for work in walk.flatten() {
            total.fetch_add(work.size().unwrap_or(0), Relaxed);
        }
    });
}
