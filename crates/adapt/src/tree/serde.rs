//! Serde support for trees: a tree is its nodes with decoded texts, as `sgfq tree -f jsonl` prints
//! them, or its SGF.

use std::borrow::Cow;
use std::fmt;

use serde::de::{Error as _, SeqAccess, Visitor};
use serde::ser::{Error as _, SerializeSeq, SerializeStruct};
use serde::{Deserializer, Serialize, Serializer};
use sgfstream::{Property, Writer};

use super::GameTree;
use super::node::NodeId;

/// Depth of variations up to which a tree is serialized, because serializers recurse. `serde_json`
/// reads 128 levels, and a variation has two.
const DEPTH_MAX: usize = 60;

/// Serializes the nodes: each variation is an object with `nodes` and `children`, each property a
/// list of its identifier and its decoded values. A tree with more than 60 nested variations is an
/// error; [`sgf_text`] has no such limit, and keeps every byte.
///
/// ```
/// use sgfstream_adapt::GameTree;
///
/// let tree = GameTree::parse(b"(;GM[1]C[a\\] b];B[pd](;W[dp])(;W[dd]))").expect("one game");
/// let json = r#"{"nodes":[[["GM",["1"]],["C",["a] b"]]],[["B",["pd"]]]],"children":["#;
/// assert!(serde_json::to_string(&tree).expect("a flat tree").starts_with(json));
/// ```
impl Serialize for GameTree {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Variation {
            tree: self,
            top: self.root(),
            depth: 1,
        }
        .serialize(serializer)
    }
}

/// The nodes of a tree from `top` on.
struct Variation<'a> {
    tree: &'a GameTree,
    top: NodeId,
    depth: usize,
}

impl Serialize for Variation<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if self.depth > DEPTH_MAX {
            return Err(S::Error::custom(
                "the variations nest too deep; serialize the tree as SGF with `sgf_text`",
            ));
        }
        let mut nodes = vec![self.top];
        let mut last = self.top;
        while let Some(next) = self
            .tree
            .first_child(last)
            .filter(|&next| self.tree.next_sibling(next).is_none())
        {
            nodes.push(next);
            last = next;
        }
        let variation = |top| Variation {
            tree: self.tree,
            top,
            depth: self.depth + 1,
        };
        let children: Vec<Variation<'_>> = self.tree.children(last).map(variation).collect();
        let nodes: Vec<Node<'_>> = nodes
            .into_iter()
            .map(|node| Node {
                tree: self.tree,
                node,
            })
            .collect();
        let mut object = serializer.serialize_struct("Variation", 2)?;
        object.serialize_field("nodes", &nodes)?;
        object.serialize_field("children", &children)?;
        object.end()
    }
}

struct Node<'a> {
    tree: &'a GameTree,
    node: NodeId,
}

impl Serialize for Node<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut list = serializer.serialize_seq(None)?;
        for property in self.tree.properties(self.node) {
            list.serialize_element(&(ident(&property), texts(&property)))?;
        }
        list.end()
    }
}

fn ident(property: &Property<'_>) -> String {
    String::from_utf8_lossy(&property.ident().canonical()).into_owned()
}

fn texts<'a>(property: &Property<'a>) -> Vec<Cow<'a, str>> {
    property.values().map(|value| value.text()).collect()
}

/// Reads and writes a tree as its SGF, for `#[serde(with = "sgfstream_adapt::sgf_text")]`. It is
/// text, or bytes if it is not UTF-8. Formats that do not describe themselves, as postcard, can
/// read text only.
///
/// ```
/// use serde::{Deserialize, Serialize};
/// use sgfstream_adapt::GameTree;
///
/// #[derive(Serialize, Deserialize)]
/// struct Stored {
///     #[serde(with = "sgfstream_adapt::sgf_text")]
///     game: GameTree,
/// }
///
/// let stored: Stored = serde_json::from_str(r#"{"game":"(;GM[1] ;B[pd])"}"#).expect("a game");
/// assert_eq!(stored.game.node_count(), 2);
/// assert_eq!(serde_json::to_string(&stored).expect("text"), r#"{"game":"(;GM[1] ;B[pd])"}"#);
/// ```
pub mod sgf_text {
    use super::*;

    /// Writes a tree as its SGF.
    ///
    /// # Errors
    ///
    /// The serializer fails.
    pub fn serialize<S: Serializer>(tree: &GameTree, serializer: S) -> Result<S::Ok, S::Error> {
        let mut writer = Writer::new(Vec::new());
        let bytes = tree
            .write_with(&mut writer)
            .and_then(|()| writer.finish())
            .map_err(S::Error::custom)?;
        match std::str::from_utf8(&bytes) {
            Ok(text) => serializer.serialize_str(text),
            Err(_) => serializer.serialize_bytes(&bytes),
        }
    }

    /// Reads a tree from its SGF.
    ///
    /// # Errors
    ///
    /// The deserializer fails, or its text or bytes are not one game.
    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<GameTree, D::Error> {
        if deserializer.is_human_readable() {
            deserializer.deserialize_any(Sgf)
        } else {
            deserializer.deserialize_str(Sgf)
        }
    }
}

struct Sgf;

impl<'de> Visitor<'de> for Sgf {
    type Value = GameTree;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a game in SGF, as text or bytes")
    }

    fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<GameTree, E> {
        self.visit_bytes(text.as_bytes())
    }

    fn visit_bytes<E: serde::de::Error>(self, bytes: &[u8]) -> Result<GameTree, E> {
        GameTree::parse(bytes).map_err(E::custom)
    }

    // JSON has no bytes, so they are a list of numbers.
    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<GameTree, A::Error> {
        let mut bytes = Vec::new();
        while let Some(byte) = list.next_element()? {
            bytes.push(byte);
        }
        GameTree::parse(&bytes).map_err(A::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;

    use super::*;

    #[derive(Serialize, Deserialize)]
    struct Stored(#[serde(with = "sgf_text")] GameTree);

    #[test]
    fn trees_come_back_as_they_were() {
        for bytes in [
            &b"(;GM[1] ;B[pd]C[a \\] b](;W[dp])(;W[dd]))"[..],
            b"(;CA[GBK]C[\xba\xda];B[aa])",
        ] {
            let stored = Stored(GameTree::parse(bytes).expect("one game"));
            let json = serde_json::to_string(&stored).expect("a tree");
            assert_eq!(
                serde_json::from_str::<Stored>(&json).expect("the same").0,
                stored.0,
                "{json}"
            );
        }
        assert!(serde_json::from_str::<Stored>("\"no game\"").is_err());
    }

    #[test]
    fn nodes_have_decoded_texts() {
        let tree = GameTree::parse(b"(;CA[GBK]C[\xba\xda](;B[aa];W[bb])(;AddBlack[aa][bb]))")
            .expect("one game");
        let expected = r#"{"nodes":[[["CA",["GBK"]],["C",["黑"]]]],"children":[{"nodes":[[["B",["aa"]]],[["W",["bb"]]]],"children":[]},{"nodes":[[["AB",["aa","bb"]]]],"children":[]}]}"#;
        assert_eq!(serde_json::to_string(&tree).expect("a flat tree"), expected);
        let deep = format!("{}{}", "(;N[a](;N[b])".repeat(100), ")".repeat(100));
        let deep = GameTree::parse(deep.as_bytes()).expect("one game");
        assert!(serde_json::to_string(&deep).is_err());
    }
}
