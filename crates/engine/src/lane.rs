//! The row of lanes, behind one lock: who works on what, what comes next.

use std::collections::VecDeque;
use std::fs::File;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use crate::order::{Order, Take};
use sgfstream_archive::{ArchiveProblem, EntryName, Work};

use super::blocks::Blocks;
use super::job::Output;

/// A run of units that belong together.
pub struct Lane<A> {
    pub group: u64,
    pub order: Order<Output<A>>,
    pub units: Units,
}

/// The units of a lane.
pub enum Units {
    /// Files, or pieces of an archive, that a worker opens itself.
    Visits(VecDeque<Vec<Work>>),
    /// The blocks of one file that is not packed.
    File(Arc<PlainFile>),
    /// What a decoder gave that no worker has taken.
    Stream(VecDeque<StreamUnit>),
    /// Nothing to do.
    None,
}

pub struct PlainFile {
    pub name: EntryName,
    pub file: File,
    pub game: Option<u64>,
    /// Blocks in it.
    pub units: u64,
}

/// What a worker gets from a decoder.
#[derive(Clone)]
pub enum StreamUnit {
    /// Small members, and what is to be said between them.
    Batch(Arc<Mutex<Vec<Member>>>),
    /// A block of a large one.
    Block { entry: Arc<StreamEntry>, index: u64 },
}

pub enum Member {
    Entry { name: EntryName, game: Option<u64>, bytes: Vec<u8>, is_broken: bool },
    Problem(ArchiveProblem),
}

/// A large member.
pub struct StreamEntry {
    pub name: EntryName,
    pub game: Option<u64>,
    pub blocks: Blocks,
    /// The unit of its first block.
    pub first: u64,
    /// The unit behind its last block; set before its blocks end.
    pub end: AtomicU64,
}

/// A unit that a worker has taken.
pub struct Task {
    pub lane: u64,
    pub unit: u64,
    pub group: u64,
    pub what: What,
}

pub enum What {
    Visit(Vec<Work>),
    File(Arc<PlainFile>),
    Stream(StreamUnit),
}

/// The lanes, and those who work on them.
pub struct Lanes<A> {
    state: Mutex<State<A>>,
    changed: Condvar,
    stopped: AtomicBool,
    workers: usize,
    /// Results need not keep the order of the lanes.
    is_unordered: bool,
}

pub struct State<A> {
    pub lanes: VecDeque<Lane<A>>,
    /// The number of the first lane.
    pub first: u64,
    /// No more lanes come.
    pub is_fed: bool,
    /// Decoders at work.
    pub decoders: usize,
    /// Bytes of their windows.
    pub windows: u64,
    /// Somebody has the place for a window that was not counted.
    has_large: bool,
    /// The lane that each worker works for.
    busy: Vec<Option<u64>>,
}

impl<A> State<A> {
    pub fn lane(&mut self, lane: u64) -> Option<&mut Lane<A>> {
        self.lanes.get_mut(usize::try_from(lane.checked_sub(self.first)?).ok()?)
    }

    pub fn push(&mut self, lane: Lane<A>) -> u64 {
        self.lanes.push_back(lane);
        self.first + self.lanes.len() as u64 - 1
    }

    fn take(&mut self, worker: usize) -> Option<Task> {
        self.busy[worker] = None;
        let first = self.first;
        let further_back = self.busy.iter().flatten().filter(|&&lane| lane > first).count();
        for (at, lane) in self.lanes.iter_mut().enumerate() {
            if at > 0 && further_back + 1 >= self.busy.len() {
                return None;
            }
            let Take::Now(unit) = lane.order.take() else {
                continue;
            };
            let what = match &mut lane.units {
                Units::Visits(visits) => What::Visit(visits.pop_front().unwrap_or_default()),
                Units::File(file) => What::File(Arc::clone(file)),
                Units::Stream(queue) => {
                    // The part before may have read on over units, and may have
                    // done so before they were offered.
                    let first = lane.order.offered() - queue.len() as u64;
                    queue.drain(..((unit - first) as usize).min(queue.len()));
                    let Some(unit) = queue.pop_front() else { continue };
                    What::Stream(unit)
                }
                Units::None => continue,
            };
            let lane_number = first + at as u64;
            self.busy[worker] = Some(lane_number);
            return Some(Task { lane: lane_number, unit, group: lane.group, what });
        }
        None
    }
}

impl<A> Lanes<A> {
    pub fn new(workers: usize, is_unordered: bool) -> Self {
        let busy = vec![None; workers];
        let state =
            State { lanes: VecDeque::new(), first: 0, is_fed: false, decoders: 0, windows: 0, has_large: false, busy };
        Self {
            state: Mutex::new(state),
            changed: Condvar::new(),
            stopped: AtomicBool::new(false),
            workers,
            is_unordered,
        }
    }

    pub fn workers(&self) -> usize {
        self.workers
    }

    /// Results of a lane that may wait for their turn.
    pub fn window(&self) -> u64 {
        self.workers as u64 + 1
    }

    pub fn lock(&self) -> MutexGuard<'_, State<A>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub fn notify(&self) {
        self.changed.notify_all();
    }

    /// Sleeps until something changes, but not for long.
    pub fn wait<'s>(&self, state: MutexGuard<'s, State<A>>) -> MutexGuard<'s, State<A>> {
        let nap = Duration::from_millis(100);
        self.changed.wait_timeout(state, nap).unwrap_or_else(PoisonError::into_inner).0
    }

    pub fn stop(&self) {
        self.stopped.store(true, Relaxed);
        self.notify();
    }

    pub fn is_stopped(&self) -> bool {
        self.stopped.load(Relaxed)
    }

    /// Waits for a unit; none when all is done.
    pub fn take(&self, worker: usize) -> Option<Task> {
        let mut state = self.lock();
        loop {
            if self.is_stopped() {
                return None;
            }
            if let Some(task) = state.take(worker) {
                return Some(task);
            }
            if state.is_fed && state.lanes.is_empty() {
                return None;
            }
            state = self.wait(state);
        }
    }

    /// Has everything in the lane before `unit` been read?
    pub fn turn(&self, lane: u64, unit: u64) -> Take<()> {
        if self.is_stopped() {
            return Take::Never;
        }
        self.lock().lane(lane).map_or(Take::Never, |lane| lane.order.turn(unit))
    }

    /// Waits for it.
    pub fn await_turn(&self, lane: u64, unit: u64) -> bool {
        let mut state = self.lock();
        loop {
            let turn = state.lane(lane).map_or(Take::Never, |lane| lane.order.turn(unit));
            match turn {
                _ if self.is_stopped() => return false,
                Take::Now(()) => return true,
                Take::Never => return false,
                Take::Later => state = self.wait(state),
            }
        }
    }

    /// Waits for the one place for a large window. False: it is not to be had,
    /// but the turn of `unit` has come (or of the lane), and all others may be
    /// waiting for it.
    pub fn take_place(&self, lane: u64, unit: Option<u64>) -> bool {
        let mut state = self.lock();
        loop {
            if !state.has_large {
                state.has_large = true;
                return true;
            }
            let is_first = lane <= state.first;
            let turn = |unit| state.lane(lane).is_none_or(|lane| lane.order.turn(unit) != Take::Later);
            if self.is_stopped() || (is_first && unit.is_none_or(turn)) {
                return false;
            }
            state = self.wait(state);
        }
    }

    pub fn leave_place(&self) {
        self.lock().has_large = false;
        self.notify();
    }

    /// Hands out a piece of what `unit` comes to, when its turn has come and
    /// there is room.
    pub fn flush(&self, lane: u64, unit: u64, out: Output<A>) -> bool {
        if !self.await_turn(lane, unit) {
            return false;
        }
        let mut state = self.lock();
        loop {
            match state.lane(lane) {
                _ if self.is_stopped() => return false,
                None => return false,
                Some(lane) if lane.order.has_room() => {
                    lane.order.hand_out(out);
                    break;
                }
                Some(_) => state = self.wait(state),
            }
        }
        self.notify();
        true
    }

    pub fn finish(&self, lane: u64, unit: u64, out: Output<A>, next: u64) {
        if let Some(lane) = self.lock().lane(lane) {
            lane.order.finish(unit, out, next);
        }
        self.notify();
    }

    /// The next result, in order; `None` when there are no more. Comes back
    /// with nothing now and then, to look after other things.
    pub fn pop(&self) -> Option<Option<Output<A>>> {
        let mut state = self.lock();
        if self.is_unordered {
            // Any result that is ready; a lane that is empty goes as the first.
            let found = state.lanes.iter_mut().skip(1).find_map(|lane| match lane.order.pop() {
                Take::Now(out) => Some(out),
                _ => None,
            });
            if let Some(out) = found {
                drop(state);
                self.notify();
                return Some(Some(out));
            }
        }
        let Some(lane) = state.lanes.front_mut() else {
            if state.is_fed {
                return None;
            }
            drop(self.wait(state));
            return Some(None);
        };
        match lane.order.pop() {
            Take::Now(out) => {
                drop(state);
                self.notify();
                Some(Some(out))
            }
            Take::Never => {
                state.lanes.pop_front();
                state.first += 1;
                drop(state);
                self.notify();
                Some(None)
            }
            Take::Later => {
                drop(self.wait(state));
                Some(None)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn offer(lanes: &Lanes<()>, problems: usize) {
        let mut state = lanes.lock();
        let lane = state.lane(0).expect("the one lane");
        lane.order.offer(lane.order.offered() + 1);
        let Units::Stream(queue) = &mut lane.units else { panic!("a stream") };
        let mut batch = Vec::new();
        batch.resize_with(problems, || Member::Entry {
            name: EntryName::file("x.sgf"),
            game: None,
            bytes: Vec::new(),
            is_broken: false,
        });
        queue.push_back(StreamUnit::Batch(Arc::new(Mutex::new(batch))));
    }

    /// The unit that is taken, and how many members it has.
    fn take(lanes: &Lanes<()>) -> Option<(u64, usize)> {
        let task = lanes.lock().take(0)?;
        let What::Stream(StreamUnit::Batch(batch)) = task.what else { panic!("a batch") };
        let members = batch.lock().expect("no one else has it").len();
        Some((task.unit, members))
    }

    #[test]
    fn a_large_window_waits_unless_its_turn_has_come() {
        let lanes: Lanes<()> = Lanes::new(2, false);
        for _ in 0..2 {
            let mut order = Order::new(4);
            order.offer(2);
            lanes.lock().push(Lane { group: 0, order, units: Units::None });
        }
        assert!(lanes.take_place(1, Some(0)));
        // The first unit of the first lane goes on without a place.
        assert!(!lanes.take_place(0, Some(0)) && !lanes.take_place(0, None));
        std::thread::scope(|scope| {
            let waiting = scope.spawn(|| lanes.take_place(0, Some(1)));
            std::thread::sleep(Duration::from_millis(50));
            assert!(!waiting.is_finished());
            lanes.leave_place();
            assert!(waiting.join().expect("no panic"));
            let stopped = scope.spawn(|| lanes.take_place(1, None));
            lanes.stop();
            assert!(!stopped.join().expect("no panic"));
        });
    }

    #[test]
    fn a_unit_that_was_read_on_over_before_it_was_offered() {
        let lanes = Lanes::new(1, false);
        lanes.lock().push(Lane { group: 0, order: Order::new(4), units: Units::Stream(VecDeque::new()) });
        offer(&lanes, 10);
        assert_eq!(take(&lanes), Some((0, 10)));
        // Its reader has seen the end of the unit behind it already.
        lanes.finish(0, 0, Output::empty(0), 2);
        assert_eq!(take(&lanes), None);
        offer(&lanes, 11);
        assert_eq!(take(&lanes), None);
        offer(&lanes, 12);
        assert_eq!(take(&lanes), Some((2, 12)));
        offer(&lanes, 13);
        assert_eq!(take(&lanes), Some((3, 13)));
    }

    /// A lane behind one that is not ready waits for it, unless no order is
    /// wanted.
    #[test]
    fn a_result_behind_another_comes_first_only_without_an_order() {
        for is_unordered in [false, true] {
            let lanes = Lanes::new(2, is_unordered);
            for _ in 0..2 {
                let mut order = Order::new(2);
                order.offer(1);
                order.close();
                order.take();
                lanes.lock().push(Lane { group: 0, order, units: Units::None });
            }
            lanes.lock().is_fed = true;
            lanes.finish(1, 0, Output { acc: Some("second"), ..Output::empty(0) }, 1);
            let found = lanes.pop().expect("more to come").and_then(|out| out.acc);
            assert_eq!(found, is_unordered.then_some("second"));
            lanes.finish(0, 0, Output { acc: Some("first"), ..Output::empty(0) }, 1);
            let mut rest = Vec::new();
            while let Some(out) = lanes.pop() {
                rest.extend(out.and_then(|out| out.acc));
            }
            assert_eq!(rest, if is_unordered { &["first"][..] } else { &["first", "second"] });
        }
    }
}
