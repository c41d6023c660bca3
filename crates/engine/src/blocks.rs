//! A stream that is being unpacked, as something that can be read at any place
//! near the one that is read now.

use std::collections::VecDeque;
use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::order::Take;
use sgfstream::read::parallel::ReadAt;

use crate::queue::Queues;

/// Bytes of a block.
pub(crate) const BLOCK: u64 = 1 << 20;

/// Blocks that are kept before where the first reader reads: its buffer may
/// reach back 2 MiB (twice the longest property), and a border is asked for at
/// the start of a block.
const KEPT: u64 = 4;

/// The blocks that are there. They change under the lock of the queues, and the queues wake those who wait.
#[derive(Debug)]
pub(crate) struct Blocks {
    state: Mutex<State>,
    /// How many blocks may come before the first reader has read them.
    ahead: u64,
}

#[derive(Debug, Default)]
struct State {
    /// The number of the first block.
    base: u64,
    blocks: VecDeque<Arc<Vec<u8>>>,
    /// One that is done with, to be filled again.
    spare: Option<Vec<u8>>,
    /// Bytes so far.
    len: u64,
    /// Where the part whose turn it is reads.
    head: u64,
    ended: bool,
    /// How it ended.
    error: Option<(io::ErrorKind, String)>,
}

impl Blocks {
    pub(crate) fn new(ahead: u64) -> Self {
        Self { state: Mutex::default(), ahead }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds a block, all but the last of [`BLOCK`] bytes, once there is space.
    /// False if the run stops.
    pub(crate) fn push<T>(&self, block: Vec<u8>, queues: &Queues<T>) -> bool {
        let mut block = Some(block);
        let done = queues.wait_for(|_| {
            let mut state = self.lock();
            if state.base + state.blocks.len() as u64 >= state.head / BLOCK + self.ahead {
                return Take::Later;
            }
            let block = block.take().expect("added once");
            state.len += block.len() as u64;
            state.blocks.push_back(Arc::new(block));
            Take::Now(())
        });
        queues.notify();
        done.is_some()
    }

    /// A block to be filled. Those that are done with come back: memory that is
    /// taken and given back in turns by many threads is never quite given back.
    pub(crate) fn empty_block(&self) -> Vec<u8> {
        let spare = self.lock().spare.take();
        let mut block = spare.unwrap_or_else(|| Vec::with_capacity(BLOCK as usize));
        block.clear();
        block
    }

    /// No more blocks come.
    pub(crate) fn end<T>(&self, error: Option<&io::Error>, queues: &Queues<T>) {
        let _queues = queues.lock();
        let mut state = self.lock();
        state.ended = true;
        state.error = error.map(|err| (err.kind(), err.to_string()));
        queues.notify();
    }
}

/// The blocks, as the part that begins with `unit` sees them.
pub(crate) struct View<'b, T> {
    pub(crate) blocks: &'b Blocks,
    pub(crate) queues: &'b Queues<T>,
    pub(crate) queue: u64,
    pub(crate) unit: u64,
}

/// What is found at an offset.
enum Found {
    Block(Arc<Vec<u8>>),
    End,
    Error(io::Error),
}

impl<T: Send> ReadAt for View<'_, T> {
    fn read_at(&self, offset: u64, buf: &mut [u8]) -> io::Result<usize> {
        let found = self.queues.wait_for(|queues| {
            let turn = queues.turn(self.queue, self.unit);
            if turn == Take::Never {
                return Take::Never;
            }
            let mut state = self.blocks.lock();
            if turn == Take::Now(()) && offset > state.head {
                state.head = offset;
                while state.base + KEPT < offset / BLOCK && state.blocks.len() > 1 {
                    let block = state.blocks.pop_front().and_then(Arc::into_inner);
                    state.spare = block.or(state.spare.take());
                    state.base += 1;
                }
                self.queues.notify();
            }
            if offset < state.len {
                // A block that is gone was read by the part before, so this reader is void.
                let at = (offset / BLOCK).checked_sub(state.base);
                return at.map_or(Take::Never, |at| Take::Now(Found::Block(Arc::clone(&state.blocks[at as usize]))));
            }
            match &state.error {
                Some((kind, text)) => Take::Now(Found::Error(io::Error::new(*kind, text.clone()))),
                None if state.ended => Take::Now(Found::End),
                None => Take::Later,
            }
        });
        match found {
            Some(Found::Block(block)) => {
                let bytes = &block[(offset % BLOCK) as usize..];
                let len = bytes.len().min(buf.len());
                buf[..len].copy_from_slice(&bytes[..len]);
                Ok(len)
            }
            Some(Found::Error(err)) => Err(err),
            Some(Found::End) | None => Ok(0),
        }
    }
}
