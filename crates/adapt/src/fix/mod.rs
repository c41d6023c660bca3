//! Repairs games: applies the remedies that [`check`](crate::check) reports, and leaves every other byte as it was. It never
//! drops a move.
//!
//! It repairs an input chunk by chunk: [`GameChunks`] cuts it where a chunk on its own reads as it does in the input. A
//! [`Fixer`] repairs a chunk in two levels. First it escapes the `]` of texts, because where texts end decides which
//! properties there are. Then it applies the remedies of findings as replacements of spans. A repair may reveal another
//! finding, so it repeats that until nothing changes.

mod fix_filter;
mod fixer;
mod game_chunks;
mod game_fix;
mod game_plan;
mod kept_game;
mod remedies;
mod repeated_points;
mod stray_text;

pub use fix_filter::FixFilter;
pub use fixer::{FindingOutcome, FixedChunk, Fixer, fix};
pub use game_chunks::{GameChunk, GameChunks};

/// Maximum number of unrepaired findings of a chunk to buffer.
const LEFT_MAX: usize = 4096;

/// Maximum number of repairable findings of a chunk to buffer. If there are more, later passes repair them.
const FINDINGS_MAX: usize = 1 << 16;

/// Outcome of a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Outcome {
    /// The remedy was applied.
    Repaired,
    /// The remedy was applied, and is a guess: see [`FixFilter::with_guesses`].
    Guessed,
    /// The finding has no remedy, or the remedy could not be applied without loss. For example, it would drop a move, the
    /// place of the text is unclear, or the charset of the bytes is unknown.
    Left,
}

impl Outcome {
    /// Returns the name: `repaired`, `guessed` or `left`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Repaired => "repaired",
            Self::Guessed => "guessed",
            Self::Left => "left",
        }
    }
}
