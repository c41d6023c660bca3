//! Definition of a property: its row in the table, found by game, FF version and
//! identifier, because one identifier means different things (`SE` marks points
//! in Lines of Action and lists moves in FF\[3\]; spec Ver-06, O-31).

use std::fmt;

use crate::value::ListKind;

use super::{Game, ValueType};

/// A row of the table of properties.
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
    /// The canonical identifier.
    pub id: &'static str,
    /// The long name of older files; empty for none.
    pub(super) long_name: &'static str,
    /// The FF versions that have it.
    pub versions: Versions,
    /// Who defines it.
    pub origin: Origin,
    /// Which games have it.
    pub scope: Scope,
    /// Where it is allowed.
    pub property_type: PropertyType,
    /// Type of its values.
    pub value_type: ValueType,
    /// How many values it has.
    pub list_kind: ListKind,
    /// Description in a few words.
    pub description: &'static str,
    /// The page, document or program that it is known from.
    pub source: &'static str,
}

/// Kind of a property: where it is allowed (FF\[4\] basics, spec A-01).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum PropertyType {
    /// The root node of a game tree only.
    Root,
    /// One node of each path (spec A-07).
    GameInfo,
    /// A position put up; not in a node with moves.
    Setup,
    /// A move; not in a node with setup.
    Move,
    /// Any node, and it holds for those below (spec A-12).
    Inherit,
    /// Any node.
    None,
}

impl PropertyType {
    /// `root`, `game-info`, `setup`, `move`, `inherit` or `none`.
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

/// FF versions, 1 to 4; or any, for what no version has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Versions(u8);

impl Versions {
    /// The versions that the decimal digits name: `34` is FF\[3\] and FF\[4\], `0`
    /// is any.
    pub(super) const fn of_digits(mut digits: u32) -> Self {
        let mut bits = 0;
        while digits > 0 {
            bits |= 1 << (digits % 10);
            digits /= 10;
        }
        Self(bits)
    }

    /// True if the version `ff` is one of them; where no version counts, always.
    #[must_use]
    pub const fn contains(self, ff: u8) -> bool {
        self.0 == 0 || (ff < 8 && self.0 & (1 << ff) != 0)
    }

    /// True where no version counts: dialects and private properties.
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

/// Who defines a property.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Origin {
    /// A version of the format.
    Standard,
    /// The document of a dialect.
    Dialect,
    /// An identifier of a dialect that is no longer written.
    OldDialect,
    /// A program, for itself.
    Private,
    /// A program that analyzes games. It writes evaluations, and docs/spec/analysis.md states their form.
    Analysis,
    /// The program Smart Game Board.
    Sgb,
}

/// Which games a property belongs to.
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
    /// All of Pentobi's.
    Pentobi,
    /// Pentobi's games of two colours.
    PentobiTwoColor,
    /// Pentobi's games of three or four colours.
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
    /// True if the property is one of this game's.
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

    /// True if the game can be told by the property: its meaning there goes
    /// before the one in all games. GoRilla's Go is everybody's Go, so that only
    /// the games that are its own count.
    pub(super) fn is_particular_to(self, game: Game) -> bool {
        match self {
            Self::All => false,
            Self::GoRilla => matches!(game, Game::Unlur | Game::Havannah),
            _ => true,
        }
    }
}

/// How well a definition fits the game and version it was asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Fit {
    /// The game has it in this version.
    Exact,
    /// The game has it in another version of the format (SGFC 40).
    OtherVersion,
    /// It belongs to another game.
    OtherGame,
}

/// A definition, and how well it fits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Found {
    /// The row of the table.
    pub definition: &'static Definition,
    /// How well it fits.
    pub fit: Fit,
}

impl Definition {
    /// The long name of older files (spec I-02: its capitals are the
    /// identifier).
    #[must_use]
    pub fn long_name(&self) -> Option<&'static str> {
        (!self.long_name.is_empty()).then_some(self.long_name)
    }

    /// Returns whether one program writes it for itself: no specification says what its values are.
    #[must_use]
    pub const fn is_of_program(&self) -> bool {
        matches!(self.origin, Origin::Private | Origin::Analysis)
    }

    /// True if values of its lists may be rectangles of points: lists of
    /// point, or of stone where a stone is a point, in games of two-letter
    /// points (spec PT-06, V-07).
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

    /// The cube of Backgammon before 2001, which CO holds since.
    pub(super) fn is_old_cube(&self) -> bool {
        self.scope == Scope::Backgammon && self.id == "CP"
    }
}
