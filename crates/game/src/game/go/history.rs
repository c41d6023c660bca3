//! Positions that the superko remembers.

use std::collections::HashSet;
use std::hash::{BuildHasherDefault, Hasher};

use super::super::board_hash::mix;
use super::Superko;
use crate::game::Side;

/// Limit of remembered positions. Beyond it, no position counts as repeated.
const POSITIONS_MAX: usize = 1 << 16;

/// Positions of a game in which a move was made, and positions that the moves led to.
#[derive(Clone)]
pub(super) struct History {
    superko: Superko,
    hash: u64,
    seen: HashSet<u64, BuildHasherDefault<IdentityHasher>>,
}

/// Hasher for numbers that are hashes already.
#[derive(Clone, Copy, Default)]
struct IdentityHasher(u64);

impl Hasher for IdentityHasher {
    fn write(&mut self, bytes: &[u8]) {
        bytes
            .iter()
            .for_each(|&byte| self.0 = mix(self.0 ^ u64::from(byte)));
    }

    fn write_u64(&mut self, number: u64) {
        self.0 = number;
    }

    fn finish(&self) -> u64 {
        self.0
    }
}

/// Position that a move would lead to.
#[derive(Clone, Copy)]
pub(super) struct NextPosition<'h> {
    history: &'h History,
    hash: u64,
    mover: Side,
}

impl NextPosition<'_> {
    /// Places a stone on an empty point, or removes that stone.
    pub(super) fn with(self, at: usize, stone: u16) -> Self {
        Self {
            hash: self.hash ^ key(at, stone),
            ..self
        }
    }

    /// Returns whether the position occurred before.
    pub(super) fn was_seen(self) -> bool {
        self.history
            .seen
            .contains(&self.history.key(self.hash, self.mover))
    }
}

impl History {
    /// Returns an empty history for this superko.
    pub(super) fn new(superko: Superko) -> Self {
        Self {
            superko,
            hash: 0,
            seen: HashSet::default(),
        }
    }

    /// Returns the number of remembered positions.
    pub(super) fn len(&self) -> usize {
        self.seen.len()
    }

    /// Returns the key of a position: its stones and, for the situational superko, the side to
    /// move.
    fn key(&self, hash: u64, mover: Side) -> u64 {
        hash ^ if self.superko == Superko::Situational {
            mover.index() as u64
        } else {
            0
        }
    }

    /// Changes the content of a point; 0 is empty.
    pub(super) fn change(&mut self, at: usize, old: u16, new: u16) {
        self.hash ^= key(at, old) ^ key(at, new);
    }

    /// Remembers the current position, in which `mover` moves next. Returns false if it occurred
    /// before.
    pub(super) fn remember(&mut self, mover: Side) -> bool {
        self.seen.len() >= POSITIONS_MAX || self.seen.insert(self.key(self.hash, mover))
    }

    /// Returns the current position with a stone added on an empty point, in which `mover` moves
    /// next.
    pub(super) fn with(&self, at: usize, stone: u16, mover: Side) -> NextPosition<'_> {
        NextPosition {
            history: self,
            hash: self.hash,
            mover,
        }
        .with(at, stone)
    }
}

/// Returns the key of a stone on a point. The hash of a position is the XOR of its keys.
fn key(at: usize, stone: u16) -> u64 {
    if stone == 0 {
        return 0;
    }
    // A table would be faster, but only the superko needs keys.
    mix(((at as u64) << 16 | u64::from(stone)).wrapping_mul(0x9E37_79B9_7F4A_7C15))
}
