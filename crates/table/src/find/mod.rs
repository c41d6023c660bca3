//! Where something happens in games: a [`Query`] says what is looked for, a position, a pattern or a sequence of moves, in
//! all symmetries of the board; a [`Finder`] follows the games of a reader and gives a [`Hit`] for each place. Boards of
//! more than [`BOARD_MAX`](sgfstream_game::BOARD_MAX) fields on a side, and games without a board, are not searched.

mod finder;
mod first_stone_plies;
mod hit;
mod line;
mod locator;
mod move_list;
mod pattern;
mod pattern_prefilter;
mod placement;
mod prepared;
mod query;
mod query_transform;
mod waiting;

pub use finder::Finder;
pub use first_stone_plies::FirstStonePlies;
pub use hit::{Continuation, Hit};
pub use locator::{Located, Locator, Occurrence};
pub use move_list::MoveList;
pub use pattern::Pattern;
pub use pattern_prefilter::{PatternPrefilter, UnsupportedBoard};
pub use query::{Query, position_in};
pub use query_transform::QueryTransform;

/// The most hits of one game that are kept.
pub const HITS_MAX: usize = 4096;
