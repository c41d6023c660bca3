//! Iterators over trees. They store only their place, regardless of the depth of the tree.

use sgfstream::Property;

use super::GameTree;
use super::node::NodeId;

/// Iterates over the nodes as [`GameTree::preorder`] does.
impl<'a> IntoIterator for &'a GameTree {
    type Item = NodeId;
    type IntoIter = Preorder<'a>;

    fn into_iter(self) -> Preorder<'a> {
        self.preorder()
    }
}

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
    #[must_use]
    pub fn children(&self, node: NodeId) -> Children<'_> {
        Children {
            tree: self,
            next: self.first_child(node),
        }
    }

    /// Returns the nodes from the parent of `node` up to the root.
    #[must_use]
    pub fn ancestors(&self, node: NodeId) -> Ancestors<'_> {
        Ancestors {
            tree: self,
            next: self.parent(node),
        }
    }

    /// Returns the main line: the root, its first child, and so on.
    #[must_use]
    pub fn main_line(&self) -> MainLine<'_> {
        self.line(self.root())
    }

    /// Returns `node`, its first child, and so on.
    #[must_use]
    pub fn line(&self, node: NodeId) -> MainLine<'_> {
        MainLine {
            tree: self,
            next: self.contains(node).then_some(node),
        }
    }

    /// Returns the properties of `node`, in order.
    #[must_use]
    pub fn properties(&self, node: NodeId) -> Properties<'_> {
        Properties {
            tree: self,
            next: self.node(node).properties.first,
        }
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

    /// Moves to the node after all nodes below `node`.
    fn climb(&mut self, mut node: NodeId) {
        self.next = loop {
            if node == self.top {
                break None;
            }
            if let Some(sibling) = self.tree.next_sibling(node) {
                break Some(sibling);
            }
            let Some(parent) = self.tree.parent(node) else {
                break None;
            };
            node = parent;
            self.depth -= 1;
        };
    }
}

impl Iterator for Preorder<'_> {
    type Item = NodeId;

    #[inline]
    fn next(&mut self) -> Option<NodeId> {
        let node = self.next?;
        match self.tree.first_child(node) {
            Some(child) => {
                self.next = Some(child);
                self.depth += 1;
            }
            None => self.climb(node),
        }
        Some(node)
    }
}

impl std::iter::FusedIterator for Preorder<'_> {}

/// Defines an iterator that finds each node from the one before.
macro_rules! steps {
    ($(#[$doc:meta])* $name:ident $step:ident) => {
        $(#[$doc])*
        #[derive(Clone, Debug)]
        pub struct $name<'t> {
            tree: &'t GameTree,
            next: Option<NodeId>,
        }

        impl Iterator for $name<'_> {
            type Item = NodeId;

            #[inline]
            fn next(&mut self) -> Option<NodeId> {
                let node = self.next?;
                self.next = self.tree.$step(node);
                Some(node)
            }
        }

        impl std::iter::FusedIterator for $name<'_> {}
    };
}

steps! {
    /// Iterator over the children of a node; see [`GameTree::children`].
    Children next_sibling
}
steps! {
    /// Iterator over the nodes up to the root; see [`GameTree::ancestors`].
    Ancestors parent
}
steps! {
    /// Iterator over first children; see [`GameTree::main_line`].
    MainLine first_child
}

/// Iterator over the properties of a node; see [`GameTree::properties`].
#[derive(Clone, Debug)]
pub struct Properties<'t> {
    tree: &'t GameTree,
    next: u32,
}

impl<'t> Iterator for Properties<'t> {
    type Item = Property<'t>;

    #[inline]
    fn next(&mut self) -> Option<Property<'t>> {
        let property = self.tree.arena.property(self.next)?;
        self.next = self.tree.arena.next(self.next);
        Some(property)
    }
}

impl std::iter::FusedIterator for Properties<'_> {}
