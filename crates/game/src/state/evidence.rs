//! Which game it is, where only its moves show that.

use sgfstream::Event;

use crate::game::{Detected, Evidence, Game, Lookahead};

use super::game_state::Phase;
use super::{GameState, Info, RootRetention};

impl GameState {
    /// Takes what the moves of the game show of it, where its root does not tell which game it is. Call it before the event
    /// that ends the root, or right after it ([`Step::RootEnd`](super::Step::RootEnd)), before anything is made of the root:
    /// [`Lookahead`] looks at the nodes that follow.
    pub fn take_evidence(&mut self, detected: Detected) {
        if self.phase == Phase::Root {
            self.evidence = Some(detected);
        } else if self.needs_evidence() && self.may_be(detected) {
            self.use_evidence(detected);
            self.size = self.size_in(self.game);
            self.ply = self.root_moves().count() as u64;
        }
    }

    /// Returns whether a game without `GM` is taken for this one: its moves have the identifiers that were counted so far. So
    /// only `GM` makes a game one of Pentobi's for three and four colors.
    #[must_use]
    pub fn may_be(&self, detected: Detected) -> bool {
        detected.game.move_ids() == self.ids
    }

    pub(super) fn use_evidence(&mut self, detected: Detected) {
        self.is_go_by_default = detected.evidence == Evidence::Default;
        self.set_game(detected.game);
        self.program = detected.program;
    }

    /// A look ahead that has taken the root.
    #[must_use]
    pub fn lookahead(&self) -> Lookahead {
        Lookahead::after_root(&self.detector, self.root())
    }

    /// True if `event` would end the root of a game that does not tell which game it is: its moves may, and
    /// [`take_evidence`](Self::take_evidence) tells what they show.
    #[must_use]
    pub fn asks_evidence(&self, event: &Event<'_>) -> bool {
        let ends_root = match event {
            Event::NodeStart { .. } => self.nodes > 0,
            Event::VariationStart { .. } | Event::VariationEnd { .. } => true,
            _ => false,
        };
        ends_root && self.phase == Phase::Root && self.evidence.is_none() && self.needs_evidence()
    }

    /// True if the root does not tell which game it is, so that its moves may.
    #[must_use]
    pub fn needs_evidence(&self) -> bool {
        self.hold != RootRetention::Moves
            && self.value(Info::GM).is_none()
            && self.game == Game::default()
            && !self.detector.is_certain()
    }

    /// True if the game is taken for Go because nothing shows another one.
    #[must_use]
    pub fn is_go_by_default(&self) -> bool {
        self.is_go_by_default && self.game == Game::Go
    }
}
