//! Reasons why a point, move or stone is unreadable.

use std::fmt;

/// Reason why a point, move or stone is unreadable. Its `Display` prints what was expected. The
/// caller adds the place and the bytes.
///
/// ```
/// use sgfstream_game::board::Fault;
///
/// assert_eq!(Fault::OffBoard.to_string(), "expected a point on the board");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Fault {
    /// The spelling is wrong; contains the expected spelling.
    Syntax(&'static str),
    /// The spelling is right, but the board has no such cell.
    OffBoard,
    /// The point is inside the rectangle of the coordinates, but the board has no cell there;
    /// contains the name of the gap.
    NoCell(&'static str),
    /// A cell occurs twice, but each is allowed once.
    Repeated,
    /// The points of the game are undocumented. This is not a fault of the record.
    Undefined,
}

impl Fault {
    /// Returns the fault of a part as a fault of the whole, whose spelling is `expected`.
    pub(super) fn with_syntax(self, expected: &'static str) -> Self {
        if matches!(self, Self::Syntax(_)) {
            Self::Syntax(expected)
        } else {
            self
        }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("expected ")?;
        f.write_str(match self {
            Self::NoCell(gap) => return write!(f, "a point on the board, found {gap}"),
            Self::Syntax(expected) => expected,
            Self::OffBoard => "a point on the board",
            Self::Repeated => "each point once",
            Self::Undefined => "a game whose points are defined",
        })
    }
}

impl std::error::Error for Fault {}
