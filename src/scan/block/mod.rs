//! Scanner of 64 bytes at a time. It makes bitmaps of the classes of bytes (`bitmaps`), finds the
//! bytes in values (`context_bitmaps`) and the plain ones (`walk`). From these it makes the tokens
//! of some thousand bytes (`token_list`) or finds the end of a variation (`skip`). In a value, it
//! skips text up to a byte that may end it (`characters`). The machine reads all other bytes.

mod bitmaps;
mod characters;
mod context_bitmaps;
mod skip;
mod token_list;
mod walk;

pub(crate) use bitmaps::BLOCK;
pub(crate) use characters::{CharacterStop, pass_characters, pass_text};
pub(crate) use skip::Skip;
pub(crate) use token_list::{Extent, LEN as LIST, Site, TokenList, plain_ident_len};
