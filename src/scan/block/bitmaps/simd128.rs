//! Bitmaps by the vectors of WebAssembly, without `unsafe`: a vector is made of two numbers, not
//! loaded by a pointer.

use std::arch::wasm32::{
    u8x16_bitmask, u8x16_eq, u8x16_le, u8x16_splat, u8x16_sub, u64x2, v128, v128_or,
};

use super::vectors::{BLOCK, Bitmaps, Vectors, add_classes};

/// Vectors of SIMD128. This module is compiled only for machines that have them.
#[derive(Clone, Copy)]
pub(super) struct Simd128;

impl Vectors for Simd128 {
    #[inline(always)]
    fn bitmaps(self, block: &[u8; BLOCK]) -> Bitmaps {
        // The compiler merges the two halves into one load.
        let halves = block.as_chunks::<8>().0;
        let half = |index: usize| u64::from_le_bytes(halves[index]);
        let bytes: [v128; 4] =
            std::array::from_fn(|quarter| u64x2(half(2 * quarter), half(2 * quarter + 1)));
        let equal = |byte: u8| bytes.map(|bytes| u8x16_eq(bytes, u8x16_splat(byte)));
        let between = |first: u8, last: u8| {
            bytes.map(|bytes| {
                u8x16_le(
                    u8x16_sub(bytes, u8x16_splat(first)),
                    u8x16_splat(last - first),
                )
            })
        };
        let or = |one: [v128; 4], other: [v128; 4]| -> [v128; 4] {
            std::array::from_fn(|quarter| v128_or(one[quarter], other[quarter]))
        };
        // `u8x16_bitmask` takes the highest bit of each byte, so the bytes themselves serve as the
        // mask of 0x80 and more.
        let put = |vectors: [v128; 4]| {
            let [one, two, three, four] = vectors.map(|vector| u64::from(u8x16_bitmask(vector)));
            one | two << 16 | three << 32 | four << 48
        };
        let mut maps = Bitmaps::default();
        add_classes!(maps, equal, between, or, bytes, put);
        maps
    }
}
