//! The complete and slow way to read: the machine, together with what must be known of a game to read on: the charset
//! that its root declares, and whether it says FF\[4\]. The fast paths of the cursor leave all that is not common to it.

use crate::base::{Charset, CharsetSource, Code, Problem, Span};
use crate::event::{Ident, Property, PropertyPart};
use crate::scan::{Framing, Machine, Piece, State, Step, Tape, Token};

use super::options::{Detections, FramingPolicy, Options};

/// Problems that one property can cause, to be reported after it and before anything else.
const PROBLEMS_OF_PROPERTY: usize = 4;

/// Which fast paths may read on, by what is expected next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mode {
    /// In a node: `;`, properties, `(`, `)`.
    Node,
    /// After the `(` of a variation: `;`.
    Open,
    /// In the root node: as in a node, but some properties tell about their game.
    Root,
    /// In a node, before a move of five bytes that was recognised together with its `;`.
    Move,
    /// A move with a blank after it.
    MoveAndBlank,
    /// In a node, at the blank after that move, which is given as a gap.
    Blank,
    /// After a variation: `(`, `)`.
    Child,
    /// After the `(` of a game: `;`.
    OpenGame,
    /// Between games: `(`.
    Outside,
    /// None: the parser reads on.
    Slow,
}

#[derive(Clone, Debug)]
pub(super) struct Parser {
    pub(super) machine: Machine,
    pub(super) options: Options,
    /// A token in a block may pass the limits, so there are no fast paths.
    has_small_limits: bool,
    charset: Charset,
    source: CharsetSource,
    /// The charset of this game is to be detected before it is read.
    pub(super) detects: bool,
    /// The input is UTF-8 from the start of the last game that was looked at up to this byte.
    utf8_until: u64,
    pub(super) detected: Detections,
    /// The root of this game says `FF[4]` or more.
    pub(super) is_ff4: bool,
    /// The first identifier with lowercase letters in a root whose FF is not known yet.
    lowercase: Option<Span>,
    problems: [Option<Problem>; PROBLEMS_OF_PROPERTY],
    /// The identifier of the property that is given in parts, and where it begins in the input.
    ident: Vec<u8>,
    ident_start: u64,
}

impl Parser {
    pub(super) fn new(options: Options) -> Self {
        let mut parser = Self {
            machine: Machine::new(options.limits, Framing::Auto, options.gaps),
            options,
            has_small_limits: options.limits.property.min(options.limits.identifier) < Tape::MIN_LIMIT,
            charset: Charset::AUTO,
            source: CharsetSource::Default,
            detects: false,
            utf8_until: 0,
            detected: Detections::default(),
            is_ff4: false,
            lowercase: None,
            problems: [None; PROBLEMS_OF_PROPERTY],
            ident: Vec::new(),
            ident_start: 0,
        };
        parser.forget_game();
        // There is none yet.
        parser.detects = false;
        parser
    }

    /// A fast path has read up to `at`, and stays there until the next step.
    pub(super) fn resume_at(&mut self, at: usize, open: u64, mode: Mode) {
        let state = match mode {
            Mode::Slow => return,
            Mode::Open | Mode::OpenGame => State::AfterOpen,
            Mode::Root => State::Root,
            Mode::Node | Mode::Move | Mode::MoveAndBlank | Mode::Blank => State::Node,
            Mode::Child => State::AfterChild,
            Mode::Outside => State::Outside,
        };
        self.machine.resume_at(at, open, state);
    }

    /// The next token of `window`.
    #[inline(never)]
    pub(super) fn step(&mut self, window: &[u8], last: bool) -> Step {
        if let Some(problem) = self.problems.iter_mut().find_map(Option::take) {
            let step = self.machine.report(problem);
            if self.problems.iter().all(Option::is_none) {
                self.machine.let_go();
            }
            return step;
        }
        let step = self.machine.step(window, last);
        match step {
            Step::Token(Token::Property { ident_len, simple }) => self.property(window, ident_len, simple),
            Step::Token(Token::Part) => self.part_of_property(window),
            Step::Token(Token::VariationStart { .. }) if self.machine.open() == 1 => self.forget_game(),
            _ => {}
        }
        step
    }

    /// Which fast paths may read on from here.
    pub(super) fn mode(&self) -> Mode {
        match self.machine.state {
            _ if self.has_small_limits || self.machine.has_gap() => Mode::Slow,
            State::AfterOpen if self.machine.open() > 1 => Mode::Open,
            State::AfterOpen => Mode::OpenGame,
            State::Outside => Mode::Outside,
            State::Root => Mode::Root,
            State::Node => Mode::Node,
            State::AfterChild => Mode::Child,
            _ => Mode::Slow,
        }
    }

    /// A fast path read the `(` of a game.
    #[inline(never)]
    pub(super) fn begin_game(&mut self) {
        self.machine.begin_game();
        self.forget_game();
    }

    /// A game begins: what was known of the last one does not hold for it.
    fn forget_game(&mut self) {
        self.is_ff4 = false;
        self.lowercase = None;
        let (charset, source) = match self.options.charset {
            Some(charset) => (charset, CharsetSource::Forced),
            None if std::mem::take(&mut self.machine.bom) || self.options.is_transcoded => {
                (Charset::UTF_8, CharsetSource::Bom)
            }
            None => (Charset::AUTO, CharsetSource::Default),
        };
        self.detects = source == CharsetSource::Default && self.options.detection.is_some();
        self.set_charset(charset, source);
    }

    /// Detects the charset of the game that begins with these bytes of the input.
    #[cold]
    pub(super) fn detect(&mut self, game: &[u8], at: u64) {
        self.detects = false;
        // What is known to be UTF-8 is not looked at again for each small game.
        let known = usize::try_from(self.utf8_until.saturating_sub(at)).map_or(game.len(), |len| len.min(game.len()));
        let is_utf8 = match std::str::from_utf8(&game[known..]) {
            Ok(_) => {
                self.utf8_until = self.utf8_until.max(at + game.len() as u64);
                true
            }
            Err(err) => {
                self.utf8_until = at + (known + err.valid_up_to()) as u64;
                // A character may be cut at the end.
                err.error_len().is_none()
            }
        };
        let found = self.options.detection.filter(|_| !is_utf8).and_then(|detection| detection(game));
        if let Some((charset, source)) = found {
            // Where values end does not hang on it: a game that is skipped ends where it does when it is read.
            (self.charset, self.source) = (charset, source);
            self.detected.add(charset);
        }
    }

    fn set_charset(&mut self, charset: Charset, source: CharsetSource) {
        (self.charset, self.source) = (charset, source);
        let is_known = source != CharsetSource::Default;
        self.machine.framing = match self.options.framing {
            FramingPolicy::Value => Framing::Value,
            _ if is_known && !charset.has_structural_trail_bytes() => Framing::Value,
            FramingPolicy::Whole if charset.encoding() == Some(encoding_rs::SHIFT_JIS) => Framing::ShiftJis,
            FramingPolicy::Whole if is_known => Framing::Pairs,
            FramingPolicy::Whole | FramingPolicy::Auto => Framing::Auto,
        };
    }

    /// The machine read a property: takes in what it tells about its game.
    fn property(&mut self, window: &[u8], ident_len: u32, simple: bool) {
        let (start, end) = self.machine.span_in_window();
        let property = Property::new(&window[start as usize..end as usize], ident_len, self.machine.framing, simple);
        let ident = property.ident();
        let span = self.machine.span();
        let in_root = self.machine.is_in_root();
        let was_ff4 = self.is_ff4;
        if in_root && ident.is(b"FF") {
            self.version(property);
        }
        if let Some(problem) = self.lowercase(ident, span.start, was_ff4, in_root) {
            self.report(problem);
        }
        if in_root && ident.is(b"CA") {
            if !self.declared_charset(property) {
                self.report(Problem::new(Code::UnknownCharset, span));
            }
        } else if in_root && ident.is(b"GM") {
            self.game(property);
        }
        self.report_multibyte_bracket();
    }

    /// A fast path read a property of the root, whose identifier is plain. False, and nothing is done, if a problem is to
    /// be reported: the machine reads it then.
    pub(super) fn plain_property(&mut self, property: Property<'_>) -> bool {
        match property.ident().as_bytes() {
            b"FF" if self.lowercase.is_none() => self.version(property),
            b"CA" => return self.declared_charset(property),
            b"GM" => self.game(property),
            _ => return false,
        }
        true
    }

    /// Lowercase letters in an identifier are legal below FF\[4\] (spec I-02), and the root's FF may come after it.
    fn lowercase(&mut self, ident: Ident<'_>, start: u64, was_ff4: bool, in_root: bool) -> Option<Problem> {
        let len = ident.as_bytes().len() as u64;
        let lowercase = (len > 1 && ident.has_lowercase()).then_some(Span::new(start, start + len));
        let faulty = match (was_ff4, self.is_ff4) {
            (true, _) => lowercase,
            (false, true) => self.lowercase.take().or(lowercase),
            (false, false) => {
                if in_root {
                    self.lowercase = self.lowercase.or(lowercase);
                }
                None
            }
        };
        faulty.map(|span| Problem::new(Code::LowercaseIdentifier, span))
    }

    /// Where the oldest things begin that no event has told of yet: what the machine is in, and an identifier that the
    /// root's FF may make faulty.
    pub(super) fn pending_from(&self) -> [Option<u64>; 2] {
        [Some(self.machine.pending_from()), self.lowercase.map(|span| span.start)]
    }

    fn part_of_property(&mut self, window: &[u8]) {
        let Piece { first, value, .. } = self.machine.piece;
        if first && value == 0 {
            let raw = &window[self.machine.span_in_window().0 as usize..];
            let len = raw.iter().take_while(|byte| byte.is_ascii_alphanumeric()).count();
            self.ident.clear();
            self.ident.extend_from_slice(&raw[..len]);
            self.ident_start = self.machine.span().start;
            let in_root = self.machine.is_in_root_parts();
            if let Some(problem) = self.lowercase(Ident::new(&raw[..len]), self.ident_start, self.is_ff4, in_root) {
                self.report(problem);
            }
        }
        self.report_multibyte_bracket();
    }

    /// A fast path read a property, these bytes of the window, that has half a character that looks like a bracket or an
    /// escape.
    pub(super) fn report_bracket_in_character(&mut self, start: usize, end: usize) {
        let base = self.machine.base();
        self.report(Problem::new(Code::BracketInCharacter, Span::new(base + start as u64, base + end as u64)));
    }

    fn report_multibyte_bracket(&mut self) {
        if std::mem::take(&mut self.machine.has_multibyte_bracket) {
            self.report(Problem::new(Code::BracketInCharacter, self.machine.span()));
        }
    }

    // FF number 1..4, default 1      (spec R-01)
    fn version(&mut self, property: Property<'_>) {
        self.is_ff4 |= property.first().as_bytes().trim_ascii() == b"4";
    }

    /// `CA` names the charset of its game (spec CA-01, CA-02, CA-08). False if
    /// the name is not known.
    fn declared_charset(&mut self, property: Property<'_>) -> bool {
        let Some(charset) = Charset::for_label(property.first().unescaped().trim_ascii()) else {
            return false;
        };
        // Its structure is not ASCII, and these bytes have been scanned: they
        // were transcoded, and the file says what was true before.
        let was_transcoded = self.options.is_transcoded
            || !charset.is_scannable() && (self.source == CharsetSource::Bom || charset.is_wide());
        if !was_transcoded && self.source < CharsetSource::Declared {
            self.set_charset_by(property, charset, CharsetSource::Declared);
        }
        true
    }

    /// Pentobi's games are UTF-8 unless they say otherwise (spec P-06); its
    /// document of 2017 had Latin-1, and valid UTF-8 tells them apart (PO-02),
    /// which is what [`Charset::AUTO`] does.
    fn game(&mut self, property: Property<'_>) {
        const PENTOBI: [&[u8]; 4] = [b"Blokus", b"Nexos", b"Callisto", b"GembloQ"];
        let name = property.first().as_bytes().trim_ascii();
        if self.source <= CharsetSource::Detected && PENTOBI.iter().any(|game| name.starts_with(game)) {
            self.set_charset_by(property, Charset::AUTO, CharsetSource::Detected);
        }
    }

    /// A property of the root tells the charset of its game. Its event must have the framing that its own values were read
    /// with, as they could end elsewhere by another one: with bytes beyond ASCII, the framing stays.
    fn set_charset_by(&mut self, property: Property<'_>, charset: Charset, source: CharsetSource) {
        let framing = self.machine.framing;
        self.set_charset(charset, source);
        if !property.as_bytes().is_ascii() {
            self.machine.framing = framing;
        }
    }

    fn report(&mut self, problem: Problem) {
        if let Some(free) = self.problems.iter_mut().find(|slot| slot.is_none()) {
            *free = Some(problem);
            self.machine.hold_back();
        }
    }

    /// The part that the machine has just given, whose bytes are `raw`.
    pub(super) fn part<'w>(&self, ident: Ident<'w>, raw: &'w [u8]) -> PropertyPart<'w> {
        let Piece { content, value, first, last, closed } = self.machine.piece;
        let (framing, charset) = (self.machine.framing, self.charset);
        PropertyPart { ident, raw, value, content_start: content, framing, charset, first, last, closed }
    }

    #[inline]
    pub(super) fn charset(&self) -> Charset {
        self.charset
    }

    #[inline]
    pub(super) fn charset_source(&self) -> CharsetSource {
        self.source
    }

    pub(super) fn is_transcoded(&self) -> bool {
        self.options.is_transcoded
    }

    #[inline]
    pub(super) fn depth_limit(&self) -> Option<u64> {
        self.options.limits.depth
    }

    /// The identifier of the property that is given in parts.
    pub(super) fn part_ident(&self) -> &[u8] {
        &self.ident
    }

    /// Where that identifier is in the input.
    pub(super) fn part_ident_span(&self) -> Span {
        Span::new(self.ident_start, self.ident_start + self.ident.len() as u64)
    }
}
