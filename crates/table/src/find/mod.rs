//! Where something happens in games: a [`Query`] says what is looked for, a position, a pattern or a sequence of moves, in
//! all symmetries of the board; a [`Finder`] follows the games of a reader and gives a [`Hit`] for each place. Boards of
//! more than [`BOARD_MAX`](sgfstream_game::BOARD_MAX) fields on a side, and games without a board, are not searched.

mod finder;
mod hit;
mod line;
mod locator;
mod move_list;
mod pattern;
mod placement;
mod prepared;
mod query;
mod sieve;
mod stone_times;
mod waiting;
mod way;

pub use finder::Finder;
pub use hit::{Continuation, Hit};
pub use locator::{Located, Locator, Occurrence};
pub use move_list::MoveList;
pub use pattern::Pattern;
pub use query::{Query, position_in};
pub use sieve::{NotHere, Sieve};
pub use stone_times::StoneTimes;
pub use way::Way;

/// The most hits of one game that are kept.
pub const HITS_MAX: usize = 4096;
