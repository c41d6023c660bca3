//! Events that own their bytes, for storing or sending to another thread.

use bytes::Bytes;

use super::{Event, Ident, Property, PropertyPart};

/// An [`Event`] that owns its bytes. It is `Send + 'static`; clones share the bytes.
///
/// ```
/// use sgfstream::{Event, OwnedEvent, SliceReader};
///
/// let mut kept: Vec<OwnedEvent> = Vec::new();
/// for event in SliceReader::new(b"(;C[hello])").events() {
///     kept.push(event?.into_owned());
/// }
/// let texts = std::thread::spawn(move || match kept[2].as_event() {
///     Event::Property(property) => property.text().into_owned(),
///     _ => String::new(),
/// });
/// assert_eq!(texts.join().expect("no panic"), "hello");
/// # Ok::<(), sgfstream::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OwnedEvent {
    /// The event, without its bytes.
    event: Event<'static>,
    bytes: Bytes,
    /// Identifier of a part.
    ident: Bytes,
}

impl OwnedEvent {
    /// Returns the borrowed event, which has all accessors.
    #[must_use]
    pub fn as_event(&self) -> Event<'_> {
        match self.event {
            Event::Property(property) => Event::Property(Property {
                raw: &self.bytes,
                ..property
            }),
            Event::PropertyPart(part) => Event::PropertyPart(PropertyPart {
                ident: Ident::new(&self.ident),
                raw: &self.bytes,
                ..part
            }),
            Event::Gap(_) => Event::Gap(&self.bytes),
            event => event,
        }
    }
}

impl Event<'_> {
    /// Copies the event with its bytes.
    #[must_use]
    pub fn into_owned(self) -> OwnedEvent {
        self.into_owned_by(Bytes::copy_from_slice)
    }

    /// Copies the event with bytes that `bytes_of` returns; they may share a buffer.
    pub(crate) fn into_owned_by(self, bytes_of: impl Fn(&[u8]) -> Bytes) -> OwnedEvent {
        let (mut bytes, mut ident) = (Bytes::new(), Bytes::new());
        let event = match self {
            Event::Property(property) => {
                bytes = bytes_of(property.raw);
                Event::Property(Property {
                    raw: b"",
                    counted: 0,
                    ..property
                })
            }
            Event::PropertyPart(part) => {
                bytes = bytes_of(part.raw);
                // The reader stores the identifier outside of its window, so it cannot be shared.
                ident = Bytes::copy_from_slice(part.ident.as_bytes());
                Event::PropertyPart(PropertyPart {
                    ident: Ident::new(b""),
                    raw: b"",
                    ..part
                })
            }
            Event::Gap(gap) => {
                bytes = bytes_of(gap);
                Event::Gap(b"")
            }
            Event::VariationStart(variation) => Event::VariationStart(variation),
            Event::NodeStart { supplied } => Event::NodeStart { supplied },
            Event::VariationEnd(variation) => Event::VariationEnd(variation),
            Event::Problem(problem) => Event::Problem(problem),
        };
        OwnedEvent {
            event,
            bytes,
            ident,
        }
    }
}
