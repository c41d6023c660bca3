//! Who plays: black and white, or one of up to four colours.

use std::fmt;

/// A colour at play. Black is the first, White the second; games for more have
/// a third and a fourth (spec P-15 to P-17).
///
/// ```
/// use sgfstream::game::Side;
///
/// assert_eq!(Side::of_move(b"B"), Some(Side::Black));
/// assert_eq!(Side::of_move(b"4"), Some(Side::Fourth));
/// assert_eq!(Side::of_setup(b"A2"), Some(Some(Side::White)));
/// assert_eq!(Side::of_setup(b"AE"), Some(None));
/// assert_eq!(Side::Black.opponent(), Side::White);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Side {
    /// `B`, or the colour `1`.
    Black,
    /// `W`, or the colour `2`.
    White,
    /// The colour `3`.
    Third,
    /// The colour `4`.
    Fourth,
}

impl Side {
    /// All four, in order of play.
    pub const ALL: [Self; 4] = [Self::Black, Self::White, Self::Third, Self::Fourth];

    /// Its place in the order of play, from 0.
    #[must_use]
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The side that a move property moves: `B`, `W`, `1` to `4`.
    #[must_use]
    #[inline]
    pub const fn of_move(ident: &[u8]) -> Option<Self> {
        match ident {
            b"B" | b"1" => Some(Self::Black),
            b"W" | b"2" => Some(Self::White),
            b"3" => Some(Self::Third),
            b"4" => Some(Self::Fourth),
            _ => None,
        }
    }

    /// What a setup property places: a side's stones, or nothing (`AE`).
    #[must_use]
    pub const fn of_setup(ident: &[u8]) -> Option<Option<Self>> {
        match ident {
            b"AB" | b"A1" => Some(Some(Self::Black)),
            b"AW" | b"A2" => Some(Some(Self::White)),
            b"A3" => Some(Some(Self::Third)),
            b"A4" => Some(Some(Self::Fourth)),
            b"AE" => Some(None),
            _ => None,
        }
    }

    /// The other one of two.
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

impl fmt::Display for Side {
    /// `black`, `white`, `colour 3`, `colour 4`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Black => "black",
            Self::White => "white",
            Self::Third => "colour 3",
            Self::Fourth => "colour 4",
        })
    }
}
