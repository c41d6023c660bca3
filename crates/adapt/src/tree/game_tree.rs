//! The tree itself: its arrays and the questions about single nodes.

use crate::arena::{EventArena, NONE, Record};
use sgfstream::{Charset, CharsetSource, Event, Flow, Place, Problem, Property, Result};
use sgfstream_game::{GameInfo, GameState, Lookahead, Step};

use super::memory::{Budget, Full, MemoryLimit};
use super::node::{Node, NodeId};

/// One game: its nodes, their properties, and the problems that were met in
/// it.
///
/// A tree always has a root. Properties are kept as they were written, byte by
/// byte and in order. White space inside of a property (in its values, between
/// them, between identifier and value) is kept; white space and other text
/// between properties, nodes and variations is not.
///
/// Two trees are equal if they have the same nodes with the same properties in
/// the same order, and the same nodes start a variation; problems and charsets
/// do not count.
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
    pub(super) arena: EventArena,
    pub(super) problems: Vec<Problem>,
    pub(super) budget: Budget,
    /// Nodes and properties that are part of the tree.
    pub(super) node_count: u32,
    pub(super) property_count: u32,
    pub(super) charset_source: CharsetSource,
}

impl GameTree {
    /// A tree of one empty node.
    #[must_use]
    pub fn new() -> Self {
        let mut tree = Self::empty(MemoryLimit::default());
        tree.ensure_root();
        tree
    }

    /// State of the game by its root: game, board, charset, values. Without GM, the moves show which game it is.
    ///
    /// ```
    /// use sgfstream_adapt::GameTree;
    ///
    /// let tree = GameTree::parse(b"(;GM[11]SZ[13];B[a1])")?;
    /// let state = tree.state();
    /// assert_eq!((state.game().name(), state.size().map(|size| size.columns())), ("Hex", Some(13)));
    /// # Ok::<(), sgfstream::Error>(())
    /// ```
    #[must_use]
    pub fn state(&self) -> GameState {
        let mut state = GameState::default();
        let mut sink = |event: &Event<'_>, place: &Place| match state.event(event, place) {
            Step::RootEnd => Flow::Stop,
            _ => Flow::Go,
        };
        self.drive(&mut sink, 1);
        if state.needs_evidence() {
            let mut lookahead = Lookahead::default();
            let mut look = |event: &Event<'_>, _: &Place| if lookahead.take(event) { Flow::Stop } else { Flow::Go };
            self.drive(&mut look, 1);
            state.take_evidence(lookahead.finish());
        }
        state
    }

    /// Returns what the root declares as typed values: players, result, date, komi and more.
    ///
    /// ```
    /// use sgfstream_adapt::GameTree;
    ///
    /// let info = GameTree::parse(b"(;GM[1]SZ[19]PB[Ada]PW[Ben]RE[B+R]HA[2];W[pd])")?.info();
    /// assert_eq!((info.black.as_deref(), info.white.as_deref()), (Some("Ada"), Some("Ben")));
    /// assert_eq!((info.result.map(|result| result.to_string()), info.handicap), (Some("B+R".into()), Some(2)));
    /// # Ok::<(), sgfstream::Error>(())
    /// ```
    #[must_use]
    pub fn info(&self) -> GameInfo {
        self.state().info()
    }

    pub(super) fn empty(limit: MemoryLimit) -> Self {
        Self {
            nodes: Vec::new(),
            arena: EventArena::default(),
            problems: Vec::new(),
            budget: Budget { limit, spent: 0 },
            node_count: 0,
            property_count: 0,
            charset_source: CharsetSource::Default,
        }
    }

    /// Forgets all and keeps the memory. A root must follow.
    pub(super) fn clear(&mut self) {
        self.nodes.clear();
        self.arena.clear();
        self.problems.clear();
        self.node_count = 0;
        self.property_count = 0;
        self.charset_source = CharsetSource::Default;
    }

    pub(super) fn ensure_root(&mut self) {
        if self.nodes.is_empty() {
            // Not within the budget: a limit below one node would be a tree without a root.
            self.nodes.reserve_exact(1);
            self.budget.spent += (self.nodes.capacity() * size_of::<Node>()) as u64;
            self.nodes.push(Node { starts_variation: true, ..Node::ALONE });
            self.node_count = 1;
        }
    }

    /// How many nodes it has; at least 1.
    #[must_use]
    pub fn node_count(&self) -> usize {
        self.node_count as usize
    }

    /// How many properties it has.
    #[must_use]
    pub fn property_count(&self) -> usize {
        self.property_count as usize
    }

    /// The bytes of memory that it has allocated.
    #[must_use]
    pub fn memory(&self) -> u64 {
        self.budget.spent
    }

    /// Counts anew what is allocated.
    pub(super) fn recount(&mut self) {
        let bytes = self.nodes.capacity() * size_of::<Node>()
            + self.arena.records.capacity() * size_of::<Record>()
            + self.problems.capacity() * size_of::<Problem>()
            + self.arena.bytes.capacity();
        self.budget.spent = bytes as u64;
    }

    /// Sets the limit of its memory from now on.
    pub fn set_memory_limit(&mut self, limit: MemoryLimit) {
        self.budget.limit = limit;
    }

    /// The problems of the game in its input, in order; the spans count from the
    /// start of the input.
    #[must_use]
    pub fn problems(&self) -> &[Problem] {
        &self.problems
    }

    /// The charset of the game.
    #[must_use]
    pub fn charset(&self) -> Charset {
        self.arena.charset
    }

    /// How its charset is known.
    #[must_use]
    pub fn charset_source(&self) -> CharsetSource {
        self.charset_source
    }

    /// The first node.
    #[must_use]
    pub fn root(&self) -> NodeId {
        NodeId(0)
    }

    /// True if `node` is part of this tree: it was made in it, and not removed.
    #[must_use]
    pub fn contains(&self, node: NodeId) -> bool {
        self.nodes.get(node.index()).is_some_and(|node| !node.removed)
    }

    /// A node that is not part of the tree has no neighbours and no properties.
    pub(super) fn node(&self, node: NodeId) -> &Node {
        self.nodes.get(node.index()).unwrap_or(&Node::ALONE)
    }

    /// The node before it; none for the root.
    #[must_use]
    pub fn parent(&self, node: NodeId) -> Option<NodeId> {
        NodeId::some(self.node(node).parent)
    }

    /// The node after it; the first one where variations start.
    #[must_use]
    pub fn first_child(&self, node: NodeId) -> Option<NodeId> {
        NodeId::some(self.node(node).first_child)
    }

    /// The last of the nodes after it.
    #[must_use]
    pub fn last_child(&self, node: NodeId) -> Option<NodeId> {
        NodeId::some(self.node(node).last_child)
    }

    /// The next node after the same parent: the start of the next variation.
    #[must_use]
    pub fn next_sibling(&self, node: NodeId) -> Option<NodeId> {
        NodeId::some(self.node(node).next)
    }

    /// The node that this is the next sibling of.
    #[must_use]
    pub fn previous_sibling(&self, node: NodeId) -> Option<NodeId> {
        NodeId::some(self.node(node).previous)
    }

    /// True if a `(` comes before it: it is the root, it was written so, or it
    /// has siblings.
    #[must_use]
    pub fn starts_variation(&self, node: NodeId) -> bool {
        let node = self.node(node);
        node.starts_variation || node.previous != NONE || node.next != NONE || node.parent == NONE
    }

    /// How many nodes come before it on the way from the root: 0 for the root
    /// itself. Walks up.
    #[must_use]
    pub fn depth(&self, node: NodeId) -> usize {
        self.ancestors(node).count()
    }

    /// How many variations it is in, as the `depth()` of the readers: 1 in the
    /// main sequence of the game. Walks up.
    #[must_use]
    pub fn variation_depth(&self, node: NodeId) -> usize {
        let starts = |&node: &NodeId| self.starts_variation(node);
        usize::from(starts(&node)) + self.ancestors(node).filter(starts).count()
    }

    /// The nodes from the root to `node`, both included.
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

    /// Its first property whose canonical identifier is `ident`, as text or as bytes.
    #[must_use]
    pub fn property(&self, node: NodeId, ident: impl AsRef<[u8]>) -> Option<Property<'_>> {
        self.properties(node).find(|property| property.ident().is(ident.as_ref()))
    }

    /// Appends an empty node without neighbours.
    pub(super) fn push_node(&mut self, node: Node) -> Result<NodeId, Full> {
        let at = self.free_index(self.nodes.len())?;
        self.budget.reserve(&mut self.nodes, 1)?;
        self.nodes.push(node);
        self.node_count += 1;
        Ok(NodeId(at))
    }

    /// Appends a property to a node.
    #[inline]
    pub(super) fn push_property(&mut self, node: NodeId, property: &Property<'_>) -> Result<u32, Full> {
        self.reserve_property(property.as_bytes().len())?;
        Ok(self.arena.push_property(&mut self.nodes[node.index()].properties, property))
    }

    #[inline]
    pub(super) fn reserve_property(&mut self, len: usize) -> Result<(), Full> {
        self.free_index(self.arena.records.len())?;
        self.budget.reserve(&mut self.arena.bytes, len)?;
        self.budget.reserve(&mut self.arena.records, 1)?;
        self.property_count += 1;
        Ok(())
    }

    fn free_index(&self, len: usize) -> Result<u32, Full> {
        u32::try_from(len).ok().filter(|&at| at != NONE).ok_or(self.budget.full())
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

/// A tree of one empty node.
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
            let shape = |tree: &Self, node| (tree.starts_variation(node), tree.first_child(node).is_some());
            let next = |tree: &Self, node| tree.next_sibling(node).is_some();
            let mut properties = other.properties(theirs);
            shape(self, mine) == shape(other, theirs)
                && next(self, mine) == next(other, theirs)
                && self
                    .properties(mine)
                    .all(|property| properties.next().is_some_and(|other| property.as_bytes() == other.as_bytes()))
                && properties.next().is_none()
        };
        // Has it a child, has it a next sibling: in pre-order this is the whole shape.
        self.node_count == other.node_count
            && self.preorder().all(|mine| others.next().is_some_and(|theirs| alike(mine, theirs)))
    }
}

impl Eq for GameTree {}
