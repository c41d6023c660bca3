//! Sets of columns.

use super::Column;

/// Set of columns, for example those that a [`FilledRow`](super::FilledRow) fills.
///
/// ```
/// use sgfstream_table::row::{Column, ColumnSet};
///
/// let mut set = ColumnSet::default();
/// set.insert(Column::find("winner").expect("a column"));
/// set.insert(Column::find("moves").expect("a column"));
/// assert_eq!(set.columns().count(), 2);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ColumnSet(u128);

impl ColumnSet {
    /// Returns the set of all columns.
    #[must_use]
    pub fn all() -> Self {
        Self::of(Column::all())
    }

    /// Returns the set of these columns.
    pub fn of<'c>(columns: impl IntoIterator<Item = &'c Column>) -> Self {
        let mut set = Self::default();
        columns.into_iter().for_each(|column| set.insert(column));
        set
    }

    /// Adds a column.
    pub fn insert(&mut self, column: &Column) {
        self.0 |= 1 << column.index();
    }

    /// Adds the columns of another set.
    pub fn extend(&mut self, other: Self) {
        self.0 |= other.0;
    }

    /// Removes a column.
    pub(crate) fn remove(&mut self, column: &Column) {
        self.0 &= !(1 << column.index());
    }

    /// Returns whether the set contains the column.
    #[must_use]
    pub fn contains(self, column: &Column) -> bool {
        self.contains_index(column.index())
    }

    #[inline]
    pub(super) const fn contains_index(self, index: usize) -> bool {
        self.0 & (1 << index) != 0
    }

    /// Returns the columns in the order of the table.
    pub fn columns(self) -> impl Iterator<Item = &'static Column> {
        Column::all()
            .iter()
            .filter(move |column| self.contains(column))
    }

    /// Returns whether `is` holds for some column.
    pub(crate) fn any(self, is: fn(&Column) -> bool) -> bool {
        self.columns().any(is)
    }
}
