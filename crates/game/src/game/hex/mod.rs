//! Hex, GM\[11\]: cells as column letters and row number, special moves, a board with swaps, and
//! the viewer settings of `IS`. Both revisions of the page are supported: 3 to 26 rows and columns,
//! or any number (spec H-01 to H-25).

use crate::value::BoardSize;

mod board;
mod cell;

pub use board::HexBoard;
pub(super) use cell::{parse_algebraic, parse_cell, parse_either, parse_move};

/// Smallest number of rows or columns in the revision of 2001 (spec H-03).
pub const HEX_MIN: u32 = 3;
/// Largest number of rows or columns in the revision of 2001 (spec H-03).
pub const HEX_MAX: u32 = 26;

/// Returns whether the revision of 2001 allows the board: 3 to 26 rows and columns (spec H-03). The
/// revision of 2021 allows any size.
///
/// ```
/// use sgfstream_game::hex::fits_revision_of_2001;
/// use sgfstream_game::value::BoardSize;
///
/// assert!(fits_revision_of_2001(BoardSize::new(3, 26)));
/// assert!(
///     !fits_revision_of_2001(BoardSize::square(2))
///         && !fits_revision_of_2001(BoardSize::square(27))
/// );
/// ```
#[must_use]
pub const fn fits_revision_of_2001(size: BoardSize) -> bool {
    size.columns() >= HEX_MIN && size.rows() >= HEX_MIN && size.longer() <= HEX_MAX
}
