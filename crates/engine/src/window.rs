//! Permits for large windows of decoders.

use std::cell::Cell;
use std::io::{self, Read};

use crate::queue::Queues;

/// Bytes of a window that need no permit. A larger window needs the permit once this many bytes
/// were unpacked: until then it contains fewer bytes.
const FREE: u64 = 8 << 20;

/// Permit of one input. Its decoders' windows stay filled until the input ends.
pub(crate) struct WindowPermit<'q> {
    queues: &'q Queues,
    queue: u64,
    /// The part, unless the input is the whole queue.
    part: Option<u64>,
    /// Bytes unpacked so far.
    unpacked: Cell<u64>,
    state: Cell<PermitState>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum PermitState {
    /// No permit is needed yet.
    Small,
    /// The input has the permit.
    Held,
    /// The input continues without a permit, because its turn has come and other threads wait for
    /// it.
    Without,
}

impl<'q> WindowPermit<'q> {
    pub(crate) fn new(queues: &'q Queues, queue: u64, part: Option<u64>) -> Self {
        Self {
            queues,
            queue,
            part,
            unpacked: Cell::new(0),
            state: Cell::new(PermitState::Small),
        }
    }

    /// Counts unpacked bytes of an entry whose decoders' windows have `window` bytes.
    pub(crate) fn add(&self, len: usize, window: u64) {
        self.unpacked.set(self.unpacked.get() + len as u64);
        let is_large = window.min(self.unpacked.get()) > FREE;
        if is_large && self.state.get() == PermitState::Small {
            let is_held = self.queues.take_permit(self.queue, self.part);
            self.state.set(if is_held {
                PermitState::Held
            } else {
                PermitState::Without
            });
        }
    }

    /// Returns a reader of an entry whose decoders' windows have `window` bytes. It ends when the
    /// run stops.
    pub(crate) fn read<R>(&self, inner: R, window: u64) -> PermitRead<'_, 'q, R> {
        PermitRead {
            permit: self,
            inner,
            window,
        }
    }
}

impl Drop for WindowPermit<'_> {
    fn drop(&mut self) {
        if self.state.get() == PermitState::Held {
            self.queues.return_permit();
        }
    }
}

pub(crate) struct PermitRead<'p, 'q, R> {
    permit: &'p WindowPermit<'q>,
    inner: R,
    window: u64,
}

impl<R: Read> Read for PermitRead<'_, '_, R> {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        if self.permit.queues.is_stopped() {
            return Ok(0);
        }
        let len = self.inner.read(buf)?;
        self.permit.add(len, self.window);
        Ok(len)
    }
}
