//! Skips to the end of a variation, without reading its properties.

use crate::scan::Framing;

use super::bitmaps::{BLOCK, Bitmaps, Vectors, Work, with_vectors};
use super::found::leap;
use super::walk::{Passed, Walk, end_in};

/// After so many blocks without an end, a search for the next `]` or `\\` is faster. To look at where each block ends, as a
/// tape does, would be a tenth of the work of a skip.
const EMPTY: u32 = 2;

/// A walk over blocks. It knows where it may end at any time: before a token
/// that was passed, outside of values.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Skip {
    /// Where reading can go on. While the walk goes on: where it began.
    pub(crate) at: usize,
    /// Open variations there.
    pub(crate) open: u64,
    /// Open variations after the last block.
    now: u64,
    /// The variation that is to end: so many are open in it.
    depth: u64,
    walk: Walk,
}

/// Result of skipping a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum SkipResult {
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
        Self { at, open, now: open, depth, walk: Walk::new(framing, child) }
    }

    /// Goes on to the `)` that ends the variation, or to the first byte that is not plain or not in the window;
    /// [`at`](Self::at) is where it came to. True if that is the end.
    #[inline(never)]
    pub(crate) fn run(&mut self, window: &[u8]) -> bool {
        let (skip, is_end) = with_vectors(window, &mut Run { skip: *self });
        *self = skip;
        is_end
    }

    #[inline(always)]
    fn pass(&mut self, maps: &Bitmaps, window: &[u8], start: usize) -> SkipResult {
        let Passed { found, faults, left, right, .. } = self.walk.pass(maps, window, start);
        let mut open = self.now;
        if left | right != 0 {
            let closed = u64::from(right.count_ones());
            if self.now - self.depth < closed
                && let Some(bit) = end_in(self.now, self.depth, left, right)
            {
                // What follows the end has no effect on where it is.
                if faults & ((1 << bit) - 1) != 0 {
                    return SkipResult::Stop;
                }
                self.at = start + bit as usize;
                self.open = self.depth;
                return SkipResult::End;
            }
            open = self.now + u64::from(left.count_ones()) - closed;
        }
        if faults != 0 {
            return SkipResult::Stop;
        }
        if found.tokens != 0 {
            // Reading can go on before the first token of a block.
            self.at = start + found.tokens.trailing_zeros() as usize;
            self.open = self.now;
        }
        self.now = open;
        SkipResult::Whole
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
        let mut empty = 0;
        while let Some(block) = window.get(start..).and_then(|rest| rest.first_chunk()) {
            let maps = vectors.bitmaps(block);
            match skip.pass(&maps, window, start) {
                SkipResult::Whole => {}
                SkipResult::End => return (skip, true),
                SkipResult::Stop => return (skip, false),
            }
            start += BLOCK;
            if maps.close | maps.escape == 0 {
                empty += 1;
                if empty >= EMPTY && skip.walk.carry.is_in_value() {
                    match leap(window, start, window.len(), vectors) {
                        Some(next) => start = next,
                        None => return (skip, false),
                    }
                }
            } else {
                empty = 0;
            }
        }
        (skip, false)
    }
}
