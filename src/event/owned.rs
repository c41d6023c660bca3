//! Events that own their bytes, to be sent to another thread or kept.

use std::borrow::Cow;

use bytes::Bytes;

use crate::base::{Charset, Color, Problem};
use crate::scan::Framing;

use super::{Event, Ident, Property, PropertyPart, RawValue, Values};

/// An [`Event`] that owns its bytes. `Send + 'static`; cloning shares the
/// bytes.
///
/// ```
/// use sgfstream::{Event, OwnedEvent, SliceReader};
///
/// let kept: Vec<OwnedEvent> = SliceReader::new(b"(;C[hello])").map(|event| event.into_owned()).collect();
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
    charset: Charset,
}

impl OwnedProperty {
    /// The borrowed form, which has more readings.
    #[must_use]
    pub fn as_property(&self) -> Property<'_> {
        Property::new(&self.raw, self.ident_len, self.framing, false).with_charset(self.charset)
    }
}

/// The accessors of a borrowed type, on the owned type.
macro_rules! forward {
    ($owned:ty, $borrow:ident, $borrowed:ident: $($name:ident -> $result:ty),+ $(,)?) => {
        impl $owned {
            $(
                #[doc = concat!("See [`", stringify!($borrowed), "::", stringify!($name), "`].")]
                #[must_use]
                pub fn $name(&self) -> $result {
                    self.$borrow().$name()
                }
            )+
        }
    };
}

forward!(OwnedProperty, as_property, Property:
    ident -> Ident<'_>, as_bytes -> &[u8], framing -> Framing, charset -> Charset, values -> Values<'_>,
    first -> RawValue<'_>, only -> Option<RawValue<'_>>, value_count -> u64, text -> Cow<'_, str>,
    simple_text -> Cow<'_, str>, as_move -> Option<(Color, [u8; 2])>);
forward!(OwnedPart, as_part, PropertyPart:
    ident -> Ident<'_>, as_bytes -> &[u8], content -> RawValue<'_>, value_index -> u64, is_value_start -> bool,
    is_value_end -> bool, is_property_start -> bool);

/// A [`PropertyPart`] that owns its bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OwnedPart {
    ident: Bytes,
    raw: Bytes,
    value: u64,
    content_start: u32,
    framing: Framing,
    charset: Charset,
    first: bool,
    last: bool,
    closed: bool,
}

impl OwnedPart {
    /// The borrowed form.
    #[must_use]
    pub fn as_part(&self) -> PropertyPart<'_> {
        PropertyPart {
            ident: Ident::new(&self.ident),
            raw: &self.raw,
            value: self.value,
            content_start: self.content_start,
            framing: self.framing,
            charset: self.charset,
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
    /// The event with a copy of its bytes.
    #[must_use]
    pub fn into_owned(self) -> OwnedEvent {
        self.into_owned_by(Bytes::copy_from_slice)
    }

    /// The event with bytes made by `bytes_of`, which may share a buffer rather than copy.
    pub(crate) fn into_owned_by(self, bytes_of: impl Fn(&[u8]) -> Bytes) -> OwnedEvent {
        match self {
            Event::VariationStart { supplied } => OwnedEvent::VariationStart { supplied },
            Event::NodeStart { supplied } => OwnedEvent::NodeStart { supplied },
            Event::Property(property) => OwnedEvent::Property(OwnedProperty {
                raw: bytes_of(property.as_bytes()),
                ident_len: property.ident().as_bytes().len() as u32,
                framing: property.framing(),
                charset: property.charset(),
            }),
            Event::PropertyPart(part) => OwnedEvent::PropertyPart(OwnedPart {
                // It is not in the window, so it cannot be shared.
                ident: Bytes::copy_from_slice(part.ident.as_bytes()),
                raw: bytes_of(part.raw),
                value: part.value,
                content_start: part.content_start,
                framing: part.framing,
                charset: part.charset,
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
