//! The state machine: from a window of bytes to tokens. It holds no bytes and reads none. If a window ends too early,
//! it answers [`Step::More`], and the caller comes back with the same bytes and more.
//!
//! `docs/spec/reader.md` lists what it does with faulty input, row by row; the tests compare it with a naive twin that was
//! written from that page.

mod inside;
mod outside;
mod parts;
mod property;
mod text;

use crate::base::{Code, Limits, Problem, Span};

use super::fast::Unsettled;
use super::framing::Framing;
use super::repairs::Repairs;
use super::token::{Piece, Token};

/// Result of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    Token(Token),
    /// The window ends too early: keep the bytes from [`Machine::keep_from`] on, append more, and come back.
    More,
    /// The end of the input.
    End,
}

/// State of the machine: the bytes it expects next.
///
/// ```text
///             `(`                `;`              `)`
/// Outside ----------> AfterOpen ------> Root/Node ------> AfterChild (Outside at depth 0)
///    ^                    ^                 | ^                |  |
///    |                    +------ `(` ------+ +--- supplied ---+  |
///    +------------------------- `)` at depth 1 -------------------+
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum State {
    /// Between games.
    Outside,
    /// A variation has begun and has no node yet.
    AfterOpen,
    /// In the first node of a game.
    Root,
    /// In any other node.
    Node,
    /// A child variation was closed: only `(` and `)` are in order.
    AfterChild,
    /// A `VariationStart` is to be supplied.
    SupplyVariation,
    /// A `NodeStart` is to be supplied.
    SupplyNode,
    /// `unclosed-value` is to be reported.
    Unclosed,
    /// `unclosed-game` is to be reported.
    CloseGame,
    /// Open variations are to be ended.
    Closing,
    /// In a value of a property that is given in parts or dropped.
    PartValue,
    /// After such a value, or after a dropped identifier.
    PartGap,
    /// In an identifier that is too long.
    LongIdentifier,
    /// A token follows a gap, or the caller has problems to report first.
    Held,
    /// At the end of input.
    Done,
}

/// How far an unfinished construct was searched; offsets from `Machine::at`. So no byte is searched twice, wherever the
/// input is cut.
#[derive(Clone, Copy, Debug, Default)]
struct Progress {
    phase: Phase,
    look: usize,
    ident_len: usize,
    value: usize,
    end: usize,
    values: u32,
    multibyte: bool,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Phase {
    #[default]
    Identifier,
    BeforeValue,
    InValue,
    AfterValue,
}

/// A property that is given in parts, or dropped with a problem.
#[derive(Clone, Copy, Debug, Default)]
struct Parts {
    /// The problem that spans what is dropped, and where it began.
    drop: Option<(Code, u64)>,
    /// One past the last byte that belongs to it.
    end: u64,
    value: u64,
    first: bool,
    /// Where the content of the piece begins, from `at`.
    content: usize,
    look: usize,
    multibyte: bool,
    back_to: Option<State>,
}

/// A run of text that belongs to nothing.
#[derive(Clone, Copy, Debug)]
struct Text {
    start: u64,
    end: u64,
    /// Bytes of `[xy]` seen so far, and whether all of it was (SGFC 6).
    value: u8,
    has_value: bool,
}

/// Token that waits in [`State::Held`].
#[derive(Clone, Copy, Debug)]
struct Held {
    /// The token to give next, with its first byte and the one past its last.
    token: Option<(Token, u64, u64)>,
    /// The state after it.
    state: State,
}

#[derive(Clone, Debug)]
pub(crate) struct Machine {
    pub(crate) state: State,
    /// The next byte to read, in the window.
    pub(crate) at: usize,
    /// The last token's first byte and the one past its last, from the start of the window; bytes before the window
    /// wrap.
    start: u64,
    end: u64,
    /// Details of the last token, if it is a part or a problem.
    pub(crate) piece: Piece,
    pub(crate) problem: Problem,
    pub(crate) framing: Framing,
    gaps: bool,
    /// Bytes before `at` that no token has covered yet (if `gaps`).
    gap: usize,
    depth: u64,
    token_depth: u64,
    game: u64,
    /// Offset of the window's first byte in the input.
    base: u64,
    progress: Progress,
    parts: Parts,
    text: Option<Text>,
    nul: Option<u64>,
    /// Only blanks since the last line break or the start of input.
    line_start: bool,
    /// Where the last value ended that lost its `]`: a `(` there begins another game.
    lost_bracket: u64,
    /// There is a byte order mark of UTF-8 before the next or current game.
    pub(crate) bom: bool,
    no_game_reported: bool,
    /// A `]` or `\` was read as part of a character in the property just given.
    pub(crate) has_multibyte_bracket: bool,
    held: Option<Held>,
    repairs: Repairs,
    limits: Limits,
}

impl Machine {
    pub(crate) fn new(limits: Limits, framing: Framing, gaps: bool) -> Self {
        let limits = Limits {
            property: limits.property.clamp(16, 1 << 30),
            identifier: limits.identifier.clamp(6, 1 << 20),
            lookahead: limits.lookahead.clamp(64, 1 << 20),
            game: limits.game.clamp(16, 1 << 30),
            ..limits
        };
        Self {
            state: State::Outside,
            at: 0,
            start: 0,
            end: 0,
            piece: Piece::default(),
            problem: Problem::new(Code::NoGame, Span::default()),
            framing,
            gaps,
            gap: 0,
            depth: 0,
            token_depth: 0,
            game: 0,
            base: 0,
            progress: Progress::default(),
            parts: Parts::default(),
            text: None,
            nul: None,
            line_start: true,
            lost_bracket: u64::MAX,
            bom: false,
            no_game_reported: false,
            has_multibyte_bracket: false,
            held: None,
            repairs: Repairs::new(limits.repairs),
            limits,
        }
    }

    /// Open variations, counting that of the last token.
    #[expect(clippy::misnamed_getters, reason = "the field counts those after the token, see `open`")]
    pub(crate) fn depth(&self) -> u64 {
        self.token_depth
    }

    /// Open variations after the last token.
    pub(crate) fn open(&self) -> u64 {
        match self.held_token() {
            // It follows a gap and was not given yet.
            Some(Token::VariationStart { .. }) => self.depth - 1,
            Some(Token::VariationEnd { .. }) => self.depth + 1,
            _ => self.depth,
        }
    }

    /// Games begun.
    #[inline]
    pub(crate) fn game(&self) -> u64 {
        match self.held_token() {
            Some(Token::VariationStart { .. }) if self.depth == 1 => self.game - 1,
            _ => self.game,
        }
    }

    #[inline]
    fn held_token(&self) -> Option<Token> {
        Some(self.held?.token?.0)
    }

    /// The bytes of the last token in the input.
    pub(crate) fn span(&self) -> Span {
        Span::new(self.base.wrapping_add(self.start), self.base.wrapping_add(self.end))
    }

    /// Like `span`, from the window's start; a place before the window wraps.
    pub(crate) fn span_in_window(&self) -> (u64, u64) {
        (self.start, self.end)
    }

    /// Offset in the input of the next byte to read.
    pub(crate) fn offset(&self) -> u64 {
        self.base + self.at as u64
    }

    /// Everything before this index of the window is done with.
    pub(crate) fn keep_from(&self) -> usize {
        self.at - self.gap
    }

    /// The window's first `count` bytes are gone.
    pub(crate) fn shift(&mut self, count: usize) {
        self.at -= count;
        self.base += count as u64;
        self.start = self.start.wrapping_sub(count as u64);
        self.end = self.end.wrapping_sub(count as u64);
    }

    /// Takes over from a fast path that has come to `at` and `state`.
    pub(crate) fn resume_at(&mut self, at: usize, depth: u64, state: State) {
        if at != self.at {
            self.token_start();
            self.at = at;
        }
        self.depth = depth;
        self.state = state;
    }

    /// Goes on with the property that begins here, whose values a fast path has read so far.
    pub(crate) fn go_on_in_property(&mut self, unsettled: Unsettled) {
        let Unsettled { ident_len, values, value, look, multibyte } = unsettled;
        self.progress = Progress { phase: Phase::InValue, look, ident_len, value, end: 0, values, multibyte };
    }

    /// A fast path took the `(` of a game.
    pub(crate) fn begin_game(&mut self) {
        self.game += 1;
    }

    /// True if no parenthesis was dropped or supplied that is still open.
    pub(crate) fn has_no_repairs(&self) -> bool {
        self.repairs.is_empty()
    }

    /// The first window begins at this byte of the input, after so many games.
    pub(crate) fn start_at(&mut self, base: u64, games: u64) {
        self.base = base;
        self.game = games;
    }

    /// At the start of a game: a new machine that starts at its `(` reads on as this one does. The fields that outlive
    /// a game are in this list; the others are reset with each game.
    pub(crate) fn is_independent(&self) -> bool {
        self.repairs.is_empty()
            && !self.bom
            && !self.has_multibyte_bracket
            && !self.parts.multibyte
            && self.nul.is_none()
    }

    /// Bytes wait to be given as a gap.
    pub(crate) fn has_gap(&self) -> bool {
        self.gap > 0
    }

    /// The first byte of the window is this one of the input.
    #[inline]
    pub(crate) fn base(&self) -> u64 {
        self.base
    }

    pub(crate) fn property_limit(&self) -> usize {
        self.limits.property
    }

    pub(crate) fn game_limit(&self) -> usize {
        self.limits.game
    }

    /// Gives properties of up to `bytes` bytes whole, and returns the limit that it took.
    pub(crate) fn limit_property(&mut self, bytes: usize) -> usize {
        self.limits.property = bytes.clamp(16, 1 << 30);
        self.limits.property
    }

    /// The next token of `window`, which begins where the last
    /// [`shift`](Self::shift) left off. `last`: no bytes come after these.
    pub(crate) fn step(&mut self, window: &[u8], last: bool) -> Step {
        if let Some(Held { token, state }) = self.held.take() {
            self.state = state;
            if let Some((token, start, end)) = token {
                if token != Token::Problem {
                    self.gap = 0;
                }
                return self.give(token, start, end);
            }
        }
        let uncovered = self.at - self.gap;
        let step = loop {
            if let Some(step) = self.advance(window, last) {
                break step;
            }
        };
        if step == Step::More {
            // Half a construct was seen: the fast path must not start afresh.
            self.hold(None);
        }
        if self.gaps {
            return self.with_gap(step, uncovered);
        }
        step
    }

    /// Stops the fast path; `token`, if any, is given next.
    fn hold(&mut self, token: Option<(Token, u64, u64)>) {
        self.held = Some(Held { token, state: self.state });
        self.state = State::Held;
    }

    /// Gives the bytes before the step that no token has covered, as a gap.
    fn with_gap(&mut self, step: Step, uncovered: usize) -> Step {
        let covered_to = match step {
            // A problem has no bytes: they come in gaps, up to its end.
            Step::Token(Token::Problem) => {
                (self.problem.span.end.saturating_sub(self.base) as usize).clamp(uncovered, self.at)
            }
            Step::Token(_) => self.start as usize,
            Step::More | Step::End => self.at,
        };
        self.gap = self.at - covered_to;
        if covered_to > uncovered {
            if let Step::Token(token) = step {
                self.hold(Some((token, self.start, self.end)));
            }
            return self.give(Token::Gap, uncovered as u64, covered_to as u64);
        }
        if step != Step::Token(Token::Problem) {
            self.gap = 0;
        }
        step
    }

    /// Gives a token of these bytes of the window, and remembers its depth.
    fn give(&mut self, token: Token, start: u64, end: u64) -> Step {
        (self.start, self.end) = (start, end);
        self.token_depth = self.open() + u64::from(matches!(token, Token::VariationEnd { .. }));
        Step::Token(token)
    }

    /// Gives the token from `start` up to here.
    fn token(&mut self, token: Token, start: usize) -> Step {
        self.give(token, start as u64, self.at as u64)
    }

    /// Stops the fast path: the caller has something to give before the next token.
    pub(crate) fn hold_back(&mut self) {
        if self.held.is_none() && self.state != State::Done {
            self.hold(None);
        }
    }

    /// Nothing comes before the next token any more: the fast path may go on.
    pub(crate) fn let_go(&mut self) {
        if let Some(Held { token: None, state }) = self.held {
            self.held = None;
            self.state = state;
        }
    }

    /// Gives a problem.
    pub(crate) fn report(&mut self, problem: Problem) -> Step {
        self.problem = problem;
        self.give(Token::Problem, problem.span.start.wrapping_sub(self.base), problem.span.end.wrapping_sub(self.base))
    }

    /// The last property is in the first node of a game.
    pub(crate) fn is_in_root(&self) -> bool {
        self.state == State::Root || (self.state == State::Unclosed && self.parts.back_to == Some(State::Root))
    }

    /// The last part is in the first node of a game.
    pub(crate) fn is_in_root_parts(&self) -> bool {
        self.parts.back_to == Some(State::Root)
    }

    /// Where the oldest construct begins that has no token yet.
    pub(crate) fn pending_from(&self) -> u64 {
        let begun = [self.text.map(|text| text.start), self.nul, self.parts.drop.map(|(_, start)| start)];
        begun.into_iter().flatten().min().unwrap_or(u64::MAX).min(self.offset())
    }

    /// Reads the next construct. `None`: it gives no token, read on.
    fn advance(&mut self, window: &[u8], last: bool) -> Option<Step> {
        match self.state {
            State::Node | State::Root | State::AfterChild | State::AfterOpen => self.in_game(window, last),
            State::Outside => self.outside(window, last),
            State::PartValue => self.part_value(window, last),
            State::PartGap => self.part_gap(window, last),
            State::LongIdentifier => self.long_identifier(window, last),
            State::SupplyVariation => {
                if self.depth == 0 {
                    self.game += 1;
                } else {
                    self.repairs.supply(self.depth + 1);
                }
                self.depth += 1;
                let node_is_written = window.get(self.at) == Some(&b';');
                self.state = if node_is_written { State::AfterOpen } else { State::SupplyNode };
                Some(self.token(Token::VariationStart { supplied: true }, self.at))
            }
            State::SupplyNode => Some(self.node_start(true)),
            State::Unclosed => {
                self.state = self.parts.back_to.take().expect("set when the value was given");
                Some(self.missing(Code::UnclosedValue))
            }
            State::CloseGame => {
                self.state = State::Closing;
                Some(self.missing(Code::UnclosedGame))
            }
            State::Closing => {
                if self.depth == 0 {
                    self.state = State::Outside;
                    return None;
                }
                self.depth -= 1;
                self.repairs.forget_below(self.depth);
                Some(self.token(Token::VariationEnd { supplied: true }, self.at))
            }
            State::Held | State::Done => Some(Step::End),
        }
    }
}
