//! A part of sgfq, without a promise of stability.
//!
//! Turns the bytes of an entry into SGF that a reader can scan.
//!
//! An [`EntryOpener`] converts [records of Go servers](is_record) and transcodes UTF-16, UTF-32 and
//! ISO-2022-JP. The crate opens no file and starts no thread.

mod charset_tagger;
mod entry_opener;
mod records;

pub use charset_tagger::CharsetTagger;
pub use entry_opener::{EntryOpener, EntryReader, options_by_name};
pub use records::{Refusal, is_record};
