//! External sorter: in memory up to half a megabyte, then in sorted runs on disk.

use std::fs::File;
use std::io;

use sgfstream_explore::{MergedRuns, SortRecord, SortedRuns};

use super::spill::MEMORY;
use crate::report::exit::named;

/// Sorts any number of records: arrays of numbers, or byte strings of at most a few KiB each.
#[derive(Default)]
pub(crate) struct Sorter<T = Vec<u8>> {
    records: Vec<T>,
    /// Bytes of memory that the records take.
    taken: usize,
    /// The file with the runs, if there are any.
    file: Option<File>,
    runs: SortedRuns,
}

impl<T: SortRecord> Sorter<T> {
    pub(crate) fn push(&mut self, record: T) -> io::Result<()> {
        if self.taken > MEMORY {
            self.write_run()?;
        }
        self.taken += record.memory();
        self.records.push(record);
        Ok(())
    }

    fn write_run(&mut self) -> io::Result<()> {
        self.records.sort_unstable();
        let file = match self.file.take() {
            Some(file) => file,
            None => tempfile::tempfile().map_err(|err| named("temporary file", &err))?,
        };
        self.runs.write(&self.records, self.file.insert(file)).map_err(|err| named("temporary file", &err))?;
        self.records.clear();
        self.taken = 0;
        Ok(())
    }

    /// Returns the records in order. The sorter is empty afterwards.
    pub(crate) fn sorted(&mut self) -> io::Result<Sorted<T>> {
        if self.file.is_some() {
            self.write_run()?;
        }
        self.records.sort_unstable();
        self.taken = 0;
        let (records, runs) = (std::mem::take(&mut self.records), std::mem::take(&mut self.runs));
        Ok(match self.file.take() {
            Some(mut file) => {
                Sorted::Runs(runs.merge(&mut file, MEMORY).map_err(|err| named("temporary file", &err))?, file)
            }
            None => Sorted::Memory(records.into_iter()),
        })
    }
}

/// Sorted records.
pub(crate) enum Sorted<T = Vec<u8>> {
    Memory(std::vec::IntoIter<T>),
    Runs(MergedRuns<T>, File),
}

impl<T: SortRecord> Sorted<T> {
    /// Returns the next record, or `None` at the end.
    pub(crate) fn next(&mut self) -> io::Result<Option<T>> {
        match self {
            Self::Memory(records) => Ok(records.next()),
            Self::Runs(merged, file) => merged.next(file).map_err(|err| named("temporary file", &err)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn on_disk_as_in_memory() {
        for count in [0, 1, 2000, 100_000] {
            let mut sorter = Sorter::default();
            let mut twin = Vec::new();
            for number in 0..count {
                let string = format!("{}", (number * 7919) % 1000).into_bytes();
                sorter.push(string.clone()).expect("disk space");
                twin.push(string);
            }
            assert_eq!(sorter.file.is_some(), count > 20_000);
            twin.sort();
            let mut sorted = sorter.sorted().expect("disk space");
            let mut found = Vec::new();
            while let Some(string) = sorted.next().expect("readable") {
                found.push(string);
            }
            assert!(found == twin, "{count}");
            assert!(sorter.sorted().expect("nothing").next().expect("nothing").is_none());
        }
    }
}
