//! The positions that the superko remembers.

use std::collections::HashSet;
use std::hash::{BuildHasherDefault, Hasher};

use super::super::board_hash::mix;

/// How many positions are remembered; beyond that nothing comes again.
const POSITIONS_MAX: usize = 1 << 16;

/// The positions of a game in which a move was made, and those that the moves made.
#[derive(Clone, Default)]
pub(super) struct History {
    hash: u64,
    seen: HashSet<u64, BuildHasherDefault<Mixed>>,
}

/// The hash of a number that is one already.
#[derive(Clone, Copy, Default)]
struct Mixed(u64);

impl Hasher for Mixed {
    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|&byte| self.0 = mix(self.0 ^ u64::from(byte)));
    }

    fn write_u64(&mut self, number: u64) {
        self.0 = number;
    }

    fn finish(&self) -> u64 {
        self.0
    }
}

/// A position that a move would make.
#[derive(Clone, Copy)]
pub(super) struct Changed<'h> {
    history: &'h History,
    hash: u64,
}

impl Changed<'_> {
    /// Puts a stone on an empty point, or takes that stone off.
    pub(super) fn with(self, at: usize, stone: u16) -> Self {
        Self { hash: self.hash ^ key(at, stone), ..self }
    }

    /// The position was there before.
    pub(super) fn was_seen(self) -> bool {
        self.history.seen.contains(&self.hash)
    }
}

impl History {
    /// Changes the content of a point, in numbers: 0 is nothing.
    pub(super) fn change(&mut self, at: usize, old: u16, new: u16) {
        self.hash ^= key(at, old) ^ key(at, new);
    }

    /// Remembers the position of now. False if it was there before.
    pub(super) fn remember(&mut self) -> bool {
        self.seen.len() >= POSITIONS_MAX || self.seen.insert(self.hash)
    }

    /// The position of now with a stone on an empty point.
    pub(super) fn with(&self, at: usize, stone: u16) -> Changed<'_> {
        Changed { history: self, hash: self.hash }.with(at, stone)
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
