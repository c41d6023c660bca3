//! Moves of a sequence or a condition on the next move, compared with the moves of games.

use sgfstream_game::{BoardCell, GameBoard, Move};

use super::Transform;
use super::waiting::Shift;

/// A move as searches compare it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Step {
    /// A stone on a cell, in Havannah in straight numbering.
    Field(BoardCell),
    /// The cells of a piece in their order. For a piece that moves: from, to, and the cell of an
    /// arrow.
    Cells {
        cells: Vec<BoardCell>,
        is_sorted: bool,
    },
    /// A word, a pass, or a move of a game without symmetries.
    Other(Move),
}

/// Transform from the cells of a move to the cells of an equal move.
pub(super) enum Displacement {
    By(Shift),
    /// The moves have no cells.
    Any,
}

impl Step {
    /// Returns the move on this board, or `None` if it is not on the board.
    pub(super) fn of(board: &GameBoard, mv: &Move) -> Option<Self> {
        let path = |cells: &[BoardCell]| Self::Cells {
            cells: cells.to_vec(),
            is_sorted: false,
        };
        match mv {
            Move::Place(field) => board.straight(*field).map(Self::Field),
            Move::Dots(dots) => dots.dot().map(Self::Field),
            Move::Step { from, to, .. } => Some(path(&[*from, *to])),
            Move::Shot { from, to, arrow } => Some(path(&[*from, *to, *arrow])),
            Move::Piece(piece) => Some(Self::Cells {
                cells: sorted(piece.fields().to_vec()),
                is_sorted: true,
            }),
            other => Some(Self::Other(other.clone())),
        }
    }

    /// Returns the move after a transform of a board of `size`. A word is its own image.
    pub(super) fn turned(&self, transform: Transform, size: (u32, u32)) -> Self {
        let turn = |cell: &BoardCell| transform.symmetry.turn(*cell, size);
        match self {
            Self::Field(cell) => Self::Field(turn(cell)),
            Self::Cells { cells, is_sorted } => {
                let cells = cells.iter().map(turn).collect();
                Self::Cells {
                    cells: if *is_sorted { sorted(cells) } else { cells },
                    is_sorted: *is_sorted,
                }
            }
            Self::Other(mv) => Self::Other(mv.clone()),
        }
    }

    /// Returns how far `made` is from this move, or `None` if it is another move.
    pub(super) fn displacement(&self, made: &Self) -> Option<Displacement> {
        let shift = |from: &BoardCell, to: &BoardCell| {
            (
                i32::from(to.column) - i32::from(from.column),
                i32::from(to.row) - i32::from(from.row),
            )
        };
        match (self, made) {
            (Self::Field(from), Self::Field(to)) => Some(Displacement::By(shift(from, to))),
            (Self::Cells { cells: from, .. }, Self::Cells { cells: to, .. })
                if from.len() == to.len() =>
            {
                let first = shift(from.first()?, to.first()?);
                let is_same = from
                    .iter()
                    .zip(to)
                    .all(|(from, to)| shift(from, to) == first);
                is_same.then_some(Displacement::By(first))
            }
            (Self::Other(one), Self::Other(other)) if one == other => Some(Displacement::Any),
            _ => None,
        }
    }
}

fn sorted(mut cells: Vec<BoardCell>) -> Vec<BoardCell> {
    cells.sort_unstable();
    cells
}
