//! Forward window on a section of an index.

use std::io;

use super::Store;

/// Minimum bytes of a read, and the maximum of a read that continues the previous one. Each such
/// read doubles the size.
const LEAST: u64 = 1 << 10;
const MOST: u64 = 1 << 16;

/// Reader of records of a section that reads adjacent records together.
#[derive(Debug)]
pub(super) struct Window<'s, S> {
    store: &'s S,
    /// End of the section.
    end: u64,
    /// Start of `bytes` in the store.
    at: u64,
    bytes: Vec<u8>,
}

impl<'s, S: Store> Window<'s, S> {
    pub(super) fn new(store: &'s S, end: u64) -> Self {
        Self {
            store,
            end,
            at: 0,
            bytes: Vec::new(),
        }
    }

    /// Returns the `len` bytes at `at`, or fewer at the end of the section.
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
        let len = if is_near {
            (2 * self.bytes.len() as u64).min(MOST)
        } else {
            LEAST
        };
        let len = len
            .max(end.saturating_sub(at))
            .min(self.end.saturating_sub(at));
        self.bytes.resize(len as usize, 0);
        self.at = at;
        // After an error, the window is empty, so it returns no damaged bytes.
        self.store
            .read_at(at, &mut self.bytes)
            .inspect_err(|_| self.bytes.clear())
    }
}
