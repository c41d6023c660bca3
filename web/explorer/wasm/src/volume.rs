//! Reads a file that a user dropped on the page, without a copy of the whole file.

use std::io::{self, Read, Seek, SeekFrom};

use crate::host;

/// Number of bytes to read at once.
const WINDOW: u32 = 1 << 20;

/// Dropped file, or one part of a dropped multi-volume archive.
#[derive(Debug)]
pub(crate) struct Volume {
    number: u32,
    at: u64,
    /// Offset of `bytes` in the volume.
    base: u64,
    bytes: Vec<u8>,
}

impl Volume {
    pub(crate) fn new(number: u32) -> Self {
        Self {
            number,
            at: 0,
            base: 0,
            bytes: Vec::new(),
        }
    }

    /// Returns the buffered bytes from `at` on.
    fn rest(&self) -> &[u8] {
        let within = self
            .at
            .checked_sub(self.base)
            .and_then(|within| usize::try_from(within).ok());
        within
            .and_then(|within| self.bytes.get(within..))
            .unwrap_or_default()
    }
}

impl Read for Volume {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        if self.rest().is_empty() && !out.is_empty() {
            let bytes = host::bytes_of(self.number, self.at, WINDOW);
            self.bytes =
                bytes.ok_or_else(|| io::Error::other("the browser can no longer read the file"))?;
            self.base = self.at;
        }
        let rest = self.rest();
        let len = rest.len().min(out.len());
        out[..len].copy_from_slice(&rest[..len]);
        self.at += len as u64;
        Ok(len)
    }
}

impl Seek for Volume {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let at = match to {
            SeekFrom::Start(at) => Some(at),
            SeekFrom::Current(by) => self.at.checked_add_signed(by),
            // The archive knows the lengths of volumes and seeks from the start.
            SeekFrom::End(_) => None,
        };
        self.at = at.ok_or(io::ErrorKind::InvalidInput)?;
        Ok(self.at)
    }
}
