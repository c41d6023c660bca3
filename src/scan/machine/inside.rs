//! Reading inside a game: nodes, parentheses, and faulty text between them.

use crate::base::Code;
use crate::scan::class::{is_blank, is_identifier};
use crate::scan::lookahead::{
    Inner, Restart, RestartPlace, begins_like_game, look_after_parenthesis, look_at_restart,
};
use crate::scan::token::Token;

use super::text::BYTE_ORDER_MARK;
use super::{Machine, State, Step};

impl Machine {
    pub(super) fn in_game(&mut self, window: &[u8], last: bool) -> Option<Step> {
        let Some(&byte) = window.get(self.at) else {
            return self.end_of_window(last, Self::end_in_game);
        };
        if byte == 0 {
            self.skip_nul();
            return None;
        }
        if let Some(problem) = self.take_nul() {
            return Some(problem);
        }
        if is_blank(byte) {
            self.skip_blanks(window);
            return None;
        }
        match byte {
            b';' => Some(self.take_text().unwrap_or_else(|| match self.state {
                State::AfterChild => self.supply_variation(),
                _ => self.node_start(false),
            })),
            b'(' => self.parenthesis(window, last),
            b')' => self.take_text().or_else(|| self.close_parenthesis()),
            b'[' => self.take_text().or_else(|| {
                let start = self.offset();
                self.begin_drop(Code::ValueWithoutIdentifier, start, 1);
                None
            }),
            b']' => Some(
                self.take_text()
                    .unwrap_or_else(|| self.faulty_byte(Code::StrayBracket)),
            ),
            byte if is_identifier(byte) => self.property(window, last),
            0xEF => self.high_byte(window, last),
            byte => self.take_text_byte(byte),
        }
    }

    /// Treats a byte order mark in a game as text. The bytes after it may still be the start of a
    /// line, because files were joined there.
    fn high_byte(&mut self, window: &[u8], last: bool) -> Option<Step> {
        match self.byte_order_mark(window, last) {
            None => return Some(Step::More),
            Some(false) => return self.take_text_byte(0xEF),
            Some(true) => {}
        }
        let line_start = self.line_start;
        self.add_text(self.offset(), BYTE_ORDER_MARK.len());
        self.line_start = line_start;
        None
    }

    pub(super) fn end_in_game(&mut self) -> Step {
        if let Some(problem) = self.take_text().or_else(|| self.take_nul()) {
            return problem;
        }
        if self.state == State::AfterOpen {
            return self.supply_node();
        }
        self.state = State::Closing;
        self.missing_end()
    }

    // Tree = "(" Sequence { Tree } ")"      (FF[4], EBNF)
    pub(super) fn parenthesis(&mut self, window: &[u8], last: bool) -> Option<Step> {
        let rest = &window[self.at..];
        // In the common case, five bytes rule out that another game starts here.
        if let [_, b';', ident @ ..] = rest
            && ident.len() >= 3
            && !is_blank(ident[0])
            && !begins_like_game(ident)
            && self.text.is_none()
            && self.state != State::AfterOpen
        {
            return Some(self.variation_start());
        }
        let look = look_after_parenthesis(rest, last, &self.limits, &mut self.progress.look);
        if look == Inner::More {
            return Some(Step::More);
        }
        if let Some(problem) = self.take_text() {
            return Some(problem);
        }
        // A missing node is supplied first.
        if matches!(look, Inner::Node | Inner::Property) && self.state != State::AfterOpen {
            let place = RestartPlace {
                is_line_start: self.line_start,
                is_after_variation: self.state == State::AfterChild,
                is_after_node: self.state == State::Node,
                is_in_tree_of_games: self.state == State::Root || self.tree_of_games == self.game,
            };
            let restart = match self.lost_bracket == self.offset() {
                true => Restart::Game,
                false => match look_at_restart(rest, last, &self.limits, place, self.framing) {
                    Some(restart) => restart,
                    None => return Some(Step::More),
                },
            };
            match restart {
                Restart::Game => {
                    self.state = State::CloseGame;
                    return None;
                }
                Restart::VariationLikeGame => self.tree_of_games = self.game,
                Restart::Variation => {}
            }
        }
        match look {
            Inner::Node | Inner::Property | Inner::Blank if self.state == State::AfterOpen => {
                Some(self.supply_node())
            }
            Inner::Node | Inner::Property | Inner::Blank => Some(self.variation_start()),
            Inner::End(at) => Some(self.empty_variation(at)),
            _ => Some(self.drop_parenthesis()),
        }
    }

    pub(super) fn variation_start(&mut self) -> Step {
        self.token_start();
        let start = self.at;
        self.at += 1;
        self.depth += 1;
        self.state = State::AfterOpen;
        self.token(Token::VariationStart { supplied: false }, start)
    }

    pub(super) fn drop_parenthesis(&mut self) -> Step {
        self.repairs.drop(self.depth);
        self.faulty_byte(Code::VariationWithoutNode)
    }

    /// Reports `( )`, whose `)` is `at` bytes from here.
    pub(super) fn empty_variation(&mut self, at: usize) -> Step {
        self.token_start();
        let start = self.offset();
        self.at += at + 1;
        self.problem(Code::EmptyVariation, start, start + at as u64 + 1)
    }

    pub(super) fn close_parenthesis(&mut self) -> Option<Step> {
        if self.repairs.is_dropped(self.depth) {
            self.drop_end();
            return None;
        }
        if self.state == State::AfterOpen {
            return Some(self.supply_node());
        }
        let supplied = self.repairs.close_supplied(self.depth);
        let start = self.at;
        if !supplied {
            self.token_start();
            self.at += 1;
        }
        self.depth -= 1;
        self.state = if self.depth == 0 {
            State::Outside
        } else {
            State::AfterChild
        };
        Some(self.token(Token::VariationEnd { supplied }, start))
    }

    /// Drops the `)` of a dropped `(`.
    pub(super) fn drop_end(&mut self) {
        self.repairs.close_dropped();
        self.token_start();
        self.at += 1;
    }

    pub(super) fn node_start(&mut self, supplied: bool) -> Step {
        let start = self.at;
        if !supplied {
            self.token_start();
            self.at += 1;
        }
        let root = self.depth == 1 && matches!(self.state, State::AfterOpen | State::SupplyNode);
        self.state = if root { State::Root } else { State::Node };
        self.token(Token::NodeStart { supplied }, start)
    }

    /// Reports a node or property after a closed variation. The next step inserts a variation
    /// around it.
    pub(super) fn supply_variation(&mut self) -> Step {
        self.state = State::SupplyVariation;
        self.missing(Code::NodeAfterVariation)
    }

    /// Reports that a variation lacks its node. The next step inserts one.
    pub(super) fn supply_node(&mut self) -> Step {
        self.state = State::SupplyNode;
        self.missing(if self.depth == 1 {
            Code::MissingRootSemicolon
        } else {
            Code::MissingSemicolon
        })
    }
}
