//! Guesses the charset of games that declare no charset, or a wrong one, with a confidence. The
//! feature `detect` compiles it.

mod game_charset;
mod guess;

pub use game_charset::GameCharset;
pub use guess::{CharsetGuess, Confidence, guess_charset};
pub(super) use guess::{any_charset, likely_charset};
