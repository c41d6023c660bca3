//! The game of a record, as GM names it (FF\[4\] properties, spec R-02 and `docs/spec/games.md`): a
//! number of the registered list, a number or name of GoRilla's, one of Pentobi's 18 strings, or a
//! name that Boardspace writes. Any other text is accepted too and is never an error of the reader.

use std::borrow::Cow;
use std::fmt;

use sgfstream::{Framing, RawValue};

use crate::value::{BoardSize, LenientValue, Number, Reading, Repair, ValueError, ValueErrorKind};

use super::Variant;

/// Takes one row for each numbered game: variant, number, name, side of the default board (0:
/// none), syntax of points.
macro_rules! games {
    ($($variant:ident $number:literal $name:literal $side:literal $syntax:ident)*) => {
        /// Game that a record is of.
        ///
        /// ```
        /// use sgfstream_game::{Game, dialect::Variant};
        ///
        /// assert_eq!(Game::parse(b"11"), Ok(Game::Hex));
        /// assert_eq!(Game::parse(b"Blokus Duo"), Ok(Game::Pentobi(Variant::BlokusDuo)));
        /// assert_eq!(Game::parse_lenient(b"Go").value, Game::Go);
        /// assert_eq!(Game::default(), Game::Go); // no GM: spec R-02, G-04
        /// ```
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[non_exhaustive]
        pub enum Game {
            $(
                #[doc = concat!("`GM[", $number, "]`: ", $name, ".")]
                $variant,
            )*
            /// One of Pentobi's games; GM is its name.
            Pentobi(Variant),
            /// A game without a number that Boardspace writes by name.
            Boardspace(Boardspace),
            /// A number that is not registered for one game: 41 (used for several games), or any
            /// other.
            Number(i64),
            /// Any other text. Points and moves stay raw bytes.
            Other,
        }

        impl Game {
            /// The games with a number, in numerical order: 1 to 40, then GoRilla's.
            pub const NUMBERED: &'static [Self] = &[$(Self::$variant,)*];

            /// Returns the game of this number.
            #[must_use]
            pub const fn for_number(number: i64) -> Self {
                match number {
                    $($number => Self::$variant,)*
                    number => Self::Number(number),
                }
            }

            /// Returns the game's number in GM, if it has one.
            #[must_use]
            pub const fn number(self) -> Option<i64> {
                match self {
                    $(Self::$variant => Some($number),)*
                    Self::Number(number) => Some(number),
                    Self::Pentobi(_) | Self::Boardspace(_) | Self::Other => None,
                }
            }

            /// Returns the game's name, as registered or as its program writes it.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $name,)*
                    Self::Pentobi(variant) => variant.name(),
                    Self::Boardspace(game) => game.as_str(),
                    Self::Number(_) => "(unregistered)",
                    Self::Other => "(other)",
                }
            }

            /// Returns the syntax of the game's points.
            pub(super) const fn point_syntax(self) -> PointSyntax {
                match self {
                    $(Self::$variant => PointSyntax::$syntax,)*
                    Self::Pentobi(_) => PointSyntax::Pentobi,
                    Self::Boardspace(_) | Self::Number(_) | Self::Other => PointSyntax::Unknown,
                }
            }

            /// Returns the size of a board without `SZ`, if the game has a default (spec R-03).
            /// Programs may have other defaults: see
            /// [`Dialect::default_size`](super::Dialect::default_size).
            #[must_use]
            pub const fn default_size(self) -> Option<BoardSize> {
                let side = match self {
                    $(Self::$variant => $side,)*
                    Self::Pentobi(variant) => {
                        let (columns, rows) = variant.board();
                        return Some(BoardSize::new(columns, rows));
                    }
                    Self::Boardspace(_) | Self::Number(_) | Self::Other => 0,
                };
                if side == 0 { None } else { Some(BoardSize::square(side)) }
            }
        }
    };
}

games! {
    Go 1 "Go" 19 TwoLetters
    Othello 2 "Othello" 8 Either
    Chess 3 "Chess" 8 Unknown
    Gomoku 4 "Gomoku+Renju" 0 TwoLetters
    Morris 5 "Nine Men's Morris" 0 Unknown
    Backgammon 6 "Backgammon" 0 OneLetter
    ChineseChess 7 "Chinese chess" 0 Unknown
    Shogi 8 "Shogi" 0 Unknown
    LinesOfAction 9 "Lines of Action" 8 LetteredUp
    Ataxx 10 "Ataxx" 0 Unknown
    Hex 11 "Hex" 11 Lettered
    Jungle 12 "Jungle" 0 Unknown
    Neutron 13 "Neutron" 0 Unknown
    Philosophers 14 "Philosopher's Football" 0 Unknown
    Quadrature 15 "Quadrature" 0 Unknown
    Trax 16 "Trax" 0 Unknown
    Tantrix 17 "Tantrix" 0 Unknown
    Amazons 18 "Amazons" 10 TwoLetters
    Octi 19 "Octi" 9 Digits
    Gess 20 "Gess" 20 TwoLetters
    Twixt 21 "Twixt" 24 Lettered
    Zertz 22 "Zertz" 0 Unknown
    Plateau 23 "Plateau" 0 Unknown
    Yinsh 24 "Yinsh" 0 Unknown
    Punct 25 "Punct" 0 Unknown
    Gobblet 26 "Gobblet" 0 Unknown
    Hive 27 "hive" 0 Unknown
    Exxit 28 "Exxit" 0 Unknown
    Hnefatal 29 "Hnefatal" 0 Unknown
    Kuba 30 "Kuba" 0 Unknown
    Tripples 31 "Tripples" 0 Unknown
    Chase 32 "Chase" 0 Unknown
    TumblingDown 33 "Tumbling Down" 0 Unknown
    Sahara 34 "Sahara" 0 Unknown
    Byte 35 "Byte" 0 Unknown
    Focus 36 "Focus" 0 Unknown
    Dvonn 37 "Dvonn" 0 Unknown
    Tamsk 38 "Tamsk" 0 Unknown
    Gipf 39 "Gipf" 0 Unknown
    Kropki 40 "Kropki" 0 TwoLetters
    Unlur 4000 "Unlur" 0 Lettered
    Havannah 4100 "Havannah" 0 Hexagon
}

/// Syntax of a game's points.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PointSyntax {
    /// `pd`: column and row as letters, from the upper left, up to 52.
    TwoLetters,
    /// `c4`, `aa12`: column letters, in any case, and row number from the top.
    Lettered,
    /// `TwoLetters` or `Lettered`.
    Either,
    /// `c4` on a hexagon.
    Hexagon,
    /// `c4`: column letter and row number, from the bottom.
    LetteredUp,
    /// `e10`, `aa1`: column letters and row number from the bottom.
    Pentobi,
    /// `73`: column and row as digits, from the lower left (Octi).
    Digits,
    /// `f`: one letter (Backgammon).
    OneLetter,
    /// Unknown: points stay raw bytes.
    Unknown,
}

named_enum! {
    /// Game that Boardspace writes by name (spec games §22).
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
    #[non_exhaustive]
    Boardspace ALL;
    /// `GM[lyngk]`.
    Lyngk "lyngk"
    /// `GM[volo]`.
    Volo "volo"
    /// `GM[Morris]`.
    Morris "Morris"
    /// `GM[Magnet]`.
    Magnet "Magnet"
    /// `GM[ArmyOfFrogs]`.
    ArmyOfFrogs "ArmyOfFrogs"
    /// `GM[tumbleweed]`.
    Tumbleweed "tumbleweed"
    /// `GM[Checker]`.
    Checker "Checker"
    /// `GM[Sixmaking]`.
    Sixmaking "Sixmaking"
}

/// Names that a dialect writes where FF\[4\] has a number: GoRilla's two (spec G-16), and
/// Boardspace's for games that have a number.
const DIALECT_NAMES: [(&str, Game); 4] = [
    ("Unlur", Game::Unlur),
    ("Havannah", Game::Havannah),
    ("gipf", Game::Gipf),
    ("tamsk", Game::Tamsk),
];

/// Other names that people write.
const OTHER_NAMES: [(&str, Game); 9] = [
    ("Reversi", Game::Othello),
    ("Gomoku", Game::Gomoku),
    ("Renju", Game::Gomoku),
    ("LOA", Game::LinesOfAction),
    ("Xiangqi", Game::ChineseChess),
    ("Phutball", Game::Philosophers),
    ("Hnefatafl", Game::Hnefatal),
    ("Weiqi", Game::Go),
    ("Baduk", Game::Go),
];

/// Removes escapes, because a text may escape any character (spec T-02). Keeps blanks as they are.
fn without_escapes(raw: &[u8]) -> Cow<'_, [u8]> {
    if raw.contains(&b'\\') {
        RawValue::new(raw, Framing::Value).unescaped()
    } else {
        Cow::Borrowed(raw)
    }
}

impl Game {
    /// Parses a value of GM strictly: a Number, or a name exactly as the dialect's document spells
    /// it. A number without a game is [`Game::Number`].
    ///
    /// # Errors
    ///
    /// The value is a name that no dialect has.
    pub fn parse(raw: &[u8]) -> Result<Self, ValueError> {
        let raw = &*without_escapes(raw);
        match Number::parse(raw) {
            Ok(number) => Ok(Self::for_number(number.get())),
            Err(err) if raw.first().is_some_and(u8::is_ascii_alphabetic) => {
                named(|name| name.as_bytes() == raw).ok_or(err)
            }
            Err(err) => Err(err),
        }
    }

    /// Reads a value of GM leniently. Ignores blanks and case (as Pentobi does, spec P-11, P-13),
    /// accepts registered and common names (SGFC 18: `GM[Go]`), and reads an empty value as Go.
    /// Other text is [`Game::Other`], because the record names a game that is not Go.
    ///
    /// ```
    /// use sgfstream_game::value::Repair;
    /// use sgfstream_game::{Game, dialect::Variant};
    ///
    /// let read = Game::parse_lenient(b" blokus duo ");
    /// assert_eq!(
    ///     (read.value, read.repair),
    ///     (Game::Pentobi(Variant::BlokusDuo), Some(Repair::Case))
    /// );
    /// assert_eq!(Game::parse_lenient(b"Checkers").value, Game::Other);
    /// ```
    #[must_use]
    pub fn parse_lenient(raw: &[u8]) -> LenientValue<Self> {
        if let Ok(game) = Self::parse(raw) {
            return LenientValue::as_written(game);
        }
        let unescaped = without_escapes(raw);
        let trimmed = unescaped.trim_ascii();
        if trimmed.is_empty() {
            return LenientValue::repaired(Self::Go, Repair::Defaulted);
        }
        if let Ok(game) = Self::parse(trimmed) {
            return LenientValue::repaired(game, Repair::Blanks);
        }
        let is_same = |name: &str| name.as_bytes().eq_ignore_ascii_case(trimmed);
        if let Some(game) = named(is_same) {
            return LenientValue::repaired(game, Repair::Case);
        }
        let registered = Self::NUMBERED.iter().map(|game| (game.name(), *game));
        if let Some((_, game)) = registered
            .chain(OTHER_NAMES)
            .find(|(name, _)| is_same(name))
        {
            return LenientValue::repaired(game, Repair::Name);
        }
        match Number::read(trimmed).likely() {
            Some(number) if !trimmed.iter().any(u8::is_ascii_alphabetic) => {
                let repair = number.repair.unwrap_or(Repair::Blanks);
                LenientValue::repaired(Self::for_number(number.value.get()), repair)
            }
            _ => LenientValue::as_written(Self::Other),
        }
    }

    /// Returns the game if only its spelling is unusual: blanks, or other letters in its name. A
    /// writer may correct such a spelling. Every other lenient reading would change the game of the
    /// record, and is for readers only.
    #[must_use]
    pub fn respelled(raw: &[u8]) -> Option<LenientValue<Self>> {
        let is_spelling = |repair| matches!(repair, Repair::Blanks | Repair::Case | Repair::Name);
        Some(Self::parse_lenient(raw)).filter(|read| read.repair.is_some_and(is_spelling))
    }

    /// Parses SZ strictly in this game: [`BoardSize::parse`] with the game's limits. Two-letter
    /// points end at 52; Twixt has 3 to 702 lines; Kropki has up to 45 (spec G-14), and accepts
    /// GoRilla's letters (spec G-12); Unlur's width is odd (spec G-17). Hex allows any size,
    /// because its page's two revisions differ.
    ///
    /// ```
    /// use sgfstream_game::Game;
    /// use sgfstream_game::value::BoardSize;
    ///
    /// assert_eq!(Game::Kropki.parse_size(b"NG"), Ok(BoardSize::new(39, 32)));
    /// assert!(Game::Go.parse_size(b"NG").is_err());
    /// assert!(Game::Go.parse_size(b"53").is_err());
    /// assert!(Game::Hex.parse_size(b"53").is_ok());
    /// ```
    ///
    /// # Errors
    ///
    /// The syntax differs, or the game has no board of this size.
    pub fn parse_size(self, raw: &[u8]) -> Result<BoardSize, ValueError> {
        let size = match self {
            Self::Kropki if raw.first().is_some_and(u8::is_ascii_alphabetic) => {
                return BoardSize::parse_letters(raw);
            }
            Self::Twixt => BoardSize::parse_up_to(raw, 702)?,
            game if game.has_two_letter_points() => {
                BoardSize::parse_up_to(raw, BoardSize::MAX_TWO_LETTER)?
            }
            _ => BoardSize::parse(raw)?,
        };
        let expected = match self {
            Self::Twixt if size.columns() < 3 || size.rows() < 3 => "a board of 3 to 702 lines",
            // The points could name 52 lines, but GoRilla's document ends at 45.
            Self::Kropki if size.longer() > 45 => "a board of at most 45 lines",
            Self::Unlur if size.columns() % 2 == 0 => "an odd width",
            _ => return Ok(size),
        };
        Err(ValueError::new(ValueErrorKind::OutOfRange, expected, raw))
    }

    /// Reads SZ leniently in this game: GoRilla's letters in Kropki, else as [`BoardSize::read`]. A
    /// side that is longer than the game's points can name is clipped, as a guess.
    ///
    /// ```
    /// use sgfstream_game::Game;
    /// use sgfstream_game::value::BoardSize;
    ///
    /// let size = |game: Game, raw: &[u8]| game.read_size(raw).sure().map(|read| read.value);
    /// assert_eq!(size(Game::Kropki, b"N"), Some(BoardSize::square(39)));
    /// assert_eq!(size(Game::Go, b"19x19"), Some(BoardSize::square(19)));
    /// assert_eq!(size(Game::Go, b"60"), None); // a guess: 52
    /// ```
    #[must_use]
    pub fn read_size(self, raw: &[u8]) -> Reading<BoardSize> {
        if self == Self::Kropki
            && let Ok(size) = BoardSize::parse_letters(raw)
        {
            return Reading::Sure(LenientValue::as_written(size));
        }
        BoardSize::read_up_to(raw, self.side_max())
    }

    /// Returns the longest side that the game's points can name.
    #[must_use]
    pub const fn side_max(self) -> u32 {
        if self.has_two_letter_points() {
            BoardSize::MAX_TWO_LETTER
        } else {
            u16::MAX as u32
        }
    }

    /// Returns the Pentobi variant, if the game is one.
    #[must_use]
    pub const fn variant(self) -> Option<Variant> {
        match self {
            Self::Pentobi(variant) => Some(variant),
            _ => None,
        }
    }

    /// Returns whether the game has one size and ignores `SZ`: the games of Pentobi (spec P-33),
    /// and Backgammon.
    #[must_use]
    pub const fn has_fixed_size(self) -> bool {
        matches!(self, Self::Pentobi(_) | Self::Backgammon)
    }

    /// Returns whether the two players of the game move in turn, so that a second move in a row is
    /// unusual.
    #[must_use]
    pub const fn takes_turns(self) -> bool {
        matches!(
            self,
            Self::Go | Self::Gomoku | Self::Hex | Self::Havannah | Self::Octi
        )
    }

    /// Returns whether Boardspace writes the files of this game: actions of the players `P0` and
    /// `P1` in place of moves (spec games §22).
    #[must_use]
    pub const fn is_boardspace(self) -> bool {
        matches!(
            self,
            Self::Boardspace(_)
                | Self::Zertz
                | Self::Plateau
                | Self::Yinsh
                | Self::Punct
                | Self::Gobblet
                | Self::Hive
                | Self::Exxit
                | Self::Dvonn
                | Self::Tamsk
                | Self::Gipf
        )
    }

    /// Returns whether the game's points are two letters, so that its board is at most 52x52: Go,
    /// Gomoku, Amazons, Gess and Kropki.
    #[must_use]
    pub const fn has_two_letter_points(self) -> bool {
        matches!(self.point_syntax(), PointSyntax::TwoLetters)
    }

    /// Returns whether Stone is Point, so that lists of stones can be compressed (spec V-07).
    #[must_use]
    pub const fn stone_is_point(self) -> bool {
        matches!(
            self,
            Self::Go
                | Self::Othello
                | Self::Gomoku
                | Self::Backgammon
                | Self::LinesOfAction
                | Self::Hex
                | Self::Gess
                | Self::Amazons
                | Self::Kropki
        )
    }
}

/// Finds a game by a name that `is_same` accepts, among the names that dialects allow in GM.
fn named(is_same: impl Fn(&str) -> bool) -> Option<Game> {
    let pentobi = Variant::ALL
        .iter()
        .map(|variant| (variant.name(), Game::Pentobi(*variant)));
    let boardspace = Boardspace::ALL
        .iter()
        .map(|game| (game.as_str(), Game::Boardspace(*game)));
    let mut all = pentobi.chain(DIALECT_NAMES).chain(boardspace);
    all.find(|(name, _)| is_same(name)).map(|(_, game)| game)
}

/// Go, because a record without GM is of Go (spec R-02, G-04).
impl Default for Game {
    fn default() -> Self {
        Self::Go
    }
}

crate::value::parses!(Game);

/// Prints the value of GM: the number, or the name of a game that has no number.
impl fmt::Display for Game {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.number() {
            Some(number) => number.fmt(f),
            None => f.write_str(self.name()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers() {
        let numbers: Vec<i64> = Game::NUMBERED
            .iter()
            .filter_map(|game| game.number())
            .collect();
        assert_eq!(numbers, (1..=40).chain([4000, 4100]).collect::<Vec<_>>());
        for &number in &numbers {
            let game = Game::for_number(number);
            assert_eq!(game.number(), Some(number));
            assert_eq!(Game::parse(game.to_string().as_bytes()), Ok(game));
        }
        assert_eq!(Game::for_number(41), Game::Number(41));
        assert_eq!(Game::parse(b"-3"), Ok(Game::Number(-3)));
        assert_eq!(Game::default(), Game::Go);
    }

    #[test]
    fn p_11_p_12_p_13_strict_names() {
        for name in [
            "blokus duo",
            " Blokus",
            "Blokus ",
            "Blokus  Duo",
            "Blokus\tDuo",
            "Go",
            "",
            "unlur",
            " 1",
            "1 ",
        ] {
            assert!(Game::parse(name.as_bytes()).is_err(), "{name:?}");
        }
        for &variant in Variant::ALL {
            assert_eq!(
                Game::parse(variant.name().as_bytes()),
                Ok(Game::Pentobi(variant))
            );
        }
    }

    #[test]
    fn g_16_gorilla() {
        assert_eq!(Game::parse(b"4000"), Ok(Game::Unlur));
        assert_eq!(Game::parse(b"Unlur"), Ok(Game::Unlur));
        assert_eq!(Game::parse(b"4100"), Ok(Game::Havannah));
        assert_eq!(Game::parse(b"Havannah"), Ok(Game::Havannah));
    }

    #[test]
    fn lenient() {
        for (raw, game, repair) in [
            ("1", Game::Go, None),
            ("tamsk", Game::Tamsk, None),
            ("", Game::Go, Some(Repair::Defaulted)),
            (" 11\n", Game::Hex, Some(Repair::Blanks)),
            // It is unclear whether these are two numbers or one.
            ("1 1", Game::Other, None),
            ("Go", Game::Go, Some(Repair::Name)),
            ("othello", Game::Othello, Some(Repair::Name)),
            ("nexos", Game::Pentobi(Variant::Nexos), Some(Repair::Case)),
            ("Blokus  Duo", Game::Other, None),
            (
                "morris",
                Game::Boardspace(Boardspace::Morris),
                Some(Repair::Case),
            ),
            ("chess 960", Game::Other, None),
        ] {
            assert_eq!(
                Game::parse_lenient(raw.as_bytes()),
                LenientValue {
                    value: game,
                    repair
                },
                "{raw:?}"
            );
        }
    }

    #[test]
    fn defaults() {
        for (game, side) in [
            (Game::Go, Some(19)),
            (Game::Othello, Some(8)),
            (Game::Chess, Some(8)),
            (Game::Gomoku, None),
            (Game::LinesOfAction, Some(8)),
            (Game::Hex, Some(11)),
            (Game::Amazons, Some(10)),
            (Game::Octi, Some(9)),
            (Game::Gess, Some(20)),
            (Game::Twixt, Some(24)),
            (Game::Kropki, None),
            (Game::Havannah, None),
            (Game::Pentobi(Variant::BlokusDuo), Some(14)),
        ] {
            assert_eq!(game.default_size(), side.map(BoardSize::square), "{game:?}");
        }
        assert_eq!(
            Game::Pentobi(Variant::GembloQ).default_size(),
            Some(BoardSize::new(56, 28))
        );
    }

    #[test]
    fn g_11_g_12_g_17_sizes() {
        for (game, raw, size) in [
            (Game::Go, "19", Some((19, 19))),
            (Game::Go, "52", Some((52, 52))),
            (Game::Go, "53", None),
            (Game::Gess, "20:53", None),
            (Game::Kropki, "39:32", Some((39, 32))),
            (Game::Kropki, "39", Some((39, 39))),
            (Game::Kropki, "NG", Some((39, 32))),
            (Game::Kropki, "N", Some((39, 39))),
            (Game::Hex, "N", None),
            (Game::Hex, "60:70", Some((60, 70))),
            (Game::Twixt, "702", Some((702, 702))),
            (Game::Twixt, "703", None),
            (Game::Twixt, "2:9", None),
            (Game::Unlur, "11", Some((11, 11))),
            (Game::Unlur, "12", None),
            (Game::Other, "100", Some((100, 100))),
        ] {
            let expected = size.map(|(columns, rows)| BoardSize::new(columns, rows));
            assert_eq!(
                game.parse_size(raw.as_bytes()).ok(),
                expected,
                "{game:?} {raw}"
            );
        }
    }
}
