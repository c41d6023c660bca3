//! Hash maps of bounded size with short keys, which each game looks up ten times and more. Each map
//! has a random seed, so that no file can make all its names collide.

use std::collections::HashMap;
use std::hash::{BuildHasher, Hash};

use foldhash::fast::RandomState;
use hashbrown::HashTable;

/// Map with cheap hashes. With the hashes of the standard library, `stats` takes a tenth longer.
pub(super) type KeyedMap<K, V> = HashMap<K, V, RandomState>;

/// Index of rows by the hashes of their keys. The keys stay in the rows, because a map would store
/// each key twice, and lookups mostly wait for memory.
#[derive(Clone, Debug, Default)]
pub(super) struct KeyedIndex {
    key: RandomState,
    rows: HashTable<Row>,
}

#[derive(Clone, Copy, Debug)]
struct Row {
    hash: u32,
    at: u32,
}

/// Repeats the hash in both halves, because the table takes slots from the low bits and tags from
/// the high bits.
#[inline]
fn spread(hash: u32) -> u64 {
    u64::from(hash) << 32 | u64::from(hash)
}

impl KeyedIndex {
    #[inline]
    pub(super) fn hash(&self, key: &(impl Hash + ?Sized)) -> u32 {
        self.key.hash_one(key) as u32
    }

    /// Returns the row with this hash for which `has_key` is true.
    #[inline]
    pub(super) fn find(&self, hash: u32, has_key: impl Fn(u32) -> bool) -> Option<u32> {
        self.rows
            .find(spread(hash), |row| row.hash == hash && has_key(row.at))
            .map(|row| row.at)
    }

    /// Adds a row. No other row may have its key.
    pub(super) fn insert(&mut self, hash: u32, at: u32) {
        self.rows
            .insert_unique(spread(hash), Row { hash, at }, |row| spread(row.hash));
    }

    /// Removes a row, which was inserted with this hash.
    pub(super) fn remove(&mut self, hash: u32, at: u32) {
        if let Ok(row) = self.rows.find_entry(spread(hash), |row| row.at == at) {
            row.remove();
        }
    }

    /// Removes all rows.
    pub(super) fn clear(&mut self) {
        self.rows.clear();
    }
}
