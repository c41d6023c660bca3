//! Reading between games: blanks, byte order marks, text, and the start of a game.

use crate::base::Code;
use crate::scan::class::is_blank;
use crate::scan::lookahead::{Inner, look_after_parenthesis, look_at_headless};

use super::text::BYTE_ORDER_MARK;
use super::{Machine, State, Step};

impl Machine {
    pub(super) fn outside(&mut self, window: &[u8], last: bool) -> Option<Step> {
        let Some(&byte) = window.get(self.at) else {
            return self.end_of_window(last, Self::end_outside);
        };
        if is_blank(byte) {
            // NULs between games count as blanks.
            self.at += usize::from(byte == 0);
            self.skip_blanks(window);
            return None;
        }
        match self.byte_order_mark(window, last) {
            None => return Some(Step::More),
            Some(true) => {
                self.at += BYTE_ORDER_MARK.len();
                self.bom = true;
                return None;
            }
            Some(false) => {}
        }
        if self.offset() == 0 && byte >= 0xFE {
            let Some(&second) = window.get(self.at + 1) else {
                return if last {
                    self.take_text_byte(byte)
                } else {
                    Some(Step::More)
                };
            };
            if byte ^ second == 1 {
                self.at += 2;
                return Some(self.problem(Code::WideEncoding, 0, 2));
            }
        }
        match byte {
            b'(' => match look_after_parenthesis(
                &window[self.at..],
                last,
                &self.limits,
                &mut self.progress.look,
            ) {
                Inner::More => Some(Step::More),
                Inner::Node | Inner::Property => Some(self.take_text().unwrap_or_else(|| {
                    self.begin_game(self.offset());
                    self.variation_start()
                })),
                Inner::Parenthesis => {
                    Some(self.take_text().unwrap_or_else(|| self.drop_parenthesis()))
                }
                Inner::End(at) if self.text.is_none() => Some(self.empty_variation(at)),
                Inner::End(_) | Inner::Blank | Inner::Other => self.take_text_byte(byte),
            },
            b';' if self.line_start => {
                match look_at_headless(&window[self.at..], last, &self.limits) {
                    None => Some(Step::More),
                    Some(true) => Some(self.take_text().unwrap_or_else(|| {
                        self.state = State::SupplyVariation;
                        self.token_start();
                        self.missing(Code::MissingParenthesis)
                    })),
                    Some(false) => self.take_text_byte(byte),
                }
            }
            b')' if self.text.is_none() && self.repairs.is_dropped(0) => {
                self.drop_end();
                None
            }
            b')' if self.text.is_none() => Some(self.faulty_byte(Code::StrayParenthesis)),
            byte => self.take_text_byte(byte),
        }
    }

    pub(super) fn end_outside(&mut self) -> Step {
        if let Some(problem) = self.take_text() {
            return problem;
        }
        if self.game == 0 && !self.no_game_reported {
            self.no_game_reported = true;
            return self.missing(Code::NoGame);
        }
        self.state = State::Done;
        Step::End
    }
}
