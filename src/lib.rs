//! Streaming reader for archives of SGF game records.

pub mod adapt;
#[cfg(feature = "archive")]
pub mod archive;
pub mod base;
#[cfg(feature = "cli")]
pub mod cli;
pub mod event;
pub mod game;
pub mod read;
mod scan;
pub mod value;
pub mod write;

pub use base::{
    Charset, CharsetSource, Code, Error, ErrorKind, Limits, LineCursor, Position, Problem, Result, Severity, Span,
};
pub use event::{
    Event, Flow, Ident, OwnedEvent, OwnedPart, OwnedProperty, Place, Property, PropertyPart, RawValue, Sink, Values,
};
pub use read::{EventReader, FramingPolicy, Options, PushReader, Reader, SliceReader, Strict, Transcoder, transcode};
pub use scan::Framing;
pub use write::{Layout, Writer};
