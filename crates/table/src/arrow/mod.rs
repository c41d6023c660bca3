//! Tables in Arrow's form: games, the moves of their main lines, their
//! comments, and what programs learn from: lines and positions. [`Tabulation`] says which rows are wanted and makes them on all
//! cores; [`Scan`] gives them as record batches.

mod columns;
mod comments;
mod days;
mod games;
mod lines;
mod moves;
mod position_options;
mod positions;
mod scan;
mod sink;
mod spill;
mod table;
mod tabulation;

#[cfg(test)]
mod tests;

pub use position_options::PositionOptions;
pub use scan::{Batch, Scan, Scanning};
pub use table::{SCHEMA, Table, TableKind};
pub use tabulation::{Tabulated, Tabulation};
