//! Identifies the game by its moves if its root does not.

use sgfstream::Event;

use crate::game::{DetectedGame, Evidence, Game, Lookahead};

use super::game_state::Phase;
use super::{GameState, Info, RootRetention};

impl GameState {
    /// Sets the game that the moves show, if the root does not show one. Call it before the event that ends the root,
    /// or right after that event ([`Step::RootEnd`](super::Step::RootEnd)), before you use the root. [`Lookahead`]
    /// reads the nodes that follow the root.
    pub fn take_evidence(&mut self, detected: DetectedGame) {
        if self.phase == Phase::Root {
            self.evidence = Some(detected);
        } else if self.needs_evidence() && self.may_be(detected) {
            self.use_evidence(detected);
            self.size = self.size_in(self.game);
            self.ply = self.root_moves().count() as u64;
        }
    }

    /// Returns whether a game without `GM` can be the game `detected`: that game must have the same identifiers of moves
    /// as the game assumed so far. So only `GM` can select Pentobi's games for three and four colors.
    #[must_use]
    pub fn may_be(&self, detected: DetectedGame) -> bool {
        detected.game.move_ids() == self.ids
    }

    pub(super) fn use_evidence(&mut self, detected: DetectedGame) {
        self.is_go_by_default = detected.evidence == Evidence::Default;
        self.set_game(detected.game);
        self.program = detected.program;
    }

    /// Returns a lookahead that has read the root already.
    #[must_use]
    pub fn lookahead(&self) -> Lookahead {
        Lookahead::after_root(&self.detector, self.root())
    }

    /// Returns whether `event` would end the root of a game that the root does not identify. Its moves may identify it;
    /// pass their evidence to [`take_evidence`](Self::take_evidence).
    #[must_use]
    #[inline]
    pub fn asks_evidence(&self, event: &Event<'_>) -> bool {
        let ends_root = || match event {
            Event::NodeStart { .. } => self.nodes > 0,
            Event::VariationStart { .. } | Event::VariationEnd { .. } => true,
            _ => false,
        };
        self.phase == Phase::Root && ends_root() && self.evidence.is_none() && self.needs_evidence()
    }

    /// Returns whether the root does not identify the game, so that the moves have to.
    #[must_use]
    pub fn needs_evidence(&self) -> bool {
        self.hold != RootRetention::Moves
            && self.value(Info::GM).is_none()
            && self.game == Game::default()
            && !self.detector.is_certain()
    }

    /// Returns whether the game counts as Go only because nothing shows another game.
    #[must_use]
    pub fn is_go_by_default(&self) -> bool {
        self.is_go_by_default && self.game == Game::Go
    }
}
