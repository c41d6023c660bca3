//! Summary of the next moves: how often each was played, and who won.

use std::cmp::Reverse;
use std::collections::HashSet;

use sgfstream_adapt::stats::{BoardId, BoardRows, Boards, GameTally};
use sgfstream_game::Coordinates;
use sgfstream_table::find::{Continuation, Occurrence, Query};

use crate::GameFacts;

/// Options for counting next moves.
#[derive(Clone, Copy, Debug)]
pub struct CountMode {
    /// Whether variations are searched, too.
    pub in_variations: bool,
    /// Coordinates in which moves are written.
    pub coordinates: Coordinates,
}

/// Next moves of each board.
pub type NextMoves = Boards<Continuation, NextMove>;

/// A next move and its games.
#[derive(Debug)]
pub struct NextMove {
    /// Move in the coordinates of the [`CountMode`].
    pub text: String,
    /// Games in which it is the next move.
    pub tally: GameTally,
}

/// Counts the next moves of a game that matches `query` at these `places`. In main lines, the game
/// counts once for its board and once for each next move, however often it matches. In variations,
/// each place counts, but the result of the game counts once.
pub fn add(
    summary: &mut NextMoves,
    query: &Query,
    how: CountMode,
    facts: GameFacts,
    places: impl ExactSizeIterator<Item = Occurrence>,
    game: impl Fn() -> Option<(String, u64)>,
) {
    // With one place, everything is first, so the set stays empty.
    let (is_alone, mut counted) = (places.len() == 1, HashSet::new());
    let mut is_first = |what: Option<&Continuation>| is_alone || counted.insert(what.cloned());
    for found in places {
        let Some(place) = summary.place(BoardId::of_dialect(&found.board)) else {
            summary.on_others += u64::from(is_first(None));
            continue;
        };
        let winner = facts.winner_of(found.transform.is_exchanged);
        let count = |tally: &mut GameTally, is_first: bool| match is_first {
            true => tally.add(winner, facts.years(), &game),
            false => tally.count += u64::from(how.in_variations),
        };
        count(&mut summary.all[place].tally, is_first(None));
        let is_first = is_first(Some(&found.continuation));
        let text = found.continuation.clone();
        let new = || NextMove {
            text: text.text(query, &found.board, how.coordinates),
            tally: GameTally::default(),
        };
        match summary.row(place, found.continuation, new) {
            Some(next) => count(&mut next.tally, is_first),
            None => summary.all[place].left_out += u64::from(is_first || how.in_variations),
        }
    }
}

/// Adds the counts of later games, of a part after `before` games of its entry.
pub fn merge(summary: &mut NextMoves, later: NextMoves, before: u64) {
    let order = |continuation: &Continuation, next: &NextMove| {
        (Reverse(next.tally.count), continuation.clone())
    };
    summary.merge(later, before, order, |all, place, continuation, found| {
        let count = found.tally.count;
        match all.row(place, continuation, || NextMove {
            text: found.text,
            tally: GameTally::default(),
        }) {
            Some(next) => next.tally.merge(found.tally, before),
            None => all.all[place].left_out += count,
        }
    });
}

/// Returns the next moves of a board, the most frequent first.
#[must_use]
pub fn in_order(board: &BoardRows<Continuation, NextMove>) -> Vec<(&Continuation, &NextMove)> {
    let mut all: Vec<_> = board.rows.iter().collect();
    all.sort_by(|(one, a), (other, b)| {
        b.tally
            .count
            .cmp(&a.tally.count)
            .then_with(|| one.cmp(other))
    });
    all
}
