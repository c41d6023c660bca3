//! Returns events from anything that implements `Read`: a file, a decoder, a socket. The buffer is
//! bounded; properties that do not fit come in parts.

use std::fs::File;
use std::io::{self, Read, Write};
use std::ops::Range;
use std::path::Path;

use crate::base::{Error, ErrorKind, LineCursor, Position, Result, SharedCursor};
use crate::event::{Event, Flow, Place, Sink};
use crate::scan::{Step, Token};

use super::cursor::{Cursor, ToToken};
use super::options::{Detections, Options};
use super::parallel::internal::ReadAt;
use super::transcode::Transcoder;
use crate::tokens::TokenBuffer;

use super::reader::{EventReader, EventSource};
use super::retained::{Overflow, Retained};

/// Initial size of the buffer. It grows with the properties that it must contain, up to a little
/// more than [`Limits::property`](crate::Limits::property).
const BUFFER: usize = 256 * 1024;

/// Buffers above this size shrink after the property or game that made them grow.
const LARGEST_IDLE_BUFFER: usize = 4 << 20;

/// Reads events from any `Read`. Do not wrap `R` in a `BufReader`, because the reader has its own
/// buffer. The methods of [`EventReader`] return the events.
///
/// ```
/// use sgfstream::{Event, EventReader, Reader};
///
/// let mut reader = Reader::new(&b"(;C[from a stream])"[..]);
/// while reader.advance()? {
///     match reader.event() {
///         Event::Property(property) => assert_eq!(property.text(), "from a stream"),
///         _ => {}
///     }
/// }
/// # Ok::<(), sgfstream::Error>(())
/// ```
#[derive(Debug)]
pub struct Reader<R> {
    inner: Transcoder<R>,
    buf: Vec<u8>,
    /// Length of the input in `buf`.
    end: usize,
    last: bool,
    /// Error of the input after the bytes in `buf`.
    fault: Option<Error>,
    cursor: Cursor,
    /// Line and column of the first byte of `buf`.
    lines: LineCursor,
    /// The last requested position, if it is still in `buf`. The next request is usually after it.
    asked: SharedCursor,
    /// Positions of constructs that have no event yet and are no longer in the buffer.
    before: [Position; 2],
    /// Offset from which bytes stay in the buffer, with `before_retained` bytes before it. It is
    /// never before the window.
    retained: u64,
    before_retained: usize,
    overflow: Option<Overflow>,
    /// Largest number of bytes to read at once.
    block: usize,
    counts_lines: bool,
}

/// Bytes before a game that stay in the buffer with it. If there are more, and a file takes them,
/// they go there.
const BEFORE_RETAINED: usize = 4 << 20;

/// Returns the input in a buffer. It cannot panic, so that the compiler need not keep a panic
/// between a step and its event.
#[inline(always)]
fn window(buf: &[u8], end: usize) -> &[u8] {
    buf.get(..end).unwrap_or_else(|| no_window())
}

/// Returns an empty window. It is never called, because `end` is never beyond the buffer. The call
/// is not inlined: with a constant, the code would wait for the comparison before each byte it
/// reads.
#[cold]
#[inline(never)]
fn no_window() -> &'static [u8] {
    &[]
}

/// Opens a file. The error names its path.
pub(super) fn open_file(path: &Path) -> io::Result<File> {
    File::open(path).map_err(|err| io::Error::new(err.kind(), format!("{}: {err}", path.display())))
}

impl Reader<File> {
    /// Opens a file and reads it as `sgfq` does: with [`Options::for_files`], so that UTF-16,
    /// UTF-32 and ISO-2022-JP become UTF-8, and games without `CA` get the charset that their texts
    /// look like. It decompresses nothing. To read the bytes as they are, call
    /// [`with_options`](Self::with_options).
    ///
    /// ```
    /// use sgfstream::{Event, EventReader, Reader};
    ///
    /// let mut reader = Reader::open("corpus/utf-16le.sgf")?;
    /// let mut nodes = 0;
    /// while reader.advance()? {
    ///     nodes += u32::from(matches!(reader.event(), Event::NodeStart { .. }));
    /// }
    /// assert_eq!((nodes, reader.charset().name()), (3, "UTF-8"));
    /// # Ok::<(), sgfstream::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The file cannot be opened. The error names its path.
    pub fn open(path: impl AsRef<Path>) -> Result<Self> {
        Ok(Self::with_options(
            open_file(path.as_ref())?,
            Options::for_files(),
        ))
    }
}

impl<R: Read> Reader<R> {
    /// Returns a reader with the default options.
    pub fn new(inner: R) -> Self {
        Self::with_options(inner, Options::default())
    }

    /// Returns a reader with these options.
    pub fn with_options(inner: R, options: Options) -> Self {
        Self::with_buffer(inner, options, BUFFER)
    }

    /// Returns a reader whose buffer initially has `capacity` bytes. If [`Options::transcodes`] is
    /// set, it reads the first bytes now.
    pub fn with_buffer(inner: R, options: Options, capacity: usize) -> Self {
        let (mut inner, mut options) = (Transcoder::with_charset(inner, options.charset), options);
        if options.transcodes {
            options = inner.options(options);
        } else {
            inner.pass_through();
        }
        Self {
            inner,
            buf: vec![0; capacity.max(1)],
            end: 0,
            last: false,
            fault: None,
            cursor: Cursor::new(options),
            lines: LineCursor::default(),
            asked: SharedCursor::default(),
            before: [Position::default(); 2],
            retained: u64::MAX,
            before_retained: 0,
            overflow: None,
            block: capacity.max(BUFFER),
            counts_lines: options.lines,
        }
    }

    /// Returns a reader of an input from the place of `lines` on, after `games` games.
    pub(super) fn starting_at(
        inner: R,
        options: Options,
        capacity: usize,
        lines: LineCursor,
        games: u64,
    ) -> Self {
        let mut reader = Self::with_buffer(inner, options.with_transcoding(false), capacity);
        reader.cursor.start_at(lines.position().byte, games);
        reader.lines = lines;
        reader.asked.set(reader.lines);
        reader.before = [reader.lines.position(); 2];
        reader
    }

    /// Returns whether the last event starts a game, or is between games.
    pub(super) fn is_at_border(&self) -> bool {
        match self.cursor.kept() {
            Some(Token::VariationStart { .. }) => self.cursor.depth() == 1,
            _ => self.cursor.depth() == 0,
        }
    }

    /// Returns whether the last event is a `(` of the input at which a new reader, without the
    /// bytes before it, would continue as this one does.
    pub(super) fn is_at_independent_game(&self) -> bool {
        matches!(
            self.cursor.kept(),
            Some(Token::VariationStart { supplied: false })
        ) && self.cursor.depth() == 1
            && self.cursor.is_independent()
    }

    pub(super) fn is_at_problem(&self) -> bool {
        matches!(self.cursor.kept(), Some(Token::Problem))
    }

    #[inline(always)]
    fn token(&mut self) -> Result<Option<Token>> {
        match self.cursor.fast_step(window(&self.buf, self.end), ToToken) {
            Some(token) => Ok(Some(token)),
            None => self.slow_token(),
        }
    }

    #[inline(never)]
    fn slow_token(&mut self) -> Result<Option<Token>> {
        let token = loop {
            match self.cursor.slow_step(&self.buf[..self.end], self.last) {
                Step::Token(token) => break token,
                Step::More => self.fill_or_detect()?,
                Step::End => return Ok(None),
            }
        };
        self.cursor.keep(token);
        self.cursor
            .check_depth(token, || Some(self.position_of(self.span().start)))?;
        Ok(Some(token))
    }

    /// Reads more input. If bytes before an error were only examined for their charset, the error
    /// is kept until they are read.
    fn fill_or_detect(&mut self) -> Result<()> {
        let read = self.fault.take().map_or_else(|| self.fill(), Err);
        if read.is_ok() || !self.cursor.detect(&self.buf[..self.end], true) {
            return read;
        }
        self.fault = read.err();
        Ok(())
    }

    /// Drops the bytes that were read from the buffer, and reads more.
    #[cold]
    #[inline(never)]
    fn fill(&mut self) -> Result<()> {
        let keep = self.keep_from()?;
        if keep > 0 {
            self.remember_begin(keep);
            if self.counts_lines {
                self.lines.advance(&self.buf[..keep]);
            } else {
                self.lines = LineCursor::starting_at(self.lines.position().byte + keep as u64);
            }
            self.asked.set(self.lines);
            self.buf.copy_within(keep..self.end, 0);
            self.end -= keep;
            self.cursor.shift(keep);
            if self.buf.len() > LARGEST_IDLE_BUFFER && self.end < self.block {
                self.buf.truncate(self.block);
                self.buf.shrink_to_fit();
            }
        }
        if self.end == self.buf.len() {
            // Grow by one block, because the reader of the next part may read the bytes after a
            // long property.
            self.buf.resize(self.end + self.end.min(BUFFER), 0);
        }
        let room = self.buf.len().min(self.end + self.block);
        loop {
            match self.inner.read(&mut self.buf[self.end..room]) {
                Ok(0) => self.last = true,
                Ok(count) => self.end += count,
                Err(err) if err.kind() == io::ErrorKind::Interrupted => continue,
                Err(err) => {
                    let mut at = self.lines;
                    at.advance(&self.buf[..self.end]);
                    return Err(Error::new(ErrorKind::Io(err), Some(at.position())));
                }
            }
            return Ok(());
        }
    }

    /// Returns the index of the first byte of the buffer that the reader or its caller still needs.
    fn keep_from(&mut self) -> Result<usize> {
        let keep = self.cursor.keep_from(&self.buf[..self.end]);
        let base = self.lines.position().byte;
        let retained = usize::try_from(self.retained - base).unwrap_or(usize::MAX);
        let first = retained.saturating_sub(self.before_retained);
        if first >= keep {
            return Ok(keep);
        }
        // One block more, because the end of a game is read together with the bytes after it.
        let fits = self.end.saturating_sub(retained)
            <= self.cursor.game_limit().saturating_add(self.block);
        if fits && (self.overflow.is_none() || retained - first <= BEFORE_RETAINED) {
            return Ok(first);
        }
        let keep = if fits { retained.min(keep) } else { keep };
        self.retained = base + keep as u64;
        self.before_retained = 0;
        if let Some(overflow) = &mut self.overflow {
            let written = overflow.append(base + first as u64, &self.buf[first..keep]);
            // This error has no position, because it is not an error of the input.
            written.map_err(|err| Error::other(format!("temporary file: {err}")))?;
        }
        Ok(keep)
    }

    /// Stores the positions of pending constructs in the first `keep` bytes, before these bytes are
    /// dropped.
    fn remember_begin(&mut self, keep: usize) {
        let base = self.lines.position().byte;
        for (before, pending) in self.before.iter_mut().zip(self.cursor.pending_from()) {
            if let Some(pending) =
                pending.filter(|pending| (base..base + keep as u64).contains(pending))
            {
                let mut lines = self.lines;
                lines.advance(&self.buf[..(pending - base) as usize]);
                *before = lines.position();
            }
        }
    }

    /// Returns the offset of the first unread byte. Once [`advance`](EventReader::advance) has
    /// returned false, it is the length of the input.
    #[must_use]
    pub fn offset(&self) -> u64 {
        self.cursor.offset()
    }

    /// Keeps the bytes from the offset `from` on in the [window](Self::window), up to a little more
    /// than [`Limits::game`](crate::Limits::game). Beyond that limit, it keeps only the bytes after
    /// the last event. Without an offset, or before the first call, the reader keeps only the bytes
    /// that its events need.
    ///
    /// ```
    /// use sgfstream::{EventReader, Reader};
    ///
    /// let mut reader = Reader::new(&b"(;B[aa])(;B[bb])"[..]);
    /// reader.retain(Some(0));
    /// while reader.advance()? {}
    /// assert_eq!(reader.bytes(0..8), Some(&b"(;B[aa])"[..]));
    /// # Ok::<(), sgfstream::Error>(())
    /// ```
    #[doc(hidden)]
    pub fn retain(&mut self, from: Option<u64>) {
        self.retain_with(from, 0);
    }

    /// Like [`retain`](Self::retain), with `before` bytes before them, which do not count against
    /// the limit.
    fn retain_with(&mut self, from: Option<u64>, before: u64) {
        let (from, start) = (from.unwrap_or(u64::MAX), self.window().start);
        self.retained = from.max(start);
        self.before_retained = usize::try_from(before).unwrap_or(usize::MAX);
        if let Some(overflow) = self
            .overflow
            .as_mut()
            .filter(|_| from.saturating_sub(before) >= start)
        {
            overflow.start = u64::MAX;
        }
    }

    /// Writes [retained](Self::retain) bytes that exceed the limit to a file, which `create` makes
    /// when it is first needed. If that fails, reading fails with [`ErrorKind::Other`].
    #[doc(hidden)]
    pub fn retain_in(&mut self, create: fn() -> io::Result<File>) {
        self.overflow = Some(Overflow {
            create,
            file: None,
            start: u64::MAX,
        });
    }

    /// Returns the bytes in the window, and those that are retained in a file. Reads outside of
    /// them return no bytes.
    #[doc(hidden)]
    pub fn retained(&self) -> impl ReadAt + '_ {
        let (window, offset) = (&self.buf[..self.end], self.window().start);
        Retained {
            window,
            offset,
            overflow: self.overflow.as_ref(),
        }
    }

    /// Writes these bytes of the input to `out`.
    ///
    /// # Errors
    ///
    /// Writing to `out` or reading the file fails, or the bytes were not [retained](Self::retain).
    #[doc(hidden)]
    pub fn copy(&self, bytes: Range<u64>, out: &mut (impl Write + ?Sized)) -> io::Result<()> {
        if let Some(bytes) = self.bytes(bytes.clone()) {
            return out.write_all(bytes);
        }
        let (retained, mut buf, mut at) = (self.retained(), vec![0; BUFFER], bytes.start);
        while at < bytes.end {
            let len = usize::try_from(bytes.end - at).map_or(BUFFER, |len| len.min(BUFFER));
            let count = retained.read_at(at, &mut buf[..len])?;
            if count == 0 {
                return Err(io::Error::other(
                    "the bytes were released before they were read",
                ));
            }
            out.write_all(&buf[..count])?;
            at += count as u64;
        }
        Ok(())
    }

    /// Returns the range of the input that is in the buffer.
    #[doc(hidden)]
    #[must_use]
    pub fn window(&self) -> Range<u64> {
        let start = self.lines.position().byte;
        start..start + self.end as u64
    }

    /// Returns these bytes of the input, if they are in the [window](Self::window). See
    /// [`retain`](Self::retain).
    #[doc(hidden)]
    #[must_use]
    pub fn bytes(&self, range: Range<u64>) -> Option<&[u8]> {
        let window = self.window();
        let within = |offset: u64| usize::try_from(offset.checked_sub(window.start)?).ok();
        self.buf[..self.end].get(within(range.start)?..within(range.end)?)
    }

    /// Returns the numbers and bytes of long games without their `)` since the last call.
    pub(in crate::read) fn take_unclosed_games(&mut self) -> Vec<(u64, u64)> {
        self.cursor.take_unclosed_games()
    }

    /// Returns the counts of games whose charset was detected so far.
    #[doc(hidden)]
    #[must_use]
    pub fn detected(&self) -> Detections {
        self.cursor.detected()
    }

    /// Returns the underlying input. Bytes that the caller reads from it are missing from the
    /// events.
    pub fn get_mut(&mut self) -> &mut R {
        self.inner.get_mut()
    }

    /// Returns the underlying input; buffered bytes are lost.
    pub fn into_inner(self) -> R {
        self.inner.into_inner()
    }
}

impl<R: Read> EventSource for Reader<R> {
    #[inline(always)]
    fn drive_common(&mut self, sink: &mut impl Sink) -> Option<Flow> {
        self.cursor.drive_common(window(&self.buf, self.end), sink)
    }

    #[inline(always)]
    fn fill_common(&mut self, buffer: &mut TokenBuffer) -> Option<Flow> {
        self.cursor.fill_common(window(&self.buf, self.end), buffer)
    }

    fn game_bytes(&self, start: u64, end: u64) -> Option<&[u8]> {
        self.bytes(start..end.min(self.window().end))
    }

    #[inline(always)]
    fn retain_game(&mut self, from: Option<u64>, before: u64) {
        self.retain_with(from, before);
    }

    #[inline(always)]
    fn holds_game(&self, start: u64) -> bool {
        self.lines.position().byte <= start
    }
}

impl<R: Read> EventReader for Reader<R> {
    // Does not use `advance`, which stores the token for `event`: that takes a fifth of all
    // instructions.
    #[inline(always)]
    fn next_event(&mut self) -> Result<Option<Event<'_>>> {
        if let Some(token) = self.cursor.fast_step(window(&self.buf, self.end), ToToken) {
            // The bytes are in the window. Calling `window` again could separate the kinds of
            // events from the caller's arms for them, which would cost a jump by a table for each
            // event.
            return Ok(Some(self.cursor.common_event(&self.buf, token)));
        }
        let Some(token) = self.slow_token()? else {
            return Ok(None);
        };
        Ok(Some(self.cursor.event(
            window(&self.buf, self.end),
            token,
            || self.cursor.part_ident(),
        )))
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
            .unwrap_or_else(|| self.cursor.fast_token(&self.buf));
        self.cursor.event(window(&self.buf, self.end), token, || {
            self.cursor.part_ident()
        })
    }

    fn place(&self) -> Place {
        self.cursor.place()
    }

    fn position_of(&self, byte: u64) -> Position {
        let base = self.lines.position().byte;
        if byte < base {
            let [first, second] = self.before;
            return if second.byte == byte { second } else { first };
        }
        let mut lines = self.asked.get();
        if byte < lines.position().byte {
            lines = self.lines;
        }
        let from = (lines.position().byte - base) as usize;
        let to = ((byte - base) as usize).min(self.end);
        lines.advance(self.buf.get(from..to).unwrap_or_default());
        self.asked.set(lines);
        lines.position()
    }

    fn skip_variation(&mut self) {
        self.cursor.skip_variation(&self.buf[..self.end]);
    }

    fn skip_game(&mut self) {
        self.cursor.skip_game(&self.buf[..self.end]);
    }

    fn hold_games(&mut self) -> u64 {
        self.cursor.hold_games()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg_attr(miri, ignore = "takes minutes in Miri")]
    fn a_buffer_shrinks_after_a_long_game() {
        let long = format!("(;C[{}])", "x".repeat(6 << 20));
        let short = "(;C[short])".repeat(60_000);
        let input = format!("{long}{short}");
        let mut reader = Reader::new(input.as_bytes());
        reader.hold_games();
        let mut largest = 0;
        while reader.advance().expect("reading memory does not fail") {
            largest = largest.max(reader.buf.len());
        }
        assert!(largest > 6 << 20, "{largest}");
        assert_eq!(reader.buf.len(), BUFFER);
    }
}
