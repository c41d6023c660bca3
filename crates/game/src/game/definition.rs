//! Definition of a property: a row of the table, found by game, FF version and identifier. All
//! three are needed, because one identifier can mean different things: `SE` marks points in Lines
//! of Action and lists moves in FF\[3\] (spec Ver-06, O-31).

use crate::value::ListKind;

use super::properties::DEFINITIONS;
use super::{Game, Key, ValueType};

/// Row of the table of properties.
///
/// ```
/// use sgfstream_game::Game;
/// use sgfstream_game::property::{Definition, PropertyType, ValueType};
///
/// let found = Definition::find(Game::Go, 4, b"AB").expect("in the table");
/// assert_eq!(found.definition.property_type, PropertyType::Setup);
/// assert_eq!(found.definition.value_type, ValueType::Stone);
/// assert!(Definition::find(Game::Go, 4, b"ZZ").is_none());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Definition {
    /// Canonical identifier.
    pub id: &'static str,
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
}

/// Kind of a property, which decides where it is allowed (FF\[4\] basics, spec A-01).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
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
    /// A program that analyzes games. It writes evaluations in a form that docs/spec/analysis.md
    /// states.
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
    /// The games that GoRilla plays: Go, Othello, Hex, Kropki, Unlur, Havannah.
    GoRilla,
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
            Self::Kropki => game == Game::Kropki,
            Self::Pentobi => pentobi.is_some(),
            Self::PentobiTwoColor => pentobi.is_some_and(|variant| variant.colors() == 2),
            Self::PentobiMultiColor => pentobi.is_some_and(|variant| variant.colors() > 2),
            Self::PentobiTwoPlayer => pentobi.is_some_and(|variant| variant.players() == 2),
            Self::PentobiManyPlayer => pentobi.is_some_and(|variant| variant.players() > 2),
            Self::GoRilla => {
                matches!(
                    game,
                    Game::Go
                        | Game::Othello
                        | Game::Hex
                        | Game::Kropki
                        | Game::Unlur
                        | Game::Havannah
                )
            }
            Self::Boardspace => game.is_boardspace() || game == Game::Other,
        }
    }

    /// Returns whether the property identifies `game`, so that its meaning there takes precedence
    /// over the meaning in all games. GoRilla writes the usual Go, so that only the games that no
    /// other program writes count.
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
    /// Returns all rows, sorted by identifier.
    #[must_use]
    pub fn all() -> &'static [Self] {
        DEFINITIONS
    }

    /// Returns the rows of one canonical identifier (without lowercase letters) by one table
    /// lookup. There may be no rows.
    #[must_use]
    #[inline]
    pub fn rows(id: &[u8]) -> &'static [Self] {
        let (start, len) = ROWS[Key::of_id(id).index()];
        &DEFINITIONS[usize::from(start)..usize::from(start) + usize::from(len)]
    }

    /// Returns the meaning of `id` in this game and version of the format, else its meaning in
    /// another version, or else in another game. A file without FF is of version 1 by the
    /// specification (spec Ver-01).
    ///
    /// If several rows match, the version takes precedence, then the standard over private use,
    /// then the game's own meaning over the meaning for all games. So `TE` is the good move, and
    /// Sina's title is only in [`rows`](Self::rows). In old Backgammon files, only the value
    /// distinguishes the cube, `CP[b]`, from a copyright note: see
    /// [`find_with_value`](Self::find_with_value).
    ///
    /// ```
    /// use sgfstream_game::Game;
    /// use sgfstream_game::property::Definition;
    ///
    /// let meaning =
    ///     |game, ff, id| Definition::find(game, ff, id).map(|row| row.definition.description);
    /// assert_eq!(meaning(Game::LinesOfAction, 4, b"SE"), Some("mark point and its moves"));
    /// assert_eq!(meaning(Game::Go, 3, b"SE"), Some("moves tried in selftest"));
    /// // FF[4] has no `SE` in Go, so the meaning is that of FF[3].
    /// assert_eq!(meaning(Game::Go, 4, b"SE"), Some("moves tried in selftest"));
    /// ```
    #[must_use]
    #[inline]
    pub fn find(game: Game, ff: u8, id: &[u8]) -> Option<Lookup> {
        let rows = Self::rows(id);
        // Most identifiers have one meaning, which fits most games and versions.
        if let [definition] = rows
            && definition.scope == Scope::All
            && definition.versions.contains(ff)
        {
            return Some(Lookup {
                definition,
                fit: Fit::Exact,
            });
        }
        Self::find_among(rows, game, ff)
    }

    fn find_among(rows: &'static [Self], game: Game, ff: u8) -> Option<Lookup> {
        let mut best: Option<(u8, Lookup)> = None;
        for definition in rows {
            let fit = definition.fit(game, ff);
            let is_private = !matches!(definition.origin, Origin::Standard | Origin::Dialect);
            let is_general = !definition.scope.is_particular_to(game) || definition.is_old_cube();
            // A smaller rank is better; the first of equal rows wins.
            let rank = (fit as u8) << 2 | u8::from(is_private) << 1 | u8::from(is_general);
            if best.is_none_or(|(least, _)| rank < least) {
                best = Some((rank, Lookup { definition, fit }));
            }
        }
        best.map(|(_, found)| found)
    }

    /// Returns the meaning as [`find`](Self::find) does, but considers the first value if it makes
    /// a difference: in Backgammon, `CP` is the cube if the value is `b`, `w`, `c` or `n` (spec
    /// games §6). In Go, `TE` is a title, `KO` the komi and `LT` a time if the value is longer than
    /// the standard's single digit. Sina and other sites write these (spec Q-45).
    ///
    /// ```
    /// use sgfstream_game::{
    ///     Game,
    ///     property::{Definition, PropertyType},
    /// };
    ///
    /// let kind = |game, ident: &[u8], value: &[u8]| {
    ///     Definition::find_with_value(game, 4, ident, value)
    ///         .expect("in the table")
    ///         .definition
    ///         .property_type
    /// };
    /// assert_eq!(kind(Game::Backgammon, b"CP", b"c"), PropertyType::Setup);
    /// assert_eq!(kind(Game::Backgammon, b"CP", b"(c) 1999"), PropertyType::GameInfo);
    /// assert_eq!(kind(Game::Go, b"TE", b"1"), PropertyType::Move);
    /// assert_eq!(kind(Game::Go, b"TE", b"14th Samsung Cup"), PropertyType::GameInfo);
    /// ```
    #[must_use]
    pub fn find_with_value(game: Game, ff: u8, id: &[u8], value: &[u8]) -> Option<Lookup> {
        let is_meant = |definition: &&Self| match id {
            b"CP" => definition.is_old_cube(),
            _ => definition.origin == Origin::Private,
        };
        let is_told = match id {
            b"CP" => game == Game::Backgammon && matches!(value, b"b" | b"w" | b"c" | b"n"),
            b"TE" | b"KO" | b"LT" => game == Game::Go && value.trim_ascii().len() > 1,
            _ => false,
        };
        match is_told
            .then(|| Self::rows(id).iter().find(is_meant))
            .flatten()
        {
            Some(definition) => Some(Lookup {
                definition,
                fit: definition.fit(game, ff),
            }),
            None => Self::find(game, ff, id),
        }
    }

    /// Returns whether a program writes the property for its own use, so that no specification
    /// defines its values.
    #[must_use]
    pub const fn is_of_program(&self) -> bool {
        matches!(self.origin, Origin::Private | Origin::Analysis)
    }

    /// Returns the standard property that has the meaning of this private one, if there is one. The
    /// Nihon Ki-in, the Korean association and Sina write these (spec Q-45).
    ///
    /// ```
    /// use sgfstream_game::{Game, property::Definition};
    ///
    /// let standard = |ident: &[u8], value: &[u8]| {
    ///     Definition::find_with_value(Game::Go, 4, ident, value)
    ///         .expect("in the table")
    ///         .definition
    ///         .standard_property()
    /// };
    /// assert_eq!(standard(b"RD", b"2026-05-12"), Some("DT"));
    /// assert_eq!(
    ///     (standard(b"TE", b"14th Samsung Cup"), standard(b"TE", b"1")),
    ///     (Some("EV"), None)
    /// );
    /// ```
    #[must_use]
    pub fn standard_property(&self) -> Option<&'static str> {
        match self.id {
            _ if self.origin != Origin::Private => None,
            "TE" => Some("EV"),
            "RD" => Some("DT"),
            "KO" => Some("KM"),
            _ => None,
        }
    }

    /// Returns whether the lists of the property may contain rectangles of points (spec PT-06,
    /// V-07): lists of points, or of stones if a stone is a point, in games of two-letter points.
    #[must_use]
    pub fn is_compressible(&self, game: Game) -> bool {
        let is_points = match self.value_type {
            ValueType::Point | ValueType::TERRITORY => true,
            ValueType::Stone => game.stone_is_point(),
            _ => false,
        };
        is_points
            && matches!(self.list_kind, ListKind::List | ListKind::Elist)
            && game.has_two_letter_points()
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

/// First row and number of rows for each key.
static ROWS: [(u8, u8); Key::COUNT] = {
    let mut rows = [(0, 0); Key::COUNT];
    assert!(DEFINITIONS.len() < 256, "rows are counted in bytes");
    let mut row = 0;
    while row < DEFINITIONS.len() {
        let (start, len) = &mut rows[Key::of_id(DEFINITIONS[row].id.as_bytes()).index()];
        if *len == 0 {
            *start = row as u8;
        }
        *len += 1;
        assert!(
            *start as usize + *len as usize == row + 1,
            "rows of one identifier are adjacent"
        );
        row += 1;
    }
    rows
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Boardspace, Variant};

    #[test]
    fn every_row_is_found() {
        assert_eq!(DEFINITIONS.len(), 212);
        for definition in DEFINITIONS {
            let rows = Definition::rows(definition.id.as_bytes());
            assert!(rows.contains(definition), "{}", definition.id);
            assert!(rows.iter().all(|row| row.id == definition.id));
        }
        for id in [
            &b""[..],
            b"ZZ",
            b"Z",
            b"b",
            b"aB",
            b"A-",
            b"BLU",
            b"BLUES",
            b"\xff\xff",
            b"ABC",
        ] {
            assert!(Definition::rows(id).is_empty(), "{id:?}");
        }
    }

    fn kind(game: Game, ff: u8, id: &str) -> (String, Fit) {
        let found = Definition::find(game, ff, id.as_bytes()).expect(id);
        let definition = found.definition;
        let text = format!(
            "{:?} {:?} {:?}",
            definition.property_type, definition.value_type, definition.list_kind
        );
        (text, found.fit)
    }

    /// One identifier, by game and version (spec Ver-06, O-31).
    #[test]
    fn meanings() {
        use Fit::{Exact, OtherGame, OtherVersion};
        let blokus = Game::Pentobi(Variant::Blokus);
        let duo = Game::Pentobi(Variant::BlokusDuo);
        for (game, ff, id, expected, fit) in [
            (Game::Go, 4, "B", "Move Move Single", Exact),
            (duo, 4, "B", "Move Piece Single", Exact),
            (blokus, 4, "1", "Move Piece Single", Exact),
            (blokus, 4, "RED", "Move Either(Piece, Point) List", Exact),
            (Game::Go, 4, "1", "Move Piece Single", OtherGame),
            (Game::Go, 4, "AE", "Setup Point List", Exact),
            (duo, 4, "AE", "Setup Piece List", Exact),
            (duo, 4, "PL", "Setup AnyColor Single", Exact),
            (Game::Go, 4, "AS", "None SimpleText Single", OtherGame),
            (
                Game::LinesOfAction,
                4,
                "AS",
                "None SimpleText Single",
                Exact,
            ),
            (
                Game::Octi,
                4,
                "AS",
                "None Compose(Stone, Point) List",
                Exact,
            ),
            (Game::Hex, 4, "IP", "GameInfo SimpleText Single", Exact),
            (
                Game::LinesOfAction,
                4,
                "SU",
                "GameInfo SimpleText Single",
                Exact,
            ),
            (Game::Hive, 4, "SU", "GameInfo SimpleText Single", Exact),
            (Game::Go, 4, "VW", "Inherit Point Elist", Exact),
            (Game::Go, 3, "VW", "None Point List", Exact),
            (Game::Go, 1, "VW", "Root Point Elist", Exact),
            (Game::Go, 4, "TM", "GameInfo Real Single", Exact),
            (Game::Hive, 4, "TM", "None Real Single", Exact),
            (Game::Go, 4, "CP", "GameInfo SimpleText Single", Exact),
            (
                Game::Backgammon,
                4,
                "CP",
                "GameInfo SimpleText Single",
                Exact,
            ),
            (Game::Go, 4, "TB", "None Point Elist", Exact),
            (
                Game::Kropki,
                4,
                "TB",
                "None Either(Point, StopSequence) Elist",
                Exact,
            ),
            (Game::Hex, 4, "TB", "None Point Elist", OtherGame),
            (Game::Go, 3, "TC", "None Number Single", Exact),
            (Game::Go, 4, "TC", "Root Number Single", Exact),
            (Game::Backgammon, 4, "TC", "None Double Single", Exact),
            (Game::Go, 4, "TE", "Move Double Single", Exact),
            (Game::Go, 4, "KO", "Move None Single", Exact),
            (Game::Go, 4, "GM", "Root Number Single", Exact),
            (
                Game::Unlur,
                4,
                "GM",
                "Root Either(Number, SimpleText) Single",
                Exact,
            ),
            (duo, 4, "GM", "Root SimpleText Single", Exact),
            (
                Game::Go,
                4,
                "SZ",
                "Root Either(Number, Compose(Number, Number)) Single",
                Exact,
            ),
            (
                Game::Kropki,
                4,
                "SZ",
                "Root Either(Either(Number, Compose(Number, Number)), SizeLetters) Single",
                Exact,
            ),
            (
                Game::Hex,
                4,
                "SZ",
                "Root Either(Number, Compose(Number, Number)) Single",
                Exact,
            ),
            (Game::Hive, 4, "P1", "Move Action List", Exact),
            (
                Game::Boardspace(Boardspace::Lyngk),
                4,
                "P0",
                "Move Action List",
                Exact,
            ),
            (blokus, 4, "P1", "GameInfo SimpleText Single", Exact),
            (Game::Go, 4, "XS", "Root None Single", Exact),
            (Game::Go, 4, "KI", "GameInfo Number Single", Exact),
            (Game::Go, 4, "L", "None Point List", OtherVersion),
            (Game::Go, 1, "MA", "None Point List", OtherVersion),
            (Game::Go, 1, "FF", "Root Number Single", OtherVersion),
            (
                Game::Go,
                4,
                "FG",
                "None Either(None, Compose(Number, SimpleText)) Single",
                Exact,
            ),
            (Game::Gomoku, 4, "QPR", "None Text Single", Exact),
        ] {
            assert_eq!(
                kind(game, ff, id),
                (expected.to_owned(), fit),
                "{game:?} FF[{ff}] {id}"
            );
        }
    }

    /// Spec A-03.
    #[test]
    fn a_03_move_and_setup_properties() {
        let of = |kind: PropertyType| -> Vec<&str> {
            let is_it = |d: &&Definition| {
                d.property_type == kind
                    && d.scope == Scope::All
                    && d.versions.contains(4)
                    && d.origin == Origin::Standard
            };
            DEFINITIONS
                .iter()
                .filter(is_it)
                .map(|definition| definition.id)
                .collect()
        };
        assert_eq!(
            of(PropertyType::Move),
            [
                "B", "BL", "BM", "DO", "IT", "KO", "MN", "OB", "OW", "TE", "W", "WL"
            ]
        );
        assert_eq!(of(PropertyType::Setup), ["AB", "AE", "AW", "PL"]);
        assert_eq!(of(PropertyType::Root), ["AP", "CA", "FF", "GM", "ST", "SZ"]);
        assert_eq!(of(PropertyType::Inherit), ["DD", "PM", "VW"]);
        let game_info = "AN BR BT CP DT EV GC GN ON OT PB PC PW RE RO RU SO TM US WR WT";
        assert_eq!(of(PropertyType::GameInfo).join(" "), game_info);
    }

    /// Spec PT-06.
    #[test]
    fn pt_06_compressible() {
        let ids = |game| -> Vec<&str> {
            let is_it = |id: &&str| {
                Definition::find(game, 4, id.as_bytes())
                    .is_some_and(|found| found.definition.is_compressible(game))
            };
            let all = [
                "AA", "AB", "AE", "AR", "AW", "B", "CR", "DD", "LB", "LN", "MA", "SL", "SQ", "TB",
                "TR", "TW", "VW", "W",
            ];
            all.iter().copied().filter(is_it).collect()
        };
        let go = [
            "AB", "AE", "AW", "CR", "DD", "MA", "SL", "SQ", "TB", "TR", "TW", "VW",
        ];
        assert_eq!(
            ids(Game::Go)
                .iter()
                .filter(|id| **id != "AA")
                .copied()
                .collect::<Vec<_>>(),
            go
        );
        assert!(ids(Game::Amazons).contains(&"AA"));
        assert!(ids(Game::Pentobi(Variant::BlokusDuo)).is_empty()); // spec P-48
    }

    #[test]
    fn versions() {
        let versions = Versions::of_digits(134);
        assert!(versions.contains(1) && !versions.contains(2) && !versions.contains(200));
        assert!(Versions::of_digits(0).contains(2));
    }
}
