//! Changing a tree. What is not touched keeps its bytes; what is taken away
//! keeps its memory until [`GameTree::compact`].

use std::fmt;

use crate::base::{Error, ErrorKind};
use crate::event::{Ident, Property};
use crate::scan::Framing;

use super::arena::Full;
use super::node::{Entry, NONE, Node, NodeId};
use super::{GameTree, TreeBuilder};

/// Why an edit was refused. The tree is as it was.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum EditError {
    /// The node is not part of the tree.
    UnknownNode(NodeId),
    /// The root cannot be removed.
    Root,
    /// Not letters and digits with a capital or digit among them.
    Identifier,
    /// No values, or one that ends where a `]` is not escaped: escape text
    /// first ([`escape_text`](crate::write::escape_text)).
    Value,
    /// The tree may not take more memory ([`MemoryLimit`](super::MemoryLimit)).
    Memory(u64),
}

impl fmt::Display for EditError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UnknownNode(node) => write!(f, "expected a node of this tree, found number {}", node.index()),
            Self::Root => f.write_str("expected a node below the root, found the root"),
            Self::Identifier => f.write_str("expected an identifier of capital letters and digits, found other bytes"),
            Self::Value => f.write_str("expected one or more values with `]` and `\\` escaped, found other"),
            Self::Memory(limit) => Error::new(ErrorKind::Memory(*limit), None).fmt(f),
        }
    }
}

impl std::error::Error for EditError {}

impl From<Full> for EditError {
    fn from(full: Full) -> Self {
        Self::Memory(full.limit())
    }
}

impl GameTree {
    fn known(&self, node: NodeId) -> Result<NodeId, EditError> {
        if self.contains(node) { Ok(node) } else { Err(EditError::UnknownNode(node)) }
    }

    /// Appends an empty node after `parent`: the next move of its line, or, if
    /// it has children already, one more variation.
    ///
    /// ```
    /// use sgfstream::adapt::GameTree;
    ///
    /// let mut tree = GameTree::new();
    /// let first = tree.add_node(tree.root())?;
    /// tree.set_property(first, b"B", [b"pd"])?;
    /// let second = tree.add_node(tree.root())?;
    /// tree.set_property(second, b"B", [b"dd"])?;
    /// assert_eq!(tree.to_string(), "(;(;B[pd])(;B[dd]))");
    /// # Ok::<(), sgfstream::adapt::EditError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// An unknown parent, or no memory.
    pub fn add_node(&mut self, parent: NodeId) -> Result<NodeId, EditError> {
        self.add(parent, false)
    }

    /// Appends an empty node after `parent` that starts a variation, also
    /// where it is the only one.
    ///
    /// # Errors
    ///
    /// As [`add_node`](Self::add_node).
    pub fn add_variation(&mut self, parent: NodeId) -> Result<NodeId, EditError> {
        self.add(parent, true)
    }

    fn add(&mut self, parent: NodeId, starts_variation: bool) -> Result<NodeId, EditError> {
        self.known(parent)?;
        let node = self.push_node(Node { starts_variation, ..Node::ALONE })?;
        self.attach(parent, node);
        Ok(node)
    }

    /// Puts an empty node between `node` and what comes after it.
    ///
    /// ```
    /// use sgfstream::adapt::GameTree;
    ///
    /// let mut tree = GameTree::parse(b"(;GM[1](;B[aa])(;B[bb]))")?;
    /// let between = tree.insert_after(tree.root())?;
    /// tree.set_property(between, b"C", [b"new"])?;
    /// assert_eq!(tree.to_string(), "(;GM[1];C[new](;B[aa])(;B[bb]))");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// An unknown node, or no memory.
    pub fn insert_after(&mut self, node: NodeId) -> Result<NodeId, EditError> {
        self.known(node)?;
        let Node { first_child, last_child, .. } = *self.node(node);
        let between = self.push_node(Node { first_child, last_child, ..Node::ALONE })?;
        let mut child = NodeId::some(first_child);
        while let Some(at) = child {
            self.nodes[at.index()].parent = between.0;
            child = self.next_sibling(at);
        }
        let above = &mut self.nodes[node.index()];
        (above.first_child, above.last_child) = (NONE, NONE);
        self.attach(node, between);
        Ok(between)
    }

    /// Takes `node` and all below it away. Its number is not given to others.
    ///
    /// ```
    /// use sgfstream::adapt::GameTree;
    ///
    /// let mut tree = GameTree::parse(b"(;GM[1];B[aa](;W[bb])(;W[cc];B[dd]))")?;
    /// let last = tree.last_child(tree.main_line().nth(1).expect("a move")).expect("a variation");
    /// tree.remove_node(last)?;
    /// assert_eq!((tree.to_string().as_str(), tree.node_count()), ("(;GM[1];B[aa](;W[bb]))", 3));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// An unknown node, or the root.
    pub fn remove_node(&mut self, node: NodeId) -> Result<(), EditError> {
        self.known(node)?;
        let parent = self.parent(node).ok_or(EditError::Root)?;
        self.detach(parent, node);
        // In pre-order a node is left for good once the next one is found.
        let mut next = Some(node);
        while let Some(at) = next {
            next = self.first_child(at).or_else(|| self.after_subtree(at, node));
            self.node_count -= 1;
            self.property_count -= u32::try_from(self.properties(at).count()).unwrap_or(u32::MAX);
            self.nodes[at.index()].removed = true;
        }
        let removed = &mut self.nodes[node.index()];
        (removed.parent, removed.previous, removed.next) = (NONE, NONE, NONE);
        Ok(())
    }

    /// The node that comes after all below `node`, inside of `top`.
    fn after_subtree(&self, mut node: NodeId, top: NodeId) -> Option<NodeId> {
        while node != top {
            if let Some(sibling) = self.next_sibling(node) {
                return Some(sibling);
            }
            node = self.parent(node)?;
        }
        None
    }

    fn detach(&mut self, parent: NodeId, node: NodeId) {
        let Node { previous, next, .. } = *self.node(node);
        match NodeId::some(previous) {
            Some(previous) => self.nodes[previous.index()].next = next,
            None => self.nodes[parent.index()].first_child = next,
        }
        match NodeId::some(next) {
            Some(next) => self.nodes[next.index()].previous = previous,
            None => self.nodes[parent.index()].last_child = previous,
        }
    }

    /// Makes `node` the first child of its parent: the main one of its
    /// variations.
    ///
    /// ```
    /// use sgfstream::adapt::GameTree;
    ///
    /// let mut tree = GameTree::parse(b"(;GM[1](;B[aa])(;B[bb])(;B[cc]))")?;
    /// tree.promote(tree.last_child(tree.root()).expect("three"))?;
    /// assert_eq!(tree.to_string(), "(;GM[1](;B[cc])(;B[aa])(;B[bb]))");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// An unknown node.
    pub fn promote(&mut self, node: NodeId) -> Result<(), EditError> {
        self.known(node)?;
        let Some(parent) = self.parent(node) else { return Ok(()) };
        self.detach(parent, node);
        let first = std::mem::replace(&mut self.nodes[parent.index()].first_child, node.0);
        let promoted = &mut self.nodes[node.index()];
        (promoted.previous, promoted.next) = (NONE, first);
        match NodeId::some(first) {
            Some(first) => self.nodes[first.index()].previous = node.0,
            None => self.nodes[parent.index()].last_child = node.0,
        }
        Ok(())
    }

    /// Appends a property, also where the node has one of this identifier.
    /// The values are as they will stand between their brackets: escaped, in
    /// the charset of the game.
    ///
    /// # Errors
    ///
    /// An unknown node, bytes that are no identifier or no values, no memory.
    ///
    /// ```
    /// use sgfstream::{adapt::GameTree, write::escape_text};
    ///
    /// let mut tree = GameTree::new();
    /// tree.add_property(tree.root(), b"C", [escape_text("see [1]").as_bytes()])?;
    /// assert_eq!(tree.to_string(), "(;C[see [1\\]])");
    /// assert!(tree.add_property(tree.root(), b"C", [b"see [1]"]).is_err());
    /// # Ok::<(), sgfstream::adapt::EditError>(())
    /// ```
    pub fn add_property<V: AsRef<[u8]>>(
        &mut self,
        node: NodeId,
        ident: &[u8],
        values: impl IntoIterator<Item = V>,
    ) -> Result<(), EditError> {
        self.known(node)?;
        let (start, framing) = self.append_text(node, ident, values)?;
        let len = self.text.len() as u64 - start;
        let entry = Entry { start, len, next: NONE, ident_len: 0, framing, simple: false };
        self.push_entry(node, Ident::new(ident), entry).map_err(|full| {
            self.text.truncate(start as usize);
            EditError::from(full)
        })?;
        Ok(())
    }

    /// Sets the values of a property: in the place of the first one of this
    /// identifier, or as the last. Others of the identifier are removed.
    /// Lowercase letters in written identifiers do not count.
    ///
    /// ```
    /// use sgfstream::adapt::GameTree;
    ///
    /// let mut tree = GameTree::parse(b"(;AddBlack[aa]SZ[9]AB[bb])")?;
    /// tree.set_property(tree.root(), b"AB", [b"cc", b"dd"])?;
    /// tree.set_property(tree.root(), b"KM", [b"6.5"])?;
    /// assert_eq!(tree.to_string(), "(;AB[cc][dd]SZ[9]KM[6.5])");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As [`add_property`](Self::add_property).
    pub fn set_property<V: AsRef<[u8]>>(
        &mut self,
        node: NodeId,
        ident: &[u8],
        values: impl IntoIterator<Item = V>,
    ) -> Result<(), EditError> {
        self.known(node)?;
        let Some(first) = self.entries_of(node).find(|&at| self.property_at(at).ident().is(ident)) else {
            return self.add_property(node, ident, values);
        };
        let (start, framing) = self.append_text(node, ident, values)?;
        let len = self.text.len() as u64 - start;
        let entry = &mut self.entries[first as usize];
        entry.start = start;
        entry.len = len;
        entry.ident_len = u16::try_from(ident.len()).unwrap_or(u16::MAX);
        entry.framing = framing;
        entry.simple = false;
        self.retain_entries(node, |tree, at| at == first || !tree.property_at(at).ident().is(ident));
        Ok(())
    }

    /// Takes every property of the canonical identifier `ident` away; says how
    /// many there were.
    ///
    /// # Errors
    ///
    /// An unknown node.
    pub fn remove_property(&mut self, node: NodeId, ident: &[u8]) -> Result<usize, EditError> {
        self.retain_properties(node, |property| !property.ident().is(ident))
    }

    /// Takes every property away that `keep` does not want; says how many.
    ///
    /// ```
    /// use sgfstream::adapt::GameTree;
    ///
    /// let mut tree = GameTree::parse(b"(;GM[1]C[a]SZ[9]C[b])")?;
    /// let gone = tree.retain_properties(tree.root(), |property| !property.ident().is(b"C"))?;
    /// assert_eq!((gone, tree.to_string().as_str()), (2, "(;GM[1]SZ[9])"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// An unknown node.
    pub fn retain_properties(
        &mut self,
        node: NodeId,
        mut keep: impl FnMut(Property<'_>) -> bool,
    ) -> Result<usize, EditError> {
        self.known(node)?;
        Ok(self.retain_entries(node, |tree, at| keep(tree.property_at(at))))
    }

    fn entries_of(&self, node: NodeId) -> impl Iterator<Item = u32> {
        let some = |at: u32| (at != NONE).then_some(at);
        std::iter::successors(some(self.node(node).first_property), move |&at| some(self.entries[at as usize].next))
    }

    fn retain_entries(&mut self, node: NodeId, mut keep: impl FnMut(&Self, u32) -> bool) -> usize {
        let mut removed = 0;
        let mut kept = NONE;
        let mut at = self.node(node).first_property;
        while at != NONE {
            let next = self.entries[at as usize].next;
            if keep(self, at) {
                kept = at;
            } else {
                removed += 1;
                match kept {
                    NONE => self.nodes[node.index()].first_property = next,
                    kept => self.entries[kept as usize].next = next,
                }
            }
            at = next;
        }
        self.nodes[node.index()].last_property = kept;
        self.property_count -= removed;
        removed as usize
    }

    /// Appends the bytes of a property, and looks whether they are one.
    fn append_text<V: AsRef<[u8]>>(
        &mut self,
        node: NodeId,
        ident: &[u8],
        values: impl IntoIterator<Item = V>,
    ) -> Result<(u64, Framing), EditError> {
        let is_ident = ident.iter().all(u8::is_ascii_alphanumeric) && ident.iter().any(|b| !b.is_ascii_lowercase());
        if !is_ident {
            return Err(EditError::Identifier);
        }
        // Of the game, as its other values are framed.
        let framing = self.entries_of(node).chain(self.entries_of(self.root())).last();
        let framing = framing.map_or(Framing::Value, |at| self.entries[at as usize].framing);
        let start = self.text.len();
        let result = self.append_values(start, ident, values, framing);
        if result.is_err() {
            self.text.truncate(start);
        }
        result.map(|()| (start as u64, framing))
    }

    fn append_values<V: AsRef<[u8]>>(
        &mut self,
        start: usize,
        ident: &[u8],
        values: impl IntoIterator<Item = V>,
        framing: Framing,
    ) -> Result<(), EditError> {
        self.budget.reserve(&mut self.text, ident.len())?;
        self.text.extend_from_slice(ident);
        let mut count = 0;
        for value in values {
            let value = value.as_ref();
            self.budget.reserve(&mut self.text, value.len() + 2)?;
            self.text.push(b'[');
            self.text.extend_from_slice(value);
            self.text.push(b']');
            count += 1;
        }
        let raw = &self.text[start..];
        let property = Property::parse(raw, framing).ok_or(EditError::Value)?;
        let values_len: usize = property.values().map(|value| value.as_bytes().len() + 2).sum();
        let is_whole = property.value_count() == count && ident.len() + values_len == raw.len();
        if is_whole { Ok(()) } else { Err(EditError::Value) }
    }

    /// Lays the tree out anew, in the order of the file, without what was
    /// removed. Numbers of nodes change.
    ///
    /// # Errors
    ///
    /// When old and new together take more memory than is allowed.
    pub fn compact(&mut self) -> Result<(), EditError> {
        let mut builder = TreeBuilder::within(self.budget.limit);
        self.drive(&mut builder, 1);
        match builder.finish() {
            Ok(Some(tree)) => {
                let problems = std::mem::take(&mut self.problems);
                *self = tree;
                self.problems = problems;
                self.recount();
                Ok(())
            }
            _ => Err(self.budget.full().into()),
        }
    }
}
