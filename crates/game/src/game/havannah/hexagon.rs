//! Cells of a hexagon, and the two numberings that files use.

use super::super::BoardCell;

/// Numbering of rows. GoRilla's page does not define it; both numberings occur in files.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Numbering {
    /// Rows run straight across the board, so that the columns after the middle one begin above
    /// row 1. With sides of 3 the corners are a1, c1, e3, e5, c5 and a3. Files with `GM[Havannah]`
    /// use it.
    #[default]
    Straight,
    /// Every column begins with row 1: the corners are a1, c1, e1, e3, c5 and a3. Little Golem's
    /// `.hgf` files use it.
    FromOne,
}

/// Hexagon of cells with equal sides.
///
/// ```text
///            c1
///         b1    d2           sides of 3, straight numbering;
///      a1    c2    e3        column c is the middle one
///         b2    d3
///      a2    c3    e4
///         b3    d4
///      a3    c4    e5
///         b4    d5
///            c5
/// ```
///
/// ```
/// use sgfstream_game::BoardCell;
/// use sgfstream_game::havannah::{Hexagon, Numbering};
///
/// let hexagon = Hexagon::new(3, Numbering::Straight);
/// assert_eq!(hexagon.cells().count(), 19);
/// let e1 = BoardCell::new(4, 0);
/// assert!(!hexagon.has(e1));
/// assert!(Hexagon::new(3, Numbering::FromOne).has(e1));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hexagon {
    side: u16,
    numbering: Numbering,
}

/// Steps to the six neighbors, in straight numbering.
pub(super) const STEPS: [(i32, i32); 6] = [(0, -1), (1, 0), (1, 1), (0, 1), (-1, 0), (-1, -1)];

impl Hexagon {
    /// Returns a hexagon with sides of this length; 0 counts as 1.
    #[must_use]
    pub const fn new(side: u16, numbering: Numbering) -> Self {
        Self {
            side: if side == 0 { 1 } else { side },
            numbering,
        }
    }

    /// Returns the length of its sides.
    #[must_use]
    pub const fn side(self) -> u16 {
        self.side
    }

    /// Returns the number of columns, which is also the number of rows in the longest column.
    #[must_use]
    pub const fn width(self) -> u32 {
        self.side as u32 * 2 - 1
    }

    /// Returns whether the field, in this numbering, is a cell.
    #[must_use]
    pub fn has(self, field: BoardCell) -> bool {
        self.straighten(field).is_some()
    }

    /// Converts a cell to straight numbering; returns `None` if it is not on the board.
    pub(in crate::game) fn straighten(self, field: BoardCell) -> Option<BoardCell> {
        let (column, row) = (
            i32::from(field.column),
            i32::from(field.row) + i32::from(self.shift(field.column)),
        );
        self.is_cell(column, row)
            .then(|| BoardCell::new(field.column, row as u16))
    }

    /// Converts a cell from straight numbering to this numbering.
    pub(in crate::game) const fn number(self, straight: BoardCell) -> BoardCell {
        BoardCell::new(
            straight.column,
            straight.row.saturating_sub(self.shift(straight.column)),
        )
    }

    /// Returns by how much the straight row numbers of a column differ from this numbering.
    const fn shift(self, column: u16) -> u16 {
        match self.numbering {
            Numbering::Straight => 0,
            Numbering::FromOne => (column + 1).saturating_sub(self.side),
        }
    }

    /// Returns whether the hexagon contains the cell, in straight numbering.
    pub(super) fn is_cell(self, column: i32, row: i32) -> bool {
        let width = self.width() as i32;
        (0..width).contains(&column)
            && (0..width).contains(&row)
            && (column - row).abs() < i32::from(self.side)
    }

    /// Returns the neighbor at one of the [`STEPS`], in straight numbering.
    pub(super) fn step(self, field: BoardCell, (right, down): (i32, i32)) -> Option<BoardCell> {
        let (column, row) = (i32::from(field.column) + right, i32::from(field.row) + down);
        self.is_cell(column, row)
            .then(|| BoardCell::new(column as u16, row as u16))
    }

    /// Iterates over all cells, in this numbering, row by row.
    pub fn cells(self) -> impl Iterator<Item = BoardCell> {
        let width = self.width() as u16;
        (0..width)
            .flat_map(move |row| (0..width).map(move |column| BoardCell::new(column, row)))
            .filter(move |&at| self.has(at))
    }

    /// Returns the number of the corner at this cell, 0 to 5, in straight numbering.
    pub(super) fn corner(self, field: BoardCell) -> Option<u8> {
        let (side, last) = (self.side - 1, self.width() as u16 - 1);
        let corners = [
            (0, 0),
            (side, 0),
            (last, side),
            (last, last),
            (side, last),
            (0, side),
        ];
        corners
            .iter()
            .position(|&corner| corner == (field.column, field.row))
            .map(|at| at as u8)
    }

    /// Returns the number of the edge at this cell, 0 to 5, in straight numbering. Corners are on
    /// no edge.
    pub(super) fn edge(self, field: BoardCell) -> Option<u8> {
        if self.corner(field).is_some() {
            return None;
        }
        let last = self.width() as i32 - 1;
        let (column, row, side) = (
            i32::from(field.column),
            i32::from(field.row),
            i32::from(self.side) - 1,
        );
        let edges = [
            row == 0,
            column - row == side,
            column == last,
            row == last,
            row - column == side,
            column == 0,
        ];
        edges.iter().position(|&is| is).map(|at| at as u8)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_cells() {
        for side in 1..12 {
            let cells = 3 * u32::from(side) * (u32::from(side) - 1) + 1;
            for numbering in [Numbering::Straight, Numbering::FromOne] {
                let hexagon = Hexagon::new(side, numbering);
                assert_eq!(hexagon.cells().count() as u32, cells);
            }
            let hexagon = Hexagon::new(side, Numbering::Straight);
            let corners = hexagon
                .cells()
                .filter(|&cell| hexagon.corner(cell).is_some())
                .count();
            let edges = hexagon
                .cells()
                .filter(|&cell| hexagon.edge(cell).is_some())
                .count();
            assert_eq!(corners, if side == 1 { 1 } else { 6 });
            assert_eq!(edges, 6 * usize::from(side.saturating_sub(2)));
        }
    }
}
