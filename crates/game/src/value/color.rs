//! Color: `B` or `W` (FF\[4\] basics, spec V-05).

use std::fmt;

use super::lenient::{reads, without_blanks};
use super::{Reading, Repair, ValueError};

/// One of the two players.
///
/// ```
/// use sgfstream_game::value::Color;
///
/// assert_eq!(Color::parse(b"W"), Ok(Color::White));
/// assert!(Color::parse(b"w").is_err());
/// assert_eq!(Color::White.other().to_string(), "B");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Color {
    /// `B`.
    Black = 1,
    /// `W`.
    White,
}

impl Color {
    /// Returns the other color.
    #[must_use]
    pub const fn other(self) -> Self {
        match self {
            Self::Black => Self::White,
            Self::White => Self::Black,
        }
    }

    /// Parses the value strictly.
    ///
    /// # Errors
    ///
    /// The value is neither `B` nor `W`.
    // Color = ("B" | "W")      (FF[4], EBNF)
    pub fn parse(raw: &[u8]) -> Result<Self, ValueError> {
        match raw {
            b"B" => Ok(Self::Black),
            b"W" => Ok(Self::White),
            _ => Err(ValueError::syntax("`B` or `W`", raw)),
        }
    }

    /// Reads the value leniently: ignores blanks and accepts small letters (spec Q-23), `black` and
    /// `white` in any case (spec Q-29), and `1` and `2` of older files.
    #[must_use]
    pub fn read(raw: &[u8]) -> Reading<Self> {
        if let Ok(value) = Self::parse(raw) {
            return Reading::as_written(value);
        }
        let bytes = without_blanks(raw);
        match (&*bytes, &*bytes.to_ascii_lowercase()) {
            (b"B", _) => Reading::repaired(Self::Black, Repair::Blanks),
            (b"W", _) => Reading::repaired(Self::White, Repair::Blanks),
            (_, b"b") => Reading::repaired(Self::Black, Repair::Case),
            (_, b"w") => Reading::repaired(Self::White, Repair::Case),
            (b"1", _) => Reading::repaired(Self::Black, Repair::Spelling),
            (b"2", _) => Reading::repaired(Self::White, Repair::Spelling),
            (_, b"black") => Reading::repaired(Self::Black, Repair::Words),
            (_, b"white") => Reading::repaired(Self::White, Repair::Words),
            _ => Reading::Unknown,
        }
    }
}

reads!(Color);

impl fmt::Display for Color {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Black => "B",
            Self::White => "W",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::LenientValue;
    use super::*;

    #[test]
    fn strict() {
        for value in [Color::Black, Color::White] {
            assert_eq!(Color::parse(value.to_string().as_bytes()), Ok(value));
        }
        for raw in ["", "b", "w", "B ", " W", "Black", "BW", "1"] {
            assert!(Color::parse(raw.as_bytes()).is_err(), "{raw:?}");
        }
    }

    #[test]
    fn lenient() {
        for (raw, value, repair) in [
            ("B", Color::Black, None),
            (" W\n", Color::White, Some(Repair::Blanks)),
            ("b", Color::Black, Some(Repair::Case)),
            ("w", Color::White, Some(Repair::Case)),
            ("Black", Color::Black, Some(Repair::Words)),
            ("WHITE", Color::White, Some(Repair::Words)),
            ("1", Color::Black, Some(Repair::Spelling)),
            ("2", Color::White, Some(Repair::Spelling)),
        ] {
            assert_eq!(
                Color::parse_lenient(raw.as_bytes()),
                Ok(LenientValue { value, repair }),
                "{raw:?}"
            );
        }
        for raw in ["", "red", "bw"] {
            assert!(Color::parse_lenient(raw.as_bytes()).is_err(), "{raw:?}");
        }
    }
}
