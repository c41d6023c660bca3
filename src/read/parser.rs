//! Complete and slow parser: the machine, with the facts about a game that reading needs: the
//! charset of its root, and whether it is FF\[4\]. The fast paths of the cursor leave all uncommon
//! input to it.

use crate::base::{Charset, CharsetSource, Code, Problem, Span};
use crate::event::{Ident, Property, PropertyPart};
use crate::scan::{Framing, Machine, State, Step, Token, TokenList, ValuePiece};

use super::options::{Detections, FramingPolicy, LOOKAHEAD, Options};

/// Problems that one property can cause. They are reported after it and before anything else.
const PROBLEMS_OF_PROPERTY: usize = 4;

/// Next expected input, which decides which fast paths may read it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mode {
    /// In a node: `;`, properties, `(`, `)`.
    Node,
    /// After the `(` of a variation: `;`.
    Open,
    /// In the root node: as in a node, but some properties contain facts about their game.
    Root,
    /// In a node, before a move of five bytes that was recognized together with its `;`.
    Move,
    /// In a node, before such a move that is followed by a blank.
    MoveAndBlank,
    /// In a node, at the blank after such a move; the blank becomes a gap.
    Blank,
    /// After a variation: `(`, `)`.
    Child,
    /// After the `(` of a game: `;`.
    OpenGame,
    /// Between games: `(`.
    Outside,
    /// Any other state: only the parser may read.
    Slow,
}

#[derive(Clone, Debug)]
pub(super) struct Parser {
    pub(super) machine: Machine,
    pub(super) options: Options,
    charset: Charset,
    source: CharsetSource,
    /// Whether the charset of this game must be detected before it is read.
    pub(super) detects: bool,
    /// Offset up to which the input is known to be UTF-8, from the start of the last game that was
    /// examined.
    utf8_until: u64,
    pub(super) detected: Detections,
    /// Whether the root of this game contains `FF[4]`.
    pub(super) is_ff4: bool,
    /// First identifier with lowercase letters in a root whose FF is not known yet.
    lowercase: Option<Span>,
    problems: [Option<Problem>; PROBLEMS_OF_PROPERTY],
    /// Identifier of the property that comes in parts; `ident_start` is its offset in the input.
    ident: Vec<u8>,
    ident_start: u64,
}

impl Parser {
    pub(super) fn new(options: Options) -> Self {
        let mut parser = Self {
            machine: Machine::new(options.limits, Framing::Auto, options.gaps),
            options,
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
        // Detect no charset before the first game.
        parser.detects = false;
        parser
    }

    /// Takes over from a fast path, which has read up to `at` and stays there until the next step.
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

    /// Reads the next token of `window`.
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
            Step::Token(Token::Property { ident_len, simple }) => {
                self.property(window, ident_len, simple)
            }
            Step::Token(Token::Part) => self.part_of_property(window),
            Step::Token(Token::VariationStart { .. }) if self.machine.open() == 1 => {
                self.forget_game()
            }
            _ => {}
        }
        step
    }

    /// Returns the mode for the fast paths. A token in a block that may exceed a limit rules them
    /// out.
    pub(super) fn mode(&self) -> Mode {
        match self.machine.state {
            _ if self.machine.least_limit() < TokenList::MIN_LIMIT || self.machine.has_gap() => {
                Mode::Slow
            }
            State::AfterOpen if self.machine.open() > 1 => Mode::Open,
            State::AfterOpen => Mode::OpenGame,
            State::Outside => Mode::Outside,
            State::Root => Mode::Root,
            State::Node => Mode::Node,
            State::AfterChild => Mode::Child,
            _ => Mode::Slow,
        }
    }

    /// Starts a game whose `(` a fast path has read, at this offset of the input.
    #[inline(never)]
    pub(super) fn begin_game(&mut self, start: u64) {
        self.machine.begin_game(start);
        self.forget_game();
    }

    /// Resets the facts about the last game.
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

    /// Returns the length of the text in UTF-8 at the start of a game, which begins at this offset
    /// of the input.
    pub(super) fn valid_utf8(&mut self, game: &[u8], at: u64) -> usize {
        self.detects = false;
        // Start after the bytes that are known to be UTF-8, because many small games share them.
        let known = usize::try_from(self.utf8_until.saturating_sub(at))
            .map_or(game.len(), |len| len.min(game.len()));
        let (valid, is_utf8) = match std::str::from_utf8(&game[known..]) {
            Ok(text) => (known + text.len(), true),
            // The end may cut a character.
            Err(err) => (known + err.valid_up_to(), err.error_len().is_none()),
        };
        self.utf8_until = self.utf8_until.max(at + valid as u64);
        if is_utf8 { game.len() } else { valid }
    }

    #[inline(always)]
    pub(super) fn utf8_until(&self) -> u64 {
        self.utf8_until
    }

    /// Examines bytes from the game at `at` on, and returns whether the input is UTF-8 until the
    /// offset.
    #[cold]
    #[inline(never)]
    pub(super) fn learn_utf8(&mut self, window: &[u8], at: usize, until: u64) -> bool {
        const STRIDE: usize = 4 * LOOKAHEAD;
        let base = self.machine.base();
        if base + (window.len() as u64) < until {
            return false;
        }
        let from =
            usize::try_from(self.utf8_until.saturating_sub(base)).map_or(at, |known| known.max(at));
        let bytes = &window[from.min(window.len())..window.len().min(from + STRIDE)];
        let valid = std::str::from_utf8(bytes).map_or_else(|err| err.valid_up_to(), str::len);
        self.utf8_until = base + (from + valid) as u64;
        self.utf8_until >= until
    }

    /// Detects the charset of the game that begins with these bytes.
    #[cold]
    pub(super) fn detect(&mut self, game: &[u8]) {
        if let Some((charset, source)) = self
            .options
            .detection
            .and_then(|detection| detection.detect(game))
        {
            // The framing of values does not depend on the detection, so that a skipped game ends
            // where it ends when it is read.
            (self.charset, self.source) = (charset, source);
            self.detected.add(charset);
        }
    }

    fn set_charset(&mut self, charset: Charset, source: CharsetSource) {
        (self.charset, self.source) = (charset, source);
        // A byte order mark does not decide where values end: `CA` may overrule it, and a copy of
        // the game has no mark.
        let is_known = source != CharsetSource::Default && source != CharsetSource::Bom;
        self.machine.framing = match self.options.framing {
            FramingPolicy::Value => Framing::Value,
            _ if is_known && !charset.has_structural_trail_bytes() => Framing::Value,
            FramingPolicy::Whole if charset.encoding() == Some(encoding_rs::SHIFT_JIS) => {
                Framing::ShiftJis
            }
            FramingPolicy::Whole if is_known => Framing::Pairs,
            FramingPolicy::Whole | FramingPolicy::Auto => Framing::Auto,
        };
    }

    /// Uses the facts about the game in a property that the machine has read.
    fn property(&mut self, window: &[u8], ident_len: u32, simple: bool) {
        let (start, end) = self.machine.span_in_window();
        let property = Property::new(
            &window[start as usize..end as usize],
            ident_len,
            self.machine.framing,
            simple,
        );
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

    /// Uses the facts in a property of the root that a fast path has read; its identifier is plain.
    /// Returns false, without an effect, if there is a problem to report, so that the machine must
    /// read the property.
    pub(super) fn plain_property(&mut self, property: Property<'_>) -> bool {
        match property.ident().as_bytes() {
            b"FF" if self.lowercase.is_none() => self.version(property),
            b"CA" => return self.declared_charset(property),
            b"GM" => self.game(property),
            _ => return false,
        }
        true
    }

    /// Returns the problem of lowercase letters in an identifier. They are legal below FF\[4\]
    /// (spec I-02), and the root's FF may come after the identifier.
    fn lowercase(
        &mut self,
        ident: Ident<'_>,
        start: u64,
        was_ff4: bool,
        in_root: bool,
    ) -> Option<Problem> {
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

    /// Returns the offsets of the oldest pending constructs, which no event has reported yet: the
    /// one that the machine is in, and an identifier that the root's FF may make faulty.
    pub(super) fn pending_from(&self) -> [Option<u64>; 2] {
        [
            Some(self.machine.pending_from()),
            self.lowercase.map(|span| span.start),
        ]
    }

    fn part_of_property(&mut self, window: &[u8]) {
        let ValuePiece { first, value, .. } = self.machine.piece;
        if first && value == 0 {
            let raw = &window[self.machine.span_in_window().0 as usize..];
            let len = raw
                .iter()
                .take_while(|byte| byte.is_ascii_alphanumeric())
                .count();
            self.ident.clear();
            self.ident.extend_from_slice(&raw[..len]);
            self.ident_start = self.machine.span().start;
            let in_root = self.machine.is_in_root_parts();
            if let Some(problem) = self.lowercase(
                Ident::new(&raw[..len]),
                self.ident_start,
                self.is_ff4,
                in_root,
            ) {
                self.report(problem);
            }
        }
        self.report_multibyte_bracket();
    }

    /// Reports a property that a fast path has read, at these bytes of the window. It contains half
    /// of a character that looks like a bracket or an escape.
    pub(super) fn report_bracket_in_character(&mut self, start: usize, end: usize) {
        let base = self.machine.base();
        self.report(Problem::new(
            Code::BracketInCharacter,
            Span::new(base + start as u64, base + end as u64),
        ));
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

    /// Uses the charset that `CA` names for its game (spec CA-01, CA-02, CA-08). Returns false if
    /// the name is unknown.
    fn declared_charset(&mut self, property: Property<'_>) -> bool {
        let Some(charset) = Charset::for_label(property.first().unescaped().trim_ascii()) else {
            return false;
        };
        // The structure of such a charset is not ASCII, but these bytes have been scanned. So they
        // were transcoded, and `CA` names the charset before transcoding.
        let was_transcoded = self.options.is_transcoded
            || !charset.is_scannable() && (self.source == CharsetSource::Bom || charset.is_wide());
        if was_transcoded || self.source >= CharsetSource::Declared {
            return true;
        }
        let (detected, source) = (self.charset, self.source);
        self.set_charset_by(property, charset, CharsetSource::Declared);
        if source == CharsetSource::Overruled {
            // Values still end as `CA` says, so that a skipped game ends where it ends when it is
            // read.
            (self.charset, self.source) = (detected, source);
        }
        true
    }

    /// Sets the charset of Pentobi's games: they are UTF-8 unless `CA` names another charset (spec
    /// P-06). Pentobi's document of 2017 had Latin-1; valid UTF-8 distinguishes the two (PO-02), as
    /// in [`Charset::AUTO`].
    fn game(&mut self, property: Property<'_>) {
        const PENTOBI: [&[u8]; 4] = [b"Blokus", b"Nexos", b"Callisto", b"GembloQ"];
        let name = property.first().as_bytes().trim_ascii();
        let is_open =
            self.source <= CharsetSource::Detected && self.source != CharsetSource::Overruled;
        if is_open && PENTOBI.iter().any(|game| name.starts_with(game)) {
            self.set_charset_by(property, Charset::AUTO, CharsetSource::Detected);
        }
    }

    /// Sets the charset that a property of the root determines. If the property contains bytes
    /// beyond ASCII, the framing stays: the event must have the framing that its values were read
    /// with, because with another framing they could end elsewhere.
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

    /// Returns the part that the machine has just read, whose bytes are `raw`.
    pub(super) fn part<'w>(&self, ident: Ident<'w>, raw: &'w [u8]) -> PropertyPart<'w> {
        let ValuePiece {
            content,
            value,
            first,
            last,
            closed,
        } = self.machine.piece;
        let (framing, charset) = (self.machine.framing, self.charset);
        PropertyPart {
            ident,
            raw,
            value,
            content_start: content,
            framing,
            charset,
            first,
            last,
            closed,
        }
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

    /// Returns the identifier of the property that comes in parts.
    pub(super) fn part_ident(&self) -> &[u8] {
        &self.ident
    }

    /// Returns the span of that identifier in the input.
    pub(super) fn part_ident_span(&self) -> Span {
        Span::new(self.ident_start, self.ident_start + self.ident.len() as u64)
    }
}
