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
    /// Adds a late number, which counts from the start of the part. [`shift`](Output::shift) writes it.
    pub(crate) fn push_late(&mut self, number: i64, before: fn(&PartOffset) -> u64) {
        self.late.push(LateNumber { at: self.text.len(), number, before });
    }

    /// Like [`push_late`](Self::push_late), after the last `mark` in the text.
    pub(crate) fn push_late_after(&mut self, mark: u8, number: i64, before: fn(&PartOffset) -> u64) {
        let at = memchr::memrchr(mark, &self.text).map_or(self.text.len(), |at| at + 1);
        self.late.push(LateNumber { at, number, before });
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
