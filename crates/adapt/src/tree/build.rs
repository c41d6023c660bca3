//! Builds a tree from a game record.

use sgfstream::internal::TextCharset;
use sgfstream::record::GameRecord;
use sgfstream::{Code, Event, Property};

use super::GameTree;
use super::arena::NONE;
use super::memory::{MemoryFull, MemoryLimit};
use super::node::{Node, NodeId};

/// Place of the next event in a tree that is being built.
#[derive(Default)]
pub(super) struct TreePlace {
    /// The node that gets properties and is the parent of the next node.
    node: Option<NodeId>,
    starts_variation: bool,
}

impl GameTree {
    /// Returns the tree of a game within [`MemoryLimit::default`].
    ///
    /// ```
    /// use sgfstream::SliceReader;
    /// use sgfstream::record::GameReader;
    /// use sgfstream_adapt::GameTree;
    ///
    /// let mut games = GameReader::new(SliceReader::new(b"(;B[aa])(;B[bb])"));
    /// let game = games.next_game()?.expect("there is a game").expect("it is short");
    /// assert_eq!(GameTree::of(&game)?.to_string(), "(;B[aa])");
    /// # Ok::<(), sgfstream::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns an error if the tree exceeds the memory limit.
    pub fn of(game: &GameRecord<'_>) -> sgfstream::Result<Self> {
        let mut tree = Self::empty(MemoryLimit::default());
        tree.add_game(game)?;
        Ok(tree)
    }

    /// Adds the nodes of a game to a tree that has no nodes.
    pub(super) fn add_game(&mut self, game: &GameRecord<'_>) -> Result<(), MemoryFull> {
        self.arena.texts = TextCharset::of(game.charset(), game.as_bytes());
        self.charset_source = game.charset_source();
        // Store the problem of a missing `(`, because the reader reports it before the game.
        if let Some(problem) = game.problems_before().last()
            && problem.code == Code::MissingParenthesis
        {
            self.push_problem(*problem)?;
        }
        self.reserve_bytes(game.as_bytes().len())?;
        self.arena.keep(game.as_bytes());
        let mut place = TreePlace::default();
        game.each_event(|event, at| match event {
            Event::Problem(problem) if at.game == game.number() => self.push_problem(*problem),
            Event::Problem(_) => Ok(()),
            _ => self.add_event(
                &mut place,
                event,
                (at.span.start - game.span().start) as u32,
            ),
        })?;
        self.ensure_root();
        Ok(())
    }

    /// Adds an event whose bytes are at `start` in the arena.
    #[inline]
    pub(super) fn add_event(
        &mut self,
        place: &mut TreePlace,
        event: &Event<'_>,
        start: u32,
    ) -> Result<(), MemoryFull> {
        match *event {
            Event::VariationStart(_) => place.starts_variation = true,
            Event::VariationEnd(variation) => {
                let first = self.first_of_variation(place.node);
                if let Some(first) = first.filter(|_| !variation.supplied) {
                    self.nodes[first.index()].end = start + 1;
                }
                place.node = first.and_then(|first| self.parent(first));
            }
            Event::NodeStart { supplied } => {
                let start = if supplied { NONE } else { start + 1 };
                let node = self.push_node(Node {
                    starts_variation: place.starts_variation,
                    start,
                    ..Node::ALONE
                })?;
                if let Some(parent) = place.node {
                    self.attach(parent, node);
                }
                *place = TreePlace {
                    node: Some(node),
                    starts_variation: false,
                };
            }
            Event::Property(property) => {
                if let Some(node) = place.node {
                    self.add_read_property(node, &property, start)?;
                }
            }
            _ => {}
        }
        Ok(())
    }

    /// Returns the first node of the variation that ends with `node`. Over a whole game, the walk
    /// visits each node once.
    fn first_of_variation(&self, mut node: Option<NodeId>) -> Option<NodeId> {
        while let Some(at) = node
            && !self.node(at).starts_variation
        {
            node = self.parent(at);
        }
        node
    }

    #[inline]
    fn add_read_property(
        &mut self,
        node: NodeId,
        property: &Property<'_>,
        start: u32,
    ) -> Result<(), MemoryFull> {
        self.reserve_property(0)?;
        let at =
            self.arena
                .push_property(&mut self.nodes[node.index()].properties, property, start);
        // Only the end of a file, or of a game that was cut short, leaves a property unclosed.
        if self.arena.is_cut(at) {
            self.reserve_bytes(property.as_bytes().len() + 2)?;
            self.arena.close(at);
        }
        Ok(())
    }
}
