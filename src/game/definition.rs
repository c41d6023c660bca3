//! What a property is: its row in the table, found by game, FF version and
//! identifier, because one identifier means different things (`SE` marks points
//! in Lines of Action and lists moves in FF\[3\]; spec Ver-06, O-31).

use std::fmt;

use crate::value::ListKind;

use super::properties::DEFINITIONS;
use super::{Game, ValueType};

/// A row of the table of properties.
///
/// ```
/// use sgfstream::game::{Definition, Fit, Game, PropertyType, ValueType};
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
    /// Where it may stand.
    pub property_type: PropertyType,
    /// What its values are.
    pub value_type: ValueType,
    /// How many values it has.
    pub list_kind: ListKind,
    /// What it says, in a few words.
    pub description: &'static str,
    /// The page, document or program that it is known from.
    pub source: &'static str,
}

/// What a property says about: where it may stand (FF\[4\] basics, spec A-01).
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
    /// The same, and no longer written.
    OldDialect,
    /// A program, for itself.
    Private,
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
    fn is_particular_to(self, game: Game) -> bool {
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
    /// Every row, sorted by identifier.
    #[must_use]
    pub fn all() -> &'static [Self] {
        DEFINITIONS
    }

    /// The rows of one identifier (canonical: without lowercase letters), maybe
    /// none. One look at a table for identifiers of one or two characters.
    #[must_use]
    #[inline]
    pub fn rows(id: &[u8]) -> &'static [Self] {
        match slot(id) {
            Some(slot) => {
                let start = START[slot] as usize;
                &DEFINITIONS[start..start + LEN[slot] as usize]
            }
            None => long_rows(id),
        }
    }

    /// What `id` means in this game and version of the format; failing that, in
    /// another version, or in another game. A file without FF is of version 1
    /// by the specification (spec Ver-01).
    ///
    /// Among several the version counts first, then the standard before private
    /// habits, then the game's own before what all games have. So `TE` is the
    /// good move, and Sina's titles are found among [`rows`](Self::rows). The
    /// cube of old Backgammon files, `CP[b]`, is told from a copyright note by its
    /// value only: see [`find_with_value`](Self::find_with_value).
    ///
    /// ```
    /// use sgfstream::game::{Definition, Fit, Game};
    ///
    /// let meaning = |game, ff, id| Definition::find(game, ff, id).map(|f| (f.definition.description, f.fit));
    /// assert_eq!(meaning(Game::LinesOfAction, 4, b"SE"), Some(("mark point and its moves", Fit::Exact)));
    /// assert_eq!(meaning(Game::Go, 3, b"SE"), Some(("moves tried in selftest", Fit::Exact)));
    /// assert_eq!(meaning(Game::Go, 4, b"SE"), Some(("moves tried in selftest", Fit::OtherVersion)));
    /// assert_eq!(meaning(Game::Go, 4, b"SU").map(|m| m.1), Some(Fit::OtherGame));
    /// ```
    #[must_use]
    #[inline]
    pub fn find(game: Game, ff: u8, id: &[u8]) -> Option<Found> {
        let rows = Self::rows(id);
        // Most identifiers have one meaning, and most of those fit.
        if let [definition] = rows
            && definition.scope == Scope::All
            && definition.versions.contains(ff)
        {
            return Some(Found { definition, fit: Fit::Exact });
        }
        Self::find_among(rows, game, ff)
    }

    fn find_among(rows: &'static [Self], game: Game, ff: u8) -> Option<Found> {
        let mut best: Option<(u8, Found)> = None;
        for definition in rows {
            let fit = definition.fit(game, ff);
            let is_private = !matches!(definition.origin, Origin::Standard | Origin::Dialect);
            let is_general = !definition.scope.is_particular_to(game) || definition.is_old_cube();
            // The smaller the better; the first of equals.
            let rank = (fit as u8) << 2 | u8::from(is_private) << 1 | u8::from(is_general);
            if best.is_none_or(|(least, _)| rank < least) {
                best = Some((rank, Found { definition, fit }));
            }
        }
        best.map(|(_, found)| found)
    }

    /// As [`find`](Self::find), with a look at the first value where that
    /// decides: `CP` in Backgammon is the cube if the value is `b`, `w`, `c` or `n`
    /// (spec games §6).
    ///
    /// ```
    /// use sgfstream::game::{Definition, Game, PropertyType};
    ///
    /// let kind = |value: &[u8]| {
    ///     let found = Definition::find_with_value(Game::Backgammon, 4, b"CP", value).expect("in the table");
    ///     found.definition.property_type
    /// };
    /// assert_eq!(kind(b"c"), PropertyType::Setup);
    /// assert_eq!(kind(b"(c) 1999"), PropertyType::GameInfo);
    /// ```
    #[must_use]
    pub fn find_with_value(game: Game, ff: u8, id: &[u8], value: &[u8]) -> Option<Found> {
        if id == b"CP" && game == Game::Backgammon && matches!(value, b"b" | b"w" | b"c" | b"n") {
            let cube = Self::rows(id).iter().find(|definition| definition.is_old_cube());
            return cube.map(|definition| Found { definition, fit: definition.fit(game, ff) });
        }
        Self::find(game, ff, id)
    }

    /// The long name of older files (spec I-02: its capitals are the
    /// identifier).
    #[must_use]
    pub fn long_name(&self) -> Option<&'static str> {
        (!self.long_name.is_empty()).then_some(self.long_name)
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

    fn fit(&self, game: Game, ff: u8) -> Fit {
        if !self.scope.contains(game) {
            Fit::OtherGame
        } else if self.versions.contains(ff) {
            Fit::Exact
        } else {
            Fit::OtherVersion
        }
    }

    /// The cube of Backgammon before 2001, which CO holds since.
    fn is_old_cube(&self) -> bool {
        self.scope == Scope::Backgammon && self.id == "CP"
    }
}

/// How many identifiers there are of one or two characters: digits and
/// capitals, the second maybe missing.
pub(super) const SLOTS: usize = 36 * 37;

/// The slot of an identifier of one or two characters.
#[inline]
pub(super) const fn slot(id: &[u8]) -> Option<usize> {
    match *id {
        [first] => match character(first) {
            Some(first) => Some(first * 37),
            None => None,
        },
        [first, second] => match (character(first), character(second)) {
            (Some(first), Some(second)) => Some(first * 37 + second + 1),
            _ => None,
        },
        _ => None,
    }
}

/// A digit or capital as 0 to 35.
#[inline]
const fn character(byte: u8) -> Option<usize> {
    match byte {
        b'0'..=b'9' => Some((byte - b'0') as usize),
        b'A'..=b'Z' => Some((byte - b'A') as usize + 10),
        _ => None,
    }
}

/// For each slot its first row, and how many follow each other.
const INDEX: ([u8; SLOTS], [u8; SLOTS]) = {
    let (mut start, mut len) = ([0; SLOTS], [0; SLOTS]);
    assert!(DEFINITIONS.len() < 256, "rows are counted in bytes");
    let mut row = 0;
    while row < DEFINITIONS.len() {
        if let Some(slot) = slot(DEFINITIONS[row].id.as_bytes()) {
            if len[slot] == 0 {
                start[slot] = row as u8;
            }
            len[slot] += 1;
            assert!(start[slot] as usize + len[slot] as usize == row + 1, "rows of one identifier stand together");
        }
        row += 1;
    }
    (start, len)
};

static START: [u8; SLOTS] = INDEX.0;
static LEN: [u8; SLOTS] = INDEX.1;

/// The rows of a longer identifier: they are few and stand at the end.
#[cold]
fn long_rows(id: &[u8]) -> &'static [Definition] {
    let is_it = |definition: &Definition| definition.id.as_bytes() == id;
    match DEFINITIONS.iter().rev().take_while(|definition| definition.id.len() > 2).position(is_it) {
        Some(from_end) => std::slice::from_ref(&DEFINITIONS[DEFINITIONS.len() - 1 - from_end]),
        None => &[],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::event::Ident;
    use crate::game::{Boardspace, Variant};

    #[test]
    fn every_row_is_found() {
        assert_eq!(DEFINITIONS.len(), 186);
        for definition in DEFINITIONS {
            let rows = Definition::rows(definition.id.as_bytes());
            assert!(rows.contains(definition), "{}", definition.id);
            assert!(rows.iter().all(|row| row.id == definition.id));
        }
        for id in [&b""[..], b"ZZ", b"Z", b"b", b"aB", b"A-", b"BLU", b"BLUES", b"\xff\xff", b"ABC"] {
            assert!(Definition::rows(id).is_empty(), "{id:?}");
        }
    }

    /// Spec I-02: the capitals of a long name are the identifier.
    #[test]
    fn long_names() {
        for definition in DEFINITIONS {
            for name in definition.long_name().into_iter().flat_map(|names| names.split(" or ")) {
                assert_eq!(&*Ident::new(name.as_bytes()).canonical(), definition.id.as_bytes());
            }
        }
    }

    fn kind(game: Game, ff: u8, id: &str) -> (String, Fit) {
        let found = Definition::find(game, ff, id.as_bytes()).expect(id);
        let definition = found.definition;
        let text = format!("{} {} {}", definition.property_type, definition.value_type, definition.list_kind);
        (text, found.fit)
    }

    /// The same identifier, by game and version (spec Ver-06, O-31).
    #[test]
    fn meanings() {
        use Fit::{Exact, OtherGame, OtherVersion};
        let blokus = Game::Pentobi(Variant::Blokus);
        let duo = Game::Pentobi(Variant::BlokusDuo);
        for (game, ff, id, expected, fit) in [
            (Game::Go, 4, "B", "move move single", Exact),
            (duo, 4, "B", "move piece single", Exact),
            (blokus, 4, "1", "move piece single", Exact),
            (blokus, 4, "RED", "move piece or point list", Exact),
            (Game::Go, 4, "1", "move piece single", OtherGame),
            (Game::Go, 4, "AE", "setup point list", Exact),
            (duo, 4, "AE", "setup piece list", Exact),
            (duo, 4, "PL", "setup color of two to four single", Exact),
            (Game::Go, 4, "AS", "none simpletext single", OtherGame),
            (Game::LinesOfAction, 4, "AS", "none simpletext single", Exact),
            (Game::Octi, 4, "AS", "none stone:point list", Exact),
            (Game::Hex, 4, "IP", "game-info simpletext single", Exact),
            (Game::LinesOfAction, 4, "SU", "game-info simpletext single", Exact),
            (Game::Hive, 4, "SU", "game-info simpletext single", Exact),
            (Game::Go, 4, "VW", "inherit point elist", Exact),
            (Game::Go, 3, "VW", "none point list", Exact),
            (Game::Go, 1, "VW", "root point elist", Exact),
            (Game::Go, 4, "TM", "game-info real single", Exact),
            (Game::Hive, 4, "TM", "none real single", Exact),
            (Game::Go, 4, "CP", "game-info simpletext single", Exact),
            (Game::Backgammon, 4, "CP", "game-info simpletext single", Exact),
            (Game::Go, 4, "TB", "none point elist", Exact),
            (Game::Kropki, 4, "TB", "none point or stop sequence elist", Exact),
            (Game::Hex, 4, "TB", "none point elist", OtherGame),
            (Game::Go, 3, "TC", "none number single", Exact),
            (Game::Go, 4, "TC", "root number single", Exact),
            (Game::Backgammon, 4, "TC", "none double single", Exact),
            (Game::Go, 4, "TE", "move double single", Exact),
            (Game::Go, 4, "KO", "move none single", Exact),
            (Game::Go, 4, "GM", "root number single", Exact),
            (Game::Unlur, 4, "GM", "root number or simpletext single", Exact),
            (duo, 4, "GM", "root simpletext single", Exact),
            (Game::Go, 4, "SZ", "root number or number:number single", Exact),
            (Game::Kropki, 4, "SZ", "root number or number:number or size in letters single", Exact),
            (Game::Hex, 4, "SZ", "root number or number:number single", Exact),
            (Game::Hive, 4, "P1", "move action list", Exact),
            (Game::Boardspace(Boardspace::Lyngk), 4, "P0", "move action list", Exact),
            (blokus, 4, "P1", "game-info simpletext single", Exact),
            (Game::Go, 4, "XS", "root none single", Exact),
            (Game::Go, 4, "KI", "game-info number single", Exact),
            (Game::Go, 4, "L", "none point list", OtherVersion),
            (Game::Go, 1, "MA", "none point list", OtherVersion),
            (Game::Go, 1, "FF", "root number single", OtherVersion),
            (Game::Go, 4, "FG", "none none or number:simpletext single", Exact),
            (Game::Gomoku, 4, "QPR", "none text single", Exact),
        ] {
            assert_eq!(kind(game, ff, id), (expected.to_owned(), fit), "{game:?} FF[{ff}] {id}");
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
            DEFINITIONS.iter().filter(is_it).map(|definition| definition.id).collect()
        };
        assert_eq!(of(PropertyType::Move), ["B", "BL", "BM", "DO", "IT", "KO", "MN", "OB", "OW", "TE", "W", "WL"]);
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
                Definition::find(game, 4, id.as_bytes()).is_some_and(|found| found.definition.is_compressible(game))
            };
            let all = [
                "AA", "AB", "AE", "AR", "AW", "B", "CR", "DD", "LB", "LN", "MA", "SL", "SQ", "TB", "TR", "TW", "VW",
                "W",
            ];
            all.iter().copied().filter(is_it).collect()
        };
        let go = ["AB", "AE", "AW", "CR", "DD", "MA", "SL", "SQ", "TB", "TR", "TW", "VW"];
        assert_eq!(ids(Game::Go).iter().filter(|id| **id != "AA").copied().collect::<Vec<_>>(), go);
        assert!(ids(Game::Amazons).contains(&"AA"));
        assert!(ids(Game::Pentobi(Variant::BlokusDuo)).is_empty()); // spec P-48
    }

    #[test]
    fn versions() {
        let versions = Versions::of_digits(134);
        assert_eq!(versions.to_string(), "134");
        assert!(versions.contains(1) && !versions.contains(2) && !versions.contains(200));
        assert!(Versions::of_digits(0).contains(2));
    }
}
