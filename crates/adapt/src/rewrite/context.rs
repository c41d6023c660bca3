//! Context of an edit: facts about the game, and the place of the unit in it.

use sgfstream::{Charset, CharsetSource};
use sgfstream_game::value::{BoardSize, PointEntry, Reading};
use sgfstream_game::{Definition, Dialect, Game, GameState, Info, Lookup, Version};

use super::{PropertyId, Unit};
use crate::edit::EditContext;

/// Facts about the game of a unit, and the place of the unit in it.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub(crate) struct Context {
    /// The kind of game, as [`GameState::game`] returns it: Go unless the game shows another.
    pub game: Game,
    /// The game is unknown, because the root is too long to buffer and its beginning has no `GM`.
    pub(super) is_game_open: bool,
    /// The version by which the game is read: 1 without FF.
    pub ff: u8,
    /// Whether the root has an FF.
    pub has_ff: bool,
    /// The size of the board: SZ, or the default of the game and of the program that wrote it. `None` if SZ cannot be read,
    /// or may still follow in a root that is too long to buffer.
    pub size: Option<BoardSize>,
    /// The charset of the game's texts.
    pub charset: Charset,
    /// How the charset was determined.
    pub charset_source: CharsetSource,
    /// Number of open variations, including the unit's own: 1 in the game's main sequence, 0 between games.
    pub depth: u64,
    /// Whether the unit is in the root node.
    pub in_root: bool,
    /// Whether the unit is on the main line: no variation of the game has been closed yet.
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
    /// Updates the context from the root, or from its beginning if the root is too long to buffer.
    pub(super) fn set_root(&mut self, state: &GameState) {
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

    /// Returns the facts for an edit of a record.
    pub(super) fn edit_context(&self) -> EditContext {
        let mut context = EditContext::default();
        (context.game, context.ff, context.has_ff, context.size) = (self.game, self.ff, self.has_ff, self.size);
        (context.charset, context.charset_source) = (self.charset, self.charset_source);
        context
    }

    /// Returns whether the game is known to be `game`.
    pub(super) fn is_of(&self, game: Game) -> bool {
        self.game == game && !self.is_game_open
    }

    /// Returns the dialect in which the game writes moves and points, regardless of the program that wrote it. If the size
    /// is unknown, the dialect has the largest board.
    pub(super) fn dialect(&self) -> Dialect {
        Dialect::of_any_program(self.game, self.size.or(Some(BoardSize::square(self.game.side_max()))))
    }

    /// Reads a point or a rectangle of points, in two letters each. The points may lie off the board.
    pub(super) fn point_entry(&self, raw: &[u8]) -> Option<PointEntry> {
        let largest = Dialect::of_any_program(self.game, Some(BoardSize::square(BoardSize::MAX_TWO_LETTER)));
        let read = self.dialect().read_entry(raw).or_else(|_| largest.read_entry(raw));
        Some(read.ok()?.value)
    }

    /// Returns the definition of a canonical identifier in this game.
    #[must_use]
    pub(crate) fn definition(&self, ident: &[u8]) -> Option<Lookup> {
        Definition::find(self.game, self.ff, ident)
    }

    /// Returns the definition of a property, which may depend on its first value.
    pub(super) fn definition_of(&self, unit: &Unit, id: PropertyId) -> Option<Lookup> {
        let value = unit.property(id).map_or(&b""[..], |property| property.first().as_bytes());
        Definition::find_with_value(self.game, self.ff, &unit.ident(id).canonical(), value)
    }
}
