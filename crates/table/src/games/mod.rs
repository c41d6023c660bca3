//! Iterates over the games of a part, each with its row and its original bytes. The root of a game is enough to decide about
//! most games, and only selected games are written.

mod choosing;
mod cursor;

pub use choosing::{Choosing, Chosen};
pub use cursor::{GameCursor, Kept, LongGame, games_of};
