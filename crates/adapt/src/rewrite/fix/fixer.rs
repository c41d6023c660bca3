//! The repair loop: checks and edits the bytes of a game until nothing changes.

use std::borrow::Cow;
use std::io::Read;
use std::rc::Rc;

use crate::borders::{Borders, InsertedEscapes, is_stray};
use crate::check::{Finding, Remedy, SourceWindow};
use sgfstream::parallel::PartReader;
use sgfstream::{EventReader, Options, Position, Result, Sink, Span};

use super::super::handicap::{PlaceHandicap, PlacedGames};
use super::super::{Edit, Rewriter};
use super::boards::Boards;
use super::edit::Fix;
use super::main_lines::{MainLines, has_doubt};
use super::survey::{PlacedFinding, Survey, SurveyResult};
use super::{FixFilter, GameChunk, GameChunks, HELD_MAX, LEFT_MAX, Outcome, PROPERTY};

/// Maximum number of passes over a chunk. A repair may reveal another finding, so one pass is not enough.
const PASSES: usize = 8;

/// Callback that receives each finding with its outcome.
type OutcomeCallback<'t> = &'t mut dyn FnMut(Rc<PlacedFinding>, Outcome);

/// A finding with its outcome and its place.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct FindingOutcome<'f> {
    /// Number of the pass, from 1. Later passes read the output of earlier ones, and the spans of their findings refer to
    /// that.
    pub pass: usize,
    /// The finding.
    pub finding: &'f Finding,
    /// Result of the repair.
    pub outcome: Outcome,
    /// Line and column in the input; `None` in later passes.
    pub position: Option<Position>,
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
///     output.extend_from_slice(&fixer.fix(bytes, &piece, |_| {})?.bytes);
/// }
/// assert_eq!(output, b"(;FF[4]GM[1]KM[6.5])\n(;FF[4]GM[1];B[dd])");
/// # Ok::<(), sgfstream::Error>(())
/// ```
#[derive(Debug)]
pub struct Fixer {
    choice: FixFilter,
    options: Options,
    survey: Survey,
    trail: SourceWindow,
    /// An earlier chunk was left with an unmatched parenthesis. The later chunks are left as well, because the parenthesis
    /// changes how they are read.
    is_after_unclear: bool,
}

/// A chunk after its repair.
#[derive(Debug)]
#[non_exhaustive]
pub struct FixedChunk<'b> {
    /// The repaired bytes; the original bytes if nothing was repaired.
    pub bytes: Cow<'b, [u8]>,
    /// Number of unrepaired findings that were not reported, because they exceed what the fixer buffers.
    pub unreported: u64,
}

/// Result of [`Fixer::escape_brackets`].
struct EscapedChunk {
    bytes: Vec<u8>,
    inserted: InsertedEscapes,
    /// The findings that the escapes resolve, with their places in the input.
    repaired: Vec<(Finding, Option<Position>)>,
    /// The findings about the new bytes.
    found: SurveyResult,
}

/// Returns a finding with its place before the insertion of escapes.
fn in_input(finding: &PlacedFinding, inserted: &InsertedEscapes) -> (Finding, Option<Position>) {
    let span = Span::new(inserted.original(finding.span.start), inserted.original(finding.span.end));
    let position = finding.position.map(|position| inserted.original_position(position));
    (Finding { span, ..Finding::clone(finding) }, position)
}

impl Fixer {
    /// Returns a fixer that repairs the findings that `choice` selects, in games that are read with `options`.
    #[must_use]
    pub fn new(choice: FixFilter, options: Options) -> Self {
        Self::with_held(choice, options, HELD_MAX)
    }

    fn with_held(choice: FixFilter, options: Options, held_max: usize) -> Self {
        // Each value may have findings, which are buffered until the end of the property, so limit its length.
        let limits = options.limits.with_property(options.limits.property.min(PROPERTY)).with_depth(None);
        let options = options.with_limits(limits).with_gaps(true);
        Self {
            survey: Survey::new(choice.clone(), held_max),
            choice,
            options,
            trail: SourceWindow::default(),
            is_after_unclear: false,
        }
    }

    /// Repairs the bytes of a chunk and reports the outcome of each finding. Each pass reports its repairs. Unrepaired
    /// findings are reported after the last pass, which is the eighth or the first that changes nothing. A pass depends only
    /// on its input bytes, so a fixed chunk has nothing left to fix.
    ///
    /// If the bytes that a pass reads and writes exceed 32 MiB, memory grows with them.
    ///
    /// # Errors
    ///
    /// Same as [`EventReader::advance`](sgfstream::EventReader::advance).
    pub fn fix<'b>(
        &mut self,
        bytes: &'b [u8],
        piece: &GameChunk,
        mut report: impl FnMut(FindingOutcome<'_>),
    ) -> Result<FixedChunk<'b>> {
        let mut found = self.look(bytes, piece, 1)?;
        let (mut bytes, mut inserted) = (Cow::Borrowed(bytes), InsertedEscapes::default());
        if let Some(escaped) = self.escape_brackets(&bytes, piece, &found)? {
            for (finding, position) in &escaped.repaired {
                report(FindingOutcome { pass: 1, finding, outcome: Outcome::Repaired, position: *position });
            }
            (bytes, inserted, found) = (Cow::Owned(escaped.bytes), escaped.inserted, escaped.found);
        }
        let (mut pass, mut is_left) = (1, false);
        loop {
            // An unmatched parenthesis that is left changes how later chunks are read.
            let is_other = !piece.may_have(found.plans.len()) || self.is_after_unclear;
            let is_ambiguous = found.is_ambiguous || is_left || (found.has_repairs && is_other && pass == 1);
            self.is_after_unclear |= is_ambiguous && found.is_unbalanced;
            let mut unreported = found.unreported;
            let mut report = |finding: &PlacedFinding, outcome| {
                if inserted.is_empty() || pass > 1 {
                    return report(FindingOutcome { pass, finding, outcome, position: finding.position });
                }
                let (finding, position) = in_input(finding, &inserted);
                report(FindingOutcome { pass, finding: &finding, outcome, position });
            };
            if !found.has_repairs {
                found.findings.iter().for_each(|finding| report(finding, Outcome::Left));
                return Ok(FixedChunk { bytes, unreported });
            }
            let choice = self.choice.clone();
            let choice = if is_ambiguous { choice.with_nothing() } else { choice };
            if is_ambiguous {
                (found.plans, found.lacks_stones) = (Vec::new(), false);
            }
            // Report outcomes only once the pass is accepted. If the fixer cannot buffer all findings, it repeats the pass
            // and reports each outcome as it comes.
            let (is_cut, mut outcomes) = (found.is_cut, Vec::new());
            let again = is_cut.then(|| SurveyResult {
                is_cut,
                lacks_stones: found.lacks_stones,
                plans: found.plans.clone(),
                ..SurveyResult::default()
            });
            let mut hold = |finding, outcome| {
                if !is_cut {
                    outcomes.push((finding, outcome));
                }
            };
            let (written, touches_board) = self.edit(&bytes, piece, pass, choice.clone(), found, &mut hold)?;
            let keeps_game = is_left
                || (self.keeps_moves(&bytes, &written, piece)?
                    && (self.choice.takes_guesses()
                        || !touches_board
                        || self.keeps_boards(&bytes, &written, piece)?));
            if !keeps_game {
                is_left = true;
                found = self.look(&bytes, piece, pass)?;
                continue;
            }
            let (mut changes, mut left) = (false, Vec::new());
            let mut tell = |finding: Rc<PlacedFinding>, outcome| {
                if outcome != Outcome::Left {
                    changes = true;
                    report(&finding, outcome);
                } else if left.len() < LEFT_MAX {
                    left.push(finding);
                } else {
                    unreported += 1;
                }
            };
            outcomes.into_iter().for_each(|(finding, outcome)| tell(finding, outcome));
            if let Some(found) = again {
                self.edit(&bytes, piece, pass, choice, found, &mut tell)?;
            }
            if changes {
                bytes = Cow::Owned(written);
            }
            if !changes || pass >= PASSES {
                left.iter().for_each(|finding| report(finding, Outcome::Left));
                return Ok(FixedChunk { bytes, unreported });
            }
            pass += 1;
            found = self.look(&bytes, piece, pass)?;
        }
    }

    /// Escapes the `]` of texts until nothing changes, because where texts end decides which properties there are. Returns
    /// `None` if there is nothing to escape, or if not all of the stray text belongs to texts.
    fn escape_brackets(
        &mut self,
        bytes: &[u8],
        piece: &GameChunk,
        found: &SurveyResult,
    ) -> Result<Option<EscapedChunk>> {
        let is_other = !piece.may_have(found.plans.len()) || self.is_after_unclear;
        if !found.has_stray_text || is_other || !self.choice.escapes_brackets() {
            return Ok(None);
        }
        let (start, mut result) = (piece.span.start, None);
        for _ in 0..PASSES {
            let (bytes, found) =
                result.as_ref().map_or((bytes, found), |result: &EscapedChunk| (&result.bytes[..], &result.found));
            let mut read = bytes;
            let borders = Borders::of(bytes, Self::reader(self.options, &mut read, bytes.len(), piece), start)?;
            if borders.brackets.is_empty() {
                break;
            }
            let written = borders.write(bytes);
            let (mut inserted, mut repaired) = (InsertedEscapes::default(), Vec::new());
            let is_repaired = |finding: &&Rc<PlacedFinding>| {
                is_stray(finding.code) && borders.is_in_text(finding.span.start.saturating_sub(start) as usize)
            };
            let of_texts: Vec<Rc<PlacedFinding>> = found.findings.iter().filter(is_repaired).map(Rc::clone).collect();
            if let Some(before) = result.take() {
                (inserted, repaired) = (before.inserted, before.repaired);
            }
            repaired.extend(of_texts.iter().map(|finding| in_input(finding, &inserted)));
            inserted.add(&borders, start);
            let found = self.look(&written, piece, 1)?;
            result = Some(EscapedChunk { bytes: written, inserted, repaired, found });
        }
        Ok(result.filter(|result| !result.found.is_ambiguous))
    }

    /// Edits the bytes of a chunk by its findings. Returns the output, and whether a repair may have changed a board. If the
    /// survey buffered only some of the findings, a second survey runs ahead of the rewriter and finds them part by part.
    fn edit(
        &mut self,
        bytes: &[u8],
        piece: &GameChunk,
        pass: usize,
        choice: FixFilter,
        mut found: SurveyResult,
        report: OutcomeCallback<'_>,
    ) -> Result<(Vec<u8>, bool)> {
        let fix = Fix::new(choice, std::mem::take(&mut found.plans), piece.games > 0);
        let queue = fix.queue();
        let (mut edits, placed): (Vec<Box<dyn Edit>>, _) = (vec![Box::new(fix)], PlacedGames::default());
        if found.lacks_stones {
            edits.push(Box::new(PlaceHandicap::for_fix(&placed)));
        }
        let mut rewriter = Rewriter::new(Vec::with_capacity(bytes.len()), edits);
        let (mut read, len) = (bytes, bytes.len());
        let mut reader = Self::reader(self.options, &mut read, len, piece);
        let mut followed: Box<dyn Read> = Box::new(bytes);
        if found.is_cut && pass == 1 {
            followed = Box::new(self.trail.follow_at(bytes, piece.start, &[]));
        }
        let mut ahead = found.is_cut.then(|| Self::reader(self.options, &mut followed, len, piece));
        let mut end = None;
        if let Some(ahead) = &mut ahead {
            self.survey.begin_parts((pass == 1).then_some(&self.trail));
            (found, end) = self.survey.next_findings(ahead)?;
        }
        let mut is_over = !reader.advance()?;
        loop {
            {
                let mut queue = queue.borrow_mut();
                queue.has_more = end.is_some();
                queue.findings.extend(found.findings.drain(..));
            }
            while !is_over && end.is_none_or(|end| reader.span().start < end) {
                _ = rewriter.event(&reader.event(), &reader.place());
                is_over = !reader.advance()?;
            }
            if end.is_none() {
                rewriter.end_of_input();
            }
            let outcomes = std::mem::take(&mut queue.borrow_mut().outcomes);
            for (finding, outcome) in outcomes {
                let lacks_stones = finding.remedy == Some(Remedy::PlaceHandicap);
                if lacks_stones && placed.borrow().contains(&(finding.game - piece.games)) {
                    report(finding, Outcome::Guessed);
                } else if !lacks_stones || self.choice.wants(finding.code, finding.severity) {
                    // Without its guess, the finding is reported only at its own severity.
                    report(finding, outcome);
                }
            }
            match &mut ahead {
                Some(ahead) if end.is_some() => (found, end) = self.survey.next_findings(ahead)?,
                _ => break,
            }
        }
        let written = rewriter.finish().expect("a Vec takes all");
        let touches_board = queue.borrow().touches_board;
        Ok((written, touches_board))
    }

    /// Returns whether the output of a pass has the moves of its input and ends at the same place. It may not: if a repair
    /// writes text after a `]`, the `]` may become the second byte of a character, so that the value continues.
    fn keeps_moves(&self, bytes: &[u8], written: &[u8], piece: &GameChunk) -> Result<bool> {
        let options = self.options.with_detection(None);
        let lines = |mut bytes: &[u8]| {
            let len = bytes.len();
            MainLines::of(&mut Self::reader(options, &mut bytes, len, piece))
        };
        Ok(!has_doubt(written) || lines(written)?.are(lines(bytes)?))
    }

    /// Returns whether each node has the same board before and after a pass. Only guesses may change a board.
    fn keeps_boards(&self, mut bytes: &[u8], mut written: &[u8], piece: &GameChunk) -> Result<bool> {
        let (options, start) = (self.options.with_detection(None), piece.span.start);
        let (len, written_len) = (bytes.len(), written.len());
        let same = bytes.iter().rev().zip(written.iter().rev()).take_while(|(one, other)| one == other).count();
        let before = Boards::new(Self::reader(options, &mut bytes, len, piece), start + len as u64);
        let after = Self::reader(options, &mut written, written_len, piece);
        before.are_kept_by(Boards::new(after, start + written_len as u64), same as u64)
    }

    /// Surveys the bytes that a chunk has in this pass.
    fn look(&mut self, mut bytes: &[u8], piece: &GameChunk, pass: usize) -> Result<SurveyResult> {
        let len = bytes.len();
        if pass > 1 {
            return self.survey.look(&mut Self::reader(self.options, &mut bytes, len, piece), None);
        }
        let mut followed = self.trail.follow_at(bytes, piece.start, &[]);
        self.survey.look(&mut Self::reader(self.options, &mut followed, len, piece), Some(&self.trail))
    }

    /// Returns a reader of the current `len` bytes of a chunk.
    fn reader<'r>(options: Options, read: &'r mut dyn Read, len: usize, piece: &GameChunk) -> PartReader<'r> {
        PartReader::range(read, options, piece.span.start..piece.span.start + len as u64 + 1, piece.games)
    }
}

/// Repairs an input, and reports each finding with its outcome and with the number of the pass over its game, from 1. The
/// finding refers to the bytes that the pass read. [`Fixer`] does the same for inputs of any length.
///
/// ```
/// use sgfstream::{Code, Options};
/// use sgfstream_adapt::fix::{FixFilter, Outcome, fix};
///
/// let mut done = Vec::new();
/// let input = b"(;FF[4]GM[1]SZ[19:19] AP[x];B[d d]C[a]AB[]RE[W+Resignation])";
/// let output = fix(input, &FixFilter::default(), Options::default(), |_, finding, outcome| {
///     assert_eq!(outcome, Outcome::Repaired);
///     done.push(finding.code);
/// });
/// assert_eq!(String::from_utf8_lossy(&output), "(;FF[4]GM[1]SZ[19] AP[x:];B[dd]C[a]RE[W+R])");
/// assert!(done.contains(&Code::SquareSizePair) && done.contains(&Code::EmptyValue));
/// ```
pub fn fix(bytes: &[u8], choice: &FixFilter, options: Options, take: impl FnMut(usize, &Finding, Outcome)) -> Vec<u8> {
    fix_by(&mut Fixer::new(choice.clone(), options), bytes, options, take)
}

fn fix_by(
    fixer: &mut Fixer,
    bytes: &[u8],
    options: Options,
    mut take: impl FnMut(usize, &Finding, Outcome),
) -> Vec<u8> {
    let (mut read, mut out) = (bytes, Vec::with_capacity(bytes.len()));
    let unlimited = options.with_limits(options.limits.with_depth(None));
    let mut reader = PartReader::whole(&mut read, unlimited, Some(bytes.len() as u64));
    let mut pieces = GameChunks::new(&reader);
    while let Some(piece) = pieces.next(&mut reader).expect("a slice can be read, and no limit is set") {
        let input = &bytes[piece.span.start as usize..piece.span.end as usize];
        let report = |FindingOutcome { pass, finding, outcome, .. }: FindingOutcome<'_>| take(pass, finding, outcome);
        out.extend_from_slice(&fixer.fix(input, &piece, report).expect("a slice can be read").bytes);
    }
    out
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Asserts that a pass changes something if and only if it reports a repair, and that fixed bytes have nothing left to
    /// fix.
    fn holds(input: &str) {
        let fixed = |bytes: &[u8]| {
            let mut repairs = 0;
            let out = fix(bytes, &FixFilter::default(), Options::default(), |_, _, outcome| {
                repairs += usize::from(outcome != Outcome::Left);
            });
            (out, repairs)
        };
        let (once, repairs) = fixed(input.as_bytes());
        assert!(repairs > 0 || once == input.as_bytes(), "{input}");
        let (twice, repairs) = fixed(&once);
        assert_eq!(String::from_utf8_lossy(&twice), String::from_utf8_lossy(&once), "{input}");
        assert_eq!(repairs, 0, "{input}");
        // The number of buffered findings must not affect output or reports.
        let held = |held_max| {
            let mut fixer = Fixer::with_held(FixFilter::default(), Options::default(), held_max);
            let mut outcomes = Vec::new();
            let out = fix_by(&mut fixer, input.as_bytes(), Options::default(), |pass, finding, outcome| {
                outcomes.push((pass, finding.span.start, finding.code, outcome));
            });
            (String::from_utf8_lossy(&out).into_owned(), outcomes)
        };
        let all = held(HELD_MAX);
        for held_max in [1, 2, 5] {
            assert_eq!(held(held_max), all, "{input}, {held_max}");
        }
    }

    #[test]
    fn fixed_once_is_fixed() {
        for input in [
            "",
            "(;FF[4]GM[1]CA[UTF-8]SZ[19];B[aa];W[bb])",
            "(;FF[4]GM[1]SZ[19:19] AP[x];B[d d]C[a]AB[]RE[W+Resignation])(;B[aa]W[bb])",
            "(;FF[1]GM[1]L[aa][bb]M[cc];B[]W[tt](;C[a)",
            "x(;GM[1]KM[6,5]foo)y(;;)",
            "(;;  FF[1]",
            "(",
            "(;FF[4];SZ[19:19])",
            "(;FF[4];sZ[19])",
        ] {
            holds(input);
        }
    }

    proptest! {
        #[test]
        fn anything_fixed_once_is_fixed(
            input in "(\\(|\\)|;|B\\[[a-c ]{0,3}\\]|W\\[cc\\]|FF\\[[1-4]\\]|SZ\\[19:19\\]|KM\\[6,5\\]|A[BW]\\[aa\\]|C\\[[a-c\\]]?|x| ){0,24}",
        ) {
            holds(&input);
        }
    }
}
