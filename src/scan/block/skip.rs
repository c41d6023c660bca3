//! Skips to the end of a variation, without reading its properties.

use crate::scan::Framing;

use super::bitmaps::{BLOCK, Bitmaps, Vectors, Work, with_vectors};
use super::found::{Carry, Found, doubtful_starts, leap, over};

/// A walk over blocks. It knows where it may end at any time: before a token
/// that was passed, outside of values.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Skip {
    /// Where reading can go on. While the walk goes on: where it began.
    pub(crate) at: usize,
    /// Open variations there.
    pub(crate) open: u64,
    /// The last block that has a token, where it begins, and what there is of it.
    last: Last,
    /// Open variations after the last block.
    now: u64,
    /// The variation that is to end: so many are open in it.
    depth: u64,
    framing: Framing,
    carry: Carry,
    /// 1 if the block before ends with a `]`, a `(`, a `)`, or blanks after one.
    behind_value: u64,
    behind_start: u64,
    behind_end: u64,
}

/// What tells where a walk may end: before the last token of a block.
#[derive(Clone, Copy, Debug, Default)]
struct Last {
    start: usize,
    tokens: u64,
    left: u64,
    right: u64,
    /// Open variations after the block.
    open: u64,
}

/// What a block came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Passed {
    /// It was passed.
    Whole,
    /// It has the end of the variation, and all before that is plain.
    End,
    /// It has something that is not plain.
    Stop,
}

impl Skip {
    /// From `at` on, in a node of a variation below or of depth `depth`; or,
    /// `child`, after one that was closed there.
    #[inline]
    pub(crate) fn new(at: usize, open: u64, depth: u64, child: bool, framing: Framing) -> Self {
        Self {
            at,
            open,
            last: Last::default(),
            now: open,
            depth,
            framing,
            carry: Carry::default(),
            behind_value: 0,
            behind_start: 0,
            behind_end: u64::from(child),
        }
    }

    /// Goes on to the `)` that ends the variation, or to the first byte that is not plain or not in the window;
    /// [`at`](Self::at) is where it came to. True if that is the end.
    #[inline(never)]
    pub(crate) fn run(&mut self, window: &[u8]) -> bool {
        let (skip, is_end) = with_vectors(window, &mut Run { skip: *self });
        *self = skip;
        if !is_end && self.last.tokens != 0 {
            let Last { start, tokens, left, right, open } = self.last;
            let bit = 63 - tokens.leading_zeros();
            self.at = start + bit as usize;
            self.open = open + (right >> bit & 1) - (left >> bit & 1);
        }
        is_end
    }

    #[inline(always)]
    fn pass(&mut self, maps: &Bitmaps, window: &[u8], start: usize) -> Passed {
        let in_word = self.carry.in_word;
        let found = Found::of(maps, self.framing, &mut self.carry);
        let behind_value = over(found.closes << 1 | self.behind_value, maps.blank);
        let opens = maps.open & found.outside_value;
        let mut faults =
            (found.words & !maps.capital) | (opens & !(found.words << 1 | in_word | behind_value.first)) | found.doubts;
        self.behind_value = (found.closes | behind_value.run) >> (BLOCK - 1);
        let left = maps.left & found.outside;
        let right = maps.right & found.outside;
        if left | right | self.behind_start | self.behind_end != 0 {
            let behind_start = over(left << 1 | self.behind_start, maps.blank);
            let behind_end = over(right << 1 | self.behind_end, maps.blank);
            faults |= (behind_start.first & !maps.semicolon) | (behind_end.first & !(left | right));
            self.behind_start = (left | behind_start.run) >> (BLOCK - 1);
            self.behind_end = (right | behind_end.run) >> (BLOCK - 1);
            faults |= doubtful_starts(window, start, maps, left);
            let closed = u64::from(right.count_ones());
            if self.now - self.depth < closed
                && let Some((bit, open)) = self.end_in(left, right)
            {
                // What follows the end has no effect on where it is.
                if faults & ((1 << bit) - 1) != 0 {
                    return Passed::Stop;
                }
                self.at = start + bit as usize;
                self.open = open;
                return Passed::End;
            }
            self.now = self.now + u64::from(left.count_ones()) - closed;
        }
        if faults != 0 {
            return Passed::Stop;
        }
        if found.tokens != 0 {
            self.last = Last { start, tokens: found.tokens, left, right, open: self.now };
        }
        Passed::Whole
    }

    /// The `)` that ends the variation, and the variations open before it.
    fn end_in(&self, left: u64, right: u64) -> Option<(u32, u64)> {
        let mut open = self.now;
        let mut signs = left | right;
        while signs != 0 {
            let bit = signs.trailing_zeros();
            signs &= signs - 1;
            if left >> bit & 1 == 1 {
                open += 1;
            } else if open == self.depth {
                return Some((bit, open));
            } else {
                open -= 1;
            }
        }
        None
    }
}

/// Passes blocks. It has the walk by value, so that its numbers can stay in registers.
struct Run {
    skip: Skip,
}

impl Work<[u8]> for Run {
    type Output = (Skip, bool);

    #[inline(always)]
    fn work<V: Vectors>(&mut self, window: &[u8], vectors: V) -> (Skip, bool) {
        let mut skip = self.skip;
        let mut start = skip.at;
        while let Some(block) = window.get(start..).and_then(|rest| rest.first_chunk()) {
            let maps = vectors.bitmaps(block);
            match skip.pass(&maps, window, start) {
                Passed::Whole => {}
                Passed::End => return (skip, true),
                Passed::Stop => return (skip, false),
            }
            start += BLOCK;
            // Where there is one escape, there are more: a search would come to the next block.
            if maps.close | maps.escape == 0 && skip.carry.inside != 0 && skip.carry.escapes == 0 {
                match leap(window, start, window.len(), &mut skip.carry) {
                    Some(next) => start = next,
                    None => return (skip, false),
                }
            }
        }
        (skip, false)
    }
}
