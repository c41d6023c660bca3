//! The positions that the superko remembers.

use std::collections::HashSet;
use std::hash::{BuildHasherDefault, Hasher};

use super::super::board_hash::mix;
use super::Superko;
use crate::game::Side;

/// How many positions are remembered; beyond that nothing comes again.
const POSITIONS_MAX: usize = 1 << 16;

/// The positions of a game in which a move was made, and those that the moves made.
#[derive(Clone)]
pub(super) struct History {
    superko: Superko,
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
    mover: Side,
}

impl Changed<'_> {
    /// Puts a stone on an empty point, or takes that stone off.
    pub(super) fn with(self, at: usize, stone: u16) -> Self {
        Self { hash: self.hash ^ key(at, stone), ..self }
    }

    /// The position was there before.
    pub(super) fn was_seen(self) -> bool {
        self.history.seen.contains(&self.history.key(self.hash, self.mover))
    }
}

impl History {
    /// No position, of a game with this superko.
    pub(super) fn new(superko: Superko) -> Self {
        Self { superko, hash: 0, seen: HashSet::default() }
    }

    /// How many positions are remembered.
    pub(super) fn len(&self) -> usize {
        self.seen.len()
    }

    /// The number of a position by its stones and, where that counts, by who moves next.
    fn key(&self, hash: u64, mover: Side) -> u64 {
        hash ^ if self.superko == Superko::Situational { mover.index() as u64 } else { 0 }
    }

    /// Changes the content of a point, in numbers: 0 is nothing.
    pub(super) fn change(&mut self, at: usize, old: u16, new: u16) {
        self.hash ^= key(at, old) ^ key(at, new);
    }

    /// Remembers the current position, in which `mover` moves next. False if it was there before.
    pub(super) fn remember(&mut self, mover: Side) -> bool {
        self.seen.len() >= POSITIONS_MAX || self.seen.insert(self.key(self.hash, mover))
    }

    /// The current position with a stone on an empty point, in which `mover` moves next.
    pub(super) fn with(&self, at: usize, stone: u16, mover: Side) -> Changed<'_> {
        Changed { history: self, hash: self.hash, mover }.with(at, stone)
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
