//! Streaming reader and writer for archives of SGF game records: bytes to events and back, at constant memory, on any
//! input.
//!
//! # A tour
//!
//! - **In**: [`SliceReader`] for bytes at hand (an iterator, zero copy), [`Reader`] for anything that reads,
//!   [`PushReader`] for chunks that are pushed. They give the same events, however the bytes arrive;
//!   [`EventReader`] is what they have in common, [`Options`] how to read.
//! - **Events**: [`Event`] borrows from the reader. A [`Property`] has an [`Ident`] and [`RawValue`]s: bytes always,
//!   text and parts on demand. [`OwnedEvent`] keeps and travels. A fault of the file is an event too, a [`Problem`]
//!   with a stable [`Code`] and a [`Span`]; [`Error`] is for I/O and limits. [`Strict`] makes faults errors.
//! - **Out**: [`Writer`] gives back the bytes that were read, or a [`Layout`] of its own. It is a [`Sink`], as is a
//!   closure.
//! - **Parts**: [`parallel`] cuts one large input into parts that can be read on their own.
//!
//! The meaning of events is in the crate `sgfstream-game`: typed values, properties, games, dialects, boards. Counts,
//! statistics, checks, repairs and trees are in `sgfstream-adapt`, files and packed archives in `sgfstream-archive`.
//!
//! ```
//! use sgfstream::{Event, EventReader, SliceReader};
//!
//! let mut reader = SliceReader::new(b"(;GM[1]FF[4];B[pd]C[corner];W[dp]");
//! let mut moves = 0;
//! let mut problems = Vec::new();
//! while reader.advance()? {
//!     match reader.event() {
//!         Event::Property(property) if property.ident() == "B" || property.ident() == "W" => moves += 1,
//!         Event::Problem(problem) => problems.push(problem.code.as_str()),
//!         _ => {}
//!     }
//! }
//! assert_eq!((moves, problems), (2, vec!["unclosed-game"]));
//! # Ok::<(), sgfstream::Error>(())
//! ```
//!
//! The guide [`docs::reading`] describes how charsets are chosen, how faults are reported, and every guess.

mod base;
pub mod docs;
mod event;
mod read;
mod scan;
mod write;

pub use base::{
    Charset, CharsetSource, Code, Error, ErrorKind, Limits, LineCursor, Position, Problem, Result, Severity, Span,
};
pub use event::{Event, Flow, Ident, OwnedEvent, Place, Property, PropertyPart, RawValue, Sink, Values, Variation};
pub use read::{
    Checkpoint, Detection, Detections, EventReader, FramingPolicy, Options, PushReader, Reader, SliceReader, Strict,
    Transcoder, parallel, transcode,
};
pub use scan::Framing;
pub use write::{Layout, Writer, escape_bytes, escape_compose_text, escape_text};
