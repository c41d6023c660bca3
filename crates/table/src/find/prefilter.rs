//! Prefilter for searches of patterns and sequences. It uses only the plies of first stones, so it rejects most games
//! without reading them.

use std::ops::Range;

use sgfstream_game::{BOARD_MAX, BoardCell, Dialect, Side};

use super::Query;
use super::first_stone_plies::{CHANGED, LATE, OF_WHITE, PLY, UNKNOWN};
use super::pattern::{BLACK, EMPTY, WHITE};
use super::prepared::{Plan, PreparedQuery, UnsearchedReason, ways};
use super::query::QueryBody;

/// Prefilter that uses the plies of first stones, as an [`Index`](https://docs.rs/sgfstream-explore) stores them. It rejects
/// most games without a match, and never a game with a match.
///
/// ```
/// use sgfstream_game::{Dialect, Game};
/// use sgfstream_table::find::{Pattern, Query};
///
/// let query = Query::pattern(Pattern::parse("---/XO/.X").expect("a pattern"));
/// let go = Dialect::new(Game::Go, None);
/// let mut prefilter = query.prefilter(&go).expect("patterns have one").expect("Go has patterns");
/// assert!(!prefilter.passes(&[0; 361], 1));
/// ```
#[derive(Debug)]
pub struct Prefilter {
    columns: usize,
    fields: usize,
    by_move: u64,
    shapes: Vec<Shape>,
    /// For each row, the columns that had a black stone and those that had a white one, one bit each.
    rows: [[u64; BOARD_MAX as usize]; 2],
}

/// Fields that must match together, at any of several places.
#[derive(Debug)]
struct Shape {
    /// Column, row and color of each stone that some board must have.
    stones: Vec<(usize, usize, usize)>,
    lefts: Range<u32>,
    tops: Range<u32>,
    what: WantedContent,
}

#[derive(Debug)]
enum WantedContent {
    /// Fields that must match at the same time, with the contents that they accept.
    Together(Vec<(usize, usize, u8)>),
    /// Fields of moves in order, consecutive if there are no gaps.
    InOrder { fields: Vec<(usize, usize)>, with_gaps: bool },
}

/// Error: the query cannot match on boards of this dialect.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnsupportedBoard;

impl Query {
    /// Returns the prefilter for games of this dialect. Returns `None` for searches that it cannot support: positions,
    /// variations, and boards that a finder would not search either.
    #[must_use]
    pub fn prefilter(&self, dialect: &Dialect) -> Option<Result<Prefilter, UnsupportedBoard>> {
        if self.variations || !matches!(self.what, QueryBody::Pattern(_) | QueryBody::Sequence { .. }) {
            return None;
        }
        let prepared = match PreparedQuery::new(self, dialect) {
            Ok(prepared) => prepared,
            Err(UnsearchedReason::OtherGame) => return Some(Err(UnsupportedBoard)),
            Err(UnsearchedReason::Unknown) => return None,
        };
        let size = prepared.start().size();
        let size = (size.columns(), size.rows());
        let shapes = match (&self.what, &prepared.plan) {
            (QueryBody::Pattern(pattern), _) => {
                let (ways, _) = pattern.ways(ways(self, dialect.game()).into_iter());
                ways.iter().map(|(_, pattern)| Shape::together(pattern.cells(), pattern.corners(size))).collect()
            }
            (_, Plan::Sequence(sequence)) => {
                let shape = |run: &[(Side, BoardCell)]| Shape::in_order(run, size, sequence.anywhere, sequence.gaps);
                sequence.runs.iter().map(|run| shape(&run.moves)).collect()
            }
            _ => return None,
        };
        let rows = [[0; BOARD_MAX as usize]; 2];
        let fields = (size.0 * size.1) as usize;
        Some(Ok(Prefilter { columns: size.0 as usize, fields, by_move: self.by_move, shapes, rows }))
    }
}

impl Shape {
    fn together(cells: impl Iterator<Item = ((u32, u32), u8)>, (lefts, tops): (Range<u32>, Range<u32>)) -> Self {
        let cells: Vec<_> = cells.map(|((column, row), accepted)| (column as usize, row as usize, accepted)).collect();
        let color = |accepted: u8| match accepted {
            BLACK => Some(0),
            WHITE => Some(1),
            _ => None,
        };
        let stones = cells.iter().filter_map(|&(column, row, accepted)| Some((column, row, color(accepted)?)));
        Self { stones: stones.collect(), lefts, tops, what: WantedContent::Together(cells) }
    }

    fn in_order(moves: &[(Side, BoardCell)], size: (u32, u32), is_anywhere: bool, with_gaps: bool) -> Self {
        let least = |of: fn(&BoardCell) -> u16| moves.iter().map(|(_, field)| of(field)).min().unwrap_or(0);
        let most = |of: fn(&BoardCell) -> u16| moves.iter().map(|(_, field)| of(field)).max().unwrap_or(0);
        let (left, top) = (least(|field| field.column), least(|field| field.row));
        let (right, low) = (most(|field| field.column), most(|field| field.row));
        let along = |first: u16, last: u16, len: u32| match is_anywhere {
            true => 0..(len + u32::from(first)).saturating_sub(u32::from(last)),
            false => u32::from(first)..u32::from(first) + 1,
        };
        let fields: Vec<_> =
            moves.iter().map(|(_, field)| (usize::from(field.column - left), usize::from(field.row - top))).collect();
        let colors = moves.iter().map(|(side, _)| side.index());
        // A third color is not recorded.
        let stones = fields.iter().zip(colors).filter(|(_, color)| *color < 2);
        Self {
            stones: stones.map(|(&(column, row), color)| (column, row, color)).collect(),
            lefts: along(left, right, size.0),
            tops: along(top, low, size.1),
            what: WantedContent::InOrder { fields, with_gaps },
        }
    }

    /// Returns whether the shape may match with its corner at this place.
    fn is_at(&self, (times, known): (&[u16], u16), columns: usize, (left, top): (usize, usize), by_move: u64) -> bool {
        let time = |column: usize, row: usize| times[(top + row) * columns + left + column];
        match &self.what {
            WantedContent::Together(cells) => {
                let (mut from, mut until) = (0, CHANGED);
                for &(column, row, accepted) in cells {
                    let time = time(column, row);
                    // Ignore stones that were set up after the root, because the board of the root lacks them.
                    if time == UNKNOWN || time & PLY == 1 && known & LATE != 0 {
                        continue;
                    }
                    if time == 0 {
                        if accepted & EMPTY == 0 {
                            return false;
                        }
                        continue;
                    }
                    let color = if time & OF_WHITE == 0 { BLACK } else { WHITE };
                    let ply = (time & PLY) - 1;
                    // The contents after a later change are unknown.
                    if accepted & color == 0 && time & CHANGED == 0 {
                        until = until.min(ply);
                    }
                    if accepted & EMPTY == 0 {
                        from = from.max(ply);
                    }
                    if from >= until {
                        return false;
                    }
                }
                u64::from(from) <= by_move
            }
            WantedContent::InOrder { fields, with_gaps } => {
                let mut last: Option<(usize, u16)> = None;
                for (number, &(column, row)) in fields.iter().enumerate() {
                    let time = time(column, row);
                    if time & CHANGED != 0 {
                        continue;
                    }
                    let ply = (time & PLY).saturating_sub(1);
                    let is_next = last.is_none_or(|(before, at)| {
                        let moves = usize::from(ply.saturating_sub(at));
                        if *with_gaps { moves >= number - before } else { moves == number - before }
                    });
                    // At the start of the game it was not a move.
                    if ply == 0 || !is_next || u64::from(ply) > by_move {
                        return false;
                    }
                    last = Some((number, ply));
                }
                true
            }
        }
    }
}

impl Prefilter {
    /// Returns whether a game may match, by the plies of its first stones and the number of boards that they determine.
    /// Returns true if the plies are for a board of another size.
    pub fn passes(&mut self, times: &[u16], known: u16) -> bool {
        let Self { columns, fields, by_move, shapes, rows } = self;
        if times.len() != *fields {
            return true;
        }
        let [black, white] = rows;
        for ((times, black), white) in times.chunks_exact(*columns).zip(black).zip(white) {
            *black = bits(times, |time| time != 0 && (time & OF_WHITE == 0 || time & CHANGED != 0));
            *white = bits(times, |time| time >= OF_WHITE);
        }
        let rows = &*rows;
        shapes.iter().any(|shape| {
            let all = u64::MAX.checked_shl(shape.lefts.start).unwrap_or(0)
                & !u64::MAX.checked_shl(shape.lefts.end).unwrap_or(0);
            // One bit for each possible column of the left border, for all rows at once, so that the loop vectorizes.
            let mut lefts = [all; BOARD_MAX as usize];
            let (first, count) = (shape.tops.start as usize, shape.tops.len());
            for &(column, row, color) in &shape.stones {
                let there = &rows[color][first + row..][..count];
                lefts[..count].iter_mut().zip(there).for_each(|(lefts, there)| *lefts &= there >> column);
            }
            lefts[..count].iter().enumerate().any(|(top, &(mut lefts))| {
                while lefts != 0 {
                    let left = lefts.trailing_zeros() as usize;
                    if shape.is_at((times, known), *columns, (left, first + top), *by_move) {
                        return true;
                    }
                    lefts &= lefts - 1;
                }
                false
            })
        })
    }
}

/// Packs at most 64 conditions into bits. The test vectorizes, and one multiplication packs eight flags into a byte.
#[inline]
fn bits(times: &[u16], is_true: impl Fn(u16) -> bool) -> u64 {
    let mut all = 0;
    for (at, times) in times.chunks(8).enumerate() {
        let mut flags = [0; 8];
        flags.iter_mut().zip(times).for_each(|(flag, &time)| *flag = u8::from(is_true(time)));
        let byte = u64::from_le_bytes(flags).wrapping_mul(0x0102_0408_1020_4080) >> 56;
        all |= byte << (8 * at);
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_are_in_their_order() {
        for len in 0..=64 {
            for seed in 1..40_u64 {
                let times: Vec<u16> =
                    (0..len).map(|at| ((seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> (at % 48)) & 1) as u16).collect();
                let slow = times.iter().enumerate().fold(0, |all, (at, &time)| all | u64::from(time) << at);
                assert_eq!(bits(&times, |time| time == 1), slow, "{times:?}");
            }
        }
    }
}
