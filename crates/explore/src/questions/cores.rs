//! Cores that searches run on.

/// Cores that run parts of a search at once. A program that has threads gives its own.
pub trait Cores {
    /// How many there are.
    fn count(&self) -> usize;

    /// Does `work` on each run, and returns what came of it, in their order.
    fn each<T: Send>(&self, runs: &[&[u32]], work: impl Fn(&[u32]) -> T + Sync) -> Vec<T>;
}

/// Runs of games, one for each core, but none of few games.
#[must_use]
pub fn runs_of<'g>(games: &'g [u32], cores: &impl Cores) -> Vec<&'g [u32]> {
    games.chunks(games.len().div_ceil(cores.count().max(1)).max(256)).collect()
}

/// The core that asks.
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
