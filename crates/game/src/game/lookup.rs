//! Finds the meaning of an identifier in one game and version of the format.

use super::definition::{Definition, Fit, Lookup, Origin, Scope};
use super::games::Game;
use super::key::Key;
use super::properties::DEFINITIONS;

impl Definition {
    /// Returns all rows, sorted by identifier.
    #[must_use]
    pub fn all() -> &'static [Self] {
        DEFINITIONS
    }

    /// Returns the rows of one canonical identifier (without lowercase letters) by one table lookup. There may be no
    /// rows.
    #[must_use]
    #[inline]
    pub fn rows(id: &[u8]) -> &'static [Self] {
        let (start, len) = ROWS[Key::of_id(id).index()];
        &DEFINITIONS[usize::from(start)..usize::from(start) + usize::from(len)]
    }

    /// Returns the meaning of `id` in this game and version of the format, else its meaning in another version, or
    /// else in another game. A file without FF is of version 1 by the specification (spec Ver-01).
    ///
    /// If several rows match, the version takes precedence, then the standard over private use, then the game's own
    /// meaning over the meaning for all games. So `TE` is the good move, and Sina's title is only in
    /// [`rows`](Self::rows). In old Backgammon files, only the value distinguishes the cube, `CP[b]`, from a copyright
    /// note: see [`find_with_value`](Self::find_with_value).
    ///
    /// ```
    /// use sgfstream_game::{Definition, Fit, Game};
    ///
    /// let meaning = |game, ff, id| Definition::find(game, ff, id).map(|f| (f.definition.description, f.fit));
    /// assert_eq!(meaning(Game::LinesOfAction, 4, b"SE"), Some(("mark point and its moves", Fit::Exact)));
    /// assert_eq!(meaning(Game::Go, 3, b"SE"), Some(("moves tried in selftest", Fit::Exact)));
    /// assert_eq!(meaning(Game::Go, 4, b"SE"), Some(("moves tried in selftest", Fit::OtherVersion)));
    /// assert_eq!(meaning(Game::Go, 4, b"SU").map(|m| m.1), Some(Fit::OtherGame));
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
            return Some(Lookup { definition, fit: Fit::Exact });
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

    /// Returns the meaning as [`find`](Self::find) does, but considers the first value if it makes a difference: in
    /// Backgammon, `CP` is the cube if the value is `b`, `w`, `c` or `n` (spec games §6). In Go, `TE` is a title, `KO`
    /// the komi and `LT` a time if the value is longer than the standard's single digit. Sina and other sites write
    /// these (spec Q-45).
    ///
    /// ```
    /// use sgfstream_game::{Definition, Game, PropertyType};
    ///
    /// let kind = |game, ident: &[u8], value: &[u8]| {
    ///     Definition::find_with_value(game, 4, ident, value).expect("in the table").definition.property_type
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
        match is_told.then(|| Self::rows(id).iter().find(is_meant)).flatten() {
            Some(definition) => Some(Lookup { definition, fit: definition.fit(game, ff) }),
            None => Self::find(game, ff, id),
        }
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
        assert!(*start as usize + *len as usize == row + 1, "rows of one identifier are adjacent");
        row += 1;
    }
    rows
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Boardspace, PropertyType, Variant, Versions};
    use sgfstream::Ident;

    #[test]
    fn every_row_is_found() {
        assert_eq!(DEFINITIONS.len(), 203);
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

    /// One identifier, by game and version (spec Ver-06, O-31).
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
