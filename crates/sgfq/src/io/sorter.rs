//! External sorter of byte strings: in memory up to a few megabytes, then in sorted runs on disk.

use std::cell::RefCell;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::collections::binary_heap::PeekMut;
use std::io::{self, BufReader, Read, Write};
use std::rc::Rc;

use super::spill::{MEMORY, Spill, SpillReader, numbers_of};

/// Sorts any number of byte strings of at most a few KiB each.
#[derive(Default)]
pub(crate) struct Sorter {
    bytes: Vec<u8>,
    /// Ranges of the strings in `bytes`.
    strings: Vec<(u32, u32)>,
    spill: Rc<RefCell<Spill>>,
    /// Ranges of the runs in `spill`.
    runs: Vec<(u64, u64)>,
    memory: usize,
}

impl Sorter {
    #[cfg(test)]
    fn with_memory(memory: usize) -> Self {
        Self { memory, ..Self::default() }
    }

    pub(crate) fn push(&mut self, string: &[u8]) -> io::Result<()> {
        let taken = self.bytes.len() + self.strings.len() * size_of::<(u32, u32)>();
        if taken > if self.memory > 0 { self.memory } else { MEMORY } {
            self.write_run()?;
        }
        let start = self.bytes.len() as u32;
        self.bytes.extend_from_slice(string);
        self.strings.push((start, self.bytes.len() as u32));
        Ok(())
    }

    /// Adds a record of numbers. It is sorted by the first number, then by the next ones.
    pub(crate) fn push_numbers<const N: usize>(&mut self, numbers: &[u64; N]) -> io::Result<()> {
        self.push(numbers.map(u64::to_be_bytes).as_flattened())
    }

    fn write_run(&mut self) -> io::Result<()> {
        self.sort();
        let mut spill = self.spill.borrow_mut();
        let start = spill.len();
        for &(from, to) in &self.strings {
            spill.write_all(&(to - from).to_le_bytes())?;
            spill.write_all(&self.bytes[from as usize..to as usize])?;
        }
        self.runs.push((start, spill.len()));
        self.bytes.clear();
        self.strings.clear();
        Ok(())
    }

    fn sort(&mut self) {
        let bytes = &self.bytes;
        self.strings.sort_unstable_by_key(|&(from, to)| &bytes[from as usize..to as usize]);
    }

    /// Returns the strings in order. The sorter is empty afterwards.
    pub(crate) fn sorted(&mut self) -> io::Result<Sorted> {
        if self.runs.is_empty() {
            self.sort();
            let bytes = std::mem::take(&mut self.bytes);
            return Ok(Sorted::Memory { bytes, strings: std::mem::take(&mut self.strings).into_iter() });
        }
        self.write_run()?;
        let spill = std::mem::take(&mut self.spill);
        let buffer = (MEMORY / self.runs.len()).clamp(512, 64 << 10);
        let mut heap = BinaryHeap::new();
        for (start, end) in self.runs.drain(..) {
            let mut run = Run(BufReader::with_capacity(buffer, SpillReader::of(&spill, start, end)));
            let mut first = Vec::new();
            if run.read(&mut first)? {
                heap.push(Reverse(Next(first, run)));
            }
        }
        Ok(Sorted::Runs(heap))
    }
}

/// Sorted strings.
pub(crate) enum Sorted {
    Memory { bytes: Vec<u8>, strings: std::vec::IntoIter<(u32, u32)> },
    Runs(BinaryHeap<Reverse<Next>>),
}

/// Next string of a run, with the run.
pub(crate) struct Next(Vec<u8>, Run);

impl PartialEq for Next {
    fn eq(&self, other: &Self) -> bool {
        self.0 == other.0
    }
}

impl Eq for Next {}

impl PartialOrd for Next {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Next {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.0.cmp(&other.0)
    }
}

/// Reader of a run on disk. Each string follows its length.
struct Run(BufReader<SpillReader>);

impl Run {
    /// Reads a string into `string`. Returns false at the end.
    fn read(&mut self, string: &mut Vec<u8>) -> io::Result<bool> {
        let mut len = [0; 4];
        match self.0.read_exact(&mut len) {
            Err(err) if err.kind() == io::ErrorKind::UnexpectedEof => return Ok(false),
            result => result?,
        }
        string.resize(u32::from_le_bytes(len) as usize, 0);
        self.0.read_exact(string)?;
        Ok(true)
    }
}

impl Sorted {
    /// Puts the next string in `string`. Returns false at the end.
    pub(crate) fn next(&mut self, string: &mut Vec<u8>) -> io::Result<bool> {
        match self {
            Self::Memory { bytes, strings } => {
                let Some((from, to)) = strings.next() else { return Ok(false) };
                string.clear();
                string.extend_from_slice(&bytes[from as usize..to as usize]);
            }
            Self::Runs(heap) => {
                let Some(mut least) = heap.peek_mut() else { return Ok(false) };
                let Reverse(Next(next, run)) = &mut *least;
                std::mem::swap(string, next);
                if !run.read(next)? {
                    PeekMut::pop(least);
                }
            }
        }
        Ok(true)
    }
}

impl Sorted {
    /// Returns the next record of numbers, or `None` at the end.
    pub(crate) fn next_numbers<const N: usize>(&mut self) -> io::Result<Option<[u64; N]>> {
        let mut record = Vec::with_capacity(8 * N);
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
            assert_eq!(sorter.runs.len() > 10, memory > 0 && count > 1);
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
