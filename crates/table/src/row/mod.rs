//! One row for a game: what filters, tables and indexes share. The columns
//! are data ([`Column`]): name, type, what they say; a [`GameRow`] holds one
//! game's values; [`RowBuilder`] makes it from events at constant memory;
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
mod long_value;
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
pub use long_value::LongValue;
pub(crate) use probe::{Probe, Probes};
#[cfg(feature = "archives")]
pub(crate) use rows::Listener;
pub use rows::Rows;

/// Bytes of a comment, and of a value that `any()` or `prop()` asks about: a longer one is cut at a character, and
/// [counted](RowBuilder::cut_texts). The values of a root that columns show have
/// [a limit of their own](sgfstream_game::VALUES_MAX).
pub const TEXT_MAX: usize = 4 << 20;

#[cfg(test)]
mod tests;
