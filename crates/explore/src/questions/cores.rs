//! Parallel searches.

use std::io;

use super::stop_flag::StopFlag;
use crate::{Index, MemoryStore, ScratchStore};

/// Runs parts of a search in parallel. A program with threads passes its own implementation.
pub trait Cores {
    /// Scratch space for results that do not fit in memory.
    type Scratch: ScratchStore;

    /// Returns the number of cores.
    fn count(&self) -> usize;

    /// Calls `work` on each run and returns the results in the order of the runs.
    fn each<R: Sync, T: Send>(&self, runs: &[&[R]], work: impl Fn(&[R]) -> T + Sync) -> Vec<T>;
}

/// Splits the games into runs, at most one per core. A few games stay in one run.
#[must_use]
pub fn runs_of<'g, G>(games: &'g [G], cores: &impl Cores) -> Vec<&'g [G]> {
    games
        .chunks(games.len().div_ceil(cores.count().max(1)).max(256))
        .collect()
}

/// Index of a search, the cores on which it runs, and the flag that stops it.
#[derive(Debug)]
pub(crate) struct SearchContext<'s, S, C> {
    pub(crate) index: &'s Index<S>,
    pub(crate) cores: &'s C,
    pub(crate) stop: &'s StopFlag,
}

impl<S, C: Cores> SearchContext<'_, S, C> {
    /// Calls `work` on the games of each run, until the search is stopped. Returns the results in
    /// the order of the runs.
    ///
    /// # Errors
    ///
    /// Returns the first error, or [`Interrupted`](io::ErrorKind::Interrupted) if the search was
    /// stopped.
    pub(crate) fn each<G: Sync, T: Send>(
        &self,
        games: &[G],
        work: impl Fn(&mut dyn Iterator<Item = &G>) -> io::Result<T> + Sync,
    ) -> io::Result<Vec<T>> {
        let stop = self.stop;
        let found = self.cores.each(&runs_of(games, self.cores), |run| {
            work(&mut run.iter().take_while(|_| !stop.is_stopped()))
        });
        self.stop.check()?;
        found.into_iter().collect()
    }
}

/// Runs everything on the current thread.
#[derive(Clone, Copy, Debug, Default)]
pub struct OneCore;

impl Cores for OneCore {
    type Scratch = MemoryStore;

    fn count(&self) -> usize {
        1
    }

    fn each<R: Sync, T: Send>(&self, runs: &[&[R]], work: impl Fn(&[R]) -> T + Sync) -> Vec<T> {
        runs.iter().map(|run| work(run)).collect()
    }
}
