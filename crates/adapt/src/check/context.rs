//! Context by which a game is judged: its version, dialect and rules, as its root says
//! them or as its moves give them away.

use sgfstream_game::go::GoRules;
use sgfstream_game::kropki::Dots;
use sgfstream_game::{Definition, Detected, Dialect, Evidence, Fit, Game, GameState, Info, Program};

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
    is_default: bool,
}

impl GameContext {
    /// Of a game whose root is in `state`. Where the root does not tell which game it is, it is the one that was
    /// `detected` by the moves, too.
    pub(super) fn new(state: &GameState, detected: Detected) -> Self {
        let is_told = !state.in_root() && (state.value(Info::GM).is_some() || state.game() != Game::default());
        let dialect = match detected {
            _ if is_told => state.dialect(),
            Detected { game, program, .. } => Dialect::of_record(game, state.size_in(game), program),
        };
        // No superko: its memory grows with the game.
        let suicide = state.value(Info::RU).is_some_and(|rules| GoRules::named(rules.as_bytes()).suicide);
        Self {
            game: dialect.game(),
            dialect,
            ff: state.version().number(),
            has_ff: state.value(Info::FF).is_some(),
            go_rules: GoRules { suicide, superko: false },
            is_default: !is_told && detected.evidence == Evidence::Default,
        }
    }

    /// True for a move that shows that the game is Kropki: borders come late, when the game was taken for Go. Until
    /// then, the moves of both are alike.
    pub(super) fn is_late_border(&self, raw: &[u8]) -> bool {
        self.is_default && raw.len() <= 4096 && raw.contains(&b'.') && Dots::parse(raw).is_ok()
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
