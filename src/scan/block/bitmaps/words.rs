//! Bitmaps by words of eight bytes: for machines whose vectors are not used, and as the reference
//! for those whose are.

use super::vectors::{BLOCK, Bitmaps, Vectors, add_classes};

/// Words of eight bytes, for any machine.
#[derive(Clone, Copy, Debug)]
pub(super) struct Words;

impl Vectors for Words {
    #[inline(always)]
    fn bitmaps(self, block: &[u8; BLOCK]) -> Bitmaps {
        let mut maps = Bitmaps::default();
        for (index, word) in block.as_chunks::<8>().0.iter().enumerate() {
            let word = u64::from_le_bytes(*word);
            let equal = |byte: u8| equal(word, byte);
            let between = |first: u8, last: u8| between(word, first, last);
            let put = |bits: u64| gather(bits) << (8 * index);
            add_classes!(
                maps,
                equal,
                between,
                std::ops::BitOr::bitor,
                word & HIGH,
                put
            );
        }
        maps
    }
}

const LOW: u64 = 0x0101_0101_0101_0101;
const HIGH: u64 = 0x8080_8080_8080_8080;

/// Returns the high bit of each byte that is `byte`.
fn equal(word: u64, byte: u8) -> u64 {
    let word = word ^ (LOW * u64::from(byte));
    // A byte that is not 0 carries into its high bit, or has it set.
    !(((word & !HIGH) + !HIGH) | word) & HIGH
}

/// Returns the high bit of each byte from `first` to `last`, both below 0x80 or both not.
fn between(word: u64, first: u8, last: u8) -> u64 {
    let low = word & !HIGH;
    let from_first = low + LOW * u64::from(0x80 - (first & 0x7F));
    let behind_last = low + LOW * u64::from(0x7F - (last & 0x7F));
    let half = if first < 0x80 { !word } else { word };
    from_first & !behind_last & half & HIGH
}

/// Puts the high bits of eight bytes side by side.
fn gather(high_bits: u64) -> u64 {
    (high_bits >> 7).wrapping_mul(0x0102_0408_1020_4080) >> 56
}
