//! What a game is judged by: its version, dialect and rules, as its root says
//! them or as its moves give them away.

use crate::game::go::GoRules;
use crate::game::{Definition, Detected, Dialect, Fit, Game};
use crate::state::{GameState, Info};
use crate::value::Number;

/// What a game is judged by.
#[derive(Clone, Copy, Debug)]
pub(super) struct GameContext {
    pub(super) game: Game,
    pub(super) dialect: Dialect,
    /// 1 to 4; 1 without FF (spec Ver-01).
    pub(super) ff: u8,
    pub(super) has_ff: bool,
    pub(super) go_rules: GoRules,
}

impl GameContext {
    /// Of a game whose root is in `state`, and which was `detected`.
    pub(super) fn new(state: &GameState, detected: Detected) -> Self {
        let Detected { game, program, .. } = detected;
        let size = state.size_in(game);
        let ff = state.value(Info::FF).map(|raw| version(raw.as_bytes()));
        // No superko: its memory grows with the game.
        let suicide = state.value(Info::RU).is_some_and(|rules| GoRules::named(rules.as_bytes()).suicide);
        Self {
            game,
            dialect: Dialect::of_program(game, size, program),
            ff: ff.unwrap_or(1),
            has_ff: ff.is_some(),
            go_rules: GoRules { suicide, superko: false },
        }
    }

    /// True if this version of the game has no such property, and FF\[4\] has it.
    pub(super) fn is_newer(&self, id: &[u8]) -> bool {
        let found = Definition::find(self.game, self.ff, id).filter(|found| found.fit == Fit::OtherVersion);
        self.ff < 4 && found.is_some_and(|found| found.definition.versions.contains(4))
    }
}

/// FF as it is read on: 5 is 4 (SGFC 46), and what is no version is 4 as well
/// (SGFC 18).
fn version(value: &[u8]) -> u8 {
    match Number::parse_lenient(value) {
        Ok(read) => u8::try_from(read.value.get()).ok().filter(|ff| (1..=4).contains(ff)).unwrap_or(4),
        Err(_) => 4,
    }
}
