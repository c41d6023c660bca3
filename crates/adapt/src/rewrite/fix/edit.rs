//! The repairs as an edit of the rewriting: units wait until the checker has
//! reported all their findings.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::rc::Rc;

use crate::check::{Finding, Remedy};
use sgfstream::{CharsetSource, Code, Framing, escape_bytes};

use super::super::keep::{Comment, Kept};
use super::super::utf8::Utf8;
use super::super::{Context, Edit, Next, Unit, UnitKind, upgrade};
use super::choice::is_guess;
use super::marks::Marks;
use super::remedies::Remedies;
use super::{CharsetPlan, Choice, Outcome, Plan};

/// What the fixer and its edit share.
#[derive(Debug, Default)]
pub(super) struct Shared {
    /// What the checker found and is to be repaired.
    pub(super) findings: VecDeque<Finding>,
    /// The plans of the games to come.
    pub(super) plans: VecDeque<Plan>,
    /// The checker has not read enough of the game.
    pub(super) is_waiting: bool,
    /// What became of findings.
    pub(super) outcomes: Vec<(Finding, Outcome)>,
}

#[derive(Default)]
pub(super) struct Fix {
    choice: Choice,
    shared: Rc<RefCell<Shared>>,
    queue: VecDeque<(Unit, Context)>,
    marks: Marks,
    /// The plan of the game at hand.
    plan: Plan,
    /// The unit before was a `(` that the reader supplied.
    after_supplied: bool,
    had_game: bool,
    utf8: Utf8,
}

impl Fix {
    /// `had_game`: games come before.
    pub(super) fn new(choice: Choice, shared: Rc<RefCell<Shared>>, had_game: bool) -> Self {
        Self { choice, shared, had_game, ..Self::default() }
    }

    fn release(&mut self, next: &mut Next<'_>) {
        while let Some((mut unit, at)) = self.queue.pop_front() {
            self.mend(&mut unit, &at, next);
        }
    }

    /// The findings of this unit: all that were not of the units before it.
    fn findings_before(&self, end: u64) -> Vec<Finding> {
        let mut shared = self.shared.borrow_mut();
        let mut here = Vec::new();
        // Findings come node by node.
        while let Some(finding) = shared.findings.pop_front_if(|finding| finding.span.start < end) {
            here.push(finding);
        }
        here
    }

    fn mend(&mut self, unit: &mut Unit, at: &Context, next: &mut Next<'_>) {
        if unit.kind() == UnitKind::Open && at.depth == 1 {
            self.plan = self.shared.borrow_mut().plans.pop_front().unwrap_or_default();
            self.had_game = true;
        }
        // Moves may show that a game without `GM` is none of Go.
        let at = &Context { game: self.plan.game.unwrap_or(at.game), ..*at };
        let findings = self.findings_before(unit.end_in_input());
        self.mend_marks(unit, at);
        // Before a comment comes after the value.
        if unit.is_node()
            && unit.problems().iter().any(|problem| problem.code == Code::UnclosedValue)
            && self.choice.wants_as_read(Code::UnclosedValue)
        {
            unit.close_last_value();
        }
        let is_noise_gone = self.keep_words(unit, at);
        let mut nodes = Vec::new();
        if unit.is_node() {
            self.mend_node(unit, at, findings, is_noise_gone, &mut nodes, next);
        } else {
            let outcomes = findings.into_iter().map(|finding| self.by_plan(finding, is_noise_gone));
            self.shared.borrow_mut().outcomes.extend(outcomes);
        }
        self.push(unit, at, next);
        let after_root = Context { in_root: false, ..*at };
        for node in &mut nodes {
            self.push(node, &after_root, next);
        }
    }

    fn mend_node(
        &mut self,
        unit: &mut Unit,
        at: &Context,
        findings: Vec<Finding>,
        is_noise_gone: bool,
        nodes: &mut Vec<Unit>,
        next: &mut Next<'_>,
    ) {
        if !findings.is_empty() {
            let mut remedies = Remedies::new(unit, at, findings);
            remedies.apply(nodes);
            let done = remedies.into_done();
            for (finding, is_done) in done {
                let outcome = match is_done {
                    Some(true) if is_guess(&finding) => (finding, Outcome::Guessed),
                    Some(true) => (finding, Outcome::Repaired),
                    Some(false) => (finding, Outcome::Left),
                    None => self.by_plan(finding, is_noise_gone),
                };
                if outcome.1 != Outcome::Left {
                    next.count(1);
                }
                self.shared.borrow_mut().outcomes.push(outcome);
            }
        }
        // What FF[1] to FF[3] meant by these would be lost in FF[4].
        if self.plan.states_version && at.has_ff && at.ff < 4 {
            next.count(upgrade::old_markup(unit, at, unit.is_whole_node()));
        }
        if at.in_root && unit.begins_node() {
            if self.plan.states_version {
                unit.set_property(b"FF", b"4", unit.first());
            }
            if let Some(CharsetPlan::State(charset)) = self.plan.charset {
                unit.set_property(b"CA", stated_name(charset).as_bytes(), unit.after_version_and_game());
            }
        }
    }

    /// What the plan of the game, or the reader, has done about a finding.
    fn by_plan(&self, finding: Finding, is_noise_gone: bool) -> (Finding, Outcome) {
        let is_repaired = match finding.remedy {
            Some(Remedy::StateVersion) => self.plan.states_version,
            Some(Remedy::StateCharset) if self.plan.is_guess => return (finding, Outcome::Guessed),
            Some(Remedy::StateCharset) => self.plan.charset.is_some(),
            Some(Remedy::AsRead) => is_noise_gone,
            _ => false,
        };
        (finding, if is_repaired { Outcome::Repaired } else { Outcome::Left })
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

    /// Leaves out what no reader understands. The words of a node, which are
    /// mostly the rest of a text with a bare `]`, go to its comment.
    ///
    /// False if all is left as it is. Text outside games is, where it would become a game at the start of a line
    /// (`);B[aa])`), and where a mark of the byte order in it says how the next game is read.
    fn keep_words(&self, unit: &mut Unit, at: &Context) -> bool {
        let drop = |byte, problem| self.without_noise(byte, problem, at);
        if at.depth == 0 {
            let mut is_left = false;
            let mut last_dropped = [0; 3];
            // What comes after a game is in the middle of its line.
            let (mut is_line_start, mut is_cut) = (!self.had_game, false);
            unit.edit_gaps(|byte, problem| {
                match drop(byte, problem) {
                    Some(b'\r' | b'\n') => (is_line_start, is_cut) = (true, false),
                    Some(byte) if is_blank_or_mark(byte) || problem == Some(Code::WideEncoding) => {}
                    Some(left) => {
                        is_left |= left == b';' && is_line_start && is_cut;
                        is_line_start = false;
                    }
                    None => {
                        is_cut = true;
                        last_dropped = [last_dropped[1], last_dropped[2], byte];
                        is_left |= last_dropped == *b"\xEF\xBB\xBF";
                    }
                }
                Some(byte)
            });
            if is_left {
                return false;
            }
        }
        let mut words: Vec<u8> = Vec::new();
        unit.edit_gaps(|byte, problem| {
            match problem {
                Some(code) if is_of_words(code) => words.extend(drop(byte, problem).is_none().then_some(byte)),
                None if is_blank_or_mark(byte) && words.last().is_some_and(|&last| last != b' ') => words.push(b' '),
                _ => {}
            }
            Some(byte)
        });
        let words = words.trim_ascii();
        // In another charset, nothing says where the comment would end.
        let is_text = std::str::from_utf8(words).is_ok()
            || (at.charset_source >= CharsetSource::Declared && !at.charset.has_structural_trail_bytes());
        unit.edit_gaps(drop);
        if is_text && !words.is_empty() && Kept::fits(unit) {
            let mut kept = Kept::default();
            kept.add(Comment::Node, b"", &escape_bytes(words), Framing::Value);
            kept.write(unit);
        }
        true
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
                    _ => wants(&[Code::UnexpectedText, Code::IdentifierWithoutCapital, Code::ValueWithoutIdentifier]),
                };
                (!drops_rest).then_some(byte)
            }
        }
    }

    fn push(&mut self, unit: &mut Unit, at: &Context, next: &mut Next<'_>) {
        match self.plan.charset {
            Some(CharsetPlan::Recode(charset)) if unit.is_node() => {
                self.utf8.recode(unit, &Context { charset, ..*at }, next);
                next.push_held(unit, at);
            }
            _ => next.push_held(unit, at),
        }
    }
}

/// The bytes that are reported may be words, the rest of a text with a bare `]`.
const fn is_of_words(code: Code) -> bool {
    matches!(code, Code::UnexpectedText | Code::IdentifierWithoutCapital | Code::ValueWithoutIdentifier)
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
        let is_waiting = self.shared.borrow().is_waiting;
        if !is_waiting {
            self.release(next);
            return self.mend(unit, at, next);
        }
        let waiting = std::mem::replace(unit, Unit::new(UnitKind::Between));
        self.queue.push_back((waiting, *at));
    }

    fn end(&mut self, next: &mut Next<'_>) {
        self.release(next);
        let left: Vec<Finding> = self.shared.borrow_mut().findings.drain(..).collect();
        let outcomes: Vec<_> = left.into_iter().map(|finding| self.by_plan(finding, true)).collect();
        self.shared.borrow_mut().outcomes.extend(outcomes);
    }

    fn settles(&self) -> bool {
        false
    }
}
