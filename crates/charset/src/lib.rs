//! The charset of games that name none, or a wrong one: a guess by their texts, and how good it is.
//!
//! ```
//! use sgfstream::{EventReader, Options, SliceReader};
//! use sgfstream_charset::likely_charset;
//!
//! let game = b"(;PB[\xd0\xa1\xc1\xd6\xb9\xe2\xd2\xbb]PW[\xd5\xd4\xd6\xce\xd1\xab])";
//! let options = Options::default().with_detection(Some(likely_charset));
//! let mut reader = SliceReader::with_options(game, options);
//! while reader.advance()? {}
//! assert_eq!(reader.charset().name(), "GBK");
//! # Ok::<(), sgfstream::Error>(())
//! ```

mod guess;
mod look;

pub use guess::{CharsetGuess, Confidence, any_charset, guess_charset, likely_charset};
pub use look::GameCharset;
