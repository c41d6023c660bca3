//! Sums of the blocks of a Parquet file, in its metadata: where a bit of a page flips, another value may be read without
//! an error, and the library writes no checksums of pages. The metadata itself has no sum.

use std::fs::File;
use std::io::{self, Read, Write};
use std::sync::Arc;

use bytes::{Buf, Bytes};
use parquet::errors::{ParquetError, Result};
use parquet::file::metadata::{KeyValue, ParquetMetaData};
use parquet::file::reader::{ChunkReader, Length};
use xxhash_rust::xxh3::{Xxh3, xxh3_64};

/// Name of the sums in the metadata.
const SUMS: &str = "sums";

/// Start of what the metadata says of the program that wrote the file.
pub(crate) const WRITER: &str = concat!("sgfq ", env!("CARGO_PKG_VERSION"));

/// Bytes of a block.
const BLOCK: usize = 64 << 10;

/// Sums what is written.
pub(crate) struct Summed<W> {
    inner: W,
    hash: Xxh3,
    /// Bytes of the blocks that have ended, and of the one that has not.
    ended: u64,
    open: usize,
    sums: String,
}

impl<W: Write> Summed<W> {
    pub(crate) fn new(inner: W) -> Self {
        Self { inner, hash: Xxh3::new(), ended: 0, open: 0, sums: String::new() }
    }

    /// The sums of what was written, for the metadata.
    pub(crate) fn pair(&self) -> KeyValue {
        let (len, sums, last) = (self.ended + self.open as u64, &self.sums, self.hash.digest());
        KeyValue::new(SUMS.to_owned(), format!("{len}{sums} {last:016x}"))
    }

    pub(crate) fn into_inner(self) -> W {
        self.inner
    }
}

impl<W: Write> Write for Summed<W> {
    fn write(&mut self, buf: &[u8]) -> io::Result<usize> {
        let len = self.inner.write(&buf[..buf.len().min(BLOCK - self.open)])?;
        self.hash.update(&buf[..len]);
        self.open += len;
        if self.open == BLOCK {
            self.sums.push_str(&format!(" {:016x}", self.hash.digest()));
            self.hash.reset();
            self.ended += std::mem::take(&mut self.open) as u64;
        }
        Ok(len)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}

/// A Parquet file whose blocks are compared with their sums when they are read; as it is, if another program wrote it.
#[derive(Clone)]
pub(crate) struct Checked {
    file: Arc<File>,
    len: u64,
    /// Bytes that have sums, from the start.
    summed: u64,
    sums: Arc<[u64]>,
}

impl Checked {
    pub(crate) fn new(file: File, metadata: &ParquetMetaData) -> Result<Self> {
        let metadata = metadata.file_metadata();
        let is_ours = metadata.created_by().is_some_and(|writer| writer.starts_with("sgfq "));
        let pairs = metadata.key_value_metadata().into_iter().flatten();
        let sums = pairs.filter(|pair| is_ours && pair.key == SUMS).find_map(|pair| pair.value.as_deref());
        let parse = |sums: &str| {
            let (len, sums) = sums.split_once(' ')?;
            let sums = sums.split(' ').map(|sum| u64::from_str_radix(sum, 16).ok()).collect::<Option<_>>()?;
            Some((len.parse().ok()?, sums))
        };
        let (summed, sums): (u64, Vec<_>) = sums.map_or(Some((0, Vec::new())), parse).ok_or_else(damaged)?;
        if summed > sums.len() as u64 * BLOCK as u64 {
            return Err(damaged());
        }
        Ok(Self { len: file.len(), file: Arc::new(file), summed, sums: sums.into() })
    }

    /// The end of the block that has this byte.
    fn end_of_block(&self, at: u64) -> u64 {
        let end = (at / BLOCK as u64 + 1) * BLOCK as u64;
        end.min(if at < self.summed { self.summed } else { self.len })
    }
}

fn damaged() -> ParquetError {
    ParquetError::General("expected the bytes that were written, found others: the file is damaged".to_owned())
}

impl Length for Checked {
    fn len(&self) -> u64 {
        self.len
    }
}

impl ChunkReader for Checked {
    type T = BlockReader;

    fn get_read(&self, start: u64) -> Result<BlockReader> {
        Ok(BlockReader { file: self.clone(), at: start, block: Bytes::new() })
    }

    fn get_bytes(&self, start: u64, len: usize) -> Result<Bytes> {
        let end = start.saturating_add(len as u64);
        if len == 0 || end > self.summed {
            return self.file.get_bytes(start, len);
        }
        let first = start / BLOCK as u64;
        let from = first * BLOCK as u64;
        let bytes = self.file.get_bytes(from, (self.end_of_block(end - 1) - from) as usize)?;
        let mut blocks = bytes.chunks(BLOCK).zip(&self.sums[first as usize..]);
        if blocks.any(|(block, sum)| xxh3_64(block) != *sum) {
            return Err(damaged());
        }
        let start = (start - from) as usize;
        Ok(bytes.slice(start..start + len))
    }
}

/// Reads a file block by block.
pub(crate) struct BlockReader {
    file: Checked,
    at: u64,
    block: Bytes,
}

impl Read for BlockReader {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        if self.block.is_empty() && self.at < self.file.len {
            let len = self.file.end_of_block(self.at) - self.at;
            self.block = self.file.get_bytes(self.at, len as usize).map_err(io::Error::other)?;
            self.at += len;
        }
        let len = buf.len().min(self.block.len());
        self.block.copy_to_slice(&mut buf[..len]);
        Ok(len)
    }
}
