//! The trait of everything that takes events.

use crate::base::{Charset, CharsetSource, Span};

use super::{Event, Property};

/// Answer of a [`Sink`]: how reading goes on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Flow {
    /// The next event.
    #[default]
    Go,
    /// Skip the rest of this variation: next is its `VariationEnd`.
    SkipVariation,
    /// Skip the rest of this game: next is its `VariationEnd`.
    SkipGame,
    /// No more events.
    Stop,
}

/// Place of an event: its bytes, depth, game and charset. It is made for each event; fields that are not
/// used are optimised away.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Place {
    /// The bytes of the event; empty if it was supplied.
    pub span: Span,
    /// Open variations, with the event's own: 1 in a game's main line, 0
    /// between games.
    pub depth: u64,
    /// Games begun so far: 1 in the first, 0 before it.
    pub game: u64,
    /// The charset of the game as far as it is known.
    pub charset: Charset,
    /// How the charset is known.
    pub charset_source: CharsetSource,
}

impl Place {
    /// The place of an event that comes from no reader.
    #[must_use]
    pub fn new(span: Span, depth: u64, game: u64, charset: Charset, charset_source: CharsetSource) -> Self {
        Self { span, depth, game, charset, charset_source }
    }

    /// The charset for what writes: a [guessed](CharsetSource::Guessed) one is not good enough for that.
    #[must_use]
    #[inline]
    pub fn sure_charset(&self) -> (Charset, CharsetSource) {
        match self.charset_source {
            CharsetSource::Guessed => (Charset::AUTO, CharsetSource::Default),
            source => (self.charset, source),
        }
    }
}

/// Something that takes events: every adapter, and every closure over `(&Event, &Place)`.
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
/// Nearly all events of most files are nodes and moves. A sink that has less to do for them than for other events
/// implements [`node`](Self::node) and [`play`](Self::play), and readers call these with no event between:
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
    /// Moves go to [`play`](Self::play). Without it, readers do not look which properties are moves.
    const PLAYS: bool = false;

    /// Takes one event and says how to go on.
    fn event(&mut self, event: &Event<'_>, place: &Place) -> Flow;

    /// Takes the start of a node that is in the input. By default it goes to [`event`](Self::event).
    #[inline(always)]
    fn node(&mut self, place: &Place) -> Flow {
        self.event(&Event::NodeStart { supplied: false }, place)
    }

    /// Takes a move: `letter` and `point` are the result of [`Property::as_move`]. A sink without [`PLAYS`](Self::PLAYS)
    /// gets moves as events. By default a move goes to [`event`](Self::event).
    #[inline(always)]
    fn play(&mut self, letter: u8, point: [u8; 2], property: &Property<'_>, place: &Place) -> Flow {
        _ = (letter, point);
        self.event(&Event::Property(*property), place)
    }

    /// Takes any event by the method for it: for a loop that calls a sink with events of its own.
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
