//! Repairs: what [`check`](crate::adapt::check) reports with a remedy is
//! done to the file, and every other byte stays as it was.
//!
//! Some remedies change the root of a game for the sake of what stands far
//! behind it (FF, CA). So a game is surveyed first ([`Survey`]), and its
//! [`Plan`] is given to the [`Fixer`] before its bytes are.

mod choice;
mod edit;
mod fixer;
mod marks;
mod plan;
mod remedies;
mod survey;

pub use choice::Choice;
pub use fixer::{Fixer, PASSES, fix};
pub use plan::{CharsetPlan, Plan};
pub use survey::Survey;

/// What became of a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Its remedy was applied.
    Repaired,
    /// It could not be, or not without loss: the node is too long to be held,
    /// or nothing says what the bytes are.
    Left,
}
