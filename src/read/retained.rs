//! Bytes that a reader retains for its caller: in its window, and in a file.

use std::fs::File;
use std::io::{self, Seek, SeekFrom, Write};

use super::parallel::internal::ReadAt;

/// File for retained bytes that do not fit the window.
#[derive(Debug)]
pub(super) struct Overflow {
    pub(super) create: fn() -> io::Result<File>,
    /// `None` until the first byte is written.
    pub(super) file: Option<File>,
    /// Offset in the input of the file's first byte.
    pub(super) start: u64,
}

impl Overflow {
    /// Appends the `bytes` of the input at `offset`.
    pub(super) fn append(&mut self, offset: u64, bytes: &[u8]) -> io::Result<()> {
        self.start = self.start.min(offset);
        let file = match &mut self.file {
            Some(file) => file,
            None => self.file.insert((self.create)()?),
        };
        file.seek(SeekFrom::Start(offset - self.start))?;
        file.write_all(bytes)
    }
}

/// Retained bytes of a reader.
pub(super) struct Retained<'r> {
    pub(super) window: &'r [u8],
    /// Offset of the window in the input.
    pub(super) offset: u64,
    pub(super) overflow: Option<&'r Overflow>,
}

impl ReadAt for Retained<'_> {
    fn read_at(&self, offset: u64, buf: &mut [u8]) -> io::Result<usize> {
        let before = self.offset.saturating_sub(offset);
        if before == 0 {
            return self.window.read_at(offset - self.offset, buf);
        }
        let Some(Overflow {
            file: Some(file),
            start,
            ..
        }) = self.overflow
        else {
            return Ok(0);
        };
        let Some(offset) = offset.checked_sub(*start) else {
            return Ok(0);
        };
        let len = usize::try_from(before).map_or(buf.len(), |len| len.min(buf.len()));
        file.read_at(offset, &mut buf[..len])
    }
}
