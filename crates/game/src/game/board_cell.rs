//! Cell of any board: a crossing, a square, a hexagon, a triangle.

use crate::value::{BoardSize, Point};

use super::Fault;

/// Cell of a board, by column and row from 0, from the upper left corner. Its range is wider than
/// the range of [`Point`], which two letters limit: Hex and Twixt go beyond 52. Games that count
/// rows from the bottom are flipped on reading, so that cells of all games compare.
///
/// ```
/// use sgfstream_game::{BoardCell, Dialect, Game};
///
/// let lower_left = Dialect::new(Game::LinesOfAction, None).parse_point(b"a1")?;
/// assert_eq!(lower_left, BoardCell { row: 7, column: 0 });
/// # Ok::<(), sgfstream_game::board::Fault>(())
/// ```
// Row first, so that the derived order is the order of reading.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct BoardCell {
    /// Row, from 0, from the top.
    pub row: u16,
    /// Column, from 0, from the left.
    pub column: u16,
}

impl BoardCell {
    /// Returns the cell at this column and row.
    #[must_use]
    #[inline]
    pub const fn new(column: u16, row: u16) -> Self {
        Self { row, column }
    }

    /// Returns whether a rectangular board of this size contains the cell.
    #[must_use]
    #[inline]
    pub const fn is_on(self, size: BoardSize) -> bool {
        (self.column as u32) < size.columns() && (self.row as u32) < size.rows()
    }

    /// Returns the cell if a rectangular board of this size contains it.
    #[inline]
    pub(super) fn checked_on(self, size: BoardSize) -> Result<Self, Fault> {
        if self.is_on(size) {
            Ok(self)
        } else {
            Err(Fault::OffBoard)
        }
    }

    /// Returns the cell at this column and rank, which counts rows from 0 at the bottom; `None` off
    /// the board.
    pub(super) fn of_rank(column: u16, rank: u16, size: BoardSize) -> Option<Self> {
        let row = size.rows().checked_sub(u32::from(rank) + 1)?;
        Some(Self::new(column, u16::try_from(row).ok()?)).filter(|cell| cell.is_on(size))
    }

    /// Returns the cell as a point of two letters, if both letters exist.
    #[must_use]
    pub fn as_point(self) -> Option<Point> {
        Point::new(
            u8::try_from(self.column).ok()?,
            u8::try_from(self.row).ok()?,
        )
    }

    /// Returns the number of the cell on a board of this size, row by row; `None` off the board.
    #[inline]
    pub(super) fn index_on(self, size: BoardSize) -> Option<usize> {
        self.is_on(size)
            .then(|| usize::from(self.row) * size.columns() as usize + usize::from(self.column))
    }
}

impl From<Point> for BoardCell {
    fn from(point: Point) -> Self {
        Self::new(u16::from(point.column()), u16::from(point.row()))
    }
}
