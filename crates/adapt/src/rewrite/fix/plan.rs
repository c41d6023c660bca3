//! Changes of a root that depend on the whole game.

use sgfstream::Charset;
use sgfstream_game::Game;

/// Changes of the root of a game that depend on properties after the root.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Plan {
    /// Whether to declare FF\[4\].
    pub(super) states_version: bool,
    /// How to change `CA`, if at all.
    pub(super) charset: Option<CharsetPlan>,
    /// Whether the charset is a guess.
    pub(super) is_guess: bool,
    /// The kind of game by everything that the checker saw, including moves.
    pub(super) game: Option<Game>,
}

/// How to change `CA`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CharsetPlan {
    /// Declare the charset of the bytes.
    State(Charset),
    /// Convert texts of this charset to UTF-8 and declare it, because no charset fits all bytes, or the game allows only
    /// UTF-8.
    Recode(Charset),
}
