//! Applies the remedies that [`check`](crate::check) reports, and leaves
//! every other byte as it was. No move is ever dropped.
//!
//! Some remedies change the root of a game because of properties far after it
//! (FF, CA). So a game is surveyed first ([`Survey`]), and its [`Plan`] is given
//! to the [`Fixer`] before its bytes are. A repair may reveal another finding, so
//! [`fix`] repeats both until nothing changes.

mod choice;
mod edit;
mod fixer;
mod marks;
mod next_pass;
mod plan;
mod remedies;
mod survey;

pub use choice::Choice;
pub use fixer::{Fixer, PASSES, fix};
pub use next_pass::NextPass;
pub use plan::{CharsetPlan, Plan};
pub use survey::Survey;

use crate::check::Finding;

/// Bytes of a property that are held; a longer one comes in pieces.
const PROPERTY: usize = 256 << 10;

/// What a pass has to repair in a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Repairs {
    /// It changes nothing, and leaves these findings.
    None(Vec<Finding>),
    /// It changes nothing after the root, which ends at this byte of the input, and leaves these findings.
    Root(u64, Vec<Finding>),
    /// It may change anything.
    Any,
}

/// What became of a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Outcome {
    /// Its remedy was applied.
    Repaired,
    /// Its remedy was applied, and is a guess: see [`Choice::with_guesses`].
    Guessed,
    /// It has no remedy, or the remedy could not be applied, or not without
    /// loss: it would drop a move, the node is too long to be held, or nothing
    /// says in which charset the bytes are.
    Left,
}
