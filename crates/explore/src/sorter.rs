//! External sorter: in memory up to half a megabyte, then in sorted runs in scratch space.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::collections::binary_heap::PeekMut;
use std::io;
use std::ops::Range;

use crate::sorted_runs::{COPIED, RunReader, opened};
use crate::{ScratchStore, SortRecord};

/// Maximum bytes of records in memory.
pub(crate) const MEMORY: usize = 1 << 19;

/// Sorts any number of records: arrays of numbers, or byte strings of at most a few KiB each.
///
/// ```
/// use sgfstream_explore::{MemoryStore, Sorter};
///
/// let mut sorter = Sorter::<[u64; 1], MemoryStore>::default();
/// for number in [3, 1, 2] {
///     sorter.push([number])?;
/// }
/// let mut sorted = sorter.sorted()?;
/// assert_eq!((sorted.next()?, sorted.next()?), (Some([1]), Some([2])));
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct Sorter<T, S> {
    records: Vec<T>,
    /// Bytes of memory that the records take, and may take.
    taken: usize,
    memory: usize,
    /// The space with the runs, if there are any.
    scratch: Option<S>,
    runs: Vec<Range<u64>>,
}

impl<T, S> Default for Sorter<T, S> {
    fn default() -> Self {
        Self::with_memory(MEMORY)
    }
}

impl<T, S> Sorter<T, S> {
    /// Creates a sorter that has about `memory` bytes of records in memory.
    #[must_use]
    pub fn with_memory(memory: usize) -> Self {
        Self {
            records: Vec::new(),
            taken: 0,
            memory,
            scratch: None,
            runs: Vec::new(),
        }
    }
}

impl<T: SortRecord, S: ScratchStore> Sorter<T, S> {
    /// Adds a record.
    ///
    /// # Errors
    ///
    /// Returns an error if writing to the scratch space fails.
    pub fn push(&mut self, record: T) -> io::Result<()> {
        if self.taken > self.memory {
            self.write_run()?;
        }
        self.taken += record.memory();
        self.records.push(record);
        Ok(())
    }

    /// Writes the records in memory as a sorted run.
    fn write_run(&mut self) -> io::Result<()> {
        self.records.sort_unstable();
        let scratch = opened(&mut self.scratch)?;
        let start = scratch.size()?;
        let (mut bytes, mut end) = (Vec::with_capacity(COPIED), start);
        for record in self.records.drain(..) {
            record.append_to(&mut bytes);
            if bytes.len() >= COPIED {
                scratch.write_all(&bytes)?;
                end += bytes.len() as u64;
                bytes.clear();
            }
        }
        scratch.write_all(&bytes)?;
        self.runs.push(start..end + bytes.len() as u64);
        self.taken = 0;
        Ok(())
    }

    /// Returns the records in order. The sorter is empty afterwards.
    ///
    /// # Errors
    ///
    /// Returns an error if the scratch space cannot be written or read.
    pub fn sorted(&mut self) -> io::Result<Sorted<T, S>> {
        if self.scratch.is_some() {
            self.write_run()?;
        }
        self.records.sort_unstable();
        self.taken = 0;
        let mut scratch = self.scratch.take();
        let read_len = (self.memory / self.runs.len().max(1)).clamp(512, COPIED);
        let runs = self.runs.drain(..);
        let mut runs: Vec<_> = runs.map(|run| RunReader::new(run, read_len)).collect();
        let mut heap = BinaryHeap::with_capacity(runs.len());
        if let Some(scratch) = &mut scratch {
            for (number, run) in runs.iter_mut().enumerate() {
                let first = run.next_released(scratch)?;
                heap.extend(first.map(|record| Reverse((record, number))));
            }
        }
        Ok(Sorted {
            records: std::mem::take(&mut self.records).into_iter(),
            scratch,
            runs,
            heap,
        })
    }
}

/// Reader of sorted records.
#[derive(Debug)]
pub struct Sorted<T, S> {
    /// All records, if there are no runs.
    records: std::vec::IntoIter<T>,
    /// The space with the runs, if there are any.
    scratch: Option<S>,
    runs: Vec<RunReader>,
    /// The next record of each run, with the number of the run.
    heap: BinaryHeap<Reverse<(T, usize)>>,
}

impl<T: SortRecord, S: ScratchStore> Sorted<T, S> {
    /// Returns the next record, or `None` at the end.
    ///
    /// # Errors
    ///
    /// Returns an error if the scratch space cannot be read.
    #[allow(clippy::should_implement_trait)] // an iterator of results is not shorter where it is used
    pub fn next(&mut self) -> io::Result<Option<T>> {
        let Some(scratch) = &mut self.scratch else {
            return Ok(self.records.next());
        };
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

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;
    use crate::{MemoryStore, Store};

    #[test]
    fn in_scratch_space_as_in_memory() {
        for count in [0, 1, 2000, 100_000] {
            let mut sorter = Sorter::<Vec<u8>, MemoryStore>::default();
            let mut twin = Vec::new();
            for number in 0..count {
                let string = format!("{}", (number * 7919) % 1000).into_bytes();
                sorter.push(string.clone()).expect("memory takes all");
                twin.push(string);
            }
            assert_eq!(sorter.scratch.is_some(), count > 20_000);
            twin.sort();
            let mut sorted = sorter.sorted().expect("memory takes all");
            let mut found = Vec::new();
            while let Some(string) = sorted.next().expect("readable") {
                found.push(string);
            }
            assert!(found == twin, "{count}");
            assert!(
                sorter
                    .sorted()
                    .expect("nothing")
                    .next()
                    .expect("nothing")
                    .is_none()
            );
        }
    }

    /// Scratch that overwrites released bytes, so that reading one of them changes the records.
    #[derive(Debug)]
    struct Released(Vec<u8>);

    impl ScratchStore for Released {
        fn create() -> io::Result<Self> {
            Ok(Self(Vec::new()))
        }
    }

    impl Write for Released {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.write(bytes)
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    impl Store for Released {
        fn size(&self) -> io::Result<u64> {
            self.0.size()
        }

        fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<()> {
            self.0.read_at(offset, buffer)
        }

        fn release(&mut self, range: Range<u64>) {
            self.0[range.start as usize..range.end as usize].fill(0xAB);
        }
    }

    #[test]
    fn scratch_is_released_once_it_is_read() {
        let mut sorter = Sorter::<[u64; 1], Released>::with_memory(100);
        for number in 0..1000 {
            sorter
                .push([(number * 7919) % 1000])
                .expect("memory takes all");
        }
        let mut sorted = sorter.sorted().expect("memory takes all");
        for number in 0..1000 {
            assert_eq!(sorted.next().expect("readable"), Some([number]));
        }
        assert!(sorted.next().expect("readable").is_none());
        let scratch = sorted.scratch.expect("more records than memory");
        assert!(scratch.0.iter().all(|&byte| byte == 0xAB));
    }
}
