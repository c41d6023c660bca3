//! Types of the values of properties, and typed values other than texts and points. This is the
//! only conversion from bytes to typed values, for the checker, the repairs, tables and statistics.
//! The [`Dialect`](super::Dialect) parses points, moves and stones.

use std::fmt;

use crate::value::{
    BoardSize, Color, Dates, Double, Figure, GameResult, Komi, LenientValue, NoValue, Number,
    Reading, Real, Time, ValueError,
};

use super::{Definition, Game, Turn, Version};

/// Takes one row for each simple type: its variant, its name in the tables, and its meaning.
macro_rules! value_types {
    ($($variant:ident $name:literal $doc:literal)*) => {
        /// Type of the values of a property.
        ///
        /// ```
        /// use sgfstream_game::property::ValueType;
        ///
        /// assert_eq!(ValueType::LABEL.to_string(), "point:simpletext");
        /// assert_eq!(ValueType::FIGURE.to_string(), "none or number:simpletext");
        /// assert!(ValueType::Text.is_text() && !ValueType::LABEL.is_text());
        /// ```
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum ValueType {
            $(#[doc = $doc] $variant,)*
            /// Two values with `:` between them.
            Compose(&'static Self, &'static Self),
            /// Either of two types.
            Either(&'static Self, &'static Self),
        }

        /// Prints the name in the tables: `point:simpletext`, `none or number`.
        impl fmt::Display for ValueType {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                match self {
                    $(Self::$variant => f.write_str($name),)*
                    Self::Compose(first, second) => write!(f, "{first}:{second}"),
                    Self::Either(one, other) => write!(f, "{one} or {other}"),
                }
            }
        }
    };
}

value_types! {
    None "none" "Nothing between the brackets."
    Number "number" "A whole number."
    Real "real" "A real number."
    Double "double" "`1` or `2`."
    Color "color" "`B` or `W`."
    SimpleText "simpletext" "A text of one line."
    Text "text" "A text of several lines."
    Point "point" "A point, in the game's syntax."
    Move "move" "A move, in the game's syntax."
    Stone "stone" "A stone, in the game's syntax; a point in most games (spec V-07)."
    StopSequence "stop sequence" "Kropki: a dotted sequence of border points."
    Piece "piece" "Pentobi: the points of a whole piece, with commas (spec P-34)."
    AnyColor "color of two to four" "Pentobi: `B`, `W`, `1`, `2`, `3` or `4` (spec P-44)."
    SizeLetters "size in letters" "GoRilla: a board size in one or two letters (spec G-12)."
    Action "action" "Boardspace: a counter, a verb, its operands."
    Unknown "unknown" "Undocumented (CI, DG)."
}

impl ValueType {
    /// Type of AP, IS, MI.
    pub(crate) const TEXT_PAIR: Self = Self::Compose(&Self::SimpleText, &Self::SimpleText);
    /// Type of AR, LN.
    pub const POINT_PAIR: Self = Self::Compose(&Self::Point, &Self::Point);
    /// Type of LB.
    pub const LABEL: Self = Self::Compose(&Self::Point, &Self::SimpleText);
    /// Type of Octi's AS.
    pub const ARROW: Self = Self::Compose(&Self::Stone, &Self::Point);
    /// Type of FG.
    pub const FIGURE: Self = Self::Either(
        &Self::None,
        &Self::Compose(&Self::Number, &Self::SimpleText),
    );
    /// Type of SZ.
    pub const SIZE: Self =
        Self::Either(&Self::Number, &Self::Compose(&Self::Number, &Self::Number));
    /// Type of GoRilla's SZ.
    pub(crate) const SIZE_OR_LETTERS: Self = Self::Either(&Self::SIZE, &Self::SizeLetters);
    /// Type of Kropki's TB and TW.
    pub const TERRITORY: Self = Self::Either(&Self::Point, &Self::StopSequence);
    /// Type of the moves of Pentobi before 0.3.
    pub(crate) const PIECE_OR_POINT: Self = Self::Either(&Self::Piece, &Self::Point);
    /// Type of GoRilla's GM.
    pub const NUMBER_OR_NAME: Self = Self::Either(&Self::Number, &Self::SimpleText);
    /// Type of GoRilla's XB.
    pub(crate) const NONE_OR_NUMBER: Self = Self::Either(&Self::None, &Self::Number);

    /// Returns whether the type is SimpleText or Text, which accept any bytes.
    #[must_use]
    pub const fn is_text(self) -> bool {
        matches!(self, Self::SimpleText | Self::Text)
    }

    /// Returns whether a value of this type can be empty.
    #[must_use]
    pub const fn may_be_empty(self) -> bool {
        match self {
            Self::None | Self::SimpleText | Self::Text | Self::Move | Self::Unknown => true,
            // The constants above nest at most two levels.
            Self::Either(Self::None, _) | Self::Either(_, Self::None | Self::SimpleText) => true,
            _ => false,
        }
    }
}

/// Takes one row for each type.
macro_rules! typed {
    ($($variant:ident($type:ty) $doc:literal)*) => {
        /// Value of one of the types that [`Definition::read`] reads. `Display` prints it as
        /// FF\[4\] spells it.
        #[derive(Clone, Debug, PartialEq)]
        #[non_exhaustive]
        pub enum TypedValue { $(#[doc = $doc] $variant($type),)* }

        impl fmt::Display for TypedValue {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                match self { $(Self::$variant(value) => value.fmt(f),)* }
            }
        }

        /// Type of a [`TypedValue`] value.
        #[derive(Clone, Copy)]
        enum Form { $($variant,)* }

        impl Form {
            /// Parses a value that is the same in all games.
            fn parse_in_any(self, raw: &[u8]) -> Result<TypedValue, ValueError> {
                match self { $(Self::$variant => <$type>::parse(raw).map(TypedValue::$variant),)* }
            }

            /// Reads a value that is the same in all games.
            fn read_in_any(self, raw: &[u8]) -> Reading<TypedValue> {
                match self { $(Self::$variant => <$type>::read(raw).map(TypedValue::$variant),)* }
            }
        }
    };
}

typed! {
    None(NoValue) "Nothing between the brackets."
    Number(Number) "A whole number."
    Real(Real) "A real number."
    Double(Double) "`1` or `2`."
    Color(Color) "`B` or `W`."
    Figure(Figure) "FG: nothing, or flags and a name."
    Version(Version) "FF."
    Size(BoardSize) "SZ."
    Dates(Dates) "DT."
    Result(GameResult) "RE."
    Time(Time) "TM."
    Komi(Komi) "KM."
}

impl TypedValue {
    /// Returns the value of a whole number.
    #[must_use]
    pub fn whole(&self) -> Option<i64> {
        match self {
            Self::Number(number) => Some(number.get()),
            Self::Version(version) => Some(version.number().into()),
            _ => None,
        }
    }

    /// Returns the value of a real number: points of a komi, seconds of a time.
    #[must_use]
    pub fn real(&self) -> Option<f64> {
        match self {
            Self::Real(real) => Some(real.get()),
            Self::Komi(komi) => Some(komi.get()),
            Self::Time(time) => Some(time.seconds()),
            _ => None,
        }
    }
}

impl ValueType {
    const fn form(self) -> Option<Form> {
        Some(match self {
            Self::None => Form::None,
            Self::Number => Form::Number,
            Self::Real => Form::Real,
            Self::Double => Form::Double,
            Self::Color => Form::Color,
            Self::FIGURE => Form::Figure,
            _ => return None,
        })
    }

    /// Parses a value strictly, as [`Definition::parse`].
    #[must_use]
    pub fn parse(self, raw: &[u8]) -> Option<Result<TypedValue, ValueError>> {
        Some(self.form()?.parse(Game::Go, raw))
    }

    /// Reads a value leniently, as [`Definition::read`].
    #[must_use]
    pub fn read(self, raw: &[u8]) -> Option<Reading<TypedValue>> {
        Some(self.form()?.read(Game::Go, raw))
    }
}

impl Definition {
    fn form(&self) -> Option<Form> {
        Some(match self.id {
            "FF" => Form::Version,
            "SZ" => Form::Size,
            "DT" => Form::Dates,
            "RE" => Form::Result,
            "TM" => Form::Time,
            "KM" => Form::Komi,
            _ => return self.value_type.form(),
        })
    }

    /// Parses a value strictly in `game`. Returns `None` for texts, and for values in the game's
    /// own syntax.
    #[must_use]
    pub fn parse(&self, game: Game, raw: &[u8]) -> Option<Result<TypedValue, ValueError>> {
        Some(self.form()?.parse(game, raw))
    }

    /// Reads a value leniently in `game`. Returns its meaning, its certainty, and the repair that
    /// was needed. Returns `None` for the same values as [`parse`](Self::parse).
    ///
    /// ```
    /// use sgfstream_game::{
    ///     Game,
    ///     property::{Definition, TypedValue},
    /// };
    ///
    /// let re = Definition::rows(b"RE").first().expect("in the table");
    /// let read = re
    ///     .read(Game::Go, b"Black resigns")
    ///     .expect("a typed value")
    ///     .sure()
    ///     .expect("one meaning");
    /// assert!(matches!(read.value, TypedValue::Result(_)));
    /// assert_eq!(read.value.to_string(), "W+R");
    /// ```
    #[must_use]
    pub fn read(&self, game: Game, raw: &[u8]) -> Option<Reading<TypedValue>> {
        Some(self.form()?.read(game, raw))
    }
}

impl Form {
    fn parse(self, game: Game, raw: &[u8]) -> Result<TypedValue, ValueError> {
        match self {
            Self::Size => game.parse_size(raw).map(TypedValue::Size),
            Self::Result if game == Game::Backgammon => {
                GameResult::parse_backgammon(raw).map(TypedValue::Result)
            }
            Self::Result => GameResult::parse_of(game.players(), raw).map(TypedValue::Result),
            _ => self.parse_in_any(raw),
        }
    }

    fn read(self, game: Game, raw: &[u8]) -> Reading<TypedValue> {
        match self {
            Self::Size => game.read_size(raw).map(TypedValue::Size),
            Self::Result => read_result(game, raw).map(TypedValue::Result),
            _ => self.read_in_any(raw),
        }
    }
}

fn read_result(game: Game, raw: &[u8]) -> Reading<GameResult> {
    if game == Game::Backgammon
        && let Ok(result) = GameResult::parse_backgammon(raw)
    {
        return Reading::Sure(LenientValue::as_written(result));
    }
    match GameResult::read_of(game.players(), raw) {
        // `1-0` names the side that moves first.
        Reading::Guess(_)
            if game.variant().is_some() || Turn::at_start(game, false).side().is_none() =>
        {
            Reading::Unknown
        }
        read => read,
    }
}
