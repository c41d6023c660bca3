//! Lists of points: points and rectangles `ul:lr` in any order, each point at most once (FF\[4\] basics, "compressed
//! point lists"; spec PT-03 to PT-08). Rectangles are expanded lazily.

use std::fmt;

use super::lenient::{reads, without_blanks};
use super::point::off_board;
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
    /// Returns the rectangle between two opposite corners, in any order. Equal corners give a single point.
    #[must_use]
    pub fn between(corner: Point, other: Point) -> Self {
        let at = |column: u8, row: u8| Point::new(column, row).expect("both are coordinates of a point");
        Self {
            upper_left: at(corner.column().min(other.column()), corner.row().min(other.row())),
            lower_right: at(corner.column().max(other.column()), corner.row().max(other.row())),
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
        let corner =
            Point::new(last(self.lower_right.column(), size.columns()), last(self.lower_right.row(), size.rows()))?;
        self.upper_left.is_on(size).then(|| Self::between(self.upper_left, corner))
    }

    /// Returns the points, row by row.
    pub fn points(self) -> impl Iterator<Item = Point> {
        let columns = self.upper_left.column()..=self.lower_right.column();
        (self.upper_left.row()..=self.lower_right.row())
            .flat_map(move |row| columns.clone().filter_map(move |column| Point::new(column, row)))
    }

    /// Parses the value strictly.
    ///
    /// # Errors
    ///
    /// [`Syntax`](ValueErrorKind::Syntax) if the value is neither a point nor a rectangle;
    /// [`Rectangle`](ValueErrorKind::Rectangle) if the rectangle has one point or its corners are in the wrong order.
    // ListOfPoint = "[" Point | Point ":" Point "]" {…}      (FF[4] basics, 3.5.1)
    #[inline]
    pub fn parse(raw: &[u8]) -> Result<Self, ValueError> {
        if raw.len() == 2 {
            let point = Point::parse(raw)?;
            return Ok(Self { upper_left: point, lower_right: point });
        }
        let (corner, other) = corners(raw)?;
        let entry = Self::between(corner, other);
        if corner == other {
            Err(ValueError::new(ValueErrorKind::Rectangle, "a rectangle of two points or more", raw))
        } else if entry.upper_left != corner {
            Err(ValueError::new(ValueErrorKind::Rectangle, "the upper left corner before the lower right", raw))
        } else {
            Ok(entry)
        }
    }

    /// Reads the value leniently: ignores blanks, orders the corners, and reads a rectangle of one point as that point
    /// (spec P-05; quirks.md §3).
    #[must_use]
    pub fn read(raw: &[u8]) -> Reading<Self> {
        if let Ok(entry) = Self::parse(raw) {
            return Reading::as_written(entry);
        }
        let bytes = without_blanks(raw);
        if let Ok(point) = Point::parse(&bytes) {
            return Reading::repaired(Self::between(point, point), Repair::Blanks);
        }
        let Ok((corner, other)) = corners(&bytes) else { return Reading::Unknown };
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
        && let (Ok(corner), Ok(other)) = (Point::parse(&[column, row]), Point::parse(&[other_column, other_row]))
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

/// Iterator over the points of a list's values, each point once. If a value has an error, the error comes before the
/// points that can be read from the value.
///
/// A strict reader accepts a list only without errors; a lenient reader skips the errors. It then gets corners in the
/// right order, and no points that are off the board or repeated, or values that are not points. An empty value is an
/// error here; [`ListKind`](super::ListKind) knows whether a list may be empty.
///
/// Rows of a rectangle are compared as a whole, so that a value costs at most 52 steps beside the points that it
/// yields.
///
/// ```
/// use sgfstream_game::value::{BoardSize, PointList};
///
/// let values = [&b"aa:bb"[..], b"dd", b"bb"];
/// let list = PointList::new(values, BoardSize::square(19));
/// let (points, errors): (Vec<_>, Vec<_>) = list.partition(Result::is_ok);
/// assert_eq!(points.len(), 5);
/// assert_eq!(errors.len(), 1); // `bb` again: spec PT-04
/// ```
#[derive(Clone, Debug)]
pub struct PointList<I> {
    values: I,
    size: BoardSize,
    seen: PointSet,
    /// Rows of the current rectangle that are still to come.
    rows: std::ops::Range<u8>,
    /// Columns of the current rectangle, as bits.
    columns: u64,
    /// The current row. `fresh` has its points that are still to be returned.
    row: u8,
    fresh: u64,
}

impl<'a, I: Iterator<Item = &'a [u8]>> PointList<I> {
    /// Returns an iterator over the points of `values`, on a board of this size.
    pub fn new(values: impl IntoIterator<IntoIter = I>, size: BoardSize) -> Self {
        Self::with_seen(values, size, PointSet::new())
    }

    /// Returns an iterator like `new`, but the points of `seen` count as repeated, because FF\[4\] requires unique
    /// points over several properties (spec A-10).
    pub fn with_seen(values: impl IntoIterator<IntoIter = I>, size: BoardSize, seen: PointSet) -> Self {
        Self { values: values.into_iter(), size, seen, rows: 0..0, columns: 0, row: 0, fresh: 0 }
    }

    /// Returns the points so far, including all points of the current value.
    #[must_use]
    pub fn into_seen(self) -> PointSet {
        self.seen
    }

    /// Starts the next value; returns its error, if it has one.
    fn start(&mut self, raw: &'a [u8]) -> Result<(), ValueError> {
        let strict = PointEntry::parse(raw);
        let entry = match &strict {
            Ok(entry) => *entry,
            Err(_) => match PointEntry::parse_lenient(raw) {
                Ok(read) => read.value,
                Err(err) => return Err(err),
            },
        };
        let (from, to) = (entry.upper_left, entry.lower_right);
        let is_inside = to.is_on(self.size);
        self.columns =
            entry.column_bits() & u64::MAX.checked_shr(64u32.saturating_sub(self.size.columns())).unwrap_or(0);
        let end = (u32::from(to.row()) + 1).min(self.size.rows()) as u8;
        self.rows = from.row().min(end)..end;
        if is_inside && strict.is_ok() && self.rows.clone().any(|row| self.seen.has_any(row, self.columns)) {
            return Err(ValueError::new(ValueErrorKind::Duplicate, "a point that is not in the list already", raw));
        }
        strict.and(if is_inside { Ok(()) } else { Err(off_board(raw)) })
    }
}

impl<'a, I: Iterator<Item = &'a [u8]>> Iterator for PointList<I> {
    type Item = Result<Point, ValueError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if self.fresh != 0 {
                let column = self.fresh.trailing_zeros() as u8;
                self.fresh &= self.fresh - 1;
                return Point::new(column, self.row).map(Ok);
            }
            if let Some(row) = self.rows.next() {
                self.row = row;
                self.fresh = self.seen.insert_row(row, self.columns);
                continue;
            }
            let raw = self.values.next()?;
            if let Err(err) = self.start(raw) {
                return Some(Err(err));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(values: &[&str], side: u32) -> (Vec<String>, Vec<ValueErrorKind>) {
        let mut points = Vec::new();
        let mut errors = Vec::new();
        for item in PointList::new(values.iter().map(|value| value.as_bytes()), BoardSize::square(side)) {
            match item {
                Ok(point) => points.push(point.to_string()),
                Err(err) => errors.push(err.kind()),
            }
        }
        (points, errors)
    }

    #[test]
    fn p_03_points_and_rectangles_mixed() {
        assert_eq!(read(&["aa:bb", "cc"], 19).0, ["aa", "ba", "ab", "bb", "cc"]);
        assert_eq!(read(&["ac:ic"], 9).0.len(), 9);
    }

    /// The sample of the specification's DD/VW page.
    #[test]
    fn p_08_sample() {
        let (points, errors) = read(&["aa:bi", "ca:ee", "ge:ie", "ga:ia", "gc:ic", "gb", "ib"], 9);
        assert_eq!((points.len(), errors), (18 + 15 + 3 + 3 + 3 + 2, vec![]));
    }

    #[test]
    fn p_04_p_05_faults_and_what_is_kept() {
        use ValueErrorKind::{Duplicate, Empty, OffBoard, Rectangle, Syntax};
        for (values, points, errors) in [
            (&["aa:aa"][..], &["aa"][..], &[Rectangle][..]),
            (&["bb:aa"], &["aa", "ba", "ab", "bb"], &[Rectangle]),
            (&["ba:ab"], &["aa", "ba", "ab", "bb"], &[Rectangle]),
            (&["ab:ba"], &["aa", "ba", "ab", "bb"], &[Rectangle]),
            (&["aa", "aa"], &["aa"], &[Duplicate]),
            (&["aa:ab", "ab:ac"], &["aa", "ab", "ac"], &[Duplicate]),
            (&["jj"], &[], &[OffBoard]),
            (&["ii:jj"], &["ii"], &[OffBoard]),
            (&["ja:jb"], &[], &[OffBoard]),
            (&["aj:bj"], &[], &[OffBoard]),
            (&["", "x", "a:b", "aa:b", "aabb", "aa"], &["aa"], &[Empty, Syntax, Syntax, Syntax, Syntax]),
        ] {
            let (kept, found) = read(values, 9);
            assert_eq!(
                (kept.iter().map(String::as_str).collect::<Vec<_>>(), found),
                (points.to_vec(), errors.to_vec())
            );
        }
    }

    #[test]
    fn a_10_unique_over_several_properties() {
        let size = BoardSize::square(9);
        let mut black = PointList::new([&b"aa:bb"[..]], size);
        assert_eq!(black.by_ref().filter(Result::is_ok).count(), 4);
        let mut white = PointList::with_seen([&b"bb"[..]], size, black.into_seen());
        assert_eq!(white.next().expect("an answer").expect_err("again").kind(), ValueErrorKind::Duplicate);
        assert_eq!(white.next(), None);
    }

    #[test]
    fn the_largest_boards() {
        assert_eq!(read(&["aa:ZZ"], 52).0.len(), 52 * 52);
        assert_eq!(read(&["aa:ZZ"], 100).0.len(), 52 * 52);
        assert_eq!(read(&["aa:ZZ"], 1), (vec!["aa".to_owned()], vec![ValueErrorKind::OffBoard]));
    }

    proptest::proptest! {
        #[test]
        fn entries_read_back(a in 0u8..52, b in 0u8..52, c in 0u8..52, d in 0u8..52) {
            let corners = (Point::new(a, b).expect("below 52"), Point::new(c, d).expect("below 52"));
            let entry = PointEntry::between(corners.0, corners.1);
            proptest::prop_assert_eq!(PointEntry::parse(entry.to_string().as_bytes()), Ok(entry));
            proptest::prop_assert_eq!(entry.points().count(), entry.len());
        }

        /// Comparing whole rows must give the same result as comparing point by point.
        #[test]
        fn as_slow(values in proptest::collection::vec("[a-eA]{2}(:[a-eA]{2})?", 0..6), columns in 1u32..30, rows in 1u32..30) {
            let size = BoardSize::new(columns, rows);
            let mut slow = Vec::new();
            for value in &values {
                for point in PointEntry::parse_lenient(value.as_bytes()).expect("a point").value.points() {
                    if point.is_on(size) && !slow.contains(&point) {
                        slow.push(point);
                    }
                }
            }
            let fast: Vec<_> = PointList::new(values.iter().map(|value| value.as_bytes()), size).flatten().collect();
            proptest::prop_assert_eq!(fast, slow);
        }
    }
}
