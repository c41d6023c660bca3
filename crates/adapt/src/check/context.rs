//! Context by which a game is judged: its version, dialect and rules, as its root says
//! them or as its moves give them away.

use sgfstream_game::go::GoRules;
use sgfstream_game::kropki::Dots;
use sgfstream_game::{Definition, Detected, Dialect, Fit, Game, GameState, Info, Program};

/// Context by which a game is judged.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct GameContext {
    pub(super) game: Game,
    pub(super) dialect: Dialect,
    /// 1 to 4; 1 without FF (spec Ver-01).
    pub(super) ff: u8,
    pub(super) has_ff: bool,
    pub(super) go_rules: GoRules,
    /// Nothing shows which game it is.
    pub(super) is_default: bool,
}

impl GameContext {
    /// Of a game whose root is in `state`. Where the root does not tell which game it is, it is the one that was
    /// `detected` by the moves, too.
    pub(super) fn new(state: &mut GameState, detected: Detected) -> Self {
        let dialect = if state.in_root() && state.may_be(detected) {
            Dialect::of_record(detected.game, state.size_in(detected.game), detected.program)
        } else {
            state.take_evidence(detected);
            state.dialect()
        };
        Self {
            game: dialect.game(),
            dialect,
            ff: state.version().number(),
            has_ff: state.value(Info::FF).is_some(),
            go_rules: state.go_rules(),
            is_default: state.is_go_by_default(),
        }
    }

    /// True for a move that shows that the game is Kropki: borders come late, when the game was taken for Go. Until
    /// then, the moves of both are alike.
    pub(super) fn is_late_border(&self, raw: &[u8]) -> bool {
        self.is_default && Dots::has_border(raw)
    }

    /// This context, for Kropki.
    pub(super) fn as_kropki(self) -> Self {
        let dialect = Dialect::of_program(Game::Kropki, Some(self.dialect.size()), Program::Standard);
        Self { game: Game::Kropki, dialect, is_default: false, ..self }
    }

    /// True if this version of the game has no such property, and FF\[4\] has it.
    pub(super) fn is_newer(&self, id: &[u8]) -> bool {
        let found = Definition::find(self.game, self.ff, id).filter(|found| found.fit == Fit::OtherVersion);
        self.ff < 4 && found.is_some_and(|found| found.definition.versions.contains(4))
    }
}

/// The dialect is a few words; a copy of it is made for each value.
const _: () = assert!(size_of::<Dialect>() <= 48);
