//! One node of a tree, as it is kept in the array of nodes.

use crate::arena::{List, NONE, Record};

/// A node of one [`GameTree`](super::GameTree); the root is 0. It stays valid until the tree is
/// cleared or compacted, also when other nodes come and go.
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
    /// Its number in the order in which the nodes were made, from 0.
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    pub(super) fn some(at: u32) -> Option<Self> {
        (at != NONE).then_some(Self(at))
    }
}

/// A node: its neighbours and its properties, all by index.
#[derive(Clone, Debug)]
pub(super) struct Node {
    pub(super) parent: u32,
    pub(super) first_child: u32,
    pub(super) last_child: u32,
    pub(super) previous: u32,
    pub(super) next: u32,
    /// Its properties, in the arena of the tree.
    pub(super) properties: List,
    /// A `(` comes before it.
    pub(super) starts_variation: bool,
    /// It is no part of the tree any more.
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
        starts_variation: false,
        removed: false,
    };
}

// What a node of one property takes; the arrays grow by an eighth.
const _: () = assert!((size_of::<Node>() + size_of::<Record>()) * 9 / 8 <= 64);
