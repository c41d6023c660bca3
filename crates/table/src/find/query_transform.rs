//! How a board lies.

use sgfstream_game::Symmetry;

/// How the board of the query must be changed to be that of the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct QueryTransform {
    /// Turned or mirrored so.
    pub symmetry: Symmetry,
    /// The colours are exchanged.
    pub is_exchanged: bool,
}
