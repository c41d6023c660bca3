//! Programs whose notation differs from the specification.

use super::detect::named;

/// Program whose notation a record uses where programs differ.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Program {
    /// The notation of the specification.
    #[default]
    Standard,
    /// GoRilla: Hex is 17 x 17, and its cells may be two letters (spec G-06, G-07).
    Gorilla,
    /// Little Golem: cells of Hex are two letters; in Havannah every column begins with row 1 (spec
    /// games §11, §21).
    LittleGolem,
    /// HexGui and Benzene: their `swap-pieces` and `SWAP` are swaps of sides. In all 48 such files
    /// that were examined, the swapper's color moves next, and the reflection that the page defines
    /// would put stones onto others.
    HexGui,
}

impl Program {
    /// Returns the program that a value of `AP` names, if its notation is known to differ.
    ///
    /// ```
    /// use sgfstream_game::value::BoardSize;
    /// use sgfstream_game::{Dialect, Game, dialect::Program};
    ///
    /// let program = Program::of_application(b"GoRilla:1.0");
    /// assert_eq!(Dialect::default_size(Game::Hex, program), Some(BoardSize::square(17)));
    /// assert_eq!(Program::of_application(b"CGoban:3"), Program::Standard);
    /// ```
    #[must_use]
    pub fn of_application(raw: &[u8]) -> Self {
        let names: [(&[u8], Self); 3] = [
            (b"gorilla", Self::Gorilla),
            (b"hexgui", Self::HexGui),
            (b"hex-benzene", Self::HexGui),
        ];
        named(&names, raw).unwrap_or_default()
    }
}
