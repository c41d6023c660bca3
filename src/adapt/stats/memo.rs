//! What short values of ASCII were read as, so that the same ones, game after
//! game, are not read again.

/// Longest value that is remembered.
const LONGEST: usize = 30;

/// How many values are remembered; a power of two.
const ENTRIES: usize = 64;

/// A small table from values to what they mean. A value may drive out another
/// one; nothing is ever wrong in it.
#[derive(Clone, Debug)]
pub(super) struct Memo<V> {
    entries: Vec<Option<Entry<V>>>,
}

#[derive(Clone, Copy, Debug)]
struct Entry<V> {
    len: u8,
    bytes: [u8; LONGEST],
    meaning: V,
}

impl<V> Default for Memo<V> {
    fn default() -> Self {
        Self { entries: Vec::new() }
    }
}

impl<V: Copy> Memo<V> {
    /// What `raw` means: as remembered, or as `read` finds.
    #[inline]
    pub(super) fn get(&mut self, raw: &[u8], read: impl FnOnce() -> V) -> V {
        // Bytes beyond ASCII mean different things in different charsets.
        let Some(at) = place(raw) else { return read() };
        if let Some(Some(entry)) = self.entries.get(at)
            && entry.bytes[..usize::from(entry.len)] == *raw
        {
            return entry.meaning;
        }
        let meaning = read();
        if self.entries.is_empty() {
            self.entries.resize(ENTRIES, None);
        }
        let mut bytes = [0; LONGEST];
        bytes[..raw.len()].copy_from_slice(raw);
        self.entries[at] = Some(Entry { len: raw.len() as u8, bytes, meaning });
        meaning
    }
}

#[inline]
fn place(raw: &[u8]) -> Option<usize> {
    if raw.len() > LONGEST {
        return None;
    }
    let mut all = 0;
    let mut hash = raw.len() as u32;
    for &byte in raw {
        all |= byte;
        hash = (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193);
    }
    // ESC begins another charset in ISO-2022-JP; no other reads ASCII otherwise.
    (all < 0x80 && !raw.contains(&0x1B)).then_some((hash >> 16) as usize % ENTRIES)
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
        // Too many for the table: most are read each time.
        assert!((200..=600).contains(&read));
        assert_eq!(memo.get(b"7", || 7), 7);
        assert_eq!(memo.get(b"7", || 8), 7);
        for odd in [&b"\xe9"[..], &[b'x'; 31], b"\x1b$B"] {
            assert_eq!((memo.get(odd, || 1), memo.get(odd, || 2)), (1, 2));
        }
    }
}
