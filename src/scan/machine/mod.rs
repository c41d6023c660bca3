//! State machine that reads a window of bytes as tokens. It stores no bytes and does no I/O. If a
//! window ends too early, it returns [`Step::More`], and the caller calls it again with the same
//! bytes and more.
//!
//! `docs/spec/reader.md` lists its treatment of faulty input, row by row. The tests compare it with
//! a naive reader that was written from that page.

mod inside;
mod outside;
mod parts;
mod property;
mod text;

use crate::base::{Code, Limits, Problem, Span};

use super::fast::PropertyProgress;
use super::framing::Framing;
use super::repairs::Repairs;
use super::token::{Token, ValuePiece};

/// Bytes of a game without its `)` from which on it is noted. It may hide games.
const LONG_UNCLOSED: u64 = 64 << 10;

/// Result of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    Token(Token),
    /// The window ends too early: keep the bytes from [`Machine::keep_from`] on, append more, and
    /// call again.
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
///    |                    +------ `(` ------+ +--- inserted ---+  |
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
    /// A child variation was closed: only `(` and `)` are allowed next.
    AfterChild,
    /// A `VariationStart` is to be inserted.
    SupplyVariation,
    /// A `NodeStart` is to be inserted.
    SupplyNode,
    /// `unclosed-value` is to be reported.
    Unclosed,
    /// `unclosed-game` is to be reported.
    CloseGame,
    /// Open variations are to be ended.
    Closing,
    /// In a value of a property that is returned in parts or dropped.
    PartValue,
    /// After such a value, or after a dropped identifier.
    PartGap,
    /// In an identifier that is too long.
    LongIdentifier,
    /// A gap comes before the next token, or the caller must report problems first.
    Held,
    /// At the end of input.
    Done,
}

/// Progress of the search in an unfinished construct, as offsets from `Machine::at`, so that no
/// byte is searched twice, wherever the input is cut.
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

/// State of a property that is returned in parts, or dropped with a problem.
#[derive(Clone, Copy, Debug, Default)]
struct Parts {
    /// The problem that covers the dropped bytes, and where they begin.
    drop: Option<(Code, u64)>,
    /// One past the last byte that belongs to the property.
    end: u64,
    value: u64,
    first: bool,
    /// Offset of the content of the piece from `at`.
    content: usize,
    look: usize,
    multibyte: bool,
    back_to: Option<State>,
}

/// Stray text: a run of bytes that are neither property, node nor parenthesis.
#[derive(Clone, Copy, Debug)]
struct Text {
    start: u64,
    end: u64,
    /// Number of bytes of `[xy]` seen so far. `has_value` is set once all of them were seen
    /// (SGFC 6).
    value: u8,
    has_value: bool,
}

/// Token that waits in [`State::Held`].
#[derive(Clone, Copy, Debug)]
struct HeldToken {
    /// The next token, with its bytes in the window.
    token: Option<(Token, Span)>,
    /// The state after it.
    state: State,
}

#[derive(Clone, Debug)]
pub(crate) struct Machine {
    pub(crate) state: State,
    /// Index in the window of the next byte to read.
    pub(crate) at: usize,
    /// First byte of the last token and the one past its last, from the start of the window. Places
    /// before the window wrap.
    start: u64,
    end: u64,
    /// Details of the last token, if it is a part (`piece`) or a problem (`problem`).
    pub(crate) piece: ValuePiece,
    pub(crate) problem: Problem,
    pub(crate) framing: Framing,
    gaps: bool,
    /// Number of bytes before `at` that no token covers yet, if `gaps` is set.
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
    /// Whether only blanks came since the last line break or the start of input.
    line_start: bool,
    /// Where the last value without its `]` ended; a `(` there begins another game.
    lost_bracket: u64,
    /// Offset of the `(` of the current game.
    game_start: u64,
    /// Numbers and bytes of long games without their `)`.
    unclosed_games: Vec<(u64, u64)>,
    /// Number of the last game that has a variation that looks like a game.
    tree_of_games: u64,
    /// Whether a byte order mark of UTF-8 comes before the next or current game.
    pub(crate) bom: bool,
    no_game_reported: bool,
    /// Whether a `]` or `\` was read as part of a character in the last property.
    pub(crate) has_multibyte_bracket: bool,
    held: Option<HeldToken>,
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
            piece: ValuePiece::default(),
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
            game_start: 0,
            unclosed_games: Vec::new(),
            tree_of_games: u64::MAX,
            bom: false,
            no_game_reported: false,
            has_multibyte_bracket: false,
            held: None,
            repairs: Repairs::new(limits.repairs),
            limits,
        }
    }

    /// Returns the number of open variations, counting the variation of the last token.
    #[expect(
        clippy::misnamed_getters,
        reason = "the field counts those after the token, see `open`"
    )]
    pub(crate) fn depth(&self) -> u64 {
        self.token_depth
    }

    /// Returns the number of open variations after the last token.
    pub(crate) fn open(&self) -> u64 {
        match self.held_token() {
            // Undo the token, because it follows a gap and was not returned yet.
            Some(Token::VariationStart { .. }) => self.depth - 1,
            Some(Token::VariationEnd { .. }) => self.depth + 1,
            _ => self.depth,
        }
    }

    /// Returns the number of games begun.
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

    /// Returns the place of the last token in the input.
    pub(crate) fn span(&self) -> Span {
        Span::new(
            self.base.wrapping_add(self.start),
            self.base.wrapping_add(self.end),
        )
    }

    /// Returns the place of the last token from the start of the window; a place before the window
    /// wraps.
    pub(crate) fn span_in_window(&self) -> (u64, u64) {
        (self.start, self.end)
    }

    /// Returns the offset in the input of the next byte to read.
    pub(crate) fn offset(&self) -> u64 {
        self.base + self.at as u64
    }

    /// Returns the index in the window of the first byte that is still needed.
    pub(crate) fn keep_from(&self) -> usize {
        self.at - self.gap
    }

    /// Records that the first `count` bytes of the window were removed.
    pub(crate) fn shift(&mut self, count: usize) {
        self.at -= count;
        self.base += count as u64;
        self.start = self.start.wrapping_sub(count as u64);
        self.end = self.end.wrapping_sub(count as u64);
    }

    /// Takes over from a fast path that has reached `at` and `state`.
    pub(crate) fn resume_at(&mut self, at: usize, depth: u64, state: State) {
        if at != self.at {
            self.token_start();
            self.at = at;
        }
        self.depth = depth;
        self.state = state;
    }

    /// Continues the property that begins here, of which a fast path has read some values.
    pub(crate) fn go_on_in_property(&mut self, unsettled: PropertyProgress) {
        let PropertyProgress {
            ident_len,
            values,
            value,
            look,
            multibyte,
        } = unsettled;
        self.progress = Progress {
            phase: Phase::InValue,
            look,
            ident_len,
            value,
            end: 0,
            values,
            multibyte,
        };
    }

    /// Counts a game whose `(` is at this offset of the input.
    pub(crate) fn begin_game(&mut self, start: u64) {
        self.game += 1;
        self.game_start = start;
    }

    /// Returns the long games without their `)` since the last call: their numbers and bytes.
    pub(crate) fn take_unclosed_games(&mut self) -> Vec<(u64, u64)> {
        std::mem::take(&mut self.unclosed_games)
    }

    /// Reports that the game is not closed, here. A long one is noted, because it may hide games,
    /// and is noted even if it is skipped.
    pub(super) fn missing_end(&mut self) -> Step {
        let bytes = self.offset() - self.game_start;
        if bytes > LONG_UNCLOSED {
            self.unclosed_games.push((self.game, bytes));
        }
        self.missing(Code::UnclosedGame)
    }

    /// Returns whether no dropped or inserted parenthesis is still open.
    pub(crate) fn has_no_repairs(&self) -> bool {
        self.repairs.is_empty()
    }

    /// Sets where the first window begins in the input, and the number of games before it.
    pub(crate) fn start_at(&mut self, base: u64, games: u64) {
        self.base = base;
        self.game = games;
    }

    /// Returns whether, at the start of a game, a new machine that starts at its `(` would read the
    /// same tokens. This list has the fields that outlive a game; the other fields are reset with
    /// each game.
    pub(crate) fn is_independent(&self) -> bool {
        self.repairs.is_empty()
            && !self.bom
            && !self.has_multibyte_bracket
            && !self.parts.multibyte
            && self.nul.is_none()
    }

    /// Returns whether bytes wait to be returned as a gap.
    pub(crate) fn has_gap(&self) -> bool {
        self.gap > 0
    }

    /// Returns the offset in the input of the first byte of the window.
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

    /// Returns the smaller one of the limits of properties and identifiers, in bytes.
    pub(crate) fn least_limit(&self) -> usize {
        self.limits.property.min(self.limits.identifier)
    }

    /// Sets up to how many bytes a property is returned whole, and returns the limit after
    /// clamping.
    pub(crate) fn limit_property(&mut self, bytes: usize) -> usize {
        self.limits.property = bytes.clamp(16, 1 << 30);
        self.limits.property
    }

    /// Returns the next token of `window`, which begins where the last [`shift`](Self::shift) left
    /// off. `last` is set if no bytes come after these.
    pub(crate) fn step(&mut self, window: &[u8], last: bool) -> Step {
        if let Some(HeldToken { token, state }) = self.held.take() {
            self.state = state;
            if let Some((token, span)) = token {
                if token != Token::Problem {
                    self.gap = 0;
                }
                return self.give(token, span.start, span.end);
            }
        }
        let uncovered = self.at - self.gap;
        let step = loop {
            if let Some(step) = self.advance(window, last) {
                break step;
            }
        };
        if step == Step::More {
            // A part of a construct was read, so the fast path must not begin there.
            self.hold(None);
        }
        if self.gaps {
            return self.with_gap(step, uncovered);
        }
        step
    }

    /// Stops the fast path. The next step returns `token`, if there is one.
    fn hold(&mut self, token: Option<(Token, Span)>) {
        self.held = Some(HeldToken {
            token,
            state: self.state,
        });
        self.state = State::Held;
    }

    /// Returns a gap before the step if no token covers the bytes there, or else the step.
    fn with_gap(&mut self, step: Step, uncovered: usize) -> Step {
        let covered_to = match step {
            // A problem has no bytes of its own: gaps cover them, up to its end.
            Step::Token(Token::Problem) => {
                (self.problem.span.end.saturating_sub(self.base) as usize).clamp(uncovered, self.at)
            }
            Step::Token(_) => self.start as usize,
            Step::More | Step::End => self.at,
        };
        self.gap = self.at - covered_to;
        if covered_to > uncovered {
            if let Step::Token(token) = step {
                self.hold(Some((token, Span::new(self.start, self.end))));
            }
            return self.give(Token::Gap, uncovered as u64, covered_to as u64);
        }
        if step != Step::Token(Token::Problem) {
            self.gap = 0;
        }
        step
    }

    /// Returns a token with these bytes of the window, and records its depth.
    fn give(&mut self, token: Token, start: u64, end: u64) -> Step {
        (self.start, self.end) = (start, end);
        self.token_depth = self.open() + u64::from(matches!(token, Token::VariationEnd { .. }));
        Step::Token(token)
    }

    /// Returns the token from `start` up to the current byte.
    fn token(&mut self, token: Token, start: usize) -> Step {
        self.give(token, start as u64, self.at as u64)
    }

    /// Stops the fast path, because the caller must return something before the next token.
    pub(crate) fn hold_back(&mut self) {
        if self.held.is_none() && self.state != State::Done {
            self.hold(None);
        }
    }

    /// Lets the fast path continue, because nothing else comes before the next token.
    pub(crate) fn let_go(&mut self) {
        if let Some(HeldToken { token: None, state }) = self.held {
            self.held = None;
            self.state = state;
        }
    }

    /// Returns a problem.
    pub(crate) fn report(&mut self, problem: Problem) -> Step {
        self.problem = problem;
        self.give(
            Token::Problem,
            problem.span.start.wrapping_sub(self.base),
            problem.span.end.wrapping_sub(self.base),
        )
    }

    /// Returns whether the last property is in the first node of a game.
    pub(crate) fn is_in_root(&self) -> bool {
        self.state == State::Root
            || (self.state == State::Unclosed && self.parts.back_to == Some(State::Root))
    }

    /// Returns whether the last part is in the first node of a game.
    pub(crate) fn is_in_root_parts(&self) -> bool {
        self.parts.back_to == Some(State::Root)
    }

    /// Returns where the oldest construct without a token begins.
    pub(crate) fn pending_from(&self) -> u64 {
        let begun = [
            self.text.map(|text| text.start),
            self.nul,
            self.parts.drop.map(|(_, start)| start),
        ];
        begun
            .into_iter()
            .flatten()
            .min()
            .unwrap_or(u64::MAX)
            .min(self.offset())
    }

    /// Reads the next construct. Returns `None` if it has no token, and the caller reads on.
    fn advance(&mut self, window: &[u8], last: bool) -> Option<Step> {
        match self.state {
            State::Node | State::Root | State::AfterChild | State::AfterOpen => {
                self.in_game(window, last)
            }
            State::Outside => self.outside(window, last),
            State::PartValue => self.part_value(window, last),
            State::PartGap => self.part_gap(window, last),
            State::LongIdentifier => self.long_identifier(window, last),
            State::SupplyVariation => {
                if self.depth == 0 {
                    self.begin_game(self.offset());
                } else {
                    self.repairs.supply(self.depth + 1);
                }
                self.depth += 1;
                let node_is_written = window.get(self.at) == Some(&b';');
                self.state = if node_is_written {
                    State::AfterOpen
                } else {
                    State::SupplyNode
                };
                Some(self.token(Token::VariationStart { supplied: true }, self.at))
            }
            State::SupplyNode => Some(self.node_start(true)),
            State::Unclosed => {
                self.state = self
                    .parts
                    .back_to
                    .take()
                    .expect("set when the value was given");
                Some(self.missing(Code::UnclosedValue))
            }
            State::CloseGame => {
                self.state = State::Closing;
                Some(self.missing_end())
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
