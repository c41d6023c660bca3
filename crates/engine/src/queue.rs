//! Queues of parts, under one lock: they decide which thread reads which part, and which result
//! comes next.
//!
//! A *part* is the work that a worker takes at once: some small files, a range of a zip file, a
//! block of a large file, or members that a decoder unpacked. A *queue* is a run of parts that
//! belong together. Results come only out of the first queue, and at least one worker works for it,
//! so that workers that wait for space in later queues never block each other.

use std::collections::VecDeque;
use std::fs::{File, Metadata};
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::task::Poll;
use std::thread;
use std::time::Duration;

use sgfstream::Options;
use sgfstream_archive::{ArchiveErrorKind, ArchiveProblem, EntryName, InputFile};

use crate::file_range::FileRange;
use crate::job::{AnyOutput, PartOffset, PartResult};
use crate::monitor::Monitor;
use crate::order::Order;
use crate::stream_buffer::StreamBuffer;

/// Longest sleep of a thread before it checks again.
const NAP: Duration = Duration::from_millis(100);

/// Early results per worker that parts ahead of their turn may have handed out. With one, workers
/// wait for each other if the output is larger than the input: the report of `fix` on a block of
/// problems has five results.
const AHEAD: usize = 2;

/// Run of parts that belong together.
pub(crate) struct Queue {
    pub(crate) order: Order<PartResult<AnyOutput>>,
    pub(crate) contents: QueueContent,
    /// Counts before the next result in its entry.
    before: PartOffset,
}

impl Queue {
    pub(crate) fn new(order: Order<PartResult<AnyOutput>>, contents: QueueContent) -> Self {
        Self {
            order,
            contents,
            before: PartOffset::default(),
        }
    }

    /// Sets the counts before the first result in its entry.
    pub(crate) fn after(self, before: PartOffset) -> Self {
        Self { before, ..self }
    }

    /// Returns the next result, with the counts before it.
    fn pop(&mut self) -> Poll<Option<PartResult<AnyOutput>>> {
        let taken = self.order.pop();
        let Poll::Ready(Some(mut out)) = taken else {
            return taken;
        };
        if out.is_start {
            self.before = PartOffset::default();
        }
        out.before = self.before;
        if let Some(end) = &out.end {
            self.before.advance(end);
        }
        Poll::Ready(Some(out))
    }
}

/// Content of the parts of a queue.
pub(crate) enum QueueContent {
    /// A part for each block of a plain file.
    File(Arc<PlainFile>),
    /// Content of the parts that no worker has taken; the last one belongs to the part offered
    /// last.
    Listed(VecDeque<PartContent>),
}

/// Content of one part.
pub(crate) enum PartContent {
    /// Files or ranges of an archive that the worker opens itself, and problems between them.
    Files(Vec<Result<InputFile, ArchiveProblem>>),
    /// The block of a plain file with the same number as the part.
    FilePart(Arc<PlainFile>),
    /// Small entries that a decoder unpacked, and problems between them.
    Entries(Vec<Result<LoadedEntry, ArchiveProblem>>),
    /// A block of a large entry.
    EntryPart { entry: Arc<StreamEntry>, index: u64 },
}

/// File that is not packed.
pub(crate) struct PlainFile {
    pub(crate) name: EntryName,
    pub(crate) file: File,
    /// State of the file when it was opened.
    pub(crate) metadata: Metadata,
    pub(crate) options: Options,
    /// Bytes of a block.
    pub(crate) block: u64,
    /// First block to read; `parts` is the block after the last.
    pub(crate) first: u64,
    pub(crate) parts: u64,
    /// FileRange of the file to read as one block, with its games numbered as in the file.
    pub(crate) whole: Option<FileRange>,
}

impl PlainFile {
    /// Returns whether the file has changed since it was opened.
    pub(crate) fn is_changed(&self) -> bool {
        let times = |metadata: &Metadata| (metadata.len(), metadata.modified().ok());
        self.file
            .metadata()
            .is_ok_and(|now| times(&now) != times(&self.metadata))
    }

    /// Returns the problem of a changed file.
    pub(crate) fn changed(&self) -> ArchiveProblem {
        let message = "the file changed while it was read; read it again";
        ArchiveProblem::new(self.name.clone(), ArchiveErrorKind::Damaged, message)
    }
}

/// Small entry that a decoder unpacked.
pub(crate) struct LoadedEntry {
    pub(crate) name: EntryName,
    pub(crate) bytes: Vec<u8>,
    /// Whether the archive is damaged after these bytes.
    pub(crate) is_broken: bool,
}

/// Large member of an archive.
pub(crate) struct StreamEntry {
    pub(crate) name: EntryName,
    pub(crate) options: Options,
    pub(crate) buffer: StreamBuffer,
    /// Part of the first block.
    pub(crate) first: u64,
    /// Part after the last block; set before the blocks end.
    pub(crate) end: AtomicU64,
}

/// Part that a worker has taken.
pub(crate) struct TakenPart {
    pub(crate) queue: u64,
    pub(crate) part: u64,
    pub(crate) content: PartContent,
}

/// The queues, and the threads that work on them.
pub(crate) struct Queues {
    state: Mutex<QueueState>,
    changed: Condvar,
    stopped: AtomicBool,
    monitor: Monitor,
    workers: AtomicUsize,
    /// Number of threads that wait for the begin or are past it.
    arrived: AtomicUsize,
    /// Empty outputs for reuse, because new memory costs a page fault for each 4 KiB. An output is
    /// made only if this list is empty, so that there are never more outputs than were in use at
    /// once.
    spares: Mutex<Vec<AnyOutput>>,
}

pub(crate) struct QueueState {
    pub(crate) queues: VecDeque<Queue>,
    /// Number of the first queue.
    pub(crate) first: u64,
    /// Whether the number of workers is known.
    has_begun: bool,
    /// Whether no more queues come.
    pub(crate) is_fed: bool,
    /// Number of running decoders.
    pub(crate) decoders: usize,
    /// Whether the permit for a large window is taken.
    has_large: bool,
    /// Queue that each worker works for.
    busy: Vec<Option<u64>>,
}

impl QueueState {
    pub(crate) fn queue(&mut self, queue: u64) -> Option<&mut Queue> {
        self.queues
            .get_mut(usize::try_from(queue.checked_sub(self.first)?).ok()?)
    }

    pub(crate) fn push(&mut self, queue: Queue) -> u64 {
        self.queues.push_back(queue);
        self.first + self.queues.len() as u64 - 1
    }

    fn take(&mut self, worker: usize) -> Option<TakenPart> {
        self.busy[worker] = None;
        let first = self.first;
        let further_back = self
            .busy
            .iter()
            .flatten()
            .filter(|&&queue| queue > first)
            .count();
        for (at, queue) in self.queues.iter_mut().enumerate() {
            if at > 0 && further_back + 1 >= self.busy.len() {
                return None;
            }
            let Poll::Ready(Some(part)) = queue.order.take() else {
                continue;
            };
            let content = match &mut queue.contents {
                QueueContent::File(file) => PartContent::FilePart(Arc::clone(file)),
                QueueContent::Listed(contents) => {
                    // The previous part may have read beyond its end. Drop the parts that it read, also
                    // parts that were offered later.
                    let first = queue.order.offered() - contents.len() as u64;
                    contents.drain(..((part - first) as usize).min(contents.len()));
                    let Some(content) = contents.pop_front() else {
                        continue;
                    };
                    content
                }
            };
            let number = first + at as u64;
            self.busy[worker] = Some(number);
            return Some(TakenPart {
                queue: number,
                part,
                content,
            });
        }
        None
    }

    /// Returns the next result; pending if it is not ready, `None` after the last.
    fn pop(&mut self) -> Poll<Option<PartResult<AnyOutput>>> {
        loop {
            match self.queues.front_mut().map(Queue::pop) {
                Some(Poll::Ready(Some(out))) => return Poll::Ready(Some(out)),
                Some(Poll::Ready(None)) => {
                    self.queues.pop_front();
                    self.first += 1;
                }
                None if self.is_fed => return Poll::Ready(None),
                _ => return Poll::Pending,
            }
        }
    }
}

impl Queues {
    pub(crate) fn new(workers: usize, monitor: Monitor) -> Self {
        let state = QueueState {
            queues: VecDeque::new(),
            first: 0,
            has_begun: false,
            is_fed: false,
            decoders: 0,
            has_large: false,
            busy: vec![None; workers],
        };
        Self {
            state: Mutex::new(state),
            changed: Condvar::new(),
            stopped: AtomicBool::new(false),
            monitor,
            workers: AtomicUsize::new(workers),
            arrived: AtomicUsize::new(0),
            spares: Mutex::default(),
        }
    }

    pub(crate) fn workers(&self) -> usize {
        self.workers.load(Relaxed)
    }

    /// Ends the workers from `workers` on. No worker may have a part.
    pub(crate) fn limit_workers(&self, workers: usize) {
        self.workers.store(workers, Relaxed);
        self.lock().busy.truncate(workers);
        self.notify();
    }

    /// Starts the feed and the workers, because their number is known.
    pub(crate) fn begin(&self) {
        self.lock().has_begun = true;
        self.notify();
    }

    /// Waits until the number of workers is known. Returns false if the run stops, or does without
    /// this worker.
    pub(crate) fn await_begin(&self, worker: usize) -> bool {
        self.arrived.fetch_add(1, Relaxed);
        let begun = self.wait_for(|state| match worker < state.busy.len() {
            true if state.has_begun => Poll::Ready(Some(())),
            true => Poll::Pending,
            false => Poll::Ready(None),
        });
        begun.is_some()
    }

    /// Waits until the feed and the first `workers` workers run.
    pub(crate) fn await_arrivals(&self, workers: usize) {
        while self.arrived.load(Relaxed) <= workers {
            thread::yield_now();
        }
    }

    fn spares(&self) -> MutexGuard<'_, Vec<AnyOutput>> {
        self.spares.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns an empty output that was used before.
    pub(crate) fn spare(&self) -> Option<AnyOutput> {
        self.spares().pop()
    }

    /// Stores an empty output for reuse.
    pub(crate) fn give_back(&self, empty: AnyOutput) {
        self.spares().push(empty);
    }

    /// Returns the number of results of a queue that may wait for their turn.
    pub(crate) fn window(&self) -> u64 {
        self.workers() as u64 + 1
    }

    pub(crate) fn lock(&self) -> MutexGuard<'_, QueueState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn notify(&self) {
        self.changed.notify_all();
    }

    pub(crate) fn stop(&self) {
        self.stopped.store(true, Relaxed);
        self.notify();
    }

    pub(crate) fn is_stopped(&self) -> bool {
        self.stopped.load(Relaxed) || self.monitor.is_cancelled()
    }

    /// Waits until `ask` returns ready. Returns `None` if `ask` does, or if the run stops.
    pub(crate) fn wait_for<A>(
        &self,
        mut ask: impl FnMut(&mut QueueState) -> Poll<Option<A>>,
    ) -> Option<A> {
        let mut state = self.lock();
        loop {
            if self.is_stopped() {
                return None;
            }
            match ask(&mut state) {
                Poll::Ready(answer) => return answer,
                // The wait is short, because cancelling a run wakes no thread.
                Poll::Pending => {
                    state = self
                        .changed
                        .wait_timeout(state, NAP)
                        .unwrap_or_else(PoisonError::into_inner)
                        .0
                }
            }
        }
    }

    /// Waits for a part; returns `None` when all parts are taken.
    pub(crate) fn take(&self, worker: usize) -> Option<TakenPart> {
        self.wait_for(|state| match state.take(worker) {
            Some(taken) => Poll::Ready(Some(taken)),
            None if state.is_fed && state.queues.is_empty() => Poll::Ready(None),
            None => Poll::Pending,
        })
    }

    /// Waits until everything in the queue before `part` has been read. Returns false if the part
    /// was read, too.
    pub(crate) fn await_turn(&self, queue: u64, part: u64) -> bool {
        self.wait_for(|state| state.turn(queue, part)).is_some()
    }

    /// Waits for the only permit for a large window. Returns false if the permit is taken but the
    /// turn of `part` (or of the queue) has come, because all other threads may be waiting for it.
    pub(crate) fn take_permit(&self, queue: u64, part: Option<u64>) -> bool {
        self.wait_for(|state| {
            if !state.has_large {
                state.has_large = true;
                return Poll::Ready(Some(true));
            }
            let is_next = queue <= state.first
                && part.is_none_or(|part| state.turn(queue, part) != Poll::Pending);
            if is_next {
                Poll::Ready(Some(false))
            } else {
                Poll::Pending
            }
        })
        .unwrap_or(false)
    }

    pub(crate) fn return_permit(&self) {
        self.lock().has_large = false;
        self.notify();
    }

    /// Waits for space and hands out an early result of `part`. Parts ahead of their turn have
    /// space for [`AHEAD`] results per worker.
    pub(crate) fn hand_out(&self, queue: u64, part: u64, out: PartResult<AnyOutput>) -> bool {
        let mut out = Some(out);
        let done = self.wait_for(|state| {
            let held: usize = state.queues.iter().map(|queue| queue.order.waiting()).sum();
            let turn = state.turn(queue, part);
            let Some(Queue { order, .. }) =
                state.queue(queue).filter(|_| turn != Poll::Ready(None))
            else {
                return Poll::Ready(None);
            };
            let is_space = if turn == Poll::Ready(Some(())) {
                order.has_capacity()
            } else {
                held < AHEAD * self.workers()
            };
            match out.take_if(|_| is_space) {
                Some(out) => {
                    order.hand_out(part, out);
                    Poll::Ready(Some(()))
                }
                None => Poll::Pending,
            }
        });
        self.notify();
        done.is_some()
    }

    pub(crate) fn finish(&self, queue: u64, part: u64, out: PartResult<AnyOutput>, next: u64) {
        if let Some(queue) = self.lock().queue(queue) {
            queue.order.finish(part, out, next);
        }
        self.notify();
    }

    /// Waits for the next result; returns `None` after the last, or if the run stops.
    pub(crate) fn pop(&self) -> Option<PartResult<AnyOutput>> {
        let out = self.wait_for(|state| {
            let first = state.first;
            let out = state.pop();
            if state.first != first {
                self.notify();
            }
            out
        });
        self.notify();
        out
    }
}

impl QueueState {
    /// Returns ready if everything in the queue before `part` has been read, with `None` if the
    /// part was read, too.
    pub(crate) fn turn(&mut self, queue: u64, part: u64) -> Poll<Option<()>> {
        self.queue(queue)
            .map_or(Poll::Ready(None), |queue| queue.order.turn(part))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn offer(queues: &Queues, members: usize) {
        let mut state = queues.lock();
        let queue = state.queue(0).expect("the one queue");
        queue.order.offer(queue.order.offered() + 1);
        let QueueContent::Listed(contents) = &mut queue.contents else {
            panic!("a list")
        };
        let entry = |_| {
            Ok(LoadedEntry {
                name: EntryName::file("x.sgf"),
                bytes: Vec::new(),
                is_broken: false,
            })
        };
        contents.push_back(PartContent::Entries((0..members).map(entry).collect()));
    }

    /// Returns the part that is taken, and the number of its entries.
    fn take(queues: &Queues) -> Option<(u64, usize)> {
        let TakenPart { part, content, .. } = queues.lock().take(0)?;
        let PartContent::Entries(entries) = content else {
            panic!("entries")
        };
        Some((part, entries.len()))
    }

    #[test]
    fn a_large_window_waits_unless_its_turn_has_come() {
        let queues = Queues::new(2, Monitor::default());
        for _ in 0..2 {
            let mut order = Order::new(4);
            order.offer(2);
            queues
                .lock()
                .push(Queue::new(order, QueueContent::Listed(VecDeque::new())));
        }
        assert!(queues.take_permit(1, Some(0)));
        // The first part of the first queue continues without a permit.
        assert!(!queues.take_permit(0, Some(0)) && !queues.take_permit(0, None));
        std::thread::scope(|scope| {
            let waiting = scope.spawn(|| queues.take_permit(0, Some(1)));
            std::thread::sleep(Duration::from_millis(50));
            assert!(!waiting.is_finished());
            queues.return_permit();
            assert!(waiting.join().expect("no panic"));
            let stopped = scope.spawn(|| queues.take_permit(1, None));
            queues.stop();
            assert!(!stopped.join().expect("no panic"));
        });
    }

    #[test]
    fn a_part_that_was_read_on_over_before_it_was_offered() {
        let queues = Queues::new(1, Monitor::default());
        queues.lock().push(Queue::new(
            Order::new(4),
            QueueContent::Listed(VecDeque::new()),
        ));
        offer(&queues, 10);
        assert_eq!(take(&queues), Some((0, 10)));
        // Its reader has already reached the end of the next part.
        queues.finish(0, 0, PartResult::new(Box::new(())), 2);
        assert_eq!(take(&queues), None);
        offer(&queues, 11);
        assert_eq!(take(&queues), None);
        offer(&queues, 12);
        assert_eq!(take(&queues), Some((2, 12)));
        offer(&queues, 13);
        assert_eq!(take(&queues), Some((3, 13)));
    }
}
