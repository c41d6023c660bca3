//! Sixty-four bytes at a time: bitmaps of what the bytes are (`bitmaps`), which
//! of them stand in a value (`found`), and what that tells: the tokens of a
//! block (`tokens`), the end of a long property (`far`), the end of a variation
//! (`skip`). What is not plain, and what is in doubt, they leave to the machine.

mod bitmaps;
mod far;
mod found;
mod skip;
mod tokens;

pub(crate) use far::{Doubtful, far_values};
pub(crate) use skip::Skip;
pub(crate) use tokens::{Block, Site, Values};
