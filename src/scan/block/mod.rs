//! Sixty-four bytes at a time: bitmaps of what the bytes are (`bitmaps`), which of them are in a value (`found`) and which
//! are plain (`walk`), and from that the tokens of some thousand bytes (`tape`) and the end of a variation (`skip`); or, in
//! a value, text up to a byte that may end it (`characters`). All other bytes go to the machine.

mod bitmaps;
mod characters;
mod found;
mod skip;
mod tape;
mod walk;

pub(crate) use bitmaps::BLOCK;
pub(crate) use characters::{SkipResult, pass_characters, pass_text};
pub(crate) use skip::Skip;
pub(crate) use tape::{Site, Tape, Values, plain_ident_len};
