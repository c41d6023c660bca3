//! Buffer for the beginning of a game, until its kind and charset are known. FF, GM, SZ and CA may follow properties that
//! depend on them (spec CA-02, P-14).

use sgfstream::{Event, Framing, Problem, Property, Span, Variation};

/// Maximum number of input bytes that the events span.
const PENDING_MAX: u64 = 256 << 10;

/// Buffered events, and the bytes of their properties.
#[derive(Debug, Default)]
pub(super) struct Pending {
    bytes: Vec<u8>,
    events: Vec<Waiting>,
}

/// A buffered event, with its place.
#[derive(Debug)]
struct Waiting {
    kind: Kind,
    span: Span,
    depth: u64,
}

/// An event without its bytes, which are in [`Pending`].
#[derive(Debug)]
enum Kind {
    VariationStart,
    NodeStart,
    VariationEnd,
    Property { start: usize, end: usize, ident_len: u32, framing: Framing, simple: bool },
    Problem(Problem),
}

impl Pending {
    /// Buffers an event. Skips gaps, and parts of properties, which may be of any length.
    pub(super) fn push(&mut self, event: &Event<'_>, span: Span, depth: u64) {
        let kind = match event {
            Event::VariationStart { .. } => Kind::VariationStart,
            Event::NodeStart { .. } => Kind::NodeStart,
            Event::VariationEnd { .. } => Kind::VariationEnd,
            Event::Property(property) => {
                let start = self.bytes.len();
                self.bytes.extend_from_slice(property.as_bytes());
                let ident_len = property.ident().as_bytes().len() as u32;
                let (framing, simple) = (property.framing(), property.is_simple());
                Kind::Property { start, end: self.bytes.len(), ident_len, framing, simple }
            }
            Event::Problem(problem) => Kind::Problem(*problem),
            _ => return,
        };
        self.events.push(Waiting { kind, span, depth });
    }

    /// Returns whether the buffer is full.
    pub(super) fn is_full(&self) -> bool {
        let (Some(first), Some(last)) = (self.events.first(), self.events.last()) else {
            return false;
        };
        let since = |start: u64| last.span.end.saturating_sub(start);
        since(first.span.start) >= PENDING_MAX
            || self.bytes.len() + self.events.len() * size_of::<Waiting>() >= 4 * PENDING_MAX as usize
    }

    /// Returns the place of the first event.
    pub(super) fn start(&self) -> Option<Span> {
        self.events.first().map(|waiting| waiting.span)
    }

    /// Returns the events, each with its span and depth.
    pub(super) fn events(&self) -> impl Iterator<Item = (Event<'_>, Span, u64)> {
        self.events.iter().map(|waiting| {
            let variation = Variation { depth: waiting.depth, supplied: false };
            let event = match waiting.kind {
                Kind::VariationStart => Event::VariationStart(variation),
                Kind::NodeStart => Event::NodeStart { supplied: false },
                Kind::VariationEnd => Event::VariationEnd(variation),
                Kind::Problem(problem) => Event::Problem(problem),
                Kind::Property { start, end, ident_len, framing, simple } => {
                    Event::Property(Property::new(&self.bytes[start..end], ident_len, framing, simple))
                }
            };
            (event, waiting.span, waiting.depth)
        })
    }

    pub(super) fn clear(&mut self) {
        self.events.clear();
        self.bytes.clear();
    }
}
