//! The passes over an entry: each repairs what the one before it has revealed.

use std::cell::{Cell, RefCell};
use std::io::{self, Read, Write};
use std::rc::Rc;

use anyhow::Context;

use sgfstream::adapt::check::{Finding, SourceWindow};
use sgfstream::adapt::fix::{Choice, Fixer, NextPass, Outcome, PASSES, Repairs, Survey, fix};
use sgfstream::event::{Event, Flow, Place, Sink};
use sgfstream::read::{EventReader, Options};
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
            let tell = |pass, finding: &Finding, outcome| teller.tell(name, pass, finding, outcome, &trail);
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
    fn repair_large(&self, read: impl Read, out: &mut dyn Write) -> anyhow::Result<PartEnd> {
        let mut spill = Spill::default();
        let (mut rest, end) = self.pass(1, read, &mut spill)?;
        for number in 2..=PASSES {
            if rest != Rest::Unknown {
                break;
            }
            self.teller.forget_left();
            let written = Rc::new(RefCell::new(std::mem::take(&mut spill)));
            let read = UntilCancelled { inner: SpillReader::new(&written), monitor: self.monitor };
            (rest, _) = self.pass(number, read, &mut spill)?;
        }
        self.teller.tell_left(rest)?;
        let len = spill.len();
        spill.copy(0, len, out)?;
        Ok(end?)
    }

    /// One pass over all of `read`: what comes after it, and how reading ended.
    fn pass(
        &self,
        number: usize,
        mut read: impl Read,
        out: &mut Spill,
    ) -> anyhow::Result<(Rest, sgfstream::Result<PartEnd>)> {
        let &Self { name, options, choice, teller, .. } = self;
        let trail = SourceWindow::default();
        let is_done = Cell::new(true);
        let tell = |finding: &Finding, outcome| {
            is_done.set(is_done.get() && outcome == Outcome::Left);
            teller.tell(name, number, finding, outcome, &trail);
        };
        let fixer = Fixer::new(Vec::new(), choice.clone(), options, &tell);
        let mut stage = Stage { fixer, trail: &trail, out, kept: None };
        let mut next = Some(NextPass::new(choice.clone(), options));
        let foresee = |finding: &Finding| teller.foresee(name, number + 1, finding);
        let mut reader = PartReader::whole(&mut read, options, None).through(|read| RecordingReader::new(read, 0));
        let mut look = Look { survey: Survey::new(choice.clone()), stop: None };
        let (mut sent, mut is_independent) = (0, false);
        let result = loop {
            if let Err(err) = reader.drive(&mut look) {
                break Err(err);
            }
            let Place { span, game, .. } = match look.stop.take() {
                None => break reader.finish(),
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
                    next = next.take_if(|next| {
                        written.is_some_and(|written| next.changes_game(&look.survey, &written, foresee))
                    });
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
        let buffer = &mut reader.get_mut().buffer;
        buffer.copy(sent, buffer.end(), &mut stage)?;
        let Stage { fixer, out, .. } = stage;
        out.write_all(&fixer.finish()?)?;
        let is_known = next.is_some() && result.is_ok() && look.survey.take_repairs().1 == Repairs::None(Vec::new());
        let rest = match is_known {
            _ if is_done.get() => Rest::This,
            true if number < PASSES => Rest::Next,
            _ if number == PASSES => Rest::This,
            _ => Rest::Unknown,
        };
        Ok((rest, result))
    }
}

/// Ends where the run is cancelled.
struct UntilCancelled<'m, R> {
    inner: R,
    monitor: &'m Monitor,
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
    out: &'o mut Spill,
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
