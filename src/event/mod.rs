//! Floor 2: the vocabulary. What a reader says ([`Event`]), the parts of a
//! property as they stand in the bytes, their reading as text, and the trait
//! of everything that listens ([`Sink`]). Events borrow; nothing here reads
//! input.

mod arena;
#[allow(clippy::module_inception)] // one noun, one file: the noun of this room is the event
mod event;
mod ident;
mod owned;
mod property;
mod sink;
mod text;
mod value;

pub(crate) use arena::{EventArena, List, NONE, Record, as_property, closing};
pub use event::Event;
pub use ident::Ident;
pub use owned::{OwnedEvent, OwnedPart, OwnedProperty};
pub use property::{Property, PropertyPart, Values};
pub use sink::{Flow, Place, Sink};
pub use value::RawValue;
