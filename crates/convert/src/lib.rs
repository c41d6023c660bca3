//! Entries that are not SGF as it is read: [records of Go servers](is_record), given as SGF, and games that were transcoded,
//! which then [say so](Stated).

mod records;
mod stated;

pub use records::{RECORD_HEAD, RECORD_MAX, Refusal, is_record, to_sgf};
pub use stated::Stated;
