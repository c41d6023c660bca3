//! Statistics of openings: the positions after the first moves, how often each was reached, with
//! results and years.

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap, HashSet};

use sgfstream_game::internal::{Opening, OpeningMove};

use super::{BoardId, BoardRows, Boards, GameTally};

/// Positions after the first moves of games, by board. Transpositions and lines that are equal
/// after a rotation or reflection share a position. Games with setup are only counted, without
/// positions.
///
/// ```
/// use sgfstream_adapt::stats::Openings;
/// use sgfstream_game::{
///     Dialect, Game, Side,
///     internal::{Opening, OpeningStart},
/// };
///
/// let start = OpeningStart::new(Dialect::new(Game::Go, None));
/// let mut openings = Openings::default();
/// for moves in [[b"pd", b"dp", b"pp"], [b"dd", b"pd", b"dp"]] {
///     let moves = [Side::Black, Side::White, Side::Black]
///         .into_iter()
///         .zip(moves.map(|text| &text[..]));
///     openings.add_lines(&[Opening::of(&start, moves)], |tally| tally.count += 1);
/// }
/// let go = &openings.boards.all[0];
/// assert_eq!((go.board.to_string().as_str(), go.tally.count), ("Go 19x19", 2));
/// assert_eq!((go.at(1)[0].tally.count, go.at(3)[0].tally.count), (2, 2));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Openings {
    /// Positions by board.
    pub boards: Boards<PositionKey, OpeningPosition>,
    /// Number of games that begin with stones on the board.
    pub with_setup: u64,
    /// Number of games without a position, because their first move is missing or illegal.
    pub without_moves: u64,
}

/// Key of a position: the number of moves, and the hash of the board.
pub type PositionKey = (usize, u64);

/// A position, or the number of omitted positions with the number of their games.
pub type PositionRow<'a> = Result<&'a OpeningPosition, (usize, u64)>;

/// Position after some first moves, with its games.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct OpeningPosition {
    /// The first of the lines that lead to the position, in their order.
    pub line: Vec<OpeningMove>,
    /// Hash of the position before the last move of `line`.
    before: u64,
    /// Number of games that came from each preceding position.
    arrivals: BTreeMap<u64, u64>,
    /// Counts of its games.
    pub tally: GameTally,
    /// Number of games whose opening ends here.
    ends: u64,
    /// Number of games whose next position had no room.
    pub cut: u64,
}

impl OpeningPosition {
    /// Returns the number of games that reached the position by `line`'s last move. All others
    /// reached it by another order of moves.
    #[must_use]
    pub fn direct(&self) -> u64 {
        self.arrivals.get(&self.before).copied().unwrap_or(0)
    }
}

impl Openings {
    /// Counts a game, whose lines have these first moves. Calls `count` once for its board and once
    /// for each position, even if several lines reach the position.
    pub fn add_lines(&mut self, openings: &[Opening], count: impl FnMut(&mut GameTally)) {
        if let Some(first) = openings.first() {
            self.add_on(BoardId::of_dialect(&first.board), openings, false, count);
        }
    }

    /// Counts a game on `board`. With `continues`, its openings continue with moves that could not
    /// be remembered.
    pub(super) fn add_on(
        &mut self,
        board: BoardId,
        openings: &[Opening],
        continues: bool,
        mut count: impl FnMut(&mut GameTally),
    ) {
        if openings.first().is_none_or(|first| first.has_setup) {
            self.with_setup += 1;
            return;
        }
        let Some(at) = self.boards.place(board) else {
            self.boards.on_others += 1;
            return;
        };
        count(&mut self.boards.all[at].tally);
        self.without_moves += u64::from(openings.iter().all(|opening| opening.hashes.is_empty()));
        // Lines may share positions, so the sets prevent that a position counts a game twice.
        let is_one = openings.len() == 1;
        let (mut known, mut arrivals, mut ends, mut is_cut) =
            (HashSet::new(), HashSet::new(), HashSet::new(), false);
        for opening in openings.iter().filter(|opening| !opening.has_setup) {
            let mut before = 0;
            let mut len = 0;
            for &hash in &opening.hashes {
                let moves = &opening.moves[..=len];
                let Some(position) = position(&mut self.boards, at, hash, moves, before) else {
                    break;
                };
                if is_one || known.insert((len, hash)) {
                    count(&mut position.tally);
                }
                let arrives = is_one || arrivals.insert((len, before, hash));
                *position.arrivals.entry(before).or_default() += u64::from(arrives);
                len += 1;
                let is_end = len == opening.hashes.len() && (is_one || ends.insert((len, hash)));
                position.ends += u64::from(is_end);
                before = hash;
            }
            let is_short = continues || len < opening.hashes.len();
            if is_short && !std::mem::replace(&mut is_cut, true) {
                cut(&mut self.boards.all[at], (len, before), 1);
            }
        }
    }

    /// Returns the number of games with first moves for which there was no room.
    #[must_use]
    pub fn left_out(&self) -> u64 {
        self.boards.all.iter().map(|board| board.left_out).sum()
    }

    /// Adds the counts of later games, of a part after `games_before` games of its entry.
    pub fn merge(&mut self, later: Self, games_before: u64) {
        self.with_setup += later.with_setup;
        self.without_moves += later.without_moves;
        // Take shorter lines first, because longer ones need them, and frequent ones first, because
        // room may run out.
        let order = |&(len, hash): &PositionKey, position: &OpeningPosition| {
            (len, Reverse(position.tally.count), hash)
        };
        self.boards.merge(
            later.boards,
            games_before,
            order,
            |boards, place, (len, hash), found| {
                match position(boards, place, hash, &found.line, found.before) {
                    Some(position) => {
                        position.tally.merge(found.tally, games_before);
                        for (before, games) in found.arrivals {
                            *position.arrivals.entry(before).or_default() += games;
                        }
                        position.ends += found.ends;
                        position.cut += found.cut;
                    }
                    // Count each game once, at its last position.
                    None => cut(&mut boards.all[place], (len - 1, found.before), found.ends),
                }
            },
        );
    }
}

/// Returns the position with this hash, to which `line` leads. Adds it if necessary and if there is
/// room.
fn position<'b>(
    boards: &'b mut Boards<PositionKey, OpeningPosition>,
    place: usize,
    hash: u64,
    line: &[OpeningMove],
    before: u64,
) -> Option<&'b mut OpeningPosition> {
    let new = || OpeningPosition {
        line: line.to_vec(),
        before,
        arrivals: BTreeMap::new(),
        tally: GameTally::default(),
        ends: 0,
        cut: 0,
    };
    let position = boards.row(place, (line.len(), hash), new)?;
    if line < &*position.line {
        (position.line, position.before) = (line.to_vec(), before);
    }
    Some(position)
}

/// Counts games whose next position has no room.
fn cut(board: &mut BoardRows<PositionKey, OpeningPosition>, after: PositionKey, games: u64) {
    board.left_out += games;
    if let Some(position) = board.rows.get_mut(&after) {
        position.cut += games;
    }
}

impl BoardRows<PositionKey, OpeningPosition> {
    /// Returns the positions after `moves` moves, the most frequent first.
    #[must_use]
    pub fn at(&self, moves: usize) -> Vec<&OpeningPosition> {
        let all = self.sorted(|len, _| len == moves);
        all.into_iter().map(|(_, position)| position).collect()
    }

    /// Returns the positions one move after the position `before`, which has `moves` moves, with
    /// their hashes, the most frequent first. The hash of the starting position is 0.
    #[must_use]
    pub fn after(&self, moves: usize, before: u64) -> Vec<(u64, &OpeningPosition)> {
        self.sorted(|len, position| len == moves + 1 && position.before == before)
    }

    /// Returns the positions that `is_wanted` selects by the length of their line, with their
    /// hashes.
    fn sorted(
        &self,
        is_wanted: impl Fn(usize, &OpeningPosition) -> bool,
    ) -> Vec<(u64, &OpeningPosition)> {
        let mut all = Vec::new();
        for ((len, hash), position) in &self.rows {
            if is_wanted(*len, position) {
                all.push((*hash, position));
            }
        }
        sort(&mut all);
        all
    }

    /// Returns all positions in pre-order: each position, then its successors. Keeps the `top` most
    /// frequent successors of each position, or all if `top` is 0, and summarizes the other
    /// successors in a row.
    #[must_use]
    pub fn in_order(&self, top: usize) -> Vec<(usize, PositionRow<'_>)> {
        let mut following: HashMap<PositionKey, Vec<(u64, &OpeningPosition)>> = HashMap::new();
        for ((len, hash), position) in &self.rows {
            following
                .entry((len - 1, position.before))
                .or_default()
                .push((*hash, position));
        }
        following.values_mut().for_each(|positions| sort(positions));
        let mut rows = Vec::new();
        let mut open = vec![(0, Ok(None))];
        while let Some((moves, position)) = open.pop() {
            let hash = match position {
                Ok(Some((hash, position))) => {
                    rows.push((moves, Ok(position)));
                    hash
                }
                Ok(None) => 0,
                Err(rest) => {
                    rows.push((moves, Err(rest)));
                    continue;
                }
            };
            let mut after = following.remove(&(moves, hash)).unwrap_or_default();
            let rest = after.split_off(if top == 0 {
                after.len()
            } else {
                top.min(after.len())
            });
            if !rest.is_empty() {
                let games = rest.iter().map(|(_, position)| position.tally.count).sum();
                open.push((moves + 1, Err((rest.len(), games))));
            }
            open.extend(
                after
                    .into_iter()
                    .rev()
                    .map(|position| (moves + 1, Ok(Some(position)))),
            );
        }
        rows
    }
}

/// Sorts by frequency, then by line. Different positions may have the same line if the text of a
/// move does not determine its effect. Then the hash decides, so that the order is the same in each
/// run.
fn sort(all: &mut [(u64, &OpeningPosition)]) {
    all.sort_by_key(|(hash, position)| (Reverse(position.tally.count), &position.line, *hash));
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use sgfstream_game::value::Color;
    use sgfstream_game::{Dialect, Game, Side, internal::OpeningStart};

    use super::*;

    fn openings(games: &[(i64, Vec<String>)]) -> Openings {
        let mut openings = Openings::default();
        // A game without a board: each move is compared as text.
        let start = OpeningStart::new(Dialect::new(Game::Number(1000), None));
        for (number, moves) in games {
            let board = BoardId::new(Game::Number(*number), None);
            let opening = Opening::of(
                &start,
                moves.iter().map(|text| (Side::Black, text.as_bytes())),
            );
            let winner = [None, Some(Color::Black), Some(Color::White)][moves.len() % 3];
            openings.add_on(board, &[opening], false, |tally| {
                tally.add(winner, None, || None)
            });
        }
        openings
    }

    /// The positions of a board do not depend on what was read before.
    #[test]
    fn boards_do_not_take_the_space_of_others() {
        let many = |board: i64| {
            (0..10_005).map(move |number| (board, vec!["a".to_owned(), number.to_string()]))
        };
        let few = || {
            [
                (3, vec!["a".to_owned(), "b".to_owned()]),
                (4, vec!["c".to_owned()]),
            ]
        };
        let large: Vec<_> = many(1).chain(many(2)).collect();
        let (first, last) = ([&large[..], &few()].concat(), [&few()[..], &large].concat());
        for games in [first, last] {
            let all = openings(&games);
            let mut rows: Vec<_> = all
                .boards
                .all
                .iter()
                .map(|board| (board.rows.len(), board.left_out))
                .collect();
            rows.sort_unstable();
            assert_eq!(rows, [(1, 0), (2, 0), (10_000, 6), (10_000, 6)]);
            assert_eq!((all.boards.all.len(), all.left_out()), (4, 12));
            let cut: u64 = all
                .boards
                .all
                .iter()
                .flat_map(|board| board.rows.values())
                .map(|row| row.cut)
                .sum();
            assert_eq!(cut, 12);
        }
    }

    proptest! {
        #[test]
        fn merged_is_whole(
            games in prop::collection::vec((1000i64..1003, prop::collection::vec("[a-d]", 0..5)), 0..60),
            cut in 0usize..60,
        ) {
            let (one, two) = games.split_at(cut.min(games.len()));
            let mut merged = openings(one);
            merged.merge(openings(two), 0);
            prop_assert!(merged == openings(&games));
            prop_assert_eq!(merged.left_out(), 0);
        }
    }
}
