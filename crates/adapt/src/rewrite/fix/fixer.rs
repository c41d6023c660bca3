//! The one loop of repair: the bytes of a game, to findings and edits, to bytes, until nothing changes.

use std::cell::RefCell;
use std::io::{self, Cursor, Read, Seek, SeekFrom, Write};
use std::rc::Rc;

use crate::check::{CheckOptions, Checker, Finding, SourceWindow};
use sgfstream::parallel::PartReader;
use sgfstream::{Error, ErrorKind, Event, EventReader, Flow, Options, Place, Position, Sink};

use super::super::Rewriter;
use super::edit::{Fix, Shared};
use super::survey::{Found, Survey, is_compared};
use super::{Choice, LEFT_MAX, Outcome, PROPERTY, Piece, Pieces, Plan};

/// How often a piece is gone over at most: a repair may reveal another finding.
const PASSES: usize = 8;

/// Bytes of a piece of which all lines are known when it was read.
const KNOWN: u64 = 1 << 20;

/// Outcome of a finding, and its place.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Told<'f> {
    /// The number of the pass, from 1. Later passes read what the ones before wrote: spans of their findings count in
    /// that.
    pub pass: usize,
    /// The finding.
    pub finding: &'f Finding,
    /// Outcome of the finding.
    pub outcome: Outcome,
    /// The line and column in the input; none in later passes.
    pub position: Option<Position>,
}

/// Repairs an input piece by piece.
///
/// ```
/// use std::io::{Cursor, Read};
///
/// use sgfstream::Options;
/// use sgfstream::parallel::PartReader;
/// use sgfstream_adapt::fix::{Choice, Fixer, Pieces};
///
/// let input = b"(;FF[4]GM[1]KM[6,5])\n(;FF[4]GM[1];B[d d])";
/// let mut read = &input[..];
/// let mut reader = PartReader::whole(&mut read, Options::default(), None);
/// let (mut pieces, mut output) = (Pieces::new(&reader), Vec::new());
/// let mut fixer = Fixer::new(Choice::default(), Options::default());
/// while let Some(piece) = pieces.next(&mut reader)? {
///     let bytes = Cursor::new(input[piece.span.start as usize..piece.span.end as usize].to_vec());
///     let mut fixed = fixer.fix(bytes, &piece, || Cursor::new(Vec::new()), |_| {})?.bytes;
///     fixed.read_to_end(&mut output)?;
/// }
/// assert_eq!(output, b"(;FF[4]GM[1]KM[6.5])\n(;FF[4]GM[1];B[dd])");
/// # Ok::<(), sgfstream::Error>(())
/// ```
#[derive(Debug)]
pub struct Fixer {
    choice: Choice,
    options: Options,
    survey: Survey,
    trail: SourceWindow,
    /// A piece was left with a parenthesis that does not match: the input is left from there on.
    is_after_unclear: bool,
}

/// A piece that was repaired.
#[derive(Debug)]
#[non_exhaustive]
pub struct Fixed<F> {
    /// Its bytes, to be read from the start.
    pub bytes: F,
    /// Findings that are left and were not told: they are too many to be held.
    pub untold: u64,
}

impl Fixer {
    /// A fixer that does what `choice` wants to games that are read with `options`.
    #[must_use]
    pub fn new(choice: Choice, options: Options) -> Self {
        // Each value may have findings of its own, which wait for the end of the property.
        let limits = options.limits.with_property(options.limits.property.min(PROPERTY)).with_depth(None);
        let options = options.with_limits(limits).with_gaps(true);
        Self {
            survey: Survey::new(choice.clone()),
            choice,
            options,
            trail: SourceWindow::default(),
            is_after_unclear: false,
        }
    }

    /// Repairs the bytes of a piece, which are read from their start, and tells what became of each finding: of repairs
    /// each pass, of what is left the last one, which changes nothing or is the eighth. `make` gives an empty
    /// store for what a pass writes. Each pass does what the first one over its bytes would do, so what was fixed has
    /// nothing left to fix.
    ///
    /// Memory is bounded by 32 MiB, whatever the length of the piece.
    ///
    /// # Errors
    ///
    /// When a store cannot be read or written.
    pub fn fix<F: Read + Write + Seek>(
        &mut self,
        mut bytes: F,
        piece: &Piece,
        make: impl Fn() -> F,
        mut told: impl FnMut(Told<'_>),
    ) -> io::Result<Fixed<F>> {
        for pass in 1.. {
            let len = bytes.seek(SeekFrom::End(0))?;
            bytes.rewind()?;
            let mut read = self.trail.follow_at(&mut bytes, piece.start, &[]);
            self.reader(&mut read, piece, len).drive(&mut self.survey).map_err(io_error)?;
            let Found { plans, has_repairs, is_unclear, is_unbalanced, left } = self.survey.take();
            // What comes after a parenthesis that is left is read by it.
            let is_unclear = is_unclear || (has_repairs && self.is_after_unclear && pass == 1);
            self.is_after_unclear |= is_unclear && is_unbalanced;
            let trail = &self.trail;
            let position = |finding: &Finding| (pass == 1).then(|| trail.position_of(finding.span.start));
            let is_known = piece.span.end - piece.span.start <= KNOWN || pass > 1;
            if !has_repairs && (is_known || left.is_empty()) {
                let told = |finding| told(Told { pass, finding, outcome: Outcome::Left, position: position(finding) });
                left.iter().for_each(told);
                return rewound(bytes, 0);
            }
            bytes.rewind()?;
            let (mut left, mut untold, mut changes) = (Vec::new(), 0, false);
            let mut written = make();
            let mut read = self.trail.follow_at(&mut bytes, piece.start, &[]);
            let mut reader = self.reader(&mut read, piece, len);
            let (choice, plans) = match is_unclear {
                true => (self.choice.clone().with_nothing(), Vec::new()),
                false => (self.choice.clone(), plans),
            };
            repair(&mut reader, piece, choice, plans, &mut written, |finding, outcome| match outcome {
                Outcome::Left if left.len() < LEFT_MAX => left.push((finding.clone(), position(finding))),
                Outcome::Left => untold += 1,
                _ => {
                    changes = true;
                    told(Told { pass, finding, outcome, position: position(finding) });
                }
            })?;
            if changes {
                bytes = written;
            }
            if !changes || pass == PASSES {
                for (finding, position) in &left {
                    told(Told { pass, finding, outcome: Outcome::Left, position: *position });
                }
                return rewound(bytes, untold);
            }
        }
        unreachable!("it ends with the last pass")
    }

    /// A reader of the `len` bytes that a piece has now.
    fn reader<'r>(&self, read: &'r mut dyn Read, piece: &Piece, len: u64) -> PartReader<'r> {
        PartReader::range(read, self.options, piece.span.start..piece.span.start.saturating_add(len + 1), piece.games)
    }
}

/// Repairs a piece once.
fn repair(
    reader: &mut impl EventReader,
    piece: &Piece,
    choice: Choice,
    plans: Vec<Plan>,
    out: impl Write,
    told: impl FnMut(&Finding, Outcome),
) -> io::Result<()> {
    let shared = Rc::new(RefCell::new(Shared { plans: plans.into(), ..Shared::default() }));
    let (wants, found) = (choice.clone(), Rc::clone(&shared));
    let checker = Checker::new(CheckOptions::default(), move |finding| {
        let mut found = found.borrow_mut();
        if is_compared(finding.code) {
        } else if wants.wants_finding(finding) {
            found.findings.push_back(finding.clone());
        } else if wants.is_meant(finding) {
            found.outcomes.push((finding.clone(), Outcome::Left));
        }
    });
    let fix = Fix::new(choice, Rc::clone(&shared), piece.games > 0);
    let mut stage = Stage { checker, rewriter: Rewriter::new(out, vec![Box::new(fix)]), shared, told };
    reader.drive(&mut stage).map_err(io_error)?;
    stage.rewriter.end_of_input();
    stage.tell();
    stage.rewriter.finish().map(drop)
}

fn rewound<F: Seek>(mut bytes: F, untold: u64) -> io::Result<Fixed<F>> {
    bytes.rewind()?;
    Ok(Fixed { bytes, untold })
}

fn io_error(err: Error) -> io::Error {
    match err.kind() {
        ErrorKind::Io(err) => io::Error::new(err.kind(), err.to_string()),
        _ => io::Error::other(err),
    }
}

/// A checker and a rewriting, side by side.
struct Stage<W: Write, T> {
    checker: Checker<'static>,
    rewriter: Rewriter<W>,
    shared: Rc<RefCell<Shared>>,
    told: T,
}

impl<W: Write, T: FnMut(&Finding, Outcome)> Sink for Stage<W, T> {
    fn event(&mut self, event: &Event<'_>, place: &Place) -> Flow {
        // The checker first: when a unit ends, it has said all of it.
        self.checker.event(event, place);
        self.shared.borrow_mut().is_waiting = self.checker.is_waiting();
        let flow = self.rewriter.event(event, place);
        self.tell();
        flow
    }
}

impl<W: Write, T: FnMut(&Finding, Outcome)> Stage<W, T> {
    fn tell(&mut self) {
        if !self.shared.borrow().outcomes.is_empty() {
            let outcomes = std::mem::take(&mut self.shared.borrow_mut().outcomes);
            outcomes.iter().for_each(|(finding, outcome)| (self.told)(finding, *outcome));
        }
    }
}

/// Repairs an input, and tells what became of each finding: the number of the pass over its game, from 1, and the
/// finding as it was in the bytes that the pass read. [`Fixer`] does the same for inputs of any length.
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
    let mut fixer = Fixer::new(choice.clone(), options);
    let (mut read, mut out) = (bytes, Vec::with_capacity(bytes.len()));
    let unlimited = options.with_limits(options.limits.with_depth(None));
    let mut reader = PartReader::whole(&mut read, unlimited, Some(bytes.len() as u64));
    let mut pieces = Pieces::new(&reader);
    while let Some(piece) = pieces.next(&mut reader).expect("a slice can be read, and no limit is set") {
        let input = Cursor::new(bytes[piece.span.start as usize..piece.span.end as usize].to_vec());
        let told = |Told { pass, finding, outcome, .. }: Told<'_>| told(pass, finding, outcome);
        let fixed = fixer.fix(input, &piece, || Cursor::new(Vec::new()), told).expect("a Vec takes all");
        out.extend_from_slice(fixed.bytes.get_ref());
    }
    out
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// A pass changes something if and only if it tells of a repair, and what was fixed has nothing left to fix.
    fn holds(input: &str) {
        let fixed = |bytes: &[u8]| {
            let mut repairs = 0;
            let out = fix(bytes, &Choice::default(), Options::default(), |_, _, outcome| {
                repairs += usize::from(outcome != Outcome::Left);
            });
            (out, repairs)
        };
        let (once, repairs) = fixed(input.as_bytes());
        assert!(repairs > 0 || once == input.as_bytes(), "{input}");
        let (twice, repairs) = fixed(&once);
        assert_eq!(String::from_utf8_lossy(&twice), String::from_utf8_lossy(&once), "{input}");
        assert_eq!(repairs, 0, "{input}");
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
