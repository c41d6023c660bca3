//! The blocks of a stream that is being unpacked: those near the place that is
//! read now.

use std::collections::VecDeque;
use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Bytes of a block.
pub(crate) const BLOCK: u64 = 1 << 20;

/// Blocks that are kept before where the first reader reads: its buffer may
/// reach back 2 MiB (twice the longest property), and a border is asked for at
/// the start of a block.
pub(crate) const KEPT: u64 = 4;

/// The blocks that are there. They change under the lock of the queues, and the queues wake those who wait.
#[derive(Debug)]
pub(crate) struct Blocks {
    state: Mutex<State>,
    /// How many blocks may come before the first reader has read them.
    pub(crate) ahead: u64,
}

#[derive(Debug, Default)]
pub(crate) struct State {
    /// The number of the first block.
    pub(crate) base: u64,
    pub(crate) blocks: VecDeque<Arc<Vec<u8>>>,
    /// One that is done with, to be filled again.
    pub(crate) spare: Option<Vec<u8>>,
    /// Bytes so far.
    pub(crate) len: u64,
    /// Where the part whose turn it is reads.
    pub(crate) head: u64,
    pub(crate) ended: bool,
    /// How it ended.
    pub(crate) error: Option<(io::ErrorKind, String)>,
}

impl Blocks {
    pub(crate) fn new(ahead: u64) -> Self {
        Self { state: Mutex::default(), ahead }
    }

    pub(crate) fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A block to be filled. Those that are done with come back: memory that is
    /// taken and given back in turns by many threads is never quite given back.
    pub(crate) fn empty_block(&self) -> Vec<u8> {
        let spare = self.lock().spare.take();
        let mut block = spare.unwrap_or_else(|| Vec::with_capacity(BLOCK as usize));
        block.clear();
        block
    }
}
