//! Rows of counts by board. Each board has space of its own, so that one with many rows leaves the others theirs, and what
//! is counted of a board does not depend on the games on others.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::hash::Hash;

use sgfstream_game::{Dialect, Game};

use super::exit::Exit;
use super::tally::Tally;
use super::terminal;

/// Boards that are told apart, rows of each, and of all of them together, since memory is not without end.
const BOARDS_MAX: usize = 64;
const ROWS_MAX: usize = 10_000;
const ALL_ROWS_MAX: usize = 100_000;

/// The boards, each with its rows.
pub(crate) struct Boards<K, R> {
    pub(crate) all: Vec<Board<K, R>>,
    /// How many rows there are.
    len: usize,
    /// Games on boards for which there is no space.
    pub(crate) on_others: u64,
}

/// A board.
pub(crate) struct Board<K, R> {
    pub(crate) dialect: Dialect,
    pub(crate) tally: Tally,
    pub(crate) rows: HashMap<K, R>,
    /// Games that are counted here, but in no row, since there was no space for it.
    pub(crate) left_out: u64,
}

impl<K, R> Default for Boards<K, R> {
    fn default() -> Self {
        Self { all: Vec::new(), len: 0, on_others: 0 }
    }
}

impl<K: Eq + Hash, R> Boards<K, R> {
    /// The place of a board; `None` if there is no space for it.
    pub(crate) fn place(&mut self, dialect: Dialect) -> Option<usize> {
        let known = self.all.iter().position(|board| board.dialect == dialect);
        known.or_else(|| {
            (self.all.len() < BOARDS_MAX).then(|| {
                self.all.push(Board { dialect, tally: Tally::default(), rows: HashMap::new(), left_out: 0 });
                self.all.len() - 1
            })
        })
    }

    /// The row with this key of the board at `place`; `None` if there is no space for it.
    pub(crate) fn row(&mut self, place: usize, key: K, new: impl FnOnce() -> R) -> Option<&mut R> {
        let rows = &mut self.all[place].rows;
        if !rows.contains_key(&key) {
            if rows.len() == ROWS_MAX || self.len == ALL_ROWS_MAX {
                return None;
            }
            self.len += 1;
        }
        Some(rows.entry(key).or_insert_with(new))
    }

    /// Adds what was found later. Rows are given to `add` in `order`, so that what is left out does not depend on how they
    /// were hashed.
    pub(crate) fn merge<O: Ord>(
        &mut self,
        later: Self,
        order: impl Fn(&K, &R) -> O,
        mut add: impl FnMut(&mut Self, usize, K, R),
    ) {
        self.on_others += later.on_others;
        for board in later.all {
            let Some(place) = self.place(board.dialect) else {
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
    pub(crate) fn sort(&mut self) {
        self.all.sort_by_cached_key(|board| (Reverse(board.tally.count), name_of(&board.dialect)));
    }

    /// How many games are in no row, of all boards.
    pub(crate) fn left_out(&self) -> u64 {
        self.on_others + self.all.iter().map(|board| board.left_out).sum::<u64>()
    }

    /// Says on which boards something was left out, and how much; `rows`, `one` and `many` are its names.
    pub(crate) fn report(&self, rows: &str, one: &str, many: &str) -> Exit {
        let boards = self.all.iter().map(|board| (name_of(&board.dialect), board.left_out));
        let others = (format!("boards after the first {BOARDS_MAX}"), self.on_others);
        let mut exit = Exit::Done;
        for (name, count) in boards.chain([others]).filter(|(_, count)| *count > 0) {
            let what = if count == 1 { one } else { many };
            terminal::say(&format!(
                "sgfq: {name}: the {rows} of {count} {what} were not all counted; see `sgfq help caps`"
            ));
            exit = Exit::Found;
        }
        exit
    }
}

/// The game and the size of its board.
pub(crate) fn name_of(board: &Dialect) -> String {
    match board.game() {
        Game::Pentobi(variant) => variant.name().to_owned(),
        Game::Number(number) => format!("GM[{number}]"),
        game => format!("{} {}x{}", game.name(), board.size().columns(), board.size().rows()),
    }
}
