//! The tree type: its arrays, and functions about single nodes.

use super::arena::{NONE, PropertyArena, Record};
use sgfstream::record::{GameReader, OwnedGame};
use sgfstream::{
    Charset, CharsetSource, Event, Limits, Options, Problem, Property, Result, SliceReader,
};

use super::events::bytes_of;
use super::memory::{Budget, MemoryFull, MemoryLimit};
use super::node::{Node, NodeId};

/// A game: its nodes, their properties, and the problems that the reader reported.
///
/// A tree always has a root. A tree that is not edited is written with the bytes that were read,
/// without the text that the reader reported as problems. An edit changes only the bytes of its
/// property or node: each other part keeps its spelling, and the blanks and line breaks after it.
/// One case is different: a variation of an edited tree may begin with properties that describe a
/// game, as `SZ` does. If a reader would take the variation for another game, a blank precedes its
/// first `[`.
///
/// Two trees are equal if they have the same nodes with the same properties in the same order, and
/// the same nodes start a variation. Problems, charsets and the blanks between properties are not
/// compared.
///
/// ```
/// use sgfstream_adapt::GameTree;
///
/// let tree = GameTree::parse(b"(;GM[1];B[pd];W[dp](;B[dd])(;B[pp];W[dd]))")?;
/// let fork = tree.main_line().nth(2).expect("three nodes in the first line");
/// assert!(tree.property(fork, "W").is_some_and(|white| white.first().as_bytes() == b"dp"));
/// assert_eq!(tree.children(fork).count(), 2);
/// assert_eq!((tree.node_count(), tree.depth(fork)), (6, 2));
/// # Ok::<(), sgfstream::Error>(())
/// ```
pub struct GameTree {
    pub(super) nodes: Vec<Node>,
    pub(super) arena: PropertyArena,
    pub(super) problems: Vec<Problem>,
    pub(super) budget: Budget,
    /// Number of nodes in the tree, without removed ones.
    pub(super) node_count: u32,
    pub(super) charset_source: CharsetSource,
    pub(super) is_edited: bool,
}

impl GameTree {
    /// Returns a tree of one empty node.
    #[must_use]
    pub fn new() -> Self {
        let mut tree = Self::empty(MemoryLimit::default());
        tree.ensure_root();
        tree
    }

    /// Returns the first `nodes` nodes as a game that is read again. Its nodes have the order of
    /// [`preorder`](Self::preorder). The root and [`FACT_NODES`](Self::FACT_NODES) nodes show all
    /// facts of the game.
    ///
    /// ```
    /// use sgfstream_adapt::GameTree;
    /// use sgfstream_game::Facts;
    ///
    /// let game = GameTree::parse(b"(;GM[11]SZ[13];B[a1])")?.to_game(GameTree::FACT_NODES);
    /// let facts = Facts::of(game.record(), 0);
    /// assert_eq!(
    ///     (facts.game.name(), facts.board_size().map(|size| size.columns())),
    ///     ("Hex", Some(13))
    /// );
    /// # Ok::<(), sgfstream::Error>(())
    /// ```
    #[must_use]
    pub fn to_game(&self, nodes: usize) -> OwnedGame {
        let (mut bytes, mut left, mut depth) = (Vec::new(), nodes, 0);
        let _ = self.write_events(|event| {
            match event {
                Event::VariationStart { .. } => depth += 1,
                Event::VariationEnd { .. } => depth -= 1,
                Event::NodeStart { .. } if left == 0 => return Err(()),
                Event::NodeStart { .. } => left -= 1,
                _ => {}
            }
            bytes.extend_from_slice(bytes_of(&event));
            Ok(())
        });
        bytes.extend(std::iter::repeat_n(b')', depth));
        self.read_first(&bytes)
    }

    /// Reads the first game of `bytes` in the charset of this game.
    pub(super) fn read_first(&self, bytes: &[u8]) -> OwnedGame {
        let charset = Some(self.charset()).filter(|&charset| charset != Charset::AUTO);
        let limits = Limits::default().with_game(usize::MAX);
        let options = Options::default().with_charset(charset).with_limits(limits);
        let mut game = OwnedGame::default();
        // Ignore the result: a slice has no errors, and a tree that is too large for a record gives
        // an empty game.
        let _ = GameReader::new(SliceReader::with_options(bytes, options)).read_game(&mut game);
        game
    }

    /// Number of nodes that show which game it is.
    pub const FACT_NODES: usize = 80;

    pub(super) fn empty(limit: MemoryLimit) -> Self {
        Self {
            nodes: Vec::new(),
            arena: PropertyArena::default(),
            problems: Vec::new(),
            budget: Budget { limit, spent: 0 },
            node_count: 0,
            charset_source: CharsetSource::Default,
            is_edited: false,
        }
    }

    /// Removes everything, and keeps the allocated memory. The caller must add a root.
    pub(super) fn clear(&mut self) {
        self.nodes.clear();
        self.arena.clear();
        self.problems.clear();
        self.node_count = 0;
        self.charset_source = CharsetSource::Default;
        self.is_edited = false;
    }

    pub(super) fn ensure_root(&mut self) {
        if self.nodes.is_empty() {
            // Ignore the limit, because a tree must have a root.
            self.nodes.reserve_exact(1);
            self.budget.spent += (self.nodes.capacity() * size_of::<Node>()) as u64;
            self.nodes.push(Node {
                starts_variation: true,
                ..Node::ALONE
            });
            self.node_count = 1;
        }
    }

    /// Returns the number of nodes, at least 1.
    #[must_use]
    pub fn node_count(&self) -> usize {
        self.node_count as usize
    }

    /// Returns the number of bytes that the tree has allocated.
    #[must_use]
    pub fn memory(&self) -> u64 {
        self.budget.spent
    }

    /// Recomputes the number of allocated bytes.
    pub(super) fn recount(&mut self) {
        let bytes = self.nodes.capacity() * size_of::<Node>()
            + self.arena.records.capacity() * size_of::<Record>()
            + self.problems.capacity() * size_of::<Problem>()
            + self.arena.bytes.capacity();
        self.budget.spent = bytes as u64;
    }

    /// Sets the memory limit for later growth.
    pub fn set_memory_limit(&mut self, limit: MemoryLimit) {
        self.budget.limit = limit;
    }

    /// Returns the problems of the game, in order. Their spans count from the start of the input.
    #[must_use]
    pub fn problems(&self) -> &[Problem] {
        &self.problems
    }

    /// Returns the charset of the game.
    #[must_use]
    pub fn charset(&self) -> Charset {
        self.arena.texts.charset()
    }

    /// Returns how the charset was determined.
    #[must_use]
    pub fn charset_source(&self) -> CharsetSource {
        self.charset_source
    }

    /// Returns the first node.
    #[must_use]
    pub fn root(&self) -> NodeId {
        NodeId(0)
    }

    /// Returns whether `node` is part of this tree: it was added to it, and not removed.
    #[must_use]
    pub fn contains(&self, node: NodeId) -> bool {
        self.nodes
            .get(node.index())
            .is_some_and(|node| !node.removed)
    }

    /// Returns a node. For an unknown number, returns a node without neighbors and properties.
    pub(super) fn node(&self, node: NodeId) -> &Node {
        self.nodes.get(node.index()).unwrap_or(&Node::ALONE)
    }

    /// Returns the node before this one, or `None` for the root.
    #[must_use]
    pub fn parent(&self, node: NodeId) -> Option<NodeId> {
        NodeId::some(self.node(node).parent)
    }

    /// Returns the node after this one; the first of them if variations start here.
    #[must_use]
    pub fn first_child(&self, node: NodeId) -> Option<NodeId> {
        NodeId::some(self.node(node).first_child)
    }

    /// Returns the last of the nodes after this one.
    #[must_use]
    pub fn last_child(&self, node: NodeId) -> Option<NodeId> {
        NodeId::some(self.node(node).last_child)
    }

    /// Returns the next node with the same parent: the start of the next variation.
    #[must_use]
    pub fn next_sibling(&self, node: NodeId) -> Option<NodeId> {
        NodeId::some(self.node(node).next)
    }

    /// Returns whether a `(` precedes the node: it is the root, the input has a `(` there, or the
    /// node has siblings.
    #[must_use]
    pub fn starts_variation(&self, node: NodeId) -> bool {
        let node = self.node(node);
        node.starts_variation || node.previous != NONE || node.next != NONE || node.parent == NONE
    }

    /// Returns the number of nodes above this one: 0 for the root. Walks up to the root.
    #[must_use]
    pub fn depth(&self, node: NodeId) -> usize {
        self.ancestors(node).count()
    }

    /// Returns the nodes from the root to `node`, including both.
    ///
    /// ```
    /// use sgfstream_adapt::GameTree;
    ///
    /// let tree = GameTree::parse(b"(;;(;)(;C[here]))")?;
    /// let here = tree.preorder().last().expect("a root at least");
    /// assert_eq!(tree.path(here).iter().map(|node| node.index()).collect::<Vec<_>>(), [0, 1, 3]);
    /// # Ok::<(), sgfstream::Error>(())
    /// ```
    #[must_use]
    pub fn path(&self, node: NodeId) -> Vec<NodeId> {
        let mut path = Vec::with_capacity(self.depth(node) + 1);
        path.push(node);
        path.extend(self.ancestors(node));
        path.reverse();
        path
    }

    /// Returns the first property with the canonical identifier `ident`, which is text or bytes.
    #[must_use]
    pub fn property(&self, node: NodeId, ident: impl AsRef<[u8]>) -> Option<Property<'_>> {
        self.properties(node)
            .find(|property| property.ident().is(ident.as_ref()))
    }

    pub(super) fn push_problem(&mut self, problem: Problem) -> Result<(), MemoryFull> {
        self.budget.reserve(&mut self.problems, 1)?;
        self.problems.push(problem);
        Ok(())
    }

    /// Adds a node, which the caller must attach.
    pub(super) fn push_node(&mut self, node: Node) -> Result<NodeId, MemoryFull> {
        let at = self.free_index(self.nodes.len())?;
        self.budget.reserve(&mut self.nodes, 1)?;
        self.nodes.push(node);
        self.node_count += 1;
        Ok(NodeId(at))
    }

    #[inline]
    pub(super) fn reserve_property(&mut self, len: usize) -> Result<(), MemoryFull> {
        self.free_index(self.arena.records.len())?;
        self.reserve_bytes(len)?;
        self.budget.reserve(&mut self.arena.records, 1)?;
        Ok(())
    }

    #[inline]
    pub(super) fn reserve_bytes(&mut self, len: usize) -> Result<(), MemoryFull> {
        self.free_index(self.arena.bytes.len().saturating_add(len))?;
        self.budget.reserve(&mut self.arena.bytes, len)
    }

    fn free_index(&self, len: usize) -> Result<u32, MemoryFull> {
        u32::try_from(len)
            .ok()
            .filter(|&at| at != NONE)
            .ok_or(self.budget.full())
    }

    /// Makes `child` the last child of `parent`.
    #[inline]
    pub(super) fn attach(&mut self, parent: NodeId, child: NodeId) {
        let last = std::mem::replace(&mut self.nodes[parent.index()].last_child, child.0);
        let node = &mut self.nodes[child.index()];
        node.parent = parent.0;
        node.previous = last;
        node.next = NONE;
        match NodeId::some(last) {
            Some(last) => self.nodes[last.index()].next = child.0,
            None => self.nodes[parent.index()].first_child = child.0,
        }
    }
}

/// Returns a tree of one empty node.
impl Default for GameTree {
    fn default() -> Self {
        Self::new()
    }
}

impl Clone for GameTree {
    fn clone(&self) -> Self {
        let mut clone = Self {
            nodes: self.nodes.clone(),
            arena: self.arena.clone(),
            problems: self.problems.clone(),
            budget: self.budget.clone(),
            ..*self
        };
        clone.recount();
        clone
    }
}

impl PartialEq for GameTree {
    fn eq(&self, other: &Self) -> bool {
        let mut others = other.preorder();
        let alike = |mine: NodeId, theirs: NodeId| {
            let shape = |tree: &Self, node| {
                (
                    tree.starts_variation(node),
                    tree.first_child(node).is_some(),
                )
            };
            let next = |tree: &Self, node| tree.next_sibling(node).is_some();
            let mut properties = other.properties(theirs);
            shape(self, mine) == shape(other, theirs)
                && next(self, mine) == next(other, theirs)
                && self.properties(mine).all(|property| {
                    properties
                        .next()
                        .is_some_and(|other| property.as_bytes() == other.as_bytes())
                })
                && properties.next().is_none()
        };
        // In pre-order, whether a node has a child and whether it has a next sibling determine the
        // shape of the tree.
        self.node_count == other.node_count
            && self
                .preorder()
                .all(|mine| others.next().is_some_and(|theirs| alike(mine, theirs)))
    }
}

impl Eq for GameTree {}
