//! The beginning of a game, which waits until it is known which game it is and
//! in which charset: FF, GM, SZ and CA may come after what they govern
//! (spec CA-02, P-14).

use sgfstream::{Event, Framing, Problem, Property, Span, Variation};

/// Bytes of input that wait at most.
const PENDING_MAX: u64 = 256 << 10;

/// Events that wait, with the bytes of their properties.
#[derive(Debug, Default)]
pub(super) struct Pending {
    bytes: Vec<u8>,
    events: Vec<Waiting>,
}

/// One event that waits.
#[derive(Debug)]
struct Waiting {
    kind: Kind,
    span: Span,
    depth: u64,
}

/// An event without its bytes.
#[derive(Debug)]
enum Kind {
    VariationStart,
    NodeStart,
    VariationEnd,
    Property { start: usize, end: usize, ident_len: u32, framing: Framing, simple: bool },
    Problem(Problem),
}

impl Pending {
    /// Keeps an event, but for parts of properties, which cannot wait, and
    /// gaps.
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

    /// True once no more should be kept.
    pub(super) fn is_full(&self) -> bool {
        let (Some(first), Some(last)) = (self.events.first(), self.events.last()) else {
            return false;
        };
        let since = |start: u64| last.span.end.saturating_sub(start);
        since(first.span.start) >= PENDING_MAX
            || self.bytes.len() + self.events.len() * size_of::<Waiting>() >= 4 * PENDING_MAX as usize
    }

    /// Where the first event is.
    pub(super) fn start(&self) -> Option<Span> {
        self.events.first().map(|waiting| waiting.span)
    }

    /// The events, each with its span and depth.
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
