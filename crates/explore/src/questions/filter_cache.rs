//! Cache of the games that match a condition.

use std::io;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

use sgfstream_table::filter::Filter;
use sgfstream_table::row::ColumnSet;

use super::cores::{Cores, SearchContext};
use crate::Store;

/// Number of games per word.
const GAMES: u32 = 16;

/// Cached results of a filter: two bits per game, so that each game is evaluated only once for all
/// queries.
#[derive(Debug)]
pub(crate) struct FilterCache(Vec<AtomicU32>);

impl FilterCache {
    pub(crate) fn new(games: u32) -> Self {
        Self(
            (0..games.div_ceil(GAMES))
                .map(|_| AtomicU32::new(0))
                .collect(),
        )
    }

    pub(crate) fn bytes(&self) -> usize {
        size_of_val(&*self.0)
    }

    /// Returns whether a game matches the condition, or `None` if it was not evaluated yet.
    fn of(&self, game: u32) -> Option<bool> {
        let bits = self.0[(game / GAMES) as usize].load(Relaxed) >> (2 * (game % GAMES));
        (bits & 1 != 0).then_some(bits & 2 != 0)
    }

    fn set(&self, game: u32, is_chosen: bool) {
        let bits = if is_chosen { 3 } else { 1 };
        self.0[(game / GAMES) as usize].fetch_or(bits << (2 * (game % GAMES)), Relaxed);
    }

    /// Returns the games that match `filter`. Games without a cached result are read now, on all
    /// cores.
    pub(crate) fn choose<S: Store + Sync>(
        &self,
        context: &SearchContext<'_, S, impl Cores>,
        filter: &Filter,
        mut games: Vec<u32>,
    ) -> io::Result<Vec<u32>> {
        let open: Vec<u32> = games
            .iter()
            .copied()
            .filter(|game| self.of(*game).is_none())
            .collect();
        context.each(&open, |run| {
            let mut reader = context.index.reader(filter, ColumnSet::default());
            for &game in run {
                self.set(game, reader.decide(game)?);
            }
            Ok(())
        })?;
        games.retain(|game| self.of(*game) == Some(true));
        Ok(games)
    }
}
