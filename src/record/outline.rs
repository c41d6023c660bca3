//! Nodes of a game with their parents.

use std::ops::Range;

use super::{GameRecord, Node, TokenKind};
use crate::event::Property;

/// The nodes of a game in the order of the file, each with its parent. A number from 0 names a
/// node; the root is 0.
///
/// Use an outline to find the parent, siblings and descendants of a node. It takes 20 bytes per
/// node.
///
/// ```
/// use sgfstream::SliceReader;
/// use sgfstream::record::{GameReader, Outline};
///
/// let mut games = GameReader::new(SliceReader::new(b"(;N[a];N[b](;N[c])(;N[d];N[e]))"));
/// let outline =
///     Outline::of(games.next_game()?.expect("there is a game").expect("it is short"));
/// assert_eq!(outline.children(1).collect::<Vec<_>>(), [2, 3]);
/// assert_eq!((outline.parent(3), outline.below(1)), (Some(1), 1..5));
/// assert_eq!(outline.property(4, "N").expect("it has a name").text(), "e");
/// # Ok::<(), sgfstream::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Outline<'t> {
    game: GameRecord<'t>,
    nodes: Vec<Entry>,
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    /// Index of the node's token, and the number of the node in a run.
    token: u32,
    number: u32,
    parent: u32,
    /// Number of the last node below this one, plus 1.
    end: u32,
    starts_variation: bool,
}

impl<'t> Outline<'t> {
    /// Returns the outline of a game.
    #[must_use]
    pub fn of(game: GameRecord<'t>) -> Self {
        let mut nodes: Vec<Entry> = Vec::new();
        let mut open = Vec::new();
        let (mut parent, mut starts_variation) = (0, false);
        for (token, kind) in (0..).zip(game.tokens()) {
            match kind.kind() {
                TokenKind::Open => {
                    open.push(parent);
                    starts_variation = true;
                }
                TokenKind::Close => {
                    parent = open.pop().unwrap_or(0);
                    starts_variation = false;
                }
                _ => {}
            }
            for number in 0..kind.nodes() as u32 {
                let own = nodes.len() as u32;
                nodes.push(Entry {
                    token,
                    number,
                    parent,
                    end: own + 1,
                    starts_variation,
                });
                (parent, starts_variation) = (own, false);
            }
        }
        for own in (1..nodes.len()).rev() {
            let Entry { parent, end, .. } = nodes[own];
            let above = &mut nodes[parent as usize];
            above.end = above.end.max(end);
        }
        Self { game, nodes }
    }

    /// Returns the number of nodes.
    #[must_use]
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Returns whether the game has no nodes, because reading stopped before its root.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// Returns a node.
    ///
    /// # Panics
    ///
    /// Panics, as all methods with the number of a node do, if the game has no such node.
    #[must_use]
    pub fn node(&self, node: usize) -> Node<'t> {
        let Entry { token, number, .. } = self.nodes[node];
        Node::new(self.game, token as usize, number as usize)
    }

    /// Iterates over the properties of a node.
    pub fn properties(&self, node: usize) -> impl Iterator<Item = Property<'t>> + use<'t> {
        self.node(node).properties().map(|(_, property)| property)
    }

    /// Returns the first property of a node with the canonical identifier `ident`.
    #[must_use]
    pub fn property(&self, node: usize, ident: &str) -> Option<Property<'t>> {
        self.properties(node)
            .find(|property| property.ident().is(ident.as_bytes()))
    }

    /// Returns whether a node is the first of a variation or of the game. In a broken file,
    /// variations may lie between a node and a parent in the same `(`…`)`.
    #[must_use]
    pub fn starts_variation(&self, node: usize) -> bool {
        self.nodes[node].starts_variation
    }

    /// Returns the node before a node, if it is not the root.
    #[must_use]
    pub fn parent(&self, node: usize) -> Option<usize> {
        (node > 0).then_some(self.nodes[node].parent as usize)
    }

    /// Returns the nodes below a node, and itself.
    #[must_use]
    pub fn below(&self, node: usize) -> Range<usize> {
        node..self.nodes[node].end as usize
    }

    /// Returns the node after a node, in the main line from there.
    #[must_use]
    pub fn first_child(&self, node: usize) -> Option<usize> {
        self.children(node).next()
    }

    /// Iterates over the nodes directly after a node.
    pub fn children(&self, node: usize) -> impl Iterator<Item = usize> + '_ {
        let Range { start, end } = self.below(node);
        let mut next = start + 1;
        std::iter::from_fn(move || {
            let child = next;
            (child < end).then(|| {
                next = self.nodes[child].end as usize;
                child
            })
        })
    }

    /// Iterates over a node, its first child, and so on.
    pub fn line(&self, node: usize) -> impl Iterator<Item = usize> + '_ {
        std::iter::successors((node < self.len()).then_some(node), |&node| {
            self.first_child(node)
        })
    }

    /// Returns the nodes from the root to a node, including both.
    #[must_use]
    pub fn path(&self, node: usize) -> Vec<usize> {
        let mut path: Vec<_> =
            std::iter::successors(Some(node), |&node| self.parent(node)).collect();
        path.reverse();
        path
    }
}

#[cfg(test)]
mod tests {
    use super::super::GameReader;
    use super::*;
    use crate::SliceReader;

    /// In a broken file, a node may follow the variations after its parent. The reader puts it into
    /// a variation.
    #[test]
    fn nodes_of_a_broken_file() {
        let mut games = GameReader::new(SliceReader::new(
            b"(;;B[aa];W[bb](;B[cc];W[dd])(;);B[ee];W[ff]",
        ));
        let outline = Outline::of(
            games
                .next_game()
                .expect("a slice")
                .expect("a game")
                .expect("short"),
        );
        let parents: Vec<_> = (0..outline.len())
            .map(|node| outline.parent(node))
            .collect();
        assert_eq!(
            parents,
            [
                None,
                Some(0),
                Some(1),
                Some(2),
                Some(3),
                Some(2),
                Some(2),
                Some(6)
            ]
        );
        assert_eq!(outline.children(2).collect::<Vec<_>>(), [3, 5, 6]);
        assert_eq!(
            outline
                .children(2)
                .map(|node| outline.starts_variation(node))
                .collect::<Vec<_>>(),
            [true, true, true]
        );
        assert_eq!(
            (outline.path(7), outline.below(3)),
            (vec![0, 1, 2, 6, 7], 3..5)
        );
        assert_eq!(outline.line(0).collect::<Vec<_>>(), [0, 1, 2, 3, 4]);
    }
}
