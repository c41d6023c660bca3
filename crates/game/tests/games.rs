//! Boards of real games, and the numbered lines of the dialect documents.

#[path = "../../../tests/common/mod.rs"]
mod common;

mod board_hash;
mod dialects;
#[cfg(feature = "serde")]
mod serde_texts;
mod words;
