//! The repair loop: checks and edits the bytes of a chunk until nothing changes.

use std::borrow::Cow;
use std::io::Read;

use sgfstream::parallel::PartReader;
use sgfstream::record::{GameReader, GameRecord};
use sgfstream::{Code, Options, Position, Problem, Result, SliceReader, Span};
use sgfstream_game::{Facts, internal::Fit, property::Definition};

use super::game_fix::{ChunkFix, GameFix};
use super::game_plan::{CharsetPlan, GamePlan, RepairNeeds, charset_plan};
use super::kept_game::{MainLines, are_kept, boards, has_doubt};
use super::stray_values::{StrayValues, is_ambiguous, is_of_parentheses};
use super::unclear_games::UnclearGames;
use super::{FINDINGS_MAX, FixFilter, GameChunk, GameChunks, LEFT_MAX, Outcome};
use crate::borders::{Borders, InsertedEscapes, is_stray};
use crate::check::{CheckOptions, Finding, LinePositions, Remedy, findings, problem_findings};
use crate::edit::{EditContext, EditOutput, GameEdit, Gap, Utf8, old_markup, write_edited};

/// Maximum number of passes over a chunk. A repair may reveal another finding, so one pass is not
/// enough.
const PASSES: usize = 8;

/// Maximum number of rounds of escaping. Each one reveals the next text, if a parenthesis of a
/// smiley ended the game before it. If there are more, the chunk is left, because some of its texts
/// would end too early.
const ESCAPE_ROUNDS: usize = 64;

/// Bytes of the budget of a game that a repair needs for each fault: for its findings, its
/// replacements, and the record of the repaired bytes.
const FAULT_COST: usize = 200;

/// A finding with its outcome and its place.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct FindingOutcome<'f> {
    /// Number of the pass, from 1. Spans of a later one refer to the output of the passes before
    /// it.
    pub pass: usize,
    /// The finding.
    pub finding: &'f Finding,
    /// Result of the repair.
    pub outcome: Outcome,
    /// Line and column in the input; `None` in later passes.
    pub position: Option<Position>,
    /// Whether the fixer would make the repair if no stray text could belong to a property.
    pub is_blocked: bool,
}

/// Repairs an input chunk by chunk.
///
/// ```
/// use sgfstream::Options;
/// use sgfstream::parallel::PartReader;
/// use sgfstream_adapt::fix::{FixFilter, Fixer, GameChunks};
///
/// let input = b"(;FF[4]GM[1]KM[6,5])\n(;FF[4]GM[1];B[d d])";
/// let mut read = &input[..];
/// let mut reader = PartReader::whole(&mut read, Options::default(), None);
/// let (mut pieces, mut output) = (GameChunks::new(&reader), Vec::new());
/// let mut fixer = Fixer::new(FixFilter::default(), Options::default());
/// while let Some(piece) = pieces.next(&mut reader)? {
///     let bytes = &input[piece.span.start as usize..piece.span.end as usize];
///     output.extend_from_slice(&fixer.fix(bytes, &piece, &mut |_| {})?.bytes);
/// }
/// assert_eq!(output, b"(;FF[4]GM[1]KM[6.5])\n(;FF[4]GM[1];B[dd])");
/// # Ok::<(), sgfstream::Error>(())
/// ```
#[derive(Debug)]
pub struct Fixer {
    choice: FixFilter,
    options: Options,
    unclear: UnclearGames,
}

/// A chunk after its repair.
#[derive(Debug)]
#[non_exhaustive]
pub struct FixedChunk<'b> {
    /// The repaired bytes; the original bytes if nothing was repaired.
    pub bytes: Cow<'b, [u8]>,
    /// Number of unrepaired findings that were not reported, because they exceed what the fixer
    /// buffers.
    pub unreported: u64,
    /// Number of the game that exceeds the budget of a game, so that the chunk was left unexamined.
    pub long_game: Option<u64>,
}

/// What a pass knows of a chunk.
#[derive(Debug, Default)]
struct Examination {
    fix: ChunkFix,
    plans: Vec<GamePlan>,
    /// For each game, the facts by which its old markup is converted, if it is.
    old_markup: Vec<Option<EditContext>>,
    /// Number of findings without an applicable remedy that were not buffered.
    unreported: u64,
    left: usize,
    /// Number of findings to repair.
    repaired: usize,
    /// Number of findings to repair that were not buffered.
    cut: u64,
    /// Number of texts that continue over a node.
    swallowed_nodes: usize,
    /// Whether there is something to repair.
    has_repairs: bool,
    /// Whether some text is outside of properties.
    has_stray_text: bool,
    /// Whether parentheses are unmatched.
    is_unbalanced: bool,
    /// Number of games that lack their `)`.
    open_games: usize,
    /// Whether stray bytes may belong to more than one property. Then nothing is repaired.
    is_ambiguous: bool,
    long_game: Option<u64>,
}

/// A chunk with escaped brackets.
struct EscapedChunk {
    bytes: Vec<u8>,
    inserted: InsertedEscapes,
    /// The findings that the escapes resolve, with their places in the input.
    repaired: Vec<Finding>,
    /// The findings about the new bytes.
    found: Examination,
}

/// Returns a finding with its place before the insertion of escapes.
fn in_input(finding: &Finding, inserted: &InsertedEscapes) -> Finding {
    let span = Span::new(
        inserted.original(finding.span.start),
        inserted.original(finding.span.end),
    );
    let remedy = match &finding.remedy {
        Some(Remedy::EscapeBracket { bracket, end }) => Some(Remedy::EscapeBracket {
            bracket: inserted.original(*bracket),
            end: inserted.original(*end),
        }),
        other => other.clone(),
    };
    Finding {
        span,
        remedy,
        ..finding.clone()
    }
}

impl Fixer {
    /// Returns a fixer that repairs the findings that `choice` selects, in games that are read with
    /// `options`.
    #[must_use]
    pub fn new(choice: FixFilter, options: Options) -> Self {
        let options = options
            .with_limits(options.limits.with_depth(None))
            .with_gaps(false);
        Self {
            choice,
            options,
            unclear: UnclearGames::new(options),
        }
    }

    /// Repairs the bytes of a chunk and reports the outcome of each finding.
    ///
    /// There are two levels. The first one only escapes the `]` of texts, until nothing changes,
    /// because where texts end decides which properties there are. The second one applies the
    /// remedies in passes. Each pass reports its repairs. Unrepaired findings are reported after
    /// the last pass, which is the eighth or the first that changes nothing. A pass depends only on
    /// its input bytes, so a fixed chunk has nothing left to fix.
    ///
    /// # Errors
    ///
    /// Same as [`EventReader::advance`](sgfstream::EventReader::advance).
    pub fn fix<'b>(
        &mut self,
        bytes: &'b [u8],
        piece: &GameChunk,
        report: &mut dyn FnMut(FindingOutcome<'_>),
    ) -> Result<FixedChunk<'b>> {
        let mut lines = LinePositions::new(bytes, piece.start);
        let mut found = self.examine(bytes, piece)?;
        let (mut bytes, mut inserted) = (Cow::Borrowed(bytes), InsertedEscapes::default());
        if found.long_game.is_some() {
            return Ok(FixedChunk {
                bytes,
                unreported: 0,
                long_game: found.long_game,
            });
        }
        let games = found.plans.len();
        let is_other = piece.count.is_some_and(|count| count != games as u64)
            || self.unclear.undecided.is_some()
            || (found.has_repairs && !self.unclear.is_read_so(&bytes, games)?);
        if !is_other && let Some(escaped) = self.escape_brackets(&bytes, piece, &found)? {
            for finding in &escaped.repaired {
                let position = Some(lines.position_of(finding.span.start));
                report(FindingOutcome {
                    pass: 1,
                    finding,
                    outcome: Outcome::Repaired,
                    position,
                    is_blocked: false,
                });
            }
            (bytes, inserted, found) = (Cow::Owned(escaped.bytes), escaped.inserted, escaped.found);
        }
        for pass in 1_usize.. {
            let is_ambiguous = found.is_ambiguous || (found.has_repairs && is_other && pass == 1);
            let written = if is_ambiguous {
                None
            } else {
                self.written(&bytes, piece, &mut found)?
            };
            let mut told = |report: &mut dyn FnMut(FindingOutcome<'_>),
                            finding: &Finding,
                            outcome,
                            is_blocked| {
                let finding = if inserted.is_empty() || pass > 1 {
                    Cow::Borrowed(finding)
                } else {
                    Cow::Owned(in_input(finding, &inserted))
                };
                let position = (pass == 1).then(|| lines.position_of(finding.span.start));
                report(FindingOutcome {
                    pass,
                    finding: &finding,
                    outcome,
                    position,
                    is_blocked,
                });
            };
            let (fix, mut unreported) = (found.fix, found.unreported);
            let all_left = (0..fix.findings.len())
                .map(|number| (number, Outcome::Left))
                .collect();
            let outcomes: Vec<(usize, Outcome)> = if written.is_some() {
                fix.outcomes
            } else {
                all_left
            };
            let (mut left, mut has_changed) = (Vec::new(), false);
            for (number, outcome) in outcomes {
                let finding = &fix.findings[number];
                if outcome != Outcome::Left {
                    has_changed = true;
                    told(report, finding, outcome, false);
                } else if finding.remedy != Some(Remedy::PlaceHandicap)
                    || self.choice.wants(finding.code, finding.severity)
                {
                    // Without its guess, such a finding is reported only at its own severity.
                    left.push(finding);
                }
            }
            let is_last = pass >= PASSES && found.cut == 0;
            if let Some(written) = written.filter(|_| has_changed) {
                bytes = Cow::Owned(written);
            }
            if !has_changed || is_last {
                // The repairs may have separated games that were one. Fix each game on its own,
                // so that a game without a safe repair does not block the others.
                if (pass > 1 || !inserted.is_empty())
                    && found.plans.len() > 1
                    && let Some(fixed) = self.fix_parted(&bytes, piece, pass, report)?
                {
                    return Ok(fixed);
                }
                self.unclear.add(&bytes, is_ambiguous, found.is_unbalanced);
                unreported += found.cut + left.len().saturating_sub(LEFT_MAX) as u64;
                for finding in left.into_iter().take(LEFT_MAX) {
                    let is_blocked = found.is_ambiguous && self.choice.wants_finding(finding);
                    told(report, finding, Outcome::Left, is_blocked);
                }
                return Ok(FixedChunk {
                    bytes,
                    unreported,
                    long_game: None,
                });
            }
            // Give the memory back, because the next pass needs as much.
            drop((fix.findings, fix.edits));
            found = self.examine(&bytes, piece)?;
        }
        unreachable!("a pass without changes ends the loop")
    }

    /// Returns whether an unmatched parenthesis in the chunks so far is near enough to decide which
    /// games the next chunk has. Then that chunk cannot begin a part.
    #[must_use]
    pub fn has_unclear_games(&self) -> bool {
        !self.unclear.is_empty()
    }

    /// Repairs each game of a chunk that `before` passes have parted on its own. Returns `None` if
    /// the chunk is one still.
    fn fix_parted<'b>(
        &mut self,
        bytes: &[u8],
        piece: &GameChunk,
        before: usize,
        report: &mut dyn FnMut(FindingOutcome<'_>),
    ) -> Result<Option<FixedChunk<'b>>> {
        let mut read = bytes;
        let mut reader = PartReader::whole(&mut read, self.options, Some(bytes.len() as u64));
        let (mut chunks, mut out, mut unreported) =
            (GameChunks::new(&reader), Vec::with_capacity(bytes.len()), 0);
        while let Some(chunk) = chunks.next(&mut reader)? {
            let part = &bytes[chunk.span.start as usize..chunk.span.end as usize];
            if part.len() == bytes.len() {
                return Ok(None);
            }
            let fixed = self.fix(part, &chunk.within(piece), &mut |found| {
                report(FindingOutcome {
                    pass: before + found.pass,
                    position: None,
                    ..found
                });
            })?;
            out.extend_from_slice(&fixed.bytes);
            unreported += fixed.unreported;
        }
        Ok(Some(FixedChunk {
            bytes: Cow::Owned(out),
            unreported,
            long_game: None,
        }))
    }

    /// Escapes the `]` of texts until nothing changes. Returns `None` if there is nothing to
    /// escape, or if not all of the stray text belongs to texts.
    fn escape_brackets(
        &self,
        bytes: &[u8],
        piece: &GameChunk,
        found: &Examination,
    ) -> Result<Option<EscapedChunk>> {
        if !found.has_stray_text || !self.choice.escapes_brackets() {
            return Ok(None);
        }
        let (start, mut result) = (piece.span.start, None);
        for round in 0.. {
            let (bytes, found) = result
                .as_ref()
                .map_or((bytes, found), |result: &EscapedChunk| {
                    (&result.bytes[..], &result.found)
                });
            let borders = self.borders(bytes, piece)?;
            if borders.brackets.is_empty() {
                break;
            }
            let is_without_effect = result
                .as_ref()
                .is_some_and(|result| result.inserted.are_without_effect(&borders, start));
            if is_without_effect || round == ESCAPE_ROUNDS {
                return Ok(None);
            }
            let written = borders.write(bytes);
            let mut of_texts = Vec::new();
            for finding in &found.fix.findings {
                let place = finding.span.start.saturating_sub(start) as usize;
                if is_stray(finding.code)
                    && let Some(remedy) = Remedy::of_text(&borders, place, start)
                {
                    of_texts.push(Finding {
                        remedy: Some(remedy),
                        ..finding.clone()
                    });
                }
            }
            let (mut inserted, mut repaired) = match result.take() {
                Some(before) => (before.inserted, before.repaired),
                None => (InsertedEscapes::default(), Vec::new()),
            };
            repaired.extend(of_texts.iter().map(|finding| in_input(finding, &inserted)));
            inserted.add(&borders, start);
            let found = self.examine(&written, piece)?;
            result = Some(EscapedChunk {
                bytes: written,
                inserted,
                repaired,
                found,
            });
        }
        // A game that lost its `)` to a text would continue into the game after it.
        let opens = |result: &EscapedChunk| result.found.open_games > found.open_games;
        // An escape that makes a text continue over a node would look like one of its author.
        let swallows = |result: &EscapedChunk| result.found.swallowed_nodes > found.swallowed_nodes;
        // An escape that makes the `(` of a variation a part of a text makes a game of its node.
        let adds_games = |result: &EscapedChunk| result.found.plans.len() > found.plans.len();
        let is_sure =
            |result: &EscapedChunk| !opens(result) && !swallows(result) && !adds_games(result);
        let Some(result) = result.filter(|result| !result.found.is_ambiguous && is_sure(result))
        else {
            return Ok(None);
        };
        // The text may also go on to the end of the chunk, or take a `)` from a dropped `(`. Then the
        // next chunk would be read differently.
        let is_read_so = self
            .unclear
            .is_read_so(&result.bytes, result.found.plans.len())?
            && (self.is_apart(&result.bytes)? || !self.is_apart(bytes)?);
        Ok(is_read_so.then_some(result))
    }

    /// Returns whether a game after a chunk is a chunk of its own.
    fn is_apart(&self, bytes: &[u8]) -> Result<bool> {
        let mut read = bytes.chain(&b"(;)"[..]);
        let mut reader = PartReader::whole(&mut read, self.options, Some(bytes.len() as u64 + 3));
        let (mut chunks, mut last) = (GameChunks::new(&reader), None);
        while let Some(chunk) = chunks.next(&mut reader)? {
            last = Some(chunk.span.start);
        }
        Ok(last == Some(bytes.len() as u64))
    }

    /// Returns where texts of the chunk lack a `\`.
    fn borders(&self, bytes: &[u8], piece: &GameChunk) -> Result<Borders> {
        let reader = Self::reader(self.options, bytes, piece);
        Borders::of(bytes, reader, piece.span.start)
    }

    /// Returns the bytes of a chunk after a pass. Returns `None` if there is nothing to repair, or
    /// if the result would have texts that end elsewhere, or other moves or boards.
    fn written(
        &self,
        bytes: &[u8],
        piece: &GameChunk,
        found: &mut Examination,
    ) -> Result<Option<Vec<u8>>> {
        if !found.has_repairs {
            return Ok(None);
        }
        let mut written = Vec::with_capacity(bytes.len() + 64);
        write_edited(bytes, found.fix.edits.sorted(), &mut written);
        if found.old_markup.iter().any(Option::is_some) {
            written = self.convert(&written, piece, |number, game| {
                let context = found.old_markup.get(number)?.as_ref()?;
                let mut out = EditOutput::default();
                old_markup(game, context, &mut out);
                Some(out)
            })?;
        }
        let is_recoded = |plan: &GamePlan| matches!(plan.charset, Some(CharsetPlan::Recode(_)));
        if found.plans.iter().any(is_recoded) {
            written = self.convert(&written, piece, |number, game| {
                let Some(CharsetPlan::Recode(charset)) = found.plans.get(number)?.charset else {
                    return None;
                };
                let (mut context, mut out) =
                    (EditContext::of(&Facts::of(*game, 0)), EditOutput::default());
                context.charset = charset;
                Utf8.edit(game, &context, &mut out);
                Some(out)
            })?;
        }
        // Refuse the repair if texts lack escapes after it. The remedies have written or dropped
        // brackets, which are no evidence for where a text ends.
        if found.has_stray_text
            && self.choice.escapes_brackets()
            && !self.borders(&written, piece)?.brackets.is_empty()
        {
            return Ok(None);
        }
        let options = self.options.with_detection(None);
        // A repair that writes text after a `]` may make it the second byte of a character, so that
        // the value goes on. One that drops a bracket may make a variation of the next game.
        let lines = |bytes: &[u8]| MainLines::of(Self::reader(options, bytes, piece));
        if (has_doubt(&written) || found.has_stray_text) && !lines(&written)?.are(&lines(bytes)?) {
            return Ok(None);
        }
        if !self.unclear.is_empty() && !self.unclear.is_read_so(&written, lines(&written)?.games)? {
            return Ok(None);
        }
        let reader = |bytes| Self::reader(options, bytes, piece);
        // Only guesses may change a board, and nothing changes which game it is.
        let is_kept = if !found.fix.touches_board {
            true
        } else if self.choice.guesses {
            let before = MainLines::of(reader(bytes))?;
            let after = MainLines::of(reader(&written))?;
            before.other_games().eq(after.other_games())
        } else {
            are_kept(&boards(reader(bytes))?, &boards(reader(&written))?)
        };
        Ok(is_kept.then_some(written))
    }

    /// Edits the games of a chunk by `edit`, which returns the edits of a game by its number
    /// from 0.
    fn convert(
        &self,
        bytes: &[u8],
        piece: &GameChunk,
        edit: impl Fn(usize, &GameRecord<'_>) -> Option<EditOutput>,
    ) -> Result<Vec<u8>> {
        let mut games = GameReader::new(Self::reader(self.options, bytes, piece));
        let (mut out, mut end, mut number) = (Vec::with_capacity(bytes.len()), 0, 0);
        while let Some(game) = games.next_game()? {
            let edited = game
                .ok()
                .and_then(|game| Some((game, edit(number, &game)?)));
            number += 1;
            let Some((game, mut edited)) = edited else {
                continue;
            };
            let start = (game.span().start - piece.span.start) as usize;
            out.extend_from_slice(&bytes[end..start]);
            write_edited(game.as_bytes(), edited.edits.sorted(), &mut out);
            end = start + game.as_bytes().len();
        }
        out.extend_from_slice(&bytes[end..]);
        Ok(out)
    }

    /// Checks the bytes that a chunk has in this pass, and collects the replacements of its repair.
    fn examine(&self, bytes: &[u8], piece: &GameChunk) -> Result<Examination> {
        let start = piece.span.start;
        let mut games = GameReader::new(Self::reader(self.options, bytes, piece));
        let mut found = Examination::default();
        found.fix.had_game = piece.games > 0;
        let (mut end, mut number) = (0, piece.games);
        while let Some(game) = games.next_game()? {
            let game = match game {
                Ok(game) => game,
                Err(long) => {
                    return Ok(Examination {
                        long_game: Some(long.number),
                        ..found
                    });
                }
            };
            let cost = game
                .as_bytes()
                .len()
                .saturating_add(game.problems().len().saturating_mul(FAULT_COST));
            if cost > self.options.limits.game {
                return Ok(Examination {
                    long_game: Some(game.number()),
                    ..found
                });
            }
            let place = (game.span().start - start) as usize;
            self.examine_between(
                bytes,
                end..place,
                game.problems_before(),
                number,
                start,
                &mut found,
            );
            self.examine_game(bytes, start, &game, &mut found);
            (end, number) = (place + game.as_bytes().len(), game.number());
        }
        self.examine_between(
            bytes,
            end..bytes.len(),
            games.trailing_problems(),
            number,
            start,
            &mut found,
        );
        found.fix.end(&self.choice);
        Ok(found)
    }

    /// Checks the bytes between two games.
    fn examine_between(
        &self,
        bytes: &[u8],
        span: std::ops::Range<usize>,
        problems: &[Problem],
        number: u64,
        start: u64,
        found: &mut Examination,
    ) {
        problem_findings(problems, number, &mut |finding| {
            found.add(finding, &self.choice)
        });
        found.note_problems(problems);
        let mut stray = StrayValues::default();
        problems.iter().for_each(|problem| stray.add(problem.code));
        found.is_ambiguous |= stray.is_ambiguous();
        found
            .fix
            .repair_between(&self.choice, problems, start, &mut Gap::new(bytes, span));
    }

    fn examine_game(
        &self,
        bytes: &[u8],
        start: u64,
        game: &GameRecord<'_>,
        found: &mut Examination,
    ) {
        let facts = Facts::of(*game, 0);
        let at = EditContext::of(&facts);
        let mut needs = RepairNeeds::default();
        findings(&facts, CheckOptions::default(), &mut |mut finding| {
            // Do not escape a bracket here, because the first step has escaped them.
            if matches!(finding.remedy, Some(Remedy::EscapeBracket { .. })) {
                finding.remedy = Remedy::of_reader(finding.code);
            }
            if self.choice.wants_finding(&finding) {
                note_needs(&finding, &mut needs);
            }
            found.add(finding, &self.choice);
        });
        let problems = &game.problems()[game.problems_before().len()..];
        found.note_problems(problems);
        found.is_ambiguous |= is_ambiguous(game);
        let is_open = game.tokens().last().is_some_and(|last| last.is_inserted());
        found.open_games += usize::from(is_open);
        let plan = self.plan(game, &at, needs);
        let is_converted = plan.states_version && at.has_ff && at.ff < 4;
        // Findings that are left wait in the queue for the next repair, or for the end.
        if found.fix.wanted == 0
            && problems.is_empty()
            && plan == GamePlan::default()
            && !needs.stones
        {
            found.plans.push(plan);
            found.old_markup.push(None);
            found.fix.had_game = true;
            return;
        }
        let mut problems = problems.to_vec();
        problems.sort_by_key(|problem| problem.span.start);
        let drops_parentheses = problems
            .iter()
            .any(|problem| problem.code == Code::VariationWithoutNode);
        let mut repair = GameFix {
            choice: &self.choice,
            chunk: &mut found.fix,
            input: bytes,
            start,
            game: *game,
            at,
            plan,
            lacks_stones: needs.stones,
            problems,
            drops_parentheses,
        };
        repair.repair();
        let plan = repair.plan;
        found.plans.push(plan);
        found
            .old_markup
            .push((is_converted && plan.states_version).then_some(at));
    }

    /// Returns the changes of the root that depend on the whole game.
    fn plan(&self, game: &GameRecord<'_>, at: &EditContext, needs: RepairNeeds) -> GamePlan {
        let charset = charset_plan(game, needs);
        let charset = charset.filter(|plan| self.choice.guesses || !plan.1);
        let is_newer = |id: &[u8]| {
            let definition =
                Definition::find(at.game, at.ff, id).filter(|found| found.fit == Fit::OtherVersion);
            at.ff < 4 && definition.is_some_and(|found| found.definition.versions.contains(4))
        };
        // The repairs may write properties that are newer than the version of the game.
        let writes_newer =
            (charset.is_some() && is_newer(b"CA")) || (needs.joined && is_newer(b"IT"));
        let may_state = self.choice.wants(
            Code::OtherVersionProperty,
            Code::OtherVersionProperty.severity(),
        );
        GamePlan {
            states_version: needs.version || (may_state && writes_newer),
            charset: charset.map(|plan| plan.0),
            is_guess: charset.is_some_and(|plan| plan.1),
        }
    }

    /// Returns a reader of the current bytes of a chunk.
    fn reader<'b>(options: Options, bytes: &'b [u8], piece: &GameChunk) -> SliceReader<'b> {
        SliceReader::starting_at(bytes, options, piece.span.start, piece.games)
    }
}

fn note_needs(finding: &Finding, needs: &mut RepairNeeds) {
    match (&finding.remedy, finding.code) {
        (Some(Remedy::StateVersion), _) => needs.version = true,
        (Some(Remedy::StateCharset), Code::CharsetNotAllowed) => needs.utf8 = true,
        (Some(Remedy::StateCharset), _) => needs.charset = true,
        (Some(Remedy::Join), _) => needs.joined = true,
        (Some(Remedy::PlaceHandicap), _) => needs.stones = true,
        _ => {}
    }
}

impl Examination {
    /// Adds a finding, if it is selected and there is room for it.
    fn add(&mut self, finding: Finding, choice: &FixFilter) {
        self.swallowed_nodes += usize::from(finding.code == Code::SwallowedNode);
        if !choice.matches(&finding) {
            return;
        }
        let is_wanted = choice.wants_finding(&finding);
        let (count, most) = if is_wanted {
            (&mut self.repaired, FINDINGS_MAX)
        } else {
            (&mut self.left, LEFT_MAX)
        };
        self.has_repairs |= is_wanted;
        if *count >= most {
            self.cut += u64::from(is_wanted);
            self.unreported += u64::from(!is_wanted);
            return;
        }
        *count += 1;
        self.fix.wanted += usize::from(is_wanted);
        self.fix.queue.push_back(self.fix.findings.len());
        self.fix.findings.push(finding);
    }

    fn note_problems(&mut self, problems: &[Problem]) {
        for problem in problems {
            self.has_repairs = true;
            self.has_stray_text |= is_stray(problem.code);
            self.is_unbalanced |=
                is_of_parentheses(problem.code) || problem.code == Code::UnclosedGame;
        }
    }
}
