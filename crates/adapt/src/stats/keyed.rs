//! A hash of short keys for maps of bounded size. That of the standard library took a tenth of the time of `stats`:
//! a game has ten names and results, and its first moves.

use std::collections::HashMap;
use std::hash::{BuildHasher, Hasher, RandomState};

/// A map whose hashes are cheap. Like that of the standard library it has a key of its own, drawn by lot, so that no file
/// can be written whose names all fall into one place.
pub(super) type KeyedMap<K, V> = HashMap<K, V, Keyed>;

/// The key of a map.
#[derive(Clone, Copy, Debug)]
pub(super) struct Keyed {
    start: u64,
    factor: u64,
}

impl Default for Keyed {
    fn default() -> Self {
        let lot = RandomState::new();
        Self { start: lot.hash_one(0), factor: lot.hash_one(1) | 1 }
    }
}

impl BuildHasher for Keyed {
    type Hasher = KeyedHasher;

    #[inline]
    fn build_hasher(&self) -> KeyedHasher {
        KeyedHasher { state: self.start, factor: self.factor }
    }
}

/// Each eight bytes change the state by the two halves of one product.
pub(super) struct KeyedHasher {
    state: u64,
    factor: u64,
}

impl KeyedHasher {
    #[inline]
    fn mix(&mut self, word: u64) {
        let product = u128::from(self.state ^ word) * u128::from(self.factor);
        self.state = (product as u64 ^ (product >> 64) as u64).wrapping_add(word);
    }
}

impl Hasher for KeyedHasher {
    #[inline]
    fn write(&mut self, bytes: &[u8]) {
        let (words, rest) = bytes.as_chunks::<8>();
        for word in words {
            self.mix(u64::from_le_bytes(*word));
        }
        if !rest.is_empty() {
            let mut last = [0; 8];
            last[..rest.len()].copy_from_slice(rest);
            // A NUL at the end is not the end.
            last[7] = rest.len() as u8;
            self.mix(u64::from_le_bytes(last));
        }
    }

    #[inline]
    fn write_u8(&mut self, number: u8) {
        self.mix(number.into());
    }

    #[inline]
    fn write_u16(&mut self, number: u16) {
        self.mix(number.into());
    }

    #[inline]
    fn write_u32(&mut self, number: u32) {
        self.mix(number.into());
    }

    #[inline]
    fn write_u64(&mut self, number: u64) {
        self.mix(number);
    }

    #[inline]
    fn write_usize(&mut self, number: usize) {
        self.mix(number as u64);
    }

    #[inline]
    fn finish(&self) -> u64 {
        // A map takes its places from the low bits and its tags from the high ones: both from all.
        let product = u128::from(self.state) * u128::from(self.factor);
        product as u64 ^ (product >> 64) as u64
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;
    use std::hash::Hash;

    use super::*;

    const KEY: Keyed = Keyed { start: 0x243F_6A88_85A3_08D3, factor: 0x1319_8A2E_0370_7345 };

    /// No two keys have one hash, and of every place of a small map some keys are.
    fn assert_spread<T: Hash>(keys: impl IntoIterator<Item = T>) {
        let hashes: Vec<u64> = keys.into_iter().map(|key| KEY.hash_one(key)).collect();
        assert_eq!(hashes.iter().collect::<HashSet<_>>().len(), hashes.len());
        for shift in [0, 57] {
            let places = hashes.iter().map(|hash| hash >> shift & 0x7F).collect::<HashSet<_>>();
            assert_eq!(places.len(), 128, "bits from {shift} on");
        }
    }

    #[test]
    fn different_keys_have_different_hashes() {
        let names = (0..3000).map(|number| format!("player{number}"));
        assert_spread(names);
        let zeros: Vec<&[u8]> = (0..2000).map(|len| &[0; 2000][..len]).collect();
        assert_spread(zeros);
        assert_spread((0..60).flat_map(|one| (0..60).map(move |two| (one as u32, two as u8, "B[pd]"))));
        assert_spread((0..4000u64).map(|number| number << 32));
    }

    #[test]
    fn each_map_has_a_key_of_its_own() {
        let (one, two) = (Keyed::default(), Keyed::default());
        assert_ne!((one.start, one.factor), (two.start, two.factor));
        let mut map = KeyedMap::default();
        for number in 0..1000u64 {
            map.insert(number.to_string(), number);
        }
        assert!((0..1000).all(|number| map.get(&number.to_string()) == Some(&number)));
    }
}
