//! The tokens of 64 bytes, found together. Only plain tokens are found, which the machine would read the same way; the
//! first byte that is not plain ends the list, and the machine reads on.

use crate::scan::Framing;

use super::bitmaps::{BLOCK, Bitmaps, BlockWork, with_bitmaps};
use super::found::{Carry, Found, doubtful_starts, over};

/// The tokens of a block that begins outside of values and between tokens.
/// All bits count from the block's first byte.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Block {
    /// Where the block begins in the window.
    start: usize,
    /// The first bytes of tokens: `;`, `(` with its `;`, `)`, identifiers with
    /// their `[`. Those that were taken are gone.
    tokens: u64,
    /// The `[`.
    opens: u64,
    /// The `]` that end values, read byte by byte; those that were taken are
    /// gone.
    closes: u64,
    /// Those of them, and escapes, of which the bytes alone are no proof: half
    /// a character perhaps, or the start of another game.
    doubts: u64,
}

/// Where a block begins.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Site {
    /// After a variation: only `(` and `)` are in order.
    pub(crate) child: bool,
    /// Blanks need no telling.
    pub(crate) skips_blanks: bool,
    /// Parentheses need no look at repairs or limits.
    pub(crate) plain_parentheses: bool,
}

/// Fills a block.
struct Tokens<'b, 'w> {
    block: &'b mut Block,
    window: &'w [u8],
    framing: Framing,
    site: Site,
}

impl BlockWork for Tokens<'_, '_> {
    type Output = ();
    #[inline(always)]
    fn work(&mut self, maps: &Bitmaps) {
        self.block.fill(maps, self.window, self.framing, self.site);
    }
}

/// A property, by its values.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Values {
    /// The length of the identifier.
    pub(crate) ident_len: usize,
    /// One past the last `]`.
    pub(crate) end: usize,
    /// It has one value only.
    pub(crate) one: bool,
}

impl Block {
    /// How many bytes a block has.
    pub(crate) const LEN: usize = BLOCK;

    /// Goes to the block at `start`. False if nothing plain begins there.
    #[inline(never)]
    pub(crate) fn go_to(&mut self, window: &[u8], start: usize, framing: Framing, site: Site) -> bool {
        self.start = start;
        self.tokens = 0;
        let mut work = Tokens { block: self, window, framing, site };
        with_bitmaps(window, start, &mut work).is_some() && self.tokens != 0
    }

    #[inline(always)]
    fn fill(&mut self, maps: &Bitmaps, window: &[u8], framing: Framing, site: Site) {
        let start = self.start;
        let found = Found::of(maps, framing, &mut Carry::default());
        // The first byte after a `]` and blanks.
        let behind_value = over(found.closes << 1, maps.blank).first;
        let opens = maps.open & found.outside_value;
        let mut faults = (found.words & !maps.capital) | (opens & !(found.words << 1 | behind_value));
        if (maps.left | maps.right) & found.outside != 0 || site.child {
            let left = maps.left & found.outside;
            let right = maps.right & found.outside;
            let behind_start = over(left << 1, maps.blank).first;
            let behind_end = over(right << 1 | u64::from(site.child), maps.blank).first;
            faults |= (behind_start & !maps.semicolon) | (behind_end & !(left | right));
            faults |= doubtful_starts(window, start, maps, left);
            if !site.plain_parentheses {
                faults |= left | right;
            }
        }
        if !site.skips_blanks {
            faults |= maps.blank & found.outside_value;
        }
        // All before the first fault. An identifier at the block's end may
        // have more letters.
        let plain = !faults & faults.wrapping_sub(1);
        self.tokens = found.tokens & plain;
        self.opens = maps.open;
        self.closes = found.closes;
        self.doubts = found.doubts;
    }

    #[inline(always)]
    pub(crate) fn is_empty(&self) -> bool {
        self.tokens == 0
    }

    /// Where the next token begins, of which there may be none in this block.
    #[inline(always)]
    pub(crate) fn next(&self) -> Option<usize> {
        (self.tokens != 0).then(|| self.start + self.tokens.trailing_zeros() as usize)
    }

    /// How far it is from the token that was just taken, `at`, to a `[` whose
    /// value goes beyond the block: the length of its identifier, if it is one.
    pub(crate) fn has_open_value(&self, at: usize) -> Option<usize> {
        let from_ident = self.opens.checked_shr((at - self.start) as u32)?;
        (self.tokens | self.closes == 0 && from_ident != 0).then_some(from_ident.trailing_zeros() as usize)
    }

    /// The same, where the rest of the block is double-byte text, as far as one can see: more than one byte is in doubt.
    pub(crate) fn has_characters(&self, at: usize) -> Option<usize> {
        let from_ident = self.opens.checked_shr((at - self.start) as u32)?;
        let doubts = self.doubts.checked_shr((at - self.start) as u32)?;
        (doubts & doubts.wrapping_sub(1) != 0 && from_ident != 0).then_some(from_ident.trailing_zeros() as usize)
    }

    /// Where it begins in the window.
    pub(crate) fn start(&self) -> usize {
        self.start
    }

    /// Takes the next token, of which there is one.
    #[inline(always)]
    pub(crate) fn take(&mut self) -> usize {
        let at = self.start + self.tokens.trailing_zeros() as usize;
        self.tokens &= self.tokens.wrapping_sub(1);
        at
    }

    /// The values of the property that was just taken, `at`. `None`: the next
    /// token is not in this block, or the end is in doubt.
    #[inline(always)]
    pub(crate) fn take_values(&mut self, at: usize) -> Option<Values> {
        if self.tokens == 0 {
            return None;
        }
        let before_next = !self.tokens & (self.tokens - 1);
        let closes = self.closes & before_next;
        if closes == 0 || self.doubts & before_next != 0 {
            return None;
        }
        self.closes ^= closes;
        let from_ident = self.opens >> ((at - self.start) & (BLOCK - 1));
        Some(Values {
            ident_len: from_ident.trailing_zeros() as usize,
            end: self.start + (BLOCK - closes.leading_zeros() as usize),
            one: closes & (closes - 1) == 0,
        })
    }
}
