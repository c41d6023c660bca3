//! Repairs games: applies the remedies that [`check`](crate::check) reports, and leaves every other byte as it was. It never
//! drops a move.
//!
//! It repairs an input chunk by chunk: [`GameChunks`] cuts it where a chunk on its own reads as it does in the input. A
//! property far behind the root may require a change of the root (FF, CA), so [`Fixer`] surveys a game before it edits the
//! bytes. A repair may reveal another finding, so [`Fixer`] repeats both steps until nothing changes.

mod boards;
mod edit;
mod fix_filter;
mod fixer;
mod game_chunks;
mod main_lines;
mod open_variations;
mod plan;
mod remedies;
mod survey;

pub use fix_filter::FixFilter;
pub use fixer::{FindingOutcome, FixedChunk, Fixer, fix};
pub use game_chunks::{GameChunk, GameChunks};

use plan::{CharsetPlan, Plan};

/// Maximum number of bytes of a property to buffer. A longer one comes in pieces.
const PROPERTY: usize = 256 << 10;

/// Maximum number of unrepaired findings of a chunk to buffer.
const LEFT_MAX: usize = 4096;

/// Maximum number of repairable findings of a chunk to buffer. If there are more, the fixer handles them part by part.
const HELD_MAX: usize = 1 << 15;

/// Outcome of a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Outcome {
    /// The remedy was applied.
    Repaired,
    /// The remedy was applied, and is a guess: see [`FixFilter::with_guesses`].
    Guessed,
    /// The finding has no remedy, or the remedy could not be applied without loss. For example, it would drop a move, the
    /// node is too long to buffer, or the charset of the bytes is unknown.
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
