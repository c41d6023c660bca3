//! What the identifiers mean in one game and version, looked up beforehand: for
//! readers of many properties.

use super::definition::{SLOTS, slot};
use super::{Definition, Found, Game};

/// The answers of [`Definition::find`] for one game and version. Making one
/// takes a few microseconds and 21 kB, so keep it while games of the same kind
/// follow each other; asking it is one look at a table.
///
/// ```
/// use sgfstream::game::{Definition, Game, Lexicon};
///
/// let mut lexicon = Lexicon::new(Game::Hex, 4);
/// assert_eq!(lexicon.find(b"IP"), Definition::find(Game::Hex, 4, b"IP"));
/// lexicon.set(Game::LinesOfAction, 4); // nothing to do where both stay
/// assert_eq!(lexicon.find(b"SE").expect("in the table").definition.description, "mark point and its moves");
/// ```
#[derive(Clone, Debug)]
pub struct Lexicon {
    game: Game,
    ff: u8,
    found: Box<[Option<Found>]>,
}

impl Lexicon {
    /// The meanings in `game` and version `ff` of the format.
    #[must_use]
    pub fn new(game: Game, ff: u8) -> Self {
        let mut lexicon = Self { game, ff, found: vec![None; SLOTS].into() };
        lexicon.fill();
        lexicon
    }

    /// Goes over to another game or version.
    pub fn set(&mut self, game: Game, ff: u8) {
        if (self.game, self.ff) != (game, ff) {
            (self.game, self.ff) = (game, ff);
            self.fill();
        }
    }

    /// What the canonical identifier `id` means.
    #[must_use]
    #[inline]
    pub fn find(&self, id: &[u8]) -> Option<Found> {
        match slot(id) {
            Some(slot) => self.found[slot],
            None => Definition::find(self.game, self.ff, id),
        }
    }

    /// The same slots are filled for every game, so none is left over.
    fn fill(&mut self) {
        for definition in Definition::all() {
            if let Some(slot) = slot(definition.id.as_bytes()) {
                self.found[slot] = Definition::find(self.game, self.ff, definition.id.as_bytes());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Variant;

    #[test]
    fn as_the_slow_way() {
        let pentobi = Variant::ALL.iter().copied().map(Game::Pentobi);
        let mut lexicon = Lexicon::new(Game::Go, 4);
        for game in Game::NUMBERED.iter().copied().chain(pentobi).chain([Game::Other, Game::Number(41)]) {
            for ff in 1..=4 {
                lexicon.set(game, ff);
                for definition in Definition::all() {
                    let id = definition.id.as_bytes();
                    assert_eq!(lexicon.find(id), Definition::find(game, ff, id), "{game:?} FF[{ff}] {}", definition.id);
                }
                assert!([&b""[..], b"ZZ", b"ab", b"LONG"].iter().all(|id| lexicon.find(id).is_none()));
            }
        }
    }
}
