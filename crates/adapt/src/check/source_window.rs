//! Keeps the last bytes of an input while it is read. A finding may lie some way behind the reader, and users want its line,
//! its column and the text around it.

use std::cell::{Ref, RefCell};
use std::io::{self, Read};
use std::rc::Rc;

use memchr::{memchr2, memrchr2};

use sgfstream::{LineCursor, Position, Span};

/// Minimum number of bytes to keep. A finding lies at most a buffered root, a property and the reader's own buffer behind
/// the end.
const KEPT: usize = 4 << 20;

/// Distance of the places whose lines are remembered. Looking back costs at most this many bytes.
const STRIDE: usize = 4 << 10;

/// Maximum number of bytes shown before and after a finding in its line.
const AROUND: usize = 60;

/// Window over the last bytes that were read. Clones share one window, so one can answer questions while another
/// [follows](Self::follow) the input.
///
/// ```
/// use std::io::Read;
/// use sgfstream::Span;
/// use sgfstream_adapt::check::SourceWindow;
///
/// let trail = SourceWindow::default();
/// trail.follow(&b"(;FF[4]\nKM[6,5])"[..]).read_to_end(&mut Vec::new())?;
/// assert_eq!((trail.position_of(11).line, trail.position_of(11).column), (2, 4));
/// let line = trail.line_of(Span::new(11, 14)).expect("kept");
/// assert_eq!((&*line.bytes, line.span.start, line.span.end), (&b"KM[6,5])"[..], 3, 6));
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct SourceWindow(Rc<RefCell<WindowBytes>>);

#[derive(Debug, Default)]
struct WindowBytes {
    bytes: Vec<u8>,
    /// The byte at which line 1 begins.
    origin: u64,
    /// Line and column of the first byte in `bytes`.
    base: LineCursor,
    /// Line and column at each multiple of [`STRIDE`] from `base`, up to the last requested place.
    marks: Vec<LineCursor>,
    /// The result of the last query.
    asked: LineCursor,
}

/// `Read` adapter that records the bytes it returns in a [`SourceWindow`].
#[derive(Debug)]
pub struct TeeReader<R> {
    inner: R,
    trail: SourceWindow,
}

/// The line of a finding, or the part of the line around it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct SourceLine {
    /// The bytes, without line breaks.
    pub bytes: Vec<u8>,
    /// The span of the finding within `bytes`.
    pub span: Span,
    /// Whether the line has more text before `bytes`.
    pub cut_before: bool,
    /// Whether the line has more text after `bytes`.
    pub cut_behind: bool,
}

impl SourceWindow {
    /// Records another input, from its start.
    pub fn follow<R: Read>(&self, inner: R) -> TeeReader<R> {
        self.follow_from(inner, 0, &[])
    }

    /// Records another input from byte `offset`, which follows the bytes `before`. Lines count from the first byte of
    /// `before`.
    pub fn follow_from<R: Read>(&self, inner: R, offset: u64, before: &[u8]) -> TeeReader<R> {
        self.begin(LineCursor::starting_at(offset - before.len() as u64), before);
        TeeReader { inner, trail: self.clone() }
    }

    /// Records another input from a place whose line and column are known. Like [`follow`](Self::follow) otherwise.
    pub fn follow_at<R: Read>(&self, inner: R, start: Position, before: &[u8]) -> TeeReader<R> {
        let mut lines = LineCursor::default();
        lines.advance(before);
        // The column of the first byte matters only if the last byte is in the same line.
        let byte = start.byte - before.len() as u64;
        let column = (byte + start.column).saturating_sub(start.byte).max(1);
        let line = start.line.saturating_sub(lines.position().line - 1).max(1);
        self.begin(LineCursor::at(Position { byte, line, column }), before);
        TeeReader { inner, trail: self.clone() }
    }

    /// Appends bytes that a reader without a [`TeeReader`] has read.
    pub fn add(&self, bytes: &[u8]) {
        let kept = &mut *self.0.borrow_mut();
        if kept.bytes.len() >= 2 * KEPT {
            kept.forget();
        }
        kept.bytes.extend_from_slice(bytes);
    }

    fn begin(&self, base: LineCursor, before: &[u8]) {
        let mut kept = self.0.borrow_mut();
        kept.bytes.clear();
        kept.bytes.extend_from_slice(before);
        kept.origin = base.position().byte;
        kept.base = base;
        kept.marks.clear();
        kept.asked = base;
    }

    /// Returns the line and column of a byte, or of the first kept byte if that one is gone. Lines are counted once for each
    /// byte, and looking back costs a few kilobytes.
    #[must_use]
    pub fn position_of(&self, byte: u64) -> Position {
        self.0.borrow_mut().position_of(byte)
    }

    /// Returns the column in characters of UTF-8, from 1. Each maximal invalid sequence counts as one character. Returns
    /// `None` if the start of the line is gone or far away.
    #[must_use]
    pub fn characters_to(&self, position: Position) -> Option<u64> {
        const FAR: u64 = 64 << 10;
        let start = position.byte + 1 - position.column;
        let is_line_known = position.line > 1 || self.0.borrow().origin == 0;
        if position.column > FAR || !is_line_known {
            return None;
        }
        let line = self.bytes_of(Span::new(start, position.byte))?;
        let is_ascii = line.is_ascii();
        Some(1 + if is_ascii { line.len() } else { String::from_utf8_lossy(&line).chars().count() } as u64)
    }

    /// Returns the bytes of a span, if they are still kept.
    #[must_use]
    pub fn bytes_of(&self, span: Span) -> Option<Ref<'_, [u8]>> {
        Ref::filter_map(self.0.borrow(), |kept| kept.bytes_of(span)).ok()
    }

    /// Returns the line that a span begins in, cut if it is long. Returns `None` if the span is no longer kept.
    #[must_use]
    pub fn line_of(&self, span: Span) -> Option<SourceLine> {
        self.0.borrow().line_of(span)
    }
}

impl WindowBytes {
    fn position_of(&mut self, byte: u64) -> Position {
        let base = self.base.position().byte;
        let to = usize::try_from(byte.saturating_sub(base)).unwrap_or(usize::MAX).min(self.bytes.len());
        let mut from = usize::try_from(self.asked.position().byte.saturating_sub(base)).unwrap_or(usize::MAX);
        if from > to || self.asked.position().byte < base || from / STRIDE < to / STRIDE {
            self.mark_up_to(to);
            let mark = to / STRIDE;
            self.asked = self.marks[mark];
            from = mark * STRIDE;
        }
        self.asked.advance(&self.bytes[from..to]);
        self.asked.position()
    }

    /// Adds marks up to the last one at or before `to`.
    fn mark_up_to(&mut self, to: usize) {
        if self.marks.is_empty() {
            self.marks.push(self.base);
        }
        while self.marks.len() <= to / STRIDE {
            let from = (self.marks.len() - 1) * STRIDE;
            let mut mark = self.marks[self.marks.len() - 1];
            mark.advance(&self.bytes[from..from + STRIDE]);
            self.marks.push(mark);
        }
    }

    /// Removes the oldest bytes.
    fn forget(&mut self) {
        let gone = (self.bytes.len() - KEPT) / STRIDE * STRIDE;
        self.mark_up_to(gone);
        self.base = self.marks[gone / STRIDE];
        self.marks.drain(..gone / STRIDE);
        self.bytes.copy_within(gone.., 0);
        self.bytes.truncate(self.bytes.len() - gone);
    }

    fn bytes_of(&self, span: Span) -> Option<&[u8]> {
        let base = self.base.position().byte;
        let start = usize::try_from(span.start.checked_sub(base)?).ok()?;
        let end = usize::try_from(span.end.checked_sub(base)?).ok()?.min(self.bytes.len());
        self.bytes.get(start..end)
    }

    fn line_of(&self, span: Span) -> Option<SourceLine> {
        let base = self.base.position().byte;
        let at = usize::try_from(span.start.checked_sub(base)?).ok().filter(|&at| at <= self.bytes.len())?;
        let from = at.saturating_sub(AROUND);
        let before = &self.bytes[from..at];
        let line_start = memrchr2(b'\n', b'\r', before).map_or(from, |at| from + at + 1);
        let len = usize::try_from(span.len()).unwrap_or(usize::MAX);
        let to = at.saturating_add(len.min(AROUND)).saturating_add(AROUND).min(self.bytes.len());
        let after = &self.bytes[at..to];
        let line_end = memchr2(b'\n', b'\r', after).map_or(to, |len| at + len);
        // Cut the line between characters, if it is UTF-8.
        let is_inside = |at: usize| self.bytes.get(at).is_some_and(|byte| byte & 0xC0 == 0x80);
        let start = (line_start..(line_start + 4).min(at)).find(|&at| !is_inside(at)).unwrap_or(line_start);
        let start = if line_start == from { start } else { line_start };
        let end = line_end.min(at.saturating_add(len)).max(at);
        let break_at = |at: usize| self.bytes.get(at).is_some_and(|byte| matches!(byte, b'\n' | b'\r'));
        Some(SourceLine {
            bytes: self.bytes[start..line_end].to_vec(),
            span: Span::new((at - start) as u64, (end - start) as u64),
            cut_before: start > 0 && !break_at(start - 1) || (start == 0 && base > 0),
            cut_behind: line_end < self.bytes.len() && !break_at(line_end),
        })
    }
}

impl<R: Read> Read for TeeReader<R> {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        let count = self.inner.read(buf)?;
        self.trail.add(&buf[..count]);
        Ok(count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn trail(bytes: &[u8]) -> SourceWindow {
        let trail = SourceWindow::default();
        io::copy(&mut trail.follow(bytes), &mut io::sink()).expect("from memory");
        trail
    }

    #[test]
    fn lines_are_cut() {
        let long = [b'x'; 300];
        let trail = trail(&long);
        let line = trail.line_of(Span::new(150, 152)).expect("kept");
        assert_eq!((line.bytes.len(), line.span), (122, Span::new(60, 62)));
        assert!(line.cut_before && line.cut_behind);
        let line = trail.line_of(Span::new(300, 300)).expect("at the end");
        assert_eq!((line.span, line.cut_behind), (Span::new(60, 60), false));
        assert_eq!(trail.line_of(Span::new(301, 302)), None);
    }

    #[test]
    fn columns_in_characters() {
        let trail = trail("a\n黒x\u{e9}y".as_bytes());
        let columns = [2, 5, 6, 8].map(|byte| trail.characters_to(trail.position_of(byte)));
        assert_eq!(columns, [Some(1), Some(2), Some(3), Some(4)]);
    }

    #[test]
    fn only_the_last_bytes_are_kept() {
        let lines = b"1234567\n".repeat(3 * KEPT / 8);
        let trail = trail(&lines);
        assert!(trail.0.borrow().bytes.len() <= 3 * KEPT);
        assert_eq!(trail.line_of(Span::new(8, 9)), None);
        let at = lines.len() as u64 - 5;
        let position = trail.position_of(at);
        assert_eq!((position.line, position.column), (lines.len() as u64 / 8, 4));
        let earlier = trail.position_of(at - 16);
        assert_eq!((earlier.line, earlier.column), (position.line - 2, 4));
    }

    proptest::proptest! {
        /// The order of queries does not matter.
        #[test]
        fn places_in_any_order(line in "[ab]{0,3}(\r\n|\n\r|\n|\r|\n\n)", asked in proptest::collection::vec(0usize..20_000, 1..20)) {
            let bytes: Vec<u8> = line.bytes().cycle().take(20_000).collect();
            let trail = trail(&bytes);
            for at in asked {
                let mut lines = LineCursor::default();
                lines.advance(&bytes[..at]);
                proptest::prop_assert_eq!(trail.position_of(at as u64), lines.position());
            }
        }
    }
}
