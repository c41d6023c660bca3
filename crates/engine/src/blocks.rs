//! A stream that is being unpacked, as something that can be read at any place
//! near the one that is read now.

use std::collections::VecDeque;
use std::io;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use crate::order::Take;
use sgfstream::read::parallel::ReadAt;

/// Bytes of a block.
pub const BLOCK: u64 = 1 << 20;

/// Blocks that are kept behind where the first reader reads: its buffer may
/// reach back 2 MiB (twice the longest property), and a border is asked for at
/// the start of a block.
const BEHIND: u64 = 4;

/// The blocks that are there.
#[derive(Debug)]
pub struct Blocks {
    state: Mutex<State>,
    changed: Condvar,
    /// How many may stand before the first reader.
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
    pub fn new(ahead: u64) -> Self {
        Self { state: Mutex::default(), changed: Condvar::new(), ahead }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds a block, all but the last of [`BLOCK`] bytes, once there is room.
    /// False if `is_wanted` says that it is not.
    pub fn push(&self, block: Vec<u8>, is_wanted: impl Fn() -> bool) -> bool {
        let mut state = self.lock();
        while state.base + state.blocks.len() as u64 >= state.head / BLOCK + self.ahead {
            drop(state);
            if !is_wanted() {
                return false;
            }
            state = self.wait(self.lock());
        }
        state.len += block.len() as u64;
        state.blocks.push_back(Arc::new(block));
        self.changed.notify_all();
        true
    }

    /// A block to be filled. Those that are done with come back: memory that is
    /// taken and given back in turns by many threads is never quite given back.
    pub fn empty_block(&self) -> Vec<u8> {
        let spare = self.lock().spare.take();
        let mut block = spare.unwrap_or_else(|| Vec::with_capacity(BLOCK as usize));
        block.clear();
        block
    }

    /// No more blocks come.
    pub fn end(&self, error: Option<&io::Error>) {
        let mut state = self.lock();
        state.ended = true;
        state.error = error.map(|err| (err.kind(), err.to_string()));
        self.changed.notify_all();
    }

    /// Whose turn it is changes without a word, so nobody sleeps long.
    fn wait<'s>(&self, state: MutexGuard<'s, State>) -> MutexGuard<'s, State> {
        self.changed.wait_timeout(state, Duration::from_millis(5)).unwrap_or_else(PoisonError::into_inner).0
    }
}

/// The blocks, as one of the parts sees them.
pub struct View<'b, T> {
    pub blocks: &'b Blocks,
    /// Whose turn it is.
    pub turn: T,
}

impl<T: Fn() -> Take<()> + Sync> ReadAt for View<'_, T> {
    fn read_at(&self, offset: u64, buf: &mut [u8]) -> io::Result<usize> {
        loop {
            let turn = (self.turn)();
            if turn == Take::Never {
                return Ok(0);
            }
            let mut state = self.blocks.lock();
            if turn == Take::Now(()) && offset > state.head {
                state.head = offset;
                while state.base + BEHIND < offset / BLOCK && state.blocks.len() > 1 {
                    let block = state.blocks.pop_front().and_then(Arc::into_inner);
                    state.spare = block.or(state.spare.take());
                    state.base += 1;
                }
                self.blocks.changed.notify_all();
            }
            if offset < state.len {
                let Some(at) = (offset / BLOCK).checked_sub(state.base) else {
                    // Long gone: nobody waits for this reader.
                    return Ok(0);
                };
                let block = Arc::clone(&state.blocks[at as usize]);
                drop(state);
                let found = &block[(offset % BLOCK) as usize..];
                let len = found.len().min(buf.len());
                buf[..len].copy_from_slice(&found[..len]);
                return Ok(len);
            }
            if state.ended {
                return match &state.error {
                    None => Ok(0),
                    Some((kind, text)) => Err(io::Error::new(*kind, text.clone())),
                };
            }
            drop(self.blocks.wait(state));
        }
    }
}
