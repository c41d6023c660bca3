//! Values of a row, and their types.

use std::fmt;

use sgfstream_game::value::Date;

/// Type of the values in a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ColumnType {
    /// UTF-8 text.
    Text,
    /// A signed 64-bit integer.
    Int,
    /// A finite `f64`.
    Float,
    /// A day of the Gregorian calendar.
    Date,
    /// True or false.
    Bool,
}

impl ColumnType {
    /// Returns `text`, `int`, `float`, `date` or `bool`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Text => "text",
            Self::Int => "int",
            Self::Float => "float",
            Self::Date => "date",
            Self::Bool => "bool",
        }
    }

    /// Returns whether values of the type are numbers.
    #[must_use]
    pub const fn is_number(self) -> bool {
        matches!(self, Self::Int | Self::Float)
    }
}

impl fmt::Display for ColumnType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// Value of a column in a row, or NULL.
///
/// ```
/// use sgfstream_table::row::Cell;
///
/// assert_eq!(Cell::Float(6.5).to_string(), "6.5");
/// assert_eq!(Cell::Null.to_string(), "");
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Cell<'a> {
    /// The game has no value, or it could not be read.
    Null,
    /// Value of a [`ColumnType::Text`] column.
    Text(&'a str),
    /// Value of a [`ColumnType::Int`] column.
    Int(i64),
    /// Value of a [`ColumnType::Float`] column.
    Float(f64),
    /// Value of a [`ColumnType::Date`] column, always with year, month and day.
    Date(Date),
    /// Value of a [`ColumnType::Bool`] column.
    Bool(bool),
}

impl Cell<'_> {}

/// Writes the value for a table; [`Cell::Null`] becomes an empty text.
impl fmt::Display for Cell<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Null => Ok(()),
            Self::Text(text) => f.write_str(text),
            Self::Int(number) => write!(f, "{number}"),
            Self::Float(number) => write!(f, "{number}"),
            Self::Date(date) => write!(f, "{date}"),
            Self::Bool(value) => write!(f, "{value}"),
        }
    }
}
