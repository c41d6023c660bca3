//! Which positions a table of positions has.

use xxhash_rust::xxh3::xxh3_64_with_seed;

/// Which positions are wanted.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct PositionOptions {
    /// Columns and rows of the board, at most 52; games on other boards have no rows.
    pub size: u16,
    /// How many moves before the position a row has, at most 255.
    pub history: u8,
    /// A row has the liberties of all groups.
    pub liberties: bool,
    /// A row has the points that the superko forbids.
    pub superko: bool,
    /// Every so many moves, from the first on.
    pub every: u32,
    /// The share of them, by chance: 1 for all.
    pub sample: f64,
    /// The seed of the chance. A position is in the sample or not whatever the threads and parts.
    pub seed: u64,
}

impl PositionOptions {
    /// All positions on boards of this size, each with the five moves before it.
    #[must_use]
    pub fn new(size: u16) -> Self {
        Self { size: size.clamp(1, 52), history: 5, liberties: false, superko: false, every: 1, sample: 1.0, seed: 0 }
    }

    /// Points of the board.
    pub(super) fn points(&self) -> usize {
        usize::from(self.size) * usize::from(self.size)
    }

    pub(super) fn wants(&self, key: i64, ply: u64) -> bool {
        let is_in_step = (ply - 1).is_multiple_of(u64::from(self.every.max(1)));
        is_in_step && (self.sample >= 1.0 || self.is_sampled(key, ply))
    }

    fn is_sampled(&self, key: i64, ply: u64) -> bool {
        let mut bytes = [0; 16];
        bytes[..8].copy_from_slice(&key.to_le_bytes());
        bytes[8..].copy_from_slice(&ply.to_le_bytes());
        let chance = xxh3_64_with_seed(&bytes, self.seed) >> 11;
        (chance as f64) < self.sample * (1u64 << 53) as f64
    }
}
