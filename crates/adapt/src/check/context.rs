//! Context by which a game is checked: its version, dialect and rules. The root declares them, or
//! the moves reveal them.

use sgfstream_game::kropki::Dots;
use sgfstream_game::{Dialect, Facts, Game, dialect::Program, facts::Info};

/// Context by which a game is checked: version, dialect and rules.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct GameContext {
    pub(super) game: Game,
    pub(super) dialect: Dialect,
    /// 1 to 4; 1 if there is no FF (spec Ver-01).
    pub(super) ff: u8,
    pub(super) has_ff: bool,
    /// Nothing in the game shows which game it is, so it is taken for Go.
    pub(super) is_default: bool,
}

impl GameContext {
    /// Returns the context of a game.
    pub(super) fn of(facts: &Facts<'_>) -> Self {
        Self {
            game: facts.game,
            dialect: facts.dialect(),
            ff: facts.version().number(),
            has_ff: facts.value(Info::FF).is_some(),
            is_default: facts.is_go_by_default,
        }
    }

    /// Returns whether a move shows that a game taken for Go is Kropki. Borders come late in
    /// Kropki; before the first border, the moves of both games look alike.
    pub(super) fn is_late_border(&self, raw: &[u8]) -> bool {
        self.is_default && Dots::has_border(raw)
    }

    /// Returns this context with Kropki as its game.
    pub(super) fn as_kropki(self) -> Self {
        let dialect =
            Dialect::of_program(Game::Kropki, Some(self.dialect.size()), Program::Standard);
        Self {
            game: Game::Kropki,
            dialect,
            is_default: false,
            ..self
        }
    }
}

/// A copy of the dialect is made for each value, so it must stay small.
const _: () = assert!(size_of::<Dialect>() <= 48);
