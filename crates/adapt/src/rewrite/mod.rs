//! Edits games as they stream, in constant memory. A chain of edits changes its properties and leaves every other byte
//! unchanged.
//!
//! The rewriter groups events into units ([`Unit`]: a node or a parenthesis). Each [`Edit`] changes a unit and passes it on;
//! a [`Rewriter`] drives the chain. [`EDITS`] lists the edits by name.
//!
//! ```
//! use sgfstream_adapt::rewrite::{Rewriter, edit};
//!
//! let mut rewriter = Rewriter::new(Vec::new(), vec![edit("strip", "comments").expect("an edit")]);
//! rewriter.slice(b"(;GM[1]\n;B[aa] C[x]\n(;W[bb])(;W[cc])\n)");
//! let (bytes, report) = rewriter.finish()?;
//! assert_eq!(bytes, b"(;GM[1]\n;B[aa]\n(;W[bb])(;W[cc])\n)");
//! assert_eq!(report.changes, [("strip", 1)]);
//! # Ok::<(), std::io::Error>(())
//! ```

mod board;
mod context;
mod edit;
mod edits;
pub mod fix;
mod handicap;
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

pub use board::turn_value;
pub use context::Context;
pub use edit::{Edit, EditFault, NextEdit, Notes};
pub use edits::{EDITS, EditEntry, edit};
pub use rewriter::{Report, Rewriter, UNREAD};
pub use selector::{CLASS_NAMES, Selector};
pub use unit::{PropertyId, Unit, UnitKind, ValuePart};
