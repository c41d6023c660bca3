//! Rows of counts by board. Each board has a separate limit, so a board with many rows displaces no
//! rows of other boards, and its own rows do not depend on games on other boards.

use std::cmp::Reverse;
use std::collections::hash_map::Entry;
use std::hash::Hash;

use sgfstream_game::Dialect;

use super::keyed::KeyedMap;
use super::{BoardId, GameTally};

/// Maximum number of rows of a board, and of all boards together.
const ROWS_MAX: usize = 10_000;
const ALL_ROWS_MAX: usize = 100_000;

/// Boards, each with its rows of counts.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Boards<K: Eq + Hash, R> {
    /// The boards, in the order of their first games.
    pub all: Vec<BoardRows<K, R>>,
    /// Number of rows of all boards.
    len: usize,
    /// Number of games on boards beyond the limit.
    pub on_others: u64,
}

/// A board, its games, and its rows of counts.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct BoardRows<K: Eq + Hash, R> {
    /// The game, and the size of its board.
    pub board: BoardId,
    /// Counts of all games on the board.
    pub tally: GameTally,
    /// The rows by key.
    pub rows: KeyedMap<K, R>,
    /// Number of games that are in `tally` but in no row, because the board has too many rows.
    pub left_out: u64,
}

impl<K: Eq + Hash, R> BoardRows<K, R> {
    /// Returns the dialect in which points of the board are shown.
    #[must_use]
    pub fn dialect(&self) -> Dialect {
        self.board.dialect()
    }
}

impl<K: Eq + Hash, R> Default for Boards<K, R> {
    fn default() -> Self {
        Self {
            all: Vec::new(),
            len: 0,
            on_others: 0,
        }
    }
}

impl<K: Eq + Hash, R> Boards<K, R> {
    /// Maximum number of boards.
    pub const MAX: usize = 64;

    /// Returns the index of a board, which it adds if necessary. Returns `None` if there is no room
    /// for it.
    pub fn place(&mut self, board: BoardId) -> Option<usize> {
        let known = self.all.iter().position(|rows| rows.board == board);
        known.or_else(|| {
            (self.all.len() < Self::MAX).then(|| {
                let (tally, rows) = (GameTally::default(), KeyedMap::default());
                self.all.push(BoardRows {
                    board,
                    tally,
                    rows,
                    left_out: 0,
                });
                self.all.len() - 1
            })
        })
    }

    /// Returns the row with this key, which it adds to the board at `place` if necessary. Returns
    /// `None` if there is no room.
    pub fn row(&mut self, place: usize, key: K, new: impl FnOnce() -> R) -> Option<&mut R> {
        let rows = &mut self.all[place].rows;
        let is_full = rows.len() >= ROWS_MAX || self.len >= ALL_ROWS_MAX;
        match rows.entry(key) {
            Entry::Occupied(row) => Some(row.into_mut()),
            Entry::Vacant(_) if is_full => None,
            Entry::Vacant(row) => {
                self.len += 1;
                Some(row.insert(new()))
            }
        }
    }

    /// Adds later counts, of a part after `before` games of its entry. Passes the rows to `add` in
    /// `order`, so that hashes do not decide which rows are left out.
    pub fn merge<O: Ord>(
        &mut self,
        later: Self,
        before: u64,
        order: impl Fn(&K, &R) -> O,
        mut add: impl FnMut(&mut Self, usize, K, R),
    ) {
        self.on_others += later.on_others;
        for board in later.all {
            let Some(place) = self.place(board.board) else {
                self.on_others += board.tally.count;
                continue;
            };
            self.all[place].tally.merge(board.tally, before);
            self.all[place].left_out += board.left_out;
            let mut rows: Vec<_> = board.rows.into_iter().collect();
            rows.sort_by_cached_key(|(key, row)| order(key, row));
            for (key, row) in rows {
                add(self, place, key, row);
            }
        }
    }

    /// Sorts the boards by their number of games, the most frequent first.
    pub fn sort(&mut self) {
        self.all
            .sort_by_cached_key(|board| (Reverse(board.tally.count), board.board.to_string()));
    }
}
