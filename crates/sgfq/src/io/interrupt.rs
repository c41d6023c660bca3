//! Ctrl-C, and the other signals that ask the process to end.

use std::sync::atomic::{AtomicI32, Ordering::SeqCst};
use std::sync::{Mutex, MutexGuard, PoisonError};

use sgfstream_engine::Monitor;

use crate::io::temporary;
use crate::report::terminal;

const SIGINT: i32 = 2;

/// The signal that came first; 0 before.
static SIGNAL: AtomicI32 = AtomicI32::new(0);

/// The run that the first Ctrl-C cancels.
static RUN: Mutex<Option<Monitor>> = Mutex::new(None);

fn run() -> MutexGuard<'static, Option<Monitor>> {
    RUN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Obeys Ctrl-C (SIGINT), SIGTERM and SIGHUP from now on. Each ends the process: unfinished files are removed,
/// and what was finished is said. During a run that [listens](Interrupt::listen), the first Ctrl-C only cancels the run.
pub(crate) fn install_handlers() {
    // Where there is nothing to listen to, signals do what they do.
    #[cfg(not(unix))]
    {
        _ = ctrlc::set_handler(|| received(SIGINT));
    }
    #[cfg(unix)]
    {
        use signal_hook::consts::{SIGHUP, SIGTERM};
        let ignored = ignored();
        let signals = [SIGINT, SIGTERM, SIGHUP].into_iter().filter(|signal| ignored >> (signal - 1) & 1 == 0);
        let Ok(mut signals) = signal_hook::iterator::Signals::new(signals) else { return };
        let handle = signals.handle();
        let thread = std::thread::Builder::new().name("signals".to_owned());
        if thread.spawn(move || signals.forever().for_each(received)).is_err() {
            handle.close();
        }
    }
}

/// The signals that the process was told to ignore, a bit for each: `nohup` does so for SIGHUP, which must not end it
/// then. They are known on Linux; elsewhere SIGHUP is left alone.
#[cfg(unix)]
fn ignored() -> u64 {
    use signal_hook::consts::SIGHUP;
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| u64::from_str_radix(line.strip_prefix("SigIgn:")?.trim(), 16).ok());
    mask.map_or(1 << (SIGHUP - 1), |mask| mask & !(1 << (SIGINT - 1)))
}

fn received(signal: i32) {
    let is_second = SIGNAL.compare_exchange(0, signal, SeqCst, SeqCst).is_err();
    match &*run() {
        Some(monitor) if !is_second => monitor.cancel(),
        _ => end(),
    }
}

/// The exit status of a process that was interrupted, as shells have it: 128 and the number of the signal.
pub(crate) fn status() -> u8 {
    let signal = match SIGNAL.load(SeqCst) {
        0 => SIGINT,
        signal => signal,
    };
    128u8.saturating_add(signal.unsigned_abs() as u8)
}

/// Ends the process as the signal asks.
pub(crate) fn end() -> ! {
    let finished = temporary::abandon();
    // Never unlocked: nothing is said after this, by whatever thread.
    std::mem::forget(std::io::stderr().lock());
    terminal::say(&format!("sgfq: interrupted{finished}"));
    std::process::exit(i32::from(status()));
}

/// A run that Ctrl-C cancels.
#[derive(Debug)]
pub(crate) struct Interrupt;

impl Interrupt {
    /// Cancels the run of `monitor` from now on, when Ctrl-C is pressed or another signal comes.
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
