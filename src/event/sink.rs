//! The trait of types that accept events.

use crate::base::{Charset, CharsetSource, Span};

use super::{Event, Property};

/// Tells the reader how to continue after an event. The derived order follows the number of events
/// that a value skips.
///
/// ```
/// use sgfstream::{Event, EventReader, Flow, SliceReader, from_fn};
///
/// // Reads only the main line of each game.
/// let mut moves = 0;
/// let mut sink = from_fn(|event, place| match event {
///     Event::VariationEnd(_) if place.depth > 1 => Flow::SkipGame,
///     Event::Property(property) if property.ident() == "B" => {
///         moves += 1;
///         Flow::Go
///     }
///     _ => Flow::Go,
/// });
/// SliceReader::new(b"(;B[aa](;B[bb])(;B[cc]))(;B[dd])").drive(&mut sink)?;
/// assert_eq!(moves, 3);
/// # Ok::<(), sgfstream::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
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

/// Place of an event: its bytes, depth, game and charset. It is made for each event; the compiler
/// removes fields that are not used.
///
/// ```
/// use sgfstream::{Event, EventReader, SliceReader};
///
/// let mut reader = SliceReader::new(b"(;N[a](;B[aa]))");
/// while reader.advance()? && !matches!(reader.event(), Event::Property(property) if property.ident() == "B") {}
/// let place = reader.place();
/// assert_eq!((place.game, place.depth, place.span.start), (1, 2, 8));
/// # Ok::<(), sgfstream::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Place {
    /// Bytes of the event; empty if the reader inserted it.
    pub span: Span,
    /// Number of open variations, including the event's own: 1 in a game's main line, 0 between
    /// games.
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
    pub fn new(
        span: Span,
        depth: u64,
        game: u64,
        charset: Charset,
        charset_source: CharsetSource,
    ) -> Self {
        Self {
            span,
            depth,
            game,
            charset,
            charset_source,
        }
    }
}

/// Receiver of events: every adapter, a closure ([`from_fn`]), a pair of sinks, and a reference or
/// box of a sink. A program that chooses its sink at run time uses a `Box<dyn Sink>`.
///
/// ```
/// use sgfstream::{Event, EventReader, Flow, SliceReader, from_fn};
///
/// let (mut nodes, mut values) = (0, 0);
/// let count_nodes = from_fn(|event, _| {
///     nodes += u32::from(matches!(event, Event::NodeStart { .. }));
///     Flow::Go
/// });
/// let count_values = from_fn(|event, _| {
///     values +=
///         if let Event::Property(property) = event { property.value_count() } else { 0 };
///     Flow::Go
/// });
/// SliceReader::new(b"(;B[aa];W[bb](;B[cc])(;AB[dd][ee]))")
///     .drive(&mut (count_nodes, count_values))?;
/// assert_eq!((nodes, values), (4, 5));
/// # Ok::<(), sgfstream::Error>(())
/// ```
///
/// Nearly all events of most files are nodes and moves. If a sink can handle them faster than other
/// events, it implements [`node`](Self::node) and [`play`](Self::play). Readers call these methods
/// without building an event:
///
/// ```
/// use sgfstream::{Event, EventReader, Flow, Place, Property, Sink, SliceReader};
///
/// #[derive(Default)]
/// struct Corners(u32);
///
/// impl Sink for Corners {
///     fn plays(&self) -> bool {
///         true
///     }
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
    /// Handles one event and returns how to continue.
    fn event(&mut self, event: &Event<'_>, place: &Place) -> Flow;

    /// Returns whether moves go to [`play`](Self::play). If not, readers do not check which
    /// properties are moves.
    #[inline(always)]
    fn plays(&self) -> bool {
        false
    }

    /// Handles the start of a node that is in the input. The default calls [`event`](Self::event).
    #[inline(always)]
    fn node(&mut self, place: &Place) -> Flow {
        self.event(&Event::NodeStart { supplied: false }, place)
    }

    /// Handles a move: `letter` and `point` are the result of [`Property::as_move`]. The default
    /// calls [`event`](Self::event). If [`plays`](Self::plays) returns false, moves come as events.
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
            Event::Property(property) if self.plays() => {
                if let Some((letter, point)) = property.as_move() {
                    return self.play(letter, point, property, place);
                }
            }
            _ => {}
        }
        self.event(event, place)
    }
}

/// Sink that calls a closure; see [`from_fn`].
///
/// ```
/// use sgfstream::{Event, EventReader, Flow, FromFn, Place, SliceReader, from_fn};
///
/// fn counter(count: &mut u32) -> FromFn<impl FnMut(&Event<'_>, &Place) -> Flow> {
///     from_fn(|_, _| {
///         *count += 1;
///         Flow::Go
///     })
/// }
///
/// let mut count = 0;
/// SliceReader::new(b"(;B[aa])").drive(&mut counter(&mut count))?;
/// assert_eq!(count, 4);
/// # Ok::<(), sgfstream::Error>(())
/// ```
#[derive(Clone, Copy)]
pub struct FromFn<F>(F);

impl<F> std::fmt::Debug for FromFn<F> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("FromFn")
    }
}

/// Returns a sink that calls `f` for each event.
pub fn from_fn<F: FnMut(&Event<'_>, &Place) -> Flow>(f: F) -> FromFn<F> {
    FromFn(f)
}

impl<F: FnMut(&Event<'_>, &Place) -> Flow> Sink for FromFn<F> {
    #[inline]
    fn event(&mut self, event: &Event<'_>, place: &Place) -> Flow {
        self.0(event, place)
    }
}

/// Implements a sink that passes events to the sink inside.
macro_rules! forward {
    ($($sink:ty),+) => {
        $(impl<S: Sink + ?Sized> Sink for $sink {
            #[inline(always)]
            fn plays(&self) -> bool {
                (**self).plays()
            }

            #[inline(always)]
            fn event(&mut self, event: &Event<'_>, place: &Place) -> Flow {
                (**self).event(event, place)
            }

            #[inline(always)]
            fn node(&mut self, place: &Place) -> Flow {
                (**self).node(place)
            }

            #[inline(always)]
            fn play(&mut self, letter: u8, point: [u8; 2], property: &Property<'_>, place: &Place) -> Flow {
                (**self).play(letter, point, property, place)
            }
        })+
    };
}

forward!(&mut S, Box<S>);

/// Both sinks get each event. The reader skips only what both skip, and stops only if both stop: of
/// two answers, it follows the one that skips less.
impl<A: Sink, B: Sink> Sink for (A, B) {
    #[inline(always)]
    fn plays(&self) -> bool {
        self.0.plays() || self.1.plays()
    }

    #[inline]
    fn event(&mut self, event: &Event<'_>, place: &Place) -> Flow {
        self.0.event(event, place).min(self.1.event(event, place))
    }

    #[inline]
    fn node(&mut self, place: &Place) -> Flow {
        self.0.node(place).min(self.1.node(place))
    }

    #[inline]
    fn play(&mut self, letter: u8, point: [u8; 2], property: &Property<'_>, place: &Place) -> Flow {
        let first = self.0.play(letter, point, property, place);
        first.min(self.1.play(letter, point, property, place))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{EventReader, SliceReader};

    fn nodes_seen(first: Flow, second: Flow) -> (u32, u32) {
        let (mut seen, mut seen_too) = (0, 0);
        let count = |seen: &mut u32, event: &Event<'_>| {
            *seen += u32::from(matches!(event, Event::NodeStart { .. }))
        };
        let one: Box<dyn Sink> = Box::new(from_fn(|event, _| {
            count(&mut seen, event);
            first
        }));
        let mut other = from_fn(|event, _| {
            count(&mut seen_too, event);
            second
        });
        SliceReader::new(b"(;B[aa];W[bb])(;B[cc])")
            .drive(&mut (one, &mut other))
            .expect("no limit is set");
        (seen, seen_too)
    }

    #[test]
    fn a_pair_follows_the_answer_that_skips_less() {
        assert_eq!(nodes_seen(Flow::Go, Flow::Stop), (3, 3));
        assert_eq!(nodes_seen(Flow::SkipGame, Flow::Go), (3, 3));
        assert_eq!(nodes_seen(Flow::SkipGame, Flow::Stop), (0, 0));
    }
}
