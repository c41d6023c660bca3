//! Place in a game.

/// A node and the text found there.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct NodeText {
    pub(crate) path: String,
    pub(crate) text: String,
}
