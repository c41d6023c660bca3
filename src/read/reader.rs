//! What the ways in have in common.

use crate::base::{Position, Result};
use crate::event::{Event, Flow, Place, Sink};

/// A source of events that is asked for the next one. [`SliceReader`](crate::SliceReader),
/// [`Reader`](crate::Reader) and [`Strict`](crate::Strict) are sources; code that takes `impl EventReader` takes
/// them all.
///
/// ```
/// use sgfstream::{Event, EventReader, Reader, SliceReader};
///
/// fn count_nodes(mut reader: impl EventReader) -> sgfstream::Result<u64> {
///     let mut nodes = 0;
///     while let Some(event) = reader.pull()? {
///         nodes += u64::from(matches!(event, Event::NodeStart { .. }));
///     }
///     Ok(nodes)
/// }
///
/// let game = b"(;GM[1];B[aa])";
/// assert_eq!(count_nodes(SliceReader::new(game))?, 2);
/// assert_eq!(count_nodes(Reader::new(&game[..]))?, 2);
/// # Ok::<(), sgfstream::Error>(())
/// ```
pub trait EventReader {
    /// Reads on to the next event, which [`event`](Self::event) then gives. False at
    /// the end of input.
    ///
    /// # Errors
    ///
    /// When reading fails or a limit that the caller set is passed. What a
    /// broken file does is no error: see [`Event::Problem`].
    fn advance(&mut self) -> Result<bool>;

    /// The event that the last [`advance`](Self::advance) came to.
    ///
    /// # Panics
    ///
    /// When there was none.
    fn event(&self) -> Event<'_>;

    /// The next event, or `None` at the end of input.
    ///
    /// # Errors
    ///
    /// As [`advance`](Self::advance).
    #[inline]
    fn pull(&mut self) -> Result<Option<Event<'_>>> {
        Ok(if self.advance()? { Some(self.event()) } else { None })
    }

    /// Where the last event stands.
    fn place(&self) -> Place;

    /// Line and column of a byte of the last event.
    fn position_of(&self, byte: u64) -> Position;

    /// Goes on to the end of the variation that the last event stands in: the
    /// next event is its `VariationEnd`. Nothing after a `VariationEnd`.
    fn skip_variation(&mut self);

    /// Goes on to the end of the game: the next event is its `VariationEnd`.
    fn skip_game(&mut self);

    /// Gives every event that is left to `sink`, until it stops.
    ///
    /// # Errors
    ///
    /// As [`advance`](Self::advance).
    #[inline]
    fn drive(&mut self, sink: &mut impl Sink) -> Result<()>
    where
        Self: Sized,
    {
        while self.advance()? {
            let flow = sink.event(&self.event(), &self.place());
            if !follow(self, flow) {
                break;
            }
        }
        Ok(())
    }
}

/// Drives a reader that gives common events to the sink by itself: `common` gives
/// as many as stand here.
#[inline(always)]
pub(super) fn drive_by<R: EventReader, S: Sink>(
    reader: &mut R,
    sink: &mut S,
    common: impl Fn(&mut R, &mut S) -> Option<Flow>,
) -> Result<()> {
    loop {
        let flow = match common(reader, sink) {
            Some(flow) => flow,
            None if reader.advance()? => sink.event(&reader.event(), &reader.place()),
            None => return Ok(()),
        };
        if !follow(reader, flow) {
            return Ok(());
        }
    }
}

/// Does what a sink wants. False if that is to stop.
#[inline]
pub(super) fn follow(reader: &mut impl EventReader, flow: Flow) -> bool {
    match flow {
        Flow::Go => {}
        Flow::SkipVariation => reader.skip_variation(),
        Flow::SkipGame => reader.skip_game(),
        Flow::Stop => return false,
    }
    true
}
