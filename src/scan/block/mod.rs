//! Scanner of 64 bytes at a time. It makes bitmaps of the classes of bytes (`bitmaps`), finds the bytes in values
//! (`found`) and the plain ones (`walk`). From these it makes the tokens of some thousand bytes (`tape`) or finds the
//! end of a variation (`skip`). In a value, it skips text up to a byte that may end it (`characters`). The machine
//! reads all other bytes.

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
