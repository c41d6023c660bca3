//! Sixty-four bytes at once: which of them are brackets, escapes, signs,
//! blanks. One bit a byte, the first byte lowest.

/// As many bytes as a bitmap has bits.
pub(super) const BLOCK: usize = 64;

/// What the bytes of a block are, seen without their neighbours.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Bitmaps {
    /// `[`
    pub(super) open: u64,
    /// `]`
    pub(super) close: u64,
    /// `\`
    pub(super) escape: u64,
    /// `;`
    pub(super) semicolon: u64,
    /// `(`
    pub(super) left: u64,
    /// `)`
    pub(super) right: u64,
    /// Capitals and digits.
    pub(super) capital: u64,
    /// All up to the space but NUL, of which the reader tells.
    pub(super) blank: u64,
    /// 0x80 and more.
    pub(super) high: u64,
}

/// Adds to `$maps` which of some bytes are what, by how they are compared with
/// one, with a range, and what makes bits of the answer.
macro_rules! add_classes {
    ($maps:ident, $equal:ident, $between:ident, $or:expr, $high:expr, $put:ident) => {
        $maps.open |= $put($equal(b'['));
        $maps.close |= $put($equal(b']'));
        $maps.escape |= $put($equal(b'\\'));
        $maps.semicolon |= $put($equal(b';'));
        $maps.left |= $put($equal(b'('));
        $maps.right |= $put($equal(b')'));
        $maps.capital |= $put($or($between(b'A', b'Z'), $between(b'0', b'9')));
        $maps.blank |= $put($between(1, b' '));
        $maps.high |= $put($high);
    };
}

/// What is done with bitmaps. It is compiled once for each way of making them,
/// together with it: a call between the two would cost as much as either.
pub(super) trait Work {
    type Output;
    /// To be `inline(always)`.
    fn work(self, maps: &Bitmaps) -> Self::Output;
}

impl Bitmaps {
    /// Gives the bitmaps of `block` to `work`, by the best way of this machine.
    #[inline(always)]
    pub(super) fn with<W: Work>(block: &[u8; BLOCK], work: W) -> W::Output {
        #[cfg(target_arch = "x86_64")]
        return x86::with(block, work);
        #[cfg(not(target_arch = "x86_64"))]
        work.work(&Self::by_words(block))
    }

    /// The bitmaps of `block`, eight bytes at a time, on any machine.
    #[cfg_attr(target_arch = "x86_64", cfg(test))]
    pub(super) fn by_words(block: &[u8; BLOCK]) -> Self {
        let mut maps = Self::default();
        for (index, word) in block.as_chunks::<8>().0.iter().enumerate() {
            let word = u64::from_le_bytes(*word);
            let equal = |byte: u8| equal(word, byte);
            let between = |first: u8, last: u8| between(word, first, last);
            let put = |bits: u64| gather(bits) << (8 * index);
            add_classes!(maps, equal, between, std::ops::BitOr::bitor, word & HIGH, put);
        }
        maps
    }
}

/// Gives the bitmaps of the block at `start` to `work`. The last block of a
/// window is filled up with NULs, which are tokens outside of values and
/// nothing inside.
#[inline(always)]
pub(super) fn with_bitmaps<W: Work>(window: &[u8], start: usize, work: W) -> Option<W::Output> {
    let rest = window.get(start..)?;
    match rest.first_chunk() {
        Some(block) => Some(Bitmaps::with(block, work)),
        None => with_short_bitmaps(rest, work),
    }
}

#[cold]
#[inline(never)]
fn with_short_bitmaps<W: Work>(rest: &[u8], work: W) -> Option<W::Output> {
    let mut block = [0; BLOCK];
    block[..rest.len()].copy_from_slice(rest);
    (!rest.is_empty()).then(|| Bitmaps::with(&block, work))
}

#[cfg_attr(target_arch = "x86_64", cfg(test))]
const LOW: u64 = 0x0101_0101_0101_0101;
#[cfg_attr(target_arch = "x86_64", cfg(test))]
const HIGH: u64 = 0x8080_8080_8080_8080;

/// The high bit of each byte that is `byte`.
#[cfg_attr(target_arch = "x86_64", cfg(test))]
fn equal(word: u64, byte: u8) -> u64 {
    let word = word ^ (LOW * u64::from(byte));
    // A byte that is not 0 carries into its high bit, or has it set.
    !(((word & !HIGH) + !HIGH) | word) & HIGH
}

/// The high bit of each byte from `first` to `last`, both below 0x80.
#[cfg_attr(target_arch = "x86_64", cfg(test))]
fn between(word: u64, first: u8, last: u8) -> u64 {
    let low = word & !HIGH;
    let from_first = low + LOW * u64::from(0x80 - first);
    let behind_last = low + LOW * u64::from(0x7F - last);
    from_first & !behind_last & !word & HIGH
}

/// The high bits of eight bytes, side by side.
#[cfg_attr(target_arch = "x86_64", cfg(test))]
fn gather(high_bits: u64) -> u64 {
    (high_bits >> 7).wrapping_mul(0x0102_0408_1020_4080) >> 56
}

#[cfg(target_arch = "x86_64")]
#[allow(
    unsafe_code,
    reason = "the one module that has it: 1.5 times the rate of the whole reader, see docs/performance.md"
)]
mod x86 {
    use std::arch::x86_64::*;

    use super::{BLOCK, Bitmaps, Work};

    #[inline(always)]
    pub(super) fn with<W: Work>(block: &[u8; BLOCK], work: W) -> W::Output {
        if has_avx512() {
            // SAFETY: the machine has what the function wants, as was just
            // seen. This holds for all calls here: the functions take bytes by
            // reference and want nothing else.
            unsafe { with_avx512(block, work) }
        } else if has_avx2() {
            // SAFETY: as above.
            unsafe { with_avx2(block, work) }
        } else {
            // SAFETY: every x86-64 has SSE2.
            unsafe { with_sse2(block, work) }
        }
    }

    #[inline(always)]
    pub(super) fn has_avx512() -> bool {
        is_x86_feature_detected!("avx512bw")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("lzcnt")
    }

    #[inline(always)]
    pub(super) fn has_avx2() -> bool {
        is_x86_feature_detected!("avx2") && is_x86_feature_detected!("bmi1") && is_x86_feature_detected!("lzcnt")
    }

    #[target_feature(enable = "avx512bw,bmi1,bmi2,lzcnt")]
    pub(super) fn with_avx512<W: Work>(block: &[u8; BLOCK], work: W) -> W::Output {
        // SAFETY: the pointer is that of 64 bytes, and they need not be aligned.
        let bytes = unsafe { _mm512_loadu_si512(block.as_ptr().cast()) };
        let splat = |byte: u8| _mm512_set1_epi8(byte as i8);
        let equal = |byte: u8| _mm512_cmpeq_epi8_mask(bytes, splat(byte));
        let between =
            |first: u8, last: u8| _mm512_cmple_epu8_mask(_mm512_sub_epi8(bytes, splat(first)), splat(last - first));
        let put = |mask: u64| mask;
        let mut maps = Bitmaps::default();
        add_classes!(maps, equal, between, std::ops::BitOr::bitor, _mm512_movepi8_mask(bytes), put);
        work.work(&maps)
    }

    #[target_feature(enable = "avx2,bmi1,lzcnt")]
    pub(super) fn with_avx2<W: Work>(block: &[u8; BLOCK], work: W) -> W::Output {
        let mut maps = Bitmaps::default();
        for (index, bytes) in block.as_chunks::<32>().0.iter().enumerate() {
            // SAFETY: the pointer is that of 32 bytes, and they need not be aligned.
            let bytes = unsafe { _mm256_loadu_si256(bytes.as_ptr().cast()) };
            let splat = |byte: u8| _mm256_set1_epi8(byte as i8);
            let equal = |byte: u8| _mm256_cmpeq_epi8(bytes, splat(byte));
            let between = |first: u8, last: u8| {
                let from_first = _mm256_sub_epi8(bytes, splat(first));
                _mm256_cmpeq_epi8(_mm256_min_epu8(from_first, splat(last - first)), from_first)
            };
            let put = |vector: __m256i| u64::from(_mm256_movemask_epi8(vector) as u32) << (32 * index);
            add_classes!(maps, equal, between, _mm256_or_si256, bytes, put);
        }
        work.work(&maps)
    }

    #[target_feature(enable = "sse2")]
    pub(super) fn with_sse2<W: Work>(block: &[u8; BLOCK], work: W) -> W::Output {
        let mut maps = Bitmaps::default();
        for (index, bytes) in block.as_chunks::<16>().0.iter().enumerate() {
            // SAFETY: the pointer is that of 16 bytes, and they need not be aligned.
            let bytes = unsafe { _mm_loadu_si128(bytes.as_ptr().cast()) };
            let splat = |byte: u8| _mm_set1_epi8(byte as i8);
            let equal = |byte: u8| _mm_cmpeq_epi8(bytes, splat(byte));
            let between = |first: u8, last: u8| {
                let from_first = _mm_sub_epi8(bytes, splat(first));
                _mm_cmpeq_epi8(_mm_min_epu8(from_first, splat(last - first)), from_first)
            };
            let put = |vector: __m128i| u64::from(_mm_movemask_epi8(vector) as u16) << (16 * index);
            add_classes!(maps, equal, between, _mm_or_si128, bytes, put);
        }
        work.work(&maps)
    }

    /// All ways that this machine has.
    #[cfg(test)]
    pub(super) fn every_way(block: &[u8; BLOCK]) -> Vec<(&'static str, Bitmaps)> {
        // SAFETY: every x86-64 has SSE2.
        let mut found = vec![("SSE2", unsafe { with_sse2(block, super::Copied) })];
        if has_avx2() {
            // SAFETY: the machine has it, as was just seen.
            found.push(("AVX2", unsafe { with_avx2(block, super::Copied) }));
        }
        if has_avx512() {
            // SAFETY: the machine has it, as was just seen.
            found.push(("AVX-512", unsafe { with_avx512(block, super::Copied) }));
        }
        found
    }
}

/// Gives the bitmaps themselves.
#[cfg(test)]
struct Copied;

#[cfg(test)]
mod tests {
    use super::*;

    impl Work for super::Copied {
        type Output = Bitmaps;
        fn work(self, maps: &Bitmaps) -> Bitmaps {
            *maps
        }
    }

    fn one_by_one(block: &[u8; BLOCK]) -> Bitmaps {
        let map = |is: fn(u8) -> bool| {
            block.iter().enumerate().fold(0, |map, (index, &byte)| map | u64::from(is(byte)) << index)
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
        }
    }

    /// Each way that this machine has.
    fn assert_all_find(block: &[u8; BLOCK], expected: &Bitmaps) {
        let mut found = vec![("the best way", Bitmaps::with(block, Copied)), ("words", Bitmaps::by_words(block))];
        #[cfg(target_arch = "x86_64")]
        found.extend(x86::every_way(block));
        for (way, maps) in found {
            assert_eq!(maps, *expected, "by {way}, on {}", block.escape_ascii());
        }
    }

    /// Miri interprets every instruction: there, a few bytes and places must do.
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
            let block: [u8; BLOCK] = std::array::from_fn(|index| first.wrapping_add((7 * index) as u8));
            assert_all_find(&block, &one_by_one(&block));
        }
    }
}
