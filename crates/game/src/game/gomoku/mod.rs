//! Gomoku and Renju, GM\[4\]: points as in Go, and a board that knows lines.
//! No page defines the game; 15 x 15 is what the field plays (spec games §4).

mod board;

pub use board::GomokuBoard;
