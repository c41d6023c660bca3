//! Sixty-four bytes at once: which of them are brackets, escapes, signs,
//! blanks, parts of characters. One bit a byte, the first byte lowest.

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
    /// The first bytes of characters of two, in GBK, GB18030, Big5 or Shift_JIS.
    pub(super) lead: u64,
    /// The first bytes of characters of UTF-8 that have several.
    pub(super) utf8_start: u64,
    /// 0xC0 and more.
    pub(super) from_c0: u64,
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
        $maps.lead |= $put($between(0x81, 0xFE));
        $maps.utf8_start |= $put($between(0xC2, 0xF4));
        $maps.from_c0 |= $put($between(0xC0, 0xFF));
    };
}

/// What is done with bytes, of one block or of many. It is compiled once for each kind of vectors, together with what
/// makes bitmaps: a call between the two would cost as much as either.
pub(super) trait Work<Bytes: ?Sized> {
    type Output;
    /// To be `inline(always)`. The work is lent, as a copy of it would be made just after it was written, which stalls.
    fn work<V: Vectors>(&mut self, bytes: &Bytes, vectors: V) -> Self::Output;
}

/// A way of looking at 64 bytes. Whoever has one may use it: it is made only where the machine can do it.
pub(super) trait Vectors: Copy {
    fn bitmaps(self, block: &[u8; BLOCK]) -> Bitmaps;
}

/// Does `work` by the best vectors of this machine.
#[inline(always)]
pub(super) fn with_vectors<B: ?Sized, W: Work<B>>(bytes: &B, work: &mut W) -> W::Output {
    #[cfg(target_arch = "x86_64")]
    return x86::with_vectors(bytes, work);
    #[cfg(not(target_arch = "x86_64"))]
    work.work(bytes, Words)
}

/// Eight bytes at a time, on any machine.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(target_arch = "x86_64", cfg(test))]
struct Words;

#[cfg_attr(target_arch = "x86_64", cfg(test))]
impl Vectors for Words {
    #[inline(always)]
    fn bitmaps(self, block: &[u8; BLOCK]) -> Bitmaps {
        let mut maps = Bitmaps::default();
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

/// What is done with one block.
pub(super) trait BlockWork {
    type Output;
    /// To be `inline(always)`.
    fn work(&mut self, maps: &Bitmaps) -> Self::Output;
}

impl<W: BlockWork> Work<[u8; BLOCK]> for W {
    type Output = W::Output;
    #[inline(always)]
    fn work<V: Vectors>(&mut self, block: &[u8; BLOCK], vectors: V) -> W::Output {
        BlockWork::work(self, &vectors.bitmaps(block))
    }
}

/// Gives the bitmaps of the block at `start` to `work`. The last block of a
/// window is filled up with NULs, which are tokens outside of values and
/// nothing inside.
#[inline(always)]
pub(super) fn with_bitmaps<W: BlockWork>(window: &[u8], start: usize, work: &mut W) -> Option<W::Output> {
    let rest = window.get(start..)?;
    match rest.first_chunk() {
        Some(block) => Some(with_vectors(block, work)),
        None => with_short_bitmaps(rest, work),
    }
}

#[cold]
#[inline(never)]
fn with_short_bitmaps<W: BlockWork>(rest: &[u8], work: &mut W) -> Option<W::Output> {
    let mut block = [0; BLOCK];
    block[..rest.len()].copy_from_slice(rest);
    (!rest.is_empty()).then(|| with_vectors(&block, work))
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

/// The high bit of each byte from `first` to `last`, both below 0x80 or both not.
#[cfg_attr(target_arch = "x86_64", cfg(test))]
fn between(word: u64, first: u8, last: u8) -> u64 {
    let low = word & !HIGH;
    let from_first = low + LOW * u64::from(0x80 - (first & 0x7F));
    let behind_last = low + LOW * u64::from(0x7F - (last & 0x7F));
    let half = if first < 0x80 { !word } else { word };
    from_first & !behind_last & half & HIGH
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

    use std::sync::atomic::{AtomicU8, Ordering};

    use super::{BLOCK, Bitmaps, Vectors, Work};

    /// The best vectors of this machine, once they are known: to ask for each of their parts costs as much as they do.
    static BEST: AtomicU8 = AtomicU8::new(UNKNOWN);
    const UNKNOWN: u8 = 0;
    const SSE2: u8 = 1;
    const AVX2: u8 = 2;
    const AVX512: u8 = 3;

    #[inline(always)]
    pub(super) fn with_vectors<B: ?Sized, W: Work<B>>(bytes: &B, work: &mut W) -> W::Output {
        let mut best = BEST.load(Ordering::Relaxed);
        if best == UNKNOWN {
            best = find_best();
        }
        match best {
            AVX512 => Avx512(()).run(bytes, work),
            AVX2 => Avx2(()).run(bytes, work),
            _ => Sse2(()).run(bytes, work),
        }
    }

    #[cold]
    #[inline(never)]
    fn find_best() -> u8 {
        let best = match (Avx512::detect(), Avx2::detect()) {
            (Some(_), _) => AVX512,
            (None, Some(_)) => AVX2,
            (None, None) => SSE2,
        };
        BEST.store(best, Ordering::Relaxed);
        best
    }

    /// There is one only where the machine has AVX-512.
    #[derive(Clone, Copy)]
    pub(super) struct Avx512(());

    impl Avx512 {
        pub(super) fn detect() -> Option<Self> {
            let has_it = is_x86_feature_detected!("avx512bw")
                && is_x86_feature_detected!("bmi1")
                && is_x86_feature_detected!("bmi2")
                && is_x86_feature_detected!("lzcnt")
                && is_x86_feature_detected!("popcnt");
            has_it.then_some(Self(()))
        }

        #[inline(always)]
        pub(super) fn run<B: ?Sized, W: Work<B>>(self, bytes: &B, work: &mut W) -> W::Output {
            #[target_feature(enable = "avx512f,avx512bw,bmi1,bmi2,lzcnt,popcnt")]
            fn run<B: ?Sized, W: Work<B>>(bytes: &B, work: &mut W, avx512: Avx512) -> W::Output {
                work.work(bytes, avx512)
            }
            // SAFETY: the machine has what the function wants, or there would be no `self`.
            unsafe { run(bytes, work, self) }
        }
    }

    impl Vectors for Avx512 {
        #[inline(always)]
        fn bitmaps(self, block: &[u8; BLOCK]) -> Bitmaps {
            // SAFETY: the machine has AVX-512, or there would be no `self`. The pointer is that of 64 bytes, and they
            // need not be aligned.
            unsafe {
                let bytes = _mm512_loadu_si512(block.as_ptr().cast());
                let splat = |byte: u8| _mm512_set1_epi8(byte as i8);
                let equal = |byte: u8| _mm512_cmpeq_epi8_mask(bytes, splat(byte));
                let between = |first: u8, last: u8| {
                    _mm512_cmple_epu8_mask(_mm512_sub_epi8(bytes, splat(first)), splat(last - first))
                };
                let put = |mask: u64| mask;
                let mut maps = Bitmaps::default();
                add_classes!(maps, equal, between, std::ops::BitOr::bitor, _mm512_movepi8_mask(bytes), put);
                maps
            }
        }
    }

    /// There is one only where the machine has AVX2.
    #[derive(Clone, Copy)]
    pub(super) struct Avx2(());

    impl Avx2 {
        pub(super) fn detect() -> Option<Self> {
            let has_it = is_x86_feature_detected!("avx2")
                && is_x86_feature_detected!("bmi1")
                && is_x86_feature_detected!("bmi2")
                && is_x86_feature_detected!("lzcnt")
                && is_x86_feature_detected!("popcnt");
            has_it.then_some(Self(()))
        }

        #[inline(always)]
        pub(super) fn run<B: ?Sized, W: Work<B>>(self, bytes: &B, work: &mut W) -> W::Output {
            #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
            fn run<B: ?Sized, W: Work<B>>(bytes: &B, work: &mut W, avx2: Avx2) -> W::Output {
                work.work(bytes, avx2)
            }
            // SAFETY: the machine has what the function wants, or there would be no `self`.
            unsafe { run(bytes, work, self) }
        }
    }

    impl Vectors for Avx2 {
        #[inline(always)]
        fn bitmaps(self, block: &[u8; BLOCK]) -> Bitmaps {
            let mut maps = Bitmaps::default();
            for (index, bytes) in block.as_chunks::<32>().0.iter().enumerate() {
                // SAFETY: the machine has AVX2, or there would be no `self`. The pointer is that of 32 bytes, and they
                // need not be aligned.
                unsafe {
                    let bytes = _mm256_loadu_si256(bytes.as_ptr().cast());
                    let splat = |byte: u8| _mm256_set1_epi8(byte as i8);
                    let equal = |byte: u8| _mm256_cmpeq_epi8(bytes, splat(byte));
                    let between = |first: u8, last: u8| {
                        let from_first = _mm256_sub_epi8(bytes, splat(first));
                        _mm256_cmpeq_epi8(_mm256_min_epu8(from_first, splat(last - first)), from_first)
                    };
                    let put = |vector: __m256i| u64::from(_mm256_movemask_epi8(vector) as u32) << (32 * index);
                    let or = |one, other| _mm256_or_si256(one, other);
                    add_classes!(maps, equal, between, or, bytes, put);
                }
            }
            maps
        }
    }

    /// Every x86-64 has SSE2.
    #[derive(Clone, Copy)]
    pub(super) struct Sse2(pub(super) ());

    impl Sse2 {
        #[inline(never)]
        fn run<B: ?Sized, W: Work<B>>(self, bytes: &B, work: &mut W) -> W::Output {
            work.work(bytes, self)
        }
    }

    impl Vectors for Sse2 {
        #[inline(always)]
        fn bitmaps(self, block: &[u8; BLOCK]) -> Bitmaps {
            let mut maps = Bitmaps::default();
            for (index, bytes) in block.as_chunks::<16>().0.iter().enumerate() {
                // SAFETY: every x86-64 has SSE2. The pointer is that of 16 bytes, and they need not be aligned.
                unsafe {
                    let bytes = _mm_loadu_si128(bytes.as_ptr().cast());
                    let splat = |byte: u8| _mm_set1_epi8(byte as i8);
                    let equal = |byte: u8| _mm_cmpeq_epi8(bytes, splat(byte));
                    let between = |first: u8, last: u8| {
                        let from_first = _mm_sub_epi8(bytes, splat(first));
                        _mm_cmpeq_epi8(_mm_min_epu8(from_first, splat(last - first)), from_first)
                    };
                    let put = |vector: __m128i| u64::from(_mm_movemask_epi8(vector) as u16) << (16 * index);
                    let or = |one, other| _mm_or_si128(one, other);
                    add_classes!(maps, equal, between, or, bytes, put);
                }
            }
            maps
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Gives the bitmaps themselves.
    struct Copied;

    impl BlockWork for Copied {
        type Output = Bitmaps;
        fn work(&mut self, maps: &Bitmaps) -> Bitmaps {
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
            lead: map(|byte| (0x81..=0xFE).contains(&byte)),
            utf8_start: map(|byte| (0xC2..=0xF4).contains(&byte)),
            from_c0: map(|byte| byte >= 0xC0),
        }
    }

    /// Each way that this machine has.
    fn assert_all_find(block: &[u8; BLOCK], expected: &Bitmaps) {
        let mut found = vec![("the best way", with_vectors(block, &mut Copied)), ("words", Words.bitmaps(block))];
        #[cfg(target_arch = "x86_64")]
        {
            found.push(("SSE2", x86::Sse2(()).bitmaps(block)));
            found.extend(x86::Avx2::detect().map(|avx2| ("AVX2", avx2.run(block, &mut Copied))));
            found.extend(x86::Avx512::detect().map(|avx512| ("AVX-512", avx512.run(block, &mut Copied))));
        }
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
