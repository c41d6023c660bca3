//! The first look at a game.

use std::cell::RefCell;
use std::rc::Rc;

use encoding_rs::Decoder;

use crate::check::{AfterRoot, CheckOptions, Checker, Finding, Remedy};
use sgfstream::{Charset, CharsetSource, Code, Property};

use sgfstream::{Event, Flow, Framing, Place, RawValue, Sink};

use super::{CharsetPlan, Choice, PROPERTY, Plan, Repairs};

/// A [`Sink`] that finds the [`Plan`] of each game.
///
/// ```
/// use sgfstream::{EventReader, SliceReader};
/// use sgfstream_adapt::fix::{Choice, Survey};
///
/// let mut survey = Survey::new(Choice::default());
/// SliceReader::new(b"(;FF[3]GM[1];B[aa]AB[bb:cc])").drive(&mut survey)?;
/// assert!(survey.take_plan().states_version);
/// # Ok::<(), sgfstream::Error>(())
/// ```
#[derive(Debug)]
pub struct Survey {
    checker: Checker<'static>,
    texts: Texts,
    seen: Rc<RefCell<Seen>>,
    /// The reader reported something of the game, or gave a piece of a property: only a pass tells what becomes of it.
    is_unsure: bool,
    root: RootSpan,
    /// What the nodes after the root are judged by, if the root is to be repaired.
    after_root: Option<AfterRoot>,
    guesses: bool,
    /// Properties of a later version are a reason to state FF\[4\].
    states_version: bool,
}

/// How far the root of a game goes.
#[derive(Clone, Copy, Debug, Default)]
struct RootSpan {
    nodes: u64,
    has_variation: bool,
    has_gm: bool,
    /// Where the second node begins, if it follows the root directly.
    end: Option<u64>,
}

/// What was found of a game.
#[derive(Debug, Default)]
struct Seen {
    /// Something was found so far, in any game, that is to be repaired, or is left.
    has_findings: bool,
    wanted: Wanted,
    /// The end of the last finding that is to be repaired.
    repaired_to: Option<u64>,
    /// The other findings.
    left: Vec<Finding>,
    /// There are more than are held.
    is_full: bool,
}

/// Findings of a game that are held.
const LEFT_MAX: usize = 4096;

/// What findings ask for.
#[derive(Clone, Copy, Debug, Default)]
struct Wanted {
    version: bool,
    charset: bool,
    utf8: bool,
    /// `IT` or `DO` will be written.
    joined: bool,
}

impl Survey {
    /// A survey that looks for what `choice` wants.
    #[must_use]
    pub fn new(choice: Choice) -> Self {
        let guesses = choice.takes_guesses();
        let states_version = choice.wants(Code::OtherVersionProperty, Code::OtherVersionProperty.severity());
        let seen = Rc::new(RefCell::new(Seen::default()));
        let shared = Rc::clone(&seen);
        let checker = Checker::new(CheckOptions::default(), move |finding| {
            if !choice.wants(finding.code, finding.severity) {
                return;
            }
            let mut seen = shared.borrow_mut();
            seen.has_findings = true;
            if !choice.wants_finding(finding) {
                seen.is_full |= seen.left.len() >= LEFT_MAX;
                if !seen.is_full {
                    seen.left.push(finding.clone());
                }
                return;
            }
            seen.repaired_to = seen.repaired_to.max(Some(finding.span.end));
            let wanted = &mut seen.wanted;
            match (&finding.remedy, finding.code) {
                (Some(Remedy::StateVersion), _) => wanted.version = true,
                (Some(Remedy::StateCharset), Code::CharsetNotAllowed) => wanted.utf8 = true,
                (Some(Remedy::StateCharset), _) => wanted.charset = true,
                (Some(Remedy::Join), _) => wanted.joined = true,
                _ => {}
            }
        });
        let (texts, root) = (Texts::default(), RootSpan::default());
        Self { checker, texts, seen, is_unsure: false, root, after_root: None, guesses, states_version }
    }

    /// The same, for a part of an input. A finding that depends on the games before the part has
    /// [`compared`](Finding::compared).
    #[must_use]
    pub fn for_part(mut self) -> Self {
        self.checker = self.checker.for_part();
        self
    }

    /// False if nothing was found so far of what the choice wants.
    pub(super) fn has_findings(&self) -> bool {
        self.seen.borrow().has_findings
    }

    /// The plan of the game that has ended.
    pub fn take_plan(&mut self) -> Plan {
        self.take_repairs().0
    }

    /// The plan of the game that has ended, and what a pass has to repair in it and in the bytes before it.
    pub fn take_repairs(&mut self) -> (Plan, Repairs) {
        let is_unsure = std::mem::take(&mut self.is_unsure);
        let mut seen = self.seen.borrow_mut();
        let next = Seen { has_findings: seen.has_findings, ..Seen::default() };
        let Seen { wanted, repaired_to, left, is_full, .. } = std::mem::replace(&mut *seen, next);
        drop(seen);
        let plan = self.plan(wanted);
        let changes_root_only = plan == Plan { game: plan.game, ..Plan::default() } && self.root.has_gm;
        let repairs = match (repaired_to, self.root.end) {
            _ if is_unsure || is_full => Repairs::Any,
            (None, _) => Repairs::None(left),
            // Without GM, the nodes after the root may tell which game it is.
            (Some(to), Some(end)) if to <= end && changes_root_only => Repairs::Root(end, left),
            _ => Repairs::Any,
        };
        (plan, repairs)
    }

    /// The checker, which knows the games so far.
    pub(super) fn checker(&self) -> &Checker<'static> {
        &self.checker
    }

    /// What the nodes after the root of the last game are judged by, if its root is to be repaired and that is known.
    pub(super) fn after_root(&self) -> Option<&AfterRoot> {
        self.after_root.as_ref()
    }

    fn plan(&mut self, wanted: Wanted) -> Plan {
        let texts = std::mem::take(&mut self.texts);
        let plan = texts.plan(wanted).filter(|plan| self.guesses || !plan.1);
        // What the repairs write may be newer than the game.
        let checker = &self.checker;
        let is_newer = (plan.is_some() && checker.is_newer(b"CA")) || (wanted.joined && checker.is_newer(b"IT"));
        Plan {
            states_version: wanted.version || (self.states_version && is_newer),
            charset: plan.map(|plan| plan.0),
            is_guess: plan.is_some_and(|plan| plan.1),
            game: Some(checker.dialect().game()),
        }
    }
}

impl Sink for Survey {
    #[inline(always)]
    fn event(&mut self, event: &Event<'_>, place: &Place) -> Flow {
        // A plain move is in ASCII, and after the second node nothing but the checker looks at it.
        if self.root.nodes < 2 || !self.checker.take_plain(event, place) {
            self.take(*event, *place);
        }
        Flow::Go
    }
}

impl Survey {
    //  The event goes by value: a reference to it would put every event into memory.
    #[inline(never)]
    fn take(&mut self, event: Event<'_>, place: Place) {
        self.checker.event(&event, &place);
        self.texts.event(&event, &place);
        let root = &mut self.root;
        match event {
            Event::NodeStart { .. } => {
                root.nodes += 1;
                if root.nodes == 2 && !root.has_variation {
                    root.end = Some(place.span.start);
                    if self.seen.borrow().repaired_to.is_some() {
                        self.after_root = self.checker.after_root();
                    }
                }
            }
            Event::Property(property) => {
                self.is_unsure |= property.as_bytes().len() > PROPERTY;
                root.has_gm |= root.nodes == 1 && property.ident().is(b"GM");
            }
            Event::VariationStart { .. } if place.depth == 1 => {
                *root = RootSpan::default();
                self.after_root = None;
            }
            Event::VariationStart { .. } => root.has_variation = true,
            Event::Problem(_) | Event::PropertyPart(_) => self.is_unsure = true,
            _ => {}
        }
    }
}

/// Bytes of values before the charset is known that are held. If there are more, no other charset is sure to have them.
const EARLY: usize = 64 << 10;

/// True if the value cannot be written in another charset without a loss.
fn is_faulty(value: RawValue<'_>, charset: Charset) -> bool {
    charset.decode(value.as_bytes()).1 || value.with_charset(charset).try_text().1
}

/// True if the value, once it is closed, ends elsewhere where every byte is a character.
fn has_other_end(value: RawValue<'_>) -> bool {
    let (kept, end) = value.closing();
    let closed = [b"X[", kept, end.as_bytes()].concat();
    let property = Property::from_raw(&closed, Framing::Value);
    property.first().as_bytes().len() + "X[]".len() != closed.len()
}

/// What the bytes of a game's texts may be.
#[derive(Debug)]
struct Texts {
    /// Values beyond ASCII that are UTF-8.
    has_utf8: bool,
    /// Values that are not.
    has_other: bool,
    /// Values that are no text in the charset of the game.
    has_faulty: bool,
    /// Values that would end elsewhere, or not, in a charset without characters of two bytes.
    has_other_ends: bool,
    /// Values before the charset was known, up to [`EARLY`].
    early: Vec<u8>,
    charset: Charset,
    source: CharsetSource,
    /// The value that comes in pieces: is it UTF-8 so far, has it more than
    /// ASCII, and the half character at the end of the last piece.
    is_utf8: bool,
    is_beyond_ascii: bool,
    /// A byte beyond ASCII comes before a `\` or `]`, and may be the first half of a character.
    is_ambiguous: bool,
    tail: Vec<u8>,
    /// The decoder of that value.
    decoder: Option<Decoder>,
}

impl Default for Texts {
    fn default() -> Self {
        Self {
            has_utf8: false,
            has_other: false,
            has_faulty: false,
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
            self.has_faulty |= is_faulty(value, self.charset);
            self.has_other_ends |= has_other_end(value);
            self.keep_early(bytes);
            // Not even a `\` at the end of a value joins it to the next.
            self.keep_early(b"\n\n");
        }
    }

    fn keep_early(&mut self, bytes: &[u8]) {
        if self.source < CharsetSource::Declared && self.early.len() <= EARLY {
            self.early.extend_from_slice(bytes);
        }
    }

    /// What was read before is now of this charset.
    fn settle(&mut self, charset: Charset) {
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

    /// What becomes of `CA`, and whether that is a guess: only bytes that are
    /// UTF-8 tell their charset.
    fn plan(&self, wanted: Wanted) -> Option<(CharsetPlan, bool)> {
        use CharsetPlan::{Recode, State};
        if self.source == CharsetSource::Forced || !(wanted.utf8 || wanted.charset) {
            return None;
        }
        let is_open = self.charset == Charset::AUTO || self.charset == Charset::UTF_8;
        // Another charset would put `]` elsewhere: the bytes are not in it.
        let same_ends = |plan: &(CharsetPlan, bool)| {
            !self.has_other_ends || !matches!(plan.0, State(Charset::UTF_8 | Charset::LATIN1))
        };
        let plan = match (self.has_utf8, self.has_other) {
            (_, false) => Some((State(Charset::UTF_8), false)),
            // Bytes that are no text would become U+FFFD, and be lost.
            _ if wanted.utf8 && !is_open => (!self.has_faulty).then_some((Recode(self.charset), false)),
            _ if wanted.utf8 => Some((Recode(Charset::AUTO), true)),
            (true, true) if is_open => Some((Recode(Charset::AUTO), true)),
            (false, true) if is_open => Some((State(Charset::LATIN1), true)),
            // Guessed for games that name none.
            _ if self.source < CharsetSource::Declared => Some((State(self.charset), true)),
            // Another charset was declared, and some bytes are not in it: nothing says what they are.
            _ => None,
        };
        plan.filter(same_ends)
    }
}

impl Sink for Texts {
    #[inline]
    fn event(&mut self, event: &Event<'_>, place: &Place) -> Flow {
        if place.depth > 0 {
            if self.charset != place.charset {
                self.settle(place.charset);
            }
            self.source = place.charset_source;
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

#[cfg(test)]
mod tests {
    use super::*;
    use sgfstream::{EventReader, Property, SliceReader};

    /// What is found of each game, with plain moves told apart at a look or taken as any property is.
    fn surveyed(games: &[u8], is_slow: bool) -> Vec<String> {
        let mut survey = Survey::new(Choice::default());
        let mut found = Vec::new();
        let mut give = |event: &Event<'_>, place: &Place| {
            let flow = match event {
                Event::Property(property) if is_slow => {
                    let ident_len = property.ident().as_bytes().len() as u32;
                    let slow = Property::new(property.as_bytes(), ident_len, property.framing(), false);
                    survey.event(&Event::Property(slow), place)
                }
                event => survey.event(event, place),
            };
            if matches!(event, Event::VariationEnd { .. }) && place.depth == 1 {
                found.push(format!("{:?} {:?}", survey.take_repairs(), survey.after_root()));
            }
            flow
        };
        SliceReader::new(games).drive(&mut give).expect("a slice");
        found
    }

    #[test]
    fn plain_moves_are_surveyed_as_any_property() {
        let words: [&[u8]; 16] = [
            b";B[aa]",
            b";W[bb]",
            b";B[cc]",
            b";W[tt]",
            b";B[]",
            b";B[aa]C[\xe4\xf6]",
            b";W[dd]C[\xc3\xa4]",
            b";N[\xc4\xe3\\]B[ee]",
            b";W[aa]TE[1]BM[1]",
            b";AB[ab]",
            b";KM[6,5]",
            b"(",
            b")",
            b";",
            b";CA[UTF-8]",
            b")(;GM[1]KM[6,5]",
        ];
        let mut number = 1u64;
        for root in
            [&b"(;FF[4]GM[1]"[..], b"(;GM[1]CA[GB2312]", b"(;FF[3]KM[5,5]", b"(;B[aa]W[bb]", b"(;GM[2]CA[UTF-8]"]
        {
            for _ in 0..100 {
                let mut games = root.to_vec();
                for _ in 0..30 {
                    number = number.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                    games.extend_from_slice(words[(number >> 33) as usize % words.len()]);
                }
                assert_eq!(surveyed(&games, false), surveyed(&games, true), "{}", games.escape_ascii());
            }
        }
    }
}
