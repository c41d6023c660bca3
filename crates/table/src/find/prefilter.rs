//! Prefilter for searches of patterns and sequences. It uses only the plies of first stones and later changes, so it rejects
//! most games without reading them.

use std::ops::Range;

use sgfstream_game::{BOARD_MAX, BoardCell, Dialect, Side};

use super::first_stone_plies::{CHANGED, FirstStonePlies, OF_WHITE, PLY};
use super::pattern::{BLACK, EMPTY, Pattern, WHITE};
use super::placement::Placement;
use super::prepared::{Plan, PreparedQuery, UnsearchedReason, transforms};
use super::query::QueryBody;
use super::{Query, Transform};

/// Prefilter that uses the plies of first stones, as an [`Index`](https://docs.rs/sgfstream-explore) stores them. It rejects
/// most games without a match, and never a game with a match.
///
/// ```
/// use sgfstream_game::{Dialect, Game};
/// use sgfstream_table::find::{FirstStonePlies, Pattern, Query};
///
/// let query = Query::pattern(Pattern::parse("---/XO/.X").expect("a pattern"));
/// let go = Dialect::new(Game::Go, None);
/// let mut prefilter = query.prefilter(&go).expect("patterns have one").expect("Go has patterns");
/// let plies = FirstStonePlies { of_fields: vec![0; 361], ..FirstStonePlies::default() };
/// assert!(!prefilter.passes(&plies));
/// ```
#[derive(Debug)]
pub struct Prefilter {
    pub(super) columns: usize,
    pub(super) fields: usize,
    pub(super) by_move: u64,
    pub(super) shapes: Vec<Shape>,
    /// For each row, the columns that had a black stone and those that had a white one, one bit each.
    rows: [[u64; BOARD_MAX as usize]; 2],
}

/// Fields that must match together, at any of several places.
#[derive(Debug)]
pub(super) struct Shape {
    /// Column, row and color of each stone that some board must have.
    pub(super) stones: Vec<(usize, usize, usize)>,
    lefts: Range<u32>,
    tops: Range<u32>,
    what: WantedContent,
}

#[derive(Debug)]
enum WantedContent {
    /// Distances of cells from the corner, which must match at the same time, with the contents that they accept; and the
    /// pattern at the first corner. Cells that need a stone come first, because their plies determine when the other cells
    /// must match.
    Together(Vec<(usize, u8)>, Placement),
    /// Cells of moves in order, consecutive if there are no gaps.
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
        Some(Prefilter::of(self, &prepared).ok_or(UnsupportedBoard))
    }
}

impl Shape {
    fn together(transform: Transform, pattern: &Pattern, size: (u32, u32)) -> Self {
        let (lefts, tops) = pattern.corners(size);
        let color = |accepted: u8| match accepted {
            BLACK => Some(0),
            WHITE => Some(1),
            _ => None,
        };
        let at = |(column, row): (u32, u32)| (column as usize, row as usize);
        let stone = |(cell, accepted)| color(accepted).map(|color| (at(cell).0, at(cell).1, color));
        let stones = pattern.cells().filter_map(stone).collect();
        let cells = pattern.cells().map(|(cell, accepted)| (at(cell).1 * size.0 as usize + at(cell).0, accepted));
        let mut cells: Vec<_> = cells.collect();
        cells.sort_by_key(|(_, accepted)| accepted & EMPTY);
        let labels = pattern.labels().iter().map(|&(column, row)| BoardCell::new(column as u16, row as u16)).collect();
        let placement = Placement { transform, corner: (0, 0), size: pattern.size(), labels };
        Self { stones, lefts, tops, what: WantedContent::Together(cells, placement) }
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

    /// Returns the first number of a move, from `from` on, after which the pattern may match with its corner at this place.
    /// If the plies are complete, it matches.
    pub(super) fn next_match(
        &self,
        plies: &FirstStonePlies,
        columns: usize,
        corner: (usize, usize),
        from: u16,
    ) -> Option<u16> {
        let WantedContent::Together(cells, _) = &self.what else { return None };
        if from == 0 && plies.is_late && cells.iter().all(|(_, accepted)| accepted & EMPTY != 0) {
            return Some(0);
        }
        let (start, mut ply) = (corner.1 * columns + corner.0, from);
        loop {
            let matches = |ply, &(cell, accepted): &(usize, u8)| plies.next_match(start + cell, accepted, ply);
            let next = cells.iter().try_fold(ply, matches)?;
            if next == ply {
                return Some(ply);
            }
            ply = next;
        }
    }

    /// Returns the shape of a position in one orientation, with its stones. Its cells are only those of the stones.
    pub(super) fn position(transform: Transform, stones: Vec<(usize, usize, usize)>, columns: usize) -> Self {
        let cell = |&(column, row, color): &(usize, usize, usize)| (row * columns + column, [BLACK, WHITE][color]);
        let cells = stones.iter().map(cell).collect();
        let placement = Placement { transform, corner: (0, 0), size: (0, 0), labels: Vec::new() };
        Self { stones, lefts: 0..1, tops: 0..1, what: WantedContent::Together(cells, placement) }
    }

    /// Returns the number of labels of the pattern.
    pub(super) fn labels(&self) -> usize {
        if let WantedContent::Together(_, first) = &self.what { first.labels.len() } else { 0 }
    }

    /// Returns the pattern at this place.
    pub(super) fn placement(&self, (left, top): (usize, usize)) -> Option<Placement> {
        let WantedContent::Together(_, first) = &self.what else { return None };
        let labels = first.labels.iter().map(|at| BoardCell::new(at.column + left as u16, at.row + top as u16));
        Some(Placement { corner: (left as u32, top as u32), labels: labels.collect(), ..*first })
    }

    /// Returns whether the shape may match with its corner at this place.
    fn is_at(&self, plies: &FirstStonePlies, columns: usize, corner: (usize, usize), by_move: u64) -> bool {
        let (left, top) = corner;
        let time = |column: usize, row: usize| plies.of_fields[(top + row) * columns + left + column];
        match &self.what {
            WantedContent::Together(..) => {
                self.next_match(plies, columns, corner, 0).is_some_and(|ply| u64::from(ply) <= by_move)
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
    /// Returns the prefilter of a prepared pattern or sequence.
    pub(super) fn of(query: &Query, prepared: &PreparedQuery) -> Option<Self> {
        let size = prepared.start().size();
        let size = (size.columns(), size.rows());
        let shapes = match (&query.what, &prepared.plan) {
            (QueryBody::Pattern(pattern), _) => {
                let (transforms, _) = pattern.transforms(transforms(query, prepared.board().game()).into_iter());
                transforms.iter().map(|(transform, pattern)| Shape::together(*transform, pattern, size)).collect()
            }
            (_, Plan::Sequence(sequence)) => {
                let shape = |run: &[(Side, BoardCell)]| Shape::in_order(run, size, sequence.anywhere, sequence.gaps);
                sequence.runs.iter().map(|run| shape(&run.moves)).collect()
            }
            _ => return None,
        };
        Some(Self::of_shapes(shapes, size, query.by_move))
    }

    /// Returns the prefilter of shapes on a board of `size`.
    pub(super) fn of_shapes(shapes: Vec<Shape>, size: (u32, u32), by_move: u64) -> Self {
        let (columns, fields) = (size.0 as usize, (size.0 * size.1) as usize);
        Self { columns, fields, by_move, shapes, rows: [[0; BOARD_MAX as usize]; 2] }
    }

    /// Returns whether a game may match, by its plies. Returns true if the plies are for a board of another size.
    pub fn passes(&mut self, plies: &FirstStonePlies) -> bool {
        let (columns, by_move) = (self.columns, self.by_move);
        let is_at = |shape: &Shape, corner| shape.is_at(plies, columns, corner, by_move);
        plies.of_fields.len() != self.fields || self.any_place(plies, is_at)
    }

    /// Returns whether `is_wanted` accepts a shape and a place of its corner, among those where each stone of the shape is on
    /// some board.
    pub(super) fn any_place(
        &mut self,
        plies: &FirstStonePlies,
        mut is_wanted: impl FnMut(&Shape, (usize, usize)) -> bool,
    ) -> bool {
        let Self { columns, shapes, rows, .. } = self;
        let [black, white] = rows;
        for ((times, black), white) in plies.of_fields.chunks_exact(*columns).zip(black).zip(white) {
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
                    if is_wanted(shape, (left, first + top)) {
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
