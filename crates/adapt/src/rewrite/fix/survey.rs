//! Surveys games before their repair, because some changes of a root depend on properties far behind it.

use std::cell::RefCell;
use std::ops::Deref;
use std::rc::Rc;

use encoding_rs::Decoder;

use crate::borders::is_stray;
use crate::check::{CheckOptions, Checker, Finding, Remedy, SourceWindow};
use sgfstream::{
    Charset, CharsetSource, Code, Event, EventReader, Flow, Framing, Place, Position, Property, RawValue, Result, Sink,
};

use super::{CharsetPlan, FixFilter, LEFT_MAX, PROPERTY, Plan};

/// [`Sink`] that collects the findings to repair, and makes the [`Plan`] of each game.
#[derive(Debug)]
pub(super) struct Survey {
    checker: Checker<'static>,
    texts: Texts,
    seen: Rc<RefCell<Seen>>,
    guesses: bool,
    loose: StrayValues,
    /// Whether properties of a later version are a reason to declare FF\[4\].
    states_version: bool,
    held_max: usize,
}

/// A finding, and its line and column if requested.
#[derive(Debug)]
pub(super) struct PlacedFinding {
    finding: Finding,
    pub(super) position: Option<Position>,
}

impl Deref for PlacedFinding {
    type Target = Finding;

    fn deref(&self) -> &Finding {
        &self.finding
    }
}

/// Findings since the last request, and what they require.
#[derive(Debug, Default)]
pub(super) struct SurveyResult {
    /// One plan for each game.
    pub(super) plans: Vec<Plan>,
    /// The selected findings, in order.
    pub(super) findings: Vec<Rc<PlacedFinding>>,
    /// Number of findings without an applicable remedy that were not buffered.
    pub(super) unreported: u64,
    /// Whether more findings are to be repaired than were buffered.
    pub(super) is_cut: bool,
    /// Whether a game has a handicap without its stones.
    pub(super) lacks_stones: bool,
    /// Whether there is something to repair, as far as known before a pass.
    pub(super) has_repairs: bool,
    /// Whether some text is outside of properties.
    pub(super) has_stray_text: bool,
    /// Whether parentheses are unmatched.
    pub(super) is_unbalanced: bool,
    /// Whether stray bytes may belong to more than one property. Then nothing is repaired.
    pub(super) is_ambiguous: bool,
}

#[derive(Debug, Default)]
struct Seen {
    found: SurveyResult,
    /// Number of buffered findings without an applicable remedy.
    left: usize,
    /// Number of buffered findings to repair.
    repaired: usize,
    /// Gives the line and column of a finding.
    trail: Option<SourceWindow>,
    /// Needs of the current game.
    wanted: RepairNeeds,
    /// Whether the survey stops when it has enough findings, instead of skipping some.
    is_part: bool,
}

/// Values without a property in the current node.
#[derive(Clone, Copy, Debug, Default)]
struct StrayValues {
    has_value: bool,
    has_parenthesis: bool,
    /// A value follows the last bare `]`, so it is not the rest of a text.
    is_last: bool,
}

impl StrayValues {
    fn add(&mut self, code: Code) {
        match code {
            Code::IdentifierWithoutCapital | Code::IdentifierTooLong | Code::ValueWithoutIdentifier => {
                (self.has_value, self.is_last) = (true, true);
            }
            Code::StrayBracket => self.is_last = false,
            code => self.has_parenthesis |= is_of_parentheses(code),
        }
    }

    /// Returns whether a value may get the words before it as its property. That also happens if a parenthesis between them
    /// is dropped.
    fn is_ambiguous(self) -> bool {
        self.is_last || (self.has_value && self.has_parenthesis)
    }
}

/// Changes of the root that findings need.
#[derive(Clone, Copy, Debug, Default)]
struct RepairNeeds {
    version: bool,
    charset: bool,
    utf8: bool,
    /// Whether `IT` or `DO` will be written.
    joined: bool,
}

impl Survey {
    /// Returns a survey that collects the findings that `choice` selects. It buffers at most `held_max` of those to repair.
    pub(super) fn new(choice: FixFilter, held_max: usize) -> Self {
        let guesses = choice.takes_guesses();
        let states_version = choice.wants(Code::OtherVersionProperty, Code::OtherVersionProperty.severity());
        let seen = Rc::new(RefCell::new(Seen::default()));
        let shared = Rc::clone(&seen);
        let checker = Checker::new(CheckOptions::default(), move |finding| {
            if !choice.matches(finding) || is_compared(finding.code) {
                return;
            }
            let Seen { found, left, repaired, trail, wanted, is_part } = &mut *shared.borrow_mut();
            let is_repaired = choice.wants_finding(finding);
            let (held, most) = match is_repaired {
                true => (repaired, if *is_part { usize::MAX } else { held_max }),
                false => (left, LEFT_MAX),
            };
            if *held >= most {
                found.unreported += u64::from(!is_repaired);
                found.is_cut |= is_repaired;
            } else {
                *held += 1;
                let position = trail.as_ref().map(|trail| trail.position_of(finding.span.start));
                found.findings.push(Rc::new(PlacedFinding { finding: finding.clone(), position }));
            }
            if !is_repaired {
                return;
            }
            found.has_repairs = true;
            found.lacks_stones |= finding.remedy == Some(Remedy::PlaceHandicap);
            match (&finding.remedy, finding.code) {
                (Some(Remedy::StateVersion), _) => wanted.version = true,
                (Some(Remedy::StateCharset), Code::CharsetNotAllowed) => wanted.utf8 = true,
                (Some(Remedy::StateCharset), _) => wanted.charset = true,
                (Some(Remedy::Join), _) => wanted.joined = true,
                _ => {}
            }
        });
        Self {
            checker,
            texts: Texts::default(),
            seen,
            guesses,
            loose: StrayValues::default(),
            states_version,
            held_max,
        }
    }

    /// Returns the findings about the games of `reader`. If `trail` is given, they have their line and column.
    pub(super) fn look(&mut self, reader: &mut impl EventReader, trail: Option<&SourceWindow>) -> Result<SurveyResult> {
        self.begin(trail, false);
        reader.drive(self)?;
        Ok(self.found())
    }

    /// Starts a survey [part by part](Self::next_findings).
    pub(super) fn begin_parts(&mut self, trail: Option<&SourceWindow>) {
        self.begin(trail, true);
    }

    /// Continues until it has enough findings. Returns them, and the start of the event that they precede; `None` at the end
    /// of the input.
    pub(super) fn next_findings(&mut self, reader: &mut impl EventReader) -> Result<(SurveyResult, Option<u64>)> {
        while self.seen.borrow().repaired < self.held_max {
            if !reader.advance()? {
                return Ok((self.found(), None));
            }
            _ = self.take(&reader.event(), &reader.place());
        }
        // Findings about the last event may still follow.
        Ok((self.found(), Some(reader.span().start)))
    }

    fn begin(&mut self, trail: Option<&SourceWindow>, is_part: bool) {
        self.checker.next_input();
        *self.seen.borrow_mut() = Seen { trail: trail.cloned(), is_part, ..Seen::default() };
    }

    fn found(&mut self) -> SurveyResult {
        let seen = &mut *self.seen.borrow_mut();
        (seen.left, seen.repaired) = (0, 0);
        std::mem::take(&mut seen.found)
    }

    /// No value of the current node follows.
    #[inline(always)]
    fn end_values(&mut self) {
        if std::mem::take(&mut self.loose).is_ambiguous() {
            self.seen.borrow_mut().found.is_ambiguous = true;
        }
    }

    /// A game ends.
    fn end_game(&mut self) {
        let texts = std::mem::take(&mut self.texts);
        let Seen { found, wanted, .. } = &mut *self.seen.borrow_mut();
        let wanted = std::mem::take(wanted);
        let plan = texts.plan(wanted).filter(|plan| self.guesses || !plan.1);
        // The repairs may write properties that are newer than the version of the game.
        let checker = &self.checker;
        let is_newer = (plan.is_some() && checker.is_newer(b"CA")) || (wanted.joined && checker.is_newer(b"IT"));
        found.plans.push(Plan {
            states_version: wanted.version || (self.states_version && is_newer),
            charset: plan.map(|plan| plan.0),
            is_guess: plan.is_some_and(|plan| plan.1),
            game: Some(checker.dialect().game()),
        });
    }
}

impl Sink for Survey {
    const PLAYS: bool = true;

    #[inline(always)]
    fn node(&mut self, place: &Place) -> Flow {
        self.end_values();
        self.checker.node(place)
    }

    #[inline(always)]
    fn play(&mut self, letter: u8, point: [u8; 2], property: &Property<'_>, place: &Place) -> Flow {
        if point.is_ascii() {
            self.checker.play(letter, point, property, place)
        } else {
            self.event(&Event::Property(*property), place)
        }
    }

    fn event(&mut self, event: &Event<'_>, place: &Place) -> Flow {
        self.checker.take(event, place);
        self.texts.event(event, place);
        match event {
            _ if event.ident().is_some()
                && (!matches!(event, Event::Property(_)) || event.as_bytes().len() > PROPERTY) =>
            {
                self.seen.borrow_mut().found.has_repairs = true
            }
            // The survey cannot decide whether the problem needs a repair, so a pass must.
            Event::Problem(problem) => {
                self.loose.add(problem.code);
                let found = &mut self.seen.borrow_mut().found;
                found.has_repairs = true;
                found.has_stray_text |= is_stray(problem.code);
                found.is_unbalanced |= is_of_parentheses(problem.code) || problem.code == Code::UnclosedGame;
            }
            // The end of such a text depends on all bytes before it.
            Event::Gap(bytes) if place.depth > 0 && !bytes.is_ascii() => {
                let is_declared = place.charset_source >= CharsetSource::Declared;
                let is_sure = is_declared && !place.charset.has_structural_trail_bytes();
                self.seen.borrow_mut().found.is_ambiguous |= !is_sure && std::str::from_utf8(bytes).is_err();
            }
            Event::NodeStart { .. } | Event::VariationStart { .. } | Event::VariationEnd { .. } => {
                self.end_values();
                if place.depth == 1 && matches!(event, Event::VariationEnd { .. }) {
                    self.end_game();
                }
            }
            _ => {}
        }
        Flow::Go
    }
}

/// Returns whether the repair of this code drops a parenthesis.
const fn is_of_parentheses(code: Code) -> bool {
    matches!(code, Code::VariationWithoutNode | Code::EmptyVariation | Code::StrayParenthesis)
}

/// Returns whether the code compares a game with earlier ones. Such findings are skipped, because a repair changes one game
/// alone.
fn is_compared(code: Code) -> bool {
    matches!(code, Code::SeveralGames | Code::DifferentVersions | Code::DifferentGames | Code::DifferentCharsets)
}

/// Maximum number of value bytes to buffer before the charset is known. If there are more, the bytes cannot be checked
/// against a charset.
const EARLY: usize = 64 << 10;

/// Returns whether the value cannot be converted to another charset without loss.
fn is_faulty(value: RawValue<'_>, charset: Charset) -> bool {
    charset.decode(value.as_bytes()).1 || value.with_charset(charset).try_text().1
}

/// Returns whether the value would end elsewhere if its charset had one byte for each character.
fn has_other_end(value: RawValue<'_>) -> bool {
    let (kept, end) = value.closing();
    let closed = [b"X[", kept, end.as_bytes()].concat();
    let property = Property::from_raw(&closed, Framing::Value);
    property.first().as_bytes().len() + "X[]".len() != closed.len()
}

/// Evidence about the charset of a game's texts.
#[derive(Debug)]
struct Texts {
    /// Some value beyond ASCII is UTF-8.
    has_utf8: bool,
    /// Some value is not UTF-8.
    has_other: bool,
    /// Some value is invalid in the charset of the game.
    has_faulty: bool,
    /// Some value is damaged UTF-8, so no charset has all of its bytes.
    has_damage: bool,
    /// Some value would not end, or end elsewhere, in a charset without two-byte characters.
    has_other_ends: bool,
    /// Values before the charset was known, up to [`EARLY`].
    early: Vec<u8>,
    charset: Charset,
    source: CharsetSource,
    /// State of a value that comes in pieces: whether it is UTF-8 so far, whether it goes beyond ASCII, and the incomplete
    /// character at the end of the last piece.
    is_utf8: bool,
    is_beyond_ascii: bool,
    /// A byte beyond ASCII precedes a `\` or `]`, so the two may be one character.
    is_ambiguous: bool,
    tail: Vec<u8>,
    /// Decoder of that value.
    decoder: Option<Decoder>,
}

impl Default for Texts {
    fn default() -> Self {
        Self {
            has_utf8: false,
            has_other: false,
            has_faulty: false,
            has_damage: false,
            has_other_ends: false,
            early: Vec::new(),
            charset: Charset::AUTO,
            source: CharsetSource::Default,
            is_utf8: true,
            is_beyond_ascii: false,
            is_ambiguous: false,
            tail: Vec::new(),
            decoder: None,
        }
    }
}

impl Texts {
    fn value(&mut self, value: RawValue<'_>) {
        let bytes = value.as_bytes();
        if !bytes.is_ascii() {
            let is_utf8 = std::str::from_utf8(bytes).is_ok();
            self.has_utf8 |= is_utf8;
            self.has_other |= !is_utf8;
            self.has_damage |= !is_utf8 && Charset::AUTO.decode(bytes).1;
            self.has_faulty |= is_faulty(value, self.charset);
            self.has_other_ends |= has_other_end(value);
            self.keep_early(bytes);
            // Separate the values, so that a `\` at the end of one does not join it to the next.
            self.keep_early(b"\n\n");
        }
    }

    fn keep_early(&mut self, bytes: &[u8]) {
        if self.source < CharsetSource::Declared && self.early.len() <= EARLY {
            self.early.extend_from_slice(bytes);
        }
    }

    /// Checks the bytes so far against this charset.
    fn resolve_charset(&mut self, charset: Charset) {
        self.charset = charset;
        let early = RawValue::new(&self.early, Framing::Auto);
        self.has_faulty = self.early.len() > EARLY || is_faulty(early, charset);
    }

    fn piece(&mut self, bytes: &[u8], first: bool, last: bool) {
        if first {
            (self.is_utf8, self.is_beyond_ascii, self.is_ambiguous) = (true, false, false);
            self.tail.clear();
            self.decoder = self.charset.encoding().map(|encoding| encoding.new_decoder_without_bom_handling());
        }
        if let Some(decoder) = &mut self.decoder {
            let mut text =
                String::with_capacity(decoder.max_utf8_buffer_length(bytes.len()).unwrap_or(bytes.len() * 3 + 16));
            self.has_faulty |= decoder.decode_to_string(bytes, &mut text, last).2;
        }
        self.keep_early(bytes);
        self.is_beyond_ascii |= !bytes.is_ascii();
        self.tail.extend_from_slice(bytes);
        let whole = match std::str::from_utf8(&self.tail) {
            Ok(text) => text.len(),
            Err(err) => {
                self.is_utf8 &= err.error_len().is_none() && !last;
                if self.is_utf8 { err.valid_up_to() } else { self.tail.len() }
            }
        };
        self.tail.drain(..whole);
        let after_high = |pair: &[u8]| pair[0] >= 0x80 && matches!(pair[1], b'\\' | b']');
        self.is_ambiguous |= bytes.windows(2).any(after_high);
        if last && self.is_beyond_ascii {
            self.has_other_ends |= self.is_ambiguous && (!self.is_utf8 || self.charset.has_structural_trail_bytes());
            self.has_utf8 |= self.is_utf8;
            self.has_other |= !self.is_utf8;
        }
    }

    /// Returns the change of `CA`, and whether it is a guess. Only bytes that are UTF-8 determine their charset.
    fn plan(&self, wanted: RepairNeeds) -> Option<(CharsetPlan, bool)> {
        use CharsetPlan::{Recode, State};
        if self.source == CharsetSource::Forced || !(wanted.utf8 || wanted.charset) {
            return None;
        }
        let is_open = self.charset == Charset::AUTO || self.charset == Charset::UTF_8;
        // In another charset a `]` would lie elsewhere, so the bytes are not in that charset.
        let same_ends = |plan: &(CharsetPlan, bool)| {
            !self.has_other_ends || !matches!(plan.0, State(Charset::UTF_8 | Charset::LATIN1))
        };
        let plan = match (self.has_utf8, self.has_other) {
            (_, false) => Some((State(Charset::UTF_8), false)),
            _ if is_open && self.has_damage => None,
            // The conversion would replace invalid bytes with U+FFFD and lose them.
            _ if wanted.utf8 && !is_open => (!self.has_faulty).then_some((Recode(self.charset), false)),
            _ if wanted.utf8 => Some((Recode(Charset::AUTO), true)),
            (true, true) if is_open => Some((Recode(Charset::AUTO), true)),
            (false, true) if is_open => Some((State(Charset::LATIN1), true)),
            // The charset of games that declare none was guessed.
            _ if self.source < CharsetSource::Declared => Some((State(self.charset), true)),
            // The declared charset does not fit some bytes, and nothing shows which one does.
            _ => None,
        };
        plan.filter(same_ends)
    }
}

impl Sink for Texts {
    #[inline]
    fn event(&mut self, event: &Event<'_>, place: &Place) -> Flow {
        if place.depth > 0 {
            let (charset, source) = place.sure_charset();
            if self.charset != charset {
                self.resolve_charset(charset);
            }
            self.source = source;
        }
        match event {
            Event::Property(property) if !property.as_bytes().is_ascii() => {
                property.values().for_each(|value| self.value(value));
            }
            Event::PropertyPart(part) => {
                self.piece(part.content().as_bytes(), part.is_value_start(), part.is_value_end());
            }
            _ => {}
        }
        Flow::Go
    }
}
