//! Shows the progress of a run, and cancels it.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};

use sgfstream::internal::Detections;
use sgfstream::internal::PartEnd;
use sgfstream_archive::{EntryName, Meter};

/// Progress of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Progress {
    /// Bytes read from the inputs, before unpacking. This number is ahead of the others, which
    /// count results that were handed out.
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
        let PartEnd {
            bytes,
            games,
            problems,
            detected,
            unsearched,
            ..
        } = *end;
        self.merge(Self {
            bytes,
            games,
            problems,
            detected,
            unsearched,
            ..Self::default()
        });
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
    without_games: Mutex<EntriesWithoutGames>,
}

/// Entries that have bytes and no game.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct EntriesWithoutGames {
    /// Number of entries that have bytes and no game.
    pub count: u64,
    /// The first thousand of those that are not members of an archive, with their bytes.
    pub files: Vec<(EntryName, u64)>,
}

/// Maximum number of entries without games whose names are kept.
const NAMED: usize = 1000;

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
        let progress = *self
            .shared
            .progress
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        Progress {
            packed: self.meter.raw(),
            ..progress
        }
    }

    /// Returns the entries without games that were read to their end.
    #[must_use]
    pub fn without_games(&self) -> EntriesWithoutGames {
        self.shared
            .without_games
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }

    /// Counts an entry without games, unless it is empty.
    pub(crate) fn add_without_games(&self, name: EntryName, bytes: u64) {
        if bytes == 0 {
            return;
        }
        let mut without_games = self
            .shared
            .without_games
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        without_games.count += 1;
        if name.members().len() == 0 && without_games.files.len() < NAMED {
            without_games.files.push((name, bytes));
        }
    }

    pub(crate) fn add(&self, more: Progress) {
        self.shared
            .progress
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .merge(more);
    }
}
