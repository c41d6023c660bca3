//! Streaming reader for archives of SGF game records.
#![warn(missing_docs)]

pub mod base;
pub mod event;
pub mod game;
mod scan;
pub mod value;

pub use base::{
    Charset, CharsetSource, Code, Error, ErrorKind, Limits, LineCursor, Position, Problem, Result, Severity, Span,
};
pub use event::{
    Event, Flow, Ident, OwnedEvent, OwnedPart, OwnedProperty, Place, Property, PropertyPart, RawValue, Sink, Values,
};
pub use scan::Framing;
