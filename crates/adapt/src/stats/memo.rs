//! Cache for the readings of short ASCII values, which often repeat from game to game.

/// Maximum length of a value in the cache.
const LONGEST: usize = 30;

/// Number of slots; a power of two.
const ENTRIES: usize = 64;

/// Small table from values to their meanings. A value may replace another one, but the table never
/// returns a wrong meaning.
#[derive(Clone, Debug)]
pub(super) struct Memo<V> {
    entries: Vec<Option<Entry<V>>>,
}

#[derive(Clone, Copy, Debug)]
struct Entry<V> {
    value: Words,
    meaning: V,
}

/// The bytes of a value, padded with zeros, and a byte for its length.
type Words = [u64; 4];

impl<V> Default for Memo<V> {
    fn default() -> Self {
        Self {
            entries: Vec::new(),
        }
    }
}

impl<V: Copy> Memo<V> {
    /// Returns the meaning of `raw` from the table, or from `read`.
    #[inline]
    pub(super) fn get(&mut self, raw: &[u8], read: impl FnOnce() -> V) -> V {
        let Some(value) = words(raw) else {
            return read();
        };
        let at = place(value);
        if let Some(Some(entry)) = self.entries.get(at)
            && entry.value == value
        {
            return entry.meaning;
        }
        let meaning = read();
        if self.entries.is_empty() {
            self.entries.resize(ENTRIES, None);
        }
        self.entries[at] = Some(Entry { value, meaning });
        meaning
    }
}

/// Returns the key of a value, if the value is short and has the same meaning in every charset. It
/// has not if it has bytes beyond ASCII, or ESC, which starts another charset in ISO-2022-JP.
#[inline]
fn words(raw: &[u8]) -> Option<Words> {
    const EACH: u64 = u64::MAX / 0xFF;
    let mut bytes = [0; LONGEST + 2];
    bytes[..LONGEST].get_mut(..raw.len())?.copy_from_slice(raw);
    bytes[LONGEST + 1] = 32 + raw.len() as u8; // no ESC
    let mut words = Words::default();
    let mut odd = 0;
    for (word, bytes) in words.iter_mut().zip(bytes.as_chunks().0) {
        *word = u64::from_le_bytes(*bytes);
        // ESC becomes 0, and 0 minus 1 sets the high bit. No other byte below 0x80 does that.
        let without_escape = *word ^ (EACH * 0x1B);
        odd |= *word | (without_escape.wrapping_sub(EACH) & !without_escape);
    }
    (odd & (EACH * 0x80) == 0).then_some(words)
}

#[inline]
fn place(words: Words) -> usize {
    let mix =
        |hash: u64, word: &u64| (hash.rotate_left(29) ^ word).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    (words.iter().fold(0, mix) >> 32) as usize % ENTRIES
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn never_wrong() {
        let mut memo = Memo::default();
        let mut read = 0;
        for round in 0..3 {
            for number in 0..200u32 {
                let raw = number.to_string();
                let meaning = memo.get(raw.as_bytes(), || {
                    read += 1;
                    number
                });
                assert_eq!(meaning, number, "{round}");
            }
        }
        // The table is too small for all values, so most are read each time.
        assert!((200..=600).contains(&read));
        assert_eq!(memo.get(b"7", || 7), 7);
        assert_eq!(memo.get(b"7", || 8), 7);
        assert_eq!(
            (memo.get(b"7\0", || 9), memo.get(b"\x1c\x7f", || 9)),
            (9, 9)
        );
        for odd in [&b"\xe9"[..], &[b'x'; 31], b"\x1b$B", b"x\x1b", &[b'x'; 300]] {
            assert_eq!((memo.get(odd, || 1), memo.get(odd, || 2)), (1, 2));
        }
    }
}
