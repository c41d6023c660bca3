//! Skips to the end of a variation.

use super::{Cursor, Mode, ToToken};
use crate::scan::{Framing, Skip, Step, Token};

impl Cursor {
    /// Skips to the end of the variation of this depth and reads the end, or skips to the first
    /// byte that is not plain.
    fn skip_blocks(&mut self, window: &[u8], depth: u64, mode: Mode) -> Option<Token> {
        if !self.plain_parentheses || !self.skips_blanks || !self.tokens.is_empty() {
            return None;
        }
        // A root may determine the framing of values, unless no byte up to the end may be half of a
        // character.
        let (is_in_root, framing) = match mode {
            Mode::OpenGame | Mode::Root => (true, Framing::Pairs),
            Mode::Node | Mode::Move | Mode::MoveAndBlank | Mode::Blank | Mode::Child => {
                (false, self.framing)
            }
            _ => return None,
        };
        let mut skip = Skip::new(self.at, self.open, depth, mode == Mode::Child, framing);
        if skip.run(window) {
            self.depth = depth;
            self.open = depth - 1;
            self.mode = if self.open == 0 {
                Mode::Outside
            } else {
                Mode::Child
            };
            self.at = skip.at + 1;
            self.take(skip.at, skip.at + 1);
            return Some(Token::VariationEnd { supplied: false });
        }
        if skip.at > self.at && !is_in_root {
            (self.at, self.open, self.mode) = (skip.at, skip.open, Mode::Node);
        }
        None
    }

    /// Skips to the end of the variation of this depth.
    #[cold]
    pub(super) fn skip_step(
        &mut self,
        window: &[u8],
        last: bool,
        (depth, mut mode): (u64, Mode),
    ) -> Step {
        loop {
            if self.tokens.is_empty() {
                self.leave_tokens(window);
                self.is_cut = false;
            }
            if let Some(end) = self.skip_blocks(window, depth, mode) {
                self.skip_to = None;
                return Step::Token(end);
            }
            self.tokens.be_short();
            let pulled = match self
                .fast_step(window, ToToken)
                .or_else(|| self.doubtful_step(window))
                .or_else(|| self.border_step(window))
            {
                Some(token) => Step::Token(token),
                None => self.parser_step(window, last),
            };
            match pulled {
                Step::Token(Token::VariationEnd { .. }) if self.depth == depth => {}
                Step::Token(_) => {
                    if self.tokens.is_empty() {
                        self.leave_tokens(window);
                    }
                    // A root is read normally, because its properties may change how the rest is
                    // read.
                    mode = if self.mode == Mode::Root {
                        Mode::Slow
                    } else {
                        self.mode
                    };
                    continue;
                }
                Step::More => {
                    self.hand_over(window);
                    self.skip_to = Some((depth, Mode::Slow));
                    return pulled;
                }
                Step::End => {}
            }
            self.skip_to = None;
            return pulled;
        }
    }
}
