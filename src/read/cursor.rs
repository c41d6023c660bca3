//! The hot loop that the ways in share. Common shapes are taken here, with a
//! few locals that a caller's loop keeps in registers; the parser behind the
//! box does all else, and everything at all where this is not sure.

use crate::base::{Charset, CharsetSource, Error, ErrorKind, Position, Problem, Result, Span};
use crate::event::{Event, Ident, Place, Property};
use crate::scan::{
    Framing, NodeLook, Piece, State, Step, Token, in_memory, is_about_game, is_blank, is_capital_or_digit,
    is_move_node, leading_blanks, look_at_move, may_be_game, plain_property, word_at,
};

use super::options::Options;
use super::parser::Parser;

/// What may be taken here, by where the reader stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mode {
    /// In a node: `;`, properties, `(`, `)`.
    Node,
    /// In the root node: as in a node, but some properties are for the parser.
    Root,
    /// Behind the `(` of a variation: `;`.
    Open,
    /// In a node, before a property of five bytes that was looked at with its
    /// `;`.
    Move,
    /// The same, with a blank behind it.
    MoveAndBlank,
    /// Behind a variation: `(`, `)`.
    Child,
    /// Nothing: ask the parser.
    Slow,
}

/// What kind of event stands at the cursor; its bytes are `start..end`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    VariationStart {
        supplied: bool,
    },
    NodeStart {
        supplied: bool,
    },
    VariationEnd {
        supplied: bool,
    },
    Property {
        ident_len: u32,
        simple: bool,
    },
    /// The parser knows more.
    Part,
    Problem,
    Gap,
}

/// What a step came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Pulled {
    Event(Kind),
    More,
    End,
}

#[derive(Clone, Debug)]
pub(super) struct Cursor {
    at: usize,
    /// The last event's bytes, from the start of the window; what lies before
    /// the window wraps.
    start: u64,
    end: u64,
    /// Open variations.
    open: u64,
    /// Open variations with that of the last event.
    depth: u64,
    mode: Mode,
    /// What is read is passed over, up to the end of this depth.
    skip_to: Option<u64>,
    /// No parenthesis needs a look at repairs or limits.
    plain_parentheses: bool,
    /// Blanks need no telling.
    skips_blanks: bool,
    framing: Framing,
    property_limit: usize,
    /// Boxed so that the fields above can live in registers.
    parser: Box<Slow>,
}

#[derive(Clone, Debug)]
struct Slow {
    parser: Parser,
    depth_limit: Option<u64>,
    part: Piece,
    problem: Problem,
}

impl Cursor {
    pub(super) fn new(options: Options) -> Self {
        let parser = Parser::new(options);
        let problem = Problem::new(crate::Code::NoGame, Span::default());
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
            property_limit: parser.machine.property_limit(),
            parser: Box::new(Slow { parser, depth_limit: options.limits.depth, part: Piece::default(), problem }),
        }
    }

    /// On to the next event of `window`.
    #[inline(always)]
    pub(super) fn step(&mut self, window: &[u8], last: bool) -> Pulled {
        if let Some(kind) = self.fast_step(window) {
            return Pulled::Event(kind);
        }
        self.slow_step(window, last)
    }

    /// The next event, if it is one of the common ones and beyond doubt.
    #[inline(always)]
    fn fast_step(&mut self, window: &[u8]) -> Option<Kind> {
        if matches!(self.mode, Mode::Move | Mode::MoveAndBlank) {
            let blank = usize::from(self.mode == Mode::MoveAndBlank);
            let kind = self.take(self.at, 5, Kind::Property { ident_len: 1, simple: true });
            self.at += blank;
            self.mode = Mode::Node;
            return Some(kind);
        }
        if self.mode == Mode::Slow {
            return None;
        }
        let mut at = self.at;
        let mut word = word_at(window, at)?;
        if self.mode != Mode::Child {
            let mode = match look_at_move(word) {
                NodeLook::Move => Mode::Move,
                NodeLook::MoveAndBlank if self.skips_blanks => Mode::MoveAndBlank,
                _ => Mode::Slow,
            };
            if mode != Mode::Slow {
                self.mode = mode;
                return Some(self.take(at, 1, Kind::NodeStart { supplied: false }));
            }
        }
        if is_blank(word as u8) {
            if !self.skips_blanks {
                return None;
            }
            (at, word) = skip_blanks(window, at, word)?;
        }
        let first = word as u8;
        if first == b';' {
            if self.mode == Mode::Child {
                return None;
            }
            self.mode = if is_move_node(word) { Mode::Move } else { Mode::Node };
            return Some(self.take(at, 1, Kind::NodeStart { supplied: false }));
        }
        if is_capital_or_digit(first) {
            let is_ours = match self.mode {
                Mode::Node => true,
                Mode::Root => !is_about_game(word),
                _ => false,
            };
            if !is_ours {
                return None;
            }
            let found = plain_property(window, at, word, self.property_limit, self.framing);
            if found.end == 0 {
                return None;
            }
            let kind = Kind::Property { ident_len: found.ident_len, simple: found.simple };
            return Some(self.take(at, found.end - at, kind));
        }
        if !self.plain_parentheses || self.mode == Mode::Open {
            return None;
        }
        match first {
            b')' if self.open > 1 => {
                self.mode = Mode::Child;
                let kind = self.take(at, 1, Kind::VariationEnd { supplied: false });
                self.open -= 1;
                Some(kind)
            }
            b'(' if (word >> 8) as u8 == b';' && !may_be_game(word) => {
                self.mode = Mode::Open;
                self.open += 1;
                Some(self.take(at, 1, Kind::VariationStart { supplied: false }))
            }
            _ => None,
        }
    }

    #[inline(always)]
    fn take(&mut self, at: usize, len: usize, kind: Kind) -> Kind {
        let at = in_memory(at);
        self.start = at as u64;
        self.at = at + len;
        self.end = self.at as u64;
        self.depth = self.open;
        kind
    }

    fn slow_step(&mut self, window: &[u8], last: bool) -> Pulled {
        match self.skip_to {
            Some(depth) => self.skip_step(window, last, depth),
            None => self.parser_step(window, last),
        }
    }

    /// On to the end of the variation of this depth, by the same steps.
    #[cold]
    fn skip_step(&mut self, window: &[u8], last: bool, depth: u64) -> Pulled {
        loop {
            let pulled = match self.fast_step(window) {
                Some(kind) => Pulled::Event(kind),
                None => self.parser_step(window, last),
            };
            match pulled {
                Pulled::Event(Kind::VariationEnd { .. }) if self.depth == depth => {}
                Pulled::Event(_) => continue,
                Pulled::More => {
                    self.hand_over();
                    return pulled;
                }
                Pulled::End => {}
            }
            self.skip_to = None;
            return pulled;
        }
    }

    fn parser_step(&mut self, window: &[u8], last: bool) -> Pulled {
        let (pulled, at, open, mode) = self.parser.step(window, last, self.at, self.open, self.mode);
        let slow = &self.parser;
        let machine = &slow.parser.machine;
        self.at = at;
        self.open = open;
        self.mode = mode;
        self.depth = machine.depth();
        (self.start, self.end) = machine.span_in_window();
        self.framing = machine.framing;
        self.plain_parentheses = machine.has_no_repairs() && slow.depth_limit.is_none();
        pulled
    }

    /// The event at the cursor, with its bytes from `window`.
    #[inline(always)]
    pub(super) fn event<'w>(&self, window: &'w [u8], kind: Kind, part_ident: impl FnOnce() -> Ident<'w>) -> Event<'w> {
        match kind {
            Kind::Property { ident_len, simple } => {
                Event::Property(Property::new(self.bytes(window), ident_len, self.framing, simple))
            }
            Kind::NodeStart { supplied } => Event::NodeStart { supplied },
            Kind::VariationStart { supplied } => Event::VariationStart { supplied },
            Kind::VariationEnd { supplied } => Event::VariationEnd { supplied },
            Kind::Problem => Event::Problem(self.parser.problem),
            Kind::Gap => Event::Gap(self.bytes(window)),
            Kind::Part => Event::PropertyPart(self.parser.parser.part(part_ident(), window, self.parser.part)),
        }
    }

    #[inline(always)]
    fn bytes<'w>(&self, window: &'w [u8]) -> &'w [u8] {
        &window[self.start as usize..self.end as usize]
    }

    /// The identifier of the property that is given in parts.
    pub(super) fn part_ident(&self) -> Ident<'_> {
        Ident::new(self.parser.parser.part_ident())
    }

    /// Where that identifier stands in the input.
    pub(super) fn part_ident_span(&self) -> Span {
        self.parser.parser.part_ident_span()
    }

    #[inline]
    pub(super) fn depth(&self) -> u64 {
        self.depth
    }

    #[inline]
    pub(super) fn game(&self) -> u64 {
        self.parser.parser.machine.game()
    }

    #[inline]
    pub(super) fn span(&self) -> Span {
        let base = self.parser.parser.machine.base();
        Span::new(base.wrapping_add(self.start), base.wrapping_add(self.end))
    }

    #[inline]
    pub(super) fn offset(&self) -> u64 {
        self.parser.parser.machine.base() + self.at as u64
    }

    pub(super) fn charset(&self) -> Charset {
        self.parser.parser.charset()
    }

    pub(super) fn charset_source(&self) -> CharsetSource {
        self.parser.parser.charset_source()
    }

    #[inline]
    pub(super) fn place(&self) -> Place {
        Place {
            span: self.span(),
            depth: self.depth,
            game: self.game(),
            charset: self.charset(),
            charset_source: self.charset_source(),
        }
    }

    /// An error if the last event went deeper than the caller allows.
    #[inline]
    pub(super) fn check_depth(&self, kind: Kind, position: impl FnOnce() -> Position) -> Result<()> {
        match kind {
            Kind::VariationStart { .. } if !self.plain_parentheses => match self.parser.depth_limit {
                Some(limit) if self.depth > limit => Err(Error::new(ErrorKind::Depth(limit), Some(position()))),
                _ => Ok(()),
            },
            _ => Ok(()),
        }
    }

    /// On to the `VariationEnd` of the variation that the last event stands
    /// in: the next event is that.
    pub(super) fn skip_variation(&mut self) {
        if self.open == self.depth {
            self.skip_to(self.open);
        }
    }

    /// On to the `VariationEnd` of the game.
    pub(super) fn skip_game(&mut self) {
        self.skip_to(1);
    }

    fn skip_to(&mut self, depth: u64) {
        if self.open > 0 {
            // In slow mode the next step comes by `slow_step`, which goes on.
            self.hand_over();
            self.skip_to = Some(depth);
        }
    }

    /// The parser stands where the cursor does, and takes the next step.
    fn hand_over(&mut self) {
        self.parser.go_on_from(self.at, self.open, self.mode);
        self.mode = Mode::Slow;
    }

    /// Everything before this index of the window is done with.
    pub(super) fn keep_from(&mut self) -> usize {
        self.hand_over();
        self.parser.parser.machine.keep_from()
    }

    /// Where the oldest thing begins that no event has told of yet.
    pub(super) fn pending_from(&self) -> u64 {
        self.parser.parser.machine.pending_from()
    }

    /// The window's first `count` bytes are gone.
    pub(super) fn shift(&mut self, count: usize) {
        self.hand_over();
        self.parser.parser.machine.shift(count);
        self.at -= count;
        self.start = self.start.wrapping_sub(count as u64);
        self.end = self.end.wrapping_sub(count as u64);
    }

    /// The window begins at this byte of the input. Before the first step.
    pub(super) fn start_at(&mut self, offset: u64) {
        self.parser.parser.machine.start_at(offset);
    }

    /// At the start of a game: nothing that was read before it has any bearing
    /// on it, or on what follows.
    pub(super) fn is_independent(&self) -> bool {
        let parser = &self.parser.parser;
        parser.machine.is_independent() && parser.charset_source() != CharsetSource::Bom
    }

    pub(super) fn is_done(&self) -> bool {
        self.parser.parser.machine.is_done()
    }
}

impl Slow {
    /// The cursor has taken steps of its own, and stands here.
    fn go_on_from(&mut self, at: usize, open: u64, mode: Mode) {
        let state = match mode {
            Mode::Slow => return,
            Mode::Open => State::AfterOpen,
            Mode::Root => State::Root,
            Mode::Node | Mode::Move | Mode::MoveAndBlank => State::Node,
            Mode::Child => State::AfterChild,
        };
        self.parser.machine.go_on_from(at, open, state);
    }

    /// One step of the parser, from where the cursor stands, and where that
    /// leaves the cursor.
    #[inline(never)]
    fn step(&mut self, window: &[u8], last: bool, at: usize, open: u64, mode: Mode) -> (Pulled, usize, u64, Mode) {
        self.go_on_from(at, open, mode);
        let pulled = match self.parser.step(window, last) {
            Step::More => Pulled::More,
            Step::End => Pulled::End,
            Step::Token(token) => Pulled::Event(match token {
                Token::VariationStart(mark) => Kind::VariationStart { supplied: mark.supplied },
                Token::NodeStart(mark) => Kind::NodeStart { supplied: mark.supplied },
                Token::VariationEnd(mark) => Kind::VariationEnd { supplied: mark.supplied },
                Token::Property(found) => Kind::Property { ident_len: found.ident_len, simple: found.simple },
                Token::Part(piece) => {
                    self.part = piece;
                    Kind::Part
                }
                Token::Problem(problem) => {
                    self.problem = problem;
                    Kind::Problem
                }
                Token::Gap { .. } => Kind::Gap,
            }),
        };
        let machine = &self.parser.machine;
        let mode = match machine.state {
            _ if machine.has_gap() => Mode::Slow,
            // A root node is the parser's.
            State::AfterOpen if machine.open() > 1 => Mode::Open,
            State::Root => Mode::Root,
            State::Node => Mode::Node,
            State::AfterChild => Mode::Child,
            _ => Mode::Slow,
        };
        (pulled, machine.at, machine.open(), mode)
    }
}

/// Over blanks that need no telling: where the next byte stands, and the eight
/// from it on. A NUL is for the parser, and so is a run of more than 64.
#[inline(always)]
fn skip_blanks(window: &[u8], mut at: usize, mut word: u64) -> Option<(usize, u64)> {
    for _ in 0..8 {
        let blanks = leading_blanks(word)?;
        at += blanks;
        word = word_at(window, at)?;
        if blanks < 8 {
            return Some((at, word));
        }
    }
    None
}
