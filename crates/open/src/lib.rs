//! Turns the bytes of an entry into SGF that a reader can scan. An [`EntryOpener`] converts [records of Go
//! servers](is_record) and transcodes UTF-16, UTF-32 and ISO-2022-JP. [`likely_charset`] guesses the charset of games
//! that declare no charset.
//!
//! This crate is a part of sgfq and promises no stability.
//!
//! It opens no file and starts no thread.
//!
//! ```
//! use sgfstream::{EventReader, Options, SliceReader};
//! use sgfstream_open::likely_charset;
//!
//! let game = b"(;PB[\xd0\xa1\xc1\xd6\xb9\xe2\xd2\xbb]PW[\xd5\xd4\xd6\xce\xd1\xab])";
//! let options = Options::default().with_detection(Some(likely_charset));
//! let mut reader = SliceReader::with_options(game, options);
//! while reader.advance()? {}
//! assert_eq!(reader.charset().name(), "GBK");
//! # Ok::<(), sgfstream::Error>(())
//! ```

mod charset;
mod charset_tagger;
mod entry_opener;
mod records;

pub use charset::{CharsetGuess, Confidence, GameCharset, any_charset, guess_charset, likely_charset};
pub use charset_tagger::CharsetTagger;
pub use entry_opener::{EntryOpener, EntryReader};
pub use records::{Refusal, is_record};
