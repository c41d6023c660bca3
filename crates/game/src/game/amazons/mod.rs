//! Amazons, GM\[18\]: three points a move, and a board.

mod board;
mod shot;

pub use board::{AmazonsBoard, Square};
pub(super) use shot::parse_move;
