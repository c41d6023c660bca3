//! Skips to the end of a variation, without reading its properties.

use crate::scan::Framing;

use super::bitmaps::{BLOCK, Bitmaps, Vectors, Work, with_vectors};
use super::context_bitmaps::leap;
use super::walk::{ScannedBlock, Walk, end_in};

/// Number of blocks without an end after which a search for the next `]` or `\` is faster. Checking
/// whether each block ends in a text, as a token list does, would cost a tenth of a skip.
const EMPTY: u32 = 2;

/// Walk over blocks to the end of a variation. It can stop at any time, because it remembers a
/// place before a skipped token, outside of values.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Skip {
    /// Where reading can continue: the start, or the first `;` or `)` of the last skipped block that
    /// has one. What comes before these does not change how they are read.
    pub(crate) at: usize,
    /// Number of open variations there.
    pub(crate) open: u64,
    /// Number of open variations after the last block.
    now: u64,
    /// Number of open variations in the variation to skip, counting itself.
    depth: u64,
    walk: Walk,
}

/// Result of skipping a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum SkipResult {
    /// The block was skipped.
    Whole,
    /// The block has the end of the variation, and no byte before it is in doubt.
    End,
    /// The block has a byte in doubt.
    Stop,
}

impl Skip {
    /// Returns a walk from `at` on, in a node of a variation of `depth` or deeper. If `child` is
    /// set, a variation was closed there.
    #[inline]
    pub(crate) fn new(at: usize, open: u64, depth: u64, child: bool, framing: Framing) -> Self {
        Self {
            at,
            open,
            now: open,
            depth,
            walk: Walk::new(framing, child),
        }
    }

    /// Continues to the `)` that ends the variation, or to the first byte that is in doubt or
    /// beyond the window. [`at`](Self::at) is then the place to read on. Returns whether the
    /// variation ended.
    #[inline(never)]
    pub(crate) fn run(&mut self, window: &[u8]) -> bool {
        let (skip, is_end) = with_vectors(window, &mut Run { skip: *self });
        *self = skip;
        is_end
    }

    #[inline(always)]
    fn pass(&mut self, maps: &Bitmaps, window: &[u8], start: usize) -> SkipResult {
        // Strays change neither the values nor the parentheses, so a skip may pass them.
        let ScannedBlock {
            found,
            doubts,
            left,
            right,
            ..
        } = self.walk.pass(maps, window, start);
        let mut open = self.now;
        if left | right != 0 {
            let closed = u64::from(right.count_ones());
            if self.now - self.depth < closed
                && let Some(bit) = end_in(self.now, self.depth, left, right)
            {
                // Only doubtful bytes before the end can change where it is.
                if doubts & ((1 << bit) - 1) != 0 {
                    return SkipResult::Stop;
                }
                self.at = start + bit as usize;
                self.open = self.depth;
                return SkipResult::End;
            }
            open = self.now + u64::from(left.count_ones()) - closed;
        }
        if doubts != 0 {
            return SkipResult::Stop;
        }
        // Not the first `(` or word: whether a variation ended before it decides how it is read.
        let places = found.tokens & (maps.semicolon | maps.right);
        if places != 0 {
            let bit = places.trailing_zeros();
            let opened = u64::from((left & ((1 << bit) - 1)).count_ones());
            self.at = start + bit as usize;
            self.open = self.now + opened;
        }
        self.now = open;
        SkipResult::Whole
    }
}

/// Work that skips blocks. It copies the walk, so that its numbers can stay in registers.
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
