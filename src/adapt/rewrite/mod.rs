//! Games changed on their way through: a chain of edits over events, at
//! constant memory, that leaves every byte it does not mean as it was.
//!
//! Events become units ([`Unit`]: a node, a parenthesis), an [`Edit`] changes a
//! unit and hands it on, a [`Rewriter`] drives the chain. [`EDITS`] has those
//! that can be asked for by name.

mod context;
mod edit;
mod edits;
pub mod fix;
mod markup;
mod piece;
mod points;
mod rename;
mod repair;
mod rewriter;
mod selector;
mod set;
mod strip;
mod text;
mod turn;
mod unit;
mod upgrade;
mod utf8;
mod variations;

pub use context::Context;
pub use edit::{Edit, Next, Notes};
pub use edits::{EDITS, EditEntry, EditFault, edit};
pub use piece::Piece;
pub use rewriter::{Report, Rewriter};
pub use selector::{CLASS_NAMES, Selector};
pub use unit::{Unit, UnitKind};
