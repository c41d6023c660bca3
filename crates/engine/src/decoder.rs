//! Thread that unpacks a stream or archive. The workers read the unpacked bytes.

use std::io::{self, Read};
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::task::Poll;

use sgfstream_archive::{self as archive, Entry, Item, Work};
use sgfstream_open::EntryOpener;

use crate::blocks::{BLOCK, Blocks};
use crate::open::{loss, open};
use crate::queue::{Member, Queues, StreamEntry, Task, Tasks};
use crate::window::WindowPermit;

/// Members that are passed to a worker together.
const BATCH: usize = 512;

/// Unpacks `work` into its queue.
pub(crate) fn decode(queues: &Queues, queue: u64, work: &Work, archives: &archive::ReadOptions, opening: EntryOpener) {
    let permit = WindowPermit::new(queues, queue, None);
    let mut decoder = Decoder { queues, queue, permit, opening, batch: Vec::new(), bytes: 0 };
    work.visit(archives, |item| decoder.item(item));
    decoder.send();
    drop(decoder);
    let mut state = queues.lock();
    state.decoders -= 1;
    if let Some(queue) = state.queue(queue) {
        queue.order.close();
    }
    drop(state);
    queues.notify();
}

struct Decoder<'q> {
    queues: &'q Queues,
    queue: u64,
    permit: WindowPermit<'q>,
    opening: EntryOpener,
    batch: Vec<Member>,
    bytes: usize,
}

impl Decoder<'_> {
    fn item(&mut self, item: Item<'_>) -> ControlFlow<()> {
        let goes_on = match item {
            Item::Problem(problem) => {
                self.batch.push(Member::Problem(problem));
                !self.queues.is_stopped()
            }
            Item::Entry(entry) => self.entry(entry),
        };
        if goes_on { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    }

    fn entry(&mut self, mut entry: Entry<'_>) -> bool {
        let mut bytes = Vec::new();
        let loaded = entry.load(&mut bytes, BLOCK as usize);
        if let Ok(false) = loaded {
            bytes.shrink_to_fit();
            return self.send() && self.long_entry(bytes, entry) && self.send();
        }
        self.permit.add(bytes.len(), entry.window);
        self.bytes += bytes.len();
        self.batch.push(Member::Entry { name: entry.name, bytes, is_broken: loaded.is_err() });
        (self.batch.len() < BATCH && self.bytes < BLOCK as usize) || self.send()
    }

    /// Passes the batch to the queue, unless it is empty. Returns false if the run stops.
    fn send(&mut self) -> bool {
        if self.batch.is_empty() {
            return true;
        }
        self.bytes = 0;
        let members = std::mem::take(&mut self.batch);
        self.offer(Task::Batch(members), true)
    }

    /// Adds a task to the queue. If `wait`, waits until there is space for it. Returns false if the run stops.
    fn offer(&self, task: Task, wait: bool) -> bool {
        let mut task = Some(task);
        let window = self.queues.window();
        let done = self.queues.wait_for(|state| {
            let Some(queue) = state.queue(self.queue) else { return Poll::Ready(None) };
            let offered = queue.order.offered();
            if wait && offered >= queue.order.begun() + window {
                return Poll::Pending;
            }
            queue.order.offer(offered + 1);
            if let Tasks::Listed(tasks) = &mut queue.tasks {
                tasks.extend(task.take());
            }
            Poll::Ready(Some(()))
        });
        self.queues.notify();
        done.is_some()
    }

    /// Passes a member that is longer than `head`, its bytes so far, to the queue block by block.
    fn long_entry(&mut self, head: Vec<u8>, entry: Entry<'_>) -> bool {
        let first = match self.queues.lock().queue(self.queue) {
            Some(queue) => queue.order.offered(),
            None => return false,
        };
        let read = io::Cursor::new(head).chain(self.permit.read(entry.read, entry.window));
        let (mut read, options) = match open(self.opening, &entry.name, read) {
            Ok(opened) => opened,
            Err(problem) => {
                self.batch.push(Member::Problem(problem));
                return !self.queues.is_stopped();
            }
        };
        let blocks = Blocks::new(self.queues.window() + 2);
        let long = Arc::new(StreamEntry { name: entry.name, options, blocks, first, end: AtomicU64::new(first) });
        let mut index = 0;
        let result = loop {
            let mut block = long.blocks.empty_block();
            let result = read.by_ref().take(BLOCK).read_to_end(&mut block);
            let is_last = result.is_err() || (block.len() as u64) < BLOCK;
            // An entry without bytes still needs a task.
            if !block.is_empty() || index == 0 {
                if !long.blocks.push(block, self.queues) {
                    break Ok(0);
                }
                index += 1;
                long.end.store(first + index, Relaxed);
                if is_last {
                    long.blocks.end(result.as_ref().err(), self.queues);
                }
                if !self.offer(Task::Block { entry: Arc::clone(&long), index: index - 1 }, false) {
                    break Ok(0);
                }
            }
            if is_last {
                break result;
            }
        };
        long.blocks.end(result.as_ref().err(), self.queues);
        self.batch.extend(loss(&long.name, &mut read).map(Member::Problem));
        !self.queues.is_stopped()
    }
}
