//! Iterators over trees. They store only their place, regardless of the depth of the tree.

use sgfstream::Property;

use super::GameTree;
use super::node::NodeId;

impl GameTree {
    /// Returns all nodes in the order of the file, each before the nodes below it.
    ///
    /// ```
    /// use sgfstream_adapt::GameTree;
    ///
    /// let tree = GameTree::parse(b"(;N[a];N[b](;N[c])(;N[d]))")?;
    /// let names: Vec<_> = tree.preorder().filter_map(|node| tree.property(node, "N")).collect();
    /// assert_eq!(
    ///     names.iter().map(|name| name.first().as_bytes()).collect::<Vec<_>>(),
    ///     [b"a", b"b", b"c", b"d"]
    /// );
    /// # Ok::<(), sgfstream::Error>(())
    /// ```
    #[must_use]
    pub fn preorder(&self) -> Preorder<'_> {
        self.subtree(self.root())
    }

    /// Returns `top` and all nodes below it, each before the nodes below it.
    #[must_use]
    pub fn subtree(&self, top: NodeId) -> Preorder<'_> {
        Preorder {
            tree: self,
            top,
            next: self.contains(top).then_some(top),
            depth: 0,
        }
    }

    /// Returns the nodes directly after `node`: the next move, and the first node of each further
    /// variation.
    ///
    /// Do not recurse over children: each move is the child of the one before, and a file may have
    /// millions of moves in one line, which would overflow the stack. To walk a whole tree, use
    /// [`preorder`](Self::preorder), which also returns the depth:
    ///
    /// ```
    /// use sgfstream_adapt::GameTree;
    ///
    /// let tree = GameTree::parse(b"(;N[a];N[b](;N[c])(;N[d]))")?;
    /// let (mut nodes, mut text) = (tree.preorder(), String::new());
    /// let mut depth = nodes.depth();
    /// while let Some(node) = nodes.next() {
    ///     let name = tree.property(node, "N").expect("all have one");
    ///     text += &format!("{:depth$}{}\n", "", name.text());
    ///     depth = nodes.depth();
    /// }
    /// assert_eq!(text, "a\n b\n  c\n  d\n");
    /// # Ok::<(), sgfstream::Error>(())
    /// ```
    pub fn children(&self, node: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        std::iter::successors(self.first_child(node), |&at| self.next_sibling(at))
    }

    /// Returns the nodes from the parent of `node` up to the root.
    pub fn ancestors(&self, node: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        std::iter::successors(self.parent(node), |&at| self.parent(at))
    }

    /// Returns the main line: the root, its first child, and so on.
    pub fn main_line(&self) -> impl Iterator<Item = NodeId> + '_ {
        self.line(self.root())
    }

    /// Returns `node`, its first child, and so on.
    pub fn line(&self, node: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        let first = self.contains(node).then_some(node);
        std::iter::successors(first, |&at| self.first_child(at))
    }

    /// Returns the properties of `node`, in order.
    pub fn properties(&self, node: NodeId) -> impl Iterator<Item = Property<'_>> {
        let records = self.arena.list(self.node(node).properties);
        records.filter_map(|at| self.arena.property(at))
    }

    /// Returns the node after `node` in pre-order below `top`, and how many levels deeper it is.
    pub(super) fn next_below(&self, top: NodeId, mut node: NodeId) -> Option<(NodeId, isize)> {
        if let Some(child) = self.first_child(node) {
            return Some((child, 1));
        }
        let mut levels = 0;
        while node != top {
            if let Some(sibling) = self.next_sibling(node) {
                return Some((sibling, levels));
            }
            node = self.parent(node)?;
            levels -= 1;
        }
        None
    }
}

/// Iterator over nodes in the order of the file; see [`GameTree::preorder`].
#[derive(Clone, Debug)]
pub struct Preorder<'t> {
    tree: &'t GameTree,
    top: NodeId,
    next: Option<NodeId>,
    depth: usize,
}

impl Preorder<'_> {
    /// Returns the depth of the next node below the first one.
    #[must_use]
    pub fn depth(&self) -> usize {
        self.depth
    }
}

impl Iterator for Preorder<'_> {
    type Item = NodeId;

    #[inline]
    fn next(&mut self) -> Option<NodeId> {
        let node = self.next?;
        let next = self.tree.next_below(self.top, node);
        self.next = next.map(|(next, levels)| {
            self.depth = self.depth.wrapping_add_signed(levels);
            next
        });
        Some(node)
    }
}

impl std::iter::FusedIterator for Preorder<'_> {}
