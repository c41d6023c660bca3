//! Bytes of a block by their place: in values, between tokens, or at the start of a token.

use crate::scan::Framing;
use crate::scan::trail::can_follow_value;

use super::bitmaps::{BLOCK, Bitmaps, Vectors};
use super::characters::escaped;

/// State carried from a block to the next. All fields but `inside` and `brackets` are 1 for true
/// and 0 for false, for use with bitmaps.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Carry {
    /// The bytes of the block that are in a value.
    pub(super) inside: u64,
    /// Whether the last byte is a `\` that escapes.
    pub(super) escapes: u64,
    /// Whether the last byte belongs to a token that may continue.
    pub(super) in_word: u64,
    /// Whether the last byte is 0x80 or more.
    pub(super) high: u64,
    /// The `[` inside values among the last nine bytes, in the lowest bits.
    pub(super) brackets: u64,
}

impl Carry {
    /// Returns 1 if the last byte is in a value.
    #[inline(always)]
    fn is_inside(&self) -> u64 {
        self.inside >> (BLOCK - 1)
    }

    /// Returns whether the block ends in a value.
    #[inline(always)]
    pub(super) fn is_in_value(&self) -> bool {
        self.is_inside() != 0
    }

    /// Sets the state after a byte of a value that no later byte depends on.
    #[inline(always)]
    pub(super) fn go_on_in_text(&mut self) {
        *self = Self {
            inside: u64::MAX,
            ..Self::default()
        };
    }

    /// Passes a block in a value. Returns false and changes nothing if a byte of it may end the
    /// value.
    #[inline(always)]
    pub(super) fn pass_text(&mut self, maps: &Bitmaps) -> bool {
        let (escaped, escapes) = self.escaped(maps);
        let after_high = maps.high << 1 | self.high;
        if maps.close & !escaped | maps.escape & after_high != 0 {
            return false;
        }
        *self = Self {
            inside: u64::MAX,
            escapes,
            in_word: 0,
            high: maps.high >> (BLOCK - 1),
            brackets: maps.open >> (BLOCK as u32 - REACH),
        };
        true
    }

    /// Returns the escaped bytes of the block, and 1 if its last byte escapes.
    #[inline(always)]
    fn escaped(&self, maps: &Bitmaps) -> (u64, u64) {
        match maps.escape | self.escapes {
            0 => (0, 0),
            _ => escaped(maps.escape, self.escapes),
        }
    }

    /// Returns whether the block ends in a value that may have several blocks.
    #[inline(always)]
    pub(super) fn is_in_text(&self) -> bool {
        self.inside >> (BLOCK - LONGER) == (1 << LONGER) - 1
    }
}

/// Number of bytes after a `[` in a value within which a `]` may close the first property of
/// another game: `(;FF[` with up to eight bytes, see `restart_in_value` in `scan::lookahead`.
const REACH: u32 = 9;

/// Classes of the bytes of a block that depend on the bytes before them.
pub(super) struct ContextBitmaps {
    /// Bytes that are neither in a value nor blank.
    pub(super) outside: u64,
    /// Bytes that are neither the content of a value nor its `]`.
    pub(super) outside_value: u64,
    /// Bytes of `outside` other than `;`, `(` and `)`.
    pub(super) words: u64,
    pub(super) tokens: u64,
    pub(super) closes: u64,
    pub(super) doubts: u64,
    /// The `]` and `\` after bytes of 0x80 or more, whose meaning depends on the framing.
    pub(super) high_ends: u64,
}

impl ContextBitmaps {
    #[inline(always)]
    pub(super) fn of(
        maps: &Bitmaps,
        window: &[u8],
        start: usize,
        framing: Framing,
        carry: &mut Carry,
    ) -> Self {
        let (escaped, escapes) = carry.escaped(maps);
        let ends = maps.close & !escaped;
        // A byte is in a value if the last bracket before it is a `[`. The addition carries from
        // each `[` to the next `]` that ends a value.
        let others = !ends;
        let sum = others
            .wrapping_add(maps.open)
            .wrapping_add(carry.is_inside());
        let inside = (others & !sum) | maps.open;
        let after_inside = inside << 1 | carry.is_inside();
        let closes = ends & after_inside;
        let outside = !(inside | closes | maps.blank);
        let signs = maps.semicolon | maps.left | maps.right;
        let words = outside & !signs;
        let tokens = (outside & signs) | (words & !(words << 1 | carry.in_word));

        let mut doubts = 0;
        let after_high = maps.high << 1 | carry.high;
        let high_ends = after_high & (ends | maps.escape);
        if high_ends != 0 && framing != Framing::Value {
            doubts = after_high & (closes | maps.escape);
            if framing == Framing::Auto {
                // If the next byte can follow a value, the `]` certainly ends one.
                doubts &= !(closes & (maps.open | signs) >> 1);
                // A `\` is uncertain only before a `]`, a `\`, or the end of the block.
                let in_doubt = (maps.close | maps.escape) >> 1 | 1 << (BLOCK - 1);
                doubts &= !maps.escape | in_doubt;
                // If a high byte follows, the first `]` stays uncertain. Otherwise the bytes after
                // it may decide.
                if doubts & doubts.wrapping_neg() & closes & !(maps.high >> 1) != 0 {
                    doubts = unsettled(window, start, doubts, closes);
                }
            }
        }
        let brackets = maps.open & after_inside;
        if brackets | carry.brackets != 0 {
            doubts |= closes & within_reach(brackets, carry.brackets);
        }
        *carry = Carry {
            inside,
            escapes,
            in_word: words >> (BLOCK - 1),
            high: maps.high >> (BLOCK - 1),
            brackets: brackets >> (BLOCK as u32 - REACH),
        };
        Self {
            outside,
            outside_value: !after_inside,
            words,
            tokens,
            closes,
            doubts,
            high_ends,
        }
    }
}

/// Returns the uncertain bytes that later bytes of the block do not decide, from the first such
/// byte on.
#[cold]
#[inline(never)]
fn unsettled(window: &[u8], start: usize, mut doubts: u64, closes: u64) -> u64 {
    while doubts != 0 {
        let first = doubts & doubts.wrapping_neg();
        if closes & first == 0
            || !can_follow_value(window, start + first.trailing_zeros() as usize + 1)
        {
            break;
        }
        doubts ^= first;
    }
    doubts
}

/// Returns the bytes at most [`REACH`] after a `[` in `brackets`, or in `before`, the end of the
/// block before.
#[inline(always)]
fn within_reach(brackets: u64, before: u64) -> u64 {
    after(brackets) | after(before) >> REACH
}

/// Returns the [`REACH`] bytes after each of `bytes`.
#[inline(always)]
fn after(bytes: u64) -> u64 {
    let two = bytes << 1 | bytes << 2;
    let four = two | two << 2;
    four | four << 4 | bytes << REACH
}

/// Runs of bytes, and their ends.
#[derive(Clone, Copy, Debug)]
pub(super) struct ByteRuns {
    /// For each start, the first byte after its run; the start itself if it has no run.
    pub(super) first: u64,
    /// The bytes of these runs.
    pub(super) run: u64,
}

/// Finds the runs of `run` that begin at `starts`.
#[inline(always)]
pub(super) fn over(starts: u64, run: u64) -> ByteRuns {
    let sum = starts.wrapping_add(run);
    ByteRuns {
        first: sum & !run,
        run: run & !sum,
    }
}

/// A value with this many bytes in one block is neither a point nor a number, so it may be long.
const LONGER: usize = 16;

/// Number of blocks of a value without an end after which `memchr` is faster.
const FAR: usize = 8;

/// Skips the bytes from `start` on that cannot end the current value. Returns where the next block
/// begins, or `None` if no byte before `last` can end the value.
#[inline(always)]
pub(super) fn leap<V: Vectors>(
    window: &[u8],
    start: usize,
    last: usize,
    vectors: V,
) -> Option<usize> {
    let last = window.len().min(last);
    let far = last.min(start + FAR * BLOCK);
    let mut at = start;
    let end = loop {
        let Some(block) = window.get(at..far).and_then(<[u8]>::first_chunk) else {
            break at + memchr::memchr2(b']', b'\\', window.get(at..last)?)?;
        };
        // The compiler omits all other bitmaps of the block.
        let maps = vectors.bitmaps(block);
        let ends = maps.close | maps.escape;
        if ends != 0 {
            break at + ends.trailing_zeros() as usize;
        }
        at += BLOCK;
    };
    // The bytes shortly before a `]` decide whether it is uncertain, so the next block begins with
    // them. If bytes were skipped, no carried state matters, not even an escape: the escaped byte
    // was skipped.
    Some(end.saturating_sub(REACH as usize).max(start))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn brackets_reach_nine_bytes() {
        let mut rng = fastrand::Rng::with_seed(9);
        for _ in 0..10_000 {
            let brackets = rng.u64(..) & rng.u64(..) & rng.u64(..) & rng.u64(..);
            let before = rng.u64(..1 << REACH) & rng.u64(..);
            let all = u128::from(brackets) << REACH | u128::from(before);
            let reached = (1..=REACH).fold(0, |reached, by| reached | all << by);
            assert_eq!(
                within_reach(brackets, before),
                (reached >> REACH) as u64,
                "{brackets:064b}, {before:09b}"
            );
        }
    }
}
