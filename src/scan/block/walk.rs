//! Walk over consecutive blocks, which finds the plain bytes of each.

use crate::scan::Framing;
use crate::scan::class::is_blank;
use crate::scan::fast::{may_be_game, word_at};

use super::bitmaps::{BLOCK, Bitmaps};
use super::context_bitmaps::{Carry, ContextBitmaps, over};

/// State carried from the scanned blocks to the next one.
#[derive(Clone, Copy, Debug)]
pub(super) struct Walk {
    pub(super) framing: Framing,
    pub(super) carry: Carry,
    /// 1 if the last block ends with a `]`, a `(` or a `)`, respectively, or with blanks after one.
    pub(super) after_value: u64,
    pub(super) after_start: u64,
    pub(super) after_end: u64,
}

/// Bitmaps of a scanned block.
pub(super) struct ScannedBlock {
    pub(super) found: ContextBitmaps,
    /// Bytes that may end a value or a game in a way that the bitmaps do not show.
    pub(super) doubts: u64,
    /// Other bytes that may not be plain. The first byte of these and the doubts is not; later ones
    /// may be.
    pub(super) strays: u64,
    /// The `(` and `)` outside of values.
    pub(super) left: u64,
    pub(super) right: u64,
    /// The bytes after a byte of an identifier.
    pub(super) after_word: u64,
}

impl Walk {
    /// Returns a walk from a place outside of values and between tokens. If `child` is set, a
    /// variation ends there, and only `(` and `)` are allowed next.
    pub(super) fn new(framing: Framing, child: bool) -> Self {
        Self {
            framing,
            carry: Carry::default(),
            after_value: 0,
            after_start: 0,
            after_end: u64::from(child),
        }
    }

    /// Scans the block of `window` at `start`.
    #[inline(always)]
    pub(super) fn pass(&mut self, maps: &Bitmaps, window: &[u8], start: usize) -> ScannedBlock {
        let in_word = self.carry.in_word;
        let found = ContextBitmaps::of(maps, window, start, self.framing, &mut self.carry);
        let after_word = found.words << 1 | in_word;
        let after_value = over(found.closes << 1 | self.after_value, maps.blank);
        self.after_value = (found.closes | after_value.run) >> (BLOCK - 1);
        let opens = maps.open & found.outside_value;
        let mut strays =
            (found.words & !maps.capital) | (opens & !(after_word | after_value.first));
        let mut doubts = found.doubts;
        let left = maps.left & found.outside;
        let right = maps.right & found.outside;
        if left | right | self.after_start | self.after_end != 0 {
            let after_start = over(left << 1 | self.after_start, maps.blank);
            let after_end = over(right << 1 | self.after_end, maps.blank);
            self.after_start = (left | after_start.run) >> (BLOCK - 1);
            self.after_end = (right | after_end.run) >> (BLOCK - 1);
            strays |= (after_start.first & !maps.semicolon) | (after_end.first & !(left | right));
            // If a `;` follows, and then a property whose identifier does not have two letters, no
            // other check is needed.
            let unseen = if window.len() - start < BLOCK + 8 {
                u64::MAX
            } else {
                u64::MAX << (BLOCK - 3)
            };
            let sure = maps.semicolon & maps.capital >> 1 & !(maps.open >> 3 | unseen);
            if (after_start.first & !sure) | self.after_start != 0 {
                doubts |= doubtful_starts(window, start, left & !(sure >> 1));
            }
        }
        ScannedBlock {
            found,
            doubts,
            strays,
            left,
            right,
            after_word,
        }
    }
}

/// Returns the `(` among `left`, of the block of `window` at `start`, that may not begin a
/// variation. Either no `;` follows, or another game may begin there with a root property: two
/// letters and a `[`.
//  ( ; F F [
//  0 1 2 3 4
#[cold]
#[inline(never)]
fn doubtful_starts(window: &[u8], start: usize, mut left: u64) -> u64 {
    let mut doubtful = 0;
    while left != 0 {
        let bit = left.trailing_zeros();
        left &= left - 1;
        let after = start + bit as usize + 1;
        let blanks = window[after..]
            .iter()
            .take_while(|&&byte| is_blank(byte))
            .count();
        let is_variation = word_at(window, after + blanks)
            .is_some_and(|word| word as u8 == b';' && !may_be_game(word));
        doubtful |= u64::from(!is_variation) << bit;
    }
    doubtful
}

/// Returns which `)` of `right`, in a block, ends the variation of this depth. `open` variations
/// are open before the block.
#[cold]
#[inline(never)]
pub(super) fn end_in(open: u64, depth: u64, left: u64, mut right: u64) -> Option<u32> {
    let mut closed = 0;
    while right != 0 {
        let bit = right.trailing_zeros();
        right &= right - 1;
        closed += 1;
        if open + u64::from((left & ((1 << bit) - 1)).count_ones()) < depth + closed {
            return Some(bit);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Reference implementation of `end_in`, one sign at a time.
    fn end_one_by_one(open: u64, depth: u64, left: u64, right: u64) -> Option<u32> {
        let mut open = open;
        for bit in 0..BLOCK as u32 {
            open += left >> bit & 1;
            if right >> bit & 1 == 1 {
                if open == depth {
                    return Some(bit);
                }
                open -= 1;
            }
        }
        None
    }

    #[test]
    fn ends_are_those_found_one_by_one() {
        let mut rng = fastrand::Rng::with_seed(17);
        for _ in 0..10_000 {
            let signs = rng.u64(..) & rng.u64(..);
            let left = signs & rng.u64(..);
            let depth = rng.u64(1..4);
            let open = depth + rng.u64(0..12);
            let right = signs & !left;
            assert_eq!(
                end_in(open, depth, left, right),
                end_one_by_one(open, depth, left, right),
                "{open} open, depth {depth}, {left:064b}, {right:064b}"
            );
        }
    }
}
