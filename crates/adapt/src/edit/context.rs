//! Facts about a game that edits use.

use sgfstream::{Charset, CharsetSource, Ident, Property};
use sgfstream_game::value::{BoardSize, PointEntry};
use sgfstream_game::{
    Dialect, Facts, Game,
    dialect::Version,
    facts::Info,
    internal::{Fit, Lookup},
    property::{Definition, PropertyType},
};

/// Facts about a game, from its input: an edit does not change them for the edits after it, unless
/// it says so.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct EditContext {
    /// The kind of game: Go unless the game shows another.
    pub game: Game,
    /// The version by which the game is read: 1 without FF.
    pub ff: u8,
    /// Whether the root has an FF.
    pub has_ff: bool,
    /// The size of the board: SZ, or the default of the game and of the program that wrote it.
    /// `None` if SZ cannot be read.
    pub size: Option<BoardSize>,
    /// The charset of the game's texts. It is never a guess.
    pub charset: Charset,
    /// How the charset was determined.
    pub charset_source: CharsetSource,
}

impl Default for EditContext {
    fn default() -> Self {
        Self {
            game: Game::Go,
            ff: Version::DEFAULT.number(),
            has_ff: false,
            size: Game::Go.default_size(),
            charset: Charset::AUTO,
            charset_source: CharsetSource::Default,
        }
    }
}

impl EditContext {
    /// Returns the facts about a game.
    #[must_use]
    pub fn of(facts: &Facts<'_>) -> Self {
        let (charset, charset_source) = match facts.charset_source() {
            CharsetSource::Guessed | CharsetSource::Overruled => {
                (Charset::AUTO, CharsetSource::Default)
            }
            source => (facts.charset(), source),
        };
        Self {
            game: facts.game,
            ff: facts.version().number(),
            has_ff: facts.value(Info::FF).is_some(),
            size: facts.board_size(),
            charset,
            charset_source,
        }
    }

    /// Returns the dialect in which the game writes moves and points, regardless of the program
    /// that wrote it. If the size is unknown, the dialect has the largest board.
    pub(super) fn dialect(&self) -> Dialect {
        Dialect::of_any_program(
            self.game,
            self.size.or(Some(BoardSize::square(self.game.side_max()))),
        )
    }

    /// Reads a point or a rectangle of points, in two letters each. The points may lie off the
    /// board.
    pub(crate) fn point_entry(&self, raw: &[u8]) -> Option<PointEntry> {
        let largest = Dialect::of_any_program(
            self.game,
            Some(BoardSize::square(BoardSize::MAX_TWO_LETTER)),
        );
        let read = self
            .dialect()
            .read_entry(raw)
            .or_else(|_| largest.read_entry(raw));
        Some(read.ok()?.value)
    }

    /// Returns the definition of an identifier in this game.
    #[must_use]
    pub fn definition(&self, ident: Ident<'_>) -> Option<&'static Definition> {
        let found = Definition::find(self.game, self.ff, &ident.canonical())?;
        Some(found.definition)
    }

    /// Returns the definition of a property, which may depend on its first value.
    pub(crate) fn definition_of(&self, property: &Property<'_>) -> Option<Lookup> {
        let value = property.first().as_bytes();
        Definition::find_with_value(self.game, self.ff, &property.ident().canonical(), value)
    }

    /// Returns the definition of a property, unless it belongs to another game.
    pub(crate) fn definition_in_game(
        &self,
        property: &Property<'_>,
    ) -> Option<&'static Definition> {
        let found = self
            .definition_of(property)
            .filter(|found| found.fit != Fit::OtherGame)?;
        Some(found.definition)
    }

    /// Returns the type of a property, or `None` for a property of another game.
    pub(crate) fn property_type(&self, property: &Property<'_>) -> PropertyType {
        self.definition_in_game(property)
            .map_or(PropertyType::None, |definition| definition.property_type)
    }

    /// Encodes an escaped text in the charset of the game. Returns `None` if the charset lacks a
    /// character, or encodes one with `]`, `[`, `\` or `:` as its second byte, because not all
    /// games escape these alike.
    #[must_use]
    pub fn encode(&self, escaped: &str) -> Option<Vec<u8>> {
        let marks = |bytes: &[u8]| bytes.iter().filter(|byte| b"[]\\:".contains(byte)).count();
        self.charset
            .encode(escaped)
            .filter(|bytes| marks(bytes) == marks(escaped.as_bytes()))
    }
}
