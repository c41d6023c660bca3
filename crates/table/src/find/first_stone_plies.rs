//! The ply at which each cell of a board first got a stone.

use sgfstream_game::value::BoardSize;
use sgfstream_game::{BoardCell, Change, Side};

/// Bit of a white stone.
pub(super) const OF_WHITE: u16 = 1 << 14;

/// Bit of a cell that changed after its first stone.
pub(super) const CHANGED: u16 = 1 << 15;

/// Mask for the number of the move plus 1.
pub(super) const PLY: u16 = OF_WHITE - 1;

/// The first stone is not represented: later setup placed it, or its move number is too large.
pub(super) const UNKNOWN: u16 = u16::MAX;

/// Bit beside the number of known boards: the stones of the start were set up in a node after an empty root.
pub(super) const LATE: u16 = 1 << 15;

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

/// The ply at which each cell of a board first got a stone.
#[derive(Clone, Debug, Default)]
pub struct FirstStonePlies {
    columns: u32,
    start: Start,
    is_late: bool,
    /// Whether the plies so far determine the boards: each move only put a stone on an empty cell.
    is_known: bool,
    /// The last change of the current move, and the number of its changes.
    last: Option<Change>,
    changes: u32,
    known: u16,
    of_fields: Vec<u16>,
}

impl FirstStonePlies {
    /// Returns the plies at the start of a game. `is_empty` says that the board is empty before any setup.
    pub(super) fn new(size: BoardSize, is_empty: bool) -> Self {
        let of_fields = vec![0; (size.columns() * size.rows()) as usize];
        Self { columns: size.columns(), is_known: is_empty, of_fields, ..Self::default() }
    }

    /// Returns a number for each cell, row by row: 0 if it never had a stone; otherwise the move number of its first stone
    /// plus 1, with a bit for White and a bit for later changes. A [`Prefilter`](super::Prefilter) and a
    /// [`Locator`](super::Locator) use these numbers. Empty if the board was lost during the game.
    #[must_use]
    pub fn of_fields(&self) -> &[u16] {
        &self.of_fields
    }

    /// Returns how many boards from the start, including the start, the plies determine. Each of these boards has exactly
    /// the stones that came until then. A bit marks games whose starting stones were set up after the root.
    #[must_use]
    pub fn known(&self) -> u16 {
        if self.is_late { self.known | LATE } else { self.known }
    }

    pub(super) fn clear(&mut self) {
        (self.known, self.is_late) = (0, false);
        self.of_fields.clear();
    }

    /// Handles a change of the board by the move of this number: 0 for the start of the game, `None` for later setup.
    pub(super) fn change(&mut self, change: Change, ply: Option<u64>) {
        self.changes += 1;
        self.last = Some(change);
        let is_of_start = ply.is_none() && matches!(self.start, Start::Late | Start::Now);
        let ply = if is_of_start { Some(0) } else { ply };
        if is_of_start {
            (self.start, self.is_late) = (Start::Now, true);
        }
        // Setup at the start may place any number of stones.
        self.is_known &= ply.is_some() && change.old == 0 && (ply == Some(0) || self.changes == 1);
        let Some(time) = self.of_field(change.field) else { return };
        let color = match change.new {
            1 => Some(0),
            2 => Some(OF_WHITE),
            _ => None,
        };
        let ply = ply.and_then(|ply| u16::try_from(ply + 1).ok()).filter(|&ply| ply < PLY);
        *time = match (ply, color) {
            (Some(ply), Some(color)) if *time == 0 && change.old == 0 => ply | color,
            _ if *time == 0 => UNKNOWN,
            _ => *time | CHANGED,
        };
        self.is_known &= ply.is_some() && color.is_some();
    }

    /// Ends the setup before a move.
    pub(super) fn look(&mut self) {
        self.start = match self.start {
            Start::Root => {
                self.known = u16::from(self.is_known);
                if self.changes == 0 { Start::Late } else { Start::Over }
            }
            Start::Late => Start::Late,
            Start::Now | Start::Over => Start::Over,
        };
        (self.last, self.changes) = (None, 0);
    }

    /// Ends a move, after its changes. If the move is on a cell without a change of that cell, the cell becomes unknown
    /// or changed.
    pub(super) fn end_move(&mut self, side: Side, field: Option<BoardCell>, ply: u64) {
        if let Some(time) = field.and_then(|field| self.of_field(field))
            && (*time == 0 || u64::from(*time & PLY) != ply + 1)
        {
            *time = if *time == 0 { UNKNOWN } else { *time | CHANGED };
        }
        let is_of_move = |change: Change| Some(change.field) == field && usize::from(change.new) == side.index() + 1;
        self.is_known &= self.last.is_none_or(is_of_move);
        if self.is_known && u64::from(self.known) == ply {
            self.known = self.known.saturating_add(1);
        }
        (self.last, self.changes, self.start) = (None, 0, Start::Over);
    }

    fn of_field(&mut self, field: BoardCell) -> Option<&mut u16> {
        self.of_fields.get_mut((u32::from(field.row) * self.columns + u32::from(field.column)) as usize)
    }
}
