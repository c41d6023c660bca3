//! Ctrl-C.

use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use std::sync::{Mutex, MutexGuard, PoisonError};

use sgfstream_engine::Monitor;

use crate::io::temporary;
use crate::report::terminal;

static PRESSED: AtomicBool = AtomicBool::new(false);

/// The run that the first Ctrl-C cancels.
static RUN: Mutex<Option<Monitor>> = Mutex::new(None);

fn run() -> MutexGuard<'static, Option<Monitor>> {
    RUN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Obeys Ctrl-C from now on. It ends the process: unfinished files are removed,
/// and what was finished is said. During a run that [listens](Interrupt::listen), the first Ctrl-C only cancels the run.
pub(crate) fn obey() {
    // Where there is nothing to listen to, Ctrl-C does what it does.
    _ = ctrlc::set_handler(|| {
        let is_second = PRESSED.swap(true, SeqCst);
        match &*run() {
            Some(monitor) if !is_second => monitor.cancel(),
            _ => end(),
        }
    });
}

/// Ends the process as Ctrl-C does.
pub(crate) fn end() -> ! {
    let finished = temporary::abandon();
    terminal::say(&format!("sgfq: interrupted{finished}"));
    std::process::exit(130);
}

/// A run that Ctrl-C cancels.
#[derive(Debug)]
pub(crate) struct Interrupt;

impl Interrupt {
    /// Cancels the run of `monitor` from now on, when Ctrl-C is pressed.
    pub(crate) fn listen(monitor: Monitor) -> Self {
        *run() = Some(monitor);
        Self
    }

    pub(crate) fn is_pressed(&self) -> bool {
        PRESSED.load(SeqCst)
    }
}

impl Drop for Interrupt {
    fn drop(&mut self) {
        *run() = None;
    }
}
