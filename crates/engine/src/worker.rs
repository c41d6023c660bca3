//! One worker: takes units and makes results of them.

use std::cell::RefCell;
use std::io::{self, Read};
use std::ops::ControlFlow;
use std::sync::PoisonError;
use std::sync::atomic::Ordering::Relaxed;

use crate::one_game::{OneGame, missing_game};
use crate::order::Take;
use sgfstream::read::parallel::{End, PartReader, ReadAt};
use sgfstream::read::{EventReader, Options, Transcoder};
use sgfstream_archive::{self as archive, ArchiveProblem, EntryName, Item, Trouble, Work};

use super::blocks::{BLOCK, View};
use super::feed::FILE_BLOCK;
use super::job::{At, Entries, Flush, Games, Job, Output, Tally};
use super::lane::{Lanes, Member, PlainFile, StreamEntry, StreamUnit, Task, What};
use super::room::Room;
use super::wanted::Wanted;

pub struct Worker<'w, J: Job> {
    pub number: usize,
    pub job: &'w J,
    pub lanes: &'w Lanes<J::Acc>,
    pub archives: &'w archive::ReadOptions,
    pub options: Options,
}

impl<J: Job> Worker<'_, J> {
    pub fn run(&self) {
        let _stop = StopOnPanic(self.lanes);
        let entries = self.job.bytes().map(|job| RefCell::new(job.worker()));
        while let Some(task) = self.lanes.take(self.number) {
            let Task { lane, unit, group, what } = task;
            let place = Place { worker: self, entries: entries.as_ref(), lane, unit, group };
            match what {
                What::Visit(works) => place.visits(works),
                What::File(file) => place.file(&file),
                What::Stream(StreamUnit::Batch(batch)) => {
                    let members = std::mem::take(&mut *batch.lock().unwrap_or_else(PoisonError::into_inner));
                    place.batch(members);
                }
                What::Stream(StreamUnit::Block { entry, index }) => place.block(&entry, index),
            }
        }
    }
}

/// A worker at a unit.
struct Place<'p, 'w, J: Job> {
    worker: &'w Worker<'w, J>,
    /// What it reads bytes with, if that is what is wanted.
    entries: Option<&'p RefCell<Box<dyn Entries<J::Acc> + 'w>>>,
    lane: u64,
    unit: u64,
    group: u64,
}

impl<'w, J: Job> Place<'_, 'w, J> {
    fn begin(&self) -> Output<J::Acc> {
        Output { acc: Some(self.worker.job.begin()), ..Output::empty(self.group) }
    }

    fn finish(&self, out: Output<J::Acc>, next: u64) {
        self.worker.lanes.finish(self.lane, self.unit, out, next);
    }

    fn is_wanted(&self) -> bool {
        !self.worker.lanes.is_stopped()
    }

    fn visits(&self, works: Vec<Work>) {
        let mut out = self.begin();
        for work in works {
            let room = Room::new(self.worker.lanes, self.lane, Some(self.unit), 0);
            work.visit(self.worker.archives, |item| match item {
                Item::Problem(problem) => {
                    out.problems.push(problem);
                    ControlFlow::Continue(())
                }
                Item::Entry(entry) => {
                    let is_wanted = || self.is_wanted();
                    let inner = room.read(entry.read, entry.window);
                    let mut read = Transcoder::new(Wanted { inner, is_wanted });
                    self.whole(&mut out, &entry.name, entry.game, entry.size, &mut read);
                    if out.failed.is_none() && self.is_wanted() {
                        ControlFlow::Continue(())
                    } else {
                        ControlFlow::Break(())
                    }
                }
            });
        }
        self.finish(out, self.unit + 1);
    }

    fn batch(&self, members: Vec<Member>) {
        let mut out = self.begin();
        for member in members {
            match member {
                Member::Problem(problem) => out.problems.push(problem),
                Member::Entry { name, game, bytes, is_broken } => {
                    let end = if is_broken { Broken::Yes } else { Broken::No };
                    let size = bytes.len() as u64;
                    let mut read = io::Cursor::new(bytes).chain(end);
                    self.whole(&mut out, &name, game, Some(size), &mut read);
                }
            }
        }
        self.finish(out, self.unit + 1);
    }

    /// All of an entry.
    fn whole(
        &self,
        out: &mut Output<J::Acc>,
        name: &EntryName,
        game: Option<u64>,
        size: Option<u64>,
        read: &mut dyn Read,
    ) {
        let at = At { name, is_start: true, game };
        if let Some(entries) = self.entries {
            return self.read_bytes(out, entries, &at, read);
        }
        let read = &mut Transcoder::new(read);
        let Some(number) = game else {
            self.read(out, &at, &mut PartReader::whole(read, self.worker.options, size));
            return;
        };
        let (failed, is_found);
        if self.worker.job.picks_games() {
            let mut part = PartReader::whole(read, self.worker.options, size);
            failed = self.read(out, &at, &mut part).is_some();
            is_found = (1..=part.games()).contains(&number);
        } else {
            let mut one = OneGame::new(read, self.worker.options, number);
            failed = self.read(out, &at, &mut PartReader::whole(&mut one, self.worker.options, None)).is_some();
            is_found = one.is_found();
        }
        // A failure is said by whoever reads the archive.
        if !is_found && !failed && out.failed.is_none() {
            out.problems.push(missing_game(name, number));
        }
    }

    /// All of an entry, as bytes.
    fn read_bytes(
        &self,
        out: &mut Output<J::Acc>,
        entries: &RefCell<Box<dyn Entries<J::Acc> + 'w>>,
        at: &At<'_>,
        read: &mut dyn Read,
    ) {
        let mut read = Metered { inner: read, bytes: 0 };
        let result = self.work(out, |acc, flush| entries.borrow_mut().read(acc, at, &mut read, flush));
        let mut tally = Tally { entries: 1, bytes: read.bytes, ..Tally::default() };
        match result {
            Ok(Games { games, is_found }) => {
                tally.games = games;
                if let Some(number) = at.game.filter(|_| !is_found) {
                    out.problems.push(missing_game(at.name, number));
                }
            }
            // A failure is said by whoever reads the archive.
            Err(err) if is_io(&err) => {}
            Err(err) => out.failed = Some(err),
        }
        out.tally.add(tally);
    }

    /// Has the job work on what there is of the unit.
    fn work<T>(
        &self,
        out: &mut Output<J::Acc>,
        work: impl FnOnce(&mut J::Acc, &mut Flush<'_, J::Acc>) -> anyhow::Result<T>,
    ) -> anyhow::Result<T> {
        let acc = out.acc.as_mut().expect("taken back at once");
        let mut handed = std::mem::take(&mut out.problems);
        let mut flush = |acc| {
            let problems = std::mem::take(&mut handed);
            let piece = Output { acc: Some(acc), problems, ..Output::empty(self.group) };
            self.worker.lanes.flush(self.lane, self.unit, piece)
        };
        let result = work(acc, &mut flush);
        out.problems = handed;
        result
    }

    /// One part; what cannot be read is said by whoever reads the archive.
    fn read(&self, out: &mut Output<J::Acc>, at: &At<'_>, part: &mut PartReader<'_>) -> Option<io::Error> {
        let result = self.work(out, |acc, flush| self.worker.job.read(acc, at, part, flush));
        let drained = result.and_then(|()| {
            while part.advance()? {
                part.skip_game();
            }
            Ok(())
        });
        out.tally.add(Tally {
            entries: u64::from(at.is_start),
            bytes: part.offset() - part.start(),
            games: part.games(),
            problems: part.problems(),
        });
        match drained {
            Ok(()) => None,
            Err(err) if is_io(&err) => Some(io::Error::other(err.to_string())),
            Err(err) => {
                out.failed = Some(err);
                None
            }
        }
    }

    /// The part that begins in a block of a plain file.
    fn file(&self, file: &PlainFile) {
        let meter = &self.worker.archives.meter;
        let (lanes, lane, unit) = (self.worker.lanes, self.lane, self.unit);
        let turn = || lanes.turn(lane, unit);
        let view = FileView { file: &file.file, turn };
        let result = self.part(&view, FILE_BLOCK, self.unit, 0, file.units, &file.name, file.game);
        let size = file.file.metadata().map_or(0, |metadata| metadata.len());
        meter.add(size.saturating_sub(self.unit * FILE_BLOCK).min(FILE_BLOCK));
        if let Some((mut out, next, err)) = result {
            if let Some(err) = err {
                let (at, expected, found) = (file.name.clone(), "readable bytes".into(), err.to_string().into());
                out.problems.push(ArchiveProblem { at, trouble: Trouble::Unreadable, expected, found });
            }
            self.finish(out, next);
        }
    }

    /// The part that begins in a block of a stream.
    fn block(&self, entry: &StreamEntry, index: u64) {
        let (lanes, lane, unit) = (self.worker.lanes, self.lane, self.unit);
        let turn = || lanes.turn(lane, unit);
        let view = View { blocks: &entry.blocks, turn };
        if let Some(entries) = self.entries {
            // Whoever has the first block reads all.
            if index == 0 {
                let mut out = self.begin();
                let at = At { name: &entry.name, is_start: true, game: entry.game };
                let mut read = Through { input: &view, at: 0 };
                self.read_bytes(&mut out, entries, &at, &mut read);
                // The rest, if it was not wanted. A failure is said elsewhere.
                _ = io::copy(&mut read, &mut io::sink());
                self.finish(out, entry.end.load(Relaxed));
            }
            return;
        }
        let result = self.part(&view, BLOCK, index, entry.first, u64::MAX, &entry.name, entry.game);
        if let Some((out, next, _)) = result {
            // The end of the blocks has been seen, so it is known where.
            let next = if next == u64::MAX { entry.end.load(Relaxed) } else { next };
            self.finish(out, next);
        }
    }

    /// The part that begins in block `index`, if one does; what it came to,
    /// the unit that goes on, and how reading failed.
    #[expect(clippy::too_many_arguments, reason = "two callers, each with all of it at hand")]
    fn part(
        &self,
        input: &dyn ReadAt,
        block: u64,
        index: u64,
        first: u64,
        end: u64,
        name: &EntryName,
        game: Option<u64>,
    ) -> Option<(Output<J::Acc>, u64, Option<io::Error>)> {
        let (lanes, lane, unit) = (self.worker.lanes, self.lane, self.unit);
        let turn = || lanes.await_turn(lane, unit);
        let mut out = self.begin();
        let mut part = match PartReader::open(input, self.worker.options, block, index, &turn) {
            Ok(part) => part?,
            Err(err) => return Some((out, end, Some(err))),
        };
        let at = At { name, is_start: index == 0, game };
        let err = self.read(&mut out, &at, &mut part);
        let next = match part.end() {
            Some(End::Unit(unit)) => first + unit,
            _ => end,
        };
        Some((out, next, err))
    }
}

fn is_io(err: &anyhow::Error) -> bool {
    err.downcast_ref::<sgfstream::Error>().is_some_and(sgfstream::Error::is_io)
}

/// All of an input, one read behind the other.
struct Through<'i> {
    input: &'i dyn ReadAt,
    at: u64,
}

impl Read for Through<'_> {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        let len = self.input.read_at(self.at, buf)?;
        self.at += len as u64;
        Ok(len)
    }
}

/// Counts what is read.
struct Metered<R> {
    inner: R,
    bytes: u64,
}

impl<R: Read> Read for Metered<R> {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        let len = self.inner.read(buf)?;
        self.bytes += len as u64;
        Ok(len)
    }
}

/// A file, as long as somebody wants it.
struct FileView<'f, T> {
    file: &'f std::fs::File,
    turn: T,
}

impl<T: Fn() -> Take<()> + Sync> ReadAt for FileView<'_, T> {
    fn read_at(&self, offset: u64, buf: &mut [u8]) -> io::Result<usize> {
        if (self.turn)() == Take::Never {
            return Ok(0);
        }
        self.file.read_at(offset, buf)
    }
}

/// What stands behind the bytes of a member.
enum Broken {
    Yes,
    No,
}

impl Read for Broken {
    fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
        match self {
            Self::Yes => Err(io::Error::other("the archive is damaged here")),
            Self::No => Ok(0),
        }
    }
}

struct StopOnPanic<'s, A>(&'s Lanes<A>);

impl<A> Drop for StopOnPanic<'_, A> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.stop();
        }
    }
}
