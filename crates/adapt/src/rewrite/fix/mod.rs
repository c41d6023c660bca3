//! Applies the remedies that [`check`](crate::check) reports, and leaves
//! every other byte as it was. No move is ever dropped.
//!
//! An input is repaired game by game: [`GameChunks`] are bytes that are read alone as they are in the input. Some remedies
//! change the root of a game because of properties far after it (FF, CA), so a game is surveyed before its bytes are
//! edited. A repair may reveal another finding, so [`Fixer`] repeats both until nothing changes.

mod boards;
mod edit;
mod fix_filter;
mod fixer;
mod game_chunks;
mod lines;
mod marks;
mod plan;
mod remedies;
mod survey;

pub use fix_filter::FixFilter;
pub use fixer::{FindingOutcome, Fixed, Fixer, fix};
pub use game_chunks::{GameChunks, Piece};

use plan::{CharsetPlan, Plan};

/// Bytes of a property that are held; a longer one comes in pieces.
const PROPERTY: usize = 256 << 10;

/// Findings of a piece that are left and are held.
const LEFT_MAX: usize = 4096;

/// Findings of a piece that are to be repaired and are held until its bytes are edited. More come part by part.
const HELD_MAX: usize = 1 << 15;

/// Outcome of a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Outcome {
    /// Its remedy was applied.
    Repaired,
    /// Its remedy was applied, and is a guess: see [`FixFilter::with_guesses`].
    Guessed,
    /// It has no remedy, or the remedy could not be applied, or not without
    /// loss: it would drop a move, the node is too long to be held, or nothing
    /// says in which charset the bytes are.
    Left,
}
