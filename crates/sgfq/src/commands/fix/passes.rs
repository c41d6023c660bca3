//! The passes over an entry: each repairs what the one before it has revealed.

use std::cell::{Cell, RefCell};
use std::io::{self, Read, Write};
use std::rc::Rc;

use anyhow::Context;

use sgfstream::parallel::End;
use sgfstream::{Event, EventReader, Flow, Options, Place, Sink};
use sgfstream_adapt::check::{Finding, SourceWindow};
use sgfstream_adapt::fix::{Choice, Fixer, NextPass, Outcome, PASSES, Repairs, Survey, fix};
use sgfstream_engine::{Monitor, PartEnd, PartReader, RecordingReader};

use crate::io::spill::{Spill, SpillReader};

use super::teller::{Rest, Teller};

/// Inputs up to this size are repaired in memory, pass by pass, and only as
/// often as there is something to do.
const SMALL: usize = 256 << 10;

/// An entry that is repaired.
#[derive(Clone, Copy)]
pub(super) struct Entry<'e, 't> {
    pub(super) name: &'e str,
    pub(super) options: Options,
    pub(super) choice: &'e Choice,
    pub(super) teller: &'e Teller<'t>,
    /// Says that the run was cancelled. What is written after that does not matter.
    pub(super) monitor: &'e Monitor,
}

impl Entry<'_, '_> {
    /// Repairs the bytes of the entry.
    pub(super) fn repair(&self, read: impl Read, out: &mut dyn Write) -> anyhow::Result<PartEnd> {
        let &Self { name, options, choice, teller, monitor } = self;
        let mut read = UntilCancelled { inner: read, monitor };
        let mut head = Vec::new();
        let result = read.by_ref().take(SMALL as u64 + 1).read_to_end(&mut head);
        if result.is_ok() && head.len() <= SMALL {
            let trail = SourceWindow::default();
            trail.follow(&head[..]).read_to_end(&mut Vec::with_capacity(head.len()))?;
            let tell = |pass, finding: &Finding, outcome| {
                teller.tell(name, pass, finding, outcome, &|| trail.position_of(finding.span.start));
            };
            let fixed = fix(&head, choice, options, tell);
            teller.tell_left(Rest::This)?;
            out.write_all(&fixed)?;
            // Only for the numbers of the progress.
            return Ok(PartReader::whole(&mut &head[..], options, None).finish().unwrap_or_default());
        }
        // A failure comes in its place, after what was read.
        let failed = Failed(result.err());
        self.repair_large(io::Cursor::new(head).chain(failed).chain(read), out)
    }

    /// As [`repair`](Self::repair), for bytes of any length: what a pass writes waits for the next one in a [`Spill`].
    pub(super) fn repair_large(&self, read: impl Read, out: &mut dyn Write) -> anyhow::Result<PartEnd> {
        let mut spill = Spill::default();
        let passed = self.pass(1, read, &mut spill)?;
        self.end(passed.rest(1), spill, out)?;
        Ok(passed.end?)
    }

    /// Makes the passes that come after the first, which has written `spill`, and tells what is left.
    pub(super) fn end(&self, mut rest: Rest, mut spill: Spill, out: &mut dyn Write) -> anyhow::Result<()> {
        for number in 2..=PASSES {
            if rest != Rest::Unknown {
                break;
            }
            self.teller.forget_left();
            let written = Rc::new(RefCell::new(std::mem::take(&mut spill)));
            let read = UntilCancelled { inner: SpillReader::new(&written), monitor: self.monitor };
            rest = self.pass(number, read, &mut spill)?.rest(number);
        }
        if self.monitor.is_cancelled() {
            return Ok(());
        }
        self.teller.tell_left(rest)?;
        let len = spill.len();
        Ok(spill.copy(0, len, out)?)
    }

    /// One pass over all of `read`.
    fn pass(&self, number: usize, mut read: impl Read, out: &mut Spill) -> anyhow::Result<Passed> {
        let &Self { name, options, choice, teller, .. } = self;
        let mut reader = PartReader::whole(&mut read, options, None).through(|read| RecordingReader::new(read, 0));
        let report = OfPass { teller, name, number };
        pass(&mut reader, options, choice, &report, &SourceWindow::default(), out)
    }
}

/// Takes what a pass reports.
pub(super) trait Report {
    /// The pass goes over a part. Findings that depend on the games before it have `compared`.
    fn is_of_part(&self) -> bool {
        false
    }

    /// What became of a finding. `trail` has its place.
    fn tell(&self, finding: &Finding, outcome: Outcome, trail: &SourceWindow);

    /// The next pass would leave this.
    fn foresee(&self, finding: &Finding);
}

/// Gives it to a teller.
struct OfPass<'e, 't> {
    teller: &'e Teller<'t>,
    name: &'e str,
    number: usize,
}

impl Report for OfPass<'_, '_> {
    fn tell(&self, finding: &Finding, outcome: Outcome, trail: &SourceWindow) {
        self.teller.tell(self.name, self.number, finding, outcome, &|| trail.position_of(finding.span.start));
    }

    fn foresee(&self, finding: &Finding) {
        self.teller.foresee(self.name, self.number + 1, finding);
    }
}

/// How a pass has ended.
pub(super) struct Passed {
    /// It had nothing to repair.
    pub(super) is_done: bool,
    /// It has foreseen all that the next one would find, which would repair nothing.
    pub(super) is_known: bool,
    /// How reading ended.
    pub(super) end: sgfstream::Result<PartEnd>,
}

impl Passed {
    fn rest(&self, number: usize) -> Rest {
        Rest::after(number, self.is_done, self.is_known)
    }
}

/// One pass over an entry, or over a part of it: one without text at its end that is to be repaired. `trail` begins where
/// the part does.
pub(super) fn pass<R: Read>(
    reader: &mut PartReader<'_, RecordingReader<R>>,
    options: Options,
    choice: &Choice,
    report: &dyn Report,
    trail: &SourceWindow,
    out: &mut dyn Write,
) -> anyhow::Result<Passed> {
    let (is_part, is_done) = (report.is_of_part(), Cell::new(true));
    let tell = |finding: &Finding, outcome| {
        is_done.set(is_done.get() && outcome == Outcome::Left);
        report.tell(finding, outcome, trail);
    };
    let (mut fixer, mut survey) = (Fixer::new(Vec::new(), choice.clone(), options, &tell), Survey::new(choice.clone()));
    let mut next = NextPass::new(choice.clone(), options);
    if is_part {
        (fixer, survey, next) = (fixer.for_part(), survey.for_part(), next.for_part());
    }
    let mut stage = Stage { fixer, trail, out, kept: None };
    stage.fixer.set_origin(reader.start(), 0);
    let mut next = Some(next);
    let foresee = |finding: &Finding| report.foresee(finding);
    let mut look = Look { survey, stop: None };
    let (mut sent, mut is_independent) = (reader.start(), false);
    let result = loop {
        if let Err(err) = reader.drive(&mut look) {
            break Err(err);
        }
        let Place { span, game, .. } = match look.stop.take() {
            None => {
                if reader.end() == Some(End::Input) || is_joined(&mut stage, reader, sent)? || !reader.read_on() {
                    break reader.finish();
                }
                look.event(&reader.event(), &reader.place());
                (look.stop, is_independent) = (None, true);
                continue;
            }
            Some((Stop::Start, _)) => {
                is_independent = reader.game_place().is_some();
                continue;
            }
            Some((Stop::End, place)) => place,
        };
        let (plan, repairs) = look.survey.take_repairs();
        let buffer = &mut reader.get_mut().buffer;
        // After the first game the fixer knows that there was one.
        let is_settled = stage.settle()? && game > 1;
        let is_alone = (is_settled || game == 1) && is_independent && span.end - sent <= HELD;
        if is_settled {
            stage.fixer.set_origin(sent, game - 1);
        }
        let (root_end, left) = match repairs {
            Repairs::None(left) if is_alone => {
                if let Some(next) = &mut next {
                    next.keeps(&look.survey, &left, foresee);
                }
                if is_settled {
                    (sent, left)
                } else {
                    stage.fixer.expect(plan);
                    buffer.copy(sent, span.end, &mut stage)?;
                    (span.end, Vec::new())
                }
            }
            Repairs::Root(end, mut left) if is_alone => {
                stage.fixer.expect(plan);
                stage.kept = Some(Vec::new());
                buffer.copy(sent, end, &mut stage)?;
                stage.close()?;
                let root = stage.kept.take().unwrap_or_default();
                left.retain(|left| left.span.start >= end);
                next = next.take_if(|next| next.changes_root(&look.survey, &root, &left, foresee));
                (end, left)
            }
            _ => {
                stage.fixer.expect(plan);
                stage.kept = is_alone.then(Vec::new);
                buffer.copy(sent, span.end, &mut stage)?;
                let is_closed = stage.settle()?;
                let written = stage.kept.take().filter(|_| is_closed);
                next = next
                    .take_if(|next| written.is_some_and(|written| next.changes_game(&look.survey, &written, foresee)));
                (span.end, Vec::new())
            }
        };
        if root_end < span.end {
            buffer.copy(root_end, span.end, &mut PassedOver(&mut stage))?;
            stage.fixer.pass_over(&look.survey);
            left.iter().for_each(|left| tell(left, Outcome::Left));
        }
        buffer.release(span.end);
        sent = span.end;
    };
    let buffer = &mut reader.get_mut().buffer;
    if let Some(err) = buffer.take_error() {
        return Err(err).context("temporary file");
    }
    if stage.settle()? {
        stage.fixer.set_origin(sent, reader.game());
    }
    let (end, is_joined) = (reader.offset(), reader.end() != Some(End::Input));
    let buffer = &mut reader.get_mut().buffer;
    match is_joined && result.is_ok() {
        true => buffer.copy(sent, end, &mut PassedOver(&mut stage))?,
        false => buffer.copy(sent, buffer.end(), &mut stage)?,
    }
    let Stage { fixer, out, .. } = stage;
    out.write_all(&fixer.finish()?)?;
    let is_known = next.is_some() && result.is_ok() && look.survey.take_repairs().1 == Repairs::None(Vec::new());
    Ok(Passed { is_done: is_done.get(), is_known, end: result })
}

/// True if the part that follows can be repaired on its own: nothing but blanks, of which `sent` is the first, comes before
/// it, and the fixer holds nothing.
fn is_joined<R: Read>(
    stage: &mut Stage<'_, '_, '_>,
    reader: &mut PartReader<'_, RecordingReader<R>>,
    sent: u64,
) -> io::Result<bool> {
    let end = reader.offset();
    if !stage.settle()? || end - sent > HELD {
        return Ok(false);
    }
    let mut blanks = Vec::new();
    reader.get_mut().buffer.copy(sent, end, &mut blanks)?;
    Ok(blanks.iter().all(u8::is_ascii_whitespace))
}

/// Ends where the run is cancelled.
pub(super) struct UntilCancelled<'m, R> {
    pub(super) inner: R,
    pub(super) monitor: &'m Monitor,
}

impl<R: Read> Read for UntilCancelled<'_, R> {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        if self.monitor.is_cancelled() { Ok(0) } else { self.inner.read(buf) }
    }
}

/// Gives its error once.
struct Failed(Option<io::Error>);

impl Read for Failed {
    fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
        self.0.take().map_or(Ok(0), Err)
    }
}

/// Bytes that are given to the fixer at once.
const CHUNK: usize = 64 << 10;

/// Bytes of a game that may be passed over: findings of it are told when it has ended, and their lines must be known
/// then.
const HELD: u64 = 1 << 20;

/// Surveys games, and stops where they begin and end.
struct Look {
    survey: Survey,
    stop: Option<(Stop, Place)>,
}

#[derive(Clone, Copy)]
enum Stop {
    Start,
    End,
}

impl Sink for Look {
    #[inline]
    fn event(&mut self, event: &Event<'_>, place: &Place) -> Flow {
        let flow = self.survey.event(event, place);
        let stop = match event {
            Event::VariationStart { .. } => Stop::Start,
            Event::VariationEnd { .. } => Stop::End,
            _ => return flow,
        };
        if place.depth > 1 {
            return flow;
        }
        self.stop = Some((stop, *place));
        Flow::Stop
    }
}

/// A fixer, and what it writes to; and the trail of the bytes that come to it.
struct Stage<'f, 't, 'o> {
    fixer: Fixer<'f, Vec<u8>>,
    trail: &'t SourceWindow,
    out: &'o mut dyn Write,
    /// What it has written of a game at hand that is repaired.
    kept: Option<Vec<u8>>,
}

impl Stage<'_, '_, '_> {
    fn drain(&mut self) -> io::Result<()> {
        let bytes = self.fixer.get_mut();
        self.out.write_all(bytes)?;
        if let Some(kept) = &mut self.kept {
            kept.extend_from_slice(bytes);
        }
        bytes.clear();
        Ok(())
    }

    fn settle(&mut self) -> io::Result<bool> {
        let is_settled = self.fixer.settle()?;
        self.drain()?;
        Ok(is_settled)
    }

    /// Ends the game of a root, without a `)` in the output.
    fn close(&mut self) -> io::Result<()> {
        self.fixer.write_all(b")")?;
        self.fixer.settle()?;
        if self.fixer.get_mut().pop() != Some(b')') {
            return Err(io::Error::other("expected the end of a game, found another byte"));
        }
        self.drain()
    }
}

impl Write for Stage<'_, '_, '_> {
    fn write(&mut self, buf: &[u8]) -> io::Result<usize> {
        let buf = &buf[..buf.len().min(CHUNK)];
        self.trail.add(buf);
        self.fixer.write_all(buf)?;
        self.drain()?;
        Ok(buf.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Bytes that the fixer does not get.
struct PassedOver<'s, 'f, 't, 'o>(&'s mut Stage<'f, 't, 'o>);

impl Write for PassedOver<'_, '_, '_, '_> {
    fn write(&mut self, buf: &[u8]) -> io::Result<usize> {
        self.0.trail.add(buf);
        self.0.out.write_all(buf)?;
        Ok(buf.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
