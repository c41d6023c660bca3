//! The changes of the board on a main line in two bytes each, and what a
//! [`Locator`](super::Locator) computes from them.
//!
//! A change is the column and the row of its cell in six bits each, the new content in two bits,
//! and [`OF_MOVE`]. The first change of a move is the stone on the cell of the move. The changes
//! before the first move make the start.

use sgfstream_game::{
    BoardCell, Side,
    internal::{BOARD_MAX, Change},
};

/// Bit of the first change of a move.
const OF_MOVE: u16 = 1 << 14;

/// A move without a change, such as a pass.
const PASS: u16 = 1 << 15;

/// The stones of the start were set up in a node after an empty root.
const LATE: u16 = PASS | 1;

/// Maximum number of changes, so that the number of a move needs less than 14 bits.
const CHANGES_MAX: usize = (1 << 14) - 2;

/// Number of bits for the column of a cell.
pub(super) const ROW: u32 = BOARD_MAX.ilog2();

/// Mask for the cell of a change.
const CELL: u16 = (BOARD_MAX * BOARD_MAX - 1) as u16;

/// Returns the number of a cell, the same on boards of each size.
pub(super) fn number_of(cell: BoardCell) -> usize {
    usize::from(cell.row << ROW | cell.column)
}

/// Returns the cell with this number.
pub(super) fn cell_of(number: usize) -> BoardCell {
    BoardCell::new(number as u16 % BOARD_MAX as u16, number as u16 >> ROW)
}

/// Recorder of the changes of a main line.
#[derive(Clone, Debug, Default)]
pub(super) struct ChangeRecorder {
    changes: Vec<[u8; 2]>,
    /// Number of changes before the current move.
    before_move: usize,
    /// Whether further setup is not part of the start.
    is_started: bool,
    /// Whether the changes do not determine every board and the cell of every move.
    is_lost: bool,
}

impl ChangeRecorder {
    /// Returns the changes, or no bytes if they do not determine every board and the cell of every
    /// move.
    pub(super) fn changes(&self) -> &[u8] {
        if self.is_lost {
            &[]
        } else {
            self.changes.as_flattened()
        }
    }

    /// Handles a change of the board by the move of this number: 0 for the start of the game,
    /// `None` for later setup.
    pub(super) fn change(&mut self, change: Change, ply: Option<u64>) {
        if ply.is_none() {
            if self.changes.is_empty() {
                self.push(LATE);
            }
            self.is_lost |= self.is_started;
        }
        let is_of_start = ply.is_none_or(|ply| ply == 0);
        let adds_stone = is_of_start || self.changes.len() == self.before_move;
        self.is_lost |= adds_stone != (change.old == 0) || change.new > 2;
        self.push(u16::from(change.new & 3) << (2 * ROW) | number_of(change.field) as u16);
    }

    /// Ends the setup before a move.
    pub(super) fn end_setup(&mut self) {
        self.is_started |= !self.changes.is_empty();
        self.before_move = self.changes.len();
    }

    /// Ends a move, after its changes.
    pub(super) fn end_move(&mut self, side: Side, field: Option<BoardCell>) {
        match (self.changes.get_mut(self.before_move), field) {
            (Some(first), Some(cell)) => {
                let stone = (side.index() as u16 + 1) << (2 * ROW) | number_of(cell) as u16;
                self.is_lost |= u16::from_le_bytes(*first) != stone;
                *first = (stone | OF_MOVE).to_le_bytes();
            }
            (None, None) => self.push(PASS),
            _ => self.is_lost = true,
        }
        self.is_started = true;
        self.before_move = self.changes.len();
    }

    fn push(&mut self, change: u16) {
        self.is_lost |= self.changes.len() == CHANGES_MAX;
        if !self.is_lost {
            self.changes.push(change.to_le_bytes());
        }
    }
}

/// Bit of a white stone.
const OF_WHITE: u16 = 1 << 14;

/// Bit of a cell that changed after its first stone.
const CHANGED: u16 = 1 << 15;

/// Mask for the number of the move plus 1.
const PLY: u16 = OF_WHITE - 1;

/// Contents of each cell during a main line.
#[derive(Debug)]
pub(super) struct CellPlies {
    /// Whether the stones of the start were set up in a node after an empty root.
    pub(super) is_late: bool,
    /// For each cell, 0 if it never had a stone; otherwise the move number of its first stone plus
    /// 1, with a bit for White and a bit for later changes.
    first: Vec<u16>,
    /// Changes after the first stone of a cell, in their order: the move number, and the change.
    later: Vec<(u16, u16)>,
    /// For Black and White, the columns of each row that ever had such a stone, one bit each.
    rows: [[u64; BOARD_MAX as usize]; 2],
    /// The first change of each move.
    moves: Vec<u16>,
    /// Number of stones after each number of moves.
    stones: Vec<usize>,
}

impl CellPlies {
    /// Returns the plies of a board with this number of rows.
    pub(super) fn new(rows: u32) -> Self {
        let first = vec![0; (rows << ROW) as usize];
        let rows = [[0; BOARD_MAX as usize]; 2];
        Self {
            is_late: false,
            first,
            later: Vec::new(),
            rows,
            moves: Vec::new(),
            stones: Vec::new(),
        }
    }

    /// Computes the plies from the changes of a main line. Returns `None` if the changes are
    /// invalid.
    pub(super) fn read(&mut self, changes: &[u8]) -> Option<()> {
        self.is_late = false;
        self.first.fill(0);
        self.later.clear();
        self.rows.as_flattened_mut().fill(0);
        self.moves.clear();
        self.stones.clear();
        let mut stones = 0_usize;
        for &change in changes.as_chunks().0 {
            let change = u16::from_le_bytes(change);
            if change == LATE {
                self.is_late = true;
                continue;
            }
            if change >= OF_MOVE {
                self.moves.push(change);
                self.stones.push(stones);
            }
            if change == PASS {
                continue;
            }
            let ply = self.moves.len() as u16;
            let (cell, content) = (change & CELL, change >> (2 * ROW) & 3);
            let first = self.first.get_mut(usize::from(cell))?;
            if *first != 0 {
                *first |= CHANGED;
                self.later.push((ply, change));
            } else if ply + 1 < PLY {
                *first = (ply + 1) | content.checked_sub(1)? << 14;
            } else {
                return None;
            }
            if content == 0 {
                stones = stones.checked_sub(1)?;
                continue;
            }
            // A move adds one stone. Its other changes remove stones or turn them over.
            stones += usize::from(change >= OF_MOVE || ply == 0);
            self.rows.get_mut(usize::from(content - 1))?[usize::from(cell >> ROW)] |=
                1 << (cell % BOARD_MAX as u16);
        }
        self.stones.push(stones);
        Some(())
    }

    /// Returns the columns from a cell on that ever had a stone of this color in its row, one bit
    /// each.
    #[inline]
    pub(super) fn columns_with(&self, color: usize, from: usize) -> u64 {
        self.rows[color][from >> ROW] >> (from % BOARD_MAX as usize)
    }

    /// Returns the first number of a move, from `from` on, after which the cell has an accepted
    /// content.
    #[inline]
    pub(super) fn next_match(&self, cell: usize, accepted: u8, from: u16) -> Option<u16> {
        let accepts = |content: u16| accepted >> content & 1 != 0;
        let first = self.first[cell];
        if first == 0 {
            return accepts(0).then_some(from);
        }
        let ply = (first & PLY) - 1;
        if from < ply && accepts(0) {
            return Some(from);
        }
        let (content, start) = (1 + (first >> 14 & 1), from.max(ply));
        if first & CHANGED == 0 {
            return accepts(content).then_some(start);
        }
        self.next_match_of_changed(cell, accepted, content, start)
    }

    /// Returns the first number of a move, from `start` on, after which a cell that changed since
    /// its first stone matches.
    #[inline(never)]
    fn next_match_of_changed(
        &self,
        cell: usize,
        accepted: u8,
        mut content: u16,
        mut start: u16,
    ) -> Option<u16> {
        let accepts = |content: u16| accepted >> content & 1 != 0;
        for &(ply, change) in &self.later {
            if usize::from(change & CELL) == cell {
                if start < ply && accepts(content) {
                    return Some(start);
                }
                (content, start) = (change >> (2 * ROW) & 3, start.max(ply));
            }
        }
        accepts(content).then_some(start)
    }

    /// Returns the first number of a move, from `from` on, after which the board has this number of
    /// stones.
    pub(super) fn next_with_stones(&self, stones: usize, from: u16) -> Option<u16> {
        let later = self.stones.get(usize::from(from)..)?;
        Some(from + later.iter().position(|&count| count == stones)? as u16)
    }

    /// Returns the move with this number, if it is on a cell.
    pub(super) fn move_number(&self, number: u16) -> Option<(Side, BoardCell)> {
        let made = *self
            .moves
            .get(usize::from(number).checked_sub(1)?)
            .filter(|made| **made != PASS)?;
        let side = if made >> (2 * ROW) & 3 == 2 {
            Side::White
        } else {
            Side::Black
        };
        Some((side, cell_of((made & CELL).into())))
    }

    /// Returns the number of the first move after the move `ply` on a cell of a rectangle.
    pub(super) fn next_move_in(
        &self,
        corner: usize,
        (columns, rows): (u32, u32),
        ply: u16,
    ) -> Option<u16> {
        let row = |down: u32| &self.first[corner + (down << ROW) as usize..][..columns as usize];
        let first = (0..rows)
            .flat_map(row)
            .map(|first| first & PLY)
            .filter(|&number| number > ply + 1)
            .min();
        let is_inside = |change: u16| {
            // The distance from the corner, as the number of a cell. A negative one has a large row
            // or column.
            let distance = u32::from((change & CELL).wrapping_sub(corner as u16));
            distance >> ROW < rows && distance % BOARD_MAX < columns
        };
        let is_next = |(number, change): &&(u16, u16)| {
            *number > ply && *change >= OF_MOVE && is_inside(*change)
        };
        let again = self.later.iter().find(is_next).map(|(number, _)| *number);
        [first.map(|number| number - 1), again]
            .into_iter()
            .flatten()
            .min()
    }
}
