//! Changes games on their way through, at constant memory: a chain of edits that
//! leaves every other byte as it was.
//!
//! Events become units ([`Unit`]: a node, a parenthesis), an [`Edit`] changes a
//! unit and hands it on, a [`Rewriter`] drives the chain. [`EDITS`] lists the
//! edits that can be asked for by name.

mod board;
mod context;
mod edit;
mod edits;
pub mod fix;
mod keep;
mod markup;
mod points;
mod rename;
mod repair;
mod rewriter;
mod selector;
mod set;
mod text;
mod unit;
mod upgrade;
mod utf8;
mod variations;

pub use context::Context;
pub use edit::{Edit, EditFault, Next, Notes};
pub use edits::{EDITS, EditEntry, edit};
pub use rewriter::{Report, Rewriter};
pub use selector::{CLASS_NAMES, Selector};
pub use unit::{PropertyId, Unit, UnitKind, ValuePart};
