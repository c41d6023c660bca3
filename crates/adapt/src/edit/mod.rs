//! Edits of a game: replacements of spans of its bytes, and the writer that copies all bytes outside of the spans.
//!
//! [`GameEdits`] collects replacements that cannot overlap. [`EditGroups`] collects groups that may: it takes all
//! replacements of a group or none. [`write_edited`] writes the result.
//!
//! Replacements consist of bytes in the charset of the game. A conversion to another charset is a further pass over the
//! result.

mod displaced;
mod game_edits;
mod groups;
mod placed_property;

pub use displaced::{Comment, DisplacedValues};
pub use game_edits::{GameEdits, Replacement, write_edited};
pub use groups::{EditGroup, EditGroups};
pub use placed_property::PlacedProperty;
