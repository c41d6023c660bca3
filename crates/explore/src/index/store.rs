//! Random-access storage of an index.

use std::fs::File;
use std::io::{self, Write};

use sgfstream::parallel::ReadAt;

/// Storage of bytes that can be read from any offset.
pub trait Store {
    /// Returns the number of bytes.
    ///
    /// # Errors
    ///
    /// Returns an error if the size is unknown.
    fn size(&self) -> io::Result<u64>;

    /// Fills `buffer` with the bytes from `offset` on.
    ///
    /// # Errors
    ///
    /// Returns an error if the bytes cannot be read or the store is too short.
    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<()>;
}

impl Store for Vec<u8> {
    fn size(&self) -> io::Result<u64> {
        Ok(self.as_slice().len() as u64)
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<()> {
        let start = usize::try_from(offset).unwrap_or(usize::MAX);
        let bytes = self.get(start..).and_then(|rest| rest.get(..buffer.len()));
        buffer.copy_from_slice(bytes.ok_or(io::ErrorKind::UnexpectedEof)?);
        Ok(())
    }
}

/// Bytes of a chunk.
const PIECE: usize = 1 << 20;

/// In-memory store in chunks, so that it grows without moving its bytes.
///
/// ```
/// use std::io::Write;
/// use sgfstream_explore::{MemoryStore, Store};
///
/// let mut store = MemoryStore::default();
/// store.write_all(&vec![7; 3 << 20])?;
/// let mut last = [0; 2];
/// store.read_at((3 << 20) - 2, &mut last)?;
/// assert_eq!((last, store.size()?), ([7, 7], 3 << 20));
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug, Default)]
pub struct MemoryStore(Vec<Vec<u8>>);

impl Write for MemoryStore {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.0.last().is_none_or(|last| last.len() == PIECE) {
            self.0.push(Vec::with_capacity(PIECE));
        }
        let last = self.0.last_mut().expect("one was added");
        let len = bytes.len().min(PIECE - last.len());
        last.extend_from_slice(&bytes[..len]);
        Ok(len)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Store for MemoryStore {
    fn size(&self) -> io::Result<u64> {
        let last = self.0.last().map_or(PIECE, Vec::len);
        Ok((self.0.len() as u64 * PIECE as u64).saturating_sub((PIECE - last) as u64))
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<()> {
        let offset = usize::try_from(offset).map_err(io::Error::other)?;
        let (mut piece, mut at, mut given) = (offset / PIECE, offset % PIECE, 0);
        while given < buffer.len() {
            let bytes = self.0.get(piece).and_then(|piece| piece.get(at..)).filter(|rest| !rest.is_empty());
            let bytes = bytes.ok_or(io::ErrorKind::UnexpectedEof)?;
            let len = bytes.len().min(buffer.len() - given);
            buffer[given..given + len].copy_from_slice(&bytes[..len]);
            (piece, at, given) = (piece + 1, 0, given + len);
        }
        Ok(())
    }
}

impl Store for File {
    fn size(&self) -> io::Result<u64> {
        Ok(self.metadata()?.len())
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<()> {
        match self.read_full(offset, buffer)? == buffer.len() {
            true => Ok(()),
            false => Err(io::ErrorKind::UnexpectedEof.into()),
        }
    }
}
