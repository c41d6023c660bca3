//! Kropki, GM\[40\]: dots on crossings, and stop sequences that close borders around dots of the
//! other color. Points are two letters, as in Go.

mod board;
mod dots;

pub use board::KropkiBoard;
pub use dots::{Border, Dots, Territory};
