//! Which node of a game is shown.

use std::fmt;
use std::str::FromStr;

/// Variations that a path shows.
const SHOWN: u64 = 64;

/// A node of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NodeTarget {
    /// The last one of the main line.
    End,
    /// The one in which this move of the main line is played; 0 is the root.
    Move(u64),
    /// The one of this path.
    Node(NodePath),
}

/// A node as `sgfq check` names it: the numbers of the variations that lead to it, with `.` between them, then `/` and
/// its number in the last of them. All count from 0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NodePath {
    variations: Vec<u64>,
    node: u64,
}

impl NodePath {
    /// The numbers of the variations that lead to it, and its number in the last of them.
    pub fn parts(&self) -> (&[u64], u64) {
        (&self.variations, self.node)
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

impl NodeTarget {
    /// Which of the variations at this depth leads to it.
    pub(crate) fn variation(&self, depth: u64) -> Option<u64> {
        match self {
            Self::End | Self::Move(_) => Some(0),
            Self::Node(path) => usize::try_from(depth).ok().and_then(|depth| path.variations.get(depth)).copied(),
        }
    }

    /// True if a node that ends at this place, after so many moves, is the one. The last node is known by what follows.
    pub(crate) fn is_at(&self, place: &Walked, ply: u64) -> bool {
        match self {
            Self::End => false,
            Self::Move(number) => ply >= *number,
            Self::Node(path) => path.variations.len() as u64 == place.depth && path.node + 1 == place.nodes,
        }
    }

    /// Message for a game without such a node.
    pub(crate) fn missing(&self, ply: u64) -> String {
        match self {
            Self::End => "expected a main line, found none".to_owned(),
            Self::Move(number) => format!("expected move {number} in the main line, found {ply} moves"),
            Self::Node(path) => format!("expected the node {path}, found none"),
        }
    }

    /// The path of a place on the way to it.
    pub(crate) fn path(&self, place: &Walked) -> String {
        let node = place.nodes.saturating_sub(1);
        match self {
            Self::Node(path) => format!("{}/{node}", Joined(&path.variations[..place.depth as usize])),
            // The main line is the first variation each time.
            _ if place.depth > SHOWN => format!("{}.…/{node}", Joined(&[0; SHOWN as usize])),
            _ => format!("{}/{node}", Joined(&vec![0; place.depth as usize])),
        }
    }

    /// The path of the first node of a variation that begins at a place.
    pub(crate) fn path_below(&self, place: &Walked, child: u64) -> String {
        let path = self.path(place);
        let (variations, _) = path.split_once('/').unwrap_or_default();
        let dot = if variations.is_empty() { "" } else { "." };
        format!("{variations}{dot}{child}/0")
    }
}

/// Where a walk through a game is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Walked {
    /// Variations that were entered below the game's own nodes.
    pub(crate) depth: u64,
    /// Nodes begun in the last of them.
    pub(crate) nodes: u64,
    /// Variations begun in it.
    pub(crate) children: u64,
}

struct Joined<'n>(&'n [u64]);

impl fmt::Display for Joined<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, number) in self.0.iter().enumerate() {
            write!(f, "{}{number}", if at == 0 { "" } else { "." })?;
        }
        Ok(())
    }
}

impl fmt::Display for NodePath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", Joined(&self.variations), self.node)
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

    #[test]
    fn paths_of_places() {
        let at = |depth, nodes| Walked { depth, nodes, children: 0 };
        let target = NodeTarget::Node("2.1.5/4".parse().expect("a path"));
        assert_eq!((target.path(&at(0, 3)), target.path(&at(2, 1))), ("/2".to_owned(), "2.1/0".to_owned()));
        assert_eq!(
            (target.path_below(&at(0, 3), 7), target.path_below(&at(1, 1), 0)),
            ("7/0".to_owned(), "2.0/0".to_owned())
        );
        assert_eq!(NodeTarget::End.path(&at(2, 5)), "0.0/4");
        assert!(NodeTarget::End.path(&at(1_000_000, 1)).ends_with(".0.…/0"));
    }
}
