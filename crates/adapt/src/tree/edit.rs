//! Edits of a tree. A property that is not edited keeps its bytes. Removed nodes and properties
//! take memory until [`GameTree::compact`] is called.

use std::fmt;

use super::arena::{NONE, PropertyArena};
use sgfstream::internal::TextCharset;
use sgfstream::{
    Charset, CharsetSource, Framing, Property, WriteError, encode_property, encode_texts,
};

use super::GameTree;
use super::build::TreePlace;
use super::events::bytes_of;
use super::memory::MemoryFull;
use super::node::{Node, NodeId};

/// Reason why an edit was refused. The tree is unchanged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum EditError {
    /// The node is not part of the tree.
    UnknownNode(NodeId),
    /// The root cannot be removed.
    Root,
    /// The property is not one that a reader would find again.
    Property(WriteError),
    /// The tree would exceed its limit ([`MemoryLimit`](super::MemoryLimit)).
    Memory(MemoryFull),
}

impl fmt::Display for EditError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UnknownNode(node) => write!(f, "the tree has no node number {}", node.index()),
            Self::Root => {
                f.write_str("the root cannot be removed or moved; choose a node below it")
            }
            Self::Property(err) => err.fmt(f),
            Self::Memory(full) => full.fmt(f),
        }
    }
}

impl std::error::Error for EditError {}

impl From<WriteError> for EditError {
    fn from(err: WriteError) -> Self {
        Self::Property(err)
    }
}

impl From<MemoryFull> for EditError {
    fn from(full: MemoryFull) -> Self {
        Self::Memory(full)
    }
}

impl GameTree {
    /// Returns an error if an edit names an unknown node.
    fn edit(&mut self, node: NodeId) -> Result<(), EditError> {
        self.is_edited = true;
        if self.contains(node) {
            Ok(())
        } else {
            Err(EditError::UnknownNode(node))
        }
    }

    /// Appends an empty node to the children of `parent`: its next move, or, if it has children,
    /// another variation.
    ///
    /// ```
    /// use sgfstream_adapt::GameTree;
    ///
    /// let mut tree = GameTree::new();
    /// let first = tree.add_node(tree.root())?;
    /// tree.set_property(first, b"B", [b"pd"])?;
    /// let second = tree.add_node(tree.root())?;
    /// tree.set_property(second, b"B", [b"dd"])?;
    /// assert_eq!(tree.to_string(), "(;(;B[pd])(;B[dd]))");
    /// # Ok::<(), sgfstream_adapt::EditError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns an error if the parent is unknown or memory runs out.
    pub fn add_node(&mut self, parent: NodeId) -> Result<NodeId, EditError> {
        self.edit(parent)?;
        let node = self.push_node(Node::ALONE)?;
        self.attach(parent, node);
        Ok(node)
    }

    /// Inserts an empty node between `node` and the nodes that follow it.
    ///
    /// ```
    /// use sgfstream_adapt::GameTree;
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
    /// Returns an error if the node is unknown or memory runs out.
    pub fn insert_after(&mut self, node: NodeId) -> Result<NodeId, EditError> {
        self.edit(node)?;
        let Node {
            first_child,
            last_child,
            ..
        } = *self.node(node);
        let between = self.push_node(Node {
            first_child,
            last_child,
            ..Node::ALONE
        })?;
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

    /// Removes `node` and all nodes below it. Their numbers are not used again.
    ///
    /// ```
    /// use sgfstream_adapt::GameTree;
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
    /// Returns an error if the node is unknown or is the root.
    pub fn remove_node(&mut self, node: NodeId) -> Result<(), EditError> {
        self.edit(node)?;
        let parent = self.parent(node).ok_or(EditError::Root)?;
        self.detach(parent, node);
        // In pre-order, a node is no longer needed once its successor is found.
        let mut next = Some(node);
        while let Some(at) = next {
            next = self.next_below(node, at).map(|(next, _)| next);
            self.node_count -= 1;
            self.nodes[at.index()].removed = true;
        }
        let removed = &mut self.nodes[node.index()];
        (removed.parent, removed.previous, removed.next) = (NONE, NONE, NONE);
        Ok(())
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

    /// Makes `node` the first child of its parent, so that it belongs to the parent's main
    /// variation.
    ///
    /// ```
    /// use sgfstream_adapt::GameTree;
    ///
    /// let mut tree = GameTree::parse(b"(;GM[1](;B[aa])(;B[bb])(;B[cc]))")?;
    /// tree.promote(tree.last_child(tree.root()).expect("three"))?;
    /// assert_eq!(tree.to_string(), "(;GM[1](;B[cc])(;B[aa])(;B[bb]))");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns an error if the node is unknown.
    pub fn promote(&mut self, node: NodeId) -> Result<(), EditError> {
        self.edit(node)?;
        let Some(parent) = self.parent(node) else {
            return Ok(());
        };
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

    /// Appends a property, even if the node already has one with this identifier. The values are
    /// the bytes between the brackets: escaped, in the charset of the game.
    ///
    /// # Errors
    ///
    /// Returns an error if the node is unknown, the bytes are not an identifier or not values, or
    /// memory runs out. Also returns an error if the bytes do not fit a text that was set before:
    /// it is in another charset than a `CA` declares, or the bytes are not UTF-8 and the game
    /// declares no charset.
    ///
    /// ```
    /// use sgfstream_adapt::GameTree;
    ///
    /// let mut tree = GameTree::new();
    /// tree.add_property(tree.root(), b"C", [b"see [1\\]"])?;
    /// assert_eq!(tree.to_string(), "(;C[see [1\\]])");
    /// assert!(tree.add_property(tree.root(), b"C", [b"see [1]"]).is_err());
    /// # Ok::<(), sgfstream_adapt::EditError>(())
    /// ```
    pub fn add_property<V: AsRef<[u8]>>(
        &mut self,
        node: NodeId,
        ident: impl AsRef<[u8]>,
        values: impl IntoIterator<Item = V>,
    ) -> Result<(), EditError> {
        let framing = self.framing_at(node)?;
        let raw = encode_property(&ident, values, framing)?;
        let property = Property::from_raw(&raw, framing);
        // Readers use the first `CA`.
        let charset = match self.property(node, &ident) {
            Some(_) => self.arena.texts.with_bytes(&raw)?,
            None => self.charset_with(node, &property, self.arena.texts)?,
        };
        self.append(node, &property, charset)
    }

    /// Sets the values of a property. It replaces the first property with this identifier, or
    /// appends a new one, and removes all others with this identifier. Identifiers in the file
    /// match without their lowercase letters. For text, use [`set_text`](Self::set_text).
    ///
    /// ```
    /// use sgfstream_adapt::GameTree;
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
    /// Same as [`add_property`](Self::add_property).
    pub fn set_property<V: AsRef<[u8]>>(
        &mut self,
        node: NodeId,
        ident: impl AsRef<[u8]>,
        values: impl IntoIterator<Item = V>,
    ) -> Result<(), EditError> {
        let framing = self.framing_at(node)?;
        let raw = encode_property(&ident, values, framing)?;
        self.set_raw(node, &Property::from_raw(&raw, framing), self.arena.texts)
    }

    /// Replaces the first property with this identifier, or appends one, and removes the others.
    fn set_raw(
        &mut self,
        node: NodeId,
        property: &Property<'_>,
        charset: TextCharset,
    ) -> Result<(), EditError> {
        let charset = self.charset_with(node, property, charset)?;
        let ident = property.ident().canonical();
        let properties = self.node(node).properties;
        let is_of_ident =
            |tree: &PropertyArena, at: u32| tree.ident(at).is_some_and(|found| found.is(&ident));
        let Some(first) = self
            .arena
            .list(properties)
            .find(|&at| is_of_ident(&self.arena, at))
        else {
            return self.append(node, property, charset);
        };
        self.reserve_bytes(property.as_bytes().len() + self.arena.blanks_after(first).len())?;
        self.arena.replace(first, property);
        self.retain_records(node, |arena, at| at == first || !is_of_ident(arena, at));
        self.arena.texts = charset;
        Ok(())
    }

    fn append(
        &mut self,
        node: NodeId,
        property: &Property<'_>,
        charset: TextCharset,
    ) -> Result<(), EditError> {
        let last = self.node(node).properties.last;
        let moved = match self.arena.blanks_after(last) {
            b"" => 0,
            blanks => blanks.len() + self.arena.raw(last).len(),
        };
        self.reserve_property(property.as_bytes().len() + moved)?;
        self.arena
            .add_property(&mut self.nodes[node.index()].properties, property);
        self.arena.texts = charset;
        Ok(())
    }

    /// Sets a property to one text. The text is escaped and encoded in the charset of the game, or
    /// in UTF-8 if the game declares none. For a composed value, use
    /// [`set_property`](Self::set_property).
    ///
    /// ```
    /// use sgfstream_adapt::GameTree;
    ///
    /// let mut tree = GameTree::parse(b"(;CA[GBK]C[old])")?;
    /// tree.set_text(tree.root(), "C", "\u{9ed1} [1]")?;
    /// let comment = tree.property(tree.root(), "C").expect("it was set").first();
    /// assert_eq!(
    ///     (comment.as_bytes(), &*comment.text()),
    ///     (&b"\xba\xda [1\\]"[..], "\u{9ed1} [1]")
    /// );
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Same as [`add_property`](Self::add_property). Also returns an error if the charset of the
    /// game lacks a character, or if it is unknown: the game declares none, has text that is not
    /// UTF-8, and `text` is not ASCII.
    pub fn set_text(
        &mut self,
        node: NodeId,
        ident: impl AsRef<[u8]>,
        text: &str,
    ) -> Result<(), EditError> {
        self.set_texts(node, ident, &[text])
    }

    /// Sets the values of a property to these texts; see [`set_text`](Self::set_text).
    ///
    /// ```
    /// use sgfstream_adapt::GameTree;
    ///
    /// let mut tree = GameTree::parse(b"(;SZ[9])")?;
    /// tree.set_texts(tree.root(), "LB", &["aa:1", "bb:[2]"])?;
    /// assert_eq!(tree.to_string(), r"(;SZ[9]LB[aa:1][bb:[2\]])");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Same as [`set_text`](Self::set_text).
    pub fn set_texts<T: AsRef<str>>(
        &mut self,
        node: NodeId,
        ident: impl AsRef<[u8]>,
        texts: &[T],
    ) -> Result<(), EditError> {
        let framing = self.framing_at(node)?;
        let mut charset = self.arena.texts;
        for text in texts {
            charset = charset.with_text(text.as_ref())?;
        }
        let raw = encode_texts(&ident, texts, self.charset(), framing)?;
        self.set_raw(node, &Property::from_raw(&raw, framing), charset)
    }

    /// Removes all properties with the canonical identifier `ident`. Returns their number.
    ///
    /// # Errors
    ///
    /// Returns an error if the node is unknown.
    pub fn remove_property(
        &mut self,
        node: NodeId,
        ident: impl AsRef<[u8]>,
    ) -> Result<usize, EditError> {
        self.retain_properties(node, |property| !property.ident().is(ident.as_ref()))
    }

    /// Removes the properties for which `keep` returns false. Returns their number.
    ///
    /// ```
    /// use sgfstream_adapt::GameTree;
    ///
    /// let mut tree = GameTree::parse(b"(;GM[1]C[a]SZ[9]C[b])")?;
    /// let gone = tree.retain_properties(tree.root(), |property| !property.ident().is(b"C"))?;
    /// assert_eq!((gone, tree.to_string().as_str()), (2, "(;GM[1]SZ[9])"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns an error if the node is unknown.
    pub fn retain_properties(
        &mut self,
        node: NodeId,
        mut keep: impl FnMut(Property<'_>) -> bool,
    ) -> Result<usize, EditError> {
        self.edit(node)?;
        Ok(self.retain_records(node, |arena, at| arena.property(at).is_none_or(&mut keep)))
    }

    fn retain_records(
        &mut self,
        node: NodeId,
        mut keep: impl FnMut(&PropertyArena, u32) -> bool,
    ) -> usize {
        let mut removed = 0;
        let properties = &mut self.nodes[node.index()].properties;
        self.arena.retain(properties, |arena, at| {
            let is_kept = keep(arena, at);
            removed += usize::from(!is_kept);
            is_kept
        });
        removed
    }

    /// Returns the framing of the game's other values, for a property of a known node.
    fn framing_at(&mut self, node: NodeId) -> Result<Framing, EditError> {
        self.edit(node)?;
        if self.charset().has_structural_trail_bytes()
            && self.charset_source == CharsetSource::Default
        {
            return Ok(Framing::Auto);
        }
        let framing = self
            .properties(node)
            .chain(self.properties(self.root()))
            .last();
        Ok(framing.map_or(Framing::Value, |property| property.framing()))
    }

    /// Returns the charset of the game with a property that is added to a node. A `CA` in the root
    /// declares the charset, unless the file names another source of its charset.
    fn charset_with(
        &self,
        node: NodeId,
        property: &Property<'_>,
        charset: TextCharset,
    ) -> Result<TextCharset, WriteError> {
        let is_declared = matches!(
            self.charset_source,
            CharsetSource::Default | CharsetSource::Declared
        );
        if node == self.root() && property.ident() == "CA" && is_declared {
            let declared = Charset::for_label(property.first().as_bytes());
            return charset.declare(declared.unwrap_or(Charset::AUTO));
        }
        charset.with_bytes(property.as_bytes())
    }

    /// Rebuilds the tree in the order of the file, without removed nodes and properties. The
    /// numbers of nodes change.
    ///
    /// # Errors
    ///
    /// Returns an error if the old and the new tree together exceed the memory limit.
    pub fn compact(&mut self) -> Result<(), EditError> {
        let mut tree = Self::empty(self.budget.limit);
        let (mut place, mut events) = (TreePlace::default(), self.events());
        while let Some((event, blanks)) = events.next_with_blanks() {
            let bytes = bytes_of(&event);
            tree.reserve_bytes(bytes.len() + blanks.len())?;
            let start = tree.arena.keep(bytes);
            tree.arena.keep(blanks);
            tree.add_event(&mut place, &event, start)?;
        }
        tree.problems = std::mem::take(&mut self.problems);
        (tree.arena.texts, tree.charset_source) = (self.arena.texts, self.charset_source);
        tree.is_edited = self.is_edited;
        tree.recount();
        *self = tree;
        Ok(())
    }
}
