//! Sorted runs in a scratch file, which sort any number of records in little memory.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::collections::binary_heap::PeekMut;
use std::io::{self, Write};
use std::ops::Range;

use crate::Store;

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

/// Places of sorted runs in a scratch file.
#[derive(Debug, Default)]
pub(crate) struct SortedRuns(Vec<Range<u64>>);

impl SortedRuns {
    /// Appends sorted `records` to `scratch`.
    pub(crate) fn write<T: SortRecord>(
        &mut self,
        records: &[T],
        scratch: &mut (impl Store + Write),
    ) -> io::Result<()> {
        let start = scratch.size()?;
        let (mut bytes, mut end) = (Vec::with_capacity(COPIED), start);
        for record in records {
            record.append_to(&mut bytes);
            if bytes.len() >= COPIED {
                scratch.write_all(&bytes)?;
                end += bytes.len() as u64;
                bytes.clear();
            }
        }
        scratch.write_all(&bytes)?;
        self.0.push(start..end + bytes.len() as u64);
        Ok(())
    }

    /// Returns the records of all runs in order. About `memory` bytes of the runs are in memory at
    /// once.
    pub(crate) fn merge<T: SortRecord>(
        self,
        scratch: &mut impl Store,
        memory: usize,
    ) -> io::Result<MergedRuns<T>> {
        let read_len = (memory / self.0.len().max(1)).clamp(512, COPIED);
        let mut runs: Vec<RunReader> = self
            .0
            .into_iter()
            .map(|run| RunReader::new(run, read_len))
            .collect();
        let mut heap = BinaryHeap::with_capacity(runs.len());
        for (number, run) in runs.iter_mut().enumerate() {
            heap.extend(
                run.next_released(scratch)?
                    .map(|record| Reverse((record, number))),
            );
        }
        Ok(MergedRuns { runs, heap })
    }
}

/// Records of several runs, in order.
#[derive(Debug)]
pub(crate) struct MergedRuns<T> {
    runs: Vec<RunReader>,
    /// The next record of each run, with the number of the run.
    heap: BinaryHeap<Reverse<(T, usize)>>,
}

impl<T: SortRecord> MergedRuns<T> {
    /// Returns the next record, or `None` at the end.
    pub(crate) fn next(&mut self, scratch: &mut impl Store) -> io::Result<Option<T>> {
        let Some(mut least) = self.heap.peek_mut() else {
            return Ok(None);
        };
        let number = least.0.1;
        let Reverse((record, _)) = match self.runs[number].next_released(scratch)? {
            Some(next) => std::mem::replace(&mut *least, Reverse((next, number))),
            None => PeekMut::pop(least),
        };
        Ok(Some(record))
    }
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
    fn next_released<T: SortRecord>(&mut self, scratch: &mut impl Store) -> io::Result<Option<T>> {
        let before = self.at;
        let next = self.next(scratch);
        if self.at != before {
            scratch.release(self.start..self.at);
        }
        next
    }
}
