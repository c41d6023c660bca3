//! Types of the values of properties, with their names in the tables.

use std::fmt;

/// Type of the values of a property.
///
/// ```
/// use sgfstream_game::ValueType;
///
/// assert_eq!(ValueType::LABEL.to_string(), "point:simpletext");
/// assert_eq!(ValueType::FIGURE.to_string(), "none or number:simpletext");
/// assert!(ValueType::Text.is_text() && !ValueType::LABEL.is_text());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ValueType {
    /// Nothing between the brackets.
    None,
    /// A whole number.
    Number,
    /// A real number.
    Real,
    /// `1` or `2`.
    Double,
    /// `B` or `W`.
    Color,
    /// A text of one line.
    SimpleText,
    /// A text of several lines.
    Text,
    /// A point, in the game's syntax.
    Point,
    /// A move, in the game's syntax.
    Move,
    /// A stone, in the game's syntax; a point in most games (spec V-07).
    Stone,
    /// Two values with `:` between them.
    Compose(&'static Self, &'static Self),
    /// Either of two types.
    Either(&'static Self, &'static Self),
    /// Kropki: a dotted sequence of border points.
    StopSequence,
    /// Pentobi: the points of a whole piece, with commas (spec P-34).
    Piece,
    /// Pentobi: `B`, `W`, `1`, `2`, `3` or `4` (spec P-44).
    AnyColor,
    /// GoRilla: a board size in one or two letters (spec G-12).
    SizeLetters,
    /// Boardspace: a counter, a verb, its operands.
    Action,
    /// Undocumented (CI, DG).
    Unknown,
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
    pub const FIGURE: Self = Self::Either(&Self::None, &Self::Compose(&Self::Number, &Self::SimpleText));
    /// Type of SZ.
    pub const SIZE: Self = Self::Either(&Self::Number, &Self::Compose(&Self::Number, &Self::Number));
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

/// Prints the name in the tables: `point:simpletext`, `none or number`.
impl fmt::Display for ValueType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Compose(first, second) => return write!(f, "{first}:{second}"),
            Self::Either(one, other) => return write!(f, "{one} or {other}"),
            Self::None => "none",
            Self::Number => "number",
            Self::Real => "real",
            Self::Double => "double",
            Self::Color => "color",
            Self::SimpleText => "simpletext",
            Self::Text => "text",
            Self::Point => "point",
            Self::Move => "move",
            Self::Stone => "stone",
            Self::StopSequence => "stop sequence",
            Self::Piece => "piece",
            Self::AnyColor => "color of two to four",
            Self::SizeLetters => "size in letters",
            Self::Action => "action",
            Self::Unknown => "unknown",
        })
    }
}
