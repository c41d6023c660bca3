//! Handles Ctrl-C and the other signals that end the process.

use std::sync::atomic::{AtomicI32, Ordering::SeqCst};
use std::sync::{Mutex, MutexGuard, PoisonError};

use sgfstream_engine::Monitor;

use crate::io::temporary;
use crate::report::terminal;

const SIGINT: i32 = 2;

/// First signal received, or 0.
static SIGNAL: AtomicI32 = AtomicI32::new(0);

/// Run that the first Ctrl-C cancels.
static RUN: Mutex<Option<Monitor>> = Mutex::new(None);

fn run() -> MutexGuard<'static, Option<Monitor>> {
    RUN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Installs handlers for Ctrl-C (SIGINT), SIGTERM and SIGHUP. Each ends the process, removes
/// unfinished files, and reports the finished ones. During a run that [listens](Interrupt::listen),
/// the first Ctrl-C only cancels the run.
pub(crate) fn install_handlers() {
    // Without signal handling, signals keep their default actions.
    #[cfg(not(unix))]
    {
        _ = ctrlc::set_handler(|| received(SIGINT));
    }
    #[cfg(unix)]
    {
        use signal_hook::consts::{SIGHUP, SIGTERM};
        let ignored = ignored();
        let signals = [SIGINT, SIGTERM, SIGHUP]
            .into_iter()
            .filter(|signal| ignored >> (signal - 1) & 1 == 0);
        let Ok(mut signals) = signal_hook::iterator::Signals::new(signals) else {
            return;
        };
        let handle = signals.handle();
        let thread = std::thread::Builder::new().name("signals".to_owned());
        if thread
            .spawn(move || signals.forever().for_each(received))
            .is_err()
        {
            handle.close();
        }
    }
}

/// Returns the signals that the process was started to ignore, one bit each. `nohup` ignores SIGHUP
/// this way, so it must not end the process. Only Linux provides this information; on other systems
/// SIGHUP keeps its default action.
#[cfg(unix)]
fn ignored() -> u64 {
    use signal_hook::consts::SIGHUP;
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status
        .lines()
        .find_map(|line| u64::from_str_radix(line.strip_prefix("SigIgn:")?.trim(), 16).ok());
    mask.map_or(1 << (SIGHUP - 1), |mask| mask & !(1 << (SIGINT - 1)))
}

fn received(signal: i32) {
    let is_second = SIGNAL.compare_exchange(0, signal, SeqCst, SeqCst).is_err();
    match &*run() {
        Some(monitor) if !is_second => monitor.cancel(),
        _ => end(),
    }
}

/// Returns the exit status of an interrupted process, as in shells: 128 plus the number of the
/// signal.
pub(crate) fn status() -> u8 {
    let signal = match SIGNAL.load(SeqCst) {
        0 => SIGINT,
        signal => signal,
    };
    128u8.saturating_add(signal.unsigned_abs() as u8)
}

/// Ends the process because of a signal.
pub(crate) fn end() -> ! {
    let finished = temporary::abandon();
    // Stays locked, so that no thread writes a message after this one.
    std::mem::forget(std::io::stderr().lock());
    terminal::print_line(&format!("sgfq: interrupted{finished}"));
    std::process::exit(i32::from(status()));
}

/// A run that Ctrl-C cancels.
#[derive(Debug)]
pub(crate) struct Interrupt;

impl Interrupt {
    /// Makes Ctrl-C and other signals cancel the run of `monitor` from now on.
    pub(crate) fn listen(monitor: Monitor) -> Self {
        *run() = Some(monitor);
        Self
    }

    pub(crate) fn is_pressed(&self) -> bool {
        SIGNAL.load(SeqCst) != 0
    }
}

impl Drop for Interrupt {
    fn drop(&mut self) {
        *run() = None;
    }
}
