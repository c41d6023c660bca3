//! The machine with what it must know of a game: the charset its root
//! declares, and whether it says FF\[4\]. The three ways in share it.

use crate::base::{Charset, CharsetSource, Code, Problem, Span};
use crate::event::{Ident, Property, PropertyPart};
use crate::scan::{Found, Framing, Machine, Piece, Step, Token};

use super::options::{FramingPolicy, Options};

/// Said behind a property, before anything else.
const SAID_AT_ONCE: usize = 4;

#[derive(Clone, Debug)]
pub(super) struct Parser {
    pub(super) machine: Machine,
    options: Options,
    charset: Charset,
    source: CharsetSource,
    /// The root of this game says `FF[4]` or more.
    is_ff4: bool,
    /// The first identifier with lowercase letters in a root that has not
    /// said its FF yet.
    lowercase: Option<Span>,
    said: [Option<Problem>; SAID_AT_ONCE],
    /// The identifier of the property that is given in parts, and where it
    /// stands in the input.
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
            is_ff4: false,
            lowercase: None,
            said: [None; SAID_AT_ONCE],
            ident: Vec::new(),
            ident_start: 0,
        };
        parser.begin_game();
        parser
    }

    /// The next token of `window`, the slow and complete way.
    #[inline(never)]
    pub(super) fn step(&mut self, window: &[u8], last: bool) -> Step {
        for said in &mut self.said {
            if let Some(problem) = said.take() {
                return Step::Token(self.machine.say(problem));
            }
        }
        let step = self.machine.step(window, last);
        if let Step::Token(token) = step {
            self.look_at(window, token);
        }
        step
    }

    /// What a token of the slow way says of its game.
    fn look_at(&mut self, window: &[u8], token: Token) {
        match token {
            Token::Property(found) => self.look_at_property(window, found),
            Token::Part(piece) => self.look_at_part(window, piece),
            Token::VariationStart(_) if self.machine.open() == 1 => self.begin_game(),
            _ => {}
        }
    }

    /// A game begins: what was known of the last one is forgotten.
    pub(super) fn begin_game(&mut self) {
        self.is_ff4 = false;
        self.lowercase = None;
        (self.charset, self.source) = match self.options.charset {
            Some(charset) => (charset, CharsetSource::Forced),
            None if std::mem::take(&mut self.machine.bom) => (Charset::UTF_8, CharsetSource::Bom),
            None => match self.options.fallback {
                Some(charset) => (charset, CharsetSource::Detected),
                None => (Charset::AUTO, CharsetSource::Default),
            },
        };
        self.set_framing();
    }

    fn set_framing(&mut self) {
        let by_characters = |charset: Charset| match charset.encoding() {
            Some(encoding) if encoding == encoding_rs::SHIFT_JIS => Framing::ShiftJis,
            _ => Framing::Pairs,
        };
        let known = self.source != CharsetSource::Default;
        self.machine.framing = match self.options.framing {
            FramingPolicy::Value => Framing::Value,
            _ if known && !self.charset.has_structural_trail_bytes() => Framing::Value,
            FramingPolicy::Whole if known => by_characters(self.charset),
            FramingPolicy::Whole | FramingPolicy::Auto => Framing::Auto,
        };
    }

    /// A property came by the slow way: what does it say of its game?
    fn look_at_property(&mut self, window: &[u8], found: Found) {
        let ident = Ident::new(&window[found.start..found.start + found.ident_len as usize]);
        let span = self.machine.span();
        let in_root = self.machine.is_in_root();
        let was_ff4 = self.is_ff4;
        let property = self.property(window, found);
        if in_root && ident.is(b"FF") {
            self.look_at_version(property);
        }
        if let Some(problem) = self.look_at_lowercase(ident, span.start, was_ff4, in_root) {
            self.say(problem);
        }
        if in_root && ident.is(b"CA") {
            if !self.look_at_charset(property) {
                self.say(Problem::new(Code::UnknownCharset, span));
            }
        } else if in_root && ident.is(b"GM") {
            self.look_at_game(property);
        }
        if std::mem::take(&mut self.machine.glued) {
            self.say(Problem::new(Code::BracketInCharacter, span));
        }
    }

    /// The same for a property of the root whose identifier is plain, found by
    /// the fast path. False, and nothing done, if a problem is to be said.
    pub(super) fn look_at_plain(&mut self, window: &[u8], found: Found) -> bool {
        let property = self.property(window, found);
        match property.ident().as_bytes() {
            b"FF" if self.lowercase.is_none() => self.look_at_version(property),
            b"CA" => return self.look_at_charset(property),
            b"GM" => self.look_at_game(property),
            _ => return false,
        }
        true
    }

    /// Lowercase in an identifier is legal below FF\[4\] (spec I-02); and the
    /// root's FF may stand behind it.
    fn look_at_lowercase(&mut self, ident: Ident<'_>, start: u64, was_ff4: bool, in_root: bool) -> Option<Problem> {
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

    /// Where an identifier begins that the root's FF may make faulty.
    pub(super) fn lowercase_from(&self) -> Option<u64> {
        self.lowercase.map(|span| span.start)
    }

    fn look_at_part(&mut self, window: &[u8], piece: Piece) {
        if piece.first && piece.value == 0 {
            let raw = &window[piece.start..piece.end];
            let len = raw.iter().take_while(|byte| byte.is_ascii_alphanumeric()).count();
            self.ident.clear();
            self.ident.extend_from_slice(&raw[..len]);
            self.ident_start = self.machine.span().start;
            let in_root = self.machine.is_in_root_parts();
            let ident = Ident::new(&raw[..len]);
            if let Some(problem) = self.look_at_lowercase(ident, self.ident_start, self.is_ff4, in_root) {
                self.say(problem);
            }
        }
        if std::mem::take(&mut self.machine.glued) {
            self.say(Problem::new(Code::BracketInCharacter, self.machine.span()));
        }
    }

    // FF number 1..4, default 1      (spec R-01)
    fn look_at_version(&mut self, property: Property<'_>) {
        self.is_ff4 |= property.first().as_bytes().trim_ascii() == b"4";
    }

    /// `CA` names the charset of its game (spec CA-01, CA-02, CA-08). False if
    /// the name is not known.
    fn look_at_charset(&mut self, property: Property<'_>) -> bool {
        let Some(charset) = Charset::for_label(property.first().unescaped().trim_ascii()) else {
            return false;
        };
        // Its structure is not ASCII, and these bytes have been scanned: they
        // were transcoded, and what the file says was true before.
        let was_transcoded = !charset.is_scannable() && (self.source == CharsetSource::Bom || charset.is_wide());
        if was_transcoded {
            return true;
        }
        if self.source < CharsetSource::Declared {
            self.charset = charset;
            self.source = CharsetSource::Declared;
            self.set_framing();
        }
        true
    }

    /// Pentobi's games are UTF-8 unless they say otherwise (spec P-06); its
    /// document of 2017 had Latin-1, and valid UTF-8 tells them apart (PO-02),
    /// which is what [`Charset::AUTO`] does.
    fn look_at_game(&mut self, property: Property<'_>) {
        const PENTOBI: [&[u8]; 4] = [b"Blokus", b"Nexos", b"Callisto", b"GembloQ"];
        let name = property.first().as_bytes().trim_ascii();
        if self.source <= CharsetSource::Detected && PENTOBI.iter().any(|game| name.starts_with(game)) {
            self.charset = Charset::AUTO;
            self.source = CharsetSource::Detected;
            self.set_framing();
        }
    }

    fn say(&mut self, problem: Problem) {
        if let Some(free) = self.said.iter_mut().find(|said| said.is_none()) {
            *free = Some(problem);
            self.machine.hold_back();
        }
    }

    fn property<'w>(&self, window: &'w [u8], found: Found) -> Property<'w> {
        Property::new(&window[found.start..found.end], found.ident_len, self.machine.framing, found.simple)
    }

    pub(super) fn part<'w>(&self, ident: Ident<'w>, window: &'w [u8], piece: Piece) -> PropertyPart<'w> {
        PropertyPart {
            ident,
            raw: &window[piece.start..piece.end],
            value: piece.value,
            content_start: piece.content,
            framing: self.machine.framing,
            charset: self.charset,
            first: piece.first,
            last: piece.last,
            closed: piece.closed,
        }
    }

    pub(super) fn charset(&self) -> Charset {
        self.charset
    }

    pub(super) fn charset_source(&self) -> CharsetSource {
        self.source
    }

    /// The identifier of the property that is given in parts.
    pub(super) fn part_ident(&self) -> &[u8] {
        &self.ident
    }

    /// Where that identifier stands in the input.
    pub(super) fn part_ident_span(&self) -> Span {
        Span::new(self.ident_start, self.ident_start + self.ident.len() as u64)
    }
}
