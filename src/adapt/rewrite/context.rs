//! What an edit knows of the game and the place of a unit.

use crate::base::{Charset, CharsetSource};
use crate::game::{Definition, Found, Game};
use crate::value::{BoardSize, Number};

use super::Unit;

/// The game that a unit belongs to, and its place in it.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Context {
    /// The game that GM names; Go without it.
    pub game: Game,
    /// FF; 1 without it.
    pub ff: u8,
    /// The root has an FF.
    pub has_ff: bool,
    /// SZ, or the game's default; 19 by 19 where there is none.
    pub size: BoardSize,
    /// The charset of the game's texts.
    pub charset: Charset,
    /// How it is known.
    pub charset_source: CharsetSource,
    /// Open variations, with the unit's own: 1 in the game's main sequence, 0
    /// between games.
    pub depth: u64,
    /// In the root node.
    pub in_root: bool,
    /// On the main line: no variation of the game was closed yet.
    pub on_main_line: bool,
}

impl Default for Context {
    fn default() -> Self {
        Self {
            game: Game::Go,
            ff: 1,
            has_ff: false,
            size: BoardSize::square(19),
            charset: Charset::AUTO,
            charset_source: CharsetSource::Default,
            depth: 0,
            in_root: false,
            on_main_line: false,
        }
    }
}

impl Context {
    /// Reads what a root node says of its game.
    pub(super) fn read_root(&mut self, root: &Unit) {
        let value = |ident: &[u8]| root.first_value(ident).map(|value| value.as_bytes());
        self.game = value(b"GM").map_or(Game::Go, |raw| Game::parse_lenient(raw).value);
        let ff = value(b"FF");
        self.has_ff = ff.is_some();
        let ff = ff.and_then(|raw| Number::parse_lenient(raw).ok()).map_or(1, |read| read.value.get());
        self.ff = ff.clamp(1, 4) as u8;
        let max = if self.game.has_two_letter_points() { BoardSize::MAX_TWO_LETTER } else { u32::from(u16::MAX) };
        self.size = value(b"SZ")
            .and_then(|raw| BoardSize::parse_lenient_up_to(raw, max).ok())
            .map(|read| read.value)
            .or(self.game.default_size())
            .unwrap_or(BoardSize::square(19));
    }

    /// What an identifier (canonical) means here.
    #[must_use]
    pub fn definition(&self, ident: &[u8]) -> Option<Found> {
        Definition::find(self.game, self.ff, ident)
    }
}
