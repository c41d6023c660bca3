//! Othello, GM\[2\]: squares as `c4` (FF\[1\]) or `cd` (Go), passes, a board.

mod board;
mod square;

pub use board::OthelloBoard;
pub(super) use square::parse_move;
