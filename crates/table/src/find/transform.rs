//! Orientation of a query on the board of a game.

use sgfstream_game::{Side, board::Symmetry};

/// Transform from the board of the query to the board of the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Transform {
    /// Rotation or reflection of the query's board.
    pub symmetry: Symmetry,
    /// Whether the colors are swapped.
    pub is_exchanged: bool,
}

impl Transform {
    /// Returns the side that `side` becomes.
    pub(super) fn side(self, side: Side) -> Side {
        if self.is_exchanged {
            side.opponent()
        } else {
            side
        }
    }
}
