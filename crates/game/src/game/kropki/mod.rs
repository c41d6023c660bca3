//! Kropki, GM\[40\]: dots on crossings, and stop sequences that close borders
//! round dots of the other colour. Points are two letters as in Go.

mod board;
mod dots;

pub use board::KropkiBoard;
pub use dots::{Border, Dots, Territory};
