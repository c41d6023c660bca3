//! Engine: its settings, and its two ways to read.

use std::io;
use std::num::NonZero;
use std::ops::ControlFlow;
use std::path::Path;
use std::thread;

use sgfstream::Options;
use sgfstream::internal::{End, PartEnd};
use sgfstream_archive::{self as archive, ArchiveProblem, Input, Walk};
use sgfstream_open::{EntryOpener, is_record};

use crate::feed::{Feed, PartSize};
use crate::file_range::FileRange;
use crate::job::{
    AnyJob, AnyOutput, Job, NotedGame, Part, PartResult, WorkerState, missing_game, owned,
};
use crate::monitor::{Monitor, Progress};
use crate::open::Request;
use crate::plan::Split;
use crate::queue::Queues;
use crate::worker::{Worker, is_of_reading};

/// Engine that reads inputs on several threads: see the [crate's page](crate).
#[derive(Clone, Debug, Default)]
pub struct Engine {
    threads: usize,
    part_size: PartSize,
    archives: archive::ReadOptions,
    opening: EntryOpener,
    monitor: Monitor,
}

impl Engine {
    /// Returns an engine that reads on all cores, with results in the order of the inputs.
    #[must_use]
    pub fn new() -> Self {
        Self::default().with_archives(archive::ReadOptions::default())
    }

    /// Sets the number of threads; 0 means as many as there are cores.
    #[must_use]
    pub fn with_threads(mut self, threads: usize) -> Self {
        self.threads = threads.min(1024);
        self
    }

    /// Sets how large the parts of entries are.
    #[must_use]
    pub fn with_part_size(mut self, part_size: PartSize) -> Self {
        self.part_size = part_size;
        self
    }

    /// Sets the options for reading games.
    #[must_use]
    pub fn with_options(mut self, options: Options) -> Self {
        self.opening.options = options;
        self
    }

    /// Sets whether the engine adds `CA[UTF-8]` to the roots of games that it transcodes to UTF-8,
    /// for a caller who writes them. Otherwise `CA` keeps its value, which named the charset before
    /// transcoding.
    #[must_use]
    pub fn with_stated_charset(mut self, states_charset: bool) -> Self {
        self.opening.states_charset = states_charset;
        self
    }

    /// Sets the options for reading archives.
    #[must_use]
    pub fn with_archives(mut self, archives: archive::ReadOptions) -> Self {
        self.archives = archives;
        self.archives.is_record = Some(is_record);
        self
    }

    /// Returns the files that [`run`](Self::run) would open for `inputs`. The
    /// [monitor](Self::monitor) does not count them.
    #[must_use]
    pub fn walk(&self, inputs: &[Input]) -> Walk {
        let mut options = self.archives.clone();
        options.meter = archive::Meter::default();
        Walk::new(inputs.to_vec()).with_options(&options)
    }

    /// Returns an engine with the same settings and its own [`Monitor`].
    #[must_use]
    pub fn with_own_monitor(self) -> Self {
        Self {
            monitor: Monitor::default(),
            ..self
        }
    }

    /// Returns a monitor that shows the progress of this engine and can cancel it.
    #[must_use]
    pub fn monitor(&self) -> Monitor {
        self.monitor.clone().with_meter(self.archives.meter.clone())
    }

    /// Returns the number of threads that read.
    #[must_use]
    pub fn threads(&self) -> usize {
        match self.threads {
            0 => thread::available_parallelism().map_or(1, NonZero::get),
            threads => threads,
        }
    }

    /// Reads `inputs` with `job`, and passes each result to `take` on this thread. The output that
    /// `take` leaves in the result is [reused](Job::reuse).
    ///
    /// # Errors
    ///
    /// The first error of `take`, or of `job` if it is not an error of reading. Unreadable inputs
    /// are not errors; they are reported as [problems](PartResult::problems). If the system refuses
    /// to start a worker, one worker reads; it is an error if the system starts none.
    ///
    /// # Panics
    ///
    /// If `job` panics.
    pub fn run<J: Job>(
        &self,
        inputs: &[Input],
        job: &J,
        take: impl FnMut(&mut PartResult<J::Output>) -> anyhow::Result<()>,
    ) -> anyhow::Result<()> {
        let walk = Walk::new(inputs.to_vec()).with_options(&self.archives);
        self.run_ranges(walk.map(|input| input.map(FileRange::from)), job, take)
    }

    /// Reads the ranges of a split, as [`run`](Self::run) reads inputs.
    ///
    /// # Errors
    ///
    /// The same as for [`run`](Self::run).
    ///
    /// # Panics
    ///
    /// If `job` panics.
    pub fn run_split<J: Job>(
        &self,
        split: &Split,
        job: &J,
        take: impl FnMut(&mut PartResult<J::Output>) -> anyhow::Result<()>,
    ) -> anyhow::Result<()> {
        self.run_ranges(split.ranges(), job, take)
    }

    pub(crate) fn run_ranges<J: Job>(
        &self,
        mut ranges: impl Iterator<Item = Result<FileRange, ArchiveProblem>> + Send,
        job: &J,
        mut take: impl FnMut(&mut PartResult<J::Output>) -> anyhow::Result<()>,
    ) -> anyhow::Result<()> {
        let part_size = if job.worker().needs_whole_entries() {
            PartSize::Whole
        } else {
            self.part_size
        };
        self.run_any(part_size, &mut ranges, job, &mut |out| {
            let mut out = out.map(owned::<J::Output>);
            for (name, game) in std::mem::take(&mut out.noted_games) {
                out.problems
                    .push(game.problem(&name, out.before.games, self.opening.options));
            }
            if out.before.games == 0 {
                for (name, bytes) in std::mem::take(&mut out.without_games) {
                    self.monitor
                        .add_without_games(name, out.before.bytes + bytes);
                }
            }
            take(&mut out)?;
            let empty = job.reuse(out.output);
            Ok(empty.map(|empty| Box::new(empty) as AnyOutput))
        })
    }

    /// Runs `job` on `ranges`. `take` may return an empty output to be reused.
    fn run_any(
        &self,
        part_size: PartSize,
        ranges: &mut (dyn Iterator<Item = Result<FileRange, ArchiveProblem>> + Send),
        job: &dyn AnyJob,
        take: &mut dyn FnMut(PartResult<AnyOutput>) -> anyhow::Result<Option<AnyOutput>>,
    ) -> anyhow::Result<()> {
        let threads = self.threads();
        let queues = &Queues::new(threads, self.monitor.clone());
        let refused = |err: io::Error| anyhow::Error::new(err).context("cannot start a thread");
        thread::scope(|scope| {
            // Stops the other threads on every return, also after an error.
            let _stop = StopOnDrop(queues);
            let feed = Feed {
                queues,
                scope,
                archives: &self.archives,
                opening: self.opening,
                part_size,
            };
            named("walker")
                .spawn_scoped(scope, move || feed.run(ranges))
                .map_err(refused)?;
            let mut workers = Vec::new();
            for number in 0..threads {
                let worker = Worker {
                    number,
                    job,
                    queues,
                    archives: &self.archives,
                    opening: self.opening,
                };
                let spawned = match number == 0 || has_space_for_worker(queues, number) {
                    true => named("worker").spawn_scoped(scope, move || worker.run()),
                    false => Err(io::ErrorKind::OutOfMemory.into()),
                };
                match spawned {
                    Ok(worker) => workers.push(worker),
                    Err(err) if number == 0 => return Err(refused(err)),
                    Err(_) => {
                        // Often there is no space for another stack. Each reading worker needs more
                        // than a stack, so only one remains.
                        queues.limit_workers(1);
                        for ended in workers.drain(1..) {
                            ended.join().expect("a worker without parts does not panic");
                        }
                        break;
                    }
                }
            }
            queues.begin();
            while let Some(mut out) = queues.pop() {
                self.monitor.add(out.progress);
                let failed = out.failed.take();
                let empty = take(out)?;
                failed.map_or(Ok(()), Err)?;
                if let Some(empty) = empty {
                    queues.give_back(empty);
                }
            }
            Ok(())
        })
    }

    /// Reads `inputs` on this thread, one entry after another, for work that depends on their
    /// order. `each` returns whether to continue. `problem` is called with each problem of an
    /// unreadable entry.
    ///
    /// # Errors
    ///
    /// The first error of `each` that is not an error of reading.
    pub fn each(
        &self,
        inputs: &[Input],
        mut each: impl FnMut(Part<'_>) -> anyhow::Result<ControlFlow<(), PartEnd>>,
        mut problem: impl FnMut(&ArchiveProblem),
    ) -> anyhow::Result<()> {
        self.each_any(inputs, &mut each, &mut problem)
    }

    fn each_any(
        &self,
        inputs: &[Input],
        each: &mut dyn FnMut(Part<'_>) -> anyhow::Result<ControlFlow<(), PartEnd>>,
        problem: &mut dyn FnMut(&ArchiveProblem),
    ) -> anyhow::Result<()> {
        let mut failed = None;
        archive::visit(inputs, &self.archives, |item| {
            let entry = match item {
                Ok(entry) => entry,
                Err(found) => {
                    problem(&found);
                    return ControlFlow::Continue(());
                }
            };
            let (name, path) = (&entry.name, entry.path().map(Path::to_owned));
            let request = Request {
                name,
                size: entry.size,
                games: entry.games,
                path: path.as_deref(),
                read: entry.read,
            };
            let mut flow = ControlFlow::Continue(());
            let problems = request.each(self.opening, self.archives.caps.spool, &mut |part| {
                let (game, options) = (part.game, part.options);
                flow = match each(part) {
                    Ok(ControlFlow::Continue(end)) => {
                        let mut progress = Progress {
                            entries: 1,
                            ..Progress::default()
                        };
                        progress.add_part(&end);
                        self.monitor.add(progress);
                        if game.is_none() && end.games == 0 && end.end == End::Input {
                            self.monitor.add_without_games(name.clone(), end.bytes);
                        }
                        if let (Some(number), Some(games)) = (game, end.too_few_games) {
                            problem(&missing_game(name, number, games));
                        }
                        for game in NotedGame::of(&end) {
                            problem(&game.problem(name, 0, options));
                        }
                        ControlFlow::Continue(())
                    }
                    Ok(ControlFlow::Break(())) => ControlFlow::Break(()),
                    // Continue, because the archive reports the error of reading after the entry.
                    Err(err) if is_of_reading(&err) => ControlFlow::Continue(()),
                    Err(err) => {
                        failed = Some(err);
                        ControlFlow::Break(())
                    }
                };
                flow
            });
            problems.iter().for_each(&mut *problem);
            flow
        });
        failed.map_or(Ok(()), Err)
    }
}

/// Returns whether the address space has room for the stack of worker `number`, and for what a
/// thread needs beside it. If only the stack fits, the new thread ends the process.
fn has_space_for_worker(queues: &Queues, number: usize) -> bool {
    /// Space in which all threads that are being started fit, each with a stack and a heap of its
    /// own.
    const MUCH: usize = 4 << 30;
    /// Space for one thread. Above 32 MiB, glibc maps a block of its own and returns it at once. A
    /// smaller block stays in the heap, so that the next call finds space where the system has
    /// none.
    const THREAD: usize = 40 << 20;
    has_space(MUCH) || {
        // Threads that are being started still need space.
        queues.await_arrivals(number);
        has_space(THREAD)
    }
}

fn has_space(bytes: usize) -> bool {
    let mut space = Vec::<u8>::new();
    let has_space = space.try_reserve_exact(bytes).is_ok();
    // Otherwise the compiler may leave out the unused memory.
    std::hint::black_box(&space);
    has_space
}

/// Returns a builder of a thread, whose name shows in tools such as `top -H`.
pub(crate) fn named(role: &str) -> thread::Builder {
    thread::Builder::new().name(role.to_owned())
}

struct StopOnDrop<'s>(&'s Queues);

impl Drop for StopOnDrop<'_> {
    fn drop(&mut self) {
        self.0.stop();
    }
}
