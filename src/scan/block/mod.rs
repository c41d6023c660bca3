//! Sixty-four bytes at a time: bitmaps of what the bytes are (`bitmaps`), which of them are in a value (`found`), and
//! from that the tokens of a block (`tokens`), the end of a property of several blocks (`multi_block`) and the end of a
//! variation (`skip`); or, in a value, text up to a byte that may end it (`characters`). All other bytes go to the machine.

mod bitmaps;
mod characters;
mod found;
mod multi_block;
mod skip;
mod tokens;

pub(crate) use characters::{pass_characters, pass_text};
pub(crate) use multi_block::{Doubtful, multi_block_values};
pub(crate) use skip::Skip;
pub(crate) use tokens::{Block, Site, Values};
