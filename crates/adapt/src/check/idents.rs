//! A set of identifiers: one bit for each identifier with a key, which nearly all have, and a
//! bounded hash set for all others.

use std::collections::HashSet;

use sgfstream_game::internal::Key;

/// Maximum memory for identifiers without a key, and the overhead counted for each of them, in
/// bytes.
const LONG_MAX: usize = 128 << 10;
const LONG_PLACE: usize = 32;

const WORDS: usize = Key::COUNT.div_ceil(64);

/// The identifiers seen so far.
#[derive(Debug, Default)]
pub(super) struct IdentSet {
    words: [u64; WORDS],
    /// Words of `words` that are not zero, one bit each, so that `clear` visits only these.
    touched: u32,
    long: HashSet<Box<[u8]>>,
    long_len: usize,
}

const _: () = assert!(WORDS <= 32);

/// Result of adding an identifier.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Inserted {
    New,
    Again,
    /// The set may already contain it, but its memory is full.
    Full,
}

impl IdentSet {
    #[inline]
    pub(super) fn clear(&mut self) {
        let mut touched = std::mem::take(&mut self.touched);
        while touched != 0 {
            self.words[touched.trailing_zeros() as usize] = 0;
            touched &= touched - 1;
        }
        if !self.long.is_empty() {
            self.long.clear();
            self.long_len = 0;
        }
    }

    /// Inserts a canonical identifier, whose key is `key`.
    #[inline]
    pub(super) fn insert(&mut self, key: Key, id: &[u8]) -> Inserted {
        if key == Key::OTHER {
            return self.insert_long(id);
        }
        let (word, bit) = (key.index() / 64, 1 << (key.index() % 64));
        if self.words[word] & bit != 0 {
            return Inserted::Again;
        }
        self.words[word] |= bit;
        self.touched |= 1 << word;
        Inserted::New
    }

    #[cold]
    fn insert_long(&mut self, id: &[u8]) -> Inserted {
        if self.long.contains(id) {
            Inserted::Again
        } else if self.long_len + id.len() + LONG_PLACE > LONG_MAX {
            Inserted::Full
        } else {
            self.long.insert(id.into());
            self.long_len += id.len() + LONG_PLACE;
            Inserted::New
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn insert(set: &mut IdentSet, id: &[u8]) -> Inserted {
        set.insert(Key::of_id(id), id)
    }

    #[test]
    fn each_once() {
        let mut set = IdentSet::default();
        for id in [&b"B"[..], b"AB", b"1L", b"ZZ", b"0", b"MULTIGOGM"] {
            assert_eq!(insert(&mut set, id), Inserted::New);
            assert_eq!(insert(&mut set, id), Inserted::Again);
        }
        set.clear();
        assert_eq!(insert(&mut set, b"AB"), Inserted::New);
        assert_eq!(insert(&mut set, b"MULTIGOGM"), Inserted::New);
    }

    #[test]
    fn long_ones_are_bounded() {
        let mut set = IdentSet::default();
        for number in 10_000..13_000 {
            assert_eq!(
                insert(&mut set, format!("LONG{number}").as_bytes()),
                Inserted::New
            );
        }
        assert_eq!(insert(&mut set, &[b'X'; LONG_MAX]), Inserted::Full);
        assert_eq!(insert(&mut set, b"LONG10007"), Inserted::Again);
    }
}
