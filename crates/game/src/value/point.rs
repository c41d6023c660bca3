//! Two-letter points, as in Go, Gomoku, Amazons, Gess and Kropki: column, then row, `a`–`z` for
//! 1–26 and `A`–`Z` for 27–52, from the upper left corner (FF\[4\] Go, spec PT-01, PT-02). This
//! module knows no rules of these games.

use std::fmt;

use super::lenient::{reads, without_blanks};
use super::{BoardSize, Reading, Repair, ValueError, ValueErrorKind};

/// Completes "expected …" in errors.
const EXPECTED: &str = "a point: two letters, column and row";

/// Point written with two letters. Both coordinates count from 0, from the upper left corner, and
/// are below 52.
///
/// ```
/// use sgfstream_game::value::Point;
///
/// let point = Point::parse(b"pd").expect("two letters");
/// assert_eq!((point.column(), point.row()), (15, 3));
/// assert_eq!(Point::new(0, 26).expect("below 52").to_string(), "aA");
/// assert!(Point::parse(b"p4").is_err());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Point {
    // Row first, so that the derived order is the order of reading.
    row: u8,
    column: u8,
}

impl Point {
    /// Number of columns and rows that letters can name.
    pub const MAX: u8 = 52;

    /// Returns the point at this column and row, both from 0; `None` if one is 52 or more.
    #[must_use]
    #[inline]
    pub const fn new(column: u8, row: u8) -> Option<Self> {
        if column < Self::MAX && row < Self::MAX {
            Some(Self { row, column })
        } else {
            None
        }
    }

    /// Returns the column, from 0, counted from the left.
    #[must_use]
    #[inline]
    pub const fn column(self) -> u8 {
        self.column
    }

    /// Returns the row, from 0, counted from the top.
    #[must_use]
    #[inline]
    pub const fn row(self) -> u8 {
        self.row
    }

    /// Returns whether the point is on a board of this size.
    #[must_use]
    #[inline]
    pub const fn is_on(self, size: BoardSize) -> bool {
        (self.column as u32) < size.columns() && (self.row as u32) < size.rows()
    }

    /// Parses the value strictly: exactly two ASCII letters.
    ///
    /// # Errors
    ///
    /// The value is not two ASCII letters.
    #[inline]
    pub fn parse(raw: &[u8]) -> Result<Self, ValueError> {
        if let &[column, row] = raw
            && let Some(point) = Self::new(
                COORDINATES[usize::from(column)],
                COORDINATES[usize::from(row)],
            )
        {
            return Ok(point);
        }
        Err(ValueError::syntax(EXPECTED, raw))
    }

    /// Parses a point strictly and checks that it is on a board of this size (spec Q-09).
    ///
    /// ```
    /// use sgfstream_game::value::{BoardSize, Point, ValueErrorKind};
    ///
    /// let err = Point::parse_on(b"tt", BoardSize::square(19)).expect_err("column 20");
    /// assert_eq!(err.kind, ValueErrorKind::OffBoard);
    /// ```
    ///
    /// # Errors
    ///
    /// The value is not two letters, or the point is off the board.
    #[inline]
    pub fn parse_on(raw: &[u8], size: BoardSize) -> Result<Self, ValueError> {
        let point = Self::parse(raw)?;
        if point.is_on(size) {
            Ok(point)
        } else {
            Err(off_board(raw))
        }
    }

    /// Reads the value leniently, for any board: ignores white space (spec E-03, Q-57).
    #[must_use]
    pub fn read(raw: &[u8]) -> Reading<Self> {
        match Self::parse(raw) {
            Ok(point) => Reading::as_written(point),
            Err(_) => Self::parse(&without_blanks(raw)).map_or(Reading::Unknown, |point| {
                Reading::repaired(point, Repair::Blanks)
            }),
        }
    }
}

impl Point {
    /// Returns the coordinate of a letter, from 0; [`MAX`](Self::MAX) for other bytes.
    #[must_use]
    #[inline(always)]
    pub const fn coordinate(letter: u8) -> u8 {
        COORDINATES[letter as usize]
    }

    /// Returns its two letters: the column, then the row.
    ///
    /// ```
    /// use sgfstream_game::value::Point;
    ///
    /// assert_eq!(Point::parse(b"pD").map(Point::letters), Ok(*b"pD"));
    /// ```
    #[must_use]
    pub const fn letters(self) -> [u8; 2] {
        [letter(self.column), letter(self.row)]
    }
}

reads!(Point);

/// Coordinate of each letter, from 0; [`Point::MAX`] for other bytes.
// Each move looks up two letters. Comparing them with the ends of both alphabets takes three times
// as many instructions.
const COORDINATES: [u8; 256] = {
    let mut coordinates = [Point::MAX; 256];
    let mut at = 0;
    while at < Point::MAX {
        coordinates[letter(at) as usize] = at;
        at += 1;
    }
    coordinates
};

/// Returns the letter of a coordinate below 52.
const fn letter(coordinate: u8) -> u8 {
    if coordinate < 26 {
        b'a' + coordinate
    } else {
        b'A' + (coordinate - 26)
    }
}

#[cold]
pub(super) fn off_board(raw: &[u8]) -> ValueError {
    ValueError::new(ValueErrorKind::OffBoard, "a point on the board", raw)
}

impl fmt::Display for Point {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{}{}",
            letter(self.column) as char,
            letter(self.row) as char
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_point_reads_back() {
        for column in 0..Point::MAX {
            for row in 0..Point::MAX {
                let point = Point::new(column, row).expect("below 52");
                assert_eq!(Point::parse(point.to_string().as_bytes()), Ok(point));
            }
        }
        assert!(Point::new(52, 0).is_none() && Point::new(0, 52).is_none());
    }

    #[test]
    fn each_byte_has_its_coordinate() {
        for byte in 0..=u8::MAX {
            let coordinate = match byte {
                b'a'..=b'z' => byte - b'a',
                b'A'..=b'Z' => byte - b'A' + 26,
                _ => Point::MAX,
            };
            assert_eq!(COORDINATES[usize::from(byte)], coordinate, "{byte}");
        }
    }

    #[test]
    fn letters() {
        for (raw, at) in [
            ("aa", (0, 0)),
            ("pd", (15, 3)),
            ("aA", (0, 26)),
            ("ZZ", (51, 51)),
            ("zA", (25, 26)),
        ] {
            let point = Point::parse(raw.as_bytes()).expect(raw);
            assert_eq!((point.column(), point.row()), at, "{raw}");
        }
        for raw in [
            "", "a", "aaa", "a1", "a ", " aa", "a\n", "\\aa", "a:a", "äa",
        ] {
            assert!(Point::parse(raw.as_bytes()).is_err(), "{raw:?}");
        }
    }
}
