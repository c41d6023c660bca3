//! One row for each game, which filters, tables and indexes share. [`Column`] describes the columns
//! as data: name, type and description. A [`GameRow`] has the values of one game; [`FilledRow`] is
//! filled from the facts of a game, and [`RowReader`] reads as much of each game as its row needs.

mod cell;
mod column;
mod column_set;
mod complete_game;
mod dyer;
mod filled_row;
mod game_row;
pub(crate) mod line;
pub(crate) mod line_board;
mod line_hash;
mod line_moves;
mod main_line;
mod path_info;
mod probe;
mod root_cells;
mod row_reader;
mod text;

pub use cell::{Cell, ColumnType};
pub use column::{Column, nearest};
pub use column_set::ColumnSet;
pub use complete_game::write_complete;
pub use filled_row::FilledRow;
pub use game_row::{GameRow, SEATS};
pub use line_hash::LineHash;
pub use line_moves::{LineMove, LineMoves};
pub use path_info::{PathInfo, write_property};
pub(crate) use probe::{Probe, Probes};
pub use row_reader::RowReader;

#[cfg(test)]
mod tests;
