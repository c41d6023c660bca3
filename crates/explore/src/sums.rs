//! Sums by key of any number of values: in memory up to a few megabytes, then in scratch space.

use std::collections::HashMap;
use std::io;

use crate::{ScratchStore, SortRecord, Sorted, Sorter};

/// Maximum bytes of sums in memory.
pub const SUMS_MEMORY: usize = 4 << 20;

/// Bytes of memory that a sum takes in addition to the key.
const OVERHEAD: usize = 128;

/// Value that [`Sums`] adds up for each key.
pub trait Summed: SortRecord + Copy + Default {
    /// Adds another value.
    fn add(&mut self, more: &Self);
}

impl Summed for [u64; 1] {
    fn add(&mut self, more: &Self) {
        self[0] += more[0];
    }
}

/// Sums by key in memory.
#[derive(Debug, Default)]
pub struct Sums<V> {
    sums: HashMap<Vec<u8>, V>,
    bytes: usize,
}

impl<V: Summed> Sums<V> {
    /// Adds a value to the sum of a key.
    pub fn add(&mut self, key: &[u8], value: &V) {
        if let Some(sum) = self.sums.get_mut(key) {
            return sum.add(value);
        }
        self.bytes += key.len() + OVERHEAD;
        self.sums.insert(key.to_vec(), *value);
    }

    /// Returns the number of bytes that the sums take.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.bytes
    }
}

/// Sorter of the sums of any number of values.
#[derive(Debug)]
pub struct SumSorter<V, S> {
    sums: Sums<V>,
    sorter: Sorter<(Vec<u8>, V), S>,
}

impl<V: Default, S> Default for SumSorter<V, S> {
    fn default() -> Self {
        Self {
            sums: Sums::default(),
            sorter: Sorter::default(),
        }
    }
}

impl<V: Summed, S: ScratchStore> SumSorter<V, S> {
    /// Adds all sums of `more`.
    ///
    /// # Errors
    ///
    /// Returns an error if writing to the scratch space fails.
    pub fn add(&mut self, more: Sums<V>) -> io::Result<()> {
        if self.sums.sums.is_empty() {
            self.sums = more;
        } else {
            for (key, value) in more.sums {
                self.sums.add(&key, &value);
            }
        }
        if self.sums.bytes > SUMS_MEMORY {
            self.spill()
        } else {
            Ok(())
        }
    }

    fn spill(&mut self) -> io::Result<()> {
        let sums = std::mem::take(&mut self.sums).sums;
        sums.into_iter().try_for_each(|sum| self.sorter.push(sum))
    }

    /// Returns the sums in the order of their keys.
    ///
    /// # Errors
    ///
    /// Returns an error if the scratch space cannot be written or read.
    pub fn sorted(mut self) -> io::Result<SortedSums<V, S>> {
        self.spill()?;
        Ok(SortedSums {
            sorted: self.sorter.sorted()?,
            ahead: None,
        })
    }
}

/// Sums in the order of their keys.
#[derive(Debug)]
pub struct SortedSums<V, S> {
    /// Partial sums.
    sorted: Sorted<(Vec<u8>, V), S>,
    /// The partial sum after those that were returned.
    ahead: Option<(Vec<u8>, V)>,
}

impl<V: Summed, S: ScratchStore> SortedSums<V, S> {
    /// Returns the next key with its sum, or `None` at the end.
    ///
    /// # Errors
    ///
    /// Returns an error if the scratch space cannot be read.
    #[allow(clippy::should_implement_trait)] // an iterator of results is not shorter where it is used
    pub fn next(&mut self) -> io::Result<Option<(Vec<u8>, V)>> {
        let mut sum = self.ahead.take();
        while let Some((key, value)) = self.sorted.next()? {
            match &mut sum {
                None => sum = Some((key, value)),
                Some((known, sum)) if *known == key => sum.add(&value),
                Some(_) => {
                    self.ahead = Some((key, value));
                    break;
                }
            }
        }
        Ok(sum)
    }
}
