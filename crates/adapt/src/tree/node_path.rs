//! Names of nodes: by path, or by the number of a move.

use std::fmt;
use std::str::FromStr;

use super::{GameTree, NodeId};

/// Maximum number of variations that a path prints. Beyond it, the path has `…`.
const SHOWN: usize = 1000;

/// Name of a node in a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NodeTarget {
    /// The last node of the main line.
    End,
    /// The node with this move of the main line; 0 is the root.
    Move(u64),
    /// The node at this path.
    Node(NodePath),
}

/// Path of a node, as `sgfq check` prints it: the numbers of the variations that lead to it, separated by `.`, then `/` and
/// the number of the node in the last variation. All numbers count from 0.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NodePath {
    variations: Vec<u64>,
    node: u64,
}

impl NodePath {
    /// Returns whether the node is the first of a variation.
    #[must_use]
    pub fn is_variation_start(&self) -> bool {
        self.node == 0 && !self.variations.is_empty()
    }
}

impl FromStr for NodePath {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let fault = || "expected a node such as /12, or 1.0/3 in a variation".to_owned();
        let number = |text: &str| {
            let is_number = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
            if is_number { text.parse().map_err(|_| fault()) } else { Err(fault()) }
        };
        let (variations, node) = text.split_once('/').ok_or_else(fault)?;
        let variations = match variations {
            "" => Vec::new(),
            variations => variations.split('.').map(number).collect::<Result<_, _>>()?,
        };
        Ok(Self { variations, node: number(node)? })
    }
}

impl fmt::Display for NodePath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, number) in self.variations.iter().take(SHOWN).enumerate() {
            write!(f, "{}{number}", if at == 0 { "" } else { "." })?;
        }
        let more = if self.variations.len() > SHOWN { ".…" } else { "" };
        write!(f, "{more}/{}", self.node)
    }
}

/// Tracks the path of a node while a walk descends from the root, child by child.
#[derive(Clone, Debug, Default)]
pub struct PathWalk {
    path: NodePath,
    /// Number of variations of the current sequence that begin before the current node.
    begun: u64,
}

impl PathWalk {
    /// Descends to `child`, one of the children of the current node of `tree`.
    pub fn step(&mut self, tree: &GameTree, child: NodeId) {
        let before = std::iter::successors(tree.previous_sibling(child), |&node| tree.previous_sibling(node));
        self.begun += before.count() as u64;
        if tree.continues(child) {
            self.path.node += 1;
        } else {
            self.path.variations.push(std::mem::take(&mut self.begun));
            self.path.node = 0;
        }
    }

    /// Returns the path of the current node.
    #[must_use]
    pub fn path(&self) -> &NodePath {
        &self.path
    }
}

impl GameTree {
    /// Returns whether a node follows its parent within the same `(`…`)`. In a broken file, variations may lie between the
    /// two.
    fn continues(&self, node: NodeId) -> bool {
        let own = self.node(node);
        let starts = |node| self.node(node).starts_variation;
        !own.starts_variation && NodeId::some(own.next).is_none() && NodeId::some(own.previous).is_none_or(starts)
    }

    /// Returns the node at `path`.
    ///
    /// ```
    /// use sgfstream_adapt::GameTree;
    ///
    /// let tree = GameTree::parse(b"(;;(;)(;;C[here]))")?;
    /// let here = tree.node_at(&"1/1".parse().expect("a path")).expect("a node");
    /// assert_eq!(tree.property(here, "C").expect("a comment").text(), "here");
    /// assert_eq!(tree.path_of(here).to_string(), "1/1");
    /// # Ok::<(), sgfstream::Error>(())
    /// ```
    #[must_use]
    pub fn node_at(&self, path: &NodePath) -> Option<NodeId> {
        let (mut at, mut variations) = (self.root(), path.variations.iter());
        let mut wanted = variations.next();
        let (mut begun, mut number) = (0, 0);
        while wanted.is_some() || number < path.node {
            at = self.children(at).find(|&child| {
                let is_next = self.continues(child);
                let is_wanted = !is_next && wanted == Some(&begun);
                begun += u64::from(!is_next);
                is_next || is_wanted
            })?;
            if self.continues(at) {
                number += 1;
            } else {
                (wanted, begun, number) = (variations.next(), 0, 0);
            }
        }
        (number == path.node).then_some(at)
    }

    /// Returns the path of `node`.
    #[must_use]
    pub fn path_of(&self, node: NodeId) -> NodePath {
        let mut walk = PathWalk::default();
        self.path(node).into_iter().skip(1).for_each(|node| walk.step(self, node));
        walk.path
    }

    /// Returns the node that `target` names.
    ///
    /// # Errors
    ///
    /// Returns a message if the game has no such node.
    pub fn find_node(&self, target: &NodeTarget) -> Result<NodeId, String> {
        match target {
            NodeTarget::End => Ok(self.main_line().last().unwrap_or(self.root())),
            NodeTarget::Node(path) => self.node_at(path).ok_or_else(|| format!("no node at path {path}")),
            NodeTarget::Move(number) => {
                let (state, mut ply) = (self.state(), 0);
                let found = self.main_line().find(|&node| {
                    ply += self.properties(node).map(|property| state.moves(&property).count() as u64).sum::<u64>();
                    ply >= *number
                });
                found.ok_or_else(|| format!("no move {number}: the main line has {ply} moves"))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_read_back() {
        for text in ["/0", "/12", "0/0", "1.0.7/3"] {
            assert_eq!(text.parse::<NodePath>().expect(text).to_string(), text);
        }
        for text in ["", "/", "1", "1/", "a/1", "1..2/3", ".1/2", "1/-2", "1/+2", "1/2/3", "99999999999999999999/0"] {
            assert!(text.parse::<NodePath>().is_err(), "{text}");
        }
    }

    /// The paths of a tree equal those of findings, even in broken files.
    #[test]
    fn paths_are_those_of_the_stream() {
        use sgfstream::{Event, EventReader, SliceReader};
        for text in ["(;)", "(;;(;(;);)(;;))", "(;(;);(;;);(;)(;))", "(;(;)", "(;;((;)))"] {
            let (mut reader, mut stream) = (SliceReader::new(text.as_bytes()), sgfstream_game::TreePath::default());
            let mut expected = Vec::new();
            while reader.advance().expect("memory") {
                match reader.event() {
                    Event::VariationStart { .. } if reader.depth() == 1 => stream.start_game(),
                    Event::VariationStart { .. } => _ = stream.push(),
                    Event::VariationEnd { .. } => stream.pop(),
                    Event::NodeStart { .. } => {
                        stream.node();
                        expected.push(stream.to_string());
                    }
                    _ => {}
                }
            }
            let tree = GameTree::parse(text.as_bytes()).expect(text);
            let nodes: Vec<NodeId> = tree.preorder().collect();
            let paths: Vec<String> = nodes.iter().map(|&node| tree.path_of(node).to_string()).collect();
            assert_eq!(paths, expected, "{text}");
            for (node, path) in nodes.into_iter().zip(paths) {
                assert_eq!(tree.node_at(&path.parse().expect("a path")), Some(node), "{text} {path}");
            }
            assert_eq!(tree.node_at(&"7/0".parse().expect("a path")), None);
        }
    }
}
