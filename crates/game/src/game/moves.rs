//! Move of any game: the meaning of the value of a move property. Points count from 0 at the top
//! left, whatever the game counts from. A [`Dialect`](super::Dialect) parses and prints moves.

use super::BoardCell;
use super::backgammon::Roll;
use super::boardspace::Action;
use super::kropki::Dots;
use super::octi::OctiMove;
use super::pentobi::Piece;

/// Move, as a property states it.
///
/// ```
/// use sgfstream_game::{Dialect, Game, Move, dialect::Word};
///
/// let hex = Dialect::new(Game::Hex, None);
/// assert!(matches!(hex.parse_move(b"F9"), Ok(Move::Place(point)) if (point.column, point.row) == (5, 8)));
/// assert_eq!(hex.parse_move(b"SWAP-PIECES"), Ok(Move::Word(Word::SwapPieces)));
/// assert_eq!(Dialect::new(Game::Go, None).parse_move(b"tt"), Ok(Move::Pass));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Move {
    /// One stone on one point.
    Place(BoardCell),
    /// No stone: `[]`, `tt`, `pass`.
    Pass,
    /// A word that is not a place: a swap, a resignation, a double.
    Word(Word),
    /// One piece from a point to another (Lines of Action, Gess).
    Step {
        /// The point that the piece left.
        from: BoardCell,
        /// The point that the piece goes to.
        to: BoardCell,
        /// Whether the move is written as a capture (`:` in Lines of Action).
        capture: bool,
    },
    /// A step of an amazon and its arrow.
    Shot {
        /// The point that the amazon left.
        from: BoardCell,
        /// The point that the amazon goes to.
        to: BoardCell,
        /// The cell that the arrow hits.
        arrow: BoardCell,
    },
    /// A dot, borders, or both (Kropki).
    Dots(Dots),
    /// Changes of pods and prongs (Octi).
    Octi(OctiMove),
    /// A piece on the board (Blokus, Nexos, Callisto, GembloQ).
    Piece(Piece),
    /// Dice and checkers (Backgammon).
    Roll(Roll),
    /// A Boardspace action.
    Action(Action),
    /// Bytes of a move in a game without documented moves, or in a form whose meaning is unknown.
    Raw(Box<[u8]>),
}

named_enum! {
    /// Word in place of a move (spec H-10 to H-17, games 6, 9, 11). Its name is its spelling in files,
    /// in lowercase.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
    #[non_exhaustive]
    Word ALL;
    /// Hex: the players change sides.
    SwapSides "swap-sides"
    /// Hex: the pieces change color, and the board is mirrored.
    SwapPieces "swap-pieces"
    /// Little Golem and HexGui: a swap that does not state its kind.
    Swap "swap"
    /// The player gives up.
    Resign "resign"
    /// The player loses by forfeit.
    Forfeit "forfeit"
    /// Lines of Action, Gemma variation: the piece escapes.
    Escape "escape"
    /// Backgammon: the cube is offered.
    Double "double"
    /// Backgammon: the cube is accepted.
    Take "take"
    /// Backgammon: the cube is refused.
    Drop "drop"
    /// Unlur: the player takes black (`B[]`, spec G-20).
    TakeBlack ""
}

impl Word {
    /// Finds the word of `words` that `raw` spells, in any case.
    pub(super) fn among(words: &[Self], raw: &[u8]) -> Option<Self> {
        words
            .iter()
            .copied()
            .find(|word| raw.eq_ignore_ascii_case(word.as_str().as_bytes()))
    }

    /// Returns the move that `raw` spells, in any case: one of `words`, or `pass`.
    pub(super) fn or_pass(words: &[Self], raw: &[u8]) -> Option<Move> {
        let pass = raw.eq_ignore_ascii_case(b"pass").then_some(Move::Pass);
        Self::among(words, raw).map(Move::Word).or(pass)
    }
}

impl Move {
    /// Returns the point where a stone is placed or a piece goes, if the move has one.
    #[must_use]
    pub fn point(&self) -> Option<BoardCell> {
        match self {
            Self::Place(point) => Some(*point),
            Self::Step { to, .. } | Self::Shot { to, .. } => Some(*to),
            Self::Dots(dots) => dots.dot(),
            _ => None,
        }
    }

    /// Returns whether the move is a pass.
    #[must_use]
    pub const fn is_pass(&self) -> bool {
        matches!(self, Self::Pass)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_read_back_in_any_case() {
        for &word in Word::ALL {
            let upper = word.as_str().to_ascii_uppercase();
            assert_eq!(Word::among(Word::ALL, upper.as_bytes()), Some(word));
        }
        assert_eq!(Word::among(&[Word::Resign], b"drop"), None);
    }
}
