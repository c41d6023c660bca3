//! List of any number of records that is read any number of times: in memory up to half a megabyte,
//! then in scratch space.

use std::io;

use crate::sorted_runs::{COPIED, RunReader, opened};
use crate::sorter::MEMORY;
use crate::{ScratchStore, SortRecord, Sorted};

/// Records in the order in which they were added.
#[derive(Debug)]
pub(crate) struct RecordList<T, S> {
    /// The first records.
    first: Vec<T>,
    /// Bytes of memory that the first records take.
    taken: usize,
    /// The records after them, except for the last ones.
    scratch: Option<S>,
    /// Bytes in the scratch space.
    written: u64,
    /// The last records.
    last: Vec<u8>,
    len: u64,
}

impl<T, S> Default for RecordList<T, S> {
    fn default() -> Self {
        Self {
            first: Vec::new(),
            taken: 0,
            scratch: None,
            written: 0,
            last: Vec::new(),
            len: 0,
        }
    }
}

impl<T: SortRecord + Clone, S: ScratchStore> RecordList<T, S> {
    /// Returns the list of what `of` makes of sorted records.
    pub(crate) fn of_sorted<R: SortRecord>(
        mut sorted: Sorted<R, S>,
        of: impl Fn(R) -> T,
    ) -> io::Result<Self> {
        let mut list = Self::default();
        while let Some(record) = sorted.next()? {
            list.push(of(record))?;
        }
        Ok(list)
    }

    pub(crate) fn push(&mut self, record: T) -> io::Result<()> {
        self.len += 1;
        if self.taken <= MEMORY {
            self.taken += record.memory();
            self.first.push(record);
            return Ok(());
        }
        record.append_to(&mut self.last);
        if self.last.len() < COPIED {
            return Ok(());
        }
        opened(&mut self.scratch)?.write_all(&self.last)?;
        self.written += self.last.len() as u64;
        self.last.clear();
        Ok(())
    }

    pub(crate) fn len(&self) -> u64 {
        self.len
    }

    /// Returns the approximate bytes of the list in a cache.
    pub(crate) fn bytes(&self) -> usize {
        let written = usize::try_from(self.written).unwrap_or(usize::MAX);
        self.taken.saturating_add(written)
    }

    pub(crate) fn iter(&self) -> RecordIter<'_, T, S> {
        let run = RunReader::new(0..self.written, COPIED);
        RecordIter {
            list: self,
            at: 0,
            run,
            in_last: 0,
        }
    }
}

/// Iterator over the records of a list.
pub(crate) struct RecordIter<'l, T, S> {
    list: &'l RecordList<T, S>,
    /// Number of returned records from memory.
    at: usize,
    run: RunReader,
    /// Bytes of the last records that were returned.
    in_last: usize,
}

impl<T: SortRecord + Clone, S: ScratchStore> Iterator for RecordIter<'_, T, S> {
    type Item = io::Result<T>;

    fn next(&mut self) -> Option<Self::Item> {
        let list = self.list;
        if let Some(record) = list.first.get(self.at) {
            self.at += 1;
            return Some(Ok(record.clone()));
        }
        if let Some(scratch) = &list.scratch
            && let Some(record) = self.run.next(scratch).transpose()
        {
            return Some(record);
        }
        let (record, len) = T::parse(&list.last[self.in_last..])?;
        self.in_last += len;
        Some(Ok(record))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::MemoryStore;

    #[test]
    fn records_are_read_again() {
        for count in [0, 1, 2000, 100_000] {
            let mut list = RecordList::<Vec<u8>, MemoryStore>::default();
            let records: Vec<_> = (0..count)
                .map(|number| format!("{number}").into_bytes())
                .collect();
            for record in &records {
                list.push(record.clone()).expect("memory takes all");
            }
            assert_eq!(
                (list.scratch.is_some(), list.len()),
                (count > 20_000, count)
            );
            for _ in 0..2 {
                let found: io::Result<Vec<_>> = list.iter().collect();
                assert!(found.expect("readable") == records, "{count}");
            }
        }
    }
}
