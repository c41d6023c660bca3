//! Traits of all readers.

use crate::base::{Charset, Position, Result, Span};
use crate::event::{Event, Flow, Place, Sink};
use crate::tokens::TokenBuffer;

/// Internal part of this library's readers. It seals [`EventReader`].
pub trait EventSource {
    /// Passes events to `sink` up to an uncommon event, or until the sink returns anything but
    /// `Go`. Common events are never problems or starts of games.
    #[inline(always)]
    fn drive_common(&mut self, _sink: &mut impl Sink) -> Option<Flow>
    where
        Self: Sized,
    {
        None
    }

    /// Writes common input into the buffer of a game, up to uncommon input, or until the buffer is
    /// complete.
    #[inline(always)]
    fn fill_common(&mut self, _tokens: &mut TokenBuffer) -> Option<Flow> {
        None
    }

    /// Returns the bytes of the input from `start` to `end`, or to the end of the window.
    fn game_bytes(&self, _start: u64, _end: u64) -> Option<&[u8]> {
        None
    }

    /// Keeps the bytes from a game's `(` on in the window, and up to `_before` bytes before it.
    #[inline(always)]
    fn retain_game(&mut self, _from: Option<u64>, _before: u64) {}

    /// Returns whether the window still has the bytes from `start` on.
    #[inline(always)]
    fn holds_game(&self, _start: u64) -> bool {
        true
    }
}

/// Source of events: [`SliceReader`](crate::SliceReader), [`Reader`](crate::Reader),
/// [`Strict`](crate::Strict) and [`PartReader`](super::parallel::PartReader). Other crates cannot
/// implement it.
///
/// ```
/// use sgfstream::{Event, EventReader, Reader, SliceReader};
///
/// fn count_nodes(mut reader: impl EventReader) -> sgfstream::Result<u64> {
///     let mut nodes = 0;
///     while reader.advance()? {
///         match reader.event() {
///             Event::NodeStart { .. } => nodes += 1,
///             _ => {}
///         }
///     }
///     Ok(nodes)
/// }
///
/// let game = b"(;GM[1];B[aa])";
/// assert_eq!(count_nodes(SliceReader::new(game))?, 2);
/// assert_eq!(count_nodes(Reader::new(&game[..]))?, 2);
/// # Ok::<(), sgfstream::Error>(())
/// ```
///
/// A program that chooses its reader at run time uses a `Box<dyn EventReader>`:
///
/// ```
/// use sgfstream::{EventReader, SliceReader, Strict};
///
/// let is_strict = true;
/// let reader = SliceReader::new(b"(;B[aa]]");
/// let mut reader: Box<dyn EventReader> =
///     if is_strict { Box::new(Strict::new(reader)) } else { Box::new(reader) };
/// while reader.advance().is_ok_and(|is_event| is_event) {}
/// assert_eq!(reader.span().start, 7);
/// ```
///
/// An event borrows from its reader. Between two calls of [`advance`](Self::advance), a loop can
/// also use the reader: for the depth, for a position, or to skip the rest of a variation:
///
/// ```
/// use sgfstream::{Event, EventReader, Reader};
///
/// let mut reader = Reader::new(&b"(;CA[UTF-8]C[one](;C[two])(;C[three]))"[..]);
/// let mut comments = Vec::new();
/// while reader.advance()? {
///     if let Event::Property(property) = reader.event()
///         && property.ident() == "C"
///     {
///         comments.push((reader.depth(), property.text().into_owned()));
///     }
/// }
/// assert_eq!(comments, [(1, "one".into()), (2, "two".into()), (2, "three".into())]);
/// # Ok::<(), sgfstream::Error>(())
/// ```
pub trait EventReader: EventSource {
    /// Reads and returns the next event, or `None` at the end of the input. It combines
    /// [`advance`](Self::advance) and [`event`](Self::event). The event borrows the reader: to ask
    /// for its place, too, call `advance`, then `event`.
    ///
    /// # Errors
    ///
    /// Reading fails, or a limit of the caller is exceeded. After an error of reading, the next
    /// call tries again. A problem in the file is not an error: see [`Event::Problem`].
    #[inline(always)]
    fn next_event(&mut self) -> Result<Option<Event<'_>>> {
        Ok(if self.advance()? {
            Some(self.event())
        } else {
            None
        })
    }

    /// Reads the next event, which [`event`](Self::event) then returns. Returns false at the end of
    /// the input.
    ///
    /// # Errors
    ///
    /// The same as for [`next_event`](Self::next_event).
    fn advance(&mut self) -> Result<bool>;

    /// Returns the last event that was read. Before the first event, it is an [`Event::Gap`]
    /// without bytes.
    fn event(&self) -> Event<'_>;

    /// Returns the place of the last event: its bytes, depth, game and charset.
    fn place(&self) -> Place;

    /// Returns the number of open variations, including the variation of the last event: 1 in the
    /// main line of a game, 0 between games.
    #[inline]
    fn depth(&self) -> u64 {
        self.place().depth
    }

    /// Returns the number of games started so far: 1 in the first.
    #[inline]
    fn game(&self) -> u64 {
        self.place().game
    }

    /// Returns the span of the last event; empty if the reader inserted it.
    #[inline]
    fn span(&self) -> Span {
        self.place().span
    }

    /// Returns the charset of the game, as far as it is known.
    #[inline]
    fn charset(&self) -> Charset {
        self.place().charset
    }

    /// Returns line and column of a byte of the last event. This is cheap if bytes are requested in
    /// the order of the input.
    fn position_of(&self, byte: u64) -> Position;

    /// Skips to the end of the variation of the last event: the next event is its `VariationEnd`.
    /// Has no effect after a `VariationEnd`.
    fn skip_variation(&mut self);

    /// Skips to the end of the game: the next event is its `VariationEnd`.
    fn skip_game(&mut self);

    /// Returns each property whole from now on, unless it is longer than
    /// [`Limits::game`](crate::Limits::game), and returns that limit. Use it if you buffer one game
    /// at a time: a [`PropertyPart`](crate::PropertyPart) then occurs only in a game that is longer
    /// than the limit. Call it before the first event.
    ///
    /// ```
    /// use sgfstream::{Event, EventReader, SliceReader};
    ///
    /// let game = format!("(;C[{}])", "x".repeat(2 << 20));
    /// let mut reader = SliceReader::new(game.as_bytes());
    /// assert_eq!(reader.hold_games(), 32 << 20);
    /// while reader.advance()? {
    ///     assert!(!matches!(reader.event(), Event::PropertyPart(_)));
    /// }
    /// # Ok::<(), sgfstream::Error>(())
    /// ```
    #[doc(hidden)]
    fn hold_games(&mut self) -> u64;

    /// Passes all remaining events to `sink`, until it stops.
    ///
    /// # Errors
    ///
    /// The same as for [`next_event`](Self::next_event).
    #[inline]
    fn drive(&mut self, sink: &mut impl Sink) -> Result<()>
    where
        Self: Sized,
    {
        loop {
            let flow = match self.drive_common(sink) {
                Some(flow) => flow,
                None if self.advance()? => sink.take(&self.event(), &self.place()),
                None => return Ok(()),
            };
            match flow {
                Flow::Go => {}
                Flow::SkipVariation => self.skip_variation(),
                Flow::SkipGame => self.skip_game(),
                Flow::Stop => return Ok(()),
            }
        }
    }
}

impl<R: EventReader + ?Sized> EventSource for Box<R> {
    fn fill_common(&mut self, buffer: &mut TokenBuffer) -> Option<Flow> {
        (**self).fill_common(buffer)
    }

    fn game_bytes(&self, start: u64, end: u64) -> Option<&[u8]> {
        (**self).game_bytes(start, end)
    }

    fn retain_game(&mut self, from: Option<u64>, before: u64) {
        (**self).retain_game(from, before);
    }

    fn holds_game(&self, start: u64) -> bool {
        (**self).holds_game(start)
    }
}

impl<R: EventReader + ?Sized> EventReader for Box<R> {
    fn next_event(&mut self) -> Result<Option<Event<'_>>> {
        (**self).next_event()
    }

    fn advance(&mut self) -> Result<bool> {
        (**self).advance()
    }

    fn event(&self) -> Event<'_> {
        (**self).event()
    }

    fn place(&self) -> Place {
        (**self).place()
    }

    fn position_of(&self, byte: u64) -> Position {
        (**self).position_of(byte)
    }

    fn skip_variation(&mut self) {
        (**self).skip_variation();
    }

    fn skip_game(&mut self) {
        (**self).skip_game();
    }

    fn hold_games(&mut self) -> u64 {
        (**self).hold_games()
    }
}
