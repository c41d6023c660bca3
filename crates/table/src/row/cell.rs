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

/// Maximum bytes of a text in a key.
const KEY: usize = 4096;

impl Cell<'_> {
    /// Appends the value to a key by which rows are sorted. The order of the bytes is the order of
    /// the values, and no value is a prefix of another. Missing values come last in both
    /// directions. Only the first 4 KiB of a text count.
    pub fn push_key(self, is_reversed: bool, key: &mut Vec<u8>) {
        const SIGN: u64 = 1 << 63;
        key.push(u8::from(self == Self::Null));
        let start = key.len();
        match self {
            Self::Null => {}
            Self::Int(number) => key.extend_from_slice(&(number as u64 ^ SIGN).to_be_bytes()),
            Self::Float(number) => {
                // -0 equals 0.
                let bits = (number + 0.0).to_bits();
                let bits = if bits & SIGN == 0 { bits | SIGN } else { !bits };
                key.extend_from_slice(&bits.to_be_bytes());
            }
            Self::Bool(value) => key.push(value.into()),
            cell => {
                // Dates sort as text. A byte 0 inside a text is followed by 255; two zeros end the
                // text.
                for byte in cell.to_string().bytes().take(KEY) {
                    key.push(byte);
                    if byte == 0 {
                        key.push(255);
                    }
                }
                key.extend_from_slice(&[0, 0]);
            }
        }
        if is_reversed {
            key[start..].iter_mut().for_each(|byte| *byte = !*byte);
        }
    }
}

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_order_of_bytes_is_that_of_values() {
        let key = |cell: Cell<'_>, is_reversed| {
            let mut record = Vec::new();
            cell.push_key(is_reversed, &mut record);
            record
        };
        for cells in [
            vec![
                Cell::Int(i64::MIN),
                Cell::Int(-1),
                Cell::Int(0),
                Cell::Int(7),
                Cell::Int(i64::MAX),
            ],
            vec![
                Cell::Float(-1e9),
                Cell::Float(-0.5),
                Cell::Float(0.0),
                Cell::Float(6.5),
                Cell::Float(1e300),
            ],
            vec![
                Cell::Text(""),
                Cell::Text("\0"),
                Cell::Text("\0a"),
                Cell::Text("a"),
                Cell::Text("a\0"),
                Cell::Text("ab"),
            ],
            vec![Cell::Bool(false), Cell::Bool(true)],
        ] {
            for pair in cells.windows(2) {
                assert!(key(pair[0], false) < key(pair[1], false), "{pair:?}");
                assert!(key(pair[0], true) > key(pair[1], true), "{pair:?}");
                assert!(
                    key(pair[1], false) < key(Cell::Null, false)
                        && key(pair[1], true) < key(Cell::Null, true)
                );
            }
        }
        assert_eq!(key(Cell::Float(0.0), false), key(Cell::Float(-0.0), false));
    }
}
