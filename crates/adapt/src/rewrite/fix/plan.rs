//! The changes of a root that depend on the whole game.

use sgfstream::Charset;
use sgfstream_game::Game;

/// What the root of a game becomes because of properties after it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Plan {
    /// It states FF\[4\].
    pub(super) states_version: bool,
    /// Its `CA`, where that changes.
    pub(super) charset: Option<CharsetPlan>,
    /// The charset is a guess.
    pub(super) is_guess: bool,
    /// What game it is by what the checker saw, moves among it.
    pub(super) game: Option<Game>,
}

/// What becomes of `CA`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CharsetPlan {
    /// It names the charset that the bytes are in.
    State(Charset),
    /// Texts of this charset become UTF-8, and `CA` says so: no charset fits
    /// all the bytes as they are, or the game allows no other.
    Recode(Charset),
}
