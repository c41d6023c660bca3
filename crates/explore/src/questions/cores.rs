//! Parallel searches.

/// Runs parts of a search in parallel. A program with threads passes its own implementation.
pub trait Cores {
    /// Returns the number of cores.
    fn count(&self) -> usize;

    /// Calls `work` on each run and returns the results in the order of the runs.
    fn each<T: Send>(&self, runs: &[&[u32]], work: impl Fn(&[u32]) -> T + Sync) -> Vec<T>;
}

/// Splits the games into runs, at most one per core. A few games stay in one run.
#[must_use]
pub fn runs_of<'g>(games: &'g [u32], cores: &impl Cores) -> Vec<&'g [u32]> {
    games.chunks(games.len().div_ceil(cores.count().max(1)).max(256)).collect()
}

/// Runs everything on the current thread.
#[derive(Clone, Copy, Debug, Default)]
pub struct OneCore;

impl Cores for OneCore {
    fn count(&self) -> usize {
        1
    }

    fn each<T: Send>(&self, runs: &[&[u32]], work: impl Fn(&[u32]) -> T + Sync) -> Vec<T> {
        runs.iter().map(|run| work(run)).collect()
    }
}
