//! Blocks of a stream while it is unpacked. The list keeps only blocks near the current read position.

use std::collections::VecDeque;
use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Bytes of a block.
pub(crate) const BLOCK: u64 = 1 << 20;

/// Blocks to keep before the first reader's position: its buffer may reach back 2 MiB (twice the longest property), and
/// it looks for a border at the start of a block.
pub(crate) const KEPT: u64 = 4;

/// Available blocks of a stream. They change under the lock of the queues, which also wake waiting threads.
#[derive(Debug)]
pub(crate) struct Blocks {
    state: Mutex<State>,
    /// Blocks that may be unpacked before the first reader has read them.
    pub(crate) ahead: u64,
}

#[derive(Debug, Default)]
pub(crate) struct State {
    /// Number of the first block.
    pub(crate) base: u64,
    pub(crate) blocks: VecDeque<Arc<Vec<u8>>>,
    /// A finished block whose memory can be reused.
    pub(crate) spare: Option<Vec<u8>>,
    /// Bytes so far.
    pub(crate) len: u64,
    /// Read position of the part whose turn it is.
    pub(crate) head: u64,
    pub(crate) ended: bool,
    /// Error that ended the stream.
    pub(crate) error: Option<(io::ErrorKind, String)>,
}

impl Blocks {
    pub(crate) fn new(ahead: u64) -> Self {
        Self { state: Mutex::default(), ahead }
    }

    pub(crate) fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns an empty block, if possible a finished one. Memory that many threads allocate and free in turn is never
    /// returned completely to the system, so blocks are reused.
    pub(crate) fn empty_block(&self) -> Vec<u8> {
        let spare = self.lock().spare.take();
        let mut block = spare.unwrap_or_else(|| Vec::with_capacity(BLOCK as usize));
        block.clear();
        block
    }
}
