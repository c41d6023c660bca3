//! Bitmaps by the vectors of x86-64.

use std::arch::x86_64::*;

use std::sync::atomic::{AtomicU8, Ordering};

use super::vectors::{BLOCK, Bitmaps, PLACES_IN_BYTE, Vectors, Work, add_classes};

/// The best vectors of this machine. They are stored, because checking for each feature costs as
/// much as using it.
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

/// Vectors of AVX-512. A value exists only if the machine has them.
#[derive(Clone, Copy)]
pub(super) struct Avx512(());

impl Avx512 {
    pub(super) fn detect() -> Option<Self> {
        let has_it = is_x86_feature_detected!("avx512f")
            && is_x86_feature_detected!("avx512bw")
            && is_x86_feature_detected!("avx512vbmi2")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("lzcnt")
            && is_x86_feature_detected!("popcnt");
        has_it.then_some(Self(()))
    }

    #[inline(always)]
    pub(super) fn run<B: ?Sized, W: Work<B>>(self, bytes: &B, work: &mut W) -> W::Output {
        #[target_feature(enable = "avx512f,avx512bw,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
        fn run<B: ?Sized, W: Work<B>>(bytes: &B, work: &mut W, avx512: Avx512) -> W::Output {
            work.work(bytes, avx512)
        }
        // SAFETY: `self` exists only if the machine has the features that the function enables.
        unsafe { run(bytes, work, self) }
    }
}

impl Vectors for Avx512 {
    #[inline(always)]
    fn bitmaps(self, block: &[u8; BLOCK]) -> Bitmaps {
        // SAFETY: `self` exists only if the machine has AVX-512. The pointer points to 64 bytes,
        // which need not be aligned.
        unsafe {
            let bytes = _mm512_loadu_si512(block.as_ptr().cast());
            let splat = |byte: u8| _mm512_set1_epi8(byte as i8);
            let equal = |byte: u8| _mm512_cmpeq_epi8_mask(bytes, splat(byte));
            let between = |first: u8, last: u8| {
                _mm512_cmple_epu8_mask(_mm512_sub_epi8(bytes, splat(first)), splat(last - first))
            };
            let put = |mask: u64| mask;
            let mut maps = Bitmaps::default();
            add_classes!(
                maps,
                equal,
                between,
                std::ops::BitOr::bitor,
                _mm512_movepi8_mask(bytes),
                put
            );
            maps
        }
    }

    #[cfg(not(miri))]
    #[inline(always)]
    fn write(
        self,
        bits: u64,
        first: u16,
        out: &mut [u16; BLOCK],
        block: &[u8; BLOCK],
        kinds: &mut [u8; BLOCK],
    ) {
        const PLACES: [u8; BLOCK] = {
            let mut places = [0; BLOCK];
            let mut place = 0;
            while place < BLOCK {
                places[place] = place as u8;
                place += 1;
            }
            places
        };
        // SAFETY: `self` exists only if the machine has AVX-512 with VBMI2. The pointers point to
        // 64 bytes to read and to twice 32 numbers to write, and need not be aligned.
        unsafe {
            let bytes = _mm512_maskz_compress_epi8(bits, _mm512_loadu_si512(block.as_ptr().cast()));
            _mm512_storeu_si512(kinds.as_mut_ptr().cast(), bytes);
            let packed =
                _mm512_maskz_compress_epi8(bits, _mm512_loadu_si512(PLACES.as_ptr().cast()));
            let first = _mm512_set1_epi16(first as i16);
            let low = _mm512_add_epi16(first, _mm512_cvtepu8_epi16(_mm512_castsi512_si256(packed)));
            _mm512_storeu_si512(out.as_mut_ptr().cast(), low);
            if bits.count_ones() > 32 {
                let high = _mm512_add_epi16(
                    first,
                    _mm512_cvtepu8_epi16(_mm512_extracti64x4_epi64::<1>(packed)),
                );
                _mm512_storeu_si512(out[32..].as_mut_ptr().cast(), high);
            }
        }
    }
}

/// Vectors of AVX2. A value exists only if the machine has them.
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
        // SAFETY: `self` exists only if the machine has the features that the function enables.
        unsafe { run(bytes, work, self) }
    }
}

impl Vectors for Avx2 {
    #[inline(always)]
    fn bitmaps(self, block: &[u8; BLOCK]) -> Bitmaps {
        let mut maps = Bitmaps::default();
        for (index, bytes) in block.as_chunks::<32>().0.iter().enumerate() {
            // SAFETY: `self` exists only if the machine has AVX2. The pointer points to 32 bytes,
            // which need not be aligned.
            unsafe {
                let bytes = _mm256_loadu_si256(bytes.as_ptr().cast());
                let splat = |byte: u8| _mm256_set1_epi8(byte as i8);
                let equal = |byte: u8| _mm256_cmpeq_epi8(bytes, splat(byte));
                let between = |first: u8, last: u8| {
                    let from_first = _mm256_sub_epi8(bytes, splat(first));
                    _mm256_cmpeq_epi8(_mm256_min_epu8(from_first, splat(last - first)), from_first)
                };
                let put = |vector: __m256i| {
                    u64::from(_mm256_movemask_epi8(vector) as u32) << (32 * index)
                };
                let or = |one, other| _mm256_or_si256(one, other);
                add_classes!(maps, equal, between, or, bytes, put);
            }
        }
        maps
    }

    // Eight bytes at a time, whatever their bits are: a loop over the bits costs more from 12 bits
    // on, and ends at an unpredictable place.
    #[inline(always)]
    fn write(
        self,
        bits: u64,
        first: u16,
        out: &mut [u16; BLOCK],
        block: &[u8; BLOCK],
        kinds: &mut [u8; BLOCK],
    ) {
        let mut count = 0;
        // SAFETY: `self` exists only if the machine has AVX2. Each pointer to read points to 8
        // bytes. At most 8 numbers were written for each of the chunks before, so 8 more fit, bytes
        // or pairs of them. No pointer needs to be aligned.
        unsafe {
            let mut first = _mm_set1_epi16(first as i16);
            for (index, eight) in block.as_chunks::<8>().0.iter().enumerate() {
                let byte = (bits >> (8 * index)) as u8;
                let places = _mm_loadl_epi64(PLACES_IN_BYTE[usize::from(byte)].as_ptr().cast());
                let bytes = _mm_shuffle_epi8(_mm_loadl_epi64(eight.as_ptr().cast()), places);
                _mm_storel_epi64(kinds.as_mut_ptr().add(count).cast(), bytes);
                let places = _mm_add_epi16(first, _mm_cvtepu8_epi16(places));
                _mm_storeu_si128(out.as_mut_ptr().add(count).cast(), places);
                first = _mm_add_epi16(first, _mm_set1_epi16(8));
                count += byte.count_ones() as usize;
            }
        }
    }
}

/// Vectors of SSE2, which every x86-64 has.
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
            // SAFETY: every x86-64 has SSE2. The pointer points to 16 bytes, which need not be
            // aligned.
            unsafe {
                let bytes = _mm_loadu_si128(bytes.as_ptr().cast());
                let splat = |byte: u8| _mm_set1_epi8(byte as i8);
                let equal = |byte: u8| _mm_cmpeq_epi8(bytes, splat(byte));
                let between = |first: u8, last: u8| {
                    let from_first = _mm_sub_epi8(bytes, splat(first));
                    _mm_cmpeq_epi8(_mm_min_epu8(from_first, splat(last - first)), from_first)
                };
                let put =
                    |vector: __m128i| u64::from(_mm_movemask_epi8(vector) as u16) << (16 * index);
                let or = |one, other| _mm_or_si128(one, other);
                add_classes!(maps, equal, between, or, bytes, put);
            }
        }
        maps
    }
}
