//! Tables in Arrow's form: games, the moves of their main lines, their
//! comments. [`Tabulation`] says which rows are wanted and makes them on all
//! cores; [`Scan`] gives them as record batches.

mod comments;
mod moves;
mod scan;
mod spill;
mod table;
mod tabulation;

#[cfg(test)]
mod tests;

pub use scan::{Batch, Scan, Scanning};
pub use table::{PerTable, SCHEMA, Table, TableKind};
pub use tabulation::{Tabulated, Tabulation};
