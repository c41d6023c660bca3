//! The text of a value, 64 bytes at a time: escapes, and characters of two bytes.

use super::bitmaps::{BLOCK, Bitmaps, Vectors, Work, with_vectors};

/// Blocks without a `]` or `\`, one after the other, after which a search for the next one is faster.
const EMPTY: u32 = 8;

/// The bytes at even places of a block.
const IS_EVEN: u64 = 0x5555_5555_5555_5555;

/// Goes on from `at`, a place of a value outside of escapes, to the `]` that ends the value, or to the last bytes. With
/// `in_doubt` also to a `\` that may be half a character, where that matters.
#[inline(never)]
pub(crate) fn pass_text(bytes: &[u8], at: usize, in_doubt: bool) -> usize {
    with_vectors(bytes, &mut PassText { at, in_doubt })
}

struct PassText {
    at: usize,
    in_doubt: bool,
}

impl Work<[u8]> for PassText {
    type Output = usize;

    #[inline(always)]
    fn work<V: Vectors>(&mut self, bytes: &[u8], vectors: V) -> usize {
        let Self { mut at, in_doubt } = *self;
        let (mut escapes, mut empty) = (0, 0);
        let mut high = u64::from(at > 0 && bytes[at - 1] >= 0x80);
        while let Some(block) = bytes.get(at..).and_then(<[u8]>::first_chunk) {
            let maps = vectors.bitmaps(block);
            let ends = maps.close | maps.escape;
            let after_high = if in_doubt { maps.high << 1 | high } else { 0 };
            high = maps.high >> (BLOCK - 1);
            if ends != 0 {
                let (escaped, goes_on) = escaped(maps.escape, escapes);
                // What follows the last byte is not in sight.
                let before_end = ends >> 1 | 1 << (BLOCK - 1);
                let stops = (maps.close & !escaped) | (maps.escape & !escaped & after_high & before_end);
                if stops != 0 {
                    return at + stops.trailing_zeros() as usize;
                }
                escapes = goes_on;
                at += BLOCK;
                continue;
            }
            escapes = 0;
            at += BLOCK;
            empty += 1;
            if empty == EMPTY {
                empty = 0;
                match memchr::memchr2(b']', b'\\', &bytes[at..]) {
                    Some(far) => at += far,
                    None => return bytes.len(),
                }
                high = u64::from(bytes[at - 1] >= 0x80);
            }
        }
        // What is escaped by the last byte that was passed is not passed.
        at - escapes as usize
    }
}

/// Goes on from `at`, a place of a value where a character begins, after a byte below 0x80. Passes characters, and with
/// them each `]` that is surely the second byte of one, as [`Framing::Auto`](crate::Framing::Auto) reads them. Where it
/// came to: an end of the value, an escape that matters, something in doubt, or the last bytes.
#[inline(never)]
pub(crate) fn pass_characters(bytes: &[u8], at: usize) -> usize {
    with_vectors(bytes, &mut PassCharacters { at })
}

struct PassCharacters {
    at: usize,
}

impl Work<[u8]> for PassCharacters {
    type Output = usize;

    #[inline(always)]
    fn work<V: Vectors>(&mut self, bytes: &[u8], vectors: V) -> usize {
        let mut at = self.at;
        while let Some(block) = bytes.get(at..).and_then(<[u8]>::first_chunk) {
            let (passed, is_all) = characters_of(&vectors.bitmaps(block));
            at += passed;
            if !is_all || passed == 0 {
                break;
            }
        }
        at
    }
}

/// How many bytes of a block are passed; and whether these are all that can be seen with what follows them.
#[inline(always)]
fn characters_of(maps: &Bitmaps) -> (usize, bool) {
    // A `]` or `\` is looked at with two more bytes, and with all high bytes before it.
    let sight = BLOCK - 2;
    let sight = sight - (maps.high << (BLOCK - sight)).leading_ones() as usize;
    let starts = maps.high & !(maps.high << 1);
    let after_runs = |starts: u64| starts.wrapping_add(maps.high) & !maps.high;
    // The second byte of a character, if all high bytes are lead bytes, follows an odd number of them.
    let second = after_runs(starts & IS_EVEN) & !IS_EVEN | after_runs(starts & !IS_EVEN) & IS_EVEN;
    let is_double_byte = maps.high & !maps.lead == 0;
    // The high bytes before it cannot be UTF-8: they begin or end with a byte that cannot.
    let not_utf8 = maps.from_c0 << 1 | after_runs(starts & !maps.utf8_start);
    let in_character = if is_double_byte { maps.close & second & not_utf8 & maps.high >> 1 } else { 0 };
    // An escaped byte that is no `]` and no `\` is as any other.
    let ends = maps.close | maps.escape;
    let stops = ends & !in_character & !(maps.escape & !(ends >> 1));
    let first = stops.trailing_zeros() as usize;
    (first.min(sight), first >= sight)
}

/// The bytes after an escaping `\`, and 1 if the last byte is such a `\`. `first` is 1 if the first byte is escaped.
//  Without a branch, as texts have blocks with and without escapes in any order. Of a run of `\`, every second one
//  escapes, from the first on: the even places of a run that begins at an even place, the odd ones of all others.
#[inline(always)]
pub(super) fn escaped(escape: u64, first: u64) -> (u64, u64) {
    let escape = escape & !first;
    // A carry goes through each run that begins at an even place.
    let even_starts = escape & !(escape << 1) & IS_EVEN;
    let in_odd_runs = escape.wrapping_add(even_starts);
    let escaping = (escape & !in_odd_runs & IS_EVEN) | (escape & in_odd_runs & !IS_EVEN);
    (escaping << 1 | first, escaping >> (BLOCK - 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one_by_one(escape: u64, first: u64) -> (u64, u64) {
        let (mut escaped, mut is_escaped) = (0, first != 0);
        for place in 0..u64::BITS {
            escaped |= u64::from(is_escaped) << place;
            is_escaped = escape >> place & 1 == 1 && !is_escaped;
        }
        (escaped, u64::from(is_escaped))
    }

    #[test]
    fn escapes_are_those_found_one_by_one() {
        let mut rng = fastrand::Rng::with_seed(13);
        let all_short = (0..1 << 12).map(|low| low | low << 52);
        let long_runs = (0..64).flat_map(|from| (from..64).map(move |to| (u64::MAX << from) & (u64::MAX >> (63 - to))));
        let random = (0..10_000).map(|_| rng.u64(..) & rng.u64(..) | rng.u64(..) & rng.u64(..) & rng.u64(..));
        for escape in all_short.chain(long_runs).chain(random) {
            for first in [0, 1] {
                assert_eq!(escaped(escape, first), one_by_one(escape, first), "{escape:064b}, {first}");
            }
        }
    }
}
