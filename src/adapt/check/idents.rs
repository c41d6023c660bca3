//! A set of identifiers: a bit each for those of one or two characters, which
//! are nearly all, and a bounded set for the others.

use std::collections::HashSet;

/// Longer identifiers that are remembered.
const LONG_MAX: usize = 4096;

const SLOTS: usize = 36 * 37;
const WORDS: usize = SLOTS.div_ceil(64);

/// Which identifiers were seen.
#[derive(Debug, Default)]
pub(super) struct IdentSet {
    words: [u64; WORDS],
    /// Words with a bit in them, one bit each.
    touched: u32,
    long: HashSet<Box<[u8]>>,
}

const _: () = assert!(WORDS <= 32);

/// What became of an identifier.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Inserted {
    New,
    Again,
    /// It may have been there: no more are remembered.
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
        }
    }

    /// Puts a canonical identifier in.
    #[inline]
    pub(super) fn insert(&mut self, id: &[u8]) -> Inserted {
        let Some(slot) = slot(id) else {
            return self.insert_long(id);
        };
        let (word, bit) = (slot / 64, 1 << (slot % 64));
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
        } else if self.long.len() >= LONG_MAX {
            Inserted::Full
        } else {
            self.long.insert(id.into());
            Inserted::New
        }
    }
}

#[inline]
fn slot(id: &[u8]) -> Option<usize> {
    match *id {
        [first] => Some(character(first)? * 37),
        [first, second] => Some(character(first)? * 37 + character(second)? + 1),
        _ => None,
    }
}

/// A digit or capital as 0 to 35.
#[inline]
fn character(byte: u8) -> Option<usize> {
    match byte {
        b'0'..=b'9' => Some(usize::from(byte - b'0')),
        b'A'..=b'Z' => Some(usize::from(byte - b'A') + 10),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_once() {
        let mut set = IdentSet::default();
        for id in [&b"B"[..], b"AB", b"1L", b"ZZ", b"0", b"MULTIGOGM"] {
            assert_eq!(set.insert(id), Inserted::New);
            assert_eq!(set.insert(id), Inserted::Again);
        }
        set.clear();
        assert_eq!(set.insert(b"AB"), Inserted::New);
        assert_eq!(set.insert(b"MULTIGOGM"), Inserted::New);
    }

    #[test]
    fn long_ones_are_bounded() {
        let mut set = IdentSet::default();
        for number in 0..LONG_MAX {
            assert_eq!(set.insert(format!("LONG{number}").as_bytes()), Inserted::New);
        }
        assert_eq!(set.insert(b"ANOTHER"), Inserted::Full);
        assert_eq!(set.insert(b"LONG7"), Inserted::Again);
    }
}
