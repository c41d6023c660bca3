//! Why a point, move or stone could not be read.

use std::fmt;

/// Fault of a point, move or stone. The sentence says what was
/// expected; the caller knows where, and what was found.
///
/// ```
/// use sgfstream_game::Fault;
///
/// assert_eq!(Fault::OffBoard.to_string(), "expected a point on the board");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Fault {
    /// Not spelt as the game has it; holds what was expected.
    Syntax(&'static str),
    /// Spelt right, but not a field of the board.
    OffBoard,
    /// In the rectangle of the coordinates, but not a field of the board; holds what is there.
    NoField(&'static str),
    /// One field twice where each is allowed once.
    Repeated,
    /// The points of this game are not documented: no fault of the record.
    Undefined,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("expected ")?;
        f.write_str(match self {
            Self::NoField(gap) => return write!(f, "a point on the board, found {gap}"),
            Self::Syntax(expected) => expected,
            Self::OffBoard => "a point on the board",
            Self::Repeated => "each point once",
            Self::Undefined => "a game whose points are defined",
        })
    }
}

impl std::error::Error for Fault {}
