//! Definition of a property: a row of the table, found by game, FF version and identifier. All three are needed,
//! because one identifier can mean different things: `SE` marks points in Lines of Action and lists moves in FF\[3\]
//! (spec Ver-06, O-31).

use std::fmt;

use crate::value::ListKind;

use super::{Game, ValueType};

/// Row of the table of properties.
///
/// ```
/// use sgfstream_game::{Definition, Fit, Game, PropertyType, ValueType};
///
/// let found = Definition::find(Game::Go, 4, b"AB").expect("in the table");
/// assert_eq!(found.definition.long_name(), Some("AddBlack"));
/// assert_eq!(found.definition.property_type, PropertyType::Setup);
/// assert_eq!(found.definition.value_type, ValueType::Stone);
/// assert_eq!(found.fit, Fit::Exact);
/// assert!(Definition::find(Game::Go, 4, b"ZZ").is_none());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Definition {
    /// Canonical identifier.
    pub id: &'static str,
    /// Long name in older files; an empty string if no file has one.
    pub(super) long_name: &'static str,
    /// FF versions that have the property.
    pub versions: Versions,
    /// Kind of document or program that defines the property.
    pub origin: Origin,
    /// Games that have the property.
    pub scope: Scope,
    /// Kind of property, which decides the nodes where it is allowed.
    pub property_type: PropertyType,
    /// Type of the values.
    pub value_type: ValueType,
    /// Number of values.
    pub list_kind: ListKind,
    /// Description in a few words.
    pub description: &'static str,
    /// Page, document or program that documents the property.
    pub source: &'static str,
}

/// Kind of a property, which decides where it is allowed (FF\[4\] basics, spec A-01).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum PropertyType {
    /// Only in the root node of a game tree.
    Root,
    /// In one node of each path (spec A-07).
    GameInfo,
    /// Sets up a position; not in a node with moves.
    Setup,
    /// A move; not in a node with setup.
    Move,
    /// In any node; applies to the nodes below too (spec A-12).
    Inherit,
    /// In any node.
    None,
}

impl PropertyType {
    /// Returns `root`, `game-info`, `setup`, `move`, `inherit` or `none`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Root => "root",
            Self::GameInfo => "game-info",
            Self::Setup => "setup",
            Self::Move => "move",
            Self::Inherit => "inherit",
            Self::None => "none",
        }
    }
}

impl fmt::Display for PropertyType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// Set of FF versions, 1 to 4, or any version for properties outside the versions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Versions(u8);

impl Versions {
    /// Returns the versions of the decimal digits: `34` is FF\[3\] and FF\[4\], `0` is any.
    pub(super) const fn of_digits(mut digits: u32) -> Self {
        let mut bits = 0;
        while digits > 0 {
            bits |= 1 << (digits % 10);
            digits /= 10;
        }
        Self(bits)
    }

    /// Returns whether the set contains the version `ff`.
    #[must_use]
    pub const fn contains(self, ff: u8) -> bool {
        self.0 == 0 || (ff < 8 && self.0 & (1 << ff) != 0)
    }

    /// Returns whether the set contains any version: for dialects and private properties.
    #[must_use]
    pub const fn is_any(self) -> bool {
        self.0 == 0
    }
}

impl fmt::Display for Versions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_any() {
            return f.write_str("any");
        }
        (1..=4).filter(|&ff| self.contains(ff)).try_for_each(|ff| ff.fmt(f))
    }
}

/// Kind of document or program that defines a property.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Origin {
    /// A version of the format.
    Standard,
    /// The document of a dialect.
    Dialect,
    /// A dialect that no longer writes the identifier.
    OldDialect,
    /// A program, for its own use.
    Private,
    /// A program that analyzes games. It writes evaluations in a form that docs/spec/analysis.md states.
    Analysis,
    /// The program Smart Game Board.
    Sgb,
}

/// Games that a property belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Scope {
    /// All games.
    All,
    /// GM 1.
    Go,
    /// GM 2.
    Othello,
    /// GM 4.
    Gomoku,
    /// GM 6.
    Backgammon,
    /// GM 9.
    LinesOfAction,
    /// GM 11.
    Hex,
    /// GM 18.
    Amazons,
    /// GM 19.
    Octi,
    /// GM 40.
    Kropki,
    /// All games of Pentobi.
    Pentobi,
    /// Pentobi's games of two colors.
    PentobiTwoColor,
    /// Pentobi's games of three or four colors.
    PentobiMultiColor,
    /// Pentobi's games of two players.
    PentobiTwoPlayer,
    /// Pentobi's games of three or four players.
    PentobiManyPlayer,
    /// Pentobi before 0.2.
    PentobiOld,
    /// The games that GoRilla plays: Go, Othello, Hex, Kropki, Unlur, Havannah.
    GoRilla,
    /// Kropki as GoRilla writes it.
    GoRillaKropki,
    /// The games that Boardspace writes.
    Boardspace,
}

impl Scope {
    /// Returns whether the property belongs to `game`.
    #[must_use]
    pub fn contains(self, game: Game) -> bool {
        let pentobi = game.variant();
        match self {
            Self::All => true,
            Self::Go => game == Game::Go,
            Self::Othello => game == Game::Othello,
            Self::Gomoku => game == Game::Gomoku,
            Self::Backgammon => game == Game::Backgammon,
            Self::LinesOfAction => game == Game::LinesOfAction,
            Self::Hex => game == Game::Hex,
            Self::Amazons => game == Game::Amazons,
            Self::Octi => game == Game::Octi,
            Self::Kropki | Self::GoRillaKropki => game == Game::Kropki,
            Self::Pentobi | Self::PentobiOld => pentobi.is_some(),
            Self::PentobiTwoColor => pentobi.is_some_and(|variant| variant.colors() == 2),
            Self::PentobiMultiColor => pentobi.is_some_and(|variant| variant.colors() > 2),
            Self::PentobiTwoPlayer => pentobi.is_some_and(|variant| variant.players() == 2),
            Self::PentobiManyPlayer => pentobi.is_some_and(|variant| variant.players() > 2),
            Self::GoRilla => {
                matches!(game, Game::Go | Game::Othello | Game::Hex | Game::Kropki | Game::Unlur | Game::Havannah)
            }
            Self::Boardspace => game.is_boardspace() || game == Game::Other,
        }
    }

    /// Returns whether the property identifies `game`, so that its meaning there takes precedence over the meaning in
    /// all games. GoRilla writes the usual Go, so that only the games that no other program writes count.
    pub(super) fn is_particular_to(self, game: Game) -> bool {
        match self {
            Self::All => false,
            Self::GoRilla => matches!(game, Game::Unlur | Game::Havannah),
            _ => true,
        }
    }
}

/// How well a definition fits the game and version of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Fit {
    /// The game has the property in this version.
    Exact,
    /// The game has the property in another version of the format (SGFC 40).
    OtherVersion,
    /// The property belongs to another game.
    OtherGame,
}

/// Definition that a search found, and how well it fits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lookup {
    /// Row of the table.
    pub definition: &'static Definition,
    /// How well the row fits.
    pub fit: Fit,
}

impl Definition {
    /// Returns the long name of older files (spec I-02: its capitals are the identifier).
    #[must_use]
    pub fn long_name(&self) -> Option<&'static str> {
        (!self.long_name.is_empty()).then_some(self.long_name)
    }

    /// Returns whether a program writes the property for its own use, so that no specification defines its values.
    #[must_use]
    pub const fn is_of_program(&self) -> bool {
        matches!(self.origin, Origin::Private | Origin::Analysis)
    }

    /// Returns whether the lists of the property may contain rectangles of points (spec PT-06, V-07): lists of points,
    /// or of stones if a stone is a point, in games of two-letter points.
    #[must_use]
    pub fn is_compressible(&self, game: Game) -> bool {
        let is_points = match self.value_type {
            ValueType::Point | ValueType::TERRITORY => true,
            ValueType::Stone => game.stone_is_point(),
            _ => false,
        };
        is_points && matches!(self.list_kind, ListKind::List | ListKind::Elist) && game.has_two_letter_points()
    }

    pub(super) fn fit(&self, game: Game, ff: u8) -> Fit {
        if !self.scope.contains(game) {
            Fit::OtherGame
        } else if self.versions.contains(ff) {
            Fit::Exact
        } else {
            Fit::OtherVersion
        }
    }

    /// Returns whether the property is the doubling cube of Backgammon before 2001; CO replaced it.
    pub(super) fn is_old_cube(&self) -> bool {
        self.scope == Scope::Backgammon && self.id == "CP"
    }
}
