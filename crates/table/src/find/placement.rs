//! All places of a pattern on a board, and how many of its cells mismatch there. A change of one
//! cell updates only the counts of the places that contain it.

use sgfstream_game::{BoardCell, internal::Change};

use super::Transform;
use super::pattern::{EMPTY, Pattern};

/// Place of a pattern on a board.
#[derive(Clone, Debug)]
pub(super) struct Placement {
    pub(super) transform: Transform,
    pub(super) corner: (u32, u32),
    /// Columns and rows in the orientation of the game.
    pub(super) size: (u32, u32),
    /// Fields of the moves that must follow.
    pub(super) labels: Vec<BoardCell>,
}

impl Placement {
    pub(super) fn contains(&self, field: BoardCell) -> bool {
        let inside = |at: u16, corner: u32, len: u32| {
            u32::from(at).checked_sub(corner).is_some_and(|at| at < len)
        };
        inside(field.column, self.corner.0, self.size.0)
            && inside(field.row, self.corner.1, self.size.1)
    }
}

/// State of a place in a line. A match of a pattern with labels may fail, and then the place is
/// open again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PlaceState {
    Open,
    /// A match waits for the first move within the place.
    Waiting,
    Found,
}

/// Maximum number of cells of all places together. A pattern of 10 by 10 on a board of 21 by 21,
/// with swapped colors, stays below it.
const USES_MAX: usize = 1 << 18;

/// All places of a pattern on boards of one size.
#[derive(Debug)]
pub(super) struct Placements {
    columns: u32,
    pub(super) all: Vec<Placement>,
    /// For each cell, the start of its entries in `uses`.
    starts: Vec<u32>,
    /// Index of a placement, and the contents that it accepts on the cell.
    uses: Vec<(u32, u8)>,
    /// For each placement, the number of cells that mismatch on an empty board.
    pub(super) on_empty: Vec<u16>,
}

impl Placements {
    /// Returns `None` if there are more than [`USES_MAX`] cells of places.
    pub(super) fn new(transforms: &[(Transform, Pattern)], size: (u32, u32)) -> Option<Self> {
        let count = |(_, pattern): &(Transform, Pattern)| {
            let (columns, rows) = pattern.corners(size);
            columns.len() * rows.len() * pattern.cells().count()
        };
        if transforms.iter().map(count).sum::<usize>() > USES_MAX {
            return None;
        }
        let fields = (size.0 * size.1) as usize;
        let mut all = Vec::new();
        let mut on_empty = Vec::new();
        let mut uses: Vec<(u32, u32, u8)> = Vec::new();
        for (transform, pattern) in transforms {
            let (columns, rows) = pattern.corners(size);
            for top in rows {
                for left in columns.clone() {
                    let number = all.len() as u32;
                    let mut wrong = 0;
                    for ((column, row), accepted) in pattern.cells() {
                        wrong += u16::from(accepted & EMPTY == 0);
                        uses.push(((top + row) * size.0 + left + column, number, accepted));
                    }
                    let at = |&(column, row): &(u32, u32)| {
                        BoardCell::new((left + column) as u16, (top + row) as u16)
                    };
                    let labels = pattern.labels().iter().map(at).collect();
                    all.push(Placement {
                        transform: *transform,
                        corner: (left, top),
                        size: pattern.size(),
                        labels,
                    });
                    on_empty.push(wrong);
                }
            }
        }
        // The sort is stable, so that the placements of a cell stay in order.
        uses.sort_by_key(|&(field, ..)| field);
        let start = |field: usize| uses.partition_point(|&(at, ..)| (at as usize) < field) as u32;
        let starts = (0..=fields).map(start).collect();
        let uses = uses
            .iter()
            .map(|&(_, number, accepted)| (number, accepted))
            .collect();
        Some(Self {
            columns: size.0,
            all,
            starts,
            uses,
            on_empty,
        })
    }

    /// Counts a change, and adds placements that match now to `matched`.
    #[inline]
    pub(super) fn change(&self, change: Change, wrong: &mut [u16], matched: &mut Vec<u32>) {
        let at =
            (u32::from(change.field.row) * self.columns + u32::from(change.field.column)) as usize;
        let (Some(&start), Some(&end)) = (self.starts.get(at), self.starts.get(at + 1)) else {
            return;
        };
        let bit = |content: u8| content.min(3);
        let (old, new) = (bit(change.old), bit(change.new));
        for &(number, accepted) in &self.uses[start as usize..end as usize] {
            let count = &mut wrong[number as usize];
            *count = *count + u16::from(accepted >> old & 1) - u16::from(accepted >> new & 1);
            if *count == 0 {
                matched.push(number);
            }
        }
    }
}
