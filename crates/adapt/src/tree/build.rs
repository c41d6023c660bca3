//! Builds trees from events.

use crate::arena::NONE;
use sgfstream::{Code, Event, EventReader, Flow, Place, Property, Result, Sink};

use super::GameTree;
use super::memory::{MemoryFull, MemoryLimit};
use super::node::{Node, NodeId};

/// Sink that builds the tree of the first game, and then stops.
///
/// For every game of a stream in turn, see [`Games`](super::Games).
///
/// ```
/// use sgfstream::{EventReader, SliceReader};
/// use sgfstream_adapt::TreeBuilder;
///
/// let mut builder = TreeBuilder::new();
/// let mut reader = SliceReader::new(b"(;B[aa])(;B[bb])");
/// reader.drive(&mut builder)?;
/// let tree = builder.finish()?.expect("a game");
/// assert_eq!(tree.to_string(), "(;B[aa])");
/// # Ok::<(), sgfstream::Error>(())
/// ```
#[derive(Debug)]
pub struct TreeBuilder {
    pub(super) tree: GameTree,
    /// The node that gets properties and is the parent of the next node.
    current: Option<NodeId>,
    /// A `(` was read, but not its node yet.
    starts: bool,
    /// Further `(` before that node. No reader reports such events.
    empty_starts: u64,
    state: State,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// No game yet.
    Before,
    Within,
    Done,
    Failed(MemoryFull),
}

/// Place of an event relative to the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum EventPlace {
    /// Before the game.
    Outside,
    /// In the game.
    Inside,
    /// At the end of the game.
    Last,
}

impl Default for TreeBuilder {
    fn default() -> Self {
        Self::new()
    }
}

impl TreeBuilder {
    /// Returns a builder with the limit [`MemoryLimit::default`].
    #[must_use]
    pub fn new() -> Self {
        Self::within(MemoryLimit::default())
    }

    /// Returns a builder with this memory limit.
    #[must_use]
    pub fn within(limit: MemoryLimit) -> Self {
        Self { tree: GameTree::empty(limit), current: None, starts: false, empty_starts: 0, state: State::Before }
    }

    /// Prepares the builder for another game, and keeps the allocated memory.
    pub(super) fn clear(&mut self) {
        self.tree.clear();
        self.current = None;
        self.starts = false;
        self.empty_starts = 0;
        self.state = State::Before;
    }

    /// Returns the tree, or `None` if there was no game. An unfinished game is returned as far as it was read.
    ///
    /// # Errors
    ///
    /// Returns an error if the game exceeds the memory limit.
    pub fn finish(mut self) -> Result<Option<GameTree>> {
        match self.state {
            State::Before => Ok(None),
            State::Within | State::Done => {
                self.tree.ensure_root();
                Ok(Some(self.tree))
            }
            State::Failed(full) => Err(full.into()),
        }
    }

    pub(super) fn is_within(&self) -> bool {
        self.state == State::Within
    }

    /// Adds an event to the tree.
    pub(super) fn take(&mut self, event: &Event<'_>, place: &Place) -> Result<EventPlace, MemoryFull> {
        match event {
            Event::VariationStart { .. } => {
                self.state = State::Within;
                self.empty_starts += u64::from(self.starts);
                self.starts = true;
            }
            // The reader reports this problem just before the game that it belongs to.
            Event::Problem(problem) if self.is_within() || problem.code == Code::MissingParenthesis => {
                self.tree.budget.reserve(&mut self.tree.problems, 1)?;
                self.tree.problems.push(*problem);
            }
            _ if !self.is_within() => return Ok(EventPlace::Outside),
            Event::Property(property) => self.property(property)?,
            Event::NodeStart { .. } => self.node()?,
            Event::VariationEnd { .. } => return Ok(self.end_variation(place)),
            _ => self.pieces(event)?,
        }
        Ok(EventPlace::Inside)
    }

    #[inline]
    fn node(&mut self) -> Result<(), MemoryFull> {
        let starts_variation = std::mem::take(&mut self.starts) || self.current.is_none();
        let node = self.tree.push_node(Node { starts_variation, ..Node::ALONE })?;
        if let Some(parent) = self.current {
            self.tree.attach(parent, node);
        }
        self.current = Some(node);
        Ok(())
    }

    #[inline]
    fn property(&mut self, property: &Property<'_>) -> Result<(), MemoryFull> {
        let Some(node) = self.current else { return Ok(()) };
        let at = self.tree.push_property(node, property)?;
        // Only the end of a file, or of a game that was cut short, leaves a property unclosed.
        if self.tree.arena.is_cut(at) { self.close(at) } else { Ok(()) }
    }

    /// Joins the pieces of a property that is too long for one event.
    #[cold]
    fn pieces(&mut self, event: &Event<'_>) -> Result<(), MemoryFull> {
        let (Some(node), Some(piece)) = (self.current, event.pieces().next()) else { return Ok(()) };
        let at = if piece.is_property_start() {
            let first = Property::from_raw(piece.as_bytes(), piece.framing());
            self.tree.push_property(node, &first)?
        } else {
            let last = self.tree.nodes[node.index()].properties.last;
            if last == NONE {
                return Ok(());
            }
            self.tree.budget.reserve(&mut self.tree.arena.bytes, piece.as_bytes().len())?;
            self.tree.arena.extend(last, piece.as_bytes());
            last
        };
        if piece.is_value_end() && !piece.is_closed() { self.close(at) } else { Ok(()) }
    }

    /// Closes the last property, so that a writer cannot append other bytes to it.
    #[cold]
    fn close(&mut self, at: u32) -> Result<(), MemoryFull> {
        self.tree.budget.reserve(&mut self.tree.arena.bytes, 2)?;
        self.tree.arena.close(at);
        Ok(())
    }

    /// Returns to the node before the variation. Over a whole game, the walk visits each node once.
    fn end_variation(&mut self, place: &Place) -> EventPlace {
        if std::mem::take(&mut self.starts) && self.current.is_some() {
            self.starts = self.empty_starts > 0;
            self.empty_starts = self.empty_starts.saturating_sub(1);
            return EventPlace::Inside;
        }
        self.tree.arena.charset = place.charset;
        self.tree.charset_source = place.charset_source;
        while let Some(node) = self.current {
            self.current = self.tree.parent(node);
            if self.tree.node(node).starts_variation {
                break;
            }
        }
        if self.current.is_some() {
            return EventPlace::Inside;
        }
        self.tree.ensure_root();
        self.state = State::Done;
        EventPlace::Last
    }
}

impl GameTree {
    /// Reads the game whose start is the last event of `reader`. If the tree exceeds `limit`, the caller must skip the rest
    /// of the game.
    ///
    /// # Errors
    ///
    /// Returns an error if reading fails, or if the game exceeds the limit ([`is_limit`](sgfstream::Error::is_limit)).
    pub fn read_game(reader: &mut impl EventReader, limit: MemoryLimit) -> Result<Self> {
        let mut builder = TreeBuilder::within(limit);
        let _ = builder.event(&reader.event(), &reader.place());
        reader.drive(&mut builder)?;
        Ok(builder.finish()?.unwrap_or_default())
    }
}

impl Sink for TreeBuilder {
    fn event(&mut self, event: &Event<'_>, place: &Place) -> Flow {
        if matches!(self.state, State::Done | State::Failed(_)) {
            return Flow::Stop;
        }
        match self.take(event, place) {
            Ok(EventPlace::Outside | EventPlace::Inside) => Flow::Go,
            Ok(EventPlace::Last) => Flow::Stop,
            Err(full) => {
                self.state = State::Failed(full);
                Flow::Stop
            }
        }
    }
}
