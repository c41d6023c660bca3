//! Values of lists of points: points and rectangles `ul:lr` (FF\[4\] basics, "compressed point
//! lists"; spec PT-03 to PT-08).

use std::fmt;

use super::lenient::{reads, without_blanks};
use super::{BoardSize, Point, PointSet, Reading, Repair, ValueError, ValueErrorKind};

/// Completes "expected …" in errors.
const EXPECTED: &str = "a point, or the upper left and lower right corners of a rectangle";

/// One value of a list of points: a single point, or a rectangle of points.
///
/// ```
/// use sgfstream_game::value::PointEntry;
///
/// let entry = PointEntry::parse(b"ac:ic").expect("nine points");
/// assert_eq!(entry.len(), 9);
/// assert_eq!(entry.points().last().expect("a point").to_string(), "ic");
/// assert!(PointEntry::parse(b"aa:aa").is_err()); // spec PT-04
/// assert!(PointEntry::parse(b"cc:aa").is_err()); // spec PT-05
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PointEntry {
    upper_left: Point,
    lower_right: Point,
}

impl PointEntry {
    /// Returns the rectangle between two opposite corners, in any order. Equal corners give a
    /// single point.
    #[must_use]
    pub fn between(corner: Point, other: Point) -> Self {
        let at =
            |column: u8, row: u8| Point::new(column, row).expect("both are coordinates of a point");
        Self {
            upper_left: at(
                corner.column().min(other.column()),
                corner.row().min(other.row()),
            ),
            lower_right: at(
                corner.column().max(other.column()),
                corner.row().max(other.row()),
            ),
        }
    }

    /// Returns the upper left corner.
    #[must_use]
    pub const fn upper_left(self) -> Point {
        self.upper_left
    }

    /// Returns the lower right corner; a single point is both corners.
    #[must_use]
    pub const fn lower_right(self) -> Point {
        self.lower_right
    }

    /// Returns the point if the entry is a single point.
    #[must_use]
    pub fn as_point(self) -> Option<Point> {
        (self.upper_left == self.lower_right).then_some(self.upper_left)
    }

    /// Returns the number of points, 1 to 2704.
    #[must_use]
    #[expect(clippy::len_without_is_empty, reason = "never empty")]
    pub const fn len(self) -> usize {
        let columns = self.lower_right.column() - self.upper_left.column() + 1;
        let rows = self.lower_right.row() - self.upper_left.row() + 1;
        columns as usize * rows as usize
    }

    /// Returns the columns as bits; they are the same in all rows.
    #[must_use]
    pub const fn column_bits(self) -> u64 {
        // Both columns are below 52, so that no shift overflows.
        (u64::MAX << self.upper_left.column()) & (u64::MAX >> (63 - self.lower_right.column()))
    }

    /// Inserts the points into `set`, a row at a time, and returns the points that are new to it.
    pub fn insert_into(self, set: &mut PointSet) -> impl Iterator<Item = Point> {
        let columns = self.column_bits();
        (self.upper_left.row()..=self.lower_right.row()).flat_map(move |row| {
            let mut fresh = set.insert_row(row, columns);
            std::iter::from_fn(move || {
                let column = (fresh != 0).then(|| fresh.trailing_zeros() as u8)?;
                fresh &= fresh - 1;
                Point::new(column, row)
            })
        })
    }

    /// Returns the part of the rectangle that is on a board of `size`, if any of it is.
    #[must_use]
    pub fn clipped(self, size: BoardSize) -> Option<Self> {
        let last = |coordinate: u8, count: u32| u32::from(coordinate).min(count - 1) as u8;
        let corner = Point::new(
            last(self.lower_right.column(), size.columns()),
            last(self.lower_right.row(), size.rows()),
        )?;
        self.upper_left
            .is_on(size)
            .then(|| Self::between(self.upper_left, corner))
    }

    /// Returns the points, row by row.
    pub fn points(self) -> impl Iterator<Item = Point> {
        let columns = self.upper_left.column()..=self.lower_right.column();
        (self.upper_left.row()..=self.lower_right.row()).flat_map(move |row| {
            columns
                .clone()
                .filter_map(move |column| Point::new(column, row))
        })
    }

    /// Parses the value strictly.
    ///
    /// # Errors
    ///
    /// [`Syntax`](ValueErrorKind::Syntax) if the value is neither a point nor a rectangle;
    /// [`Rectangle`](ValueErrorKind::Rectangle) if the rectangle has one point or its corners are
    /// in the wrong order.
    // ListOfPoint = "[" Point | Point ":" Point "]" {…}      (FF[4] basics, 3.5.1)
    #[inline(always)]
    pub fn parse(raw: &[u8]) -> Result<Self, ValueError> {
        if raw.len() == 2 {
            let point = Point::parse(raw)?;
            return Ok(Self {
                upper_left: point,
                lower_right: point,
            });
        }
        let (corner, other) = corners(raw)?;
        let entry = Self::between(corner, other);
        if corner == other {
            Err(ValueError::new(
                ValueErrorKind::Rectangle,
                "a rectangle of two points or more",
                raw,
            ))
        } else if entry.upper_left != corner {
            Err(ValueError::new(
                ValueErrorKind::Rectangle,
                "the upper left corner before the lower right",
                raw,
            ))
        } else {
            Ok(entry)
        }
    }

    /// Reads the value leniently: ignores blanks, orders the corners, and reads a rectangle of one
    /// point as that point (spec P-05; quirks.md §3).
    #[must_use]
    pub fn read(raw: &[u8]) -> Reading<Self> {
        if let Ok(entry) = Self::parse(raw) {
            return Reading::as_written(entry);
        }
        let bytes = without_blanks(raw);
        if let Ok(point) = Point::parse(&bytes) {
            return Reading::repaired(Self::between(point, point), Repair::Blanks);
        }
        let Ok((corner, other)) = corners(&bytes) else {
            return Reading::Unknown;
        };
        let entry = Self::between(corner, other);
        let repair = if corner == other {
            Repair::OnePointRectangle
        } else if entry.upper_left != corner {
            Repair::SortedCorners
        } else {
            Repair::Blanks
        };
        Reading::repaired(entry, repair)
    }
}

reads!(PointEntry);

/// Parses two points with a colon between them.
fn corners(raw: &[u8]) -> Result<(Point, Point), ValueError> {
    if let &[column, row, b':', other_column, other_row] = raw
        && let (Ok(corner), Ok(other)) = (
            Point::parse(&[column, row]),
            Point::parse(&[other_column, other_row]),
        )
    {
        return Ok((corner, other));
    }
    Err(ValueError::syntax(EXPECTED, raw))
}

impl fmt::Display for PointEntry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.as_point() {
            Some(point) => point.fmt(f),
            None => write!(f, "{}:{}", self.upper_left, self.lower_right),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    proptest::proptest! {
        #[test]
        fn entries_read_back(a in 0u8..52, b in 0u8..52, c in 0u8..52, d in 0u8..52) {
            let corners = (Point::new(a, b).expect("below 52"), Point::new(c, d).expect("below 52"));
            let entry = PointEntry::between(corners.0, corners.1);
            proptest::prop_assert_eq!(PointEntry::parse(entry.to_string().as_bytes()), Ok(entry));
            proptest::prop_assert_eq!(entry.points().count(), entry.len());
        }
    }
}
