//! Amazons, GM\[18\]: three points a move, and a board.

mod board;
mod shot;

pub use board::{AmazonsBoard, Square};
pub(super) use shot::parse_move;

/// The size of a board without `SZ` (spec games §18).
pub const AMAZONS_DEFAULT: u32 = 10;
