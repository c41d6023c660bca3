//! Properties too long for the buffer, returned piece by piece, and stray properties, skipped in
//! the same way.

use crate::base::Code;
use crate::scan::class::{is_blank, is_identifier};
use crate::scan::framing::{CutAt, ValueEnd, piece_end, value_end};
use crate::scan::lookahead::restart_in_value;
use crate::scan::token::{Token, ValuePiece};

use super::{Machine, Parts, State, Step};

impl Machine {
    /// Starts to return a property piece by piece from its start, because it does not fit.
    pub(super) fn begin_parts(&mut self, window: &[u8]) -> Option<Step> {
        let ident_len = self.progress.ident_len;
        let rest = &window[self.at + ident_len..];
        let blanks = rest.iter().take_while(|&&byte| is_blank(byte)).count();
        let content = ident_len + blanks + 1;
        self.parts = Parts {
            first: true,
            content,
            look: content,
            back_to: Some(self.state),
            ..Parts::default()
        };
        self.token_start();
        self.state = State::PartValue;
        None
    }

    /// Starts to drop a stray property or value. `content` is the offset of the content of its
    /// first value, or 0 if no `[` was read yet.
    pub(super) fn begin_drop(&mut self, code: Code, start: u64, content: usize) {
        self.parts = Parts {
            drop: Some((code, start)),
            end: start,
            first: true,
            content,
            look: content,
            back_to: Some(self.state),
            ..Parts::default()
        };
        self.token_start();
        self.state = State::PartValue;
    }

    pub(super) fn part_value(&mut self, window: &[u8], last: bool) -> Option<Step> {
        let rest = &window[self.at..];
        let content = self.parts.content;
        let limit = content + self.limits.property;
        // With this many bytes after the limit, a lookahead has the same result when more bytes
        // arrive.
        let enough = limit + 80;
        let full = rest.len() >= enough;
        let view = &rest[..rest.len().min(enough)];
        let found = value_end(view, content, self.parts.look, last && !full, self.framing);
        let (end, closed) = match found {
            ValueEnd::Found { at, multibyte } => {
                self.parts.multibyte |= multibyte;
                (at, true)
            }
            ValueEnd::Missing { resume, multibyte } => {
                self.parts.multibyte |= multibyte;
                if !full && !last {
                    self.parts.look = resume;
                    return Some(Step::More);
                }
                (view.len(), false)
            }
        };
        if end > limit {
            let CutAt(cut) = piece_end(rest, content, limit, self.framing);
            return self.part_token(cut, false, false);
        }
        if closed && let Some(paren) = restart_in_value(&rest[content..end], &self.limits) {
            let step = self.part_token(content + paren, true, false);
            self.lost_bracket = self.offset();
            return step;
        }
        if closed {
            return self.part_token(end + 1, true, true);
        }
        self.part_token(end, true, false)
    }

    /// Reads a piece of `len` bytes.
    pub(super) fn part_token(&mut self, len: usize, last: bool, closed: bool) -> Option<Step> {
        let start = self.at;
        let Parts {
            content,
            value,
            first,
            drop,
            ..
        } = self.parts;
        self.token_start();
        self.at += len;
        self.parts.end = self.offset();
        self.parts.first = last;
        self.parts.content = 0;
        self.parts.look = 0;
        if last {
            self.parts.value += 1;
            // Dropped values are not reported again.
            self.has_multibyte_bracket =
                std::mem::take(&mut self.parts.multibyte) && drop.is_none();
            self.state = if closed {
                State::PartGap
            } else {
                State::Unclosed
            };
        }
        if let Some((code, from)) = drop {
            if last && !closed {
                self.parts.drop = None;
                return Some(self.problem(code, from, self.parts.end));
            }
            return None;
        }
        self.piece = ValuePiece {
            content: content as u32,
            value,
            first,
            last,
            closed,
        };
        Some(self.token(Token::Part, start))
    }

    pub(super) fn part_gap(&mut self, window: &[u8], last: bool) -> Option<Step> {
        match window.get(self.at) {
            Some(&byte) if is_blank(byte) => {
                self.line_start |= matches!(byte, b'\r' | b'\n');
                self.at += 1;
                None
            }
            Some(b'[') => {
                self.parts.content = 1;
                self.parts.look = 1;
                self.token_start();
                self.state = State::PartValue;
                None
            }
            None if !last => Some(Step::More),
            _ => {
                self.state = self.parts.back_to.expect("set when the parts began");
                let (code, start) = self.parts.drop.take()?;
                Some(self.problem(code, start, self.parts.end))
            }
        }
    }

    pub(super) fn long_identifier(&mut self, window: &[u8], last: bool) -> Option<Step> {
        let rest = &window[self.at..];
        let len = rest.iter().take_while(|&&byte| is_identifier(byte)).count();
        self.at += len;
        self.parts.end = self.offset();
        if len == rest.len() && !last {
            return Some(Step::More);
        }
        self.state = State::PartGap;
        None
    }
}
