//! Events that are buffered until it is known which game they belong to.

use std::collections::VecDeque;

use sgfstream::{Event, EventReader, Flow, Framing, OwnedEvent, Place, Property, Result, Sink, Variation};

use super::GameState;
use crate::game::Lookahead;

/// Buffer for the events after a root that does not show which game it is, until their moves show it. All properties
/// share one allocation: a game without `GM` has up to 64 moves here, and in some archives two of three games have no
/// `GM`.
///
/// ```
/// use sgfstream::{EventReader, SliceReader};
/// use sgfstream_game::{LookaheadBuffer, Game, GameState, RootRetention};
///
/// let mut state = GameState::new(RootRetention::Values);
/// let mut ahead = LookaheadBuffer::default();
/// let mut reader = SliceReader::new(b"(;SZ[8];B[a1];W[swap-pieces])");
/// while reader.advance()? {
///     if !ahead.keeps(&mut state, &reader.event(), &reader.place()) {
///         state.event(&reader.event(), &reader.place());
///     } else if ahead.is_known() {
///         while let Some((event, place)) = ahead.pop() {
///             state.event(&event, &place);
///         }
///     }
/// }
/// assert_eq!(state.game(), Game::Hex);
/// # Ok::<(), sgfstream::Error>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct LookaheadBuffer {
    events: VecDeque<(BufferedEvent, Place)>,
    bytes: Vec<u8>,
    /// The event that `pop` returned last, if it is of a rare kind.
    taken: Option<Box<OwnedEvent>>,
    /// Set while the game is unknown.
    lookahead: Option<Box<Lookahead>>,
}

#[derive(Clone, Debug)]
enum BufferedEvent {
    Node { supplied: bool },
    Start(Variation),
    End(Variation),
    Property { start: usize, end: usize, ident_len: u32, framing: Framing, is_simple: bool },
    Other(Box<OwnedEvent>),
}

impl LookaheadBuffer {
    /// Buffers the event if `state` must identify the game first, and returns whether it buffered the event. This method is
    /// for a caller that receives events instead of reading them. Once the game [is known](Self::is_known), call
    /// [`pop`](Self::pop) until it returns `None`.
    #[inline]
    pub fn keeps(&mut self, state: &mut GameState, event: &Event<'_>, place: &Place) -> bool {
        (self.lookahead.is_some() || state.asks_evidence(event)) && self.keep(state, event, place)
    }

    #[inline(never)]
    fn keep(&mut self, state: &mut GameState, event: &Event<'_>, place: &Place) -> bool {
        let mut lookahead = self.lookahead.take().unwrap_or_else(|| Box::new(state.lookahead()));
        self.push(event, place);
        let is_game_end = matches!(event, Event::VariationEnd(variation) if variation.is_game());
        if lookahead.take(event) || is_game_end {
            state.take_evidence(lookahead.finish());
        } else {
            self.lookahead = Some(lookahead);
        }
        true
    }

    /// Ends the input: the buffered events must show which game it is.
    pub fn end(&mut self, state: &mut GameState) {
        if let Some(lookahead) = self.lookahead.take() {
            state.take_evidence(lookahead.finish());
        }
    }

    /// Returns whether the game is known, so that the buffered events may be taken.
    #[must_use]
    pub fn is_known(&self) -> bool {
        self.lookahead.is_none()
    }

    /// Returns whether no event is buffered.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.events.is_empty()
    }

    /// Appends an event to the buffer.
    pub fn push(&mut self, event: &Event<'_>, place: &Place) {
        if self.events.is_empty() {
            self.bytes.clear();
        }
        let kept = match *event {
            Event::NodeStart { supplied } => BufferedEvent::Node { supplied },
            Event::VariationStart(variation) => BufferedEvent::Start(variation),
            Event::VariationEnd(variation) => BufferedEvent::End(variation),
            Event::Property(property) => {
                let start = self.bytes.len();
                self.bytes.extend_from_slice(property.as_bytes());
                let ident_len = property.ident().as_bytes().len() as u32;
                let (framing, is_simple) = (property.framing(), property.is_simple());
                BufferedEvent::Property { start, end: self.bytes.len(), ident_len, framing, is_simple }
            }
            other => BufferedEvent::Other(Box::new(other.into_owned())),
        };
        self.events.push_back((kept, *place));
    }

    /// Removes the first event and returns it.
    pub fn pop(&mut self) -> Option<(Event<'_>, Place)> {
        let (kept, place) = self.events.pop_front()?;
        let event = match kept {
            BufferedEvent::Node { supplied } => Event::NodeStart { supplied },
            BufferedEvent::Start(variation) => Event::VariationStart(variation),
            BufferedEvent::End(variation) => Event::VariationEnd(variation),
            BufferedEvent::Property { start, end, ident_len, framing, is_simple } => {
                let property = Property::new(&self.bytes[start..end], ident_len, framing, is_simple);
                Event::Property(property.with_charset(place.charset))
            }
            BufferedEvent::Other(owned) => self.taken.insert(owned).as_event(),
        };
        Some((event, place))
    }

    /// Reads on after `first`, the event that ends a root, until it is known which game it is or the game ends.
    ///
    /// # Errors
    ///
    /// The same as for [`EventReader::advance`].
    pub fn read(
        &mut self,
        reader: &mut impl EventReader,
        (event, place): (OwnedEvent, Place),
        lookahead: &mut Lookahead,
    ) -> Result<()> {
        let mut reading = BufferingSink { ahead: self, lookahead };
        match reading.event(&event.as_event(), &place) {
            Flow::Stop => Ok(()),
            _ => reader.drive(&mut reading),
        }
    }
}

/// Sink that buffers events and passes them to the lookahead.
struct BufferingSink<'a> {
    ahead: &'a mut LookaheadBuffer,
    lookahead: &'a mut Lookahead,
}

impl Sink for BufferingSink<'_> {
    fn event(&mut self, event: &Event<'_>, place: &Place) -> Flow {
        self.ahead.push(event, place);
        let is_game_end = matches!(event, Event::VariationEnd(variation) if variation.is_game());
        if self.lookahead.take(event) || is_game_end { Flow::Stop } else { Flow::Go }
    }
}
