//! What a front makes of the common events.

use crate::event::{Event, Flow, Sink};

use super::cursor::Cursor;
use super::slow::Kind;

/// What is made of a common event. A closure cannot be told to be inlined, and
/// whether it is decides on half the rate.
pub(super) trait Give {
    type Given;
    /// To be `inline(always)`.
    fn give(self, cursor: &Cursor, kind: Kind) -> Self::Given;
}

/// Its kind, where the event cannot be made yet.
pub(super) struct ToKind;

impl Give for ToKind {
    type Given = Kind;
    #[inline(always)]
    fn give(self, _: &Cursor, kind: Kind) -> Kind {
        kind
    }
}

/// The event.
pub(super) struct ToEvent<'w> {
    pub(super) window: &'w [u8],
}

impl<'w> Give for ToEvent<'w> {
    type Given = Event<'w>;
    #[inline(always)]
    fn give(self, cursor: &Cursor, kind: Kind) -> Event<'w> {
        cursor.common_event(self.window, kind)
    }
}

/// What a sink wants next.
pub(super) struct ToSink<'w, 's, S> {
    pub(super) window: &'w [u8],
    pub(super) sink: &'s mut S,
}

impl<S: Sink> Give for ToSink<'_, '_, S> {
    type Given = Flow;
    #[inline(always)]
    fn give(self, cursor: &Cursor, kind: Kind) -> Flow {
        self.sink.event(&cursor.common_event(self.window, kind), &cursor.place())
    }
}
