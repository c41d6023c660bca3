//! The ply at which each cell of a board first got a stone, and later changes.

use sgfstream_game::value::BoardSize;
use sgfstream_game::{BoardCell, Change, Side};

/// Bit of a white stone.
const OF_WHITE: u16 = 1 << 14;

/// Bit of a cell that changed after its first stone.
const CHANGED: u16 = 1 << 15;

/// Mask for the number of the move plus 1.
pub(super) const PLY: u16 = OF_WHITE - 1;

/// The first stone is not represented: later setup placed it, or its move number is too large.
const UNKNOWN: u16 = u16::MAX;

/// Bit of the cell of a move in a later change.
const OF_MOVE: u16 = 1 << 15;

/// Setup that may still belong to the start of the game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Start {
    /// Setup of the root.
    #[default]
    Root,
    /// Setup of the node after an empty root, where servers put handicap stones.
    Late,
    /// Setup of the current node.
    Now,
    /// No further setup.
    Over,
}

/// The ply at which each cell of a board first got a stone, and the later changes of the cells. A
/// [`Locator`](super::Locator) uses them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FirstStonePlies {
    /// A number for each cell, row by row: 0 if it never had a stone; otherwise the move number of its first stone plus 1,
    /// with a bit for White and a bit for later changes. Empty if the board was lost during the game.
    pub of_fields: Vec<u16>,
    /// Whether the stones of the start were set up in a node after an empty root.
    pub is_late: bool,
    /// Changes after the first stone of a cell, in their order: the move number plus 1, with the new content in two bits; and
    /// the number of the cell, with a bit if it is the cell of the move.
    pub later: Vec<[u16; 2]>,
    /// Whether first stones and later changes determine every board and every move on a cell.
    pub is_complete: bool,
}

/// Move on a cell: its number, its side, and the cell.
pub(super) type PlayedMove = (u16, Side, BoardCell);

impl FirstStonePlies {
    /// Returns the first number of a move, from `from` on, after which the cell has an accepted content. The content of a
    /// cell that the plies do not determine is always accepted.
    #[inline]
    pub(super) fn next_match(&self, cell: usize, accepted: u8, from: u16) -> Option<u16> {
        let accepts = |content: u16| accepted >> content & 1 != 0;
        let time = self.of_fields[cell];
        // The root's board lacks stones that were set up after the root.
        if time == 0 || time == UNKNOWN || time & PLY == 1 && self.is_late && !self.is_complete {
            return (time != 0 || accepts(0)).then_some(from);
        }
        let first = (time & PLY) - 1;
        if from < first && accepts(0) {
            return Some(from);
        }
        let start = from.max(first);
        if time & CHANGED == 0 || !self.is_complete {
            return (time & CHANGED != 0 || accepts(1 + (time >> 14 & 1))).then_some(start);
        }
        self.next_match_of_changed(cell, accepted, start)
    }

    /// Returns the first number of a move, from `start` on, after which a cell that changed since its first stone matches.
    #[inline(never)]
    fn next_match_of_changed(&self, cell: usize, accepted: u8, mut start: u16) -> Option<u16> {
        let accepts = |content: u16| accepted >> content & 1 != 0;
        let mut content = 1 + (self.of_fields[cell] >> 14 & 1);
        for &[change, at] in &self.later {
            if usize::from(at & !OF_MOVE) == cell {
                let ply = (change & PLY) - 1;
                if start < ply && accepts(content) {
                    return Some(start);
                }
                (content, start) = (change >> 14, start.max(ply));
            }
        }
        accepts(content).then_some(start)
    }

    /// Returns the number of stones after the move `ply`. The plies must be complete.
    pub(super) fn stones_after(&self, ply: u16) -> usize {
        let first: u16 = self.of_fields.iter().map(|time| u16::from((time & PLY).wrapping_sub(1) <= ply)).sum();
        let later = self.later.iter().take_while(|[change, _]| change & PLY <= ply + 1);
        // Only moves fill an empty cell again; the remaining changes turn a stone over.
        later.fold(usize::from(first), |stones, [change, at]| match change >> 14 {
            0 => stones.saturating_sub(1),
            _ => stones + usize::from(at & OF_MOVE != 0),
        })
    }

    /// Returns the move with this number, if it is on a cell. The plies must be complete.
    pub(super) fn move_number(&self, columns: usize, number: u16) -> Option<PlayedMove> {
        let is_number = |time: u16| time & PLY == number + 1;
        if let Some(cell) = self.of_fields.iter().position(|&time| is_number(time)) {
            return Some(played(columns, number + 1, self.of_fields[cell] & OF_WHITE != 0, cell));
        }
        let [change, at] = self.later.iter().find(|[change, at]| is_number(*change) && at & OF_MOVE != 0)?;
        Some(played(columns, number + 1, change >> 14 == 2, (at & !OF_MOVE).into()))
    }
}

fn played(columns: usize, time: u16, is_white: bool, cell: usize) -> PlayedMove {
    let cell = BoardCell::new((cell % columns) as u16, (cell / columns) as u16);
    (time - 1, if is_white { Side::White } else { Side::Black }, cell)
}

/// Recorder of the [`FirstStonePlies`] of a game.
#[derive(Clone, Debug, Default)]
pub(super) struct PlyRecorder {
    columns: u32,
    start: Start,
    /// Number of changes of the current move, of its first stones, and of stones that it turned over.
    changes: u32,
    first_stones: u32,
    turned: u32,
    plies: FirstStonePlies,
}

impl PlyRecorder {
    /// Returns the recorder at the start of a game.
    pub(super) fn new(size: BoardSize) -> Self {
        let of_fields = vec![0; (size.columns() * size.rows()) as usize];
        let plies = FirstStonePlies { of_fields, is_complete: true, ..FirstStonePlies::default() };
        Self { columns: size.columns(), plies, ..Self::default() }
    }

    pub(super) fn plies(&self) -> &FirstStonePlies {
        &self.plies
    }

    pub(super) fn clear(&mut self) {
        self.plies = FirstStonePlies::default();
    }

    /// Handles a change of the board by the move of this number: 0 for the start of the game, `None` for later setup.
    pub(super) fn change(&mut self, change: Change, ply: Option<u64>) {
        self.changes += 1;
        let is_of_start = ply.is_none() && matches!(self.start, Start::Late | Start::Now);
        let ply = if is_of_start { Some(0) } else { ply };
        if is_of_start {
            (self.start, self.plies.is_late) = (Start::Now, true);
        }
        let Some(cell) = self.cell(change.field) else { return };
        let FirstStonePlies { of_fields, later, is_complete, .. } = &mut self.plies;
        let time = &mut of_fields[cell];
        let color = match change.new {
            1 => Some(0),
            2 => Some(OF_WHITE),
            _ => None,
        };
        let ply = ply.and_then(|ply| u16::try_from(ply + 1).ok()).filter(|&ply| ply < PLY);
        let is_first = *time == 0 && change.old == 0;
        *time = match (ply, color) {
            (Some(ply), Some(color)) if is_first => ply | color,
            _ if *time == 0 => UNKNOWN,
            _ => *time | CHANGED,
        };
        self.first_stones += u32::from(is_first);
        self.turned += u32::from(change.old != 0 && change.new != 0);
        *is_complete &= *time != UNKNOWN && change.new <= 2 && later.len() < of_fields.len();
        match ply {
            Some(ply) if *is_complete && !is_first && ply > 1 => {
                later.push([ply | u16::from(change.new) << 14, cell as u16])
            }
            _ => *is_complete &= is_first && ply.is_some(),
        }
    }

    /// Ends the setup before a move.
    pub(super) fn look(&mut self) {
        self.start = match self.start {
            Start::Root | Start::Late if self.changes == 0 => Start::Late,
            Start::Root | Start::Late => Start::Over,
            Start::Now | Start::Over => Start::Over,
        };
        (self.changes, self.first_stones, self.turned) = (0, 0, 0);
    }

    /// Ends a move, after its changes. If the move is on a cell without a change of that cell, the cell becomes unknown
    /// or changed.
    pub(super) fn end_move(&mut self, side: Side, field: Option<BoardCell>, ply: u64) {
        let cell = field.and_then(|field| self.cell(field));
        let FirstStonePlies { of_fields, later, is_complete, .. } = &mut self.plies;
        if let Some(cell) = cell {
            let time = &mut of_fields[cell];
            let is_first = u64::from(*time & PLY) == ply + 1 && usize::from(*time >> 14 & 1) == side.index();
            if u64::from(*time & PLY) != ply + 1 {
                *time = if *time == 0 { UNKNOWN } else { *time | CHANGED };
            }
            // The last changes are those of the move.
            let own = later.iter_mut().rev().take_while(|[change, _]| u64::from(change & PLY) == ply + 1);
            let own = own
                .last()
                .filter(|[change, at]| usize::from(*at) == cell && usize::from(change >> 14) == side.index() + 1);
            *is_complete &= match own {
                Some([_, at]) if !is_first => {
                    *at |= OF_MOVE;
                    self.first_stones + self.turned == 0
                }
                _ => is_first && self.first_stones == 1,
            };
        } else {
            *is_complete &= self.changes == 0;
        }
        (self.changes, self.first_stones, self.turned, self.start) = (0, 0, 0, Start::Over);
    }

    fn cell(&self, field: BoardCell) -> Option<usize> {
        let cell = (u32::from(field.row) * self.columns + u32::from(field.column)) as usize;
        (cell < self.plies.of_fields.len()).then_some(cell)
    }
}
