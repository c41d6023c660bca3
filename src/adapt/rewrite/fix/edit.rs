//! The repairs as an edit of the rewriting: units wait until the checker has
//! reported all their findings.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::rc::Rc;

use crate::adapt::check::{Finding, Remedy};
use crate::base::Code;
use crate::scan::Framing;
use crate::write::escape_bytes;

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
    pub(super) fn new(choice: Choice, shared: Rc<RefCell<Shared>>) -> Self {
        Self { choice, shared, ..Self::default() }
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
        let findings = self.findings_before(unit.end_in_input());
        self.mend_marks(unit, at);
        // Before a comment comes after the value.
        if unit.is_node()
            && unit.problems().iter().any(|problem| problem.code == Code::UnclosedValue)
            && self.choice.wants_as_read(Code::UnclosedValue)
        {
            unit.close_last_value();
        }
        self.keep_words(unit, at);
        let mut nodes = Vec::new();
        if unit.is_node() {
            self.mend_node(unit, at, findings, &mut nodes, next);
        } else {
            let outcomes = findings.into_iter().map(|finding| self.by_plan(finding));
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
                    None => self.by_plan(finding),
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
    fn by_plan(&self, finding: Finding) -> (Finding, Outcome) {
        let is_repaired = match finding.remedy {
            Some(Remedy::StateVersion) => self.plan.states_version,
            Some(Remedy::StateCharset) if self.plan.is_guess => return (finding, Outcome::Guessed),
            Some(Remedy::StateCharset) => self.plan.charset.is_some(),
            Some(Remedy::AsRead) => true,
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
    fn keep_words(&self, unit: &mut Unit, at: &Context) {
        let words = self.mend_gaps(unit, at);
        let words = words.trim_ascii();
        if !words.is_empty() && Kept::fits(unit) && std::str::from_utf8(words).is_ok() {
            let mut kept = Kept::default();
            kept.add(Comment::Node, b"", &escape_bytes(words), Framing::Value);
            kept.write(unit);
        }
    }

    /// Gives the words that were left out.
    fn mend_gaps(&self, unit: &mut Unit, at: &Context) -> Vec<u8> {
        let choice = &self.choice;
        let wants = |codes: &[Code]| codes.iter().all(|&code| choice.wants_as_read(code));
        // Text so long that what the reader says of it comes with a later piece.
        let drops_rest = match (at.depth, self.had_game) {
            (0, false) => wants(&[Code::TextBeforeGame, Code::ValueBeforeGame]),
            (0, true) => wants(&[Code::TextAfterGame]),
            _ => wants(&[Code::UnexpectedText, Code::IdentifierWithoutCapital, Code::ValueWithoutIdentifier]),
        };
        let drops_partner = wants(&[Code::VariationWithoutNode]);
        let mut words: Vec<u8> = Vec::new();
        unit.edit_gaps(|byte, problem| match problem {
            Some(code) if !choice.wants_as_read(code) => Some(byte),
            Some(Code::NulByte) => Some(b' '),
            Some(code) => {
                let is_word = matches!(
                    code,
                    Code::UnexpectedText | Code::IdentifierWithoutCapital | Code::ValueWithoutIdentifier
                );
                words.extend(is_word.then_some(byte));
                None
            }
            None if byte == b')' => (!drops_partner).then_some(byte),
            // All controls are blanks to the reader, and a byte order mark is no text.
            None if byte <= b' ' || matches!(byte, 0xEF | 0xBB | 0xBF) => {
                if words.last().is_some_and(|&last| last != b' ') {
                    words.push(b' ');
                }
                Some(byte)
            }
            None => (!drops_rest).then_some(byte),
        });
        words
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

/// `ISO-8859-1` is the name that `CA` has for it.
fn stated_name(charset: crate::base::Charset) -> &'static str {
    if charset == crate::base::Charset::LATIN1 { "ISO-8859-1" } else { charset.name() }
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
        let outcomes: Vec<_> = left.into_iter().map(|finding| self.by_plan(finding)).collect();
        self.shared.borrow_mut().outcomes.extend(outcomes);
    }

    fn settles(&self) -> bool {
        false
    }
}
