//! Places in the input: byte spans, and lines and columns. Offsets are `u64`, because an input may
//! be larger than the address space.

use std::fmt;
use std::sync::{Mutex, PoisonError};

/// Half-open range of bytes of the input, `start..end`.
///
/// ```
/// use sgfstream::Span;
///
/// let span = Span::new(2, 7);
/// assert_eq!((span.len(), std::ops::Range::<u64>::from(span)), (5, 2..7));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Span {
    /// Offset of the first byte.
    pub start: u64,
    /// Offset one past the last byte.
    pub end: u64,
}

impl From<Span> for std::ops::Range<u64> {
    fn from(span: Span) -> Self {
        span.start..span.end
    }
}

/// Returns the range of the bytes of an input in memory. Reports of errors use it, too.
///
/// ```
/// use std::ops::Range;
///
/// use sgfstream::{Event, SliceReader};
///
/// let input = b"(;B[aa]oops;W[bb])";
/// let mut found = Vec::new();
/// for event in SliceReader::new(input).events() {
///     if let Event::Problem(problem) = event? {
///         found.push(&input[Range::from(problem.span)]);
///     }
/// }
/// assert_eq!(found, [b"oops"]);
/// # Ok::<(), sgfstream::Error>(())
/// ```
impl From<Span> for std::ops::Range<usize> {
    fn from(span: Span) -> Self {
        let index = |offset| usize::try_from(offset).unwrap_or(usize::MAX);
        index(span.start)..index(span.end)
    }
}

impl Span {
    /// Returns the span `start..end`.
    #[must_use]
    pub const fn new(start: u64, end: u64) -> Self {
        Self { start, end }
    }

    /// Returns the number of bytes.
    #[must_use]
    pub const fn len(self) -> u64 {
        self.end - self.start
    }

    /// Returns whether the span is empty: the reader inserted something at this place.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.start == self.end
    }
}

impl fmt::Display for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}..{}", self.start, self.end)
    }
}

/// Byte offset with its line and column. Lines and columns count from 1; columns count bytes.
///
/// A line ends with LF, CR, CR LF or LF CR; each pair is one line break (FF\[4\], "Text"; SGFC
/// counts in the same way).
///
/// ```
/// use sgfstream::{EventReader, SliceReader};
///
/// let reader = SliceReader::new(b"(;GM[1]\n;B[aa])");
/// let position = reader.position_of(10);
/// assert_eq!((position.byte, position.line, position.column), (10, 2, 3));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Position {
    /// Offset in bytes from the start of the input.
    pub byte: u64,
    /// Line, from 1.
    pub line: u64,
    /// Column in bytes, from 1.
    pub column: u64,
}

impl Default for Position {
    fn default() -> Self {
        Self {
            byte: 0,
            line: 1,
            column: 1,
        }
    }
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "line {}, column {} (byte {})",
            self.line, self.column, self.byte
        )
    }
}

/// Cursor that counts lines and columns while it moves forward over the input. It counts each byte
/// once, however many positions are requested.
///
/// ```
/// use sgfstream::Position;
/// use sgfstream::internal::LineCursor;
///
/// let mut lines = LineCursor::default();
/// lines.advance(b"(;C[a\r\nb\n");
/// lines.advance(b"\rc]");
/// assert_eq!(lines.position(), Position { byte: 12, line: 3, column: 3 });
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct LineCursor {
    byte: u64,
    breaks: u64,
    line_start: u64,
    /// The last byte, if it was a CR or LF; the matching LF or CR would belong to the same break.
    pending: Option<u8>,
}

/// Cursor that several threads may move, so that readers are `Sync`.
#[derive(Debug, Default)]
pub(crate) struct SharedCursor(Mutex<LineCursor>);

impl SharedCursor {
    pub(crate) fn get(&self) -> LineCursor {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn set(&self, lines: LineCursor) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = lines;
    }
}

impl Clone for SharedCursor {
    fn clone(&self) -> Self {
        Self(Mutex::new(self.get()))
    }
}

/// Bytes to count at once near a CR. A `u8` must be able to count them.
const CHUNK: usize = 240;

/// Returns the number of line breaks if an LF follows each CR, as in most files with CRs. Then each
/// break has exactly one LF, alone or with a CR before or after it.
// Sums of bytes, so that the compiler vectorizes these loops.
fn breaks_without_lone_cr(chunk: &[u8]) -> Option<u64> {
    let count = |byte: u8| {
        chunk
            .iter()
            .map(|&other| u8::from(other == byte))
            .sum::<u8>()
    };
    let next = chunk.get(1..).unwrap_or_default();
    let pairs = chunk
        .iter()
        .zip(next)
        .map(|(&one, &other)| u8::from((one == b'\r') & (other == b'\n')))
        .sum::<u8>();
    (pairs == count(b'\r')).then(|| u64::from(count(b'\n')))
}

impl LineCursor {
    /// Returns a cursor whose first line starts at `byte`.
    #[must_use]
    pub fn starting_at(byte: u64) -> Self {
        Self {
            byte,
            line_start: byte,
            ..Self::default()
        }
    }

    /// Returns a cursor at a known line and column.
    #[must_use]
    pub fn at(position: Position) -> Self {
        let Position { byte, line, column } = position;
        Self {
            byte,
            breaks: line - 1,
            line_start: (byte + 1).saturating_sub(column),
            pending: None,
        }
    }

    /// Counts the next `bytes` of the input.
    pub fn advance(&mut self, bytes: &[u8]) {
        // Most files have only LFs, and counting a single byte value is as fast as memory.
        if self.pending != Some(b'\r') && memchr::memchr(b'\r', bytes).is_none() {
            let count = memchr::memchr_iter(b'\n', bytes).count() as u64;
            if count > 0 {
                let last = memchr::memrchr(b'\n', bytes).expect("one was counted");
                self.breaks += count;
                self.line_start = self.byte + last as u64 + 1;
                self.pending = (last + 1 == bytes.len()).then_some(b'\n');
            } else if !bytes.is_empty() {
                self.pending = None;
            }
            self.byte += bytes.len() as u64;
            return;
        }
        let mut rest = bytes;
        while !rest.is_empty() {
            let near = &rest[..rest.len().min(CHUNK)];
            let is_break = |byte: &&u8| matches!(byte, b'\r' | b'\n');
            let is_apart = self.pending.is_none() || near.first().filter(is_break).is_none();
            // The matching byte of a break at the end may follow.
            let len = near.len() - near.iter().rev().take_while(is_break).count();
            match breaks_without_lone_cr(&near[..len]) {
                Some(breaks) if is_apart && len > 0 => {
                    if let Some(last) = memchr::memrchr(b'\n', &near[..len]) {
                        self.breaks += breaks;
                        self.line_start = self.byte + last as u64 + 1;
                    }
                    self.pending = None;
                    self.byte += len as u64;
                    rest = &rest[len..];
                }
                _ => {
                    self.advance_by_breaks(near);
                    rest = &rest[near.len()..];
                }
            }
        }
    }

    /// Counts breaks of any kind one by one; otherwise like `advance`.
    fn advance_by_breaks(&mut self, bytes: &[u8]) {
        // Offset after a break, where its matching byte may be.
        let mut partner = 0;
        for at in memchr::memchr2_iter(b'\r', b'\n', bytes) {
            self.line_start = self.byte + at as u64 + 1;
            if at == partner && self.pending.is_some_and(|before| before != bytes[at]) {
                self.pending = None;
            } else {
                self.breaks += 1;
                self.pending = Some(bytes[at]);
                partner = at + 1;
            }
        }
        if partner < bytes.len() {
            self.pending = None;
        }
        self.byte += bytes.len() as u64;
    }

    /// Slow counterpart of [`advance`](Self::advance) for the tests: looks at every byte.
    #[cfg(test)]
    fn advance_exactly(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.byte += 1;
            match (byte, self.pending) {
                (b'\n', Some(b'\r')) | (b'\r', Some(b'\n')) => {
                    self.line_start = self.byte;
                    self.pending = None;
                }
                (b'\n' | b'\r', _) => {
                    self.breaks += 1;
                    self.line_start = self.byte;
                    self.pending = Some(byte);
                }
                _ => self.pending = None,
            }
        }
    }

    /// Returns the position of the next byte.
    #[must_use]
    pub fn position(&self) -> Position {
        Position {
            byte: self.byte,
            line: self.breaks + 1,
            column: self.byte - self.line_start + 1,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_are_one_break() {
        for (text, line, column) in [
            (&b"a\nb"[..], 2, 2),
            (b"a\r\nb", 2, 2),
            (b"a\n\rb", 2, 2),
            (b"a\r\rb", 3, 2),
            (b"a\n\nb", 3, 2),
            (b"a\r\n\r\nb", 3, 2),
            (b"a\n\r\nb", 3, 2),
        ] {
            let mut cursor = LineCursor::default();
            cursor.advance(text);
            let at = cursor.position();
            assert_eq!((at.line, at.column), (line, column), "{text:?}");
        }
    }

    proptest::proptest! {
        #[test]
        #[cfg_attr(miri, ignore = "takes minutes in Miri")]
        fn long_texts(text in "(a{0,120}\r\n|a{0,120}\r\n|a{0,250}|[\r\n])*", cut in 0usize..2000) {
            let text = text.as_bytes();
            let cut = cut.min(text.len());
            let mut fast = LineCursor::default();
            fast.advance(&text[..cut]);
            fast.advance(&text[cut..]);
            let mut slow = LineCursor::default();
            slow.advance_exactly(text);
            proptest::prop_assert_eq!(fast.position(), slow.position());
        }

        #[test]
        #[cfg_attr(miri, ignore = "takes minutes in Miri")]
        fn however_cut(text in "[a\r\n]{0,24}", cut in 0usize..24) {
            let text = text.as_bytes();
            let cut = cut.min(text.len());
            let mut fast = LineCursor::default();
            fast.advance(&text[..cut]);
            fast.advance(&text[cut..]);
            let mut slow = LineCursor::default();
            slow.advance_exactly(text);
            proptest::prop_assert_eq!(fast.position(), slow.position());
        }
    }
}
