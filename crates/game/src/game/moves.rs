//! A move, of any game: what the value of a move property means. Points count
//! from 0 at the top left, whatever the game counts from; how a move is spelt
//! is asked of its [`Dialect`](super::Dialect).

use std::fmt;

use super::Field;
use super::backgammon::Roll;
use super::boardspace::Action;
use super::kropki::Dots;
use super::octi::OctiMove;
use super::pentobi::Piece;

/// A move, as a property says it.
///
/// ```
/// use sgfstream_game::{Dialect, Game, Move, Word};
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
    Place(Field),
    /// No stone: `[]`, `tt`, `pass`.
    Pass,
    /// A word that is no place: a swap, a resignation, a double.
    Word(Word),
    /// One piece from a point to another (Lines of Action, Gess).
    Step {
        /// The point that it left.
        from: Field,
        /// Where it goes.
        to: Field,
        /// Written as a capture (`:` in Lines of Action).
        capture: bool,
    },
    /// An amazon's way and its arrow.
    Shot {
        /// The point that the amazon left.
        from: Field,
        /// Where it goes.
        to: Field,
        /// Field that the arrow hits.
        arrow: Field,
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
    /// A game whose moves nothing defines, or a form whose meaning was not
    /// found: the bytes.
    Raw(Box<[u8]>),
}

/// One row for each word: its meaning, variant, spelling.
macro_rules! words {
    ($($(#[$doc:meta])+ $variant:ident $word:literal)*) => {
        /// A word that is written for a move (spec H-10 to H-17, games 6, 9, 11).
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[non_exhaustive]
        pub enum Word {
            $($(#[$doc])+ $variant,)*
        }

        impl Word {
            /// All of them.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)*];

            /// How files write it, in lowercase; [`TakeBlack`](Self::TakeBlack)
            /// is the empty value.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $word,)* }
            }
        }
    };
}

words! {
    /// Hex: the players change sides.
    SwapSides "swap-sides"
    /// Hex: the pieces change colour and the board is reflected.
    SwapPieces "swap-pieces"
    /// Little Golem and HexGui: a swap of a kind not said.
    Swap "swap"
    /// The player gives up.
    Resign "resign"
    /// The player loses by forfeit.
    Forfeit "forfeit"
    /// Lines of Action, Gemma variation.
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
    /// The one of `words` that `raw` writes, in any case.
    pub(super) fn among(words: &[Self], raw: &[u8]) -> Option<Self> {
        words.iter().copied().find(|word| raw.eq_ignore_ascii_case(word.as_str().as_bytes()))
    }
}

impl fmt::Display for Word {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl Move {
    /// The point that the move is about, where there is one: where a stone is
    /// placed, or where a piece goes.
    #[must_use]
    pub fn point(&self) -> Option<Field> {
        match self {
            Self::Place(point) => Some(*point),
            Self::Step { to, .. } | Self::Shot { to, .. } => Some(*to),
            Self::Dots(dots) => dots.dot(),
            _ => None,
        }
    }

    /// True for a pass.
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
