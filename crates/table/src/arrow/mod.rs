//! Tables in the Arrow format: games, the moves and comments of their main lines, and lines and
//! positions for machine learning. [`Tabulation`] selects rows and makes them on all cores;
//! [`Scan`] returns them as record batches.

mod columns;
mod comments;
mod days;
mod games;
mod lines;
mod moves;
mod ownership;
mod position_options;
mod positions;
mod scan;
mod sink;
mod table;
mod tabulation;

#[cfg(test)]
mod tests;

pub use position_options::PositionOptions;
pub use scan::{Batch, Scan, ScanBatches};
pub use table::{SCHEMA, TableKind};
pub use tabulation::{PartRows, Tabulation};
