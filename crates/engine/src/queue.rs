//! The queues of units, under one lock: which thread works on what, and what comes next.
//!
//! A *unit* is what a worker takes at once: some small files, a piece of a zip file, a block of one large file, or what
//! a decoder unpacked. A *queue* is a run of units that belong together. Ordered results come out of the first queue
//! only, and at least one worker works for it, so workers that wait for space further back never wait for each other.

use std::collections::VecDeque;
use std::fs::{File, Metadata};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::task::Poll;
use std::time::Duration;

use sgfstream::Options;
use sgfstream_archive::{ArchiveErrorKind, ArchiveProblem, EntryName, Work};

use crate::blocks::Blocks;
use crate::job::{AnyOutput, Before, Outcome};
use crate::monitor::Monitor;
use crate::order::Order;
use crate::piece::Piece;

/// How long a thread sleeps at most before it asks again.
const NAP: Duration = Duration::from_millis(100);

/// A run of units that belong together.
pub(crate) struct Queue {
    pub(crate) order: Order<Outcome<AnyOutput>>,
    pub(crate) tasks: Tasks,
    /// Counts before the next result in its entry.
    before: Before,
}

impl Queue {
    pub(crate) fn new(order: Order<Outcome<AnyOutput>>, tasks: Tasks) -> Self {
        Self { order, tasks, before: Before::default() }
    }

    /// This queue, which begins after `before` in its entry.
    pub(crate) fn after(self, before: Before) -> Self {
        Self { before, ..self }
    }

    /// The next result, with what came before it.
    fn pop(&mut self) -> Poll<Option<Outcome<AnyOutput>>> {
        let taken = self.order.pop();
        let Poll::Ready(Some(mut out)) = taken else { return taken };
        if out.is_start {
            self.before = Before::default();
        }
        out.before = self.before;
        if let Some(end) = &out.end {
            self.before.advance(end);
        }
        Poll::Ready(Some(out))
    }
}

/// The tasks of a queue.
pub(crate) enum Tasks {
    /// One for each block of a file that is not packed.
    File(Arc<PlainFile>),
    /// Those that no worker has taken, up to the last unit that was offered.
    Listed(VecDeque<Task>),
}

/// Task of a worker: one of the four things that it reads at once.
pub(crate) enum Task {
    /// Files, or pieces of an archive, that the worker opens itself, and problems between them.
    Visit(Vec<Result<Work, ArchiveProblem>>),
    /// The block of a file that is not packed, whose number is that of the unit.
    File(Arc<PlainFile>),
    /// Small members that a decoder unpacked, and problems between them.
    Batch(Vec<Member>),
    /// A block of a large one.
    Block { entry: Arc<StreamEntry>, index: u64 },
}

/// One file that is not packed.
pub(crate) struct PlainFile {
    pub(crate) name: EntryName,
    pub(crate) file: File,
    /// State of the file when it was opened.
    pub(crate) metadata: Metadata,
    pub(crate) options: Options,
    /// Bytes of a block.
    pub(crate) block: u64,
    /// The block that is read first, and the one after the last.
    pub(crate) first: u64,
    pub(crate) units: u64,
    /// The piece of it that is read as one block, with its games numbered as those of the file.
    pub(crate) whole: Option<Piece>,
}

impl PlainFile {
    /// True if the file is not as it was when it was opened.
    pub(crate) fn is_changed(&self) -> bool {
        let times = |metadata: &Metadata| (metadata.len(), metadata.modified().ok());
        self.file.metadata().is_ok_and(|now| times(&now) != times(&self.metadata))
    }

    /// Problem that is reported then.
    pub(crate) fn changed(&self) -> ArchiveProblem {
        let expected = "a file that does not change while it is read";
        ArchiveProblem::new(self.name.clone(), ArchiveErrorKind::Damaged, expected, "one that changed")
    }
}

pub(crate) enum Member {
    Entry { name: EntryName, bytes: Vec<u8>, is_broken: bool },
    Problem(ArchiveProblem),
}

/// A large member.
pub(crate) struct StreamEntry {
    pub(crate) name: EntryName,
    pub(crate) options: Options,
    pub(crate) blocks: Blocks,
    /// The unit of its first block.
    pub(crate) first: u64,
    /// The unit after its last block; set before its blocks end.
    pub(crate) end: AtomicU64,
}

/// A task that a worker has taken.
pub(crate) struct Taken {
    pub(crate) queue: u64,
    pub(crate) unit: u64,
    pub(crate) task: Task,
}

/// The queues, and the threads that work on them.
pub(crate) struct Queues {
    state: Mutex<State>,
    changed: Condvar,
    stopped: AtomicBool,
    monitor: Monitor,
    workers: usize,
    /// Outputs to be filled again: new memory costs a page fault for each 4 KiB of it. A new one is made only when there is
    /// none here, so there are never more than were in use at once.
    spares: Mutex<Vec<AnyOutput>>,
}

pub(crate) struct State {
    pub(crate) queues: VecDeque<Queue>,
    /// The number of the first queue.
    pub(crate) first: u64,
    /// No more queues come.
    pub(crate) is_fed: bool,
    /// Decoders at work.
    pub(crate) decoders: usize,
    /// The permit for a large window is taken.
    has_large: bool,
    /// The queue that each worker works for.
    busy: Vec<Option<u64>>,
}

impl State {
    pub(crate) fn queue(&mut self, queue: u64) -> Option<&mut Queue> {
        self.queues.get_mut(usize::try_from(queue.checked_sub(self.first)?).ok()?)
    }

    pub(crate) fn push(&mut self, queue: Queue) -> u64 {
        self.queues.push_back(queue);
        self.first + self.queues.len() as u64 - 1
    }

    fn take(&mut self, worker: usize) -> Option<Taken> {
        self.busy[worker] = None;
        let first = self.first;
        let further_back = self.busy.iter().flatten().filter(|&&queue| queue > first).count();
        for (at, queue) in self.queues.iter_mut().enumerate() {
            if at > 0 && further_back + 1 >= self.busy.len() {
                return None;
            }
            let Poll::Ready(Some(unit)) = queue.order.take() else {
                continue;
            };
            let task = match &mut queue.tasks {
                Tasks::File(file) => Task::File(Arc::clone(file)),
                Tasks::Listed(tasks) => {
                    // The part before may have read on over units, and may have
                    // done so before they were offered.
                    let first = queue.order.offered() - tasks.len() as u64;
                    tasks.drain(..((unit - first) as usize).min(tasks.len()));
                    let Some(task) = tasks.pop_front() else { continue };
                    task
                }
            };
            let number = first + at as u64;
            self.busy[worker] = Some(number);
            return Some(Taken { queue: number, unit, task });
        }
        None
    }

    /// The next result; later, or never, where there is none.
    fn pop(&mut self) -> Poll<Option<Outcome<AnyOutput>>> {
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
        let state = State {
            queues: VecDeque::new(),
            first: 0,
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
            workers,
            spares: Mutex::default(),
        }
    }

    pub(crate) fn workers(&self) -> usize {
        self.workers
    }

    fn spares(&self) -> MutexGuard<'_, Vec<AnyOutput>> {
        self.spares.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// An empty output that was used before.
    pub(crate) fn spare(&self) -> Option<AnyOutput> {
        self.spares().pop()
    }

    /// Keeps an empty output for the next unit.
    pub(crate) fn give_back(&self, empty: AnyOutput) {
        self.spares().push(empty);
    }

    /// Results of a queue that may wait for their turn.
    pub(crate) fn window(&self) -> u64 {
        self.workers as u64 + 1
    }

    pub(crate) fn lock(&self) -> MutexGuard<'_, State> {
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

    /// Waits until `ask` has an answer. None if there never will be one, or the run stops.
    pub(crate) fn wait_for<A>(&self, mut ask: impl FnMut(&mut State) -> Poll<Option<A>>) -> Option<A> {
        let mut state = self.lock();
        loop {
            if self.is_stopped() {
                return None;
            }
            match ask(&mut state) {
                Poll::Ready(answer) => return answer,
                // Not for long: cancelling a run wakes no thread.
                Poll::Pending => {
                    state = self.changed.wait_timeout(state, NAP).unwrap_or_else(PoisonError::into_inner).0
                }
            }
        }
    }

    /// Waits for a unit; none when all is done.
    pub(crate) fn take(&self, worker: usize) -> Option<Taken> {
        self.wait_for(|state| match state.take(worker) {
            Some(taken) => Poll::Ready(Some(taken)),
            None if state.is_fed && state.queues.is_empty() => Poll::Ready(None),
            None => Poll::Pending,
        })
    }

    /// Waits until everything in the queue before `unit` has been read. False if the unit was read, too.
    pub(crate) fn await_turn(&self, queue: u64, unit: u64) -> bool {
        self.wait_for(|state| state.turn(queue, unit)).is_some()
    }

    /// Waits for the one permit for a large window. False: it is taken, but the turn of `unit` has come (or of the
    /// queue), and all other threads may be waiting for it.
    pub(crate) fn take_permit(&self, queue: u64, unit: Option<u64>) -> bool {
        self.wait_for(|state| {
            if !state.has_large {
                state.has_large = true;
                return Poll::Ready(Some(true));
            }
            let is_next = queue <= state.first && unit.is_none_or(|unit| state.turn(queue, unit) != Poll::Pending);
            if is_next { Poll::Ready(Some(false)) } else { Poll::Pending }
        })
        .unwrap_or(false)
    }

    pub(crate) fn return_permit(&self) {
        self.lock().has_large = false;
        self.notify();
    }

    /// Hands out a piece of what `unit` comes to, when there is space. A unit ahead of its turn has space for as many
    /// pieces as there are workers: a block of a file rarely comes to more than one piece and a rest, so that workers
    /// do not wait for each other.
    pub(crate) fn hand_out(&self, queue: u64, unit: u64, out: Outcome<AnyOutput>) -> bool {
        let mut out = Some(out);
        let done = self.wait_for(|state| {
            let held: usize = state.queues.iter().map(|queue| queue.order.pieces()).sum();
            let turn = state.turn(queue, unit);
            let Some(Queue { order, .. }) = state.queue(queue).filter(|_| turn != Poll::Ready(None)) else {
                return Poll::Ready(None);
            };
            let is_space = if turn == Poll::Ready(Some(())) { order.has_room() } else { held < self.workers };
            match out.take_if(|_| is_space) {
                Some(out) => {
                    order.hand_out(unit, out);
                    Poll::Ready(Some(()))
                }
                None => Poll::Pending,
            }
        });
        self.notify();
        done.is_some()
    }

    pub(crate) fn finish(&self, queue: u64, unit: u64, out: Outcome<AnyOutput>, next: u64) {
        if let Some(queue) = self.lock().queue(queue) {
            queue.order.finish(unit, out, next);
        }
        self.notify();
    }

    /// Waits for the next result; none when there are no more, or the run stops.
    pub(crate) fn pop(&self) -> Option<Outcome<AnyOutput>> {
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

impl State {
    /// Has everything in the queue before `unit` been read? Never, if the unit was read, too.
    pub(crate) fn turn(&mut self, queue: u64, unit: u64) -> Poll<Option<()>> {
        self.queue(queue).map_or(Poll::Ready(None), |queue| queue.order.turn(unit))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn offer(queues: &Queues, members: usize) {
        let mut state = queues.lock();
        let queue = state.queue(0).expect("the one queue");
        queue.order.offer(queue.order.offered() + 1);
        let Tasks::Listed(tasks) = &mut queue.tasks else { panic!("a list") };
        let mut batch = Vec::new();
        batch.resize_with(members, || Member::Entry {
            name: EntryName::file("x.sgf"),
            bytes: Vec::new(),
            is_broken: false,
        });
        tasks.push_back(Task::Batch(batch));
    }

    /// The unit that is taken, and how many members it has.
    fn take(queues: &Queues) -> Option<(u64, usize)> {
        let Taken { unit, task, .. } = queues.lock().take(0)?;
        let Task::Batch(members) = task else { panic!("a batch") };
        Some((unit, members.len()))
    }

    #[test]
    fn a_large_window_waits_unless_its_turn_has_come() {
        let queues = Queues::new(2, Monitor::default());
        for _ in 0..2 {
            let mut order = Order::new(4);
            order.offer(2);
            queues.lock().push(Queue::new(order, Tasks::Listed(VecDeque::new())));
        }
        assert!(queues.take_permit(1, Some(0)));
        // The first unit of the first lane goes on without a permit.
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
    fn a_unit_that_was_read_on_over_before_it_was_offered() {
        let queues = Queues::new(1, Monitor::default());
        queues.lock().push(Queue::new(Order::new(4), Tasks::Listed(VecDeque::new())));
        offer(&queues, 10);
        assert_eq!(take(&queues), Some((0, 10)));
        // Its reader has seen the end of the unit after it already.
        queues.finish(0, 0, Outcome::empty(), 2);
        assert_eq!(take(&queues), None);
        offer(&queues, 11);
        assert_eq!(take(&queues), None);
        offer(&queues, 12);
        assert_eq!(take(&queues), Some((2, 12)));
        offer(&queues, 13);
        assert_eq!(take(&queues), Some((3, 13)));
    }
}
