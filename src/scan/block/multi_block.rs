//! Properties of several blocks.

use crate::scan::Framing;

use super::bitmaps::{BLOCK, Bitmaps, BlockWork, with_bitmaps};
use super::found::{Carry, Found, leap};
use super::tokens::Values;

/// The property at `at`, whose next token is more than a block away. `None`: the window ends before that, the property
/// is longer than `limit`, or it is not plain. `Err`: its end is in doubt.
#[inline(never)]
pub(crate) fn multi_block_values(
    window: &[u8],
    at: usize,
    limit: usize,
    framing: Framing,
) -> Option<Result<Values, Doubtful>> {
    let last = at.saturating_add(limit);
    let mut walk = Walk {
        values: Values { ident_len: 0, end: 0, one: true },
        doubtful: false,
        carry: Carry::default(),
        closes: 0,
    };
    let mut start = at;
    loop {
        let next = with_bitmaps(window, start, &mut Pass { walk: &mut walk, start, first: start == at, framing })??;
        if next != 0 {
            // A NUL is no token: another value may follow it.
            let next = start + next.trailing_zeros() as usize;
            let is_plain = walk.values.end != 0 && next < last && *window.get(next)? != 0;
            let values = if walk.doubtful { Err(Doubtful(walk.values.ident_len)) } else { Ok(walk.values) };
            return is_plain.then_some(values);
        }
        start += BLOCK;
        if start > last {
            return None;
        }
        if walk.closes == 0 && walk.carry.inside != 0 && walk.carry.escapes == 0 {
            start = leap(window, start, last, &mut walk.carry)?;
        }
    }
}

/// The end of a property is in doubt; the length of its identifier is not.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Doubtful(pub(crate) usize);

/// A walk over a property of many blocks.
struct Walk {
    values: Values,
    doubtful: bool,
    carry: Carry,
    /// The `]` of the last block.
    closes: u64,
}

/// Passes a block of it.
struct Pass<'f> {
    walk: &'f mut Walk,
    start: usize,
    first: bool,
    framing: Framing,
}

impl BlockWork for Pass<'_> {
    type Output = Option<u64>;
    #[inline(always)]
    fn work(&mut self, maps: &Bitmaps) -> Option<u64> {
        self.walk.pass(maps, self.start, self.first, self.framing)
    }
}

impl Walk {
    /// Passes a block. The token after the property, if that is in it; `None` if the identifier is not plain.
    #[inline(always)]
    fn pass(&mut self, maps: &Bitmaps, start: usize, first: bool, framing: Framing) -> Option<u64> {
        let values = &mut self.values;
        let mut ident = 0;
        if first {
            values.ident_len = maps.open.trailing_zeros() as usize;
            ident = 1u64.checked_shl(values.ident_len as u32)? - 1;
            if ident & !maps.capital != 0 {
                return None;
            }
        }
        let found = Found::of(maps, framing, &mut self.carry);
        let tokens = found.tokens & !ident;
        let before_next = !tokens & tokens.wrapping_sub(1);
        self.closes = found.closes & before_next;
        if self.closes != 0 {
            values.one &= values.end == 0 && self.closes & (self.closes - 1) == 0;
            values.end = start + (BLOCK - self.closes.leading_zeros() as usize);
        }
        self.doubtful |= found.doubts & before_next != 0;
        Some(tokens)
    }
}
