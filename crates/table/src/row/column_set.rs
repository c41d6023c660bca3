//! Which columns are wanted.

use super::Column;

/// A set of columns: what a [`RowBuilder`](super::RowBuilder) is to fill.
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
    /// Every column.
    #[must_use]
    pub fn all() -> Self {
        Self::of(Column::all())
    }

    /// These columns.
    pub fn of<'c>(columns: impl IntoIterator<Item = &'c Column>) -> Self {
        let mut set = Self::default();
        columns.into_iter().for_each(|column| set.insert(column));
        set
    }

    /// Adds a column.
    pub fn insert(&mut self, column: &Column) {
        self.0 |= 1 << column.index();
    }

    /// Adds those of another set.
    pub fn extend(&mut self, other: Self) {
        self.0 |= other.0;
    }

    /// Takes a column away.
    pub(crate) fn remove(&mut self, column: &Column) {
        self.0 &= !(1 << column.index());
    }

    /// True if the column is in it.
    #[must_use]
    pub fn contains(self, column: &Column) -> bool {
        self.contains_index(column.index())
    }

    #[inline]
    pub(super) const fn contains_index(self, index: usize) -> bool {
        self.0 & (1 << index) != 0
    }

    /// Its columns, in the order of the table.
    pub fn columns(self) -> impl Iterator<Item = &'static Column> {
        Column::all().iter().filter(move |column| self.contains(column))
    }

    /// True if nothing after a game's root node has to be read for it.
    #[must_use]
    pub(crate) fn needs_only_root(self) -> bool {
        self.columns().all(Column::is_in_root)
    }

    /// True if one of its columns depends on the charset of the game.
    #[must_use]
    pub(crate) fn asks_text(self) -> bool {
        self.columns().any(Column::is_of_texts)
    }

    /// True if the game's nodes must be read; false if its root and its
    /// extent are enough.
    #[must_use]
    pub(crate) fn needs_nodes(self) -> bool {
        self.columns().any(Column::is_in_nodes)
    }

    /// True if a column depends on the games before the one in its entry.
    #[must_use]
    pub fn needs_whole_entries(self) -> bool {
        self.columns().any(|column| matches!(column.name, "game" | "reference" | "errors" | "warnings"))
    }

    /// True if a column is known at the end of the game only, whether its nodes
    /// are read or skipped.
    #[must_use]
    pub(crate) fn needs_end(self) -> bool {
        self.columns().any(Column::is_at_end)
    }
}
