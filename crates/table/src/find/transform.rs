//! Orientation of a query on the board of a game.

use sgfstream_game::board::Symmetry;

/// Transform from the board of the query to the board of the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Transform {
    /// Rotation or reflection of the query's board.
    pub symmetry: Symmetry,
    /// Whether the colors are swapped.
    pub is_exchanged: bool,
}
