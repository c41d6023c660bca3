//! The edit that repairs games, by the findings about them.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::rc::Rc;

use crate::check::Remedy;
use sgfstream::{Code, Framing, Ident, escape_bytes};

use super::super::keep::{Comment, DisplacedValues};
use super::super::unit::StrayText;
use super::super::utf8::Utf8;
use super::super::{Context, Edit, NextEdit, Unit, UnitKind, upgrade};
use super::fix_filter::is_guess;
use super::open_variations::OpenVariations;
use super::remedies::Remedies;
use super::survey::PlacedFinding;
use super::{CharsetPlan, FixFilter, Outcome, Plan};

/// Findings as the input of a [`Fix`], and their outcomes as its output.
#[derive(Debug, Default)]
pub(super) struct FindingQueue {
    /// Findings about the units to come.
    pub(super) findings: VecDeque<Rc<PlacedFinding>>,
    /// Whether more findings will be added before the rewriter reaches their units.
    pub(super) has_more: bool,
    /// Findings with their outcomes, in the order of the units.
    pub(super) outcomes: Vec<(Rc<PlacedFinding>, Outcome)>,
    /// Whether a repair may have changed a board or whose turn it is.
    pub(super) touches_board: bool,
}

#[derive(Default)]
pub(super) struct Fix {
    choice: FixFilter,
    queue: Rc<RefCell<FindingQueue>>,
    /// Plans of the games to come.
    plans: VecDeque<Plan>,
    marks: OpenVariations,
    /// The plan of the current game.
    plan: Plan,
    /// Findings about the `(` of the game. They wait until the root is repaired.
    of_game: Vec<Rc<PlacedFinding>>,
    /// Whether the unit before was an inserted `(`.
    after_supplied: bool,
    had_game: bool,
    utf8: Utf8,
}

impl Fix {
    /// Returns the edit that repairs the findings of its queue. `had_game` says whether games precede.
    pub(super) fn new(choice: FixFilter, plans: Vec<Plan>, had_game: bool) -> Self {
        Self { choice, plans: plans.into(), had_game, ..Self::default() }
    }

    /// Returns the queue, which the caller fills.
    pub(super) fn queue(&self) -> Rc<RefCell<FindingQueue>> {
        Rc::clone(&self.queue)
    }

    fn tell(&self, finding: Rc<PlacedFinding>, outcome: Outcome) {
        self.queue.borrow_mut().outcomes.push((finding, outcome));
    }

    /// Returns an empty store for displaced values.
    fn kept(&self) -> DisplacedValues {
        DisplacedValues::new(self.choice.keeps_in_comments())
    }

    /// Removes the findings before `end` from the queue. Returns those to repair, and reports the rest as left.
    fn findings_before(&self, end: u64) -> Vec<Rc<PlacedFinding>> {
        let FindingQueue { findings, outcomes, .. } = &mut *self.queue.borrow_mut();
        // The checker reports node by node, so the first later finding ends the search.
        let count = findings.iter().take_while(|finding| finding.span.start < end).count();
        let (here, left) = findings.drain(..count).partition(|finding| self.choice.wants_finding(finding));
        outcomes.extend(Vec::into_iter(left).map(|finding| (finding, Outcome::Left)));
        here
    }

    fn mend(&mut self, unit: &mut Unit, at: &Context, next: &mut NextEdit<'_>) {
        if unit.kind() == UnitKind::Open && at.depth == 1 {
            self.plan = self.plans.pop_front().unwrap_or_default();
            self.had_game = true;
        }
        // Moves may show that a game without `GM` is not Go.
        let at = &Context { game: self.plan.game.unwrap_or(at.game), ..*at };
        let mut findings = self.findings_before(unit.end_in_input());
        if findings.iter().any(|finding| matches!(finding.remedy, Some(Remedy::AsRead | Remedy::SplitNode))) {
            self.queue.borrow_mut().touches_board = true;
        }
        self.repair_marks(unit, at);
        // Close it before a repair inserts another property after it.
        if unit.is_node()
            && unit.problems().iter().any(|problem| problem.code == Code::UnclosedValue)
            && self.choice.wants_as_read(Code::UnclosedValue)
        {
            unit.close_last_value();
        }
        let strays = self.repair_strays(unit, at);
        if at.in_root && strays != StrayRepair::All {
            // The property before a remaining text may get a value from it, and another charset may end the text elsewhere.
            self.plan = Plan { game: self.plan.game, ..Plan::default() };
        }
        // The repair of the root decides about these findings, so keep them until then.
        if unit.kind() == UnitKind::Open && at.depth == 1 {
            self.of_game = std::mem::take(&mut findings);
        } else {
            findings.splice(0..0, self.of_game.drain(..));
        }
        let mut nodes = if unit.is_node() {
            self.repair_node(unit, at, findings, strays)
        } else {
            findings.into_iter().for_each(|finding| self.report_by_plan(finding, strays));
            Vec::new()
        };
        self.push(unit, at, next);
        let after_root = Context { in_root: false, ..*at };
        for node in &mut nodes {
            self.push(node, &after_root, next);
        }
    }

    /// Repairs a node. Returns the nodes that are split off.
    fn repair_node(
        &mut self,
        unit: &mut Unit,
        at: &Context,
        mut findings: Vec<Rc<PlacedFinding>>,
        strays: StrayRepair,
    ) -> Vec<Unit> {
        // FF[4], which will be declared, has empty passes.
        let states_version = self.plan.states_version;
        let passes = findings.extract_if(.., |finding| states_version && finding.code == Code::EmptyPassInOldVersion);
        passes.for_each(|finding| self.tell(finding, Outcome::Repaired));
        // This remedy ends the node at the end of the text, so leave the findings about both nodes to the next pass.
        if findings.iter().any(|finding| finding.code == Code::SwallowedNode) {
            findings.retain(|finding| finding.code == Code::SwallowedNode);
        }
        let mut nodes = Vec::new();
        if !findings.is_empty() {
            let kept = (strays == StrayRepair::All).then(|| self.kept());
            let mut remedies = Remedies::new(unit, at, findings, kept);
            nodes = remedies.apply();
            self.queue.borrow_mut().touches_board |= remedies.touches_board();
            let done = remedies.into_done();
            for (finding, is_done) in done {
                match is_done {
                    Some(true) if is_guess(&finding) => self.tell(finding, Outcome::Guessed),
                    Some(true) => self.tell(finding, Outcome::Repaired),
                    Some(false) => self.tell(finding, Outcome::Left),
                    None => self.report_by_plan(finding, strays),
                }
            }
        }
        // The conversion to FF[4] must keep the meaning that these had in FF[1] to FF[3].
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

    /// Reports the outcome of a finding that depends on the plan of the game or on the repair of stray text.
    fn report_by_plan(&self, finding: Rc<PlacedFinding>, strays: StrayRepair) {
        let (is_repaired, is_guess) = match finding.remedy {
            Some(Remedy::StateVersion) => (self.plan.states_version, false),
            Some(Remedy::StateCharset) => (self.plan.charset.is_some(), self.plan.is_guess),
            Some(Remedy::AsRead) => {
                let is_text = matches!(
                    finding.code,
                    Code::StrayBracket | Code::UnexpectedText | Code::IdentifierWithoutValue | Code::UnclosedIdentifier
                );
                (strays == StrayRepair::All || (strays == StrayRepair::OpenVariations && !is_text), is_guess(&finding))
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

    /// Writes the characters that the reader inserted.
    fn repair_marks(&mut self, unit: &mut Unit, at: &Context) {
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

    /// Repairs stray text in a unit. It moves words of a node into `XK` or a comment, and drops unmatched parentheses and
    /// brackets.
    ///
    /// It leaves text that looks like a property or a move, and words for which the node has no room. If words are ambiguous
    /// without the charset of the game, the survey leaves the whole chunk. Outside of games it leaves text that would become
    /// a game at the start of a line (`);B[aa])`), and text with a byte order mark, which decides how to read the next game.
    fn repair_strays(&self, unit: &mut Unit, at: &Context) -> StrayRepair {
        let texts = unit.stray_texts();
        if texts.is_empty() {
            return StrayRepair::All;
        }
        let drop = |&(byte, problem): &(u8, Option<Code>)| self.without_noise(byte, problem, at);
        if at.depth == 0 {
            if texts.iter().any(|text| self.is_to_be_left(&text.bytes, drop)) {
                return StrayRepair::Nothing;
            }
            texts.iter().for_each(|text| unit.replace_stray_text(text, |each| drop(each)));
            return StrayRepair::All;
        }
        let mut words = Vec::new();
        let is_clear = texts.iter().all(|text| self.collect_words(text, &mut words, at));
        let words = words.trim_ascii();
        let is_blank = |c: char| c.is_whitespace() || c == '\u{FEFF}';
        // A program that wrote `\n` in place of a line break wrote no word. The reader takes its `n` for a part of an
        // identifier that follows.
        let text = at.charset.decode(words).0.replace("\\r", "").replace("\\n", "").replace('\\', "");
        let words = if text.chars().all(is_blank) { b"" } else { words };
        if !is_clear || !(words.is_empty() || self.kept().fits(unit)) {
            for text in &texts {
                unit.replace_stray_text(text, |each| {
                    if matches!(each.0, b'(' | b')' | 0) { drop(each) } else { Some(each.0) }
                });
            }
            return StrayRepair::OpenVariations;
        }
        texts.iter().for_each(|text| unit.replace_stray_text(text, drop));
        if !words.is_empty() {
            let mut kept = self.kept();
            kept.add(Comment::Node, b"", &escape_bytes(words), Framing::Value);
            kept.write(unit);
        }
        StrayRepair::All
    }

    /// Adds the words of a stray text to `words`. Returns false if the text must be left, because it may belong to a text or
    /// a move.
    fn collect_words(&self, text: &StrayText, words: &mut Vec<u8>, at: &Context) -> bool {
        let bytes = &text.bytes[..];
        let last = bytes.iter().rposition(|&(_, code)| code == Some(Code::StrayBracket)).unwrap_or(0);
        if bytes[..last].iter().any(|&(byte, _)| !is_blank_or_mark(byte) && byte != b']') {
            return false;
        }
        for &(byte, code) in bytes {
            match self.without_noise(byte, code, at) {
                // It may belong to a move, as in `b[cd]`.
                _ if byte == b'[' => return false,
                None if !matches!(byte, b'(' | b')' | b']' | 0) => words.push(byte),
                Some(byte) if !is_blank_or_mark(byte) => {}
                _ if words.last().is_some_and(|&last| last != b' ') => words.push(b' '),
                _ => {}
            }
        }
        words.extend(words.last().is_some_and(|&last| last != b' ').then_some(b' '));
        true
    }

    /// Returns whether text outside of games must be left, because dropping parts of it would change how the input is read.
    fn is_to_be_left(&self, bytes: &[(u8, Option<Code>)], drop: impl Fn(&(u8, Option<Code>)) -> Option<u8>) -> bool {
        let is_dropped = |each: &(u8, Option<Code>)| drop(each).is_none();
        // At the start of an input, two bytes may be a byte order mark of UTF-16.
        if !self.had_game
            && bytes.iter().any(is_dropped)
            && bytes.iter().any(|each| each.0 >= 0x80 && !is_dropped(each))
        {
            return true;
        }
        let mut last_dropped = [0; 3];
        // Text after a game begins in the middle of a line.
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

    /// Returns the replacement of a byte of stray text, or `None` to drop it.
    fn without_noise(&self, byte: u8, problem: Option<Code>, at: &Context) -> Option<u8> {
        let wants = |codes: &[Code]| codes.iter().all(|&code| self.choice.wants_as_read(code));
        match problem {
            Some(code) if !self.choice.wants_as_read(code) => Some(byte),
            Some(Code::NulByte) => Some(b' '),
            Some(_) => None,
            None if byte == b')' => (!wants(&[Code::VariationWithoutNode])).then_some(byte),
            None if is_blank_or_mark(byte) => Some(byte),
            // For long text, the problem of the reader comes with a later piece.
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

    fn push(&mut self, unit: &mut Unit, at: &Context, next: &mut NextEdit<'_>) {
        if let Some(CharsetPlan::Recode(charset)) = self.plan.charset
            && unit.is_node()
        {
            self.utf8.recode(unit, &Context { charset, ..*at }, next);
        }
        next.push(unit);
    }
}

/// Result of repairing the stray texts of a unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum StrayRepair {
    All,
    /// Only parentheses and NUL bytes were repaired.
    OpenVariations,
    Nothing,
}

/// Returns whether a byte is a blank, as the reader treats all controls, or part of a byte order mark, which is not text.
const fn is_blank_or_mark(byte: u8) -> bool {
    byte <= b' ' || matches!(byte, 0xEF | 0xBB | 0xBF)
}

/// Returns the name of a charset in `CA`, where Latin-1 is `ISO-8859-1`.
fn stated_name(charset: sgfstream::Charset) -> &'static str {
    if charset == sgfstream::Charset::LATIN1 { "ISO-8859-1" } else { charset.name() }
}

impl Edit for Fix {
    fn name(&self) -> &'static str {
        "fix"
    }

    fn unit(&mut self, unit: &mut Unit, at: &Context, next: &mut NextEdit<'_>) {
        self.mend(unit, at, next);
    }

    fn end(&mut self, _: &mut NextEdit<'_>) {
        let rest = self.findings_before(u64::MAX);
        let of_game = std::mem::take(&mut self.of_game);
        of_game.into_iter().chain(rest).for_each(|finding| self.report_by_plan(finding, StrayRepair::All));
    }

    fn needs_wellformed(&self) -> bool {
        false
    }

    fn ignores(&self, _: Ident<'_>, _: &Context) -> bool {
        let is_recoded = matches!(self.plan.charset, Some(CharsetPlan::Recode(_)));
        let queue = self.queue.borrow();
        queue.findings.is_empty() && !queue.has_more && !self.plan.states_version && !is_recoded
    }
}
