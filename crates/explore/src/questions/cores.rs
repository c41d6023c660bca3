//! Parallel searches.

use crate::{MemoryStore, ScratchStore};

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
