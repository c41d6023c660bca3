//! Searches in games. A [`Query`] describes a position, a pattern or a sequence of moves, in all
//! symmetries of the board. A [`Finder`] follows the games of a reader and returns a [`Hit`] for
//! each match. Boards with a side of more than [`BOARD_MAX`](sgfstream_game::internal::BOARD_MAX)
//! cells, and games without a board, are not searched.

mod board_changes;
mod finder;
mod hit;
mod locator;
mod move_list;
mod pattern;
mod placement;
mod prepared;
mod query;
mod remark;
mod search_line;
mod start_board;
mod step;
mod transform;
mod waiting;

pub use finder::Finder;
pub use hit::{Continuation, Hit};
pub use locator::{LocateResult, Locator, Occurrence};
pub use move_list::MoveList;
pub(crate) use move_list::is_move_of_some_game;
pub use pattern::Pattern;
pub use query::{Query, position_in};
pub use remark::Remark;
pub use start_board::StartBoard;
pub use transform::Transform;

/// Maximum number of hits to store for a game.
pub const HITS_MAX: usize = 4096;
