//! Set of two-letter points. Each point is one bit, so memory depends only on the largest board,
//! and a lookup takes the same time for any list.

use super::{Point, PointEntry};

/// Set of points of the 52x52 grid.
///
/// ```
/// use sgfstream_game::value::{Point, PointSet};
///
/// let mut seen = PointSet::new();
/// let point = Point::parse(b"pd").expect("a point");
/// assert!(seen.insert(point));
/// assert!(!seen.insert(point));
/// assert!(seen.contains(point) && seen.len() == 1);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PointSet {
    /// One bit for each column, in one integer for each row.
    rows: [u64; Point::MAX as usize],
}

impl Default for PointSet {
    fn default() -> Self {
        Self::new()
    }
}

impl PointSet {
    /// Returns the empty set.
    #[must_use]
    pub const fn new() -> Self {
        Self {
            rows: [0; Point::MAX as usize],
        }
    }

    /// Inserts `point`; returns false if the set contained it already.
    #[inline]
    pub fn insert(&mut self, point: Point) -> bool {
        self.insert_row(point.row(), 1 << point.column()) != 0
    }

    /// Removes `point`; returns false if the set did not contain it.
    #[inline]
    pub fn remove(&mut self, point: Point) -> bool {
        let bit = 1 << point.column();
        let row = &mut self.rows[point.row() as usize];
        let was_in = *row & bit != 0;
        *row &= !bit;
        was_in
    }

    /// Returns whether the set contains `point`.
    #[must_use]
    #[inline]
    pub const fn contains(&self, point: Point) -> bool {
        self.rows[point.row() as usize] & (1 << point.column()) != 0
    }

    /// Returns the number of points.
    #[must_use]
    pub fn len(&self) -> usize {
        self.rows.iter().map(|row| row.count_ones() as usize).sum()
    }

    /// Returns whether the set is empty.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.rows.iter().all(|&row| row == 0)
    }

    /// Removes all points.
    pub fn clear(&mut self) {
        self.rows = [0; Point::MAX as usize];
    }

    /// Iterates over the points, row by row.
    pub fn iter(&self) -> impl Iterator<Item = Point> + '_ {
        (0..Point::MAX).flat_map(move |row| {
            let columns = (0..Point::MAX).filter_map(move |column| Point::new(column, row));
            columns.filter(|&point| self.contains(point))
        })
    }

    /// Inserts all points of `other`.
    pub fn insert_all(&mut self, other: &Self) {
        for (row, other) in self.rows.iter_mut().zip(other.rows) {
            *row |= other;
        }
    }

    /// Covers the points with rectangles, from the upper left. Each is first as wide as possible,
    /// then as high as possible.
    ///
    /// ```
    /// use sgfstream_game::value::{PointEntry, PointSet};
    ///
    /// let mut points: PointSet = PointEntry::parse(b"aa:bb")?.points().collect();
    /// points.remove(PointEntry::parse(b"bb")?.upper_left());
    /// let rectangles: Vec<String> =
    ///     points.rectangles().iter().map(|entry| entry.to_string()).collect();
    /// assert_eq!(rectangles, ["aa:ba", "ab"]);
    /// # Ok::<(), sgfstream_game::value::ValueError>(())
    /// ```
    #[must_use]
    pub fn rectangles(mut self) -> Vec<PointEntry> {
        let mut entries = Vec::new();
        loop {
            let Some(corner) = self.iter().next() else {
                break;
            };
            let has =
                |column, row| Point::new(column, row).is_some_and(|point| self.contains(point));
            let mut right = corner.column();
            while has(right + 1, corner.row()) {
                right += 1;
            }
            let mut bottom = corner.row();
            while (corner.column()..=right).all(|column| has(column, bottom + 1)) {
                bottom += 1;
            }
            let entry =
                PointEntry::between(corner, Point::new(right, bottom).expect("it was found"));
            for point in entry.points() {
                self.remove(point);
            }
            entries.push(entry);
        }
        entries
    }

    /// Inserts the columns `bits` of a row; returns the columns that are new.
    #[inline]
    pub fn insert_row(&mut self, row: u8, bits: u64) -> u64 {
        let row = &mut self.rows[row as usize];
        let fresh = bits & !*row;
        *row |= bits;
        fresh
    }
}

impl Extend<Point> for PointSet {
    fn extend<I: IntoIterator<Item = Point>>(&mut self, points: I) {
        for point in points {
            self.insert(point);
        }
    }
}

impl FromIterator<Point> for PointSet {
    fn from_iter<I: IntoIterator<Item = Point>>(points: I) -> Self {
        let mut set = Self::new();
        set.extend(points);
        set
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    proptest::proptest! {
        #[test]
        fn as_a_set_of_the_library(steps: Vec<(bool, u8, u8)>) {
            let mut set = PointSet::new();
            let mut slow = BTreeSet::new();
            for (insert, column, row) in steps {
                let Some(point) = Point::new(column % 52, row % 52) else { continue };
                if insert {
                    proptest::prop_assert_eq!(set.insert(point), slow.insert(point));
                } else {
                    proptest::prop_assert_eq!(set.remove(point), slow.remove(&point));
                }
                proptest::prop_assert_eq!(set.contains(point), slow.contains(&point));
            }
            proptest::prop_assert_eq!(set.len(), slow.len());
            proptest::prop_assert_eq!(set.is_empty(), slow.is_empty());
            proptest::prop_assert!(set.iter().eq(slow.iter().copied()));
            proptest::prop_assert_eq!(&slow.into_iter().collect::<PointSet>(), &set);
        }
    }
}
