//! One row for a game: what filters, tables and indexes share. The columns
//! are data ([`Column`]): name, type, what they say; a [`GameRow`] holds one
//! game's values; [`RowBuilder`] makes it from events;
//! [`Rows`] drives a reader and stops inside a game once enough is known.

mod builder;
mod cell;
mod column;
mod column_set;
mod dyer;
mod extent;
mod game_row;
pub(crate) mod line;
pub(crate) mod line_board;
mod line_hash;
mod line_moves;
mod probe;
mod root_cells;
mod rows;
mod text;

pub use builder::RowBuilder;
pub use cell::{Cell, ColumnType};
pub use column::{Column, nearest};
pub use column_set::ColumnSet;
pub use extent::GameExtent;
pub use game_row::GameRow;
pub use line_hash::LineHash;
pub use line_moves::{LineMove, LineMoves};
pub(crate) use probe::{Probe, Probes};
#[cfg(feature = "archives")]
pub(crate) use rows::Listener;
pub use rows::Rows;

#[cfg(test)]
mod tests;
