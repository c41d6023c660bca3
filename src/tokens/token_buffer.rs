//! The tokens of a game, while a reader fills them in.

use crate::base::{Charset, CharsetSource, Problem};
use crate::event::{Event, Flow, Place, Property};

use super::token::{FIELD_MAX, Token, TokenKind};

/// Tokens and problems of one game, for reuse by the next.
#[derive(Clone, Debug)]
pub struct TokenBuffer {
    /// The tokens, and room for more: all are initialized, so that writing one needs no growth.
    pub(crate) tokens: Vec<Token>,
    /// Number of tokens.
    pub(crate) len: usize,
    pub(crate) problems: Vec<Problem>,
    /// Number of problems before the game.
    pub(crate) problems_before: usize,
    /// Offset of the game in the input.
    pub(crate) base: u64,
    /// Offset of its end; 0 before it was read.
    pub(crate) end: u64,
    /// Index of the innermost open `(`. Its length is the index of the one around it.
    pub(crate) open: usize,
    pub(crate) number: u64,
    pub(crate) charset: (Charset, CharsetSource),
    /// Nodes up to the one before which reading stops.
    pub(crate) left: usize,
    has_root: bool,
    /// Whether the last node is the root.
    pub(crate) in_root: bool,
    /// Whether the game does not fit the budget.
    pub(crate) is_over: bool,
    /// Bytes of the game, its tokens and problems together.
    pub(crate) budget: u64,
    /// Whether the problems of a game over the budget stay.
    pub(crate) keeps_problems: bool,
}

/// Tokens after which the first growth is. A reader of one short game costs little then.
const FIRST: usize = 256;

/// Most tokens whose memory stays for the next game.
const KEPT: usize = 1 << 18;

impl Default for TokenBuffer {
    /// Returns a buffer without memory, into which no reader writes.
    fn default() -> Self {
        Self::with_tokens(Vec::new(), 0)
    }
}

impl TokenBuffer {
    pub(crate) fn new(budget: u64) -> Self {
        Self::with_tokens(vec![Token::default(); FIRST], budget)
    }

    fn with_tokens(tokens: Vec<Token>, budget: u64) -> Self {
        Self {
            tokens,
            len: 0,
            problems: Vec::new(),
            problems_before: 0,
            base: 0,
            end: 0,
            open: 0,
            number: 0,
            charset: (Charset::AUTO, CharsetSource::Default),
            left: usize::MAX,
            has_root: false,
            in_root: false,
            is_over: false,
            budget: budget.min(FIELD_MAX),
            keeps_problems: false,
        }
    }

    pub(crate) fn clear(&mut self) {
        (self.len, self.base, self.end, self.open) = (0, 0, 0, 0);
        (self.has_root, self.in_root, self.is_over, self.left) = (false, false, false, usize::MAX);
        self.problems.clear();
        self.problems_before = 0;
        // The memory of a long game is given back.
        if self.tokens.len() > KEPT {
            self.tokens.truncate(FIRST);
            self.tokens.shrink_to_fit();
        }
    }

    /// Copies the tokens and problems of another buffer.
    pub(crate) fn copy_from(&mut self, other: &Self) {
        self.tokens.clear();
        self.tokens.extend_from_slice(other.tokens());
        self.problems.clone_from(&other.problems);
        let Self {
            len,
            problems_before,
            base,
            end,
            number,
            charset,
            ..
        } = *other;
        (self.len, self.problems_before, self.base, self.end) = (len, problems_before, base, end);
        (self.number, self.charset) = (number, charset);
    }

    /// Returns the tokens.
    #[must_use]
    #[inline(always)]
    pub fn tokens(&self) -> &[Token] {
        &self.tokens[..self.len]
    }

    #[inline(always)]
    pub(crate) fn is_empty(&self) -> bool {
        self.len == 0
    }

    pub(crate) fn problems(&self) -> &[Problem] {
        &self.problems
    }

    /// Adds a problem of a game over the budget.
    pub(crate) fn add_problem(&mut self, problem: Problem) {
        self.problems.push(problem);
    }

    #[inline(always)]
    pub(crate) fn push(&mut self, token: Token) {
        if self.len == self.tokens.len() {
            self.make_room(1);
        }
        if let Some(free) = self.tokens.get_mut(self.len) {
            *free = token;
            self.len += 1;
        }
    }

    /// Makes room for this number of tokens. Only the first certainly belongs to the game, because a
    /// token list may go on in the next games. If the budget has no room for the first, drops the
    /// tokens: the game is over the budget.
    #[cold]
    #[inline(never)]
    pub(crate) fn make_room(&mut self, room: usize) {
        let bytes = self.tokens[..self.len].last().map_or(0, |token| token.at()) as u64;
        let problems = (self.problems.len() * size_of::<Problem>()) as u64;
        let most = (self.budget.saturating_sub(bytes + problems) / 8).max(1) as usize;
        if self.len >= most {
            self.drop_tokens();
        } else {
            let len = (2 * self.tokens.len()).min(most).max(self.len + room);
            self.tokens.resize(len, Token::default());
        }
    }

    /// Notes that the game does not fit the budget.
    pub(crate) fn drop_tokens(&mut self) {
        self.is_over = true;
        (self.len, self.open) = (1, 0);
        if !self.keeps_problems {
            self.problems_before = 0;
            self.problems.clear();
        }
        if self.tokens.len() < FIRST {
            self.tokens.resize(FIRST, Token::default());
        }
    }

    /// Takes an event that is not on a token list.
    #[inline(never)]
    pub(crate) fn take(&mut self, event: &Event<'_>, place: &Place) -> Flow {
        let at = place.span.start.wrapping_sub(self.base);
        match event {
            Event::Property(property) => self.take_property(property, at),
            Event::NodeStart { supplied } => {
                let is_root = !std::mem::replace(&mut self.has_root, true);
                self.in_root = is_root;
                self.push(Token::new(TokenKind::Node, at, 0).inserted(*supplied));
                if !is_root {
                    self.left -= 1;
                    if self.left == 0 {
                        return Flow::Stop;
                    }
                }
            }
            Event::VariationStart(variation) => {
                if variation.depth == 1 {
                    (self.base, self.number, self.len) = (place.span.start, place.game, 0);
                    self.problems_before = self.problems.len();
                    self.push(Token::new(TokenKind::Open, 0, 0).inserted(variation.supplied));
                } else {
                    self.in_root = false;
                    let around = std::mem::replace(&mut self.open, self.len);
                    self.push(
                        Token::new(TokenKind::Open, at, around as u64).inserted(variation.supplied),
                    );
                }
            }
            Event::VariationEnd(variation) => {
                self.in_root = false;
                self.close(at, variation.supplied);
                if variation.depth == 1 {
                    self.finish(place.span.end);
                    return Flow::Stop;
                }
            }
            Event::Problem(problem) => {
                // Counted from the `(`, because the part of an input that begins there has no
                // problems before it.
                let number = (self.problems.len() - self.problems_before) as u64;
                self.problems.push(*problem);
                if self.len > 0 {
                    self.push(Token::new(TokenKind::Problem, at, number));
                    let used = (self.problems.len() * size_of::<Problem>() + 8 * self.len) as u64;
                    if used + at > self.budget {
                        self.drop_tokens();
                    }
                }
            }
            Event::PropertyPart(_) => self.drop_tokens(),
            Event::Gap(_) => {}
        }
        if self.is_over {
            Flow::SkipGame
        } else {
            Flow::Go
        }
    }

    pub(crate) fn take_property(&mut self, property: &Property<'_>, at: u64) {
        match property.as_move() {
            Some(_) => self.play(at),
            None => self.push(Token::property(property, at)),
        }
    }

    /// Adds a move; together with its node if it is the only property there so far.
    fn play(&mut self, at: u64) {
        match self.tokens[..self.len].last() {
            Some(last)
                if *last == Token::new(TokenKind::Node, at.wrapping_sub(1), 0) && !self.in_root =>
            {
                self.len -= 1;
                self.push_run(at - 1, 1, 6);
            }
            _ => self.push(Token::new(TokenKind::Move, at, 0)),
        }
    }

    /// Adds nodes of a plain move each. A run is as long as it can be, however many nodes the
    /// reader recognized at once.
    #[inline(always)]
    pub(crate) fn push_run(&mut self, at: u64, count: u64, stride: u64) {
        let last = self.tokens[..self.len].last_mut();
        let Some((last, longer)) =
            last.and_then(|last| last.with_node(at).map(|longer| (last, longer)))
        else {
            return self.push(Token::run(at, count, if count == 1 { 6 } else { stride }));
        };
        if longer.stride() as u64 == stride {
            *last = longer.with_nodes(count - 1);
            return;
        }
        *last = longer;
        if count > 1 {
            self.push(Token::run(
                at + stride,
                count - 1,
                if count == 2 { 6 } else { stride },
            ));
        }
    }

    /// Returns whether the last token is a run of one node, which the next node may join at any
    /// distance.
    pub(crate) fn ends_with_node(&self) -> bool {
        self.tokens[..self.len]
            .last()
            .is_some_and(|last| last.kind() == TokenKind::Run && last.len() == 1)
    }

    #[inline(always)]
    pub(crate) fn close(&mut self, at: u64, inserted: bool) {
        let close = self.len as u64;
        if let Some(open) = self.tokens.get_mut(self.open) {
            self.open = open.len();
            *open = open.with_len(close);
        }
        self.push(Token::new(TokenKind::Close, at, 0).inserted(inserted));
    }

    /// Notes the end of the game.
    pub(crate) fn finish(&mut self, end: u64) {
        self.end = end;
        self.is_over |= end - self.base
            + (8 * self.len + self.problems.len() * size_of::<Problem>()) as u64
            > self.budget;
    }

    /// Notes that the next node is the root.
    #[inline(always)]
    pub(crate) fn begin_root(&mut self) {
        (self.has_root, self.in_root) = (true, true);
    }
}
