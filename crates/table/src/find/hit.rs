//! Hits of a query, and the moves after them.

use sgfstream_game::{BoardCell, Coordinates, Dialect, Side, internal::OpeningMove};

use super::{Query, Transform};

/// The next move from the view of the query, in its orientation and with its colors. Moves that are
/// equal by a symmetry of the query are represented by one of them: the rightmost, then the
/// topmost.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Continuation {
    /// A move to a cell. In a pattern, columns and rows count from its upper left corner.
    Field(Side, BoardCell),
    /// A pass, or another move that is not a cell, as written.
    Other(Side, String),
    /// The line ends. For a position also: setup changes the board.
    End,
}

impl Continuation {
    /// Returns the player, or `None` at the end.
    #[must_use]
    pub fn side(&self) -> Option<Side> {
        match self {
            Self::Field(side, _) | Self::Other(side, _) => Some(*side),
            Self::End => None,
        }
    }

    /// Returns the continuation as text: `W dp` or `B pass`. In a pattern `W 3,1`, with column and
    /// row from 1. `end` if the line ends, or setup changes the board of a position.
    #[must_use]
    pub fn text(&self, query: &Query, board: &Dialect, coordinates: Coordinates) -> String {
        match self {
            Self::Field(side, field) if query.as_pattern().is_some() => {
                format!(
                    "{} {},{}",
                    side.name_in(board.game()),
                    field.column + 1,
                    field.row + 1
                )
            }
            Self::Field(side, field) => OpeningMove::Field(*side, *field).text(board, coordinates),
            Self::Other(side, text) => {
                OpeningMove::Other(*side, text.clone()).text(board, coordinates)
            }
            Self::End => "end".to_owned(),
        }
    }
}

/// Place in a game that matches a query.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Hit {
    /// Number of the move after which the board matches; 0 at the start. In a variation, moves
    /// count from the start of the game.
    pub ply: u64,
    /// Path of the node after which the board matches, as
    /// [`TreePath`](sgfstream_game::internal::TreePath) prints it: `/12`, or `1.0/3` in a
    /// variation.
    pub node: String,
    /// Symmetry and color swap from query to game.
    pub transform: Transform,
    /// The cell at the upper left corner of the pattern, in the orientation of the game. For other
    /// queries, the corner of the board.
    pub corner: BoardCell,
    /// The next move in the game as a property, such as `W[dp]`; empty at the end. For a pattern,
    /// the next move within it.
    pub next: String,
    /// The next move from the view of the query.
    pub continuation: Continuation,
    /// Game and size of the board; for a pattern only the game.
    pub board: Dialect,
}

impl Hit {
    /// Returns the continuation as [text](Continuation::text).
    #[must_use]
    pub fn continuation_text(&self, query: &Query, coordinates: Coordinates) -> String {
        self.continuation.text(query, &self.board, coordinates)
    }
}
