//! The units on which repairs work, and the machine that runs the repairs.

mod context;
mod edit;
pub mod fix;
mod handicap;
mod keep;
mod repair;
mod rewriter;
mod unit;
mod upgrade;
mod utf8;

pub(crate) use context::Context;
pub(crate) use edit::{Edit, NextEdit};
pub(crate) use rewriter::Rewriter;
pub(crate) use unit::{PropertyId, Unit, UnitKind, ValuePart};
