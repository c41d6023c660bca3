//! Iterates over the games of a part, each with its row and its original bytes. The root of a game
//! is enough to decide about most games, and only selected games are written.

mod game_extractor;
mod part_rows;

pub use game_extractor::{Extract, GameExtractor};
