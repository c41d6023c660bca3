//! Summary of the next moves: how often, and who won.

use std::cmp::Reverse;
use std::collections::HashSet;

use sgfstream_adapt::stats::{self, BoardRows, Boards, GameTally};
use sgfstream_game::Coordinates;
use sgfstream_table::find::{Continuation, Query};
use sgfstream_table::row::RowBuilder;

use crate::tally;

/// How continuations are counted.
#[derive(Clone, Copy, Debug)]
pub struct How {
    /// Variations are searched.
    pub in_variations: bool,
    /// How moves are written.
    pub coordinates: Coordinates,
}

/// The continuations of each board.
pub type NextMoves = Boards<Continuation, NextMove>;

/// A continuation.
#[derive(Debug)]
pub struct NextMove {
    /// The move as it is written.
    pub text: String,
    /// Its games.
    pub tally: GameTally,
}

/// Counts the continuations of a game: the game once for its board and once for each continuation, in however many ways and
/// places it has them. In variations, each place counts, and the result of the game once.
pub fn add(
    summary: &mut NextMoves,
    query: &Query,
    how: How,
    builder: &RowBuilder,
    game: impl Fn() -> Option<(String, u64)>,
) {
    let (row, mut counted) = (builder.row(), HashSet::new());
    for hit in builder.hits() {
        let board = stats::Board { game: hit.board.game(), size: Some(hit.board.size()) };
        let Some(place) = summary.place(board) else {
            summary.on_others += u64::from(counted.insert(None));
            continue;
        };
        let count = |tally: &mut GameTally, is_first: bool| match is_first {
            true => tally::add(tally, row, hit.way.is_exchanged, &game),
            false => tally.count += u64::from(how.in_variations),
        };
        count(&mut summary.all[place].tally, counted.insert(None));
        let is_first = counted.insert(Some(&hit.continuation));
        let new = || NextMove { text: hit.continuation_text(query, how.coordinates), tally: GameTally::default() };
        match summary.row(place, hit.continuation.clone(), new) {
            Some(next) => count(&mut next.tally, is_first),
            None => summary.all[place].left_out += u64::from(is_first || how.in_variations),
        }
    }
}

/// Adds what was found later.
pub fn merge(summary: &mut NextMoves, later: NextMoves) {
    let order = |continuation: &Continuation, next: &NextMove| (Reverse(next.tally.count), continuation.clone());
    summary.merge(later, order, |all, place, continuation, found| {
        let count = found.tally.count;
        match all.row(place, continuation, || NextMove { text: found.text, tally: GameTally::default() }) {
            Some(next) => next.tally.merge(found.tally),
            None => all.all[place].left_out += count,
        }
    });
}

/// Continuations of a board, the most frequent first.
#[must_use]
pub fn in_order(board: &BoardRows<Continuation, NextMove>) -> Vec<(&Continuation, &NextMove)> {
    let mut all: Vec<_> = board.rows.iter().collect();
    all.sort_by(|(one, a), (other, b)| b.tally.count.cmp(&a.tally.count).then_with(|| one.cmp(other)));
    all
}
