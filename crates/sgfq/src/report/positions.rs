//! How games begin: the positions of their first moves, and how often each was reached, with results and years.

use std::cmp::Reverse;

use sgfstream_adapt::stats;
use sgfstream_game::{Dialect, Side};
use sgfstream_table::find::{Opening, OpeningMove, OpeningStart};
use sgfstream_table::row::GameRow;

use super::boards::{Board, Boards};
use super::tally::Tally;

/// The positions of each board.
#[derive(Default)]
pub(crate) struct Positions {
    pub(crate) boards: Boards<Key, After>,
    pub(crate) with_setup: u64,
}

/// The number of moves and the hash of the board.
type Key = (usize, u64);

/// The start of a board, and the positions that follow.
pub(crate) type Start = Board<Key, After>;

/// A position; or how many positions are left out, and how many games they have.
pub(crate) type Row<'a> = Result<&'a After, (usize, u64)>;

/// A position.
pub(crate) struct After {
    /// The line that comes first of those that lead to it, and the position before its last move.
    pub(crate) line: Vec<OpeningMove>,
    before: u64,
    pub(crate) tally: Tally,
    /// Games whose opening ends here.
    ends: u64,
    /// Games that went on in a way that is not held.
    pub(crate) cut: u64,
}

impl Positions {
    /// The positions to which the lines that `openings` holds lead; its boards, in its order.
    pub(crate) fn of(openings: &stats::Openings) -> Self {
        let mut all = Self { with_setup: openings.with_setup(), ..Self::default() };
        for (board, games) in openings.boards() {
            let dialect = Dialect::new(board.game, board.size);
            let Some(at) = all.boards.place(dialect) else { continue };
            all.boards.all[at].tally = Tally::counting(games);
            let mut starts = Vec::new();
            // Shorter lines first, so that where there is no more space, the last moves are left out.
            for line in (1..=openings.depth()).flat_map(|depth| openings.lines(board, depth)) {
                let side = |color: u8| Side::ALL[usize::from(color.wrapping_sub(1)) & 3];
                let moves = line.moves.iter().map(|played| (side(played.color()), played.as_bytes()));
                let known = starts.iter().position(|(program, _)| *program == line.program);
                let known = known.unwrap_or_else(|| {
                    let dialect = Dialect::of_program(board.game, board.size, line.program);
                    starts.push((line.program, OpeningStart::new(dialect)));
                    starts.len() - 1
                });
                let opening = Opening::of(&starts[known].1, moves);
                // A move that cannot be read is no position.
                if opening.moves.len() == line.moves.len() {
                    all.add_line(at, &opening, Tally::of(&line), line.cut);
                }
            }
        }
        all
    }

    /// Counts a game.
    pub(crate) fn add(&mut self, opening: &Opening, row: &GameRow) {
        if opening.has_setup {
            self.with_setup += 1;
            return;
        }
        let Some(at) = self.boards.place(opening.board) else {
            self.boards.on_others += 1;
            return;
        };
        self.boards.all[at].tally.add(row, false);
        let mut before = 0;
        for (number, &hash) in opening.hashes.iter().enumerate() {
            let line = &opening.moves[..=number];
            let Some(after) = after(&mut self.boards, at, hash, line, before) else {
                self.boards.all[at].left_out += 1;
                return;
            };
            after.tally.add(row, false);
            after.ends += u64::from(number + 1 == opening.hashes.len());
            before = hash;
        }
    }

    /// Counts games whose first moves these are: only the last position of them.
    fn add_line(&mut self, board: usize, opening: &Opening, games: Tally, cut: u64) {
        let Some((&hash, before)) = opening.hashes.split_last() else { return };
        let (len, before) = (before.len(), before.last().copied().unwrap_or_default());
        match after(&mut self.boards, board, hash, &opening.moves, before) {
            Some(after) => {
                after.tally.merge(games);
                after.cut += cut;
            }
            // Games that were left out at an earlier move are counted already.
            None => {
                let start = &mut self.boards.all[board];
                let is_first = len == 0 || start.rows.contains_key(&(len, before));
                start.left_out += if is_first { games.count } else { 0 };
            }
        }
    }

    /// So many games come before these in their entry.
    pub(crate) fn shift(&mut self, games: u64) {
        for start in &mut self.boards.all {
            start.tally.shift(games);
            start.rows.values_mut().for_each(|after| after.tally.shift(games));
        }
    }

    /// Adds what was found later.
    pub(crate) fn merge(&mut self, later: Self) {
        self.with_setup += later.with_setup;
        // Shorter lines first, and the most frequent of them.
        let order = |&(len, hash): &Key, after: &After| (len, Reverse(after.tally.count), hash);
        self.boards.merge(later.boards, order, |boards, place, (_, hash), found| {
            match after(boards, place, hash, &found.line, found.before) {
                Some(after) => {
                    after.tally.merge(found.tally);
                    after.ends += found.ends;
                    after.cut += found.cut;
                }
                // Each game is counted once, at its last position.
                None => boards.all[place].left_out += found.ends,
            }
        });
    }
}

/// The position with this hash to which `line` leads, where there is space for it.
fn after<'b>(
    boards: &'b mut Boards<Key, After>,
    place: usize,
    hash: u64,
    line: &[OpeningMove],
    before: u64,
) -> Option<&'b mut After> {
    let new = || After { line: line.to_vec(), before, tally: Tally::default(), ends: 0, cut: 0 };
    let after = boards.row(place, (line.len(), hash), new)?;
    if line < &*after.line {
        (after.line, after.before) = (line.to_vec(), before);
    }
    Some(after)
}

impl Start {
    /// The positions after so many moves, the most frequent first.
    pub(crate) fn at(&self, moves: usize) -> Vec<&After> {
        let all = self.rows.iter().filter(|((len, _), _)| *len == moves);
        in_order(all.map(|((_, hash), after)| (*hash, after)).collect()).into_iter().map(|(_, after)| after).collect()
    }

    /// The positions after `before`, the most frequent first.
    pub(crate) fn after(&self, moves: usize, before: u64) -> Vec<(u64, &After)> {
        let all = self.rows.iter().filter(|((len, _), after)| *len == moves + 1 && after.before == before);
        in_order(all.map(|((_, hash), after)| (*hash, after)).collect())
    }

    /// All positions as a tree is read: each, then those after it. `top` after each; for what is left out, how many
    /// positions and how many games.
    pub(crate) fn rows(&self, top: usize) -> Vec<(usize, Row<'_>)> {
        let mut rows = Vec::new();
        let mut open = vec![(0, Ok(None))];
        while let Some((moves, position)) = open.pop() {
            let hash = match position {
                Ok(Some((hash, after))) => {
                    rows.push((moves, Ok(after)));
                    hash
                }
                Ok(None) => 0,
                Err(rest) => {
                    rows.push((moves, Err(rest)));
                    continue;
                }
            };
            let mut after = self.after(moves, hash);
            let rest = after.split_off(if top == 0 { after.len() } else { top.min(after.len()) });
            if !rest.is_empty() {
                open.push((moves + 1, Err((rest.len(), rest.iter().map(|(_, after)| after.tally.count).sum()))));
            }
            open.extend(after.into_iter().rev().map(|position| (moves + 1, Ok(Some(position)))));
        }
        rows
    }
}

/// The most frequent first. Different positions may have the same line, where it does not say what a move changes: the
/// hash decides then, so that the order is the same in each run.
fn in_order(mut all: Vec<(u64, &After)>) -> Vec<(u64, &After)> {
    all.sort_by_key(|(hash, after)| (Reverse(after.tally.count), &after.line, *hash));
    all
}

#[cfg(test)]
mod tests {
    use sgfstream::{EventReader, SliceReader};
    use sgfstream_adapt::stats::Stats;

    use super::Positions;

    #[test]
    fn positions_with_one_line_have_one_order() {
        // HexGui exchanges the sides, others the stones.
        let games = b"(;GM[11]SZ[11]AP[HexGui:0.9]RE[B+];B[k3];W[swap-pieces])(;GM[11]SZ[11];B[k3];W[swap-pieces])";
        let mut stats = Stats::default();
        SliceReader::new(games).drive(&mut stats).expect("no limit is set");
        stats.end_input(games.len() as u64);
        let order = || {
            let positions = Positions::of(&stats.openings);
            let all = positions.boards.all[0].at(2);
            assert_eq!((all.len(), &all[0].line), (2, &all[1].line));
            all.iter().map(|after| after.tally.black).collect::<Vec<_>>()
        };
        let first = order();
        // Each table of positions is hashed with a key of its own.
        assert!((0..30).all(|_| order() == first));
    }
}
