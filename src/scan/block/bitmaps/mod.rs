//! Bitmaps of 64 bytes: which of them are brackets, escapes, signs, blanks, or parts of characters.
//! One bit stands for one byte, the lowest for the first.

#[cfg(all(
    target_arch = "aarch64",
    target_endian = "little",
    target_feature = "neon"
))]
#[allow(unsafe_code, reason = "the same as `x86`, for other machines")]
mod neon;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
mod simd128;
mod vectors;
#[cfg(any(
    test,
    not(any(
        target_arch = "x86_64",
        all(
            target_arch = "aarch64",
            target_endian = "little",
            target_feature = "neon"
        ),
        all(target_arch = "wasm32", target_feature = "simd128")
    ))
))]
mod words;
#[cfg(target_arch = "x86_64")]
#[allow(
    unsafe_code,
    reason = "1.5 times the rate of the whole reader, see docs/performance.md"
)]
mod x86;

pub(crate) use vectors::BLOCK;
pub(super) use vectors::{Bitmaps, Vectors, Work};

/// Does `work` with the best vectors of this machine.
#[inline(always)]
pub(super) fn with_vectors<B: ?Sized, W: Work<B>>(bytes: &B, work: &mut W) -> W::Output {
    #[cfg(target_arch = "x86_64")]
    return x86::with_vectors(bytes, work);
    #[cfg(all(
        target_arch = "aarch64",
        target_endian = "little",
        target_feature = "neon"
    ))]
    return work.work(bytes, neon::Neon);
    #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
    return work.work(bytes, simd128::Simd128);
    #[cfg(not(any(
        target_arch = "x86_64",
        all(
            target_arch = "aarch64",
            target_endian = "little",
            target_feature = "neon"
        ),
        all(target_arch = "wasm32", target_feature = "simd128")
    )))]
    work.work(bytes, words::Words)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Work that returns the bitmaps.
    struct CopyBitmaps;

    impl Work<[u8; BLOCK]> for CopyBitmaps {
        type Output = Bitmaps;
        fn work<V: Vectors>(&mut self, block: &[u8; BLOCK], vectors: V) -> Bitmaps {
            vectors.bitmaps(block)
        }
    }

    fn one_by_one(block: &[u8; BLOCK]) -> Bitmaps {
        let map = |is: fn(u8) -> bool| {
            block
                .iter()
                .enumerate()
                .fold(0, |map, (index, &byte)| map | u64::from(is(byte)) << index)
        };
        Bitmaps {
            open: map(|byte| byte == b'['),
            close: map(|byte| byte == b']'),
            escape: map(|byte| byte == b'\\'),
            semicolon: map(|byte| byte == b';'),
            left: map(|byte| byte == b'('),
            right: map(|byte| byte == b')'),
            capital: map(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit()),
            blank: map(|byte| (1..=b' ').contains(&byte)),
            high: map(|byte| byte >= 0x80),
            lead: map(|byte| (0x81..=0xFE).contains(&byte)),
            utf8_start: map(|byte| (0xC2..=0xF4).contains(&byte)),
            from_c0: map(|byte| byte >= 0xC0),
        }
    }

    /// Checks each implementation that this machine can run.
    fn assert_all_find(block: &[u8; BLOCK], expected: &Bitmaps) {
        let mut found = vec![
            ("the best way", with_vectors(block, &mut CopyBitmaps)),
            ("words", words::Words.bitmaps(block)),
        ];
        #[cfg(target_arch = "x86_64")]
        {
            found.push(("SSE2", x86::Sse2(()).bitmaps(block)));
            found.extend(
                x86::Avx2::detect().map(|avx2| ("AVX2", avx2.run(block, &mut CopyBitmaps))),
            );
            found.extend(
                x86::Avx512::detect()
                    .map(|avx512| ("AVX-512", avx512.run(block, &mut CopyBitmaps))),
            );
        }
        #[cfg(all(
            target_arch = "aarch64",
            target_endian = "little",
            target_feature = "neon"
        ))]
        found.push(("NEON", neon::Neon.bitmaps(block)));
        #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
        found.push(("simd128", simd128::Simd128.bitmaps(block)));
        for (way, maps) in found {
            assert_eq!(maps, *expected, "by {way}, on {}", block.escape_ascii());
        }
    }

    /// Miri interprets every instruction, so it tests only a few bytes and places.
    const STEP: usize = if cfg!(miri) { 61 } else { 1 };

    #[test]
    fn each_byte_in_each_place() {
        for byte in (0..=255).step_by(STEP) {
            for (filler, at) in [0, b'[', b'a', 0xFF]
                .into_iter()
                .flat_map(|filler| (0..BLOCK).step_by(STEP).map(move |at| (filler, at)))
            {
                let mut block = [filler; BLOCK];
                block[at] = byte;
                assert_all_find(&block, &one_by_one(&block));
            }
        }
    }

    #[test]
    fn all_bytes_side_by_side() {
        for first in (0..=255u8).step_by(STEP) {
            let block: [u8; BLOCK] =
                std::array::from_fn(|index| first.wrapping_add((7 * index) as u8));
            assert_all_find(&block, &one_by_one(&block));
        }
    }

    /// Work that writes the places of bits, and the bytes there.
    struct WritePlaces {
        bits: u64,
        first: u16,
    }

    impl Work<[u8; BLOCK]> for WritePlaces {
        type Output = Vec<(u16, u8)>;
        fn work<V: Vectors>(&mut self, block: &[u8; BLOCK], vectors: V) -> Vec<(u16, u8)> {
            let (mut places, mut kinds) = ([0; BLOCK], [0; BLOCK]);
            vectors.write(self.bits, self.first, &mut places, block, &mut kinds);
            places
                .into_iter()
                .zip(kinds)
                .take(self.bits.count_ones() as usize)
                .collect()
        }
    }

    #[test]
    fn places_are_those_of_the_bits() {
        // Multiples of an odd number, whose upper bits are as good as random. This module uses no
        // other crate.
        let mixed = |number: u64| {
            number.wrapping_mul(0x9E37_79B9_7F4A_7C15)
                ^ number.wrapping_mul(0xBF58_476D_1CE4_E5B9) >> 29
        };
        let drawn = 1..if cfg!(miri) { 20 } else { 10_000 };
        let dense = drawn
            .clone()
            .map(|number| mixed(number) | mixed(number + (1 << 40)));
        let sparse = drawn
            .map(|number| mixed(number) & mixed(number + (1 << 40)) & mixed(number + (1 << 50)));
        let all_lengths = (0..64).flat_map(|from| [u64::MAX << from, u64::MAX >> from]);
        let block: [u8; BLOCK] = std::array::from_fn(|index| 3 * index as u8);
        for bits in all_lengths.chain([0]).chain(dense).chain(sparse) {
            for first in [0, 64, 4032] {
                let places = (0..64).filter(|&bit| bits >> bit & 1 == 1);
                let expected: Vec<(u16, u8)> =
                    places.map(|bit| (first + bit, 3 * bit as u8)).collect();
                let mut work = WritePlaces { bits, first };
                let mut written = vec![
                    ("the best way", with_vectors(&block, &mut work)),
                    ("words", work.work(&block, words::Words)),
                ];
                #[cfg(target_arch = "x86_64")]
                {
                    written.extend(
                        x86::Avx2::detect().map(|avx2| ("AVX2", avx2.run(&block, &mut work))),
                    );
                    written.extend(
                        x86::Avx512::detect()
                            .map(|avx512| ("AVX-512", avx512.run(&block, &mut work))),
                    );
                }
                for (way, places) in written {
                    assert_eq!(places, expected, "by {way}, of {bits:064b} from {first}");
                }
            }
        }
    }
}
