//! Lines of streamed output.

use std::io::Write;

use sgfstream_engine::{OUTPUT_FULL, PartOffset, empty_again};

use super::Output;

/// Lines of the games of a part.
#[derive(Default)]
pub(crate) struct Lines {
    pub(crate) text: Vec<u8>,
    late: Vec<LateNumber>,
}

/// Number that counts from the start of a part. It becomes final when the counts of the earlier parts are known.
struct LateNumber {
    /// Offset in the text.
    at: usize,
    number: i64,
    /// Returns the number to add.
    before: fn(&PartOffset) -> u64,
}

impl Lines {
    /// Makes the last number after `start` a late number, which counts from the start of the part.
    pub(crate) fn make_late(&mut self, start: usize, before: fn(&PartOffset) -> u64) {
        let is_digit = |byte: &u8| byte.is_ascii_digit();
        let written = &self.text[start..];
        let Some(end) = written.iter().rposition(is_digit).map(|last| start + last + 1) else { return };
        let first = self.text[..end].iter().rposition(|byte| !is_digit(byte)).map_or(0, |before| before + 1).max(start);
        let number = std::str::from_utf8(&self.text[first..end]).ok().and_then(|digits| digits.parse().ok());
        let Some(number) = number else { return };
        self.text.drain(first..end);
        self.late.push(LateNumber { at: first, number, before });
    }

    /// Adds a late number, which counts from the start of the part. [`shift`](Output::shift) writes it.
    pub(crate) fn push_late(&mut self, number: i64, before: fn(&PartOffset) -> u64) {
        self.late.push(LateNumber { at: self.text.len(), number, before });
    }
}

impl Output for Lines {
    /// Writes the late numbers into the text.
    fn shift(&mut self, before: &PartOffset) {
        if self.late.is_empty() {
            return;
        }
        let mut text = Vec::with_capacity(self.text.len() + 8 * self.late.len());
        let mut written = 0;
        for late in self.late.drain(..) {
            text.extend_from_slice(&self.text[written..late.at]);
            written = late.at;
            write!(text, "{}", late.number + (late.before)(before) as i64).expect("writing to memory");
        }
        text.extend_from_slice(&self.text[written..]);
        self.text = text;
    }

    fn emptied(self) -> Option<Self> {
        let Self { mut text, .. } = self;
        empty_again(&mut text);
        Some(Self { text, ..Self::default() })
    }

    fn is_full(&self) -> bool {
        self.text.len() > OUTPUT_FULL
    }
}
