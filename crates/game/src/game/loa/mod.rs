//! Lines of Action, GM\[9\]: squares from the lower left, moves from square to square, words, and a
//! board.

mod board;
mod step;

pub use board::LoaBoard;
pub(super) use step::{parse_move, parse_square, write_square};
