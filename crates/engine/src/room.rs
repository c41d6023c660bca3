//! Room for windows that were not known when a decoder was opened: those of
//! small files, and of archives inside others.

use std::cell::Cell;
use std::io::{self, Read};

use super::lane::Lanes;

/// Bytes of a window that nobody asks for. One that is larger takes a place
/// once this much has come out; before that, it is no fuller.
const FREE: u64 = 8 << 20;

/// The visit of an input: its windows fill until it ends.
pub struct Room<'l, A> {
    lanes: &'l Lanes<A>,
    lane: u64,
    /// The unit, unless it is all of the lane.
    unit: Option<u64>,
    /// Bytes of windows that were counted when it was opened.
    counted: u64,
    /// Bytes that came out, so far.
    out: Cell<u64>,
    state: Cell<State>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Small,
    /// It has the one place for large windows.
    Placed,
    /// It goes on without, because its turn has come: others wait for it.
    Without,
}

impl<'l, A> Room<'l, A> {
    pub fn new(lanes: &'l Lanes<A>, lane: u64, unit: Option<u64>, counted: u64) -> Self {
        Self { lanes, lane, unit, counted, out: Cell::new(0), state: Cell::new(State::Small) }
    }

    /// Counts bytes of an entry behind decoders with these windows.
    pub fn add(&self, len: usize, window: u64) {
        self.out.set(self.out.get() + len as u64);
        let is_large = window.saturating_sub(self.counted).min(self.out.get()) > FREE;
        if is_large && self.state.get() == State::Small {
            let has_place = self.lanes.take_place(self.lane, self.unit);
            self.state.set(if has_place { State::Placed } else { State::Without });
        }
    }

    /// The bytes of an entry, behind decoders with these windows.
    pub fn read<R>(&self, inner: R, window: u64) -> RoomRead<'_, 'l, R, A> {
        RoomRead { room: self, inner, window }
    }
}

impl<A> Drop for Room<'_, A> {
    fn drop(&mut self) {
        if self.state.get() == State::Placed {
            self.lanes.leave_place();
        }
    }
}

pub struct RoomRead<'r, 'l, R, A> {
    room: &'r Room<'l, A>,
    inner: R,
    window: u64,
}

impl<R: Read, A> Read for RoomRead<'_, '_, R, A> {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        let len = self.inner.read(buf)?;
        self.room.add(len, self.window);
        Ok(len)
    }
}
