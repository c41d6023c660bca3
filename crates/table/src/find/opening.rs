//! How a game begins: its first moves, turned so that openings which are the same on the board are the same.

use sgfstream::game::{Coordinates, Dialect, Field, Side};

/// A move of an opening.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum OpeningMove {
    /// A move to a field.
    Field(Side, Field),
    /// A pass, or another move that is no field, as it is written.
    Other(Side, String),
}

impl OpeningMove {
    /// The move in this spelling: `B pd`.
    #[must_use]
    pub fn text(&self, board: &Dialect, coordinates: Coordinates) -> String {
        let letter = |side: Side| ["B", "W", "3", "4"][side.index()];
        match self {
            Self::Field(side, field) => format!("{} {}", letter(*side), board.show_point_in(*field, coordinates)),
            Self::Other(side, text) => format!("{} {text}", letter(*side)),
        }
    }
}

/// The first moves of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Opening {
    /// The game and the size of its board.
    pub board: Dialect,
    /// The moves, turned or mirrored as the game allows: move by move, as far right, then as far up as can be.
    pub moves: Vec<OpeningMove>,
    /// The canonical hash of the board after each move: the same for openings that lead to one position, whatever the order
    /// of their moves.
    pub hashes: Vec<u64>,
    /// The game begins with stones that are set up.
    pub has_setup: bool,
}

impl Opening {
    /// Turns the moves, which are as they were made on a board of `size`.
    pub(super) fn turn(&mut self, size: (u32, u32)) {
        let rank = |field: Field| (u16::MAX - field.column, field.row);
        let turned = |symmetry: &sgfstream::game::Symmetry, field: Field| {
            let (column, row) = symmetry.apply((field.column.into(), field.row.into()), size);
            Field::new(column as u16, row as u16)
        };
        let fields: Vec<Field> = (self.moves.iter())
            .filter_map(|played| match played {
                OpeningMove::Field(_, field) => Some(*field),
                OpeningMove::Other(..) => None,
            })
            .collect();
        let symmetries = self.board.game().symmetries().iter().filter(|symmetry| symmetry.size(size) == size);
        let ranks = |symmetry| fields.iter().map(|&field| rank(turned(symmetry, field))).collect::<Vec<_>>();
        let Some(best) = symmetries.min_by_key(|symmetry| ranks(symmetry)) else { return };
        for played in &mut self.moves {
            if let OpeningMove::Field(_, field) = played {
                *field = turned(best, *field);
            }
        }
    }
}
