//! Tokens of a game: 8 bytes each, in one list with random access. The readers write them, and a
//! [`GameRecord`](crate::record::GameRecord) gives them their meaning.

mod token;
mod token_buffer;

pub use token::{Token, TokenKind};
pub(crate) use token_buffer::TokenBuffer;
