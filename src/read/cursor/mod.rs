//! Hot loop that all readers share. It reads common input with a few locals, which a caller's loop
//! keeps in registers. The parser reads all other input, and all input that is not certain here.

use crate::base::{Charset, CharsetSource, Error, ErrorKind, Position, Result, Span};
use crate::event::{Event, Flow, Ident, Place, Property, Sink, Variation};
use crate::scan::{
    Extent, Framing, NodeShape, Skip, Step, Token, TokenList, is_about_game, is_blank,
    look_at_move, word_at,
};

use super::options::{Detections, LOOKAHEAD, Options};
use super::parser::{Mode, Parser};

mod drive;
mod fill;
mod skip;
mod token_lists;

/// Receiver of the tokens of a fast path. It is a trait because a closure cannot be marked for
/// inlining, on which half of the speed depends.
pub(super) trait Emit {
    type Output;
    /// Converts a token to an output. It must be `inline(always)`.
    fn emit(self, cursor: &Cursor, token: Token) -> Self::Output;
}

/// Receiver that returns the token itself, for callers that cannot make the event yet.
pub(super) struct ToToken;

impl Emit for ToToken {
    type Output = Token;
    #[inline(always)]
    fn emit(self, _: &Cursor, token: Token) -> Token {
        token
    }
}

/// Receiver that returns the event of the token.
pub(super) struct ToEvent<'w> {
    pub(super) window: &'w [u8],
}

impl<'w> Emit for ToEvent<'w> {
    type Output = Event<'w>;
    #[inline(always)]
    fn emit(self, cursor: &Cursor, token: Token) -> Event<'w> {
        cursor.common_event(self.window, token)
    }
}

/// Passes events to a sink, which returns how to continue.
struct ToSink<'w, 's, S> {
    window: &'w [u8],
    sink: &'s mut S,
}

impl<S: Sink> Emit for ToSink<'_, '_, S> {
    type Output = Flow;
    #[inline(always)]
    fn emit(self, cursor: &Cursor, token: Token) -> Flow {
        self.sink
            .take(&cursor.common_event(self.window, token), &cursor.place())
    }
}

#[derive(Clone, Debug)]
pub(super) struct Cursor {
    at: usize,
    /// Span of the last event, relative to the start of the window; offsets before the window wrap.
    start: u64,
    end: u64,
    /// Number of open variations.
    open: u64,
    /// Number of open variations, including the variation of the last event.
    depth: u64,
    mode: Mode,
    /// Set while events are skipped: the depth whose end ends the skip, and the mode of the event
    /// before the skip until the first step.
    skip_to: Option<(u64, Mode)>,
    /// Whether no parenthesis needs a check of repairs or limits.
    plain_parentheses: bool,
    /// Whether blanks are not returned as gaps.
    skips_blanks: bool,
    framing: Framing,
    /// Framing at the start of games.
    fresh_framing: Framing,
    /// Whether the reader detects the charset of each game.
    has_detection: bool,
    charset: Charset,
    property_limit: usize,
    /// Shortest limit for the tokens of a token list.
    limit: usize,
    /// The plain tokens from `at` on. After the first of them was taken, the token list has the
    /// position, and `at` is outdated until [`leave_tokens`](Self::leave_tokens).
    tokens: TokenList,
    /// Whether no token list can read the property at `at`, because its end is uncertain or beyond
    /// the window.
    is_cut: bool,
    /// The last token that [`keep`](Self::keep) kept, and the end of its event.
    kept: (Token, u64),
    /// Boxed, so that the fields above can live in registers.
    parser: Box<Parser>,
}

/// Returns whether the first bytes of a game may have a `CA` that does not name UTF-8.
fn may_declare_other_charset(game: &[u8]) -> bool {
    /// Most roots are shorter.
    const ROOT: usize = 512;
    let root = &game[..game.len().min(ROOT)];
    let mut places = memchr::memchr_iter(b'C', root);
    let Some(at) = places.find(|&at| root[at..].starts_with(b"CA[")) else {
        return false;
    };
    let label = root[at + 3..].trim_ascii_start();
    // Any bytes fit Latin-1 and windows-1252.
    let is_of = |start: &[u8]| {
        label
            .get(..start.len())
            .is_some_and(|label| label.eq_ignore_ascii_case(start))
    };
    !is_of(b"UTF") && !is_of(b"ISO-8859-1]") && !is_of(b"windows-1252]") && !game.is_ascii()
}

impl Cursor {
    pub(super) fn new(options: Options) -> Self {
        let parser = Box::new(Parser::new(options));
        Self {
            at: 0,
            start: 0,
            end: 0,
            open: 0,
            depth: 0,
            mode: Mode::Slow,
            skip_to: None,
            plain_parentheses: false,
            skips_blanks: !options.gaps,
            framing: parser.machine.framing,
            fresh_framing: parser.machine.framing,
            has_detection: options.detection.is_some(),
            charset: parser.charset(),
            property_limit: parser.machine.property_limit(),
            limit: options
                .limits
                .property
                .min(options.limits.identifier)
                .min(options.limits.lookahead.max(TokenList::MIN_LIMIT)),
            tokens: TokenList::new(),
            is_cut: false,
            kept: (Token::Gap, 0),
            parser,
        }
    }

    /// Implements [`EventReader::hold_games`](super::EventReader::hold_games).
    pub(super) fn hold_games(&mut self) -> u64 {
        self.property_limit = self.parser.machine.limit_property(self.game_limit());
        self.property_limit as u64
    }

    pub(super) fn game_limit(&self) -> usize {
        self.parser.machine.game_limit()
    }

    /// Reads the next event of `window`.
    #[inline(always)]
    pub(super) fn step(&mut self, window: &[u8], last: bool) -> Step {
        if let Some(token) = self.fast_step(window, ToToken) {
            return Step::Token(token);
        }
        self.slow_step(window, last)
    }

    /// Reads the next event, if it is certainly a common one, and returns it as `emit` makes it.
    // Each arm emits its own event, so that the compiler can connect it with the arm of the
    // caller's loop for that event, and no kind is distinguished twice.
    #[inline(always)]
    pub(super) fn fast_step<E: Emit>(&mut self, window: &[u8], emit: E) -> Option<E::Output> {
        let at = self.at;
        if self.mode == Mode::Move {
            self.mode = Mode::Node;
            self.at = at + 5;
            self.take(at, at + 5);
            return Some(emit.emit(
                self,
                Token::Property {
                    ident_len: 1,
                    simple: true,
                },
            ));
        }
        if self.tokens.next >= self.tokens.count {
            if self.tokens.count != 0 {
                self.leave_tokens(window);
            }
            let at = self.at;
            if self.mode == Mode::MoveAndBlank {
                (self.mode, self.at) = if self.skips_blanks {
                    (Mode::Node, at + 6)
                } else {
                    (Mode::Blank, at + 5)
                };
                self.take(at, at + 5);
                return Some(emit.emit(
                    self,
                    Token::Property {
                        ident_len: 1,
                        simple: true,
                    },
                ));
            }
            if matches!(self.mode, Mode::Node | Mode::Open | Mode::Root) {
                let look = look_at_move(word_at(window, at)?);
                if look == NodeShape::Move {
                    self.mode = Mode::Move;
                    self.at = at + 1;
                    self.take(at, at + 1);
                    return Some(emit.emit(self, Token::NodeStart { supplied: false }));
                }
                if look == NodeShape::MoveAndBlank {
                    self.mode = Mode::MoveAndBlank;
                    self.at = at + 1;
                    self.take(at, at + 1);
                    return Some(emit.emit(self, Token::NodeStart { supplied: false }));
                }
            } else if self.mode == Mode::Blank {
                self.mode = Mode::Node;
                self.at = at + 1;
                self.take(at, at + 1);
                return Some(emit.emit(self, Token::Gap));
            }
            self.begin_tokens(window)?;
        }
        self.token_step(window, emit)
    }

    /// Reads the `(` of a game, or the `;` after it.
    #[inline(never)]
    fn border_step(&mut self, window: &[u8]) -> Option<Token> {
        if !self.plain_parentheses || !matches!(self.mode, Mode::Outside | Mode::OpenGame) {
            return None;
        }
        let rest = window.get(self.at..)?;
        if self.mode == Mode::OpenGame {
            let at = self.at;
            if *rest.first()? != b';' {
                return None;
            }
            self.mode = Mode::Root;
            self.at = at + 1;
            self.take(at, at + 1);
            return Some(Token::NodeStart { supplied: false });
        }
        let blanks = rest
            .iter()
            .take_while(|&&byte| is_blank(byte) && byte != 0)
            .count();
        if !rest[blanks..].starts_with(b"(;") || blanks > 0 && !self.skips_blanks {
            return None;
        }
        let at = self.at + blanks;
        self.begin_game(at);
        self.at = at + 1;
        self.take(at, at + 1);
        Some(Token::VariationStart { supplied: false })
    }

    /// Reads a property of the root that may contain facts about its game. Returns `None` if the
    /// parser has to read it.
    #[cold]
    #[inline(never)]
    fn root_property(&mut self, window: &[u8], at: usize, values: Extent) -> Option<()> {
        if !is_about_game(&window[at..at + values.ident_len]) {
            return Some(());
        }
        let property = Property::new(
            &window[at..values.end],
            values.ident_len as u32,
            self.framing,
            values.count == 1,
        );
        if !self.parser.plain_property(property) {
            return None;
        }
        self.charset = self.parser.charset();
        self.framing = self.parser.machine.framing;
        Some(())
    }

    #[inline(always)]
    fn take(&mut self, start: usize, end: usize) {
        self.start = start as u64;
        self.end = end as u64;
    }

    #[inline(never)]
    pub(super) fn slow_step(&mut self, window: &[u8], last: bool) -> Step {
        if let Some(skip_to) = self.skip_to {
            return self.skip_step(window, last, skip_to);
        }
        if self.parser.detects && !self.detect(window, last) {
            return Step::More;
        }
        if let Some(token) = self.doubtful_step(window) {
            return Step::Token(token);
        }
        match self.gap_step(window).or_else(|| self.border_step(window)) {
            Some(token) => Step::Token(token),
            None => self.parser_step(window, last),
        }
    }

    /// Reads blanks between a property and a node as a gap, if gaps are requested. Many programs
    /// write such blanks.
    #[inline(never)]
    fn gap_step(&mut self, window: &[u8]) -> Option<Token> {
        if self.skips_blanks || !matches!(self.mode, Mode::Node | Mode::Root) {
            return None;
        }
        let rest = window.get(self.at..)?;
        let blanks = rest
            .iter()
            .take_while(|&&byte| is_blank(byte) && byte != 0)
            .count();
        if blanks == 0 || rest.get(blanks) != Some(&b';') {
            return None;
        }
        let at = self.at;
        self.at = at + blanks;
        self.depth = self.open;
        self.take(at, self.at);
        Some(Token::Gap)
    }

    /// Detects the charset of the game whose `(` is the last event. Returns false if more of the
    /// game is needed, or if it was detected before.
    #[cold]
    pub(super) fn detect(&mut self, window: &[u8], last: bool) -> bool {
        if !self.parser.detects {
            return false;
        }
        let game = window.get(self.start as usize..).unwrap_or_default();
        if game.len() < LOOKAHEAD && !last {
            return false;
        }
        let game = &game[..game.len().min(LOOKAHEAD)];
        let valid = self.parser.valid_utf8(game, self.span().start);
        let at = (self.offset() - self.parser.machine.base()) as usize;
        // Look whether the game ends before the bytes that are not UTF-8.
        let has_valid_end = || {
            let mut skip = Skip::new(at, self.open, 1, false, Framing::Pairs);
            self.plain_parentheses && skip.run(&window[..self.start as usize + valid])
        };
        if (valid < game.len() && !has_valid_end()) || may_declare_other_charset(game) {
            self.parser.detect(game);
        }
        self.charset = self.parser.charset();
        true
    }

    #[inline(never)]
    fn parser_step(&mut self, window: &[u8], last: bool) -> Step {
        self.parser.resume_at(self.at, self.open, self.mode);
        let step = self.parser.step(window, last);
        let machine = &self.parser.machine;
        self.at = machine.at;
        self.open = machine.open();
        self.mode = self.parser.mode();
        if matches!(step, Step::Token(_)) {
            self.depth = machine.depth();
            (self.start, self.end) = machine.span_in_window();
        }
        self.framing = machine.framing;
        self.charset = self.parser.charset();
        self.tokens.clear();
        self.plain_parentheses = machine.has_no_repairs() && self.parser.depth_limit().is_none();
        step
    }

    /// Keeps the token of the last event, unless a fast path read it for a caller that does not ask
    /// for it.
    #[inline(always)]
    pub(super) fn keep(&mut self, token: Token) {
        self.kept = (token, self.end);
    }

    /// Returns the token of the last event, if it was kept. Before the first event, it is a gap.
    #[inline]
    pub(super) fn kept(&self) -> Option<Token> {
        // Events of fast paths have bytes, so they end after all earlier events.
        let (token, end) = self.kept;
        (end == self.end).then_some(token)
    }

    /// Returns the token of the last event of a fast path, which its first byte identifies.
    #[cold]
    #[inline(never)]
    pub(super) fn fast_token(&self, window: &[u8]) -> Token {
        let bytes = self.bytes(window);
        match bytes.first() {
            Some(b';') => Token::NodeStart { supplied: false },
            Some(b'(') => Token::VariationStart { supplied: false },
            Some(b')') => Token::VariationEnd { supplied: false },
            Some(byte) if byte.is_ascii_alphanumeric() => {
                let ident_len = bytes
                    .iter()
                    .take_while(|byte| byte.is_ascii_alphanumeric())
                    .count();
                Token::Property {
                    ident_len: ident_len as u32,
                    simple: false,
                }
            }
            _ => Token::Gap,
        }
    }

    /// Returns the event at the cursor, with its bytes from `window`.
    #[inline(always)]
    pub(super) fn event<'w>(
        &self,
        window: &'w [u8],
        token: Token,
        part_ident: impl FnOnce() -> Ident<'w>,
    ) -> Event<'w> {
        match token {
            Token::Property { ident_len, simple } => self.property(window, ident_len, simple),
            Token::NodeStart { supplied } => Event::NodeStart { supplied },
            Token::VariationStart { supplied } => Event::VariationStart(Variation {
                depth: self.depth,
                supplied,
            }),
            Token::VariationEnd { supplied } => Event::VariationEnd(Variation {
                depth: self.depth,
                supplied,
            }),
            Token::Problem => Event::Problem(self.parser.machine.problem),
            Token::Gap => Event::Gap(self.bytes(window)),
            Token::Part => Event::PropertyPart(self.parser.part(part_ident(), self.bytes(window))),
        }
    }

    #[inline(always)]
    pub(super) fn property<'w>(&self, window: &'w [u8], ident_len: u32, simple: bool) -> Event<'w> {
        Event::Property(
            Property::new(self.bytes(window), ident_len, self.framing, simple)
                .with_charset(self.charset),
        )
    }

    /// Returns the event of a token of [`fast_step`](Self::fast_step), which is never a part.
    #[inline(always)]
    pub(super) fn common_event<'w>(&self, window: &'w [u8], token: Token) -> Event<'w> {
        self.event(window, token, || Ident::new(b""))
    }

    #[inline(always)]
    fn bytes<'w>(&self, window: &'w [u8]) -> &'w [u8] {
        &window[self.start as usize..self.end as usize]
    }

    /// Returns the identifier of the property that comes in parts.
    pub(super) fn part_ident(&self) -> Ident<'_> {
        Ident::new(self.parser.part_ident())
    }

    /// Returns the span of that identifier in the input.
    pub(super) fn part_ident_span(&self) -> Span {
        self.parser.part_ident_span()
    }

    #[inline]
    pub(super) fn depth(&self) -> u64 {
        self.depth
    }

    #[inline]
    pub(super) fn span(&self) -> Span {
        let base = self.parser.machine.base();
        Span::new(base.wrapping_add(self.start), base.wrapping_add(self.end))
    }

    #[inline]
    pub(super) fn offset(&self) -> u64 {
        let at = if self.tokens.next > 0 {
            self.tokens.place(self.tokens.next)
        } else {
            self.at
        };
        self.parser.machine.base() + at as u64
    }

    #[inline]
    pub(super) fn place(&self) -> Place {
        Place {
            span: self.span(),
            depth: self.depth,
            game: self.parser.machine.game(),
            charset: self.charset,
            charset_source: self.parser.charset_source(),
        }
    }

    /// Returns an error if the last event is deeper than the caller's limit.
    #[inline(always)]
    pub(super) fn check_depth(
        &self,
        token: Token,
        position: impl FnOnce() -> Option<Position>,
    ) -> Result<()> {
        match token {
            Token::VariationStart { .. } if !self.plain_parentheses => self.check_limit(position),
            _ => Ok(()),
        }
    }

    #[cold]
    #[inline(never)]
    fn check_limit(&self, position: impl FnOnce() -> Option<Position>) -> Result<()> {
        match self.parser.depth_limit() {
            Some(limit) if self.depth > limit => {
                Err(Error::new(ErrorKind::Depth(limit), position()))
            }
            _ => Ok(()),
        }
    }

    /// Skips to the end of the variation of the last event: the next event is its `VariationEnd`.
    pub(super) fn skip_variation(&mut self, window: &[u8]) {
        if self.open == self.depth {
            self.skip_to(self.open, window);
        }
    }

    /// Skips to the `VariationEnd` of the game.
    pub(super) fn skip_game(&mut self, window: &[u8]) {
        self.skip_to(1, window);
    }

    fn skip_to(&mut self, depth: u64, window: &[u8]) {
        if self.open > 0 {
            // Do not detect the charset of a game that is skipped.
            self.parser.detects &= depth > 1;
            if self.skip_on_tokens(depth) {
                return;
            }
            // In slow mode the next step is `slow_step`, which continues the skip.
            self.leave_tokens(window);
            let mode = self.mode;
            self.hand_over(window);
            self.skip_to = Some((depth, mode));
        }
    }

    /// Moves the parser to the position of the cursor, so that it takes the next step.
    fn hand_over(&mut self, window: &[u8]) {
        self.leave_tokens(window);
        self.is_cut = false;
        self.parser.resume_at(self.at, self.open, self.mode);
        self.mode = Mode::Slow;
    }

    /// Returns the index of the window before which everything has been read.
    pub(super) fn keep_from(&mut self, window: &[u8]) -> usize {
        self.hand_over(window);
        let keep = self.parser.machine.keep_from();
        if self.parser.detects {
            keep.min(self.start as usize)
        } else {
            keep
        }
    }

    /// Returns the numbers and bytes of long games without their `)` since the last call.
    pub(super) fn take_unclosed_games(&mut self) -> Vec<(u64, u64)> {
        self.parser.machine.take_unclosed_games()
    }

    /// Returns the counts of games whose charset was detected.
    pub(super) fn detected(&self) -> Detections {
        self.parser.detected
    }

    /// Returns the offsets of the oldest pending constructs.
    pub(super) fn pending_from(&self) -> [Option<u64>; 2] {
        self.parser.pending_from()
    }

    /// Removes the first `count` bytes of the window.
    pub(super) fn shift(&mut self, count: usize) {
        self.parser.machine.shift(count);
        self.at -= count;
        self.start = self.start.wrapping_sub(count as u64);
        self.end = self.end.wrapping_sub(count as u64);
        self.kept.1 = self.kept.1.wrapping_sub(count as u64);
    }

    /// Sets the offset of the window's start, and the number of games before it. Call it before the
    /// first step.
    pub(super) fn start_at(&mut self, offset: u64, games: u64) {
        self.parser.machine.start_at(offset, games);
    }

    /// Returns, at the start of a game, whether a reader that starts there returns the same events.
    pub(super) fn is_independent(&self) -> bool {
        let has_mark =
            self.parser.charset_source() == CharsetSource::Bom && !self.parser.is_transcoded();
        self.parser.machine.is_independent() && !has_mark
    }
}
