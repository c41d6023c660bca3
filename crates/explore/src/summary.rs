//! Summary of the next moves: how often, and who won.

use std::cmp::Reverse;
use std::collections::HashSet;

use sgfstream_adapt::stats::{Board, BoardRows, Boards, GameTally};
use sgfstream_game::Coordinates;
use sgfstream_table::find::{Continuation, Occurrence, Query};

use crate::GameFacts;
use crate::tally;

/// How continuations are counted.
#[derive(Clone, Copy, Debug)]
pub struct CountMode {
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

/// Counts the continuations of a game, which has what was looked for in these `places`: the game once for its board and once for each continuation,
/// in however many ways and places it has them. In variations, each place counts, and the result of the game once.
pub fn add(
    summary: &mut NextMoves,
    query: &Query,
    how: CountMode,
    facts: GameFacts,
    places: impl ExactSizeIterator<Item = Occurrence>,
    game: impl Fn() -> Option<(String, u64)>,
) {
    // Of one place all is first.
    let (is_alone, mut counted) = (places.len() == 1, HashSet::new());
    let mut is_first = |what: Option<&Continuation>| is_alone || counted.insert(what.cloned());
    for found in places {
        let Some(place) = summary.place(Board::of_dialect(&found.board)) else {
            summary.on_others += u64::from(is_first(None));
            continue;
        };
        let count = |tally: &mut GameTally, is_first: bool| match is_first {
            true => tally::add(tally, facts, found.way.is_exchanged, &game),
            false => tally.count += u64::from(how.in_variations),
        };
        count(&mut summary.all[place].tally, is_first(None));
        let is_first = is_first(Some(&found.continuation));
        let text = found.continuation.clone();
        let new = || NextMove { text: text.text(query, &found.board, how.coordinates), tally: GameTally::default() };
        match summary.row(place, found.continuation, new) {
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
