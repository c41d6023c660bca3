//! Search in the text of a value, 64 bytes at a time, past escapes and characters of two bytes.

use crate::scan::trail::{TrailMeaning, half_by_what_follows, high_run, in_auto, is_lead_of_pair};

use super::bitmaps::{BLOCK, Bitmaps, Vectors, Work, with_vectors};

/// Number of consecutive blocks without a `]` or `\` after which `memchr` is faster.
const EMPTY: u32 = 8;

/// Bitmap of the bytes at even places of a block.
const IS_EVEN: u64 = 0x5555_5555_5555_5555;

/// Skips from `at`, a place of a value outside of escapes, to the `]` that ends the value, or to
/// the last bytes. With `in_doubt`, it also stops at a `\` that may be half a character, where that
/// matters.
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
                // The byte after the last one is beyond the block.
                let before_end = ends >> 1 | 1 << (BLOCK - 1);
                let stops =
                    (maps.close & !escaped) | (maps.escape & !escaped & after_high & before_end);
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
        // If the last skipped byte escapes the next one, stop before it: the result must be outside
        // of escapes.
        at - escapes as usize
    }
}

/// Place that [`pass_characters`] reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CharacterStop {
    /// The `]` that ends the value.
    End(usize),
    /// A byte whose meaning needs more bytes than there are.
    More(usize),
    /// The last bytes, or the end: a place outside of escapes.
    Rest(usize),
}

/// Searches the end of the value whose content starts at `start`, as `Framing::Auto` reads it. The
/// search begins at `at`, a place outside of escapes. Also returns whether a `]` or `\` on the way
/// is half a character.
#[inline(never)]
pub(crate) fn pass_characters(
    bytes: &[u8],
    start: usize,
    at: usize,
    last: bool,
) -> (CharacterStop, bool) {
    with_vectors(bytes, &mut PassCharacters { start, at, last })
}

struct PassCharacters {
    start: usize,
    at: usize,
    last: bool,
}

impl Work<[u8]> for PassCharacters {
    type Output = (CharacterStop, bool);

    #[inline(always)]
    fn work<V: Vectors>(&mut self, bytes: &[u8], vectors: V) -> (CharacterStop, bool) {
        let Self {
            start,
            mut at,
            last,
        } = *self;
        let mut run = match at > start && bytes[at - 1] >= 0x80 {
            true => Run::before(bytes, start, at),
            false => Run::default(),
        };
        let (mut escapes, mut empty, mut multibyte) = (0, 0, false);
        'blocks: while let Some(block) = bytes.get(at..).and_then(<[u8]>::first_chunk) {
            let maps = vectors.bitmaps(block);
            let after_high = maps.high << 1 | run.high;
            let halves = run.pass(&maps);
            let (escaped, goes_on) = match maps.escape | escapes {
                0 => (0, 0),
                _ => escaped(maps.escape, escapes),
            };
            let closes = maps.close & !escaped;
            // Mostly the next character of a text follows, and that cannot follow a value.
            let in_character = closes & halves & (maps.high | maps.close | maps.escape) >> 1;
            // Elsewhere a `\` escapes, or its meaning makes no difference. The byte after the last
            // one is beyond the block.
            let before_close = maps.close >> 1
                | maps.escape >> 1 & (maps.close >> 2 | 1 << (BLOCK - 2))
                | 1 << (BLOCK - 1);
            let in_doubt = maps.escape & !escaped & after_high & before_close;
            let followed = (maps.open | maps.semicolon | maps.left | maps.right) >> 1;
            let sure_ends = closes & (followed | !after_high);
            let mut stops = (closes & !in_character) | in_doubt;
            while stops != 0 {
                let stop = stops & stops.wrapping_neg();
                let place = at + stop.trailing_zeros() as usize;
                let verdict = if sure_ends & stop != 0 {
                    TrailMeaning::End
                } else if closes & halves & stop != 0 {
                    half_by_what_follows(bytes, place, last)
                } else {
                    in_auto(bytes, start, place, last)
                };
                let is_after_half = multibyte | (in_character & (stop - 1) != 0);
                match verdict {
                    TrailMeaning::End => return (CharacterStop::End(place), is_after_half),
                    TrailMeaning::EndAt(end) => return (CharacterStop::End(end), true),
                    TrailMeaning::More => return (CharacterStop::More(place), is_after_half),
                    TrailMeaning::Escape(_) => {}
                    TrailMeaning::InCharacter(next) => {
                        multibyte = true;
                        if next != place + 1 {
                            // The bitmap of escapes is wrong up to that index, so a new block
                            // begins there.
                            (at, run, escapes) = (next, Run::default(), 0);
                            continue 'blocks;
                        }
                    }
                }
                stops ^= stop;
            }
            multibyte |= in_character != 0;
            escapes = goes_on;
            at += BLOCK;
            if maps.close | maps.escape == 0 {
                empty += 1;
                if empty == EMPTY {
                    empty = 0;
                    match memchr::memchr2(b']', b'\\', &bytes[at..]) {
                        Some(far) => at += far,
                        None => return (CharacterStop::Rest(bytes.len()), multibyte),
                    }
                    run = Run::before(bytes, start, at);
                }
            }
        }
        (CharacterStop::Rest(at - escapes as usize), multibyte)
    }
}

/// Run of bytes of 0x80 and more directly before a block.
#[derive(Clone, Copy, Debug, Default)]
struct Run {
    /// 1 if it has any bytes, or else 0. The next three fields are 1 or 0, too.
    high: u64,
    /// Whether its length is odd.
    odd: u64,
    /// Whether its first byte cannot begin a character of UTF-8.
    no_start: u64,
    /// Whether its last byte is 0xC0 or more, and so cannot end a character of UTF-8.
    from_c0: u64,
    /// Whether some of its bytes cannot begin a character of two bytes.
    has_others: bool,
}

impl Run {
    fn before(bytes: &[u8], start: usize, at: usize) -> Self {
        match high_run(bytes, start, at) {
            [] => Self::default(),
            run @ [first, .., last] | run @ [first @ last] => Self {
                high: 1,
                odd: run.len() as u64 & 1,
                no_start: u64::from(!(0xC2..=0xF4).contains(first)),
                from_c0: u64::from(*last >= 0xC0),
                has_others: !run.iter().all(|&byte| is_lead_of_pair(byte)),
            },
        }
    }

    /// Returns the bytes of a block that are certainly second bytes of characters, after high bytes
    /// that are certainly not UTF-8. The run becomes the one before the next block.
    #[inline(always)]
    fn pass(&mut self, maps: &Bitmaps) -> u64 {
        let before = *self;
        let first = maps.high & before.high;
        let ended = before.high & !maps.high;
        let starts = maps.high & !(maps.high << 1 | before.high);
        let after_runs = |starts: u64| starts.wrapping_add(maps.high) & !maps.high;
        // If all high bytes are lead bytes, the second byte of a character follows an odd number of
        // them.
        let from_even = starts & IS_EVEN | first & !before.odd;
        let from_odd = starts & !IS_EVEN | first & before.odd;
        let second =
            after_runs(from_even) & !IS_EVEN | after_runs(from_odd) & IS_EVEN | ended & before.odd;
        // The high bytes are not UTF-8 if their first byte cannot begin a character or their last
        // byte cannot end one.
        let not_utf8 = maps.from_c0 << 1
            | before.from_c0
            | after_runs(starts & !maps.utf8_start | first & before.no_start)
            | ended & before.no_start;
        let has_others = maps.high & !maps.lead != 0 || before.has_others;
        let len = maps.high.leading_ones();
        let goes_on = maps.high == u64::MAX && before.high != 0;
        let start = (BLOCK as u32 - len) % BLOCK as u32;
        *self = Self {
            high: maps.high >> (BLOCK - 1),
            odd: if goes_on {
                before.odd
            } else {
                u64::from(len & 1)
            },
            no_start: if goes_on {
                before.no_start
            } else {
                !maps.utf8_start >> start & 1
            },
            from_c0: maps.from_c0 >> (BLOCK - 1),
            has_others: has_others && len != 0,
        };
        if has_others { 0 } else { second & not_utf8 }
    }
}

/// Returns the bytes after an escaping `\`, and 1 if the last byte is such a `\`. `first` is 1 if
/// the first byte is escaped.
// There is no branch, because blocks with and without escapes come in any order. In a run of `\`,
// every second one escapes, beginning with the first: the even places of a run that begins at an
// even place, the odd places of any other run.
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
        let long_runs = (0..64).flat_map(|from| {
            (from..64).map(move |to| (u64::MAX << from) & (u64::MAX >> (63 - to)))
        });
        let random = (0..10_000)
            .map(|_| rng.u64(..) & rng.u64(..) | rng.u64(..) & rng.u64(..) & rng.u64(..));
        for escape in all_short.chain(long_runs).chain(random) {
            for first in [0, 1] {
                assert_eq!(
                    escaped(escape, first),
                    one_by_one(escape, first),
                    "{escape:064b}, {first}"
                );
            }
        }
    }
}
