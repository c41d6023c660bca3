//! Random-access storage of an index.

use std::fmt::Debug;
use std::fs::File;
use std::io::{self, Write};
use std::ops::Range;

use sgfstream::internal::ReadAt;

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

    /// Frees the memory of bytes that are never read again, as far as the store can.
    fn release(&mut self, _range: Range<u64>) {}
}

/// Scratch space for data that does not fit in memory. A program with files passes its own
/// implementation.
pub trait ScratchStore: Store + Write + Debug + Send + Sync {
    /// Returns an empty space.
    ///
    /// # Errors
    ///
    /// Returns an error if the program cannot make one.
    fn create() -> io::Result<Self>
    where
        Self: Sized;
}

impl ScratchStore for MemoryStore {
    fn create() -> io::Result<Self> {
        Ok(Self::default())
    }
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
/// use sgfstream_explore::{MemoryStore, Store};
/// use std::io::Write;
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
            let bytes = self
                .0
                .get(piece)
                .and_then(|piece| piece.get(at..))
                .filter(|rest| !rest.is_empty());
            let bytes = bytes.ok_or(io::ErrorKind::UnexpectedEof)?;
            let len = bytes.len().min(buffer.len() - given);
            buffer[given..given + len].copy_from_slice(&bytes[..len]);
            (piece, at, given) = (piece + 1, 0, given + len);
        }
        Ok(())
    }

    /// Frees the whole chunks of the range, but not the last chunk, which may grow.
    fn release(&mut self, range: Range<u64>) {
        let chunk = PIECE as u64;
        let end = (range.end / chunk).min((self.0.len() as u64).saturating_sub(1));
        (range.start.div_ceil(chunk)..end).for_each(|piece| self.0[piece as usize] = Vec::new());
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_chunks_are_released() {
        let mut store = MemoryStore::default();
        let bytes: Vec<u8> = (0..3 * PIECE + 5).map(|at| (at / 1000) as u8).collect();
        store.write_all(&bytes).expect("memory takes all");
        let size = store.size().expect("memory has a size");
        store.release(1..2 * PIECE as u64 + 1);
        assert_eq!(
            store.0.iter().map(Vec::capacity).collect::<Vec<_>>(),
            [PIECE, 0, PIECE, PIECE]
        );
        let mut rest = vec![0; PIECE + 5];
        store
            .read_at(2 * PIECE as u64, &mut rest)
            .expect("it is kept");
        assert!(rest == bytes[2 * PIECE..]);
        assert!(store.read_at(PIECE as u64, &mut rest).is_err());
        store.release(0..size);
        store.write_all(&bytes[..PIECE]).expect("memory takes all");
        assert_eq!(
            store.size().expect("memory has a size"),
            size + PIECE as u64
        );
    }
}
