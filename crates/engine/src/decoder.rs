//! Thread that unpacks a stream or archive. The workers read the unpacked bytes.

use std::io::{self, Read};
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::task::Poll;

use sgfstream_archive::{self as archive, ArchiveProblem, Entry, InputFile};
use sgfstream_open::EntryOpener;

use crate::open::{loss, open};
use crate::queue::{LoadedEntry, PartContent, QueueContent, Queues, StreamEntry};
use crate::stream_buffer::{BLOCK, StreamBuffer};
use crate::window::WindowPermit;

/// Entries that are passed to a worker together.
const ENTRIES: usize = 512;

/// Unpacks `work` into its queue.
pub(crate) fn decode(
    queues: &Queues,
    queue: u64,
    input: &InputFile,
    archives: &archive::ReadOptions,
    opening: EntryOpener,
) {
    let permit = WindowPermit::new(queues, queue, None);
    let mut decoder = Decoder {
        queues,
        queue,
        permit,
        opening,
        entries: Vec::new(),
        bytes: 0,
    };
    input.visit(archives, |item| decoder.item(item));
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
    entries: Vec<Result<LoadedEntry, ArchiveProblem>>,
    bytes: usize,
}

impl Decoder<'_> {
    fn item(&mut self, item: Result<Entry<'_>, ArchiveProblem>) -> ControlFlow<()> {
        let goes_on = match item {
            Err(problem) => {
                self.entries.push(Err(problem));
                !self.queues.is_stopped()
            }
            Ok(entry) => self.entry(entry),
        };
        if goes_on {
            ControlFlow::Continue(())
        } else {
            ControlFlow::Break(())
        }
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
        self.entries.push(Ok(LoadedEntry {
            name: entry.name,
            bytes,
            is_broken: loaded.is_err(),
        }));
        (self.entries.len() < ENTRIES && self.bytes < BLOCK as usize) || self.send()
    }

    /// Passes the loaded entries to the queue, if there are any. Returns false if the run stops.
    fn send(&mut self) -> bool {
        if self.entries.is_empty() {
            return true;
        }
        self.bytes = 0;
        let entries = std::mem::take(&mut self.entries);
        self.offer(PartContent::Entries(entries), true)
    }

    /// Adds the content of a part to the queue. If `wait`, waits until there is space for it.
    /// Returns false if the run stops.
    fn offer(&self, content: PartContent, wait: bool) -> bool {
        let mut content = Some(content);
        let window = self.queues.window();
        let done = self.queues.wait_for(|state| {
            let Some(queue) = state.queue(self.queue) else {
                return Poll::Ready(None);
            };
            let offered = queue.order.offered();
            if wait && offered >= queue.order.begun() + window {
                return Poll::Pending;
            }
            queue.order.offer(offered + 1);
            if let QueueContent::Listed(contents) = &mut queue.contents {
                contents.extend(content.take());
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
                self.entries.push(Err(problem));
                return !self.queues.is_stopped();
            }
        };
        let buffer = StreamBuffer::new(self.queues.window() + 2);
        let long = Arc::new(StreamEntry {
            name: entry.name,
            options,
            buffer,
            first,
            end: AtomicU64::new(first),
        });
        let mut index = 0;
        let result = loop {
            let mut block = long.buffer.empty_block();
            let result = read.by_ref().take(BLOCK).read_to_end(&mut block);
            let is_last = result.is_err() || (block.len() as u64) < BLOCK;
            // An empty entry is one part, too, because its job must run once: `check` reports
            // `no-game` for it.
            if !block.is_empty() || index == 0 {
                if !long.buffer.push(block, self.queues) {
                    break Ok(0);
                }
                index += 1;
                long.end.store(first + index, Relaxed);
                if is_last {
                    long.buffer.end(result.as_ref().err(), self.queues);
                }
                if !self.offer(
                    PartContent::EntryPart {
                        entry: Arc::clone(&long),
                        index: index - 1,
                    },
                    false,
                ) {
                    break Ok(0);
                }
            }
            if is_last {
                break result;
            }
        };
        long.buffer.end(result.as_ref().err(), self.queues);
        self.entries.extend(loss(&long.name, &mut read).map(Err));
        !self.queues.is_stopped()
    }
}
