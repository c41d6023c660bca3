//! A window on a section of an index that moves forwards.

use std::io;

use super::Store;

/// Bytes that are read at once: at least so many, and at most where one read follows the other.
const LEAST: u64 = 1 << 10;
const MOST: u64 = 1 << 16;

/// Reads records of a section, near ones at once.
pub(super) struct Window<'s, S> {
    store: &'s S,
    /// Where the section ends.
    end: u64,
    /// Where the bytes are.
    at: u64,
    bytes: Vec<u8>,
}

impl<'s, S: Store> Window<'s, S> {
    pub(super) fn new(store: &'s S, end: u64) -> Self {
        Self { store, end, at: 0, bytes: Vec::new() }
    }

    /// The bytes from `at` on: `len` of them, or fewer at the end of the section.
    #[inline]
    pub(super) fn get(&mut self, at: u64, len: usize) -> io::Result<&[u8]> {
        let end = at.saturating_add(len as u64).min(self.end);
        if at < self.at || end > self.at + self.bytes.len() as u64 {
            self.move_to(at, end)?;
        }
        let (start, end) = ((at - self.at) as usize, (end.max(at) - self.at) as usize);
        Ok(self.bytes.get(start..end).unwrap_or_default())
    }

    fn move_to(&mut self, at: u64, end: u64) -> io::Result<()> {
        let before = self.at + self.bytes.len() as u64;
        let is_near = at >= self.at && at <= before + LEAST;
        let len = if is_near { (2 * self.bytes.len() as u64).min(MOST) } else { LEAST };
        let len = len.max(end.saturating_sub(at)).min(self.end.saturating_sub(at));
        self.bytes.resize(len as usize, 0);
        self.at = at;
        self.store.read_at(at, &mut self.bytes)
    }
}
