//! A place where what was looked for was found.

use sgfstream_game::{Coordinates, Dialect, Field, Side};

use super::{Query, QueryTransform};

/// The next move, as the query sees it: turned back, with the colours of the query. Moves that are the same by a symmetry
/// of what was looked for are one: that as far right, then as far up as can be.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Continuation {
    /// A move to a field; in a pattern, columns and rows count from its upper left corner.
    Field(Side, Field),
    /// A pass, or another move that is no field, as it is written.
    Other(Side, String),
    /// The line ends; or, after a position, a setup makes another board of it.
    End,
}

impl Continuation {
    /// Who plays; `None` at the end.
    #[must_use]
    pub fn side(&self) -> Option<Side> {
        match self {
            Self::Field(side, _) | Self::Other(side, _) => Some(*side),
            Self::End => None,
        }
    }

    /// The continuation of what `query` looks for as text: `W dp`, `B pass`; in a pattern `W 3,1`, column and row from 1. `end` where
    /// the line ends, or a setup makes another board of a position.
    #[must_use]
    pub fn text(&self, query: &Query, board: &Dialect, coordinates: Coordinates) -> String {
        match self {
            Self::Field(side, field) if query.as_pattern().is_some() => {
                format!("{} {},{}", side.letter(), field.column + 1, field.row + 1)
            }
            Self::Field(side, field) => {
                format!("{} {}", side.letter(), board.show_point_in(board.numbered(*field), coordinates))
            }
            Self::Other(side, text) => format!("{} {text}", side.letter()),
            Self::End => "end".to_owned(),
        }
    }
}

/// A place where a game has what was looked for.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Hit {
    /// How many moves were made: it is on the board after this move, 0 at the start. In a variation, counted
    /// from the start of the game.
    pub ply: u64,
    /// The path of the node after which it is on the board, as [`TreePath`](sgfstream_game::TreePath) writes it: `/12`, or
    /// `1.0/3` in a variation.
    pub node: String,
    /// How it lies on the board.
    pub way: QueryTransform,
    /// The field of the board on which the upper left corner of the turned pattern lies; of other queries, the corner.
    pub corner: Field,
    /// The next move in the game, as its property: `W[dp]`; empty at the end. For a pattern, the next within it.
    pub next: String,
    /// Continuation as the query sees it.
    pub continuation: Continuation,
    /// The board: game and size; of a pattern only the game.
    pub board: Dialect,
}

impl Hit {
    /// The continuation as [text](Continuation::text).
    #[must_use]
    pub fn continuation_text(&self, query: &Query, coordinates: Coordinates) -> String {
        self.continuation.text(query, &self.board, coordinates)
    }
}
