//! Reading bytes that belong to no construct: blanks, NULs, runs of text.

use crate::base::{Code, Problem, Span};
use crate::scan::class::is_blank;

use super::{Machine, Progress, Step, Text};

pub(super) const BYTE_ORDER_MARK: &[u8] = b"\xEF\xBB\xBF";

impl Machine {
    /// Starts a token at the current byte, and forgets the lookahead.
    pub(super) fn token_start(&mut self) {
        self.line_start = false;
        self.progress = Progress::default();
    }

    /// Skips the blanks that begin here, up to a NUL.
    pub(super) fn skip_blanks(&mut self, window: &[u8]) {
        let rest = &window[self.at..];
        let len = rest
            .iter()
            .take_while(|&&byte| is_blank(byte) && byte != 0)
            .count();
        self.line_start |= rest[..len].iter().any(|byte| matches!(byte, b'\r' | b'\n'));
        self.at += len;
    }

    /// Skips a NUL in a game. In a run of text it counts as text.
    pub(super) fn skip_nul(&mut self) {
        if self.text.is_some() {
            // A NUL is still a blank at the start of a line.
            let line_start = self.line_start;
            self.add_text(self.offset(), 1);
            self.line_start = line_start;
            return;
        }
        self.nul.get_or_insert(self.base + self.at as u64);
        self.at += 1;
    }

    /// Reports the NULs just skipped, if there were any.
    pub(super) fn take_nul(&mut self) -> Option<Step> {
        let start = self.nul.take()?;
        Some(self.problem(Code::NulByte, start, self.offset()))
    }

    pub(super) fn take_text_byte(&mut self, byte: u8) -> Option<Step> {
        let start = self.offset();
        self.add_text(start, 1);
        let text = self.text.as_mut().expect("just added");
        text.value = match (text.value, byte) {
            (_, b'[') => 1,
            (1 | 2, b'a'..=b'z') => text.value + 1,
            (3, b']') => {
                text.has_value = true;
                0
            }
            _ => 0,
        };
        None
    }

    pub(super) fn add_text(&mut self, start: u64, len: usize) {
        let end = start + len as u64;
        self.text
            .get_or_insert(Text {
                start,
                end,
                value: 0,
                has_value: false,
            })
            .end = end;
        self.token_start();
        self.at += len;
    }

    /// Reports the skipped text as a problem, if there was any.
    pub(super) fn take_text(&mut self) -> Option<Step> {
        let text = self.text.take()?;
        let code = match (self.depth, self.game) {
            (0, 0) if text.has_value => Code::ValueBeforeGame,
            (0, 0) => Code::TextBeforeGame,
            (0, _) => Code::TextAfterGame,
            _ => Code::UnexpectedText,
        };
        Some(self.problem(code, text.start, text.end))
    }

    pub(super) fn end_of_window(&mut self, last: bool, end: fn(&mut Self) -> Step) -> Option<Step> {
        Some(if last { end(self) } else { Step::More })
    }

    /// Returns whether a byte order mark of UTF-8 begins here, or `None` if more bytes are needed.
    pub(super) fn byte_order_mark(&self, window: &[u8], last: bool) -> Option<bool> {
        let rest = &window[self.at..];
        if rest.len() < BYTE_ORDER_MARK.len() && !last && BYTE_ORDER_MARK.starts_with(rest) {
            return None;
        }
        Some(rest.starts_with(BYTE_ORDER_MARK))
    }

    /// Skips the current byte and reports it.
    pub(super) fn faulty_byte(&mut self, code: Code) -> Step {
        self.token_start();
        self.at += 1;
        let end = self.offset();
        self.problem(code, end - 1, end)
    }

    /// Reports that something is missing here.
    pub(super) fn missing(&mut self, code: Code) -> Step {
        self.problem(code, self.offset(), self.offset())
    }

    pub(super) fn problem(&mut self, code: Code, start: u64, end: u64) -> Step {
        self.report(Problem::new(code, Span::new(start, end)))
    }
}
