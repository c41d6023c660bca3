//! Nodes as the array of a tree stores them.

use super::arena::{List, NONE, Record};

/// Handle of a node of one [`GameTree`](super::GameTree); the root is 0. It is valid until the tree
/// is cleared or compacted, even if other nodes are added or removed.
///
/// ```
/// use sgfstream_adapt::GameTree;
///
/// let tree = GameTree::parse(b"(;;B[aa])")?;
/// let second = tree.first_child(tree.root()).expect("two nodes");
/// assert_eq!(second.index(), 1);
/// # Ok::<(), sgfstream::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NodeId(pub(super) u32);

impl NodeId {
    /// Returns the number of the node in order of creation, from 0.
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    pub(super) fn some(at: u32) -> Option<Self> {
        (at != NONE).then_some(Self(at))
    }
}

/// A node: its neighbors and its properties, by index.
#[derive(Clone, Debug)]
pub(super) struct Node {
    pub(super) parent: u32,
    pub(super) first_child: u32,
    pub(super) last_child: u32,
    pub(super) previous: u32,
    pub(super) next: u32,
    /// Its properties in the arena of the tree.
    pub(super) properties: List,
    /// Ends of its `;`, and of the `)` of the variation that it starts, in the bytes of the arena.
    pub(super) start: u32,
    pub(super) end: u32,
    /// A `(` precedes the node.
    pub(super) starts_variation: bool,
    /// The node was removed from the tree.
    pub(super) removed: bool,
}

impl Node {
    pub(super) const ALONE: Self = Self {
        parent: NONE,
        first_child: NONE,
        last_child: NONE,
        previous: NONE,
        next: NONE,
        properties: List::EMPTY,
        start: NONE,
        end: NONE,
        starts_variation: false,
        removed: false,
    };
}

// Limits the memory of a node with one property; the arrays grow by an eighth.
const _: () = assert!((size_of::<Node>() + size_of::<Record>()) * 9 / 8 <= 64);
