//! Reading a property: its identifier, and its values up to the byte that ends it.

use crate::base::Code;
use crate::scan::class::{has_capital_or_digit, is_blank, is_identifier};
use crate::scan::framing::{ValueEnd, value_end};
use crate::scan::lookahead::restart_in_value;
use crate::scan::token::Token;

use super::{Machine, Phase, State, Step};

impl Machine {
    // Property = PropIdent PropValue { PropValue }      (FF[4], EBNF)
    pub(super) fn property(&mut self, window: &[u8], last: bool) -> Option<Step> {
        let rest = &window[self.at..];
        if self.progress.phase == Phase::Identifier {
            let look = self.progress.look;
            let len = look
                + rest[look..]
                    .iter()
                    .take_while(|&&byte| is_identifier(byte))
                    .count();
            self.progress.look = len;
            if len > self.limits.identifier {
                return self.take_text().or_else(|| {
                    let start = self.offset();
                    self.begin_drop(Code::IdentifierTooLong, start, 0);
                    self.state = State::LongIdentifier;
                    None
                });
            }
            if len == rest.len() && !last {
                return Some(Step::More);
            }
            self.progress.ident_len = len;
            self.progress.phase = Phase::BeforeValue;
        }
        let ident_len = self.progress.ident_len;
        if self.progress.phase == Phase::BeforeValue {
            let look = self.progress.look;
            let end = rest.len().min(ident_len + self.limits.lookahead);
            let blanks = rest[look..end]
                .iter()
                .take_while(|&&byte| is_blank(byte))
                .count();
            let next = look + blanks;
            self.progress.look = next;
            if next == rest.len() && !last && next < ident_len + self.limits.lookahead {
                return Some(Step::More);
            }
            let has_value = next < end && rest[next] == b'[';
            let identifier = &rest[..ident_len];
            if !has_capital_or_digit(identifier) {
                if has_value && let Some(problem) = self.take_text() {
                    return Some(problem);
                }
                let start = self.offset();
                if has_value {
                    self.begin_drop(Code::IdentifierWithoutCapital, start, next + 1);
                } else {
                    self.add_text(start, ident_len);
                }
                return None;
            }
            if let Some(problem) = self.take_text() {
                return Some(problem);
            }
            if !has_value {
                let start = self.offset();
                let at_end = next == rest.len() && next < ident_len + self.limits.lookahead;
                self.token_start();
                self.at += ident_len;
                let code = if at_end {
                    Code::UnclosedIdentifier
                } else {
                    Code::IdentifierWithoutValue
                };
                return Some(self.problem(code, start, start + ident_len as u64));
            }
            self.progress.phase = Phase::InValue;
            self.progress.value = next + 1;
            self.progress.look = next + 1;
            match self.state {
                State::AfterChild => return Some(self.supply_variation()),
                State::AfterOpen => return Some(self.supply_node()),
                _ => {}
            }
        }
        self.property_values(window, last)
    }

    /// Reads the values of a property whose identifier and first `[` are known.
    pub(super) fn property_values(&mut self, window: &[u8], last: bool) -> Option<Step> {
        let rest = &window[self.at..];
        let limit = self.limits.property.max(self.progress.ident_len + 2);
        let full = rest.len() >= limit;
        let view = &rest[..rest.len().min(limit)];
        let view_is_last = last && !full;
        loop {
            if self.progress.phase == Phase::InValue {
                let value = self.progress.value;
                match value_end(
                    view,
                    value.min(view.len()),
                    self.progress.look,
                    view_is_last,
                    self.framing,
                ) {
                    ValueEnd::Found { at, multibyte } => {
                        self.progress.multibyte |= multibyte;
                        if let Some(paren) = restart_in_value(&view[value..at], &self.limits) {
                            return Some(self.unclosed_property(value + paren));
                        }
                        self.progress.values += 1;
                        self.progress.look = at + 1;
                        self.progress.end = at + 1;
                        self.progress.phase = Phase::AfterValue;
                    }
                    ValueEnd::Missing { resume, multibyte } => {
                        self.progress.multibyte |= multibyte;
                        self.progress.look = resume;
                        if full {
                            return self.begin_parts(window);
                        }
                        if last {
                            return Some(self.unclosed_property(rest.len()));
                        }
                        return Some(Step::More);
                    }
                }
            }
            let look = self.progress.look;
            let next = look
                + view[look..]
                    .iter()
                    .take_while(|&&byte| is_blank(byte))
                    .count();
            self.progress.look = next;
            match view.get(next) {
                Some(b'[') => {
                    self.progress.phase = Phase::InValue;
                    self.progress.value = next + 1;
                    self.progress.look = next + 1;
                }
                None if full => return self.begin_parts(window),
                None if !last => return Some(Step::More),
                _ => {
                    let simple = self.progress.values == 1
                        && self.progress.value == self.progress.ident_len + 1;
                    return Some(self.property_token(self.progress.end, simple));
                }
            }
        }
    }

    /// Returns a property that lacks its last `]` and ends after `len` bytes: at the end of input,
    /// or where another game starts.
    pub(super) fn unclosed_property(&mut self, len: usize) -> Step {
        let step = self.property_token(len, false);
        self.parts.back_to = Some(self.state);
        self.state = State::Unclosed;
        self.lost_bracket = self.offset();
        step
    }

    /// Returns the property that ends after `len` bytes.
    pub(super) fn property_token(&mut self, len: usize, simple: bool) -> Step {
        let start = self.at;
        let ident_len = self.progress.ident_len as u32;
        self.has_multibyte_bracket = self.progress.multibyte;
        self.token_start();
        self.at = start + len;
        self.token(Token::Property { ident_len, simple }, start)
    }
}
