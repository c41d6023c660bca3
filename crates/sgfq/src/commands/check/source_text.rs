//! Text around a finding: its bytes, its line, and its column in characters.

use std::borrow::Cow;

use memchr::{memchr2, memrchr2};

use sgfstream::Span;

/// Maximum number of bytes shown before and after a finding in its line.
const AROUND: u64 = 60;

/// Maximum length of a line in which characters are counted.
const FAR: u64 = 64 << 10;

/// Bytes of an input that are buffered while a finding is printed.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct SourceText<'t> {
    /// Bytes before the part, which precede the window at the start of the part.
    pub(super) before: &'t [u8],
    /// Offset in the input after `before`.
    pub(super) start: u64,
    /// Bytes in the window of the reader.
    pub(super) window: &'t [u8],
    /// Offset of the window.
    pub(super) offset: u64,
}

/// The line of a finding, or the part of the line around it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct SourceLine {
    /// The bytes, without line breaks.
    pub(super) bytes: Vec<u8>,
    /// The span of the finding within `bytes`.
    pub(super) span: Span,
    /// Whether the line has more text before `bytes`.
    pub(super) cut_before: bool,
    /// Whether the line has more text after `bytes`.
    pub(super) cut_behind: bool,
}

impl<'t> SourceText<'t> {
    /// Returns the buffered bytes of a span, and the offset of the first of them.
    fn buffered(&self, span: Span) -> (Cow<'t, [u8]>, u64) {
        let (window, first) = overlap(self.window, self.offset, span);
        if first == span.start || self.start != self.offset {
            return (window.into(), first);
        }
        let (before, first) = overlap(self.before, self.start - self.before.len() as u64, span);
        ([before, window].concat().into(), first)
    }

    /// Returns the bytes of a span, if they are still buffered.
    pub(super) fn bytes_of(&self, span: Span) -> Option<Cow<'t, [u8]>> {
        let (bytes, _) = self.buffered(span);
        (bytes.len() as u64 == span.len()).then_some(bytes)
    }

    /// Returns the column of a byte in characters of UTF-8, from 1. Each maximal invalid sequence
    /// counts as one character. Returns `None` if the start of the line is not buffered or far
    /// away.
    pub(super) fn characters_to(&self, byte: u64) -> Option<u64> {
        let (bytes, start) = self.buffered(Span::new(byte.saturating_sub(FAR), byte));
        let line = match memrchr2(b'\n', b'\r', &bytes) {
            Some(at) => &bytes[at + 1..],
            None if start == 0 || byte == 0 => &bytes,
            None => return None,
        };
        Some(
            1 + if line.is_ascii() {
                line.len()
            } else {
                String::from_utf8_lossy(line).chars().count()
            } as u64,
        )
    }

    /// Returns the line that a span begins in, cut if it is long. Returns `None` if the line is not
    /// buffered.
    pub(super) fn line_of(&self, span: Span) -> Option<SourceLine> {
        // Take one byte more at each end. It shows whether the line is cut there.
        let shown = Span::new(
            span.start.saturating_sub(AROUND),
            span.start + span.len().min(AROUND) + AROUND,
        );
        let (bytes, base) = self.buffered(Span::new(shown.start.saturating_sub(1), shown.end + 1));
        let at = usize::try_from(span.start.checked_sub(base)?)
            .ok()
            .filter(|&at| at <= bytes.len())?;
        let from = at.saturating_sub(AROUND as usize);
        let line_start = memrchr2(b'\n', b'\r', &bytes[from..at]).map_or(from, |at| from + at + 1);
        let to = ((shown.end - base) as usize).min(bytes.len());
        let line_end = memchr2(b'\n', b'\r', &bytes[at..to]).map_or(to, |len| at + len);
        // Cut the line between characters, if it is UTF-8.
        let is_inside = |at: usize| bytes.get(at).is_some_and(|byte| byte & 0xC0 == 0x80);
        let start = (line_start..(line_start + 4).min(at))
            .find(|&at| !is_inside(at))
            .unwrap_or(line_start);
        let start = if line_start == from {
            start
        } else {
            line_start
        };
        let len = usize::try_from(span.len()).unwrap_or(usize::MAX);
        let end = line_end.min(at.saturating_add(len)).max(at);
        let is_break = |at: usize| matches!(bytes[at], b'\n' | b'\r');
        Some(SourceLine {
            span: Span::new((at - start) as u64, (end - start) as u64),
            cut_before: if start == 0 {
                base > 0
            } else {
                !is_break(start - 1)
            },
            cut_behind: line_end < bytes.len() && !is_break(line_end),
            bytes: bytes[start..line_end].to_vec(),
        })
    }
}

/// Returns the bytes of a span in `text`, which begins at `offset`, and the offset of the first of
/// them.
fn overlap(text: &[u8], offset: u64, span: Span) -> (&[u8], u64) {
    let len = text.len() as u64;
    let start = span.start.saturating_sub(offset).min(len);
    let end = span.end.saturating_sub(offset).clamp(start, len);
    (&text[start as usize..end as usize], offset + start)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns a text of which the reader has `bytes` from `offset` on, after the part has begun
    /// there.
    fn text<'t>(before: &'t [u8], bytes: &'t [u8], offset: u64) -> SourceText<'t> {
        SourceText {
            before,
            start: offset,
            window: bytes,
            offset,
        }
    }

    #[test]
    fn lines_are_cut() {
        let long = [b'x'; 300];
        let text = text(b"", &long, 0);
        let line = text.line_of(Span::new(150, 152)).expect("buffered");
        assert_eq!((line.bytes.len(), line.span), (122, Span::new(60, 62)));
        assert!(line.cut_before && line.cut_behind);
        let line = text.line_of(Span::new(300, 300)).expect("at the end");
        assert_eq!((line.span, line.cut_behind), (Span::new(60, 60), false));
        assert_eq!(text.line_of(Span::new(301, 302)), None);
    }

    #[test]
    fn columns_in_characters() {
        let bytes = "a\n黒x\u{e9}y".as_bytes();
        for cut in [0, 1, 2, 5] {
            let text = text(&bytes[..cut], &bytes[cut..], cut as u64);
            assert_eq!(
                [2, 5, 6, 8].map(|byte| text.characters_to(byte)),
                [Some(1), Some(2), Some(3), Some(4)]
            );
            assert_eq!(
                text.bytes_of(Span::new(1, 6)).as_deref(),
                Some(&bytes[1..6])
            );
        }
        assert_eq!(text(b"", &bytes[2..], 2).characters_to(5), None);
    }
}
