//! External sorter of byte strings: in memory up to half a megabyte, then in sorted runs on disk.

use std::fs::File;
use std::io;

use sgfstream_explore::{MergedRuns, SortedRuns};

use super::spill::{MEMORY, numbers_of};
use crate::report::exit::named;

/// Sorts any number of byte strings of at most a few KiB each.
#[derive(Default)]
pub(crate) struct Sorter {
    strings: Vec<Vec<u8>>,
    /// Bytes of memory that the strings take.
    taken: usize,
    /// The file with the runs, if there are any.
    file: Option<File>,
    runs: SortedRuns,
    memory: usize,
}

/// Bytes of memory that a string takes beside its own.
const OVERHEAD: usize = size_of::<Vec<u8>>() + 16;

impl Sorter {
    #[cfg(test)]
    fn with_memory(memory: usize) -> Self {
        Self { memory, ..Self::default() }
    }

    pub(crate) fn push(&mut self, string: &[u8]) -> io::Result<()> {
        if self.taken > if self.memory > 0 { self.memory } else { MEMORY } {
            self.write_run()?;
        }
        self.taken += string.len() + OVERHEAD;
        self.strings.push(string.to_vec());
        Ok(())
    }

    /// Adds a record of numbers. It is sorted by the first number, then by the next ones.
    pub(crate) fn push_numbers<const N: usize>(&mut self, numbers: &[u64; N]) -> io::Result<()> {
        self.push(numbers.map(u64::to_be_bytes).as_flattened())
    }

    fn write_run(&mut self) -> io::Result<()> {
        self.strings.sort_unstable();
        let file = match self.file.take() {
            Some(file) => file,
            None => tempfile::tempfile().map_err(|err| named("temporary file", &err))?,
        };
        self.runs.write(&self.strings, self.file.insert(file)).map_err(|err| named("temporary file", &err))?;
        self.strings.clear();
        self.taken = 0;
        Ok(())
    }

    /// Returns the strings in order. The sorter is empty afterwards.
    pub(crate) fn sorted(&mut self) -> io::Result<Sorted> {
        let mut all = std::mem::take(self);
        if all.file.is_some() {
            all.write_run()?;
        }
        all.strings.sort_unstable();
        Ok(match all.file {
            Some(mut file) => Sorted::Runs(all.runs.merge(&mut file, MEMORY)?, file),
            None => Sorted::Memory(all.strings.into_iter()),
        })
    }
}

/// Sorted strings.
pub(crate) enum Sorted {
    Memory(std::vec::IntoIter<Vec<u8>>),
    Runs(MergedRuns<Vec<u8>>, File),
}

impl Sorted {
    /// Puts the next string in `string`. Returns false at the end.
    pub(crate) fn next(&mut self, string: &mut Vec<u8>) -> io::Result<bool> {
        let next = match self {
            Self::Memory(strings) => strings.next(),
            Self::Runs(merged, file) => merged.next(file)?,
        };
        let is_found = next.is_some();
        *string = next.unwrap_or_default();
        Ok(is_found)
    }

    /// Returns the next record of numbers, or `None` at the end.
    pub(crate) fn next_numbers<const N: usize>(&mut self) -> io::Result<Option<[u64; N]>> {
        let mut record = Vec::new();
        Ok(self.next(&mut record)?.then(|| numbers_of(&record)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn on_disk_as_in_memory() {
        for (memory, count) in [(0, 2000), (1000, 2000), (1000, 1), (1000, 0)] {
            let mut sorter = Sorter::with_memory(memory);
            let mut twin = Vec::new();
            for number in 0..count {
                let string = format!("{}", (number * 7919) % 1000).into_bytes();
                sorter.push(&string).expect("disk space");
                twin.push(string);
            }
            assert_eq!(sorter.file.is_some(), memory > 0 && count > 1);
            twin.sort();
            let mut sorted = sorter.sorted().expect("disk space");
            let (mut string, mut found) = (Vec::new(), Vec::new());
            while sorted.next(&mut string).expect("readable") {
                found.push(string.clone());
            }
            assert!(found == twin, "{memory} {count}");
            assert!(!sorter.sorted().expect("nothing").next(&mut string).expect("nothing"));
        }
    }
}
