//! The trait of types that accept events.

use crate::base::{Charset, CharsetSource, Span};

use super::{Event, Property};

/// Answer of a [`Sink`]: how the reader continues.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Flow {
    /// Continue with the next event.
    #[default]
    Go,
    /// Skip the rest of this variation; its `VariationEnd` is next.
    SkipVariation,
    /// Skip the rest of this game; its `VariationEnd` is next.
    SkipGame,
    /// Stop: no more events.
    Stop,
}

/// Place of an event: its bytes, depth, game and charset. It is made for each event; the compiler removes fields that
/// are not used.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Place {
    /// Bytes of the event; empty if the reader inserted it.
    pub span: Span,
    /// Number of open variations, including the event's own: 1 in a game's main line, 0 between games.
    pub depth: u64,
    /// Number of games started so far: 1 in the first game, 0 before it.
    pub game: u64,
    /// Charset of the game, as far as it is known.
    pub charset: Charset,
    /// Origin of the charset.
    pub charset_source: CharsetSource,
}

impl Place {
    /// Returns the place of an event that comes from no reader.
    #[must_use]
    pub fn new(span: Span, depth: u64, game: u64, charset: Charset, charset_source: CharsetSource) -> Self {
        Self { span, depth, game, charset, charset_source }
    }
}

/// Receiver of events: every adapter, and every closure over `(&Event, &Place)`.
///
/// ```
/// use sgfstream::{Event, EventReader, Flow, SliceReader};
///
/// let mut nodes = 0;
/// SliceReader::new(b"(;B[aa];W[bb](;B[cc])(;B[dd]))")
///     .drive(&mut |event: &Event<'_>, _: &_| {
///         nodes += u32::from(matches!(event, Event::NodeStart { .. }));
///         Flow::Go
///     })?;
/// assert_eq!(nodes, 4);
/// # Ok::<(), sgfstream::Error>(())
/// ```
///
/// Nearly all events of most files are nodes and moves. If a sink can handle them faster than other events, it
/// implements [`node`](Self::node) and [`play`](Self::play). Readers call these methods without building an event:
///
/// ```
/// use sgfstream::{Event, EventReader, Flow, Place, Property, Sink, SliceReader};
///
/// #[derive(Default)]
/// struct Corners(u32);
///
/// impl Sink for Corners {
///     const PLAYS: bool = true;
///
///     fn play(&mut self, _: u8, point: [u8; 2], _: &Property<'_>, _: &Place) -> Flow {
///         self.0 += u32::from(matches!(&point, b"dd" | b"dp" | b"pd" | b"pp"));
///         Flow::Go
///     }
///
///     fn event(&mut self, _: &Event<'_>, _: &Place) -> Flow {
///         Flow::Go
///     }
/// }
///
/// let mut corners = Corners::default();
/// SliceReader::new(b"(;GM[1];B[pd];W[dp];B[cd])").drive(&mut corners)?;
/// assert_eq!(corners.0, 2);
/// # Ok::<(), sgfstream::Error>(())
/// ```
pub trait Sink {
    /// Whether moves go to [`play`](Self::play). If not, readers do not check which properties are moves.
    const PLAYS: bool = false;

    /// Handles one event and returns how to continue.
    fn event(&mut self, event: &Event<'_>, place: &Place) -> Flow;

    /// Handles the start of a node that is in the input. The default calls [`event`](Self::event).
    #[inline(always)]
    fn node(&mut self, place: &Place) -> Flow {
        self.event(&Event::NodeStart { supplied: false }, place)
    }

    /// Handles a move: `letter` and `point` are the result of [`Property::as_move`]. The default calls
    /// [`event`](Self::event). If [`PLAYS`](Self::PLAYS) is false, moves come as events.
    #[inline(always)]
    fn play(&mut self, letter: u8, point: [u8; 2], property: &Property<'_>, place: &Place) -> Flow {
        _ = (letter, point);
        self.event(&Event::Property(*property), place)
    }

    /// Passes an event to its method, for a caller that makes its own events.
    #[inline(always)]
    fn take(&mut self, event: &Event<'_>, place: &Place) -> Flow {
        match event {
            Event::NodeStart { supplied: false } => return self.node(place),
            Event::Property(property) if Self::PLAYS => {
                if let Some((letter, point)) = property.as_move() {
                    return self.play(letter, point, property, place);
                }
            }
            _ => {}
        }
        self.event(event, place)
    }
}

impl<F: FnMut(&Event<'_>, &Place) -> Flow> Sink for F {
    #[inline]
    fn event(&mut self, event: &Event<'_>, place: &Place) -> Flow {
        self(event, place)
    }
}
