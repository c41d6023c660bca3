//! The beginning of a game, held back until it is known what game it is and
//! in which charset: FF, GM, SZ and CA may stand behind what they govern
//! (spec CA-02, P-14).

use crate::base::{Problem, Span};
use crate::event::{Event, Property};
use crate::scan::Framing;

/// Bytes of input that are held back at most.
pub(super) const HELD_MAX: usize = 256 << 10;

/// Bytes behind the root of a game without GM that are looked at for what game
/// it is: some eighty moves.
pub(super) const BEHIND_ROOT_MAX: u64 = 512;

/// An event without the bytes.
#[derive(Clone, Copy, Debug)]
pub(super) enum Kind {
    VariationStart,
    NodeStart,
    VariationEnd,
    Property { start: usize, end: usize, ident_len: u32, framing: Framing },
    Problem(Problem),
}

/// One event that waits.
#[derive(Clone, Copy, Debug)]
pub(super) struct Waiting {
    pub(super) kind: Kind,
    pub(super) span: Span,
    pub(super) depth: u64,
}

/// Events that wait, with the bytes of their properties.
#[derive(Debug, Default)]
pub(super) struct Held {
    bytes: Vec<u8>,
    events: Vec<Waiting>,
    nodes: u64,
    /// Where the second node begins.
    behind_root: u64,
}

impl Held {
    /// Keeps an event. False for one that cannot wait: a part of a property.
    pub(super) fn push(&mut self, event: &Event<'_>, span: Span, depth: u64) -> bool {
        let kind = match event {
            Event::VariationStart { .. } => Kind::VariationStart,
            Event::NodeStart { .. } => {
                self.nodes += 1;
                if self.nodes == 2 {
                    self.behind_root = span.start;
                }
                Kind::NodeStart
            }
            Event::VariationEnd { .. } => Kind::VariationEnd,
            Event::Property(property) => {
                let start = self.bytes.len();
                self.bytes.extend_from_slice(property.as_bytes());
                let ident_len = property.ident().as_bytes().len() as u32;
                Kind::Property { start, end: self.bytes.len(), ident_len, framing: property.framing() }
            }
            Event::Problem(problem) => Kind::Problem(*problem),
            Event::Gap(_) => return true,
            Event::PropertyPart(_) => return false,
        };
        self.events.push(Waiting { kind, span, depth });
        true
    }

    /// True once no more should be kept.
    pub(super) fn is_full(&self) -> bool {
        self.bytes.len() + self.events.len() * size_of::<Waiting>() >= HELD_MAX * 4
            || self
                .events
                .first()
                .zip(self.events.last())
                .is_some_and(|(first, last)| last.span.end.saturating_sub(first.span.start) >= HELD_MAX as u64)
    }

    /// Nodes among them.
    pub(super) fn nodes(&self) -> u64 {
        self.nodes
    }

    pub(super) fn len(&self) -> usize {
        self.events.len()
    }

    pub(super) fn get(&self, index: usize) -> Waiting {
        self.events[index]
    }

    /// The property of an event of this room.
    pub(super) fn property(&self, start: usize, end: usize, ident_len: u32, framing: Framing) -> Property<'_> {
        Property::new(&self.bytes[start..end], ident_len, framing, false)
    }

    pub(super) fn clear(&mut self) {
        self.events.clear();
        self.nodes = 0;
        self.bytes.clear();
    }
}
