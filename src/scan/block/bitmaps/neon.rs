//! Bitmaps by the vectors of AArch64.

use std::arch::aarch64::*;

use super::vectors::{BLOCK, Bitmaps, Vectors, add_classes};

/// Vectors of NEON. This module is compiled only for machines that have them.
#[derive(Clone, Copy)]
pub(super) struct Neon;

impl Vectors for Neon {
    #[inline(always)]
    fn bitmaps(self, block: &[u8; BLOCK]) -> Bitmaps {
        // SAFETY: the machine has NEON, see above. Each pointer points to 16 bytes, which need not
        // be aligned.
        unsafe {
            let quarter = |index: usize| vld1q_u8(block.as_chunks::<16>().0[index].as_ptr());
            let bytes = [quarter(0), quarter(1), quarter(2), quarter(3)];
            let equal = |byte: u8| bytes.map(|bytes| vceqq_u8(bytes, vdupq_n_u8(byte)));
            let between = |first: u8, last: u8| {
                bytes.map(|bytes| {
                    vcleq_u8(vsubq_u8(bytes, vdupq_n_u8(first)), vdupq_n_u8(last - first))
                })
            };
            let or = |one: [uint8x16_t; 4], other: [uint8x16_t; 4]| -> [uint8x16_t; 4] {
                std::array::from_fn(|index| vorrq_u8(one[index], other[index]))
            };
            let high = bytes.map(|bytes| vcgeq_u8(bytes, vdupq_n_u8(0x80)));
            // Each byte keeps the bit of its place among eight. Adding neighbors three times puts
            // eight bits side by side.
            let places = vreinterpretq_u8_u64(vdupq_n_u64(0x8040_2010_0804_0201));
            let put = |vectors: [uint8x16_t; 4]| {
                let [one, two, three, four] = vectors.map(|vector| vandq_u8(vector, places));
                let sum = vpaddq_u8(vpaddq_u8(one, two), vpaddq_u8(three, four));
                vgetq_lane_u64::<0>(vreinterpretq_u64_u8(vpaddq_u8(sum, sum)))
            };
            let mut maps = Bitmaps::default();
            add_classes!(maps, equal, between, or, high, put);
            maps
        }
    }
}
