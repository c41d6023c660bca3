//! The thread behind a stream or archive: it unpacks, and leaves the reading
//! to the workers.

use std::io::{self, Read};
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex};

use sgfstream::read::Transcoder;
use sgfstream_archive::{self as archive, Entry, Item, Work};

use super::blocks::{BLOCK, Blocks};
use super::lane::{Lanes, Member, StreamEntry, StreamUnit, Units};
use super::room::Room;
use super::wanted::Wanted;

/// Members that go to a worker together.
const BATCH: usize = 512;

/// Unpacks `work`, whose decoder has a `window`, into its lane.
pub fn decode<A>(lanes: &Lanes<A>, lane: u64, work: &Work, window: u64, options: &archive::ReadOptions) {
    let room = Room::new(lanes, lane, None, window);
    let mut decoder = Decoder { lanes, lane, room, batch: Vec::new(), bytes: 0 };
    work.visit(options, |item| decoder.item(item));
    decoder.send();
    drop(decoder);
    let mut state = lanes.lock();
    state.decoders -= 1;
    state.windows -= window;
    if let Some(lane) = state.lane(lane) {
        lane.order.close();
    }
    drop(state);
    lanes.notify();
}

struct Decoder<'l, A> {
    lanes: &'l Lanes<A>,
    lane: u64,
    room: Room<'l, A>,
    batch: Vec<Member>,
    bytes: usize,
}

impl<A> Decoder<'_, A> {
    fn item(&mut self, item: Item<'_>) -> ControlFlow<()> {
        let is_wanted = match item {
            Item::Problem(problem) => {
                self.batch.push(Member::Problem(problem));
                !self.lanes.is_stopped()
            }
            Item::Entry(entry) => self.entry(entry),
        };
        if is_wanted { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    }

    fn entry(&mut self, mut entry: Entry<'_>) -> bool {
        let mut bytes = Vec::new();
        let loaded = entry.load(&mut bytes, BLOCK as usize);
        if let Ok(false) = loaded {
            bytes.shrink_to_fit();
            return self.send() && self.long_entry(bytes, entry);
        }
        self.room.add(bytes.len(), entry.window);
        self.bytes += bytes.len();
        let (name, game) = (entry.name, entry.game);
        self.batch.push(Member::Entry { name, game, bytes, is_broken: loaded.is_err() });
        (self.batch.len() < BATCH && self.bytes < BLOCK as usize) || self.send()
    }

    /// Hands the batch over. False: nobody wants more.
    fn send(&mut self) -> bool {
        if self.batch.is_empty() {
            return true;
        }
        self.bytes = 0;
        let batch = Arc::new(Mutex::new(std::mem::take(&mut self.batch)));
        self.offer(StreamUnit::Batch(batch), true)
    }

    /// Adds a unit to the lane, when there is room for it.
    fn offer(&self, unit: StreamUnit, wait: bool) -> bool {
        let mut state = self.lanes.lock();
        loop {
            let window = self.lanes.window();
            match state.lane(self.lane) {
                _ if self.lanes.is_stopped() => return false,
                None => return false,
                Some(lane) => {
                    if !wait || lane.order.offered() < lane.order.begun() + window {
                        lane.order.offer(lane.order.offered() + 1);
                        if let Units::Stream(queue) = &mut lane.units {
                            queue.push_back(unit);
                        }
                        break;
                    }
                }
            }
            state = self.lanes.wait(state);
        }
        drop(state);
        self.lanes.notify();
        true
    }

    /// A member that is larger than `head`, which has been read of it.
    fn long_entry(&self, head: Vec<u8>, entry: Entry<'_>) -> bool {
        let first = match self.lanes.lock().lane(self.lane) {
            Some(lane) => lane.order.offered(),
            None => return false,
        };
        let blocks = Blocks::new(self.lanes.window() + 2);
        let (name, game) = (entry.name, entry.game);
        let long = Arc::new(StreamEntry { name, game, blocks, first, end: AtomicU64::new(first) });
        let is_wanted = || !self.lanes.is_stopped();
        let inner = self.room.read(entry.read, entry.window);
        let mut read = Transcoder::new(io::Cursor::new(head).chain(Wanted { inner, is_wanted }));
        let mut index = 0;
        let result = loop {
            let mut block = long.blocks.empty_block();
            let result = read.by_ref().take(BLOCK).read_to_end(&mut block);
            let is_last = result.is_err() || (block.len() as u64) < BLOCK;
            // An input of no bytes is an entry too.
            if !block.is_empty() || index == 0 {
                if !long.blocks.push(block, is_wanted) {
                    break Ok(0);
                }
                index += 1;
                long.end.store(first + index, Relaxed);
                if is_last {
                    long.blocks.end(result.as_ref().err());
                }
                if !self.offer(StreamUnit::Block { entry: Arc::clone(&long), index: index - 1 }, false) {
                    break Ok(0);
                }
            }
            if is_last {
                break result;
            }
        };
        long.blocks.end(result.as_ref().err());
        is_wanted()
    }
}
