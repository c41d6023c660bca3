//! Finds the `]` of texts that lack their `\`, so that a text ends where its author ended it.
//!
//! A stray text belongs to the last text before it in its node. That text ends at the first `]` with certain structure
//! behind it:
//! - a property: a known identifier in capitals, and a value that its type can read, before further structure;
//! - a border: `;` before such a property, `(` before such a `;`, `)` before either of them, or before the end.
//!
//! Every `]` of the text before that one lacks its `\`. `XK` is no evidence, because only a repair writes it.

mod inserted_escapes;
mod missing_escapes;
mod text_lookahead;

pub(crate) use inserted_escapes::InsertedEscapes;
pub(crate) use missing_escapes::{Borders, is_stray};
