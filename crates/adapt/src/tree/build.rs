//! Builds a tree from a game record.

use sgfstream::record::{GameItem, GameRecord};
use sgfstream::{Code, Property};

use super::GameTree;
use super::memory::{MemoryFull, MemoryLimit};
use super::node::{Node, NodeId};

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
        (self.arena.charset, self.charset_source) = (game.charset(), game.charset_source());
        // The reader reports this problem just before the game that it belongs to.
        if let Some(problem) = game.problems_before().last()
            && problem.code == Code::MissingParenthesis
        {
            self.push_problem(*problem)?;
        }
        // The node that gets properties and is the parent of the next node.
        let mut current = None;
        let mut starts_variation = true;
        for item in game.items(game.tokens()) {
            match item {
                GameItem::VariationStart => starts_variation = true,
                GameItem::VariationEnd => current = self.node_before_variation(current),
                GameItem::Node => {
                    let node = self.push_node(Node { starts_variation, ..Node::ALONE })?;
                    if let Some(parent) = current {
                        self.attach(parent, node);
                    }
                    (current, starts_variation) = (Some(node), false);
                }
                GameItem::Property(_, property) => {
                    if let Some(node) = current {
                        self.add_read_property(node, &property)?;
                    }
                }
                GameItem::Problem(problem) => self.push_problem(*problem)?,
                _ => {}
            }
        }
        self.ensure_root();
        Ok(())
    }

    /// Returns the node before the variation that ends with `node`. Over a whole game, the walk visits each node once.
    fn node_before_variation(&self, mut node: Option<NodeId>) -> Option<NodeId> {
        while let Some(at) = node {
            node = self.parent(at);
            if self.node(at).starts_variation {
                break;
            }
        }
        node
    }

    #[inline]
    fn add_read_property(&mut self, node: NodeId, property: &Property<'_>) -> Result<(), MemoryFull> {
        let at = self.push_property(node, property)?;
        // Only the end of a file, or of a game that was cut short, leaves a property unclosed.
        if self.arena.is_cut(at) {
            self.budget.reserve(&mut self.arena.bytes, 2)?;
            self.arena.close(at);
        }
        Ok(())
    }
}
