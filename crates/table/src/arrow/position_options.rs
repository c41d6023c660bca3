//! Options of the table of positions.

use xxhash_rust::xxh3::xxh3_64_with_seed;

/// Selection of positions for a table, and of its optional columns.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct PositionOptions {
    /// Columns and rows of the board, at most 52. Games on other boards have no rows.
    pub size: u16,
    /// Number of earlier moves in a row, at most 255.
    pub history: u8,
    /// Whether rows have the liberties of all groups.
    pub liberties: bool,
    /// Whether rows have the points that the superko forbids.
    pub superko: bool,
    /// Whether rows have what an analysis program wrote about the position.
    pub analysis: bool,
    /// Whether rows have the owners of the points at the end of the game.
    pub ownership: bool,
    /// Number of this reader, and number of readers that share the games by their keys. Each game
    /// has rows for one of them.
    pub share: (u32, u32),
    /// Interval of positions, counted in moves from the first one.
    pub every: u32,
    /// Share of these positions to select at random; 1 selects all.
    pub sample: f64,
    /// Seed of the random selection. The same positions are selected regardless of threads and
    /// parts.
    pub seed: u64,
}

impl PositionOptions {
    /// Selects all positions on boards of this size, with five earlier moves each.
    #[must_use]
    pub fn new(size: u16) -> Self {
        Self {
            size: size.clamp(1, 52),
            history: 5,
            liberties: false,
            superko: false,
            analysis: false,
            ownership: false,
            share: (0, 1),
            every: 1,
            sample: 1.0,
            seed: 0,
        }
    }

    /// Returns the number of points of the board.
    pub(super) fn points(&self) -> usize {
        usize::from(self.size) * usize::from(self.size)
    }

    pub(super) fn wants_game(&self, key: i64) -> bool {
        let (reader, readers) = self.share;
        key.rem_euclid(i64::from(readers.max(1))) == i64::from(reader)
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
