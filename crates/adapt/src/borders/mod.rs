//! Finds the `]` of texts that lack their `\`, so that a text ends where its author ended it.
//!
//! A stray text belongs to the last text before it in its node. That text ends at the first `]`
//! with certain structure behind it:
//! - a property: a known identifier in capitals, and a value that its type can read, before further
//!   structure;
//! - a border: `;` before such a property, `(` before such a `;`, `)` before either of them, or
//!   before the end.
//!
//! Every `]` of the text before that one lacks its `\`. `XK` is no evidence, because only a repair
//! writes it.

mod inserted_escapes;
mod missing_escapes;
mod text_lookahead;

use sgfstream::record::Node;

pub(crate) use inserted_escapes::InsertedEscapes;
pub(crate) use missing_escapes::{Borders, is_stray};

/// Most properties of a node that is repaired. A repair takes hundreds of bytes for each of them,
/// and no real node has more.
const NODE_MAX: usize = 100_000;

/// Returns whether a node is left, because it has too many properties.
pub(crate) fn is_too_long(node: &Node<'_>) -> bool {
    node.properties().nth(NODE_MAX).is_some()
}
