//! Typed values other than texts and points. This is the only conversion from bytes to typed values, for the checker,
//! the repairs, tables and statistics. The [`Dialect`](super::Dialect) parses points, moves and stones.

use std::fmt;

use crate::value::{
    BoardSize, Color, Dates, Double, Figure, GameResult, Komi, LenientValue, NoValue, Number, Reading, Real, Time,
    ValueError,
};

use super::{Definition, Game, ValueType, Version};

/// Takes one row for each type.
macro_rules! typed {
    ($($variant:ident($type:ty) $doc:literal)*) => {
        /// Value of one of the types that [`Definition::read`] reads. `Display` prints it as FF\[4\] spells it.
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

    /// Parses a value strictly in `game`. Returns `None` for texts, and for values in the game's own syntax.
    #[must_use]
    pub fn parse(&self, game: Game, raw: &[u8]) -> Option<Result<TypedValue, ValueError>> {
        Some(self.form()?.parse(game, raw))
    }

    /// Reads a value leniently in `game`. Returns its meaning, its certainty, and the repair that was needed. Returns
    /// `None` for the same values as [`parse`](Self::parse).
    ///
    /// ```
    /// use sgfstream_game::{Definition, Game, TypedValue};
    ///
    /// let re = Definition::rows(b"RE").first().expect("in the table");
    /// let read = re.read(Game::Go, b"Black resigns").expect("a typed value").sure().expect("one meaning");
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
            Self::None => NoValue::parse(raw).map(TypedValue::None),
            Self::Number => Number::parse(raw).map(TypedValue::Number),
            Self::Real => Real::parse(raw).map(TypedValue::Real),
            Self::Double => Double::parse(raw).map(TypedValue::Double),
            Self::Color => Color::parse(raw).map(TypedValue::Color),
            Self::Figure => Figure::parse(raw).map(TypedValue::Figure),
            Self::Version => Version::parse(raw).map(TypedValue::Version),
            Self::Size => game.parse_size(raw).map(TypedValue::Size),
            Self::Dates => Dates::parse(raw).map(TypedValue::Dates),
            Self::Result if game == Game::Backgammon => GameResult::parse_backgammon(raw).map(TypedValue::Result),
            Self::Result => GameResult::parse(raw).map(TypedValue::Result),
            Self::Time => Time::parse(raw).map(TypedValue::Time),
            Self::Komi => Komi::parse(raw).map(TypedValue::Komi),
        }
    }

    fn read(self, game: Game, raw: &[u8]) -> Reading<TypedValue> {
        match self {
            Self::None => NoValue::read(raw).map(TypedValue::None),
            Self::Number => Number::read(raw).map(TypedValue::Number),
            Self::Real => Real::read(raw).map(TypedValue::Real),
            Self::Double => Double::read(raw).map(TypedValue::Double),
            Self::Color => Color::read(raw).map(TypedValue::Color),
            Self::Figure => Figure::read(raw).map(TypedValue::Figure),
            Self::Version => Version::read(raw).map(TypedValue::Version),
            Self::Size => game.read_size(raw).map(TypedValue::Size),
            Self::Dates => Dates::read(raw).map(TypedValue::Dates),
            Self::Result => read_result(game, raw).map(TypedValue::Result),
            Self::Time => Time::read(raw).map(TypedValue::Time),
            Self::Komi => Komi::read(raw).map(TypedValue::Komi),
        }
    }
}

fn read_result(game: Game, raw: &[u8]) -> Reading<GameResult> {
    if game == Game::Backgammon
        && let Ok(result) = GameResult::parse_backgammon(raw)
    {
        return Reading::Sure(LenientValue::as_written(result));
    }
    match GameResult::read(raw) {
        // `1-0` names the side that moves first.
        Reading::Guess(_) if !begins_with_black(game) => Reading::Unknown,
        read => read,
    }
}

/// Returns whether the rules of the game give Black the first move.
fn begins_with_black(game: Game) -> bool {
    use Game::{Go, Gomoku, Havannah, Hex, LinesOfAction, Othello};
    matches!(game, Go | Othello | Gomoku | LinesOfAction | Hex | Havannah)
}
