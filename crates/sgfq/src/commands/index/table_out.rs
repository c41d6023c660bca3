//! A table that `sgfq index` writes.

use std::path::PathBuf;

use sgfstream_table::arrow::{Table, TableKind};

/// A table that is written: in a `Format`, or a `TableFormat` where segments are put together.
#[derive(Clone, Debug)]
pub(crate) struct TableOut<F> {
    pub(super) kind: TableKind,
    pub(super) table: Table,
    pub(super) path: PathBuf,
    pub(super) format: F,
    /// Maximum rows of a group.
    pub(super) group_rows: u64,
    /// Maximum rows of a file.
    pub(super) most: Option<u64>,
}

impl<F> TableOut<F> {
    pub(super) fn with_format<G>(self, format: G) -> TableOut<G> {
        let Self { kind, table, path, group_rows, most, .. } = self;
        TableOut { kind, table, path, format, group_rows, most }
    }
}
