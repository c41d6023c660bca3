//! Worker: takes parts and makes outcomes of them.

use std::io::{self, Read};
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::atomic::Ordering::Relaxed;
use std::task::Poll;

use sgfstream::Options;
use sgfstream::internal::{End, ReadAt};
use sgfstream::parallel::PartReader;
use sgfstream_archive::{self as archive, ArchiveErrorKind, ArchiveProblem, EntryName, InputFile};
use sgfstream_open::EntryOpener;

use crate::file_range::FileRange;
use crate::job::{AnyJob, AnyOutput, AnyThreadJob, NotedGame, Part, PartResult, missing_game};
use crate::open::{Damage, FromOffset, Request};
use crate::queue::{LoadedEntry, PartContent, PlainFile, Queues, StreamEntry, TakenPart};
use crate::stream_buffer::BLOCK;
use crate::stream_buffer::StreamView;
use crate::window::WindowPermit;

pub(crate) struct Worker<'w> {
    pub(crate) number: usize,
    pub(crate) job: &'w dyn AnyJob,
    pub(crate) queues: &'w Queues,
    pub(crate) archives: &'w archive::ReadOptions,
    pub(crate) opening: EntryOpener,
}

impl Worker<'_> {
    pub(crate) fn run(&self) {
        let _stop = StopOnPanic(self.queues);
        // A worker that may end without a part allocates nothing.
        if !self.queues.await_begin(self.number) {
            return;
        }
        let empty = || self.output();
        let mut job = self.job.reading(&empty);
        while let Some(TakenPart {
            queue,
            part,
            content,
        }) = self.queues.take(self.number)
        {
            let context = PartContext {
                worker: self,
                job: &mut *job,
                queue,
                part,
                out: PartResult::new(self.output()),
            };
            match content {
                PartContent::Files(inputs) => context.visits(inputs),
                PartContent::FilePart(file) => context.file(&file),
                PartContent::Entries(entries) => context.loaded(entries),
                PartContent::EntryPart { entry, index } => context.block(&entry, index),
            }
        }
    }
}

impl Worker<'_> {
    /// Returns an empty output, which reuses the memory of a used one if possible.
    fn output(&self) -> AnyOutput {
        self.queues.spare().unwrap_or_else(|| self.job.output())
    }
}

/// State of a worker that reads a part.
struct PartContext<'u, 'w> {
    worker: &'u Worker<'w>,
    job: &'u mut dyn AnyThreadJob,
    queue: u64,
    part: u64,
    out: PartResult<AnyOutput>,
}

impl PartContext<'_, '_> {
    fn finish(mut self, next: u64) {
        self.job.complete(&mut self.out.output);
        self.worker
            .queues
            .finish(self.queue, self.part, self.out, next);
    }

    fn visits(mut self, inputs: Vec<Result<InputFile, ArchiveProblem>>) {
        for input in inputs {
            let input = match input {
                Ok(input) => input,
                Err(problem) => {
                    self.problem(problem);
                    continue;
                }
            };
            let permit = WindowPermit::new(self.worker.queues, self.queue, Some(self.part));
            input.visit(self.worker.archives, |item| match item {
                Err(problem) => {
                    self.problem(problem);
                    ControlFlow::Continue(())
                }
                Ok(entry) => {
                    let path = entry.path().map(Path::to_owned);
                    self.games(Request {
                        name: &entry.name,
                        read: permit.read(entry.read, entry.window),
                        size: entry.size,
                        games: entry.games,
                        path: path.as_deref(),
                    });
                    self.goes_on()
                }
            });
        }
        let next = self.part + 1;
        self.finish(next);
    }

    fn loaded(mut self, entries: Vec<Result<LoadedEntry, ArchiveProblem>>) {
        for entry in entries {
            match entry {
                Err(problem) => self.problem(problem),
                Ok(LoadedEntry {
                    name,
                    bytes,
                    is_broken,
                }) => {
                    let size = bytes.len() as u64;
                    let after: Box<dyn Read> = match is_broken {
                        true => Box::new(Damage),
                        false => Box::new(io::empty()),
                    };
                    self.games(Request {
                        name: &name,
                        read: bytes.chain(after),
                        size: Some(size),
                        games: None,
                        path: None,
                    });
                }
            }
        }
        let next = self.part + 1;
        self.finish(next);
    }

    fn goes_on(&self) -> ControlFlow<()> {
        if self.out.failed.is_none() && !self.worker.queues.is_stopped() {
            ControlFlow::Continue(())
        } else {
            ControlFlow::Break(())
        }
    }

    fn problem(&mut self, problem: ArchiveProblem) {
        self.out.problems.push(problem);
        self.out.progress.problems += 1;
    }

    /// Reads a whole entry, or the games of it that are asked for.
    fn games(&mut self, request: Request<'_, impl Read>) {
        let (name, spool) = (request.name, self.worker.archives.caps.spool);
        let problems = request.each(self.worker.opening, spool, &mut |part| {
            let game = part.game;
            self.read(part);
            // Take the end, because the part may continue with another entry.
            let too_few_games = self.out.end.take().and_then(|end| end.too_few_games);
            if let (Some(number), Some(games)) = (game, too_few_games) {
                self.problem(missing_game(name, number, games));
            }
            self.goes_on()
        });
        for problem in problems {
            self.problem(problem);
        }
    }

    /// Reads a part with the job. An error of reading only ends the entry here; the archive reports
    /// it.
    fn read(&mut self, part: Part<'_>) -> Option<anyhow::Error> {
        let Self {
            worker,
            job,
            queue,
            part: number,
            out,
            ..
        } = self;
        let PartResult {
            output,
            problems,
            is_start,
            progress,
            ..
        } = out;
        let (is_entry, name, selected) = (part.is_start, part.name, part.game);
        let mut hand_out = |output| {
            let early = PartResult {
                problems: std::mem::take(problems),
                is_start: std::mem::replace(is_start, false),
                progress: std::mem::take(progress),
                ..PartResult::new(output)
            };
            worker.queues.hand_out(*queue, *number, early)
        };
        let result = job.read(part, output, &mut hand_out);
        out.progress.entries += u64::from(is_entry);
        match result {
            Ok(end) => {
                out.noted_games
                    .extend(NotedGame::of(&end).map(|game| (name.clone(), game)));
                out.progress.add_part(&end);
                if selected.is_none() && end.games == 0 && end.end == End::Input {
                    out.without_games.push((name.clone(), end.bytes));
                }
                out.end = Some(end);
                None
            }
            Err(err) if is_of_reading(&err) => Some(err),
            Err(err) => {
                out.failed = Some(err);
                None
            }
        }
    }

    /// Reads the part that begins in a block of a plain file.
    fn file(mut self, file: &PlainFile) {
        let view = FileView {
            file: &file.file,
            queues: self.worker.queues,
            queue: self.queue,
            part: self.part,
        };
        let next = match &file.whole {
            Some(range) => self.range(&view, range, file),
            None => self.part(&view, file.block, self.part, 0, file.options, &file.name),
        };
        let size = file.file.metadata().map_or(0, |metadata| metadata.len());
        self.worker
            .archives
            .meter
            .add(size.saturating_sub(self.part * file.block).min(file.block));
        match next {
            Ok(Some(next)) => {
                let next = next.unwrap_or(file.parts);
                if next >= file.parts && file.is_changed() {
                    self.problem(file.changed());
                }
                self.finish(next);
            }
            // No part begins here. This result is dropped, unless the file had another border when
            // the previous part ended.
            Ok(None) => {
                self.problem(file.changed());
                self.finish(file.parts);
            }
            Err(err) => {
                let message = format!("cannot be read: {err}");
                self.problem(ArchiveProblem::new(
                    file.name.clone(),
                    ArchiveErrorKind::Unreadable,
                    message,
                ));
                self.finish(file.parts);
            }
        }
    }

    /// Reads a whole range of a plain file, with its games numbered as in the file.
    fn range(
        &mut self,
        input: &dyn ReadAt,
        range: &FileRange,
        file: &PlainFile,
    ) -> anyhow::Result<Option<PartNext>> {
        let (start, until) = (range.from, range.until.unwrap_or(u64::MAX));
        let mut read = FromOffset(input, start);
        let (options, games) = (file.options, range.games);
        let reader = PartReader::range(&mut read, options, start..until, games);
        let part = Part {
            name: &file.name,
            game: None,
            is_start: start == 0,
            options,
            reader,
        };
        if let Some(err) = self.read(part) {
            return Err(err);
        }
        let end = self.out.end.take().map(|end| end.end);
        if end.is_some_and(|end| end != End::Input && end != End::Part(until)) {
            self.problem(range.changed());
        }
        Ok(Some(None))
    }

    /// Reads the part that begins in a block of a stream.
    fn block(mut self, entry: &StreamEntry, index: u64) {
        let view = StreamView {
            buffer: &entry.buffer,
            queues: self.worker.queues,
            queue: self.queue,
            part: self.part,
        };
        match self.part(&view, BLOCK, index, entry.first, entry.options, &entry.name) {
            Ok(Some(Some(next))) => self.finish(next),
            Ok(None) => {}
            // The blocks have ended, so the end is known. The archive reports an error.
            Ok(Some(None)) | Err(_) => self.finish(entry.end.load(Relaxed)),
        }
    }

    /// Reads the part that begins in block `index`, if there is one.
    fn part(
        &mut self,
        input: &dyn ReadAt,
        block: u64,
        index: u64,
        first: u64,
        options: Options,
        name: &EntryName,
    ) -> anyhow::Result<Option<PartNext>> {
        let (queues, queue, part) = (self.worker.queues, self.queue, self.part);
        let turn = || queues.await_turn(queue, part);
        let Some(reader) = PartReader::open(input, options, block, index, &turn)? else {
            return Ok(None);
        };
        self.out.is_start = index == 0;
        if let Some(err) = self.read(Part {
            name,
            game: None,
            is_start: index == 0,
            options,
            reader,
        }) {
            return Err(err);
        }
        Ok(Some(match &self.out.end {
            Some(end) => match end.end {
                End::Part(part) => Some(first + part),
                End::Input => None,
            },
            None => None,
        }))
    }
}

/// Next part of the entry; `None` if the part ends the entry.
type PartNext = Option<u64>;

/// View of a file for the part that begins with `part`. It ends if the previous part has read that
/// part.
struct FileView<'f> {
    file: &'f std::fs::File,
    queues: &'f Queues,
    queue: u64,
    part: u64,
}

impl ReadAt for FileView<'_> {
    fn read_at(&self, offset: u64, buf: &mut [u8]) -> io::Result<usize> {
        let is_void = self.queues.is_stopped()
            || self.queues.lock().turn(self.queue, self.part) == Poll::Ready(None);
        if is_void {
            Ok(0)
        } else {
            self.file.read_at(offset, buf)
        }
    }
}

struct StopOnPanic<'s>(&'s Queues);

impl Drop for StopOnPanic<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.stop();
        }
    }
}

/// Returns whether the error is one of reading, which the archive reports.
pub(crate) fn is_of_reading(err: &anyhow::Error) -> bool {
    err.downcast_ref::<sgfstream::Error>()
        .is_some_and(sgfstream::Error::is_io)
}
