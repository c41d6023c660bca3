//! Shows the progress of a run, and cancels it.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};

use sgfstream::Detections;
use sgfstream::parallel::PartEnd;
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
    /// Number of places in games that searches left out.
    pub unsearched: u64,
}

impl Progress {
    /// Adds the counts of a part that ended with `end`.
    pub(crate) fn add_part(&mut self, end: &PartEnd) {
        let PartEnd { bytes, games, problems, detected, unsearched, .. } = *end;
        self.merge(Self { bytes, games, problems, detected, unsearched, ..Self::default() });
    }

    fn merge(&mut self, more: Self) {
        self.entries += more.entries;
        self.bytes += more.bytes;
        self.games += more.games;
        self.problems += more.problems;
        self.detected.merge(more.detected);
        self.unsearched += more.unsearched;
    }
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
    progress: Mutex<Progress>,
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
        let progress = *self.shared.progress.lock().unwrap_or_else(PoisonError::into_inner);
        Progress { packed: self.meter.raw(), ..progress }
    }

    pub(crate) fn add(&self, more: Progress) {
        self.shared.progress.lock().unwrap_or_else(PoisonError::into_inner).merge(more);
    }
}
