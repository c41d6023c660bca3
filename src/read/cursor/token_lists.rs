//! Returns events from a token list, and switches between it and the machine.

use super::{Cursor, Emit, LOOKAHEAD, Mode};
use crate::scan::{
    Extent, Framing, PropertyProgress, Site, Token, cold_path, is_about_game, is_blank,
    may_be_about_game, plain_ident_len, plain_property,
};

impl Cursor {
    /// Finds the tokens of the next token list.
    #[cold]
    #[inline(never)]
    pub(super) fn begin_tokens(&mut self, window: &[u8]) -> Option<()> {
        let is_in_order = match self.mode {
            Mode::Node | Mode::Root | Mode::Child => true,
            Mode::Open => window.get(self.at) == Some(&b';'),
            _ => false,
        };
        let begins_with_gap =
            !self.skips_blanks && window.get(self.at).is_some_and(|&byte| is_blank(byte));
        if !is_in_order || begins_with_gap || self.is_cut {
            return None;
        }
        let site = self.site();
        let Some(at) = self.tokens.go_to(window, self.at, site) else {
            self.tokens.clear();
            return None;
        };
        self.at = at;
        if self.tokens.count == 0 {
            self.leave_tokens(window);
            return None;
        }
        Some(())
    }

    /// Moves to the position and the mode after the last event of the token list, and clears the
    /// list.
    #[cold]
    #[inline(never)]
    pub(super) fn leave_tokens(&mut self, window: &[u8]) {
        let tokens = &self.tokens;
        let next = tokens.next;
        if tokens.count == 0 && !tokens.is_cut {
            return;
        }
        if next > 0 {
            self.at = tokens.place(next);
            if self.mode == Mode::Open && window[tokens.place(next - 1)] != b'(' {
                self.mode = Mode::Node;
            }
        }
        self.is_cut = tokens.is_cut && next == tokens.count;
        self.tokens.clear();
    }

    /// Reads the `;` of a root whose charset was detected, a property of the root that may contain
    /// facts about its game, or a property whose end is uncertain or beyond the window.
    pub(super) fn doubtful_step(&mut self, window: &[u8]) -> Option<Token> {
        if self.tokens.next < self.tokens.count {
            let next = self.tokens.next;
            let at = self.tokens.place(next);
            if self.mode == Mode::OpenGame {
                self.mode = Mode::Root;
                self.tokens.next = next + 1;
                self.take(at, at + 1);
                return Some(Token::NodeStart { supplied: false });
            }
            // A property of the root has stopped the fast path.
            let (values, after) = self.tokens.property(at, next);
            let framing = self.framing;
            let is_taken = self.root_property(window, at, values);
            if is_taken.is_none() {
                self.leave_tokens(window);
                return None;
            }
            self.tokens.next = after;
            if framing != self.framing && !self.tokens.holds(self.framing) {
                self.leave_tokens(window);
                self.is_cut = false;
            }
            self.take(at, values.end);
            return Some(Token::Property {
                ident_len: values.ident_len as u32,
                simple: values.count == 1,
            });
        }
        self.leave_tokens(window);
        if !std::mem::take(&mut self.is_cut) {
            return None;
        }
        let at = self.at;
        let (values, next) = self.doubtful_values(window, at)?;
        if self.mode == Mode::Root {
            self.root_property(window, at, values)?;
        }
        self.at = next;
        self.take(at, values.end);
        Some(Token::Property {
            ident_len: values.ident_len as u32,
            simple: values.count == 1,
        })
    }

    #[inline(always)]
    pub(super) fn site(&self) -> Site {
        Site {
            child: self.mode == Mode::Child,
            skips_blanks: self.skips_blanks,
            plain_parentheses: self.plain_parentheses,
            open: self.open,
            limit: self.limit,
            framing: self.framing,
            lowercase: self.allows_lowercase(),
            crosses: self.skips_blanks && self.plain_parentheses,
            fresh_framing: self.fresh_framing,
        }
    }

    /// Reads the `(` of the next game, at this place of the window.
    #[cold]
    #[inline(never)]
    pub(super) fn begin_game(&mut self, at: usize) {
        let start = self.parser.machine.base() + at as u64;
        self.parser.begin_game(start);
        self.framing = self.parser.machine.framing;
        self.charset = self.parser.charset();
        self.open = 1;
        self.depth = 1;
        self.mode = Mode::OpenGame;
    }

    /// Returns whether the game at `at` is known to be UTF-8, so that no charset has to be
    /// detected.
    #[inline(always)]
    pub(super) fn knows_utf8(&mut self, window: &[u8], at: usize) -> bool {
        let until = self.parser.machine.base() + (at + LOOKAHEAD) as u64;
        self.parser.utf8_until() >= until || self.parser.learn_utf8(window, at, until)
    }

    /// Skips to the end of the variation of this depth, if the token list has it.
    pub(super) fn skip_on_tokens(&mut self, depth: u64) -> bool {
        if self.tokens.is_empty() || !self.skips_blanks || self.mode == Mode::Slow {
            return false;
        }
        // Do not skip from a root on a list that assumes a framing: the root may determine another.
        if matches!(self.mode, Mode::OpenGame | Mode::Root) && !self.tokens.holds(Framing::Pairs) {
            return false;
        }
        let mut open = self.open;
        let Some(end) = self.tokens.kinds_left().position(|kind| {
            open += u64::from(kind == b'(');
            let is_end = kind == b')' && open == depth;
            open -= u64::from(kind == b')');
            is_end
        }) else {
            return false;
        };
        self.tokens.next += end;
        (self.open, self.mode) = (depth, Mode::Node);
        true
    }

    pub(super) fn allows_lowercase(&self) -> bool {
        self.mode != Mode::Root && !self.parser.is_ff4
    }

    /// Reads the next token of the list, as [`fast_step`](Self::fast_step) does.
    #[inline(always)]
    pub(super) fn token_step<E: Emit>(&mut self, window: &[u8], emit: E) -> Option<E::Output> {
        let next = self.tokens.next;
        let at = self.tokens.place(next);
        let byte = self.tokens.kind(next);
        if byte == b';' {
            self.mode = if self.mode == Mode::OpenGame {
                if self.parser.detects {
                    return None;
                }
                Mode::Root
            } else {
                Mode::Node
            };
            self.tokens.next = next + 1;
            self.take(at, at + 1);
            return Some(emit.emit(self, Token::NodeStart { supplied: false }));
        }
        if byte > b')' {
            if self.mode == Mode::Root {
                cold_path(); // keeps it away from all other properties
                if may_be_about_game(byte) && is_about_game(&window[at..window.len().min(at + 3)]) {
                    return None;
                }
            }
            let (values, after) = self.tokens.property(at, next);
            self.tokens.next = after;
            self.take(at, values.end);
            return Some(emit.emit(
                self,
                Token::Property {
                    ident_len: values.ident_len as u32,
                    simple: values.count == 1,
                },
            ));
        }
        self.tokens.next = next + 1;
        if byte <= b' ' {
            self.depth = self.open;
            self.take(at, self.tokens.place(next + 1));
            return Some(emit.emit(self, Token::Gap));
        }
        self.take(at, at + 1);
        if byte == b'(' {
            if self.open == 0 {
                let detects = self.has_detection && !self.knows_utf8(window, at);
                self.begin_game(at);
                self.parser.detects &= detects;
            } else {
                self.mode = Mode::Open;
                self.open += 1;
                self.depth = self.open;
            }
            return Some(emit.emit(self, Token::VariationStart { supplied: false }));
        }
        self.depth = self.open;
        self.open -= 1;
        self.mode = if self.open == 0 {
            Mode::Outside
        } else {
            Mode::Child
        };
        Some(emit.emit(self, Token::VariationEnd { supplied: false }))
    }

    /// Finds the values of a property that extends beyond the block or whose end is uncertain. Also
    /// returns where reading continues.
    // Texts often have such properties. But `cold` leaves the registers to the loop around the
    // call, which saves a sixth of the instructions for moves.
    #[cold]
    #[inline(never)]
    pub(super) fn doubtful_values(&mut self, window: &[u8], at: usize) -> Option<(Extent, usize)> {
        let ident_len = plain_ident_len(window, at, self.allows_lowercase())?;
        self.plain_values(window, at, ident_len)
    }

    /// Finds values one after another, like `pass_values`. If a value is not plain, the machine
    /// continues from its start.
    fn plain_values(
        &mut self,
        window: &[u8],
        at: usize,
        ident_len: usize,
    ) -> Option<(Extent, usize)> {
        let mut unsettled = PropertyProgress::default();
        if let Some(plain) = plain_property(
            window,
            at,
            ident_len,
            self.property_limit,
            self.framing,
            &mut unsettled,
        ) {
            let end = plain.end;
            if plain.multibyte {
                // In a root, leave the property to the parser together with the problem, because it
                // may contain facts about the game, such as its charset.
                if self.mode == Mode::Root {
                    return None;
                }
                // The parser reports the problem in its next step.
                self.parser.resume_at(end, self.open, self.mode);
                self.parser.report_bracket_in_character(at, end);
                self.mode = Mode::Slow;
            }
            return Some((
                Extent {
                    ident_len,
                    end,
                    count: plain.one.into(),
                },
                end,
            ));
        }
        self.at = at;
        self.parser.resume_at(self.at, self.open, self.mode);
        self.mode = Mode::Slow;
        self.parser.machine.go_on_in_property(unsettled);
        None
    }
}
