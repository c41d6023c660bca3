//! Maps of bounded size with short keys, which a game asks ten times and more. Each has a random key of its own, so that no
//! file can be written whose names all fall into one place.

use std::collections::HashMap;
use std::hash::{BuildHasher, Hash};

use foldhash::fast::RandomState;
use hashbrown::HashTable;

/// A map whose hashes are cheap: with those of the standard library, `stats` takes a tenth longer.
pub(super) type KeyedMap<K, V> = HashMap<K, V, RandomState>;

/// Numbers of rows by the hashes of their keys. The keys stay in the rows: a map would hold each of them twice, and a lookup
/// would mostly wait for memory.
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

/// The hash as the table wants it, which takes places from its low bits and tags from its high ones.
#[inline]
fn spread(hash: u32) -> u64 {
    u64::from(hash) << 32 | u64::from(hash)
}

impl KeyedIndex {
    #[inline]
    pub(super) fn hash(&self, key: &(impl Hash + ?Sized)) -> u32 {
        self.key.hash_one(key) as u32
    }

    /// The row with this hash that has the key.
    #[inline]
    pub(super) fn find(&self, hash: u32, has_key: impl Fn(u32) -> bool) -> Option<u32> {
        self.rows.find(spread(hash), |row| row.hash == hash && has_key(row.at)).map(|row| row.at)
    }

    /// Adds a row whose key no other has.
    pub(super) fn insert(&mut self, hash: u32, at: u32) {
        self.rows.insert_unique(spread(hash), Row { hash, at }, |row| spread(row.hash));
    }

    /// Removes a row that was inserted with this hash.
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
