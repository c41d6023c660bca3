//! Events from bytes in memory: an iterator, zero copy.

use std::cell::Cell;

use crate::base::{Charset, CharsetSource, LineCursor, Position, Result, Span};
use crate::event::{Event, Ident, Place, Sink};

use super::EventReader;
use super::cursor::Cursor;
use super::give::ToEvent;
use super::options::Options;
use super::reader::{drive_by, follow};
use super::slow::{Kind, Pulled};

/// Reads a slice. Events borrow from the slice, not from the reader, so they
/// can be kept while reading goes on.
///
/// ```
/// use sgfstream::{Event, SliceReader};
///
/// let collection = b"(;GM[1]SZ[9];B[ee]) (;GM[11];B[a1];W[swap-pieces])";
/// let mut reader = SliceReader::new(collection);
/// let mut nodes = [0; 2];
/// while let Some(event) = reader.next() {
///     if let Event::NodeStart { .. } = event {
///         nodes[reader.game() as usize - 1] += 1;
///     }
/// }
/// assert_eq!(nodes, [2, 3]);
/// ```
#[derive(Clone, Debug)]
pub struct SliceReader<'a> {
    bytes: &'a [u8],
    cursor: Cursor,
    current: Option<Kind>,
    lines: Cell<LineCursor>,
}

impl<'a> SliceReader<'a> {
    /// A reader of `bytes`, with the default options.
    #[must_use]
    pub fn new(bytes: &'a [u8]) -> Self {
        Self::with_options(bytes, Options::default())
    }

    /// A reader of `bytes`.
    ///
    /// [`Limits::depth`](crate::Limits::depth) has no meaning here: an iterator has no errors. Use
    /// [`EventReader`], which has.
    #[must_use]
    pub fn with_options(bytes: &'a [u8], options: Options) -> Self {
        Self { bytes, cursor: Cursor::new(options), current: None, lines: Cell::default() }
    }

    /// Open variations, with that of the last event: 1 in the main line of a
    /// game, 0 between games.
    #[must_use]
    pub fn depth(&self) -> u64 {
        self.cursor.depth()
    }

    /// Games begun: 1 in the first.
    #[must_use]
    pub fn game(&self) -> u64 {
        self.cursor.game()
    }

    /// The bytes of the last event; empty if it was supplied.
    #[must_use]
    pub fn span(&self) -> Span {
        self.cursor.span()
    }

    /// The charset of the game, as far as it is known by now.
    #[must_use]
    pub fn charset(&self) -> Charset {
        self.cursor.charset()
    }

    /// How the charset is known.
    #[must_use]
    pub fn charset_source(&self) -> CharsetSource {
        self.cursor.charset_source()
    }

    /// Offset of the first byte that was not read yet.
    #[must_use]
    pub fn offset(&self) -> u64 {
        self.cursor.offset()
    }

    /// Line and column of a byte. Cheap when asked in the order of the input.
    #[must_use]
    pub fn position_of(&self, byte: u64) -> Position {
        let mut lines = self.lines.take();
        if lines.position().byte > byte {
            lines = LineCursor::default();
        }
        let from = lines.position().byte as usize;
        lines.advance(&self.bytes[from..self.bytes.len().min(byte as usize).max(from)]);
        self.lines.set(lines);
        lines.position()
    }

    /// Goes on to the end of the variation that the last event stands in: the
    /// next event is its `VariationEnd`. Nothing after a `VariationEnd`.
    pub fn skip_variation(&mut self) {
        self.cursor.skip_variation();
    }

    /// Goes on to the end of the game: the next event is its `VariationEnd`.
    pub fn skip_game(&mut self) {
        self.cursor.skip_game();
    }

    /// Gives every event that is left to `sink`.
    #[inline]
    pub fn drive(&mut self, sink: &mut impl Sink) {
        loop {
            let flow = match self.cursor.drive_common(self.bytes, sink) {
                Some(flow) => flow,
                None => match self.next() {
                    Some(event) => sink.event(&event, &self.cursor.place()),
                    None => break,
                },
            };
            if !follow(self, flow) {
                break;
            }
        }
    }

    #[inline(always)]
    fn event_of(&self, kind: Kind) -> Event<'a> {
        self.cursor.event(self.bytes, kind, || {
            let ident = self.cursor.part_ident_span();
            Ident::new(&self.bytes[ident.start as usize..ident.end as usize])
        })
    }
}

impl<'a> Iterator for SliceReader<'a> {
    type Item = Event<'a>;

    #[inline(always)]
    fn next(&mut self) -> Option<Event<'a>> {
        let bytes = self.bytes;
        let event = self.cursor.fast_step(bytes, ToEvent { window: bytes });
        if event.is_some() {
            return event;
        }
        match self.cursor.slow_step(bytes, true) {
            Pulled::Event(kind) => Some(self.event_of(kind)),
            Pulled::End | Pulled::More => None,
        }
    }
}

impl std::iter::FusedIterator for SliceReader<'_> {}

impl EventReader for SliceReader<'_> {
    fn drive(&mut self, sink: &mut impl Sink) -> Result<()> {
        drive_by(self, sink, |reader, sink| reader.cursor.drive_common(reader.bytes, sink))
    }

    #[inline]
    fn advance(&mut self) -> Result<bool> {
        let Pulled::Event(kind) = self.cursor.step(self.bytes, true) else {
            return Ok(false);
        };
        self.current = Some(kind);
        self.cursor.check_depth(kind, || self.position_of(self.span().start))?;
        Ok(true)
    }

    #[inline]
    fn event(&self) -> Event<'_> {
        self.event_of(self.current.expect("advance came to an event"))
    }

    #[inline]
    fn place(&self) -> Place {
        self.cursor.place()
    }

    fn position_of(&self, byte: u64) -> Position {
        Self::position_of(self, byte)
    }

    fn skip_variation(&mut self) {
        Self::skip_variation(self);
    }

    fn skip_game(&mut self) {
        Self::skip_game(self);
    }
}
