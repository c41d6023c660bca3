//! Reads and writes archives of SGF game records as streams: bytes to events and back, in constant
//! memory, for any input.
//!
//! # A tour
//!
//! - **In**: [`SliceReader`] reads bytes in memory without copying them, [`Reader`] anything that
//!   implements `Read`, and [`PushReader`] chunks that the caller pushes. All return the same
//!   events, however the bytes arrive. [`EventReader`] is their common interface; [`Options`]
//!   control how they read.
//! - **Events**: an [`Event`] borrows from the reader. A [`Property`] has an [`Ident`] and
//!   [`RawValue`]s, which contain bytes and decode text on demand. An [`OwnedEvent`] can be stored
//!   and sent to other threads. A fault in the file is an event too: a [`Problem`] with a stable
//!   [`Code`] and a [`Span`]. [`Error`] is for I/O and limits. [`Strict`] turns faults into errors.
//! - **Games**: a [`GameReader`](record::GameReader) returns a whole game as a value, a
//!   [`GameRecord`](record::GameRecord): nodes in any order, as often as you like.
//! - **Out**: [`Writer`] writes the bytes that were read, or a [`Layout`] of its own. It is a
//!   [`Sink`]; [`from_fn`] makes one of a closure.
//! - **Parts**: [`parallel`] cuts one large input into parts that can be read separately.
//!
//! The crate `sgfstream-game` interprets games: typed values, properties, games, dialects, boards.
//! The crate `sgfstream-adapt` has counts, statistics, checks, repairs and trees. The crate
//! `sgfstream-archive` reads files and packed archives.
//!
//! ```
//! use sgfstream::{Event, EventReader, SliceReader};
//!
//! let mut reader = SliceReader::new(b"(;GM[1]FF[4];B[pd]C[corner];W[dp]");
//! let mut moves = 0;
//! let mut problems = Vec::new();
//! while reader.advance()? {
//!     match reader.event() {
//!         Event::Property(property) if property.ident() == "B" || property.ident() == "W" => {
//!             moves += 1
//!         }
//!         Event::Problem(problem) => problems.push(problem.code.as_str()),
//!         _ => {}
//!     }
//! }
//! assert_eq!((moves, problems), (2, vec!["unclosed-game"]));
//! # Ok::<(), sgfstream::Error>(())
//! ```
//!
//! The guides [`docs::charsets`] and [`docs::reading`] describe how the reader chooses charsets,
//! reports problems, and guesses.

mod base;
pub mod docs;
mod event;
mod read;
pub mod record;
mod scan;
mod tokens;
mod write;

pub use base::{
    Charset, CharsetSource, Code, Error, ErrorKind, Limits, LongGame, Position, Problem, Result,
    Severity, Span, UnknownName,
};
pub use event::{
    Event, Flow, FromFn, Ident, OwnedEvent, Place, Property, PropertyPart, RawValue, Sink, Values,
    Variation, from_fn,
};
#[cfg(feature = "detect")]
pub use read::detect::{CharsetGuess, Confidence, guess_charset};
pub use read::{
    Detection, EventReader, Events, FramingPolicy, Options, PushReader, Reader, SliceReader,
    Strict, Transcoder, parallel, transcode,
};
pub use scan::Framing;
pub use write::{
    Layout, WriteError, Writer, encode_property, encode_texts, escape_bytes, escape_compose_text,
    escape_text,
};

/// What `sgfq` needs of this crate and programs do not. It promises no stability.
#[doc(hidden)]
pub mod internal {
    pub use crate::base::LineCursor;
    pub use crate::read::Detections;
    #[cfg(feature = "detect")]
    pub use crate::read::detect::GameCharset;
    pub use crate::read::parallel::internal::{
        End, GamePlace, PartEnd, PartRead, ReadAt, UnclosedGame,
    };
    pub use crate::write::TextCharset;
}
