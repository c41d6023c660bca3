//! Edits of a game: replacements of spans of its bytes, and the writer that copies all bytes
//! outside of the spans.
//!
//! [`GameEdits`] collects replacements, and [`write_edited`] writes the result. [`Rewriter`]
//! applies [`edits`], which are functions from a game to replacements ([`GameEdit`]). [`EDITS`]
//! lists all of them by name.
//!
//! Replacements consist of bytes in the charset of the game. A conversion to another charset is a
//! further edit of the result.
//!
//! ```
//! use sgfstream_adapt::edit::{Rewriter, edits};
//!
//! let mut rewriter = Rewriter::new(vec![edits::strip("comments")?]);
//! let output = rewriter.slice(b"(;GM[1]\n;B[aa] C[x]\n(;W[bb])(;W[cc])\n)");
//! assert_eq!(output, b"(;GM[1]\n;B[aa]\n(;W[bb])(;W[cc])\n)");
//! assert_eq!(rewriter.report().changes, [("strip", 1)]);
//! # Ok::<(), sgfstream_adapt::edit::EditFault>(())
//! ```

mod context;
mod displaced;
mod drop_filter;
pub mod edits;
mod game_edit;
mod game_edits;
mod handicap;
mod markup;
mod node_draft;
mod notes;
mod placed_property;
mod points;
mod property_edits;
mod rename;
mod repair;
mod rewriter;
mod selector;
mod set;
mod split;
mod text;
mod turn;
mod upgrade;
mod utf8;
mod variations;
mod well_formed;

pub(crate) use displaced::{Comment, DisplacedLines};
pub(crate) use handicap::PlacedHandicap;
pub(crate) use node_draft::{Gap, NodeDraft, end_of_structure};
pub(crate) use property_edits::{
    drop_empty_values, halve_komi, join_annotations, join_into, keep_last_player,
};
pub(crate) use split::{is_mixed, is_ordered, named_side, node_numbers, repeats_mover};
pub(crate) use upgrade::old_markup;
pub(crate) use utf8::Utf8;

pub use context::EditContext;
pub use edits::edit;
pub use game_edit::{EditOutput, GameEdit};
pub use notes::{EditFault, Notes};

pub use rewriter::{Report, Rewriter};
pub use selector::Selector;

// For sgfq, without a promise.
#[doc(hidden)]
pub use self::{
    edits::{EDITS, EditEntry},
    game_edits::{GameEdits, Replacement, write_edited},
    placed_property::{PlacedProperty, WantedProperties},
    selector::CLASS_NAMES,
    turn::turn_value,
    well_formed::UNREAD,
};
