//! Which game a record is of: what GM says (FF\[4\] properties, spec R-02
//! and `docs/spec/games.md`). A number of the registered list, a number or name of GoRilla's,
//! one of Pentobi's 18 strings, a name that Boardspace writes, or something
//! else, which is never an error of the reader.

use std::fmt;

use crate::value::{Lenient, Number, Repair, ValueError};

use super::Variant;

/// One row a numbered game: variant, number, name.
macro_rules! games {
    ($($variant:ident $number:literal $name:literal)*) => {
        /// A game.
        ///
        /// ```
        /// use sgfstream::game::{Game, Variant};
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
            /// One of Pentobi's: GM is its name.
            Pentobi(Variant),
            /// A game that Boardspace writes by name and has no number.
            Boardspace(Boardspace),
            /// A number without a game: 41 (used for several), or any other.
            Number(i64),
            /// Some other text. Its points and moves stay raw.
            Other,
        }

        impl Game {
            /// The games with a number, in its order: 1 to 40, then GoRilla's.
            pub const NUMBERED: &'static [Self] = &[$(Self::$variant,)*];

            /// The game of this number.
            #[must_use]
            pub const fn for_number(number: i64) -> Self {
                match number {
                    $($number => Self::$variant,)*
                    number => Self::Number(number),
                }
            }

            /// Its number in GM, where it has one.
            #[must_use]
            pub const fn number(self) -> Option<i64> {
                match self {
                    $(Self::$variant => Some($number),)*
                    Self::Number(number) => Some(number),
                    Self::Pentobi(_) | Self::Boardspace(_) | Self::Other => None,
                }
            }

            /// Its name: as registered, or as its program writes it.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $name,)*
                    Self::Pentobi(variant) => variant.name(),
                    Self::Boardspace(game) => game.name(),
                    Self::Number(_) => "(unregistered)",
                    Self::Other => "(other)",
                }
            }
        }
    };
}

games! {
    Go 1 "Go"
    Othello 2 "Othello"
    Chess 3 "Chess"
    Gomoku 4 "Gomoku+Renju"
    Morris 5 "Nine Men's Morris"
    Backgammon 6 "Backgammon"
    ChineseChess 7 "Chinese chess"
    Shogi 8 "Shogi"
    LinesOfAction 9 "Lines of Action"
    Ataxx 10 "Ataxx"
    Hex 11 "Hex"
    Jungle 12 "Jungle"
    Neutron 13 "Neutron"
    Philosophers 14 "Philosopher's Football"
    Quadrature 15 "Quadrature"
    Trax 16 "Trax"
    Tantrix 17 "Tantrix"
    Amazons 18 "Amazons"
    Octi 19 "Octi"
    Gess 20 "Gess"
    Twixt 21 "Twixt"
    Zertz 22 "Zertz"
    Plateau 23 "Plateau"
    Yinsh 24 "Yinsh"
    Punct 25 "Punct"
    Gobblet 26 "Gobblet"
    Hive 27 "hive"
    Exxit 28 "Exxit"
    Hnefatal 29 "Hnefatal"
    Kuba 30 "Kuba"
    Tripples 31 "Tripples"
    Chase 32 "Chase"
    TumblingDown 33 "Tumbling Down"
    Sahara 34 "Sahara"
    Byte 35 "Byte"
    Focus 36 "Focus"
    Dvonn 37 "Dvonn"
    Tamsk 38 "Tamsk"
    Gipf 39 "Gipf"
    Kropki 40 "Kropki"
    Unlur 4000 "Unlur"
    Havannah 4100 "Havannah"
}

/// A game that Boardspace writes by name (spec games §22).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Boardspace {
    /// `GM[lyngk]`.
    Lyngk,
    /// `GM[volo]`.
    Volo,
    /// `GM[Morris]`.
    Morris,
    /// `GM[Magnet]`.
    Magnet,
    /// `GM[ArmyOfFrogs]`.
    ArmyOfFrogs,
    /// `GM[tumbleweed]`.
    Tumbleweed,
    /// `GM[Checker]`.
    Checker,
    /// `GM[Sixmaking]`.
    Sixmaking,
}

impl Boardspace {
    /// All of them.
    pub const ALL: &'static [Self] = &[
        Self::Lyngk,
        Self::Volo,
        Self::Morris,
        Self::Magnet,
        Self::ArmyOfFrogs,
        Self::Tumbleweed,
        Self::Checker,
        Self::Sixmaking,
    ];

    /// The name in GM.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Lyngk => "lyngk",
            Self::Volo => "volo",
            Self::Morris => "Morris",
            Self::Magnet => "Magnet",
            Self::ArmyOfFrogs => "ArmyOfFrogs",
            Self::Tumbleweed => "tumbleweed",
            Self::Checker => "Checker",
            Self::Sixmaking => "Sixmaking",
        }
    }
}

/// Names that a dialect's document or files put where FF\[4\] has the number:
/// GoRilla's two (spec G-16) and Boardspace's for games with a number.
const DIALECT_NAMES: [(&str, Game); 4] =
    [("Unlur", Game::Unlur), ("Havannah", Game::Havannah), ("gipf", Game::Gipf), ("tamsk", Game::Tamsk)];

/// Further names that people write.
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

impl Game {
    /// The strict reading of a GM value: a Number, or a name exactly as the
    /// dialect's document has it. A number without a game is
    /// [`Game::Number`].
    ///
    /// # Errors
    ///
    /// A name that no dialect has.
    pub fn parse(raw: &[u8]) -> Result<Self, ValueError> {
        match Number::parse(raw) {
            Ok(number) => Ok(Self::for_number(number.get())),
            Err(err) if raw.first().is_some_and(u8::is_ascii_alphabetic) => {
                named(|name| name.as_bytes() == raw).ok_or(err)
            }
            Err(err) => Err(err),
        }
    }

    /// The lenient reading: blanks and case do not matter (as Pentobi reads,
    /// spec P-11, P-13), registered and common names stand for their numbers
    /// (SGFC 18: `GM[Go]`), an empty value is Go. Other text is
    /// [`Game::Other`]: the file says that it is not Go, and not what it is.
    ///
    /// ```
    /// use sgfstream::{game::{Game, Variant}, value::Repair};
    ///
    /// let read = Game::parse_lenient(b" blokus duo ");
    /// assert_eq!((read.value, read.repair), (Game::Pentobi(Variant::BlokusDuo), Some(Repair::Case)));
    /// assert_eq!(Game::parse_lenient(b"Checkers").value, Game::Other);
    /// ```
    #[must_use]
    pub fn parse_lenient(raw: &[u8]) -> Lenient<Self> {
        if let Ok(game) = Self::parse(raw) {
            return Lenient::as_written(game);
        }
        let trimmed = raw.trim_ascii();
        if trimmed.is_empty() {
            return Lenient::repaired(Self::Go, Repair::Defaulted);
        }
        if let Ok(game) = Self::parse(trimmed) {
            return Lenient::repaired(game, Repair::Blanks);
        }
        let is_same = |name: &str| name.as_bytes().eq_ignore_ascii_case(trimmed);
        if let Some(game) = named(is_same) {
            return Lenient::repaired(game, Repair::Case);
        }
        let registered = Self::NUMBERED.iter().copied().find(|game| is_same(game.name()));
        let other = || OTHER_NAMES.iter().find(|(name, _)| is_same(name)).map(|&(_, game)| game);
        if let Some(game) = registered.or_else(other) {
            return Lenient::repaired(game, Repair::Name);
        }
        match Number::parse_lenient(trimmed) {
            Ok(number) if !trimmed.iter().any(u8::is_ascii_alphabetic) => {
                Lenient::repaired(Self::for_number(number.value.get()), number.repair.unwrap_or(Repair::Blanks))
            }
            _ => Lenient::as_written(Self::Other),
        }
    }

    /// Its Pentobi variant, if it is one.
    #[must_use]
    pub const fn variant(self) -> Option<Variant> {
        match self {
            Self::Pentobi(variant) => Some(variant),
            _ => None,
        }
    }

    /// True for the games whose files Boardspace writes: actions of the
    /// players `P0` and `P1` in place of moves (spec games §22).
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

    /// True for the games whose points are two letters, and whose board is
    /// therefore at most 52x52: Go, Gomoku, Amazons, Gess and Kropki.
    #[must_use]
    pub const fn has_two_letter_points(self) -> bool {
        matches!(self, Self::Go | Self::Gomoku | Self::Amazons | Self::Gess | Self::Kropki)
    }

    /// True where Stone is Point, so that lists of stones can be compressed
    /// (spec V-07).
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

/// The game with a name that `is_same` accepts, among those that a GM may
/// hold by its dialect.
fn named(is_same: impl Fn(&str) -> bool) -> Option<Game> {
    let pentobi = || Variant::ALL.iter().copied().find(|variant| is_same(variant.name())).map(Game::Pentobi);
    let boardspace = || Boardspace::ALL.iter().copied().find(|game| is_same(game.name())).map(Game::Boardspace);
    let dialect = || DIALECT_NAMES.iter().find(|(name, _)| is_same(name)).map(|&(_, game)| game);
    pentobi().or_else(dialect).or_else(boardspace)
}

/// Go: what a record without GM is of (spec R-02, G-04).
impl Default for Game {
    fn default() -> Self {
        Self::Go
    }
}

/// The GM value: the number, or the name of a game that has none.
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
        let numbers: Vec<i64> = Game::NUMBERED.iter().filter_map(|game| game.number()).collect();
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
        for name in ["blokus duo", " Blokus", "Blokus ", "Blokus  Duo", "Blokus\tDuo", "Go", "", "unlur", " 1", "1 "] {
            assert!(Game::parse(name.as_bytes()).is_err(), "{name:?}");
        }
        for &variant in Variant::ALL {
            assert_eq!(Game::parse(variant.name().as_bytes()), Ok(Game::Pentobi(variant)));
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
            ("1 1", Game::Hex, Some(Repair::Blanks)),
            ("Go", Game::Go, Some(Repair::Name)),
            ("othello", Game::Othello, Some(Repair::Name)),
            ("nexos", Game::Pentobi(Variant::Nexos), Some(Repair::Case)),
            ("Blokus  Duo", Game::Other, None),
            ("morris", Game::Boardspace(Boardspace::Morris), Some(Repair::Case)),
            ("chess 960", Game::Other, None),
        ] {
            assert_eq!(Game::parse_lenient(raw.as_bytes()), Lenient { value: game, repair }, "{raw:?}");
        }
    }
}
