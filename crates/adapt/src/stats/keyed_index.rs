//! Where the rows of a table are, by the hashes of their keys. The keys stay in the rows: a map would hold each of them
//! twice, and a lookup would take most of its time to wait for memory.

use std::hash::{BuildHasher, Hash};

use super::keyed::Keyed;

/// Numbers of rows. Its hashes have a key of their own, as those of a [`KeyedMap`](super::keyed::KeyedMap) have.
#[derive(Clone, Debug, Default)]
pub(super) struct KeyedIndex {
    key: Keyed,
    /// A power of two, at least twice as many as there are rows; or none.
    slots: Vec<Slot>,
    len: usize,
}

/// A row is in the slot of its hash, or in one after it with no free slot between.
#[derive(Clone, Copy, Debug)]
struct Slot {
    hash: u32,
    row: u32,
}

const FREE: Slot = Slot { hash: 0, row: u32::MAX };

impl Slot {
    #[inline]
    fn is_free(self) -> bool {
        self.row == FREE.row
    }
}

impl KeyedIndex {
    #[inline]
    pub(super) fn hash(&self, key: &(impl Hash + ?Sized)) -> u32 {
        self.key.hash_one(key) as u32
    }

    /// The row with this hash that has the key.
    #[inline]
    pub(super) fn find(&self, hash: u32, has_key: impl Fn(u32) -> bool) -> Option<u32> {
        let mut at = hash as usize;
        loop {
            let slot = *self.slots.get(at & self.slots.len().wrapping_sub(1))?;
            if slot.is_free() {
                return None;
            }
            if slot.hash == hash && has_key(slot.row) {
                return Some(slot.row);
            }
            at += 1;
        }
    }

    /// Adds a row whose key no other has.
    pub(super) fn insert(&mut self, hash: u32, row: u32) {
        self.len += 1;
        if 2 * self.len > self.slots.len() {
            let larger = vec![FREE; (2 * self.len).next_power_of_two()];
            let old = std::mem::replace(&mut self.slots, larger);
            old.into_iter().filter(|slot| !slot.is_free()).for_each(|slot| self.put(slot));
        }
        self.put(Slot { hash, row });
    }

    fn put(&mut self, slot: Slot) {
        let mask = self.slots.len() - 1;
        let mut at = slot.hash as usize & mask;
        while !self.slots[at].is_free() {
            at = (at + 1) & mask;
        }
        self.slots[at] = slot;
    }

    /// Removes a row that was inserted with this hash.
    pub(super) fn remove(&mut self, hash: u32, row: u32) {
        let mask = self.slots.len() - 1;
        let mut free = hash as usize & mask;
        while self.slots[free].row != row {
            free = (free + 1) & mask;
        }
        self.len -= 1;
        self.slots[free] = FREE;
        // What comes after it must still be found: it moves up, if its own slot is not after the free one.
        let mut at = free;
        loop {
            at = (at + 1) & mask;
            let slot = self.slots[at];
            if slot.is_free() {
                return;
            }
            let distance = |from: usize| at.wrapping_sub(from) & mask;
            if distance(slot.hash as usize) >= distance(free) {
                (self.slots[free], self.slots[at]) = (slot, FREE);
                free = at;
            }
        }
    }

    /// Removes all rows.
    pub(super) fn clear(&mut self) {
        self.slots.fill(FREE);
        self.len = 0;
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use proptest::prelude::*;

    use super::*;

    proptest! {
        /// The slow twin is a map. Few hashes, near the end and the start of the slots, so that many rows share a run.
        #[test]
        fn as_a_map(steps in prop::collection::vec((any::<bool>(), 0u32..40), 0..200), spread in 1u32..9) {
            let hash = |row: u32| (row / spread).wrapping_sub(2);
            let (mut index, mut map) = (KeyedIndex::default(), HashMap::new());
            for (inserts, row) in steps {
                match (inserts, map.contains_key(&row)) {
                    (true, false) => {
                        index.insert(hash(row), row);
                        map.insert(row, ());
                    }
                    (false, true) => {
                        index.remove(hash(row), row);
                        map.remove(&row);
                    }
                    _ => {}
                }
                for row in 0..40 {
                    prop_assert_eq!(index.find(hash(row), |found| found == row).is_some(), map.contains_key(&row));
                }
            }
            index.clear();
            prop_assert!((0..40).all(|row| index.find(hash(row), |found| found == row).is_none()));
        }
    }
}
