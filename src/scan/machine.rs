//! The state machine: from a window of bytes to tokens. It holds no bytes and
//! reads none; a window that ends too early is answered with [`Step::More`],
//! and the caller comes back with the same bytes and more behind them.
//!
//! What it does with faulty input is written down in `src/docs/leniency.md`,
//! row by row; the tests hold it to a naive twin made from that page.

use crate::base::{Code, Limits, Problem, Span};

use super::class::{has_capital_or_digit, is_blank, is_identifier};
use super::framing::{CutAt, Framing, ValueEnd, piece_end, value_end};
use super::look::{Look, look_after_parenthesis, look_at_headless, look_at_restart, restart_in_value};
use super::repairs::Repairs;
use super::token::{Found, Mark, Piece, Token};

/// What a step gave.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    Token(Token),
    /// The window ends too early: keep what stands from [`Machine::keep_from`]
    /// on, put more behind it, and come back.
    More,
    /// The input is read.
    End,
}

/// Where the machine stands.
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
    /// `unclosed-value` is to be said.
    Unclosed,
    /// `unclosed-game` is to be said.
    CloseGame,
    /// Open variations are to be ended.
    Closing,
    /// In a value of a property that is given in parts or dropped.
    PartValue,
    /// Behind such a value, or behind a dropped identifier.
    PartGap,
    /// In an identifier that is too long.
    LongIdentifier,
    /// A token waits behind a gap, or the caller has something to say first.
    Held,
    /// At the end of input.
    Done,
}

/// How far the look at an unfinished construct has come; offsets from
/// `Machine::at`. Cutting the input anywhere costs no second look.
#[derive(Clone, Copy, Debug, Default)]
struct Progress {
    phase: Phase,
    look: usize,
    ident_len: usize,
    value: usize,
    end: usize,
    values: u32,
    glued: bool,
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
    glued: bool,
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

#[derive(Clone, Debug)]
pub(crate) struct Machine {
    pub(crate) state: State,
    /// The next byte to read, in the window.
    pub(crate) at: usize,
    /// The last token's first byte and the one past its last, from the
    /// window's start; what lies before the window wraps.
    start: u64,
    end: u64,
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
    /// A byte order mark of UTF-8 stands before the next or current game.
    pub(crate) bom: bool,
    end_said: bool,
    /// A `]` or `\` was read as part of a character in the property just given.
    pub(crate) glued: bool,
    held: Option<(Option<Token>, State)>,
    repairs: Repairs,
    limits: Limits,
}

impl Machine {
    pub(crate) fn new(limits: Limits, framing: Framing, gaps: bool) -> Self {
        let limits = Limits {
            property: limits.property.clamp(16, 1 << 30),
            identifier: limits.identifier.clamp(1, 1 << 20),
            lookahead: limits.lookahead.clamp(64, 1 << 20),
            ..limits
        };
        Self {
            state: State::Outside,
            at: 0,
            start: 0,
            end: 0,
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
            bom: false,
            end_said: false,
            glued: false,
            held: None,
            repairs: Repairs::new(limits.repairs),
            limits,
        }
    }

    /// Open variations, counting that of the last token.
    pub(crate) fn depth(&self) -> u64 {
        self.token_depth
    }

    /// Open variations after the last token.
    pub(crate) fn open(&self) -> u64 {
        self.depth
    }

    /// Games begun.
    pub(crate) fn game(&self) -> u64 {
        self.game
    }

    /// The bytes of the last token in the input.
    pub(crate) fn span(&self) -> Span {
        Span::new(self.base.wrapping_add(self.start), self.base.wrapping_add(self.end))
    }

    /// The same, from the window's start; what lies before the window wraps.
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
    pub(crate) fn go_on_from(&mut self, at: usize, depth: u64, state: State) {
        if at != self.at {
            self.token_start();
            self.at = at;
        }
        self.depth = depth;
        self.state = state;
    }

    /// True if a `(` or `)` needs no look at what was dropped or supplied.
    pub(crate) fn has_no_repairs(&self) -> bool {
        self.repairs.is_empty()
    }

    /// Bytes wait to be given as a gap.
    pub(crate) fn has_gap(&self) -> bool {
        self.gap > 0
    }

    /// The first window begins at this byte of the input.
    pub(crate) fn start_at(&mut self, base: u64) {
        self.base = base;
    }

    /// At the start of a game: a new machine that starts at its `(` goes on as
    /// this one does. What outlives a game is in this list; the rest begins
    /// afresh with the game.
    pub(crate) fn is_independent(&self) -> bool {
        self.repairs.is_empty() && !self.bom && !self.glued && !self.parts.glued && self.nul.is_none()
    }

    /// The first byte of the window is this one of the input.
    pub(crate) fn base(&self) -> u64 {
        self.base
    }

    pub(crate) fn property_limit(&self) -> usize {
        self.limits.property
    }

    /// The next token of `window`, which begins where the last
    /// [`shift`](Self::shift) said. `last`: no bytes come after these.
    pub(crate) fn step(&mut self, window: &[u8], last: bool) -> Step {
        if let Some((token, state)) = self.held.take() {
            self.state = state;
            if let Some(token) = token {
                if !matches!(token, Token::Problem(_)) {
                    self.gap = 0;
                }
                self.note_token(&token);
                return Step::Token(token);
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
        if let Step::Token(token) = &step {
            self.note_token(token);
        }
        step
    }

    /// Stops the fast path; `token`, if any, is given next.
    fn hold(&mut self, token: Option<Token>) {
        self.held = Some((token, self.state));
        self.state = State::Held;
    }

    /// Puts the bytes that no token has covered before the step, as a gap.
    fn with_gap(&mut self, step: Step, uncovered: usize) -> Step {
        let covered_to = match &step {
            Step::Token(Token::VariationStart(mark) | Token::NodeStart(mark) | Token::VariationEnd(mark)) => mark.start,
            Step::Token(Token::Property(found)) => found.start,
            Step::Token(Token::Part(piece)) => piece.start,
            // A problem has no bytes: they come in gaps, up to its end.
            Step::Token(Token::Problem(problem)) => {
                (problem.span.end.saturating_sub(self.base) as usize).clamp(uncovered, self.at)
            }
            Step::Token(Token::Gap { .. }) | Step::More | Step::End => self.at,
        };
        self.gap = self.at - covered_to;
        if covered_to > uncovered {
            let gap = Token::Gap { start: uncovered, end: covered_to };
            if let Step::Token(token) = step {
                self.hold(Some(token));
            }
            self.note_token(&gap);
            return Step::Token(gap);
        }
        if !matches!(step, Step::Token(Token::Problem(_))) {
            self.gap = 0;
        }
        if let Step::Token(token) = &step {
            self.note_token(token);
        }
        step
    }

    /// Remembers span and depth of the token that is given now.
    fn note_token(&mut self, token: &Token) {
        let (start, end) = match *token {
            Token::VariationStart(mark) | Token::NodeStart(mark) | Token::VariationEnd(mark) => {
                (mark.start as u64, mark.end() as u64)
            }
            Token::Property(found) => (found.start as u64, found.end as u64),
            Token::Part(piece) => (piece.start as u64, piece.end as u64),
            Token::Gap { start, end } => (start as u64, end as u64),
            Token::Problem(problem) => {
                (problem.span.start.wrapping_sub(self.base), problem.span.end.wrapping_sub(self.base))
            }
        };
        self.start = start;
        self.end = end;
        self.token_depth = self.depth + u64::from(matches!(token, Token::VariationEnd(_)));
    }

    /// Puts `token`, which was just given, back: it is given again next.
    pub(crate) fn put_back(&mut self, token: Token) {
        self.hold(Some(token));
    }

    /// Stops the fast path: the caller wants to be asked before the next token.
    pub(crate) fn hold_back(&mut self) {
        if self.held.is_none() && self.state != State::Done {
            self.hold(None);
        }
    }

    /// A problem that the caller found; it stands behind the token just given.
    pub(crate) fn say(&mut self, problem: Problem) -> Token {
        let token = Token::Problem(problem);
        self.note_token(&token);
        token
    }

    /// The property just given stands in the first node of a game.
    pub(crate) fn is_in_root(&self) -> bool {
        self.state == State::Root || (self.state == State::Unclosed && self.parts.back_to == Some(State::Root))
    }

    pub(crate) fn is_done(&self) -> bool {
        self.state == State::Done
    }

    /// The part just given belongs to a property of the first node of a game.
    pub(crate) fn is_in_root_parts(&self) -> bool {
        self.parts.back_to == Some(State::Root)
    }

    /// Where the oldest thing begins that no token has told of yet.
    pub(crate) fn pending_from(&self) -> u64 {
        let begun = [self.text.map(|text| text.start), self.nul, self.parts.drop.map(|(_, start)| start)];
        begun.into_iter().flatten().min().unwrap_or(u64::MAX).min(self.offset())
    }

    /// One look at the next byte. `None`: something was passed over; again.
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
                Some(Step::Token(Token::VariationStart(Mark { start: self.at, supplied: true })))
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
                Some(Step::Token(Token::VariationEnd(Mark { start: self.at, supplied: true })))
            }
            State::Held | State::Done => Some(Step::End),
        }
    }

    // ---- between games ----------------------------------------------------

    fn outside(&mut self, window: &[u8], last: bool) -> Option<Step> {
        let Some(&byte) = window.get(self.at) else {
            return self.end_of_window(last, Self::end_outside);
        };
        if is_blank(byte) {
            // NULs between games are no more than blanks.
            self.at += usize::from(byte == 0);
            self.skip_blanks(window);
            return None;
        }
        if byte == 0xEF {
            let rest = &window[self.at..];
            if rest.len() < 3 && !last && b"\xEF\xBB\xBF".starts_with(rest) {
                return Some(Step::More);
            }
            if rest.starts_with(b"\xEF\xBB\xBF") {
                self.at += 3;
                self.bom = true;
                return None;
            }
        }
        if self.offset() == 0 && byte >= 0xFE {
            let Some(&second) = window.get(self.at + 1) else {
                return if last { self.take_text_byte(byte) } else { Some(Step::More) };
            };
            if byte ^ second == 1 {
                self.at += 2;
                return Some(self.problem(Code::WideEncoding, 0, 2));
            }
        }
        match byte {
            b'(' => match look_after_parenthesis(&window[self.at..], last, &self.limits, &mut self.progress.look) {
                Look::More => Some(Step::More),
                Look::Node | Look::Property => Some(self.take_text().unwrap_or_else(|| {
                    self.game += 1;
                    self.variation_start()
                })),
                Look::Parenthesis => Some(self.take_text().unwrap_or_else(|| self.drop_parenthesis())),
                Look::End(at) if self.text.is_none() => Some(self.empty_variation(at)),
                Look::End(_) | Look::Blank | Look::Other => self.take_text_byte(byte),
            },
            b';' if self.line_start => match look_at_headless(&window[self.at..], last, &self.limits) {
                None => Some(Step::More),
                Some(true) => Some(self.take_text().unwrap_or_else(|| {
                    self.state = State::SupplyVariation;
                    self.token_start();
                    self.missing(Code::MissingParenthesis)
                })),
                Some(false) => self.take_text_byte(byte),
            },
            b')' if self.text.is_none() && self.repairs.is_dropped(0) => {
                self.drop_end();
                None
            }
            b')' if self.text.is_none() => {
                self.token_start();
                self.at += 1;
                let end = self.offset();
                Some(self.problem(Code::StrayParenthesis, end - 1, end))
            }
            byte => self.take_text_byte(byte),
        }
    }

    fn end_outside(&mut self) -> Step {
        if let Some(problem) = self.take_text() {
            return problem;
        }
        if self.game == 0 && !self.end_said {
            self.end_said = true;
            return self.missing(Code::NoGame);
        }
        self.state = State::Done;
        Step::End
    }

    // ---- in a game ----------------------------------------------------------

    fn in_game(&mut self, window: &[u8], last: bool) -> Option<Step> {
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
            b']' => Some(self.take_text().unwrap_or_else(|| {
                self.token_start();
                self.at += 1;
                let end = self.offset();
                self.problem(Code::StrayBracket, end - 1, end)
            })),
            byte if is_identifier(byte) => self.property(window, last),
            byte => self.take_text_byte(byte),
        }
    }

    fn end_in_game(&mut self) -> Step {
        if let Some(problem) = self.take_text().or_else(|| self.take_nul()) {
            return problem;
        }
        if self.state == State::AfterOpen {
            return self.supply_node();
        }
        self.state = State::Closing;
        self.missing(Code::UnclosedGame)
    }

    // Tree = "(" Sequence { Tree } ")"      (FF[4], EBNF)
    fn parenthesis(&mut self, window: &[u8], last: bool) -> Option<Step> {
        let rest = &window[self.at..];
        // The common case, by three bytes; `FF` and `GM` could start another game.
        if let [_, b';', third, ..] = rest
            && !is_blank(*third)
            && !matches!(third, b'F' | b'G')
            && self.text.is_none()
            && self.state != State::AfterOpen
        {
            return Some(self.variation_start());
        }
        let look = look_after_parenthesis(rest, last, &self.limits, &mut self.progress.look);
        if look == Look::More {
            return Some(Step::More);
        }
        if let Some(problem) = self.take_text() {
            return Some(problem);
        }
        if look == Look::Node && self.line_start {
            match look_at_restart(rest, last, &self.limits) {
                None => return Some(Step::More),
                Some(true) if self.state == State::AfterOpen => return Some(self.supply_node()),
                Some(true) => {
                    self.state = State::CloseGame;
                    return None;
                }
                Some(false) => {}
            }
        }
        match look {
            Look::Node | Look::Property | Look::Blank if self.state == State::AfterOpen => Some(self.supply_node()),
            Look::Node | Look::Property | Look::Blank => Some(self.variation_start()),
            Look::End(at) => Some(self.empty_variation(at)),
            _ => Some(self.drop_parenthesis()),
        }
    }

    fn variation_start(&mut self) -> Step {
        self.token_start();
        let start = self.at;
        self.at += 1;
        self.depth += 1;
        self.state = State::AfterOpen;
        Step::Token(Token::VariationStart(Mark { start, supplied: false }))
    }

    fn drop_parenthesis(&mut self) -> Step {
        self.token_start();
        self.repairs.drop(self.depth);
        self.at += 1;
        let end = self.offset();
        self.problem(Code::VariationWithoutNode, end - 1, end)
    }

    /// `( )`, with the `)` at `at` from here.
    fn empty_variation(&mut self, at: usize) -> Step {
        self.token_start();
        let start = self.offset();
        self.at += at + 1;
        self.problem(Code::EmptyVariation, start, start + at as u64 + 1)
    }

    fn close_parenthesis(&mut self) -> Option<Step> {
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
        self.state = if self.depth == 0 { State::Outside } else { State::AfterChild };
        Some(Step::Token(Token::VariationEnd(Mark { start, supplied })))
    }

    /// The `)` of a `(` that was dropped.
    fn drop_end(&mut self) {
        self.repairs.close_dropped();
        self.token_start();
        self.at += 1;
    }

    fn node_start(&mut self, supplied: bool) -> Step {
        let start = self.at;
        if !supplied {
            self.token_start();
            self.at += 1;
        }
        let root = self.depth == 1 && matches!(self.state, State::AfterOpen | State::SupplyNode);
        self.state = if root { State::Root } else { State::Node };
        Step::Token(Token::NodeStart(Mark { start, supplied }))
    }

    /// Says that a node or property stands behind a closed variation; a
    /// variation around it is supplied next.
    fn supply_variation(&mut self) -> Step {
        self.state = State::SupplyVariation;
        self.missing(Code::NodeAfterVariation)
    }

    /// Says that a variation lacks its node; one is supplied next.
    fn supply_node(&mut self) -> Step {
        self.state = State::SupplyNode;
        self.missing(if self.depth == 1 { Code::MissingRootSemicolon } else { Code::MissingSemicolon })
    }

    // Property = PropIdent PropValue { PropValue }      (FF[4], EBNF)
    fn property(&mut self, window: &[u8], last: bool) -> Option<Step> {
        let rest = &window[self.at..];
        if self.progress.phase == Phase::Identifier {
            let look = self.progress.look;
            let len = look + rest[look..].iter().take_while(|&&byte| is_identifier(byte)).count();
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
            let blanks = rest[look..end].iter().take_while(|&&byte| is_blank(byte)).count();
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
                let code = if at_end { Code::UnclosedIdentifier } else { Code::IdentifierWithoutValue };
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

    /// The values of a property whose identifier and first `[` are settled.
    fn property_values(&mut self, window: &[u8], last: bool) -> Option<Step> {
        let rest = &window[self.at..];
        let limit = self.limits.property.max(self.progress.ident_len + 2);
        let full = rest.len() >= limit;
        let view = &rest[..rest.len().min(limit)];
        let view_is_last = last && !full;
        loop {
            if self.progress.phase == Phase::InValue {
                let value = self.progress.value;
                match value_end(view, value.min(view.len()), self.progress.look, view_is_last, self.framing) {
                    ValueEnd::Found { at, glued } => {
                        self.progress.glued |= glued;
                        if let Some(paren) = restart_in_value(&view[value..at], &self.limits) {
                            return Some(self.unclosed_property(value + paren));
                        }
                        self.progress.values += 1;
                        self.progress.look = at + 1;
                        self.progress.end = at + 1;
                        self.progress.phase = Phase::AfterValue;
                    }
                    ValueEnd::Missing { resume, glued } => {
                        self.progress.glued |= glued;
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
            let next = look + view[look..].iter().take_while(|&&byte| is_blank(byte)).count();
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
                    let simple = self.progress.values == 1 && self.progress.value == self.progress.ident_len + 1;
                    return Some(self.property_token(self.progress.end, simple));
                }
            }
        }
    }

    /// The property that lacks its last `]` and ends `len` bytes from here:
    /// at the end of input, or where another game starts.
    fn unclosed_property(&mut self, len: usize) -> Step {
        let step = self.property_token(len, false);
        self.parts.back_to = Some(self.state);
        self.state = State::Unclosed;
        self.line_start = true;
        step
    }

    /// The property that ends `len` bytes from here.
    fn property_token(&mut self, len: usize, simple: bool) -> Step {
        let start = self.at;
        let ident_len = self.progress.ident_len as u32;
        self.glued = self.progress.glued;
        self.token_start();
        self.at = start + len;
        Step::Token(Token::Property(Found { start, end: self.at, ident_len, simple }))
    }

    // ---- long properties, and properties that belong to nothing -----------

    /// The property does not fit: from its start again, piece by piece.
    fn begin_parts(&mut self, window: &[u8]) -> Option<Step> {
        let ident_len = self.progress.ident_len;
        let rest = &window[self.at + ident_len..];
        let blanks = rest.iter().take_while(|&&byte| is_blank(byte)).count();
        let content = ident_len + blanks + 1;
        self.parts = Parts { first: true, content, look: content, back_to: Some(self.state), ..Parts::default() };
        self.token_start();
        self.state = State::PartValue;
        None
    }

    /// From here on a property or value belongs to nothing. `content`: how far
    /// the content of its first value is from here; 0 if no `[` was seen yet.
    fn begin_drop(&mut self, code: Code, start: u64, content: usize) {
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

    fn part_value(&mut self, window: &[u8], last: bool) -> Option<Step> {
        let rest = &window[self.at..];
        let content = self.parts.content;
        let limit = content + self.limits.property;
        // Enough bytes behind the limit that a look ahead never decides
        // differently when more of them are there.
        let enough = limit + 80;
        let full = rest.len() >= enough;
        let view = &rest[..rest.len().min(enough)];
        let found = value_end(view, content, self.parts.look, last && !full, self.framing);
        let (end, closed) = match found {
            ValueEnd::Found { at, glued } => {
                self.parts.glued |= glued;
                (at, true)
            }
            ValueEnd::Missing { resume, glued } => {
                self.parts.glued |= glued;
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
            self.line_start = true;
            return step;
        }
        if closed {
            return self.part_token(end + 1, true, true);
        }
        self.part_token(end, true, false)
    }

    /// A piece of `len` bytes from here.
    fn part_token(&mut self, len: usize, last: bool, closed: bool) -> Option<Step> {
        let start = self.at;
        let Parts { content, value, first, drop, .. } = self.parts;
        self.token_start();
        self.at += len;
        self.parts.end = self.offset();
        self.parts.first = last;
        self.parts.content = 0;
        self.parts.look = 0;
        if last {
            self.parts.value += 1;
            self.glued = std::mem::take(&mut self.parts.glued);
            self.state = if closed { State::PartGap } else { State::Unclosed };
        }
        if let Some((code, from)) = drop {
            if last && !closed {
                return Some(self.problem(code, from, self.parts.end));
            }
            return None;
        }
        let content = content as u32;
        Some(Step::Token(Token::Part(Piece { start, end: self.at, content, value, first, last, closed })))
    }

    fn part_gap(&mut self, window: &[u8], last: bool) -> Option<Step> {
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

    fn long_identifier(&mut self, window: &[u8], last: bool) -> Option<Step> {
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

    // ---- pieces of the above --------------------------------------------------

    /// The byte here begins a token: nothing of the look at it stays.
    fn token_start(&mut self) {
        self.line_start = false;
        self.progress = Progress::default();
    }

    /// Over the blanks that begin here, up to a NUL.
    fn skip_blanks(&mut self, window: &[u8]) {
        let rest = &window[self.at..];
        let len = rest.iter().take_while(|&&byte| is_blank(byte) && byte != 0).count();
        self.line_start |= rest[..len].iter().any(|byte| matches!(byte, b'\r' | b'\n'));
        self.at += len;
    }

    /// Over a NUL in a game. In a run of text it is text.
    fn skip_nul(&mut self) {
        if self.text.is_some() {
            return self.add_text(self.offset(), 1);
        }
        self.nul.get_or_insert(self.base + self.at as u64);
        self.at += 1;
    }

    /// The NULs just passed, if they end here.
    fn take_nul(&mut self) -> Option<Step> {
        let start = self.nul.take()?;
        Some(self.problem(Code::NulByte, start, self.offset()))
    }

    fn take_text_byte(&mut self, byte: u8) -> Option<Step> {
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

    fn add_text(&mut self, start: u64, len: usize) {
        let end = start + len as u64;
        self.text.get_or_insert(Text { start, end, value: 0, has_value: false }).end = end;
        self.token_start();
        self.at += len;
    }

    /// The text that was passed over, as a problem, if there was any.
    fn take_text(&mut self) -> Option<Step> {
        let text = self.text.take()?;
        let code = match (self.depth, self.game) {
            (0, 0) if text.has_value => Code::ValueBeforeGame,
            (0, 0) => Code::TextBeforeGame,
            (0, _) => Code::TextAfterGame,
            _ => Code::UnexpectedText,
        };
        Some(self.problem(code, text.start, text.end))
    }

    fn end_of_window(&mut self, last: bool, end: fn(&mut Self) -> Step) -> Option<Step> {
        Some(if last { end(self) } else { Step::More })
    }

    /// Something is missing here.
    fn missing(&self, code: Code) -> Step {
        self.problem(code, self.offset(), self.offset())
    }

    fn problem(&self, code: Code, start: u64, end: u64) -> Step {
        Step::Token(Token::Problem(Problem::new(code, Span::new(start, end))))
    }
}
