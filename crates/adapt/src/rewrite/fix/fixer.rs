//! The fixer: a checker and a rewriting, side by side.

use std::borrow::Cow;
use std::cell::RefCell;
use std::io::{self, Write};
use std::rc::Rc;

use bytes::Bytes;

use crate::check::{CheckOptions, Checker, Finding};
use sgfstream::{Event, EventReader, Flow, Options, Place, PushReader, Sink, SliceReader};

use super::super::Rewriter;
use super::edit::{Fix, Shared};
use super::{Choice, Outcome, PROPERTY, Plan, Survey};

/// How often an input is gone over at most: a repair may reveal another finding.
pub const PASSES: usize = 8;

/// Bytes that are read at once. A fixer that writes to another writes event by
/// event, and a reader that is fed so cannot use its fast paths.
const CHUNK: usize = 64 << 10;

/// A `Write` that repairs what is written to it, and writes that on: some
/// kilobytes later, or when it is flushed.
///
/// Memory is bounded, by 32 MiB: a fixer holds a node, up to 256 KiB of it with
/// all that was found of them, and the beginning of a game until the checker
/// knows what game it is.
///
/// ```
/// use std::io::Write;
/// use sgfstream::{Code, Options};
/// use sgfstream_adapt::fix::{Choice, Fixer};
///
/// let mut codes = Vec::new();
/// let mut fixer = Fixer::new(Vec::new(), Choice::default(), Options::default(), |finding, _| codes.push(finding.code));
/// fixer.write_all(b"(;FF[4] GM[1]\n;B[aa]W[bb] ;KM[6,5")?;
/// let out = fixer.finish()?;
/// assert_eq!(out, b"(;FF[4] GM[1]\n;B[aa] ;W[bb];KM[6.5])");
/// assert_eq!(codes.len(), 4);
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct Fixer<'f, W: Write> {
    reader: PushReader,
    /// What was written and is not yet read.
    waiting: Vec<u8>,
    /// Bytes that were written.
    len: u64,
    stage: Stage<'f, W>,
}

#[derive(Debug)]
struct Stage<'f, W: Write> {
    checker: Checker<'static>,
    rewriter: Rewriter<W>,
    shared: Rc<RefCell<Shared>>,
    told: Told<'f>,
    /// Bytes and games of the input that were not written to it.
    missing: (u64, u64),
    /// The last event was the end of a game.
    is_after_game: bool,
}

type Tell<'f> = dyn FnMut(&Finding, Outcome) + 'f;

struct Told<'f>(Box<Tell<'f>>);

impl std::fmt::Debug for Told<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Told")
    }
}

impl<W: Write> Sink for Stage<'_, W> {
    fn event(&mut self, event: &Event<'_>, place: &Place) -> Flow {
        // The checker first: when a unit ends, it has said all of it.
        self.checker.event(event, place);
        self.shared.borrow_mut().is_waiting = self.checker.is_waiting();
        let flow = self.rewriter.event(event, place);
        self.is_after_game = place.depth == 1 && matches!(event, Event::VariationEnd { supplied: false });
        self.tell();
        flow
    }
}

impl<W: Write> Stage<'_, W> {
    fn tell(&mut self) {
        if self.shared.borrow().outcomes.is_empty() {
            return;
        }
        let outcomes = std::mem::take(&mut self.shared.borrow_mut().outcomes);
        let (bytes, games) = self.missing;
        for (mut finding, outcome) in outcomes {
            finding.game = finding.game.wrapping_add(games);
            finding.span.start = finding.span.start.wrapping_add(bytes);
            finding.span.end = finding.span.end.wrapping_add(bytes);
            (self.told.0)(&finding, outcome);
        }
    }
}

impl<'f, W: Write> Fixer<'f, W> {
    /// A fixer that does what `choice` wants and tells what became of each
    /// finding. `out` should be buffered.
    pub fn new(out: W, choice: Choice, options: Options, told: impl FnMut(&Finding, Outcome) + 'f) -> Self {
        let shared = Rc::new(RefCell::new(Shared::default()));
        let (wants, found) = (choice.clone(), Rc::clone(&shared));
        let checker = Checker::new(CheckOptions::default(), move |finding| {
            let mut found = found.borrow_mut();
            if wants.wants_finding(finding) {
                found.findings.push_back(finding.clone());
            } else if wants.wants(finding.code, finding.severity) {
                found.outcomes.push((finding.clone(), Outcome::Left));
            }
        });
        // Each value may have findings of its own, which wait for the end of the property.
        let limits = options.limits.with_property(options.limits.property.min(PROPERTY));
        let options = options.with_limits(limits);
        let rewriter = Rewriter::new(out, vec![Box::new(Fix::new(choice, Rc::clone(&shared)))]);
        Self {
            reader: PushReader::with_options(options.with_gaps(true)),
            waiting: Vec::new(),
            len: 0,
            stage: Stage {
                checker,
                rewriter,
                shared,
                told: Told(Box::new(told)),
                missing: (0, 0),
                is_after_game: false,
            },
        }
    }

    /// The same, for a part of an input. A finding that depends on the games before the part has
    /// [`compared`](Finding::compared).
    #[must_use]
    pub fn for_part(mut self) -> Self {
        self.stage.checker = self.stage.checker.for_part();
        self
    }

    /// The plan of the next game, before its first byte is written. A game
    /// without one keeps its FF and CA.
    pub fn expect(&mut self, plan: Plan) {
        self.stage.shared.borrow_mut().plans.push_back(plan);
    }

    /// Reads what was written. True if a game has just ended and nothing is held: the games that come next need not be
    /// written to it if they have nothing to repair.
    pub fn settle(&mut self) -> io::Result<bool> {
        self.read_waiting();
        self.stage.rewriter.take_failure().map_or(Ok(()), Err)?;
        let shared = self.stage.shared.borrow();
        let is_empty = shared.findings.is_empty() && shared.plans.is_empty() && shared.outcomes.is_empty();
        Ok(is_empty && self.stage.is_after_game && !self.stage.checker.is_waiting())
    }

    /// What is written next begins at this byte of the input, after so many games: games before it were passed over.
    pub fn set_origin(&mut self, byte: u64, games: u64) {
        self.stage.missing = (byte.wrapping_sub(self.len), games.wrapping_sub(self.reader.place().game));
    }

    /// A game was not written to it, or not all of it, which `survey` has seen to its end.
    pub fn pass_over(&mut self, survey: &Survey) {
        self.stage.checker.set_games(survey.checker());
    }

    /// What it writes to.
    pub fn get_mut(&mut self) -> &mut W {
        self.stage.rewriter.get_mut()
    }

    /// The input has ended: writes what is held, and gives back what it wrote
    /// to.
    ///
    /// # Errors
    ///
    /// The first failure to write.
    pub fn finish(mut self) -> io::Result<W> {
        self.read_waiting();
        self.reader.finish();
        _ = self.reader.drive(&mut self.stage);
        self.stage.rewriter.end_of_input();
        self.stage.tell();
        Ok(self.stage.rewriter.finish()?.0)
    }
}

impl<W: Write> Fixer<'_, W> {
    fn read_waiting(&mut self) {
        if !self.waiting.is_empty() {
            self.reader.feed(Bytes::copy_from_slice(&self.waiting));
            self.waiting.clear();
            _ = self.reader.drive(&mut self.stage);
        }
    }
}

impl<W: Write> Write for Fixer<'_, W> {
    fn write(&mut self, buf: &[u8]) -> io::Result<usize> {
        let len = buf.len().min(CHUNK - self.waiting.len());
        self.waiting.extend_from_slice(&buf[..len]);
        self.len += len as u64;
        if self.waiting.len() == CHUNK {
            self.read_waiting();
        }
        match self.stage.rewriter.take_failure() {
            Some(err) => Err(err),
            None => Ok(len),
        }
    }

    /// Reads what was written, and flushes what it writes to. Of a game that
    /// is not at its end, a node may be held.
    fn flush(&mut self) -> io::Result<()> {
        self.read_waiting();
        match self.stage.rewriter.take_failure() {
            Some(err) => Err(err),
            None => self.get_mut().flush(),
        }
    }
}

/// Repairs an input, and tells what became of each finding: the number of the
/// pass, from 1, and the finding as it was in the bytes that the pass read. What
/// is left is told once, by the last pass.
///
/// The last pass is the one that changes nothing, or the one of number
/// [`PASSES`]. Each pass does what the first pass over its bytes would do, so
/// what was fixed has nothing left to fix.
///
/// ```
/// use sgfstream::{Code, Options};
/// use sgfstream_adapt::fix::{Choice, Outcome, fix};
///
/// let mut done = Vec::new();
/// let input = b"(;FF[4]GM[1]SZ[19:19] AP[x];B[d d]C[a]AB[]RE[W+Resignation])";
/// let output = fix(input, &Choice::default(), Options::default(), |_, finding, outcome| {
///     assert_eq!(outcome, Outcome::Repaired);
///     done.push(finding.code);
/// });
/// assert_eq!(String::from_utf8_lossy(&output), "(;FF[4]GM[1]SZ[19] AP[x:];B[dd]C[a]RE[W+R])");
/// assert!(done.contains(&Code::SquareSizePair) && done.contains(&Code::EmptyValue));
/// ```
pub fn fix(bytes: &[u8], choice: &Choice, options: Options, mut told: impl FnMut(usize, &Finding, Outcome)) -> Vec<u8> {
    let mut bytes = Cow::Borrowed(bytes);
    for number in 1..=PASSES {
        let Some(plans) = plans(&bytes, choice, options) else { break };
        let mut left = Vec::new();
        let pass = |finding: &Finding, outcome| match outcome {
            Outcome::Left => left.push(finding.clone()),
            _ => told(number, finding, outcome),
        };
        let mut fixer = Fixer::new(Vec::with_capacity(bytes.len()), choice.clone(), options, pass);
        plans.into_iter().for_each(|plan| fixer.expect(plan));
        let written = fixer.write_all(&bytes).and_then(|()| fixer.finish());
        let written = written.expect("a Vec takes all");
        let is_done = written == *bytes;
        bytes = Cow::Owned(written);
        if is_done || number == PASSES {
            left.iter().for_each(|finding| told(number, finding, Outcome::Left));
            break;
        }
    }
    bytes.into_owned()
}

/// The plan of each game; nothing if a pass would find nothing.
fn plans(bytes: &[u8], choice: &Choice, options: Options) -> Option<Vec<Plan>> {
    let mut plans = Vec::new();
    let mut survey = Survey::new(choice.clone());
    let unlimited = options.with_limits(options.limits.with_depth(None));
    let mut reader = SliceReader::with_options(bytes, unlimited);
    while let Some(event) = reader.next() {
        survey.event(&event, &reader.place());
        if matches!(event, Event::VariationEnd { .. }) && reader.depth() == 1 {
            plans.push(survey.take_plan());
        }
    }
    // A longer property comes to the pass in pieces, and is judged otherwise.
    (survey.has_findings() || bytes.len() > PROPERTY).then_some(plans)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Each pass as a run of its own, fed in pieces.
    fn run_by_run(bytes: &[u8], piece: usize) -> (Vec<u8>, usize) {
        let mut bytes = bytes.to_vec();
        for runs in 0.. {
            let mut fixer = Fixer::new(Vec::new(), Choice::default(), Options::default(), |_, _| {});
            let mut survey = Survey::new(Choice::default());
            let mut look = |event: &Event<'_>, place: &Place| {
                survey.event(event, place);
                if matches!(event, Event::VariationEnd { .. }) && place.depth == 1 {
                    fixer.expect(survey.take_plan());
                }
                Flow::Go
            };
            SliceReader::new(&bytes).drive(&mut look).expect("no limit is set");
            for piece in bytes.chunks(piece) {
                fixer.write_all(piece).and_then(|()| fixer.flush()).expect("a Vec takes all");
            }
            let written = fixer.finish().expect("a Vec takes all");
            if written == bytes {
                return (written, runs);
            }
            bytes = written;
        }
        unreachable!("it ends when nothing changes")
    }

    fn same(input: &str, piece: usize) {
        let mut last = 0;
        let written = fix(input.as_bytes(), &Choice::default(), Options::default(), |number, _, outcome| {
            last = last.max(if outcome == Outcome::Left { 0 } else { number });
        });
        let (expected, runs) = run_by_run(input.as_bytes(), piece);
        assert_eq!(String::from_utf8_lossy(&written), String::from_utf8_lossy(&expected), "{input}");
        assert_eq!(last, runs, "a pass changes something if and only if it tells of a repair: {input}");
    }

    #[test]
    fn passes_are_runs() {
        for input in [
            "",
            "(;FF[4]GM[1]CA[UTF-8]SZ[19];B[aa];W[bb])",
            "(;FF[4]GM[1]SZ[19:19] AP[x];B[d d]C[a]AB[]RE[W+Resignation])(;B[aa]W[bb])",
            "(;FF[1]GM[1]L[aa][bb]M[cc];B[]W[tt](;C[a)",
            "x(;GM[1]KM[6,5]foo)y(;;)",
            "(;;  FF[1]",
            "(;FF[4];SZ[19:19])",
            "(;FF[4];sZ[19])",
        ] {
            (1..9).for_each(|piece| same(input, piece));
        }
    }

    proptest! {
        #[test]
        fn passes_are_runs_of_anything(
            input in "(\\(|\\)|;|B\\[[a-c ]{0,3}\\]|W\\[cc\\]|FF\\[[1-4]\\]|SZ\\[19:19\\]|KM\\[6,5\\]|A[BW]\\[aa\\]|C\\[[a-c\\]]?|x| ){0,24}",
            piece in 1usize..40,
        ) {
            same(&input, piece);
        }
    }
}
