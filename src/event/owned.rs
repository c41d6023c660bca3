//! Events that own their bytes: to be sent to another thread, or kept.

use bytes::Bytes;

use crate::base::Problem;
use crate::scan::Framing;

use super::{Event, Ident, Property, PropertyPart};

/// An [`Event`] that owns its bytes. `Send + 'static`; cloning shares the
/// bytes.
///
/// ```
/// use sgfstream::{Event, OwnedEvent, SliceReader};
///
/// let kept: Vec<OwnedEvent> = SliceReader::new(b"(;C[hello])").map(|event| event.to_owned()).collect();
/// let lengths = std::thread::spawn(move || kept.len()).join().expect("no panic");
/// assert_eq!(lengths, 4);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum OwnedEvent {
    /// See [`Event::VariationStart`].
    VariationStart {
        /// The reader supplied it.
        supplied: bool,
    },
    /// See [`Event::NodeStart`].
    NodeStart {
        /// The reader supplied it.
        supplied: bool,
    },
    /// See [`Event::Property`].
    Property(OwnedProperty),
    /// See [`Event::PropertyPart`].
    PropertyPart(OwnedPart),
    /// See [`Event::VariationEnd`].
    VariationEnd {
        /// The reader supplied it.
        supplied: bool,
    },
    /// See [`Event::Problem`].
    Problem(Problem),
    /// See [`Event::Gap`].
    Gap(Bytes),
}

/// A [`Property`] that owns its bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OwnedProperty {
    raw: Bytes,
    ident_len: u32,
    framing: Framing,
}

impl OwnedProperty {
    /// The borrowed form, which has all the readings.
    #[must_use]
    pub fn as_property(&self) -> Property<'_> {
        Property::new(&self.raw, self.ident_len, self.framing, false)
    }
}

/// A [`PropertyPart`] that owns its bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OwnedPart {
    ident: Bytes,
    raw: Bytes,
    value: u64,
    content_start: u32,
    framing: Framing,
    first: bool,
    last: bool,
    closed: bool,
}

impl OwnedPart {
    /// The borrowed form, which has all the readings.
    #[must_use]
    pub fn as_part(&self) -> PropertyPart<'_> {
        PropertyPart {
            ident: Ident::new(&self.ident),
            raw: &self.raw,
            value: self.value,
            content_start: self.content_start,
            framing: self.framing,
            first: self.first,
            last: self.last,
            closed: self.closed,
        }
    }
}

impl OwnedEvent {
    /// The borrowed form.
    #[must_use]
    pub fn as_event(&self) -> Event<'_> {
        match self {
            Self::VariationStart { supplied } => Event::VariationStart { supplied: *supplied },
            Self::NodeStart { supplied } => Event::NodeStart { supplied: *supplied },
            Self::Property(property) => Event::Property(property.as_property()),
            Self::PropertyPart(part) => Event::PropertyPart(part.as_part()),
            Self::VariationEnd { supplied } => Event::VariationEnd { supplied: *supplied },
            Self::Problem(problem) => Event::Problem(*problem),
            Self::Gap(bytes) => Event::Gap(bytes),
        }
    }
}

impl Event<'_> {
    /// The same event with bytes of its own: copied.
    #[must_use]
    pub fn to_owned(self) -> OwnedEvent {
        self.to_owned_by(Bytes::copy_from_slice)
    }

    /// The same event with bytes of its own, made by `bytes_of` (which may
    /// share a buffer rather than copy).
    pub(crate) fn to_owned_by(self, bytes_of: impl Fn(&[u8]) -> Bytes) -> OwnedEvent {
        match self {
            Event::VariationStart { supplied } => OwnedEvent::VariationStart { supplied },
            Event::NodeStart { supplied } => OwnedEvent::NodeStart { supplied },
            Event::Property(property) => OwnedEvent::Property(OwnedProperty {
                raw: bytes_of(property.as_bytes()),
                ident_len: property.ident().as_bytes().len() as u32,
                framing: property.framing(),
            }),
            Event::PropertyPart(part) => OwnedEvent::PropertyPart(OwnedPart {
                // The reader keeps the identifier of a long property aside.
                ident: Bytes::copy_from_slice(part.ident.as_bytes()),
                raw: bytes_of(part.raw),
                value: part.value,
                content_start: part.content_start,
                framing: part.framing,
                first: part.first,
                last: part.last,
                closed: part.closed,
            }),
            Event::VariationEnd { supplied } => OwnedEvent::VariationEnd { supplied },
            Event::Problem(problem) => OwnedEvent::Problem(problem),
            Event::Gap(bytes) => OwnedEvent::Gap(bytes_of(bytes)),
        }
    }
}
