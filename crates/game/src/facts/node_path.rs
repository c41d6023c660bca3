//! Names of nodes: by path, or by the number of a move.

use std::fmt;
use std::str::FromStr;

use sgfstream::record::Outline;

use super::Facts;

/// Maximum number of variations that a path prints. Beyond it, the path has `…`.
const SHOWN: usize = 1000;

/// Name of a node in a game.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum NodeTarget {
    /// The last node of the main line.
    End,
    /// The node with this move of the main line; 0 is the node before the first move.
    Move(u64),
    /// The node at this path.
    Node(NodePath),
}

/// Path of a node, as `sgfq check` prints it: the numbers of the variations that lead to it,
/// separated by `.`, then `/` and the number of the node in the last variation. All numbers count
/// from 0.
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
            if is_number {
                text.parse().map_err(|_| fault())
            } else {
                Err(fault())
            }
        };
        let (variations, node) = text.split_once('/').ok_or_else(fault)?;
        let variations = match variations {
            "" => Vec::new(),
            variations => variations
                .split('.')
                .map(number)
                .collect::<Result<_, _>>()?,
        };
        Ok(Self {
            variations,
            node: number(node)?,
        })
    }
}

impl fmt::Display for NodePath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, number) in self.variations.iter().take(SHOWN).enumerate() {
            write!(f, "{}{number}", if at == 0 { "" } else { "." })?;
        }
        let more = if self.variations.len() > SHOWN {
            ".…"
        } else {
            ""
        };
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
    /// Descends to `child`, one of the children of the current node.
    pub fn step(&mut self, outline: &Outline<'_>, child: usize) {
        let parent = outline.parent(child).unwrap_or(0);
        self.begun += outline
            .children(parent)
            .take_while(|&before| before < child)
            .count() as u64;
        if outline.starts_variation(child) {
            self.path.variations.push(std::mem::take(&mut self.begun));
            self.path.node = 0;
        } else {
            self.path.node += 1;
        }
    }

    /// Returns the path of the current node.
    #[must_use]
    pub fn path(&self) -> &NodePath {
        &self.path
    }
}

impl NodePath {
    /// Returns the path of a node.
    ///
    /// ```
    /// use sgfstream::SliceReader;
    /// use sgfstream::record::{GameReader, Outline};
    /// use sgfstream_game::facts::NodePath;
    ///
    /// let mut games = GameReader::new(SliceReader::new(b"(;;(;)(;;C[here]))"));
    /// let outline =
    ///     Outline::of(games.next_game()?.expect("there is a game").expect("it is short"));
    /// let path = NodePath::of(&outline, 4);
    /// assert_eq!((path.to_string().as_str(), path.find(&outline)), ("1/1", Some(4)));
    /// # Ok::<(), sgfstream::Error>(())
    /// ```
    #[must_use]
    pub fn of(outline: &Outline<'_>, node: usize) -> Self {
        let mut walk = PathWalk::default();
        for node in outline.path(node).into_iter().skip(1) {
            walk.step(outline, node);
        }
        walk.path
    }

    /// Returns the node at this path, if the game has one.
    #[must_use]
    pub fn find(&self, outline: &Outline<'_>) -> Option<usize> {
        let (mut at, mut variations) = (0, self.variations.iter());
        let mut wanted = variations.next();
        let (mut begun, mut number) = (0, 0);
        while wanted.is_some() || number < self.node {
            at = outline.children(at).find(|&child| {
                let starts = outline.starts_variation(child);
                let is_wanted = starts && wanted == Some(&begun);
                begun += u64::from(starts);
                !starts || is_wanted
            })?;
            if outline.starts_variation(at) {
                (wanted, begun, number) = (variations.next(), 0, 0);
            } else {
                number += 1;
            }
        }
        (number == self.node && at < outline.len()).then_some(at)
    }
}

impl NodeTarget {
    /// Returns the node that the target names in a game with these facts.
    ///
    /// # Errors
    ///
    /// Returns a message if the game has no such node.
    pub fn find(&self, outline: &Outline<'_>, facts: &Facts<'_>) -> Result<usize, String> {
        match self {
            Self::End => Ok(outline.line(0).last().unwrap_or(0)),
            Self::Node(path) => path
                .find(outline)
                .ok_or_else(|| format!("no node at path {path}")),
            Self::Move(number) => {
                let (mut ply, mut before) = (0, 0);
                for node in outline.line(0) {
                    ply += facts.moves_of_node(outline.node(node)).count() as u64;
                    match *number {
                        0 if ply == 0 => before = node,
                        0 => break,
                        number if ply >= number => return Ok(node),
                        _ => {}
                    }
                }
                if *number == 0 {
                    return Ok(before);
                }
                let moves = if ply == 1 { "move" } else { "moves" };
                Err(format!("no move {number}: the main line has {ply} {moves}"))
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
        for text in [
            "",
            "/",
            "1",
            "1/",
            "a/1",
            "1..2/3",
            ".1/2",
            "1/-2",
            "1/+2",
            "1/2/3",
            "99999999999999999999/0",
        ] {
            assert!(text.parse::<NodePath>().is_err(), "{text}");
        }
    }

    /// An outline and a finding name a node by the same path, even in broken files.
    #[test]
    fn paths_are_those_of_the_stream() {
        use sgfstream::SliceReader;
        use sgfstream::record::{GameItem, GameReader};
        for text in [
            "(;)",
            "(;;(;(;);)(;;))",
            "(;(;);(;;);(;)(;))",
            "(;(;)",
            "(;;((;)))",
        ] {
            let (mut stream, mut expected) = (crate::internal::TreePath::default(), Vec::new());
            let mut games = GameReader::new(SliceReader::new(text.as_bytes()));
            let game = games
                .next_game()
                .expect("memory")
                .expect("a game")
                .expect("short");
            stream.start_game();
            for item in game.items(game.tokens()).skip(1) {
                match item {
                    GameItem::VariationStart => _ = stream.push(),
                    GameItem::VariationEnd => stream.pop(),
                    GameItem::Node => {
                        stream.node();
                        expected.push(stream.to_string());
                    }
                    _ => {}
                }
            }
            let outline = Outline::of(game);
            assert_eq!(outline.len(), expected.len());
            for (node, expected) in expected.into_iter().enumerate() {
                let path = NodePath::of(&outline, node);
                assert_eq!(
                    (path.to_string(), path.find(&outline)),
                    (expected, Some(node)),
                    "{text}"
                );
            }
            assert_eq!(
                "7/0".parse::<NodePath>().expect("a path").find(&outline),
                None
            );
        }
    }
}
