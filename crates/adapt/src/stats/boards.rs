//! Rows of counts by board. Each board has space of its own, so that one with many rows leaves the others theirs, and what
//! is counted of a board does not depend on the games on others.

use std::cmp::Reverse;
use std::collections::hash_map::Entry;
use std::hash::Hash;

use sgfstream_game::Dialect;

use super::keyed::KeyedMap;
use super::{Board, GameTally};

/// Rows of each board, and of all of them together, since memory is not without end.
const ROWS_MAX: usize = 10_000;
const ALL_ROWS_MAX: usize = 100_000;

/// Boards, each with its rows.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Boards<K: Eq + Hash, R> {
    /// The boards, as they came.
    pub all: Vec<BoardRows<K, R>>,
    /// How many rows there are.
    len: usize,
    /// Games on boards for which there is no space.
    pub on_others: u64,
}

/// A board and its rows.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct BoardRows<K: Eq + Hash, R> {
    /// The game and the size of its board.
    pub board: Board,
    /// Its games.
    pub tally: GameTally,
    /// The rows.
    pub rows: KeyedMap<K, R>,
    /// Games that are counted here, but in no row, since there was no space for it.
    pub left_out: u64,
}

impl<K: Eq + Hash, R> BoardRows<K, R> {
    /// The dialect in which points of the board are shown.
    #[must_use]
    pub fn dialect(&self) -> Dialect {
        self.board.dialect()
    }
}

impl<K: Eq + Hash, R> Default for Boards<K, R> {
    fn default() -> Self {
        Self { all: Vec::new(), len: 0, on_others: 0 }
    }
}

impl<K: Eq + Hash, R> Boards<K, R> {
    /// How many boards are told apart.
    pub const MAX: usize = 64;

    /// The place of a board; `None` if there is no space for it.
    pub fn place(&mut self, board: Board) -> Option<usize> {
        let known = self.all.iter().position(|rows| rows.board == board);
        known.or_else(|| {
            (self.all.len() < Self::MAX).then(|| {
                let (tally, rows) = (GameTally::default(), KeyedMap::default());
                self.all.push(BoardRows { board, tally, rows, left_out: 0 });
                self.all.len() - 1
            })
        })
    }

    /// The row with this key of the board at `place`; `None` if there is no space for it.
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

    /// Adds what was found later. Rows are given to `add` in `order`, so that what is left out does not depend on how they
    /// were hashed.
    pub fn merge<O: Ord>(
        &mut self,
        later: Self,
        order: impl Fn(&K, &R) -> O,
        mut add: impl FnMut(&mut Self, usize, K, R),
    ) {
        self.on_others += later.on_others;
        for board in later.all {
            let Some(place) = self.place(board.board) else {
                self.on_others += board.tally.count;
                continue;
            };
            self.all[place].tally.merge(board.tally);
            self.all[place].left_out += board.left_out;
            let mut rows: Vec<_> = board.rows.into_iter().collect();
            rows.sort_by_cached_key(|(key, row)| order(key, row));
            for (key, row) in rows {
                add(self, place, key, row);
            }
        }
    }

    /// Sorts the boards, the most frequent first.
    pub fn sort(&mut self) {
        self.all.sort_by_cached_key(|board| (Reverse(board.tally.count), board.board.to_string()));
    }
}
