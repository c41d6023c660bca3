//! Buffer of a stream while it is unpacked. It keeps only blocks near the current read position,
//! and parts read at any place there.

use std::collections::VecDeque;
use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::Poll;

use sgfstream::internal::ReadAt;

use crate::queue::Queues;

/// Bytes of a block.
pub(crate) const BLOCK: u64 = 1 << 20;

/// Blocks to keep before the first reader's position: its buffer may reach back 2 MiB (twice the
/// longest property), and it looks for a border at the start of a block.
const KEPT: u64 = 4;

/// Available bytes of a stream. They change under the lock of the queues, which also wake waiting
/// threads.
#[derive(Debug)]
pub(crate) struct StreamBuffer {
    state: Mutex<BufferState>,
    /// Number of blocks that may be unpacked before the first reader has read them.
    ahead: u64,
}

#[derive(Debug, Default)]
struct BufferState {
    /// Number of the first block.
    base: u64,
    blocks: VecDeque<Arc<Vec<u8>>>,
    /// A finished block whose memory can be reused.
    spare: Option<Vec<u8>>,
    /// Bytes so far.
    len: u64,
    /// Read position of the part whose turn it is.
    head: u64,
    ended: bool,
    /// Error that ended the stream.
    error: Option<(io::ErrorKind, String)>,
}

impl StreamBuffer {
    pub(crate) fn new(ahead: u64) -> Self {
        Self {
            state: Mutex::default(),
            ahead,
        }
    }

    fn lock(&self) -> MutexGuard<'_, BufferState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns an empty block, if possible a finished one. Memory that many threads allocate and
    /// free in turn is never returned completely to the system, so blocks are reused.
    pub(crate) fn empty_block(&self) -> Vec<u8> {
        let spare = self.lock().spare.take();
        let mut block = spare.unwrap_or_else(|| Vec::with_capacity(BLOCK as usize));
        block.clear();
        block
    }

    /// Adds a block, once there is space. All blocks but the last have [`BLOCK`] bytes. Returns
    /// false if the run stops.
    pub(crate) fn push(&self, block: Vec<u8>, queues: &Queues) -> bool {
        let mut block = Some(block);
        let done = queues.wait_for(|_| {
            let mut state = self.lock();
            if state.base + state.blocks.len() as u64 >= state.head / BLOCK + self.ahead {
                return Poll::Pending;
            }
            let block = block.take().expect("added once");
            state.len += block.len() as u64;
            state.blocks.push_back(Arc::new(block));
            Poll::Ready(Some(()))
        });
        queues.notify();
        done.is_some()
    }

    /// Declares that no more blocks come.
    pub(crate) fn end(&self, error: Option<&io::Error>, queues: &Queues) {
        let _queues = queues.lock();
        let mut state = self.lock();
        state.ended = true;
        state.error = error.map(|err| (err.kind(), err.to_string()));
        queues.notify();
    }
}

/// View of a stream for the part that begins with `part`.
pub(crate) struct StreamView<'b> {
    pub(crate) buffer: &'b StreamBuffer,
    pub(crate) queues: &'b Queues,
    pub(crate) queue: u64,
    pub(crate) part: u64,
}

/// Result of looking up an offset.
enum BlockLookup {
    Block(Arc<Vec<u8>>),
    End,
    Error(io::Error),
}

impl ReadAt for StreamView<'_> {
    fn read_at(&self, offset: u64, buf: &mut [u8]) -> io::Result<usize> {
        let found = self.queues.wait_for(|queues| {
            let turn = queues.turn(self.queue, self.part);
            if turn == Poll::Ready(None) {
                return Poll::Ready(None);
            }
            let mut state = self.buffer.lock();
            if turn == Poll::Ready(Some(())) && offset > state.head {
                state.head = offset;
                while state.base + KEPT < offset / BLOCK && state.blocks.len() > 1 {
                    let block = state.blocks.pop_front().and_then(Arc::into_inner);
                    state.spare = block.or(state.spare.take());
                    state.base += 1;
                }
                self.queues.notify();
            }
            if offset < state.len {
                // If the block was dropped, the previous part has read it. Then the engine drops
                // the result of this part.
                let at = (offset / BLOCK).checked_sub(state.base);
                return at.map_or(Poll::Ready(None), |at| {
                    Poll::Ready(Some(BlockLookup::Block(Arc::clone(
                        &state.blocks[at as usize],
                    ))))
                });
            }
            match &state.error {
                Some((kind, text)) => Poll::Ready(Some(BlockLookup::Error(io::Error::new(
                    *kind,
                    text.clone(),
                )))),
                None if state.ended => Poll::Ready(Some(BlockLookup::End)),
                None => Poll::Pending,
            }
        });
        match found {
            Some(BlockLookup::Block(block)) => {
                let bytes = &block[(offset % BLOCK) as usize..];
                let len = bytes.len().min(buf.len());
                buf[..len].copy_from_slice(&bytes[..len]);
                Ok(len)
            }
            Some(BlockLookup::Error(err)) => Err(err),
            Some(BlockLookup::End) | None => Ok(0),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::VecDeque;
    use std::sync::mpsc::channel;
    use std::thread;
    use std::time::Duration;

    use super::*;
    use crate::monitor::Monitor;
    use crate::order::Order;
    use crate::queue::{Queue, QueueContent};

    /// A part that has read all blocks waits for more, also at the end of a block.
    #[test]
    fn a_part_waits_for_what_is_unpacked_late() {
        let queues = &Queues::new(1, Monitor::default());
        let queue = Queue::new(
            Order::new(queues.window()),
            QueueContent::Listed(VecDeque::new()),
        );
        let queue = queues.lock().push(queue);
        let blocks = &StreamBuffer::new(3);
        let unpacked =
            [(b'a', BLOCK), (b'b', BLOCK), (b'c', 5)].map(|(byte, len)| vec![byte; len as usize]);
        let expected = unpacked.concat();
        thread::scope(|scope| {
            let (read, is_read) = channel();
            scope.spawn(move || {
                let mut len = 0;
                for block in unpacked {
                    len += block.len();
                    assert!(blocks.push(block, queues));
                    while is_read
                        .recv_timeout(Duration::from_secs(60))
                        .expect("it reads on")
                        < len
                    {}
                    // Give the part time to wait for the next block.
                    thread::sleep(Duration::from_millis(20));
                }
                blocks.end(None, queues);
            });
            let view = StreamView {
                buffer: blocks,
                queues,
                queue,
                part: 0,
            };
            let (mut found, mut buf) = (Vec::new(), vec![0; 300_000]);
            while let len @ 1.. = view
                .read_at(found.len() as u64, &mut buf)
                .expect("no error")
            {
                found.extend_from_slice(&buf[..len]);
                read.send(found.len()).expect("it is waited for");
            }
            assert!(
                found == expected,
                "{} of {} bytes",
                found.len(),
                expected.len()
            );
        });
    }
}
