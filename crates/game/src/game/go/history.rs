//! The positions that the superko remembers.

use std::collections::HashSet;

use super::super::board_hash::mix;

/// How many positions are remembered; beyond that nothing comes again.
const POSITIONS_MAX: usize = 1 << 16;

/// The positions of a game, from the empty board on.
#[derive(Clone)]
pub(super) struct History {
    hash: u64,
    seen: HashSet<u64>,
}

impl Default for History {
    fn default() -> Self {
        Self { hash: 0, seen: HashSet::from([0]) }
    }
}

impl History {
    /// Changes the content of a point, in numbers: 0 is nothing.
    pub(super) fn change(&mut self, at: usize, old: u16, new: u16) {
        self.hash ^= key(at, old) ^ key(at, new);
    }

    /// Remembers the position of now. False if it was there before.
    pub(super) fn is_new(&mut self) -> bool {
        self.seen.len() >= POSITIONS_MAX || self.remember()
    }

    /// Like `is_new`, after setup, however many positions there are.
    pub(super) fn remember(&mut self) -> bool {
        self.seen.insert(self.hash)
    }
}

/// A number for a stone on a point; the sum of all is the position's.
fn key(at: usize, stone: u16) -> u64 {
    if stone == 0 {
        return 0;
    }
    // No table needed, and only the superko asks.
    mix(((at as u64) << 16 | u64::from(stone)).wrapping_mul(0x9E37_79B9_7F4A_7C15))
}
