//! Records in a scratch file, and the reader of a run of them.

use std::io;
use std::ops::Range;

use crate::{ScratchStore, Store};

/// Bytes written at once, and the maximum read at once from a run.
pub(crate) const COPIED: usize = 64 << 10;

/// Record of a sorted run.
pub trait SortRecord: Ord + Sized {
    /// Appends the bytes of the record.
    fn append_to(&self, out: &mut Vec<u8>);

    /// Returns the bytes of memory that the record takes.
    fn memory(&self) -> usize {
        size_of::<Self>()
    }

    /// Returns the record at the start of `bytes` and its length, or `None` if `bytes` end before
    /// the record does.
    fn parse(bytes: &[u8]) -> Option<(Self, usize)>;
}

/// Sorted by the first number, then by the next ones.
impl<const N: usize> SortRecord for [u64; N] {
    fn append_to(&self, out: &mut Vec<u8>) {
        self.iter()
            .for_each(|number| out.extend_from_slice(&number.to_le_bytes()));
    }

    fn parse(bytes: &[u8]) -> Option<(Self, usize)> {
        let (numbers, _) = bytes.as_chunks();
        let numbers: &[[u8; 8]; N] = numbers.first_chunk()?;
        Some((numbers.map(u64::from_le_bytes), size_of::<Self>()))
    }
}

impl SortRecord for Vec<u8> {
    fn memory(&self) -> usize {
        // An allocation takes some bytes more.
        size_of::<Self>() + self.len() + 16
    }

    fn append_to(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(&(self.len() as u32).to_le_bytes());
        out.extend_from_slice(self);
    }

    fn parse(bytes: &[u8]) -> Option<(Self, usize)> {
        let (len, rest) = bytes.split_first_chunk()?;
        let string = rest.get(..u32::from_le_bytes(*len) as usize)?;
        Some((string.to_vec(), len.len() + string.len()))
    }
}

/// Sorted by the first part, then by the second one.
impl<A: SortRecord, B: SortRecord> SortRecord for (A, B) {
    fn memory(&self) -> usize {
        self.0.memory() + self.1.memory()
    }

    fn append_to(&self, out: &mut Vec<u8>) {
        self.0.append_to(out);
        self.1.append_to(out);
    }

    fn parse(bytes: &[u8]) -> Option<(Self, usize)> {
        let (first, first_len) = A::parse(bytes)?;
        let (second, second_len) = B::parse(&bytes[first_len..])?;
        Some(((first, second), first_len + second_len))
    }
}

/// Returns the scratch space, which is created at the first call.
pub(crate) fn opened<S: ScratchStore>(scratch: &mut Option<S>) -> io::Result<&mut S> {
    if scratch.is_none() {
        *scratch = Some(S::create()?);
    }
    Ok(scratch.as_mut().expect("created above"))
}

/// Reader of a run.
#[derive(Debug)]
pub(crate) struct RunReader {
    start: u64,
    at: u64,
    end: u64,
    read_len: usize,
    buffer: Vec<u8>,
    /// Bytes of the buffer that were read.
    read: usize,
}

impl RunReader {
    pub(crate) fn new(Range { start, end }: Range<u64>, read_len: usize) -> Self {
        Self {
            start,
            at: start,
            end,
            read_len,
            buffer: Vec::new(),
            read: 0,
        }
    }

    /// Returns the next record, or `None` at the end.
    pub(crate) fn next<T: SortRecord>(&mut self, scratch: &impl Store) -> io::Result<Option<T>> {
        loop {
            if let Some((record, len)) = T::parse(&self.buffer[self.read..]) {
                self.read += len;
                return Ok(Some(record));
            }
            let more = (self.end - self.at).min(self.read_len as u64);
            if more == 0 {
                return Ok(None);
            }
            self.buffer.drain(..std::mem::take(&mut self.read));
            let kept = self.buffer.len();
            self.buffer.resize(kept + more as usize, 0);
            scratch.read_at(self.at, &mut self.buffer[kept..])?;
            self.at += more;
        }
    }

    /// Same as [`next`](Self::next), but frees the memory of what was read.
    pub(crate) fn next_released<T: SortRecord>(
        &mut self,
        scratch: &mut impl Store,
    ) -> io::Result<Option<T>> {
        let before = self.at;
        let next = self.next(scratch);
        if self.at != before {
            scratch.release(self.start..self.at);
        }
        next
    }
}
