//! Points and passes of Go (spec PT-01 to PT-08, M-01 to M-03).

use crate::value::BoardSize;

use super::super::coordinates::read_pair;
use super::super::{BoardCell, Fault, Move};

const POINT: &str = "two letters, one for the column and one for the row";

/// Parses two letters as a point of a board of this size.
///
/// # Errors
/// [`Fault::Syntax`] or [`Fault::OffBoard`].
#[inline]
pub(crate) fn parse_point(size: BoardSize, raw: &[u8]) -> Result<BoardCell, Fault> {
    read_pair(raw).ok_or(Fault::Syntax(POINT))?.checked_on(size)
}

/// Parses a move: a point, or a pass.
///
/// # Errors
/// The same as for [`parse_point`].
// Check for a point first: no pass is a point of its board, so nearly all moves need no second
// check.
#[inline]
pub(crate) fn parse_move(size: BoardSize, raw: &[u8]) -> Result<Move, Fault> {
    match parse_point(size, raw) {
        Ok(point) => Ok(Move::Place(point)),
        Err(_) if is_pass(size, raw) => Ok(Move::Pass),
        Err(fault) => Err(fault),
    }
}

/// Returns whether `raw` is a pass: `[]`, and `tt` if both sides are at most 19 (spec M-01, M-02).
///
/// ```
/// use sgfstream_game::go::is_pass;
/// use sgfstream_game::value::BoardSize;
///
/// assert!(is_pass(BoardSize::square(19), b"tt") && is_pass(BoardSize::square(52), b""));
/// assert!(!is_pass(BoardSize::square(20), b"tt") && !is_pass(BoardSize::new(13, 25), b"tt"));
/// ```
#[must_use]
#[inline]
pub fn is_pass(size: BoardSize, raw: &[u8]) -> bool {
    raw.is_empty() || (raw == b"tt" && size.longer() <= 19)
}
