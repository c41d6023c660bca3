//! Events from bytes in memory: an iterator, zero copy.

use std::cell::Cell;

use crate::base::{Charset, CharsetSource, LineCursor, Position, Result, Span};
use crate::event::{Event, Flow, Ident, Place, Sink};
use crate::scan::{Step, Token};

use super::EventReader;
use super::options::Options;
use super::parser::Parser;

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
    parser: Parser,
    token: Option<Token>,
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
        Self { bytes, parser: Parser::new(options), token: None, lines: Cell::default() }
    }

    /// Open variations, with that of the last event: 1 in the main line of a
    /// game, 0 between games.
    #[must_use]
    pub fn depth(&self) -> u64 {
        self.parser.machine.depth()
    }

    /// Games begun: 1 in the first.
    #[must_use]
    pub fn game(&self) -> u64 {
        self.parser.machine.game()
    }

    /// The bytes of the last event; empty if it was supplied.
    #[must_use]
    pub fn span(&self) -> Span {
        self.parser.machine.span()
    }

    /// The charset of the game, as far as it is known by now.
    #[must_use]
    pub fn charset(&self) -> Charset {
        self.parser.charset()
    }

    /// How the charset is known.
    #[must_use]
    pub fn charset_source(&self) -> CharsetSource {
        self.parser.charset_source()
    }

    /// Offset of the first byte that was not read yet.
    #[must_use]
    pub fn offset(&self) -> u64 {
        self.parser.machine.offset()
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
        self.parser.skip_to(u64::MAX);
    }

    /// Goes on to the end of the game: the next event is its `VariationEnd`.
    pub fn skip_game(&mut self) {
        self.parser.skip_to(1);
    }

    /// Gives every event that is left to `sink`.
    pub fn drive(&mut self, sink: &mut impl Sink) {
        while let Some(event) = self.next() {
            match sink.event(&event, &self.parser.place()) {
                Flow::Go => {}
                Flow::SkipVariation => self.skip_variation(),
                Flow::SkipGame => self.skip_game(),
                Flow::Stop => break,
            }
        }
    }

    #[inline(always)]
    fn event_of(&self, token: Token) -> Event<'a> {
        self.parser.event_of(self.bytes, token, || {
            let ident = self.parser.part_ident();
            Ident::new(&self.bytes[ident.start as usize..ident.end as usize])
        })
    }
}

impl<'a> Iterator for SliceReader<'a> {
    type Item = Event<'a>;

    #[inline]
    fn next(&mut self) -> Option<Event<'a>> {
        match self.parser.step(self.bytes, true) {
            Step::Token(token) => Some(self.event_of(token)),
            Step::End | Step::More => None,
        }
    }
}

impl std::iter::FusedIterator for SliceReader<'_> {}

impl EventReader for SliceReader<'_> {
    #[inline]
    fn advance(&mut self) -> Result<bool> {
        let Step::Token(token) = self.parser.step(self.bytes, true) else {
            return Ok(false);
        };
        self.token = Some(token);
        self.parser.check_depth(&token, || self.position_of(self.span().start))?;
        Ok(true)
    }

    #[inline]
    fn event(&self) -> Event<'_> {
        self.event_of(self.token.expect("advance came to an event"))
    }

    #[inline]
    fn place(&self) -> Place {
        self.parser.place()
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
