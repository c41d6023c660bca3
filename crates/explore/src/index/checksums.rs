//! Blocks with checksums, so that a damaged index gives an error and never a different answer.

use std::io::{self, Write};

use xxhash_rust::xxh3::xxh3_64_with_seed;

use super::Store;
use super::format::damaged;

/// Bytes of a block without its checksum. The last block may be shorter.
const BLOCK: usize = 4096;

const SUM: usize = size_of::<u64>();

/// Number of blocks read at once.
const READ: usize = 16;

/// Returns the checksum of a block. It includes the block's number, so that two exchanged blocks
/// are detected.
fn sum(block: &[u8], number: u64) -> [u8; SUM] {
    xxh3_64_with_seed(block, number).to_le_bytes()
}

/// Writer that appends a checksum to each block.
#[derive(Debug)]
pub(super) struct ChecksumWriter<W> {
    inner: W,
    block: Vec<u8>,
    number: u64,
}

impl<W: Write> ChecksumWriter<W> {
    pub(super) fn new(inner: W) -> Self {
        Self {
            inner,
            block: Vec::with_capacity(BLOCK + SUM),
            number: 0,
        }
    }

    /// Writes the last block and returns the inner writer.
    pub(super) fn finish(mut self) -> io::Result<W> {
        if !self.block.is_empty() {
            self.end_block()?;
        }
        Ok(self.inner)
    }

    /// Returns the number of bytes written so far, without the checksums.
    pub(super) fn len(&self) -> u64 {
        self.number * BLOCK as u64 + self.block.len() as u64
    }

    fn end_block(&mut self) -> io::Result<()> {
        self.block.extend_from_slice(&sum(&self.block, self.number));
        self.inner.write_all(&self.block)?;
        self.block.clear();
        self.number += 1;
        Ok(())
    }
}

impl<W: Write> Write for ChecksumWriter<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let len = bytes.len().min(BLOCK - self.block.len());
        self.block.extend_from_slice(&bytes[..len]);
        if self.block.len() == BLOCK {
            self.end_block()?;
        }
        Ok(len)
    }

    /// Does not write the current block, which waits until it is full.
    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}

/// Store that reads the blocks of a [`ChecksumWriter`] and verifies their checksums.
#[derive(Debug)]
pub(super) struct ChecksumStore<S> {
    pub(super) inner: S,
    len: u64,
}

impl<S: Store> ChecksumStore<S> {
    /// Creates a store of the blocks at the start of `inner`. `len` is their size with the
    /// checksums.
    pub(super) fn new(inner: S, len: u64) -> io::Result<Self> {
        let rest = len % (BLOCK + SUM) as u64;
        let last = if rest == 0 {
            Some(0)
        } else {
            rest.checked_sub(SUM as u64)
        };
        let len = len / (BLOCK + SUM) as u64 * BLOCK as u64 + last.ok_or_else(damaged)?;
        Ok(Self { inner, len })
    }
}

impl<S: Store> Store for ChecksumStore<S> {
    fn size(&self) -> io::Result<u64> {
        Ok(self.len)
    }

    fn read_at(&self, mut offset: u64, mut buffer: &mut [u8]) -> io::Result<()> {
        let mut bytes = Vec::new();
        while !buffer.is_empty() {
            let rest = self
                .len
                .checked_sub(offset)
                .filter(|&rest| rest >= buffer.len() as u64);
            rest.ok_or(io::ErrorKind::UnexpectedEof)?;
            let (first, start) = (offset / BLOCK as u64, (offset % BLOCK as u64) as usize);
            let blocks = (start + buffer.len()).div_ceil(BLOCK).min(READ);
            let end = (first + blocks as u64) * BLOCK as u64;
            let len = (end.min(self.len) - first * BLOCK as u64) as usize + blocks * SUM;
            bytes.resize(len, 0);
            self.inner
                .read_at(first * (BLOCK + SUM) as u64, &mut bytes)?;
            let mut skipped = start;
            for (number, block) in (first..).zip(bytes.chunks(BLOCK + SUM)) {
                let (block, found) = block.split_at(block.len() - SUM);
                if found != sum(block, number) {
                    return Err(damaged());
                }
                let wanted = &block[std::mem::take(&mut skipped)..];
                let len = wanted.len().min(buffer.len());
                let (now, later) = std::mem::take(&mut buffer).split_at_mut(len);
                now.copy_from_slice(&wanted[..len]);
                offset += len as u64;
                buffer = later;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(bytes: &[u8]) -> Vec<u8> {
        let mut writer = ChecksumWriter::new(Vec::new());
        bytes
            .chunks(1000)
            .for_each(|bytes| writer.write_all(bytes).expect("memory takes all"));
        writer.finish().expect("memory takes all")
    }

    #[test]
    fn all_bytes_come_back() {
        let mut random = fastrand::Rng::with_seed(4);
        for len in [0, 1, BLOCK - 1, BLOCK, BLOCK + 1, 40 * BLOCK + 7] {
            let bytes: Vec<u8> = (0..len).map(|_| random.u8(..)).collect();
            let written = written(&bytes);
            let written_len = written.len() as u64;
            let store = ChecksumStore::new(written, written_len).expect("whole blocks");
            assert_eq!(store.size().expect("memory"), len as u64);
            for _ in 0..200 {
                let (one, other) = (random.usize(..=len), random.usize(..=len));
                let (start, end) = (one.min(other), one.max(other));
                let mut read = vec![0; end - start];
                store
                    .read_at(start as u64, &mut read)
                    .expect("they are there");
                assert!(read == bytes[start..end], "{len}: {start} to {end}");
            }
            assert!(store.read_at(0, &mut vec![0; len + 1]).is_err());
        }
    }

    #[test]
    fn a_changed_byte_and_an_exchanged_block_are_errors() {
        let whole = written(&vec![7; 3 * BLOCK]);
        let is_read = |bytes: Vec<u8>| {
            let len = bytes.len() as u64;
            ChecksumStore::new(bytes, len)
                .and_then(|store| store.read_at(0, &mut vec![0; 3 * BLOCK]))
                .is_ok()
        };
        assert!(is_read(whole.clone()));
        for at in (0..whole.len()).step_by(97) {
            let mut bytes = whole.clone();
            bytes[at] ^= 4;
            assert!(!is_read(bytes), "{at}");
        }
        let (first, second) = whole.split_at(BLOCK + SUM);
        assert!(!is_read(
            [&second[..BLOCK + SUM], first, &second[BLOCK + SUM..]].concat()
        ));
    }
}
