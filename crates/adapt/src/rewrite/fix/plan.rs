//! The changes of a root that depend on the whole game.

use sgfstream::Charset;
use sgfstream_game::Game;

/// Changes of the root of a game because of properties after it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Plan {
    /// It states FF\[4\].
    pub(super) states_version: bool,
    /// Its `CA`, where that changes.
    pub(super) charset: Option<CharsetPlan>,
    /// The charset is a guess.
    pub(super) is_guess: bool,
    /// The game by all that the checker saw, moves included.
    pub(super) game: Option<Game>,
}

/// Change of `CA`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CharsetPlan {
    /// It names the charset that the bytes are in.
    State(Charset),
    /// Texts of this charset become UTF-8, and `CA` says so: no charset fits
    /// all the bytes as they are, or the game allows no other.
    Recode(Charset),
}
