//! Amazons, GM\[18\]: moves of three points, and a board.

mod board;
mod shot;

pub use board::{AmazonsBoard, Square};
pub(super) use shot::parse_move;
