//! Repairs of one game and of the bytes between games, as replacements of spans.

use std::collections::VecDeque;
use std::ops::Range;

use sgfstream::record::{GameRecord, Node, TokenKind};
use sgfstream::{Charset, Code, Framing, Problem, escape_bytes};

use super::fix_filter::is_guess;
use super::game_plan::{CharsetPlan, GamePlan};
use super::remedies::Remedies;
use super::stray_text::{StrayRepair, StrayTexts};
use super::{FixFilter, Outcome};
use crate::borders::is_too_long;
use crate::check::{Finding, Remedy};
use crate::edit::{
    Comment, DisplacedLines, EditContext, GameEdits, Gap, NodeDraft, PlacedHandicap,
    end_of_structure,
};

/// The findings of a chunk that are not repaired yet, in their order, and the replacements so far.
#[derive(Debug, Default)]
pub(super) struct ChunkFix {
    pub(super) edits: GameEdits,
    /// The findings, each with its outcome once it is known.
    pub(super) findings: Vec<Finding>,
    /// Numbers of the findings about places to come.
    pub(super) queue: VecDeque<usize>,
    /// Number of findings in the queue that are to be repaired.
    pub(super) wanted: usize,
    /// Numbers of the findings with their outcomes, in the order of the places.
    pub(super) outcomes: Vec<(usize, Outcome)>,
    /// Whether a repair may have changed a board or whose turn it is.
    pub(super) touches_board: bool,
    /// Whether games precede.
    pub(super) had_game: bool,
}

/// Origin of the `(` of an open variation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum VariationOrigin {
    InFile,
    /// Inserted by the reader, and part of the output.
    Written,
    /// Inserted by the reader, and omitted from the output.
    LeftOut,
}

/// A game to repair.
pub(super) struct GameFix<'f, 't> {
    pub(super) choice: &'f FixFilter,
    pub(super) chunk: &'f mut ChunkFix,
    /// The bytes of the chunk.
    pub(super) input: &'t [u8],
    /// Offset of the chunk in the input.
    pub(super) start: u64,
    pub(super) game: GameRecord<'t>,
    pub(super) at: EditContext,
    pub(super) plan: GamePlan,
    /// Whether the game may get the stones of its handicap.
    pub(super) lacks_stones: bool,
    /// Problems of the reader in the game, by place.
    pub(super) problems: Vec<Problem>,
    /// Whether a `(` is dropped. Its `)` is no problem of its own, and may follow any property.
    pub(super) drops_parentheses: bool,
}

impl ChunkFix {
    /// Takes the findings before `end` from the queue. Returns the numbers of those to repair; the
    /// others are left.
    fn take_findings(&mut self, end: u64, choice: &FixFilter) -> Vec<usize> {
        let mut wanted = Vec::new();
        // The checker reports node by node, so the first later finding ends the search.
        while let Some(&number) = self.queue.front()
            && self.findings[number].span.start < end
        {
            self.queue.pop_front();
            if choice.wants_finding(&self.findings[number]) {
                wanted.push(number);
                self.wanted -= 1;
            } else {
                self.outcomes.push((number, Outcome::Left));
            }
        }
        wanted
    }

    /// Repairs the bytes between two games, or around them, up to offset `end`.
    pub(super) fn repair_between(
        &mut self,
        choice: &FixFilter,
        problems: &[Problem],
        start: u64,
        gap: &mut Gap<'_>,
    ) {
        let texts = StrayTexts {
            choice,
            problems,
            base: start,
            in_game: false,
            had_game: self.had_game,
        };
        let repair = texts.repair_between(gap);
        gap.write(&mut self.edits);
        for number in self.take_findings(start + gap.span.end as u64, choice) {
            self.report_by_plan(number, GamePlan::default(), repair);
        }
    }

    /// Reports the outcome of a finding that depends on the plan of the game or on the repair of
    /// stray text.
    fn report_by_plan(&mut self, number: usize, plan: GamePlan, strays: StrayRepair) {
        let finding = &self.findings[number];
        let (is_repaired, is_guess) = match finding.remedy {
            Some(Remedy::StateVersion) => (plan.states_version, false),
            Some(Remedy::StateCharset) => (plan.charset.is_some(), plan.is_guess),
            Some(Remedy::AsRead) => {
                let is_text = matches!(
                    finding.code,
                    Code::StrayBracket
                        | Code::UnexpectedText
                        | Code::IdentifierWithoutValue
                        | Code::UnclosedIdentifier
                );
                let is_done =
                    strays == StrayRepair::All || (strays == StrayRepair::Parentheses && !is_text);
                (is_done, is_guess(finding))
            }
            _ => (false, false),
        };
        let outcome = match (is_repaired, is_guess) {
            (false, _) => Outcome::Left,
            (true, false) => Outcome::Repaired,
            (true, true) => Outcome::Guessed,
        };
        self.outcomes.push((number, outcome));
    }

    /// Reports the findings that belong to no place.
    pub(super) fn end(&mut self, choice: &FixFilter) {
        for number in self.take_findings(u64::MAX, choice) {
            self.report_by_plan(number, GamePlan::default(), StrayRepair::All);
        }
    }
}

impl<'t> GameFix<'_, 't> {
    /// Returns the start of the game in the bytes of the chunk.
    fn base(&self) -> usize {
        (self.game.span().start - self.start) as usize
    }

    /// Adds the replacements of the game.
    pub(super) fn repair(&mut self) {
        self.chunk.had_game = true;
        let tokens = self.game.tokens();
        let base = self.base();
        let (mut nodes, mut open) = (self.game.nodes().peekable(), Vec::new());
        // Findings about the `(` of the game. They wait until the root is repaired.
        let mut of_game = Vec::new();
        let (mut is_after_inserted, mut in_root) = (false, true);
        let last_node = tokens.iter().rposition(|token| token.nodes() > 0);
        let is_of_cut = |problem: &Problem| problem.code == Code::UnclosedValue;
        let has_cut = self.problems.iter().any(is_of_cut);
        for (index, &token) in tokens.iter().enumerate() {
            let (kind, place) = (token.kind(), base + token.at());
            if matches!(
                kind,
                TokenKind::Property | TokenKind::Move | TokenKind::Problem
            ) {
                continue;
            }
            let end = base + end_of_structure(&self.game, index);
            let is_inserted = token.is_inserted();
            match kind {
                TokenKind::Open => {
                    let code = if open.is_empty() {
                        Code::MissingParenthesis
                    } else {
                        Code::NodeAfterVariation
                    };
                    let origin = match is_inserted {
                        false => VariationOrigin::InFile,
                        true if self.choice.wants_as_read(code) => VariationOrigin::Written,
                        true => VariationOrigin::LeftOut,
                    };
                    open.push(origin);
                    if origin == VariationOrigin::Written {
                        self.chunk.edits.insert(place, b"(");
                    }
                    is_after_inserted = is_inserted;
                    let numbers =
                        self.repair_parenthesis(place + usize::from(!is_inserted), end, in_root);
                    if open.len() == 1 {
                        of_game = numbers.0;
                    } else {
                        self.report(numbers);
                    }
                }
                TokenKind::Close => {
                    let origin = open.pop().unwrap_or(VariationOrigin::InFile);
                    let is_written = match origin {
                        VariationOrigin::InFile => self.choice.wants_as_read(Code::UnclosedGame),
                        VariationOrigin::Written => true,
                        VariationOrigin::LeftOut => false,
                    };
                    if is_inserted && is_written {
                        self.chunk.edits.insert(place, b")");
                    }
                    let numbers =
                        self.repair_parenthesis(place + usize::from(!is_inserted), end, false);
                    self.report(numbers);
                }
                _ => {
                    if is_inserted {
                        let is_written = match (std::mem::take(&mut is_after_inserted), in_root) {
                            (true, _) => open.last() != Some(&VariationOrigin::LeftOut),
                            (false, true) => self.choice.wants_as_read(Code::MissingRootSemicolon),
                            (false, false) => self.choice.wants_as_read(Code::MissingSemicolon),
                        };
                        if is_written {
                            self.chunk.edits.insert(place, b";");
                        }
                    }
                    is_after_inserted = false;
                    while let Some(node) = nodes.next_if(|node| node.token_index() == index) {
                        let next = nodes.peek().filter(|next| next.token_index() == index);
                        let node_end = next.map_or(end, |next| base + next.start());
                        let found = std::mem::take(&mut of_game);
                        let is_cut = has_cut && last_node == Some(index) && next.is_none();
                        self.repair_node(node, node_end, in_root, is_cut, found);
                        in_root = false;
                    }
                }
            }
        }
    }

    /// Returns the problems of the reader from `start` to `end`.
    fn problems_in(&self, range: Range<usize>) -> &[Problem] {
        let [start, end] = [range.start, range.end].map(|place| self.start + place as u64);
        let first = self
            .problems
            .partition_point(|problem| problem.span.end <= start);
        let last = self
            .problems
            .partition_point(|problem| problem.span.start < end);
        &self.problems[first.min(last)..last]
    }

    fn stray_texts(&self, range: Range<usize>) -> StrayTexts<'_> {
        let problems = self.problems_in(range);
        StrayTexts {
            choice: self.choice,
            problems,
            base: self.start,
            in_game: true,
            had_game: true,
        }
    }

    /// Repairs the text behind a parenthesis. Returns the findings about it, and how it was
    /// repaired.
    fn repair_parenthesis(
        &mut self,
        start: usize,
        end: usize,
        in_root: bool,
    ) -> (Vec<usize>, StrayRepair) {
        let mut gap = Gap::new(self.input, start..end.max(start));
        let charset = self.at.charset;
        let (repair, _) =
            self.stray_texts(start..end)
                .repair_in_game(&mut [&mut gap], charset, false);
        gap.write(&mut self.chunk.edits);
        if in_root && repair != StrayRepair::All {
            self.plan = GamePlan::default();
        }
        let numbers = self
            .chunk
            .take_findings(self.start + end as u64, self.choice);
        self.chunk.touches_board |= self.has_structural_remedy(&numbers);
        (numbers, repair)
    }

    fn report(&mut self, (numbers, repair): (Vec<usize>, StrayRepair)) {
        numbers
            .into_iter()
            .for_each(|number| self.chunk.report_by_plan(number, self.plan, repair));
    }

    fn has_structural_remedy(&self, numbers: &[usize]) -> bool {
        let remedy = |number: &usize| self.chunk.findings[*number].remedy.as_ref();
        numbers
            .iter()
            .any(|number| matches!(remedy(number), Some(Remedy::AsRead | Remedy::SplitNode)))
    }

    /// Adds the replacements of a node, whose bytes go up to `end`. `is_cut` is whether the input
    /// ends in its last value. `of_game` are findings about the `(` of the game before it.
    fn repair_node(
        &mut self,
        node: Node<'t>,
        end: usize,
        in_root: bool,
        is_cut: bool,
        of_game: Vec<usize>,
    ) {
        let base = self.base();
        let start = base + node.start();
        let places_stones = in_root && self.lacks_stones;
        let next_finding = self
            .chunk
            .queue
            .front()
            .map(|&number| self.chunk.findings[number].span.start);
        let has_finding =
            next_finding.is_some_and(|next| next < self.start + end as u64) || !of_game.is_empty();
        let has_problem = !self.problems_in(start..end).is_empty();
        let is_of_plan = in_root && self.plan != GamePlan::default();
        let may_end_dropped = self.drops_parentheses;
        if !has_finding
            && !has_problem
            && !may_end_dropped
            && !is_of_plan
            && !places_stones
            && !is_cut
        {
            return;
        }
        if is_too_long(&node) {
            return self.leave_node(end, in_root, of_game);
        }
        let mut draft = NodeDraft::of(self.input, base, node, end);
        let mut numbers = self
            .chunk
            .take_findings(self.start + end as u64, self.choice);
        self.chunk.touches_board |= self.has_structural_remedy(&numbers);
        // Close it before a repair inserts another property after it.
        if is_cut && self.choice.wants_as_read(Code::UnclosedValue) {
            draft.close_last_value();
        }
        let has_place = !draft.may_have_rest_of_value();
        let (strays, words) = self.stray_texts(start..end).repair_in_game(
            &mut draft.gaps(),
            self.at.charset,
            has_place,
        );
        if !words.is_empty() {
            let mut kept = self.displaced();
            kept.add(Comment::Node, b"", &escape_bytes(&words), Framing::Value);
            kept.write(&mut draft);
        }
        if in_root && strays != StrayRepair::All {
            // The property before a remaining text may get a value from it, and another charset may
            // end the text elsewhere.
            self.plan = GamePlan::default();
        }
        numbers.splice(0..0, of_game);
        let splits = self.apply_remedies(&mut draft, in_root, numbers, strays);
        if in_root {
            if self.plan.states_version {
                draft.set_property(b"FF", b"4", draft.first());
            }
            if let Some(CharsetPlan::State(charset)) = self.plan.charset {
                draft.set_property(
                    b"CA",
                    stated_name(charset).as_bytes(),
                    draft.after_version_and_game(),
                );
            }
        }
        // If the root is split, the next pass knows the node after it.
        if places_stones && splits.is_empty() && strays == StrayRepair::All {
            self.place_stones(&mut draft);
        }
        draft.write(&mut self.chunk.edits);
        for split in &splits {
            self.chunk.edits.insert(draft.end(), split);
        }
    }

    /// Leaves the findings about a node that ends at `end`.
    fn leave_node(&mut self, end: usize, in_root: bool, of_game: Vec<usize>) {
        if in_root {
            self.plan = GamePlan::default();
        }
        self.report((of_game, StrayRepair::All));
        let numbers = self
            .chunk
            .take_findings(self.start + end as u64, self.choice);
        self.chunk
            .outcomes
            .extend(numbers.into_iter().map(|number| (number, Outcome::Left)));
    }

    /// Returns an empty store for displaced values.
    fn displaced(&self) -> DisplacedLines {
        DisplacedLines::new(self.choice.in_comments)
    }

    /// Applies the remedies of findings to a node. Returns the nodes that are split off.
    fn apply_remedies(
        &mut self,
        draft: &mut NodeDraft<'t>,
        in_root: bool,
        mut numbers: Vec<usize>,
        strays: StrayRepair,
    ) -> Vec<Vec<u8>> {
        let code = |number: &usize| self.chunk.findings[*number].code;
        // Keep an empty pass if the repair declares FF[4], which allows it.
        let is_pass = |number: &mut usize| {
            self.plan.states_version && code(&*number) == Code::EmptyPassInOldVersion
        };
        let passes: Vec<usize> = numbers.extract_if(.., is_pass).collect();
        // This remedy ends the node at the end of the text, so leave the findings about both nodes
        // to the next pass.
        if numbers
            .iter()
            .any(|number| code(number) == Code::SwallowedNode)
        {
            numbers.retain(|number| code(number) == Code::SwallowedNode);
        }
        self.chunk
            .outcomes
            .extend(passes.into_iter().map(|number| (number, Outcome::Repaired)));
        // Remaining text may belong to a value of the node, so no value is sure.
        if strays != StrayRepair::All {
            for number in numbers {
                let place = (self.chunk.findings[number].span.start - self.start) as usize;
                if draft.at(place).is_some_and(|(_, span)| place < span.end) {
                    self.chunk.outcomes.push((number, Outcome::Left));
                } else {
                    self.chunk.report_by_plan(number, self.plan, strays);
                }
            }
            return Vec::new();
        }
        if numbers.is_empty() {
            return Vec::new();
        }
        let findings: Vec<&Finding> = numbers
            .iter()
            .map(|&number| &self.chunk.findings[number])
            .collect();
        let mut remedies = Remedies::new(
            draft,
            &self.at,
            in_root,
            findings,
            self.start,
            self.displaced(),
        );
        let splits = remedies.apply();
        let Remedies {
            touches_board,
            moved,
            findings,
            ..
        } = remedies;
        let done: Vec<_> = findings.iter().map(|about| about.is_done).collect();
        self.chunk.touches_board |= touches_board;
        if let (Some(moved), Some(root)) = (moved, self.game.root()) {
            let end = self.base() + root.extent().end;
            self.chunk.edits.insert(end, &moved);
        }
        for (number, is_done) in numbers.into_iter().zip(done) {
            let outcome = match is_done {
                Some(true) if is_guess(&self.chunk.findings[number]) => Outcome::Guessed,
                Some(true) => Outcome::Repaired,
                Some(false) => Outcome::Left,
                None => {
                    self.chunk.report_by_plan(number, self.plan, strays);
                    continue;
                }
            };
            self.chunk.outcomes.push((number, outcome));
        }
        splits
    }

    /// Adds the stones of a handicap to the root, if it lacks them and White moves first or no move
    /// follows.
    fn place_stones(&mut self, root: &mut NodeDraft<'t>) {
        let Some(placed) = PlacedHandicap::of(&self.game, &self.at, false) else {
            return;
        };
        root.insert(None, placed.setup, Framing::Value);
        let ChunkFix {
            findings, outcomes, ..
        } = &mut *self.chunk;
        for (number, outcome) in outcomes {
            let finding = &findings[*number];
            if finding.game == self.game.number() && finding.remedy == Some(Remedy::PlaceHandicap) {
                *outcome = Outcome::Guessed;
            }
        }
    }
}

/// Returns the name of a charset in `CA`, where Latin-1 is `ISO-8859-1`.
fn stated_name(charset: Charset) -> &'static str {
    if charset == Charset::LATIN1 {
        "ISO-8859-1"
    } else {
        charset.name()
    }
}
