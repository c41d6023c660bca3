//! A value of a row, and its type.

use std::fmt;

use sgfstream_game::value::Date;

/// Type of the values of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ColumnType {
    /// Text, UTF-8.
    Text,
    /// A whole number, 64 bits with sign.
    Int,
    /// A number, `f64`, finite.
    Float,
    /// A day of the Gregorian calendar.
    Date,
    /// True or false.
    Bool,
}

impl ColumnType {
    /// `text`, `int`, `float`, `date` or `bool`.
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

    /// True for the types that can be counted with.
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

/// One value, or none.
///
/// ```
/// use sgfstream_table::row::Cell;
///
/// assert_eq!(Cell::Float(6.5).to_string(), "6.5");
/// assert_eq!(Cell::Null.to_string(), "");
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Cell<'a> {
    /// The game does not say, or it could not be understood.
    Null,
    /// Of a [`ColumnType::Text`] column.
    Text(&'a str),
    /// Of a [`ColumnType::Int`] column.
    Int(i64),
    /// Of a [`ColumnType::Float`] column.
    Float(f64),
    /// Of a [`ColumnType::Date`] column: complete, year, month and day.
    Date(Date),
    /// Of a [`ColumnType::Bool`] column.
    Bool(bool),
}

impl Cell<'_> {
    /// True if there is no value.
    #[must_use]
    pub const fn is_null(&self) -> bool {
        matches!(self, Self::Null)
    }
}

/// The value as a table shows it; nothing for [`Cell::Null`].
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
