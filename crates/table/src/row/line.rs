//! Steps of a game's main line, property by property, for all tables about it.

use std::borrow::Cow;

use sgfstream::Property;

/// Step of the main line.
pub(crate) enum LineStep<'l> {
    /// The end of the root. Its properties follow.
    Start,
    /// A move.
    Move(MainLineMove<'l>),
    /// A property that is not a move.
    Other(&'l Property<'l>),
    /// The end of a node.
    NodeEnd,
    /// The end of the line, after the end of its last node.
    End,
}

/// A move of the main line.
pub(crate) struct MainLineMove<'l> {
    /// Number of the move, from 1.
    pub(crate) ply: u64,
    /// Number of the player, from 1.
    pub(crate) color: u8,
    /// The value in the spelling of newer files.
    pub(crate) value: Cow<'l, [u8]>,
}
