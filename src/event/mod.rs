//! Events of a reader: [`Event`]s, properties and values with their text, and [`Sink`], the trait
//! of types that accept events. Events borrow; nothing here reads input.
//!
//! ```
//! use sgfstream::{Event, SliceReader};
//!
//! let mut points = Vec::new();
//! for event in SliceReader::new(b"(;GM[1]AB[aa][bb]PB[Ada])").events() {
//!     if let Event::Property(property) = event?
//!         && property.ident() == "AB"
//!     {
//!         points.extend(property.values().map(|value| value.as_bytes().to_owned()));
//!     }
//! }
//! assert_eq!(points, [b"aa", b"bb"]);
//! # Ok::<(), sgfstream::Error>(())
//! ```

#[allow(clippy::module_inception)] // one noun, one file: this module is about the event
mod event;
mod ident;
mod owned;
mod property;
mod sink;
mod text;
mod value;

pub use event::{Event, Variation};
pub use ident::Ident;
pub use owned::OwnedEvent;
pub use property::{Property, PropertyPart, Values};
pub use sink::{Flow, FromFn, Place, Sink, from_fn};
pub use value::RawValue;
