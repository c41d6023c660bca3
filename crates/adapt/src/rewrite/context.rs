//! Context of an edit: the game and the place of a unit.

use sgfstream::{Charset, CharsetSource};
use sgfstream_game::value::{BoardSize, PointEntry, Reading};
use sgfstream_game::{Definition, Dialect, Found, Game, GameState, Info, Version};

use super::{PropertyId, Unit};

/// The game that a unit belongs to, and its place in it.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Context {
    /// The game, as [`GameState::game`] has it: Go if nothing says another.
    pub game: Game,
    /// The game is not known: the root is too long to be held, and there is no `GM` in its beginning.
    pub(super) is_game_open: bool,
    /// The version that the game is read by: 1 without FF.
    pub ff: u8,
    /// The root has an FF.
    pub has_ff: bool,
    /// The size of the board: SZ, or the default of the game and of the program that wrote it. None where SZ cannot be
    /// read, or may come after the beginning of a root that is too long to be held.
    pub size: Option<BoardSize>,
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
            is_game_open: false,
            ff: Version::DEFAULT.number(),
            has_ff: false,
            size: Game::Go.default_size(),
            charset: Charset::AUTO,
            charset_source: CharsetSource::Default,
            depth: 0,
            in_root: false,
            on_main_line: false,
        }
    }
}

impl Context {
    /// The game of a root that has been read, and no place in it.
    #[must_use]
    pub fn of(state: &GameState) -> Self {
        let mut context = Self::default();
        context.settle(state);
        context
    }

    /// Takes in what the root says of its game, or its beginning, if the root is too long to be held.
    pub(super) fn settle(&mut self, state: &GameState) {
        let is_open = state.in_root();
        let sure = |size: Reading<BoardSize>| Some(size.sure()?.value);
        self.game = state.game();
        self.is_game_open = is_open && state.value(Info::GM).is_none();
        self.ff = state.version().number();
        self.has_ff = state.value(Info::FF).is_some();
        self.size = match is_open {
            true => state.size_in(self.game).filter(|_| !self.is_game_open).and_then(sure),
            false => state.board_size(),
        };
    }

    /// True if the game is known to be this one.
    pub(super) fn is_of(&self, game: Game) -> bool {
        self.game == game && !self.is_game_open
    }

    /// How the game writes its moves and points, whichever program wrote them; on the largest board where the size is not
    /// known.
    pub(super) fn dialect(&self) -> Dialect {
        Dialect::of_any_program(self.game, self.size.or(Some(BoardSize::square(self.game.side_max()))))
    }

    /// Reads a point or a rectangle of points of two letters each, which need not be on the board.
    pub(super) fn point_entry(&self, raw: &[u8]) -> Option<PointEntry> {
        let largest = Dialect::of_any_program(self.game, Some(BoardSize::square(BoardSize::MAX_TWO_LETTER)));
        let read = self.dialect().read_entry(raw).or_else(|_| largest.read_entry(raw));
        Some(read.ok()?.value)
    }

    /// Meaning of an identifier (canonical) here.
    #[must_use]
    pub fn definition(&self, ident: &[u8]) -> Option<Found> {
        Definition::find(self.game, self.ff, ident)
    }

    /// Bytes of a text, already escaped, in the charset of the game. None where the charset lacks a character, or has one
    /// with `]`, `[`, `\` or `:` as second byte, which cannot be escaped alike in all games.
    #[must_use]
    pub fn encode(&self, escaped: &str) -> Option<Vec<u8>> {
        let marks = |bytes: &[u8]| bytes.iter().filter(|byte| b"[]\\:".contains(byte)).count();
        self.charset.encode(escaped).filter(|bytes| marks(bytes) == marks(escaped.as_bytes()))
    }

    /// Meaning of a property, where its first value decides.
    pub(super) fn definition_of(&self, unit: &Unit, id: PropertyId) -> Option<Found> {
        let value = unit.property(id).map_or(&b""[..], |property| property.first().as_bytes());
        Definition::find_with_value(self.game, self.ff, &unit.ident(id).canonical(), value)
    }
}
