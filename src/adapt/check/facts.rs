//! What the root node says of its game: version, game, size, rules. Gathered
//! while the game is held back.

use crate::event::Property;
use crate::game::go::GoRules;
use crate::game::gorilla::gorilla_size;
use crate::game::{Detected, Detector, Dialect, Game};
use crate::value::{BoardSize, Number};

use super::held::Held;

/// Bytes of a value that are remembered.
const VALUE: usize = 64;

/// What was seen of the root so far.
#[derive(Debug, Default)]
pub(super) struct Facts {
    detector: Detector,
    version: Option<u8>,
    has_gm: bool,
    size: Option<Box<[u8]>>,
    rules: Option<Box<[u8]>>,
}

/// What the game is judged by.
#[derive(Clone, Copy, Debug)]
pub(super) struct Settled {
    pub(super) game: Game,
    pub(super) dialect: Dialect,
    /// 1 to 4; 1 without FF (spec Ver-01).
    pub(super) ff: u8,
    pub(super) has_ff: bool,
    pub(super) go_rules: GoRules,
}

impl Facts {
    /// Looks at a property that is held back.
    pub(super) fn observe(&mut self, property: &Property<'_>, in_root: bool) {
        self.detector.observe(property);
        if !in_root {
            return;
        }
        let ident = property.ident();
        let value = property.first().as_bytes();
        let value = &value[..value.len().min(VALUE)];
        if ident.is(b"FF") {
            self.version = self.version.or(Some(version(value)));
        } else if ident.is(b"GM") {
            self.has_gm = true;
        } else if ident.is(b"SZ") && self.size.is_none() {
            self.size = Some(value.into());
        } else if ident.is(b"RU") && self.rules.is_none() {
            self.rules = Some(value.into());
        }
    }

    /// True if what is held back ends in the root node.
    pub(super) fn is_in_root(&self, held: &Held) -> bool {
        held.nodes() == 1
    }

    /// True if it need not look behind the root.
    pub(super) fn has_enough(&self) -> bool {
        self.has_gm || self.detector.has_enough()
    }

    pub(super) fn settle(&self) -> Settled {
        let Detected { game, program, .. } = self.detector.finish();
        let max = side_max(game);
        let size = self.size.as_ref().and_then(|raw| match gorilla_size(raw) {
            Ok(size) if game == Game::Kropki => Some(size),
            _ => BoardSize::parse_lenient_up_to(raw, max).ok().map(|read| read.value),
        });
        // No superko: its memory grows with the game.
        let suicide = self.rules.as_ref().is_some_and(|rules| GoRules::named(rules).suicide);
        Settled {
            game,
            dialect: Dialect::of_program(game, size, program),
            ff: self.version.unwrap_or(1),
            has_ff: self.version.is_some(),
            go_rules: GoRules { suicide, superko: false },
        }
    }
}

/// The longest side that a game's points can name.
pub(super) fn side_max(game: Game) -> u32 {
    if game.has_two_letter_points() { BoardSize::MAX_TWO_LETTER } else { u32::from(u16::MAX) }
}

/// FF as it is read on: 5 is 4 (SGFC 46), and what is no version is 4 as well
/// (SGFC 18).
fn version(value: &[u8]) -> u8 {
    match Number::parse_lenient(value) {
        Ok(read) => u8::try_from(read.value.get()).ok().filter(|ff| (1..=4).contains(ff)).unwrap_or(4),
        Err(_) => 4,
    }
}
