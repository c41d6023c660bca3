//! One node and one property of a tree, as they lie in its arrays.

use crate::scan::Framing;

/// No node, no property.
pub(super) const NONE: u32 = u32::MAX;

/// A node of one [`GameTree`](super::GameTree); the root is 0. It holds as long as the tree
/// is not cleared or compacted, also when other nodes come and go.
///
/// ```
/// use sgfstream::adapt::GameTree;
///
/// let tree = GameTree::parse(b"(;;B[aa])")?;
/// let second = tree.first_child(tree.root()).expect("two nodes");
/// assert_eq!(second.index(), 1);
/// # Ok::<(), sgfstream::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NodeId(pub(super) u32);

impl NodeId {
    /// Its place among the nodes in the order in which they were made, from 0.
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
    pub(super) first_property: u32,
    pub(super) last_property: u32,
    /// A `(` stands before it.
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
        first_property: NONE,
        last_property: NONE,
        starts_variation: false,
        removed: false,
    };
}

/// A property: where its bytes are, as written, and what comes after it in its
/// node.
#[derive(Clone, Debug)]
pub(super) struct Entry {
    pub(super) start: u64,
    pub(super) len: u64,
    pub(super) next: u32,
    /// `u16::MAX`: that long or longer, to be counted.
    pub(super) ident_len: u16,
    pub(super) framing: Framing,
    /// One value, closed, directly behind the identifier.
    pub(super) simple: bool,
}

// What a node of one property takes; the arrays grow by an eighth.
const _: () = assert!((size_of::<Node>() + size_of::<Entry>()) * 9 / 8 <= 64);
