//! Shows the progress of a run, and cancels it.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};

use sgfstream::Detections;
use sgfstream_archive::Meter;

/// Progress of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Progress {
    /// Bytes read from the inputs, before unpacking. This number is ahead of the others, which count results that were
    /// handed out.
    pub packed: u64,
    /// Number of entries.
    pub entries: u64,
    /// Bytes of entries.
    pub bytes: u64,
    /// Number of games.
    pub games: u64,
    /// Problems of games, and of archives or entries that could not be read.
    pub problems: u64,
    /// Counts of games whose charset was detected.
    pub detected: Detections,
}

/// Handle that shows the progress of a run and cancels it, from any thread.
///
/// ```
/// use sgfstream_engine::Engine;
///
/// let monitor = Engine::new().monitor();
/// assert_eq!(monitor.progress().games, 0);
/// monitor.cancel();
/// assert!(monitor.is_cancelled());
/// ```
#[derive(Clone, Debug, Default)]
pub struct Monitor {
    shared: Arc<Shared>,
    meter: Meter,
}

#[derive(Debug, Default)]
struct Shared {
    is_cancelled: AtomicBool,
    entries: AtomicU64,
    bytes: AtomicU64,
    games: AtomicU64,
    problems: AtomicU64,
    detected: Mutex<Detections>,
}

impl Monitor {
    pub(crate) fn with_meter(self, meter: Meter) -> Self {
        Self { meter, ..self }
    }

    /// Returns the counts of files that were found and skipped so far.
    #[must_use]
    pub fn meter(&self) -> &Meter {
        &self.meter
    }

    /// Ends the run soon. Results that were not handed out are lost.
    pub fn cancel(&self) {
        self.shared.is_cancelled.store(true, Relaxed);
    }

    /// Returns whether the run was cancelled.
    #[must_use]
    pub fn is_cancelled(&self) -> bool {
        self.shared.is_cancelled.load(Relaxed)
    }

    /// Returns the progress of the run.
    #[must_use]
    pub fn progress(&self) -> Progress {
        let Shared { entries, bytes, games, problems, .. } = &*self.shared;
        Progress {
            packed: self.meter.raw(),
            entries: entries.load(Relaxed),
            bytes: bytes.load(Relaxed),
            games: games.load(Relaxed),
            problems: problems.load(Relaxed),
            detected: *self.shared.detected.lock().unwrap_or_else(PoisonError::into_inner),
        }
    }

    pub(crate) fn add(&self, more: Progress) {
        let Shared { entries, bytes, games, problems, .. } = &*self.shared;
        entries.fetch_add(more.entries, Relaxed);
        bytes.fetch_add(more.bytes, Relaxed);
        games.fetch_add(more.games, Relaxed);
        problems.fetch_add(more.problems, Relaxed);
        self.add_detected(more.detected);
    }

    pub(crate) fn add_detected(&self, more: Detections) {
        if more.games > 0 {
            self.shared.detected.lock().unwrap_or_else(PoisonError::into_inner).merge(more);
        }
    }
}
