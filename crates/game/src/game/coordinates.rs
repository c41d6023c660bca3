//! Notation of cells: two letters, or column letters and a row number. Numbers count from 0 here,
//! whatever the text counts from. The dialect decides whether rows are counted from the top or from
//! the bottom.

use std::fmt;

use crate::value::Point;

use super::BoardCell;

/// Notation of points and moves.
///
/// ```
/// use sgfstream_game::{Coordinates, Dialect, Game};
///
/// let go = Dialect::new(Game::Go, None);
/// let point = go.parse_point(b"pd")?;
/// assert_eq!(go.show_point_in(point, Coordinates::Gtp).to_string(), "Q16");
/// assert_eq!(go.show_point_in(point, Coordinates::Sgf).to_string(), "pd");
/// # Ok::<(), sgfstream_game::board::Fault>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Coordinates {
    /// Notation of the format: `pd`.
    #[default]
    Sgf,
    /// Notation of players and of the Go Text Protocol (GTP): column letters, and a row number from
    /// the bottom, `Q16`. In Go no column is called I, and after Z comes AA; Gomoku and Amazons
    /// have a column I. Kropki, and games that the format writes with letters and numbers, keep the
    /// format's notation.
    Gtp,
}

/// Letters that name columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Columns {
    /// All letters.
    All,
    /// All letters but `I`, which looks like `1`: the custom of Go.
    WithoutI,
}

impl Columns {
    const fn count(self) -> u16 {
        match self {
            Self::All => 26,
            Self::WithoutI => 25,
        }
    }
}

/// Returns the number of a letter, from 0: `a`–`z` are 0–25, `A`–`Z` are 26–51 (spec PT-02).
///
/// ```
/// use sgfstream_game::board::letter_index;
///
/// assert_eq!(
///     (letter_index(b'a'), letter_index(b'Z'), letter_index(b'1')),
///     (Some(0), Some(51), None)
/// );
/// ```
#[must_use]
#[inline]
pub const fn letter_index(letter: u8) -> Option<u16> {
    let index = Point::coordinate(letter);
    if index < Point::MAX {
        Some(index as u16)
    } else {
        None
    }
}

/// Returns the letter of a number from 0 to 51, the inverse of [`letter_index`].
///
/// ```
/// use sgfstream_game::board::index_letter;
///
/// assert_eq!((index_letter(26), index_letter(52)), (Some('A'), None));
/// ```
#[must_use]
pub const fn index_letter(index: u16) -> Option<char> {
    match index {
        0..=25 => Some((b'a' + index as u8) as char),
        26..=51 => Some((b'A' + (index - 26) as u8) as char),
        _ => None,
    }
}

/// Parses two letters as a cell: column and row (spec PT-01, PT-02).
#[inline]
pub(super) fn read_pair(raw: &[u8]) -> Option<BoardCell> {
    let &[column, row] = raw else { return None };
    Some(BoardCell::new(letter_index(column)?, letter_index(row)?))
}

/// Parses column letters, in any case, and a row number, which becomes a number from 0: `a1` is
/// `(0, 0)`, `aa1` is `(26, 0)`, `zz1` is `(701, 0)` (spec P-25 to P-29, H-07, H-25). Rejects a row
/// number with a leading zero.
pub(super) fn read_lettered(raw: &[u8]) -> Option<(u16, u16)> {
    read_lettered_in(raw, Columns::All)
}

/// Parses as `read_lettered` does, with `columns` as the letters of columns.
pub(super) fn read_lettered_in(raw: &[u8], columns: Columns) -> Option<(u16, u16)> {
    let letters = raw
        .iter()
        .take_while(|byte| byte.is_ascii_alphabetic())
        .count();
    let (letters, digits) = raw.split_at(letters);
    if letters.is_empty() || digits.is_empty() || digits[0] == b'0' {
        return None;
    }
    let mut column: u16 = 0;
    for letter in letters {
        let digit = match (columns, letter.to_ascii_lowercase()) {
            (Columns::WithoutI, b'i') => return None,
            (Columns::WithoutI, letter @ b'j'..) => u16::from(letter - b'a'),
            (_, letter) => u16::from(letter - b'a') + 1,
        };
        column = column.checked_mul(columns.count())?.checked_add(digit)?;
    }
    let mut row: u16 = 0;
    for digit in digits {
        if !digit.is_ascii_digit() {
            return None;
        }
        row = row.checked_mul(10)?.checked_add(u16::from(digit - b'0'))?;
    }
    Some((column - 1, row - 1))
}

/// Prints `column` in letters from `first`, which is `a` or `A`: 0 is `a`, 26 is `aa`.
fn write_column(
    f: &mut fmt::Formatter<'_>,
    column: u16,
    first: u8,
    columns: Columns,
) -> fmt::Result {
    // Four letters are enough, because three letters of 25 reach only 25 + 25² + 25³ = 16275, and
    // four exceed u16.
    let mut letters = [0u8; 4];
    let mut at = letters.len();
    let mut rest = u32::from(column) + 1;
    while rest > 0 {
        at -= 1;
        let digit = ((rest - 1) % u32::from(columns.count())) as u8;
        letters[at] = first + digit + u8::from(columns == Columns::WithoutI && digit >= 8);
        rest = (rest - 1) / u32::from(columns.count());
    }
    f.write_str(std::str::from_utf8(&letters[at..]).expect("ASCII letters"))
}

/// Prints a cell as column letters and a row number, from 0-based `column` and `row`.
pub(super) fn write_lettered(f: &mut fmt::Formatter<'_>, column: u16, row: u16) -> fmt::Result {
    write_column(f, column, b'a', Columns::All)?;
    write!(f, "{}", u32::from(row) + 1)
}

/// Prints a cell as capital letters and a number, which counts from 1.
pub(super) fn write_capitals(
    f: &mut fmt::Formatter<'_>,
    column: u16,
    rank: u32,
    columns: Columns,
) -> fmt::Result {
    write_column(f, column, b'A', columns)?;
    write!(f, "{rank}")
}

/// Prints a cell as two letters, with `?` for a number that no letter has.
pub(super) fn write_pair(f: &mut fmt::Formatter<'_>, field: BoardCell) -> fmt::Result {
    for index in [field.column, field.row] {
        write!(f, "{}", index_letter(index).unwrap_or('?'))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Lettered(u16, u16);

    impl fmt::Display for Lettered {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            write_lettered(f, self.0, self.1)
        }
    }

    #[test]
    fn columns_are_bijective_base_26() {
        for (raw, column) in [
            ("a1", 0),
            ("z1", 25),
            ("aa1", 26),
            ("az1", 51),
            ("ba1", 52),
            ("zz1", 701),
            ("aaa1", 702),
        ] {
            assert_eq!(read_lettered(raw.as_bytes()), Some((column, 0)));
            assert_eq!(Lettered(column, 0).to_string(), raw);
        }
        for index in 0..=u16::MAX - 1 {
            let text = Lettered(index, index).to_string();
            assert_eq!(
                read_lettered(text.as_bytes()),
                Some((index, index)),
                "{text}"
            );
        }
    }

    #[test]
    fn columns_without_i() {
        struct Capitals(u16);
        impl fmt::Display for Capitals {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write_capitals(f, self.0, 7, Columns::WithoutI)
            }
        }
        for (name, column) in [
            ("A7", 0),
            ("H7", 7),
            ("J7", 8),
            ("Z7", 24),
            ("AA7", 25),
            ("AJ7", 33),
            ("BB7", 51),
        ] {
            assert_eq!(Capitals(column).to_string(), name);
        }
        for column in 0..=u16::MAX - 1 {
            let text = Capitals(column).to_string();
            assert_eq!(
                read_lettered_in(text.as_bytes(), Columns::WithoutI),
                Some((column, 6)),
                "{text}"
            );
        }
        assert_eq!(read_lettered_in(b"I5", Columns::WithoutI), None);
        assert_eq!(read_lettered_in(b"j5", Columns::WithoutI), Some((8, 4)));
    }

    #[test]
    fn invalid_cells() {
        for raw in [
            "", "a", "1", "a0", "a01", "1a", "a-1", "a 1", " a1", "a1 ", "a65536", "zzzz1", "ä1",
            "a1b",
        ] {
            assert_eq!(read_lettered(raw.as_bytes()), None, "{raw}");
        }
    }

    #[test]
    fn all_pairs() {
        for byte in 0..=255u8 {
            if let Some(index) = letter_index(byte) {
                assert_eq!(index_letter(index), Some(char::from(byte)));
            }
        }
    }
}
