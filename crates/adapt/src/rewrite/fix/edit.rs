//! The repairs as an edit of the rewriting: it knows all findings of the games.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::rc::Rc;

use crate::check::Remedy;
use sgfstream::{Code, Framing, Ident, Property, escape_bytes};
use sgfstream_game::{Definition, PropertyType, ValueType};

use super::super::keep::{Comment, DisplacedValues};
use super::super::unit::LooseText;
use super::super::utf8::Utf8;
use super::super::{Context, Edit, Next, PropertyId, Unit, UnitKind, upgrade};
use super::fix_filter::is_guess;
use super::marks::OpenVariations;
use super::remedies::Remedies;
use super::survey::Found;
use super::{CharsetPlan, FixFilter, Outcome, Plan};

/// Findings that go into a [`Fix`], and what comes out of it.
#[derive(Debug, Default)]
pub(super) struct FindingQueue {
    /// Findings of the units to come.
    pub(super) findings: VecDeque<Rc<Found>>,
    /// More will be added before the units that they are about.
    pub(super) has_more: bool,
    /// Findings and what became of them, in the order of the units.
    pub(super) outcomes: Vec<(Rc<Found>, Outcome)>,
    /// Some repair may change a board, or whose turn it is.
    pub(super) touches_board: bool,
}

#[derive(Default)]
pub(super) struct Fix {
    choice: FixFilter,
    queue: Rc<RefCell<FindingQueue>>,
    /// The plans of the games to come.
    plans: VecDeque<Plan>,
    marks: OpenVariations,
    /// The plan of the game at hand.
    plan: Plan,
    /// Findings of the `(` of the game, until its root is mended.
    of_game: Vec<Rc<Found>>,
    /// The unit before was a `(` that the reader supplied.
    after_supplied: bool,
    had_game: bool,
    utf8: Utf8,
}

impl Fix {
    /// The edit that repairs the findings of the queue. `had_game`: games come before.
    pub(super) fn new(choice: FixFilter, plans: Vec<Plan>, had_game: bool) -> Self {
        Self { choice, plans: plans.into(), had_game, ..Self::default() }
    }

    /// The queue, to be filled.
    pub(super) fn queue(&self) -> Rc<RefCell<FindingQueue>> {
        Rc::clone(&self.queue)
    }

    fn tell(&self, finding: Rc<Found>, outcome: Outcome) {
        self.queue.borrow_mut().outcomes.push((finding, outcome));
    }

    /// Store of values that leave their place.
    fn kept(&self) -> DisplacedValues {
        DisplacedValues::new(self.choice.keeps_in_comments())
    }

    /// The findings of this unit that are to be repaired: all that were not of the units before it. The others are left.
    fn findings_before(&self, end: u64) -> Vec<Rc<Found>> {
        let FindingQueue { findings, outcomes, .. } = &mut *self.queue.borrow_mut();
        // Findings come node by node.
        let count = findings.iter().take_while(|finding| finding.span.start < end).count();
        let (here, left) = findings.drain(..count).partition(|finding| self.choice.wants_finding(finding));
        outcomes.extend(Vec::into_iter(left).map(|finding| (finding, Outcome::Left)));
        here
    }

    fn mend(&mut self, unit: &mut Unit, at: &Context, next: &mut Next<'_>) {
        if unit.kind() == UnitKind::Open && at.depth == 1 {
            self.plan = self.plans.pop_front().unwrap_or_default();
            self.had_game = true;
        }
        // Moves may show that a game without `GM` is none of Go.
        let at = &Context { game: self.plan.game.unwrap_or(at.game), ..*at };
        let mut findings = self.findings_before(unit.end_in_input());
        if findings.iter().any(|finding| matches!(finding.remedy, Some(Remedy::AsRead | Remedy::SplitNode))) {
            self.queue.borrow_mut().touches_board = true;
        }
        self.mend_marks(unit, at);
        // Before another property comes after the value.
        if unit.is_node()
            && unit.problems().iter().any(|problem| problem.code == Code::UnclosedValue)
            && self.choice.wants_as_read(Code::UnclosedValue)
        {
            unit.close_last_value();
        }
        let mended = self.repair_stray_text(unit, at, &mut findings);
        if at.in_root && mended != StrayTextRepair::All {
            // A property before a text that is left may get a value of it, and a charset may end it elsewhere.
            self.plan = Plan { game: self.plan.game, ..Plan::default() };
        }
        // The root decides about its plan.
        if unit.kind() == UnitKind::Open && at.depth == 1 {
            self.of_game = std::mem::take(&mut findings);
        } else {
            findings.splice(0..0, self.of_game.drain(..));
        }
        let mut nodes = if unit.is_node() {
            self.mend_node(unit, at, findings, mended)
        } else {
            findings.into_iter().for_each(|finding| self.tell_by_plan(finding, mended));
            Vec::new()
        };
        self.push(unit, at, next);
        let after_root = Context { in_root: false, ..*at };
        for node in &mut nodes {
            self.push(node, &after_root, next);
        }
    }

    /// Mends a node, and returns the nodes that are split off.
    fn mend_node(
        &mut self,
        unit: &mut Unit,
        at: &Context,
        mut findings: Vec<Rc<Found>>,
        mended: StrayTextRepair,
    ) -> Vec<Unit> {
        // The version that will be stated has empty passes.
        let states_version = self.plan.states_version;
        let passes = findings.extract_if(.., |finding| states_version && finding.code == Code::EmptyPassInOldVersion);
        passes.for_each(|finding| self.tell(finding, Outcome::Repaired));
        // The node ends where the text does. The next pass finds again what is wrong with each of the two.
        if findings.iter().any(|finding| finding.code == Code::SwallowedNode) {
            findings.retain(|finding| finding.code == Code::SwallowedNode);
        }
        let mut nodes = Vec::new();
        if !findings.is_empty() {
            let kept = (mended == StrayTextRepair::All).then(|| self.kept());
            let mut remedies = Remedies::new(unit, at, findings, kept);
            nodes = remedies.apply();
            self.queue.borrow_mut().touches_board |= remedies.touches_board();
            let done = remedies.into_done();
            for (finding, is_done) in done {
                match is_done {
                    Some(true) if is_guess(&finding) => self.tell(finding, Outcome::Guessed),
                    Some(true) => self.tell(finding, Outcome::Repaired),
                    Some(false) => self.tell(finding, Outcome::Left),
                    None => self.tell_by_plan(finding, mended),
                }
            }
        }
        // What FF[1] to FF[3] meant by these would be lost in FF[4].
        if self.plan.states_version && at.has_ff && at.ff < 4 {
            upgrade::old_markup(unit, at, unit.is_whole_node());
        }
        if at.in_root && unit.begins_node() {
            if self.plan.states_version {
                unit.set_property(b"FF", b"4", unit.first());
            }
            if let Some(CharsetPlan::State(charset)) = self.plan.charset {
                unit.set_property(b"CA", stated_name(charset).as_bytes(), unit.after_version_and_game());
            }
        }
        nodes
    }

    /// Tells the outcome of a finding by the plan of the game, or by the reader.
    fn tell_by_plan(&self, finding: Rc<Found>, mended: StrayTextRepair) {
        let (is_repaired, is_guess) = match finding.remedy {
            Some(Remedy::StateVersion) => (self.plan.states_version, false),
            Some(Remedy::StateCharset) => (self.plan.charset.is_some(), self.plan.is_guess),
            Some(Remedy::AsRead) => {
                let is_text = matches!(
                    finding.code,
                    Code::StrayBracket | Code::UnexpectedText | Code::IdentifierWithoutValue | Code::UnclosedIdentifier
                );
                (
                    mended == StrayTextRepair::All || (mended == StrayTextRepair::OpenVariations && !is_text),
                    is_guess(&finding),
                )
            }
            _ => (false, false),
        };
        let outcome = match (is_repaired, is_guess) {
            (false, _) => Outcome::Left,
            (true, false) => Outcome::Repaired,
            (true, true) => Outcome::Guessed,
        };
        self.tell(finding, outcome);
    }

    /// Writes what the reader supplied.
    fn mend_marks(&mut self, unit: &mut Unit, at: &Context) {
        let Some(supplied) = unit.is_supplied() else { return };
        let after_supplied = std::mem::take(&mut self.after_supplied);
        let is_written = match unit.kind() {
            UnitKind::Open => {
                self.after_supplied = supplied;
                self.marks.open(supplied, at.depth, &self.choice)
            }
            UnitKind::Close => self.marks.close(supplied, &self.choice),
            _ => supplied && self.marks.node(after_supplied, at.in_root, &self.choice),
        };
        if supplied && is_written {
            unit.write_supplied();
        }
    }

    /// Mends what no reader understands. The rest of a text after a bare `]` goes back to the text, with `\]` before it;
    /// other words of a node are kept; parentheses and brackets without their partners are left out.
    ///
    /// Left are what looks like a property or a move, and words for which there is no space; those that would be others in
    /// the charset of the game, the survey leaves with all of the piece. Left with all that is around it is text outside games
    /// where it would become a game at the start of a line (`);B[aa])`), or where a mark of the byte order in it says how the
    /// next game is read.
    fn repair_stray_text(&self, unit: &mut Unit, at: &Context, findings: &mut Vec<Rc<Found>>) -> StrayTextRepair {
        let texts = unit.loose_texts();
        if texts.is_empty() {
            return StrayTextRepair::All;
        }
        let drop = |&(byte, problem): &(u8, Option<Code>)| self.without_noise(byte, problem, at);
        if at.depth == 0 {
            if texts.iter().any(|text| self.is_to_be_left(&text.bytes, drop)) {
                return StrayTextRepair::Nothing;
            }
            texts.iter().for_each(|text| unit.replace_loose_text(text, |each| drop(each)));
            return StrayTextRepair::All;
        }
        let mut words = Vec::new();
        let rests: Option<Vec<_>> = texts.iter().map(|text| self.rest_of_text(unit, text, &mut words, at)).collect();
        let words = words.trim_ascii();
        let is_blank = |c: char| c.is_whitespace() || c == '\u{FEFF}';
        let words = if at.charset.decode(words).0.chars().all(is_blank) { b"" } else { words };
        let Some(rests) = rests.filter(|_| words.is_empty() || self.kept().fits(unit)) else {
            for text in &texts {
                unit.replace_loose_text(text, |each| {
                    if matches!(each.0, b'(' | b')' | 0) { drop(each) } else { Some(each.0) }
                });
            }
            return StrayTextRepair::OpenVariations;
        };
        for (text, rest) in texts.iter().zip(rests) {
            let mut skipped = 0;
            if let Some((id, raw, rest_len)) = rest {
                let property = unit.property(id);
                let (framing, len) =
                    property.map_or((Framing::Value, 0), |it| (it.framing(), it.as_bytes().len() as u64));
                // What was found of the value is of the part that was read. The next pass finds it again.
                let start = unit.place_in_input(id);
                findings.retain(|finding| !(start..start + len).contains(&finding.span.start));
                unit.replace(id, &raw, framing);
                skipped = rest_len;
            }
            unit.replace_loose_text(text, |each| {
                if skipped > 0 {
                    skipped -= 1;
                    None
                } else {
                    drop(each)
                }
            });
        }
        if !words.is_empty() {
            let mut kept = self.kept();
            kept.add(Comment::Node, b"", &escape_bytes(words), Framing::Value);
            kept.write(unit);
        }
        StrayTextRepair::All
    }

    /// The property before a loose text with the rest of its value, and how much of the text that is; if there is such a
    /// rest. Other words are added to `words`. None if the text is to be left.
    fn rest_of_text(
        &self,
        unit: &Unit,
        text: &LooseText,
        words: &mut Vec<u8>,
        at: &Context,
    ) -> Option<Option<(PropertyId, Vec<u8>, usize)>> {
        let mut rest = None;
        let bytes = &text.bytes[..];
        let last = bytes.iter().rposition(|&(_, code)| code == Some(Code::StrayBracket));
        let has_words = |bytes: &[(u8, _)]| bytes.iter().any(|&(byte, _)| !is_blank_or_mark(byte) && byte != b']');
        if let Some(last) = last.filter(|&last| has_words(&bytes[..last])) {
            let before = text.before.filter(|_| self.choice.wants_as_read(Code::StrayBracket))?;
            let lost: Vec<u8> = bytes[..last].iter().map(|(byte, _)| *byte).collect();
            rest = Some((before, with_rest(unit.property(before)?, &lost, at)?, last + 1));
        }
        for &(byte, code) in &bytes[rest.as_ref().map_or(0, |rest| rest.2)..] {
            match self.without_noise(byte, code, at) {
                // It may be a move (`b[cd]`).
                _ if byte == b'[' => return None,
                None if !matches!(byte, b'(' | b')' | b']' | 0) => words.push(byte),
                Some(byte) if !is_blank_or_mark(byte) => {}
                _ if words.last().is_some_and(|&last| last != b' ') => words.push(b' '),
                _ => {}
            }
        }
        words.extend(words.last().is_some_and(|&last| last != b' ').then_some(b' '));
        Some(rest)
    }

    /// True for text outside games that is left as it is, if `drop` leaves out some of it.
    fn is_to_be_left(&self, bytes: &[(u8, Option<Code>)], drop: impl Fn(&(u8, Option<Code>)) -> Option<u8>) -> bool {
        let is_dropped = |each: &(u8, Option<Code>)| drop(each).is_none();
        // At the start of an input, two bytes may be a mark of UTF-16.
        if !self.had_game
            && bytes.iter().any(is_dropped)
            && bytes.iter().any(|each| each.0 >= 0x80 && !is_dropped(each))
        {
            return true;
        }
        let mut last_dropped = [0; 3];
        // What comes after a game is in the middle of its line.
        let (mut is_line_start, mut is_cut) = (!self.had_game, false);
        bytes.iter().any(|each| {
            match drop(each) {
                Some(b'\r' | b'\n') => (is_line_start, is_cut) = (true, false),
                Some(byte) if is_blank_or_mark(byte) || each.1 == Some(Code::WideEncoding) => {}
                Some(left) => {
                    let begins_game = left == b';' && is_line_start && is_cut;
                    is_line_start = false;
                    return begins_game;
                }
                None => {
                    is_cut = true;
                    last_dropped = [last_dropped[1], last_dropped[2], each.0];
                    return last_dropped == *b"\xEF\xBB\xBF";
                }
            }
            false
        })
    }

    /// The byte that takes the place of one outside properties.
    fn without_noise(&self, byte: u8, problem: Option<Code>, at: &Context) -> Option<u8> {
        let wants = |codes: &[Code]| codes.iter().all(|&code| self.choice.wants_as_read(code));
        match problem {
            Some(code) if !self.choice.wants_as_read(code) => Some(byte),
            Some(Code::NulByte) => Some(b' '),
            Some(_) => None,
            None if byte == b')' => (!wants(&[Code::VariationWithoutNode])).then_some(byte),
            None if is_blank_or_mark(byte) => Some(byte),
            // Text so long that what the reader says of it comes with a later piece.
            None => {
                let drops_rest = match (at.depth, self.had_game) {
                    (0, false) => wants(&[Code::TextBeforeGame]),
                    (0, true) => wants(&[Code::TextAfterGame]),
                    _ => wants(&[Code::UnexpectedText]),
                };
                (!drops_rest).then_some(byte)
            }
        }
    }

    fn push(&mut self, unit: &mut Unit, at: &Context, next: &mut Next<'_>) {
        if let Some(CharsetPlan::Recode(charset)) = self.plan.charset
            && unit.is_node()
        {
            self.utf8.recode(unit, &Context { charset, ..*at }, next);
        }
        next.push(unit);
    }
}

/// Repairs of the loose texts of a unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum StrayTextRepair {
    All,
    /// Parentheses and bytes 0x00.
    OpenVariations,
    Nothing,
}

/// A property to whose last value `rest` belongs, which follows its bare `]`. None if its values are no texts, or nothing
/// says where the text would end.
fn with_rest(property: Property<'_>, rest: &[u8], at: &Context) -> Option<Vec<u8>> {
    let definition = at.definition(&property.ident().canonical()).map(|found| found.definition);
    let is_text = |definition: &Definition| match definition.value_type {
        // Another one would make another game of this.
        _ if definition.property_type == PropertyType::Root => false,
        ValueType::Compose(_, second) => second.is_text(),
        ValueType::Either(_, ValueType::Compose(_, second)) => second.is_text(),
        value_type => value_type.is_text(),
    };
    let content = property.as_bytes().strip_suffix(b"]")?;
    let is_ambiguous = |pair: &[u8]| pair[0] >= 0x80 && matches!(pair[1], b'\\' | b']');
    if !definition.is_none_or(is_text) || rest.windows(2).any(is_ambiguous) {
        return None;
    }
    let mut raw = [content, b"\\]"].concat();
    let mut is_escaped = false;
    for &byte in rest {
        if byte == b']' && !is_escaped {
            raw.push(b'\\');
        }
        is_escaped = byte == b'\\' && !is_escaped;
        raw.push(byte);
    }
    raw.push(b']');
    (!is_escaped).then_some(raw)
}

/// All controls are blanks to the reader, and a mark of the byte order is no text.
const fn is_blank_or_mark(byte: u8) -> bool {
    byte <= b' ' || matches!(byte, 0xEF | 0xBB | 0xBF)
}

/// `ISO-8859-1` is the name that `CA` has for it.
fn stated_name(charset: sgfstream::Charset) -> &'static str {
    if charset == sgfstream::Charset::LATIN1 { "ISO-8859-1" } else { charset.name() }
}

impl Edit for Fix {
    fn name(&self) -> &'static str {
        "fix"
    }

    fn unit(&mut self, unit: &mut Unit, at: &Context, next: &mut Next<'_>) {
        self.mend(unit, at, next);
    }

    fn end(&mut self, _: &mut Next<'_>) {
        let rest = self.findings_before(u64::MAX);
        let of_game = std::mem::take(&mut self.of_game);
        of_game.into_iter().chain(rest).for_each(|finding| self.tell_by_plan(finding, StrayTextRepair::All));
    }

    fn settles(&self) -> bool {
        false
    }

    fn passes(&self, _: Ident<'_>, _: &Context) -> bool {
        let is_recoded = matches!(self.plan.charset, Some(CharsetPlan::Recode(_)));
        let queue = self.queue.borrow();
        queue.findings.is_empty() && !queue.has_more && !self.plan.states_version && !is_recoded
    }
}
