//! Guesses the charset of games that declare no charset, or a wrong one, with a confidence.

mod game_charset;
mod guess;

pub use game_charset::GameCharset;
pub use guess::{CharsetGuess, Confidence, any_charset, guess_charset, likely_charset};
