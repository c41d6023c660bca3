//! Points of one node that may occur once: a bit each where two letters name
//! them, and a bounded set on larger boards.

use std::collections::HashSet;

use sgfstream_game::Field;
use sgfstream_game::value::{PointEntry, PointSet};

/// Fields beyond 52 x 52 that are remembered.
const FAR_MAX: usize = 1 << 14;

/// Which fields were seen.
#[derive(Debug, Default)]
pub(super) struct FieldSet {
    near: PointSet,
    far: HashSet<Field>,
    used: bool,
}

/// Result of adding a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Put {
    New,
    Again,
    Full,
}

impl FieldSet {
    #[inline]
    pub(super) fn clear(&mut self) {
        if self.used {
            self.near.clear();
            self.far.clear();
            self.used = false;
        }
    }

    /// Puts the points of a rectangle in, a row at a time; `Again` if one of
    /// them was there.
    pub(super) fn insert_all(&mut self, entry: PointEntry) -> Put {
        self.used = true;
        let columns = entry.column_bits();
        let mut put = Put::New;
        for row in entry.upper_left().row()..=entry.lower_right().row() {
            if self.near.insert_row(row, columns) != columns {
                put = Put::Again;
            }
        }
        put
    }

    #[inline]
    pub(super) fn insert(&mut self, field: Field) -> Put {
        self.used = true;
        if let Some(point) = field.as_point() {
            return if self.near.insert(point) { Put::New } else { Put::Again };
        }
        if self.far.contains(&field) {
            Put::Again
        } else if self.far.len() >= FAR_MAX {
            Put::Full
        } else {
            self.far.insert(field);
            Put::New
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_and_far() {
        let mut set = FieldSet::default();
        for field in [Field::new(0, 0), Field::new(51, 51), Field::new(52, 0), Field::new(700, 700)] {
            assert_eq!(set.insert(field), Put::New);
            assert_eq!(set.insert(field), Put::Again);
        }
        set.clear();
        let rectangle = PointEntry::parse(b"bb:dd").expect("two corners");
        assert_eq!(set.insert_all(rectangle), Put::New);
        assert_eq!(set.insert(Field::new(3, 1)), Put::Again);
        assert_eq!(set.insert(Field::new(0, 0)), Put::New);
        assert_eq!(set.insert_all(PointEntry::parse(b"aa:ab").expect("two corners")), Put::Again);
        assert_eq!(set.insert(Field::new(700, 700)), Put::New);
    }
}
