//! Sides of a game: black and white, or up to four colors.

use std::fmt;

use crate::value::{Color, ValueError};

/// Color that plays. Black is the first, White the second; some games have a third and a fourth (spec P-15 to P-17).
///
/// ```
/// use sgfstream_game::Side;
///
/// assert_eq!(Side::parse(b"4"), Ok(Side::Fourth));
/// assert_eq!(Side::Black.opponent(), Side::White);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Side {
    /// `B`, or the color `1`.
    Black,
    /// `W`, or the color `2`.
    White,
    /// The color `3`.
    Third,
    /// The color `4`.
    Fourth,
}

impl Side {
    /// All four sides, in order of play.
    pub const ALL: [Self; 4] = [Self::Black, Self::White, Self::Third, Self::Fourth];

    /// Returns the side of a color, from 1, as in [`RawMove`](crate::RawMove). Color 5 is the first side again.
    ///
    /// ```
    /// use sgfstream_game::Side;
    ///
    /// assert_eq!([1, 2, 4].map(Side::of_color), [Side::Black, Side::White, Side::Fourth]);
    /// ```
    #[must_use]
    #[inline]
    pub const fn of_color(color: u8) -> Self {
        Self::ALL[color.wrapping_sub(1) as usize % Self::ALL.len()]
    }

    /// Returns the color, from 1, as [`of_color`](Self::of_color) takes it.
    #[must_use]
    #[inline]
    pub const fn color(self) -> u8 {
        self as u8 + 1
    }

    /// Returns the index in the order of play, from 0.
    #[must_use]
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// Parses a value of `PL`, or the identifier of a move: `B`, `W`, and in Pentobi's games `1` to `4` (spec P-44).
    ///
    /// # Errors
    ///
    /// The value is not one of these.
    pub fn parse(raw: &[u8]) -> Result<Self, ValueError> {
        match raw {
            b"B" | b"1" => Ok(Self::Black),
            b"W" | b"2" => Ok(Self::White),
            b"3" => Ok(Self::Third),
            b"4" => Ok(Self::Fourth),
            _ => Err(ValueError::syntax("`B`, `W`, or a color from `1` to `4`", raw)),
        }
    }

    /// Returns the side that a value of `PL` names, read leniently: it may be `black`, `White` or `b`.
    #[must_use]
    pub fn named(raw: &[u8]) -> Option<Self> {
        match Color::parse_lenient(raw) {
            Ok(color) => Some(Self::of_color(color.value as u8)),
            Err(_) => Self::parse(raw).ok(),
        }
    }

    /// Returns the name for a sentence: `Black`, `White`, `color 3` or `color 4`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        ["Black", "White", "color 3", "color 4"][self.index()]
    }

    /// Returns the letter for tables and boards: `B`, `W`, `3` or `4`.
    ///
    /// ```
    /// use sgfstream_game::Side;
    ///
    /// assert_eq!(Side::ALL.map(Side::letter), ["B", "W", "3", "4"]);
    /// assert_eq!(Side::parse(Side::Third.letter().as_bytes()), Ok(Side::Third));
    /// ```
    #[must_use]
    #[inline]
    pub const fn letter(self) -> &'static str {
        ["B", "W", "3", "4"][self as usize]
    }

    /// Returns the other side of the pair: Black and White, or `Third` and `Fourth`.
    #[must_use]
    #[inline]
    pub const fn opponent(self) -> Self {
        match self {
            Self::Black => Self::White,
            Self::White => Self::Black,
            Self::Third => Self::Fourth,
            Self::Fourth => Self::Third,
        }
    }
}

crate::value::parses!(Side);

impl fmt::Display for Side {
    /// Prints `black`, `white`, `color 3` or `color 4`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Black => "black",
            Self::White => "white",
            Self::Third => "color 3",
            Self::Fourth => "color 4",
        })
    }
}
