//! A set of hashes: in memory up to a number, then in a table on
//! disk, so that memory stays bounded however many there are.

use std::collections::HashSet;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};

/// Hashes in memory: with the table around them about 18 MiB.
const MEMORY: usize = 450_000;

/// Bytes of a hash.
const LEN: u64 = 16;

/// Slots that are read at once.
const PAGE: u64 = 256;

#[derive(Debug)]
pub(crate) struct SpillingSet {
    memory: HashSet<u128>,
    limit: usize,
    table: Option<Table>,
}

impl Default for SpillingSet {
    fn default() -> Self {
        Self { memory: HashSet::new(), limit: MEMORY, table: None }
    }
}

impl SpillingSet {
    /// Adds a hash. False if it was there.
    pub(crate) fn insert(&mut self, hash: u128) -> io::Result<bool> {
        // Zero marks a free slot; one in 2¹²⁸ games is mistaken.
        let hash = hash.max(1);
        if let Some(table) = &mut self.table {
            return table.insert(hash);
        }
        if self.memory.len() < self.limit {
            return Ok(self.memory.insert(hash));
        }
        let mut table = Table::new((self.limit as u64 * 4).next_power_of_two())?;
        for hash in std::mem::take(&mut self.memory) {
            table.insert(hash)?;
        }
        self.table.insert(table).insert(hash)
    }
}

/// A hash table in a file: open addressing, at most half full. The hashes are
/// hashes already, so their lowest bits say where to look.
#[derive(Debug)]
struct Table {
    file: File,
    /// A power of two.
    slots: u64,
    used: u64,
}

impl Table {
    fn new(slots: u64) -> io::Result<Self> {
        let slots = slots.max(PAGE);
        let file = tempfile::tempfile()?;
        file.set_len(slots * LEN)?;
        Ok(Self { file, slots, used: 0 })
    }

    fn insert(&mut self, hash: u128) -> io::Result<bool> {
        if self.used * 2 >= self.slots {
            self.grow()?;
        }
        let is_new = self.put(hash)?;
        self.used += u64::from(is_new);
        Ok(is_new)
    }

    fn put(&mut self, hash: u128) -> io::Result<bool> {
        let mut page = [0; (PAGE * LEN) as usize];
        let mut slot = hash as u64 & (self.slots - 1);
        loop {
            let len = PAGE.min(self.slots - slot);
            let bytes = &mut page[..(len * LEN) as usize];
            self.file.seek(SeekFrom::Start(slot * LEN))?;
            self.file.read_exact(bytes)?;
            for (at, found) in bytes.chunks_exact(LEN as usize).enumerate() {
                let found = u128::from_le_bytes(found.try_into().expect("sixteen bytes"));
                if found == hash {
                    return Ok(false);
                }
                if found == 0 {
                    self.file.seek(SeekFrom::Start((slot + at as u64) * LEN))?;
                    self.file.write_all(&hash.to_le_bytes())?;
                    return Ok(true);
                }
            }
            slot = (slot + len) & (self.slots - 1);
        }
    }

    fn grow(&mut self) -> io::Result<()> {
        let mut larger = Self::new(self.slots * 4)?;
        let mut page = vec![0; 1 << 16];
        let mut at = 0;
        while at < self.slots * LEN {
            let len = (self.slots * LEN - at).min(page.len() as u64) as usize;
            self.file.seek(SeekFrom::Start(at))?;
            self.file.read_exact(&mut page[..len])?;
            for hash in page[..len].chunks_exact(LEN as usize) {
                let hash = u128::from_le_bytes(hash.try_into().expect("sixteen bytes"));
                if hash != 0 {
                    larger.put(hash)?;
                }
            }
            at += len as u64;
        }
        larger.used = self.used;
        *self = larger;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn on_disk_as_in_memory() {
        let mut set = SpillingSet { limit: 100, ..SpillingSet::default() };
        let mut twin = HashSet::new();
        let mut bits = 1u128;
        for _ in 0..5000 {
            bits = bits.wrapping_mul(0xDA94_2042_E4DD_58B5_DA94_2042_E4DD_58B5).wrapping_add(1);
            // Few low bits, so that slots are contested.
            let hash = ((bits >> 64) % 1500) << 3;
            assert_eq!(set.insert(hash).expect("a disk"), twin.insert(hash.max(1)));
        }
        assert!(set.table.is_some_and(|table| table.used * 2 <= table.slots && table.used > 500));
    }
}
