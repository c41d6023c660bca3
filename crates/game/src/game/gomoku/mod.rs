//! Gomoku and Renju, GM\[4\]: points as in Go, and a board that counts lines. No page defines the
//! game; players use 15 x 15 (spec games §4).

mod board;

pub use board::GomokuBoard;
