//! Returns events from bytes in memory, without copying them.

use crate::base::{LineCursor, Position, Result, SharedCursor};
use crate::event::{Event, Flow, Ident, Place, Sink};
use crate::scan::{Step, Token};

use super::cursor::{Cursor, ToEvent, ToToken};
use super::options::Options;
use crate::tokens::TokenBuffer;

use super::reader::{EventReader, EventSource};

/// Reader of a slice. Most of its methods come from [`EventReader`]. [`events`](Self::events) is an
/// iterator.
///
/// ```
/// use sgfstream::{Event, EventReader, SliceReader};
///
/// let collection = b"(;GM[1]SZ[9];B[ee]) (;GM[11];B[a1];W[swap-pieces])";
/// let mut reader = SliceReader::new(collection);
/// let mut nodes = [0; 2];
/// while reader.advance()? {
///     if let Event::NodeStart { .. } = reader.event() {
///         nodes[reader.game() as usize - 1] += 1;
///     }
/// }
/// assert_eq!(nodes, [2, 3]);
/// # Ok::<(), sgfstream::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct SliceReader<'a> {
    bytes: &'a [u8],
    /// Offset of `bytes` in the input.
    base: u64,
    cursor: Cursor,
    lines: SharedCursor,
}

impl<'a> SliceReader<'a> {
    /// Returns a reader of `bytes` with the default options.
    #[must_use]
    pub fn new(bytes: &'a [u8]) -> Self {
        Self::with_options(bytes, Options::default())
    }

    /// Returns a reader of `bytes` with these options.
    #[must_use]
    pub fn with_options(bytes: &'a [u8], options: Options) -> Self {
        Self {
            bytes,
            base: 0,
            cursor: Cursor::new(options),
            lines: SharedCursor::default(),
        }
    }

    /// Returns a reader of bytes that begin at `offset` of an input, after `games` games. Spans and
    /// the bytes of positions count from the start of the input, lines from the start of the bytes.
    ///
    /// ```
    /// use sgfstream::{EventReader, Options, SliceReader};
    ///
    /// let input = b"(;B[aa])(;B[bb])";
    /// let mut reader = SliceReader::starting_at(&input[8..], Options::default(), 8, 1);
    /// reader.advance()?;
    /// assert_eq!((reader.game(), reader.span().start), (2, 8));
    /// # Ok::<(), sgfstream::Error>(())
    /// ```
    #[must_use]
    pub fn starting_at(bytes: &'a [u8], options: Options, offset: u64, games: u64) -> Self {
        let mut reader = Self {
            base: offset,
            ..Self::with_options(bytes, options)
        };
        reader.cursor.start_at(offset, games);
        reader.lines.set(LineCursor::starting_at(offset));
        reader
    }

    /// Returns the offset of the first unread byte.
    #[must_use]
    pub fn offset(&self) -> u64 {
        self.cursor.offset()
    }

    /// Returns an iterator of the events from here on. An event borrows from the slice, not from
    /// the reader, so that it stays valid while the reader reads on. Take the event of each result
    /// with `?` or a `match`: `flatten()` copies each event, which takes longer than reading it.
    ///
    /// ```
    /// use sgfstream::{Event, SliceReader};
    ///
    /// let events = SliceReader::new(b"(;B[aa];W[bb])")
    ///     .events()
    ///     .collect::<sgfstream::Result<Vec<Event<'_>>>>()?;
    /// assert_eq!((events.len(), &events[1]), (6, &Event::NodeStart { supplied: false }));
    /// # Ok::<(), sgfstream::Error>(())
    /// ```
    pub fn events(&mut self) -> Events<'_, 'a> {
        Events { reader: self }
    }

    #[inline(always)]
    fn token(&mut self) -> Result<Option<Token>> {
        match self.cursor.fast_step(self.bytes, ToToken) {
            Some(token) => Ok(Some(token)),
            None => self.slow_token(),
        }
    }

    #[inline(always)]
    fn slow_token(&mut self) -> Result<Option<Token>> {
        let Step::Token(token) = self.cursor.slow_step(self.bytes, true) else {
            return Ok(None);
        };
        self.cursor.keep(token);
        self.cursor
            .check_depth(token, || Some(self.position_of(self.span().start)))?;
        Ok(Some(token))
    }

    #[inline(always)]
    fn read_event(&mut self) -> Result<Option<Event<'a>>> {
        let bytes = self.bytes;
        if let Some(event) = self.cursor.fast_step(bytes, ToEvent { window: bytes }) {
            return Ok(Some(event));
        }
        Ok(self.slow_token()?.map(|token| self.event_of(token)))
    }

    #[inline(always)]
    fn event_of(&self, token: Token) -> Event<'a> {
        self.cursor.event(self.bytes, token, || self.part_ident())
    }

    fn part_ident(&self) -> Ident<'a> {
        let ident = self.cursor.part_ident_span();
        Ident::new(
            &self.bytes[(ident.start - self.base) as usize..(ident.end - self.base) as usize],
        )
    }
}

/// Iterator of the events of a [`SliceReader`]; see [`SliceReader::events`]. Its items are errors
/// only if a limit of the caller is exceeded.
///
/// ```
/// use sgfstream::{Event, SliceReader};
///
/// let mut nodes = 0;
/// for event in SliceReader::new(b"(;B[aa];W[bb])").events() {
///     nodes += u32::from(matches!(event?, Event::NodeStart { .. }));
/// }
/// assert_eq!(nodes, 2);
/// # Ok::<(), sgfstream::Error>(())
/// ```
#[derive(Debug)]
pub struct Events<'r, 'a> {
    reader: &'r mut SliceReader<'a>,
}

impl<'a> Iterator for Events<'_, 'a> {
    type Item = Result<Event<'a>>;

    #[inline(always)]
    fn next(&mut self) -> Option<Result<Event<'a>>> {
        let reader = &mut *self.reader;
        let bytes = reader.bytes;
        if let Some(event) = reader.cursor.fast_step(bytes, ToEvent { window: bytes }) {
            return Some(Ok(event));
        }
        match reader.slow_token() {
            Ok(Some(token)) => Some(Ok(reader.event_of(token))),
            Ok(None) => None,
            Err(err) => Some(Err(err)),
        }
    }
}

impl<'a> From<&'a [u8]> for SliceReader<'a> {
    fn from(bytes: &'a [u8]) -> Self {
        Self::new(bytes)
    }
}

impl<'a> From<&'a str> for SliceReader<'a> {
    fn from(text: &'a str) -> Self {
        Self::new(text.as_bytes())
    }
}

impl std::iter::FusedIterator for Events<'_, '_> {}

impl EventSource for SliceReader<'_> {
    #[inline(always)]
    fn drive_common(&mut self, sink: &mut impl Sink) -> Option<Flow> {
        self.cursor.drive_common(self.bytes, sink)
    }

    #[inline(always)]
    fn fill_common(&mut self, buffer: &mut TokenBuffer) -> Option<Flow> {
        self.cursor.fill_common(self.bytes, buffer)
    }

    fn game_bytes(&self, start: u64, end: u64) -> Option<&[u8]> {
        let [start, end] = [start, end].map(|at| at.saturating_sub(self.base) as usize);
        self.bytes.get(start..self.bytes.len().min(end))
    }
}

impl EventReader for SliceReader<'_> {
    #[inline(always)]
    fn next_event(&mut self) -> Result<Option<Event<'_>>> {
        self.read_event()
    }

    #[inline]
    fn advance(&mut self) -> Result<bool> {
        let Some(token) = self.token()? else {
            return Ok(false);
        };
        self.cursor.keep(token);
        Ok(true)
    }

    #[inline]
    fn event(&self) -> Event<'_> {
        let token = self
            .cursor
            .kept()
            .unwrap_or_else(|| self.cursor.fast_token(self.bytes));
        self.event_of(token)
    }

    #[inline]
    fn place(&self) -> Place {
        self.cursor.place()
    }

    fn position_of(&self, byte: u64) -> Position {
        let mut lines = self.lines.get();
        if lines.position().byte > byte {
            lines = LineCursor::starting_at(self.base);
        }
        let from = (lines.position().byte - self.base) as usize;
        let end = byte.saturating_sub(self.base) as usize;
        lines.advance(&self.bytes[from..self.bytes.len().min(end).max(from)]);
        self.lines.set(lines);
        lines.position()
    }

    fn skip_variation(&mut self) {
        self.cursor.skip_variation(self.bytes);
    }

    fn skip_game(&mut self) {
        self.cursor.skip_game(self.bytes);
    }

    fn hold_games(&mut self) -> u64 {
        self.cursor.hold_games()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Readers reuse the token lists of dropped readers. Clones share their token lists until they
    /// read on.
    #[test]
    fn clones_read_on_alone() {
        let games = b"(;FF[4]GM[1];C[a]N[b]AB[cc][dd](;C[e]LB[ff:1];W[gg])(;N[h];C[i]))".repeat(8);
        let all: Vec<_> = SliceReader::new(&games)
            .events()
            .flatten()
            .map(|event| format!("{event:?}"))
            .collect();
        let mut reader = SliceReader::new(&games);
        for at in 0..all.len() {
            let (mut one, mut other) = (reader.clone(), reader.clone());
            for expected in &all[at..] {
                drop(one.clone());
                for clone in [&mut one, &mut other] {
                    let event = clone.next_event().expect("no limit is set");
                    assert_eq!(
                        event.map(|event| format!("{event:?}")).as_ref(),
                        Some(expected),
                        "{at}"
                    );
                }
            }
            reader.advance().expect("no limit is set");
        }
    }
}
