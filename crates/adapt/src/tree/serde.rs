//! Serde support for trees: a tree is its SGF, as text, or as bytes if it is not UTF-8.

use std::fmt;

use serde::de::{Error as _, SeqAccess, Visitor};
use serde::ser::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use sgfstream::Writer;

use super::GameTree;

impl Serialize for GameTree {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut writer = Writer::new(Vec::new());
        let bytes = self.write_with(&mut writer).and_then(|()| writer.finish()).map_err(S::Error::custom)?;
        match std::str::from_utf8(&bytes) {
            Ok(text) => serializer.serialize_str(text),
            Err(_) => serializer.serialize_bytes(&bytes),
        }
    }
}

impl<'de> Deserialize<'de> for GameTree {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Sgf)
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
    use super::*;

    #[test]
    fn trees_come_back_as_they_were() {
        for bytes in [&b"(;GM[1] ;B[pd]C[a \\] b](;W[dp])(;W[dd]))"[..], b"(;CA[GBK]C[\xba\xda];B[aa])"] {
            let tree = GameTree::parse(bytes).expect("one game");
            let json = serde_json::to_string(&tree).expect("a tree");
            assert_eq!(serde_json::from_str::<GameTree>(&json).expect("the same"), tree, "{json}");
        }
        assert!(serde_json::from_str::<GameTree>("\"no game\"").is_err());
    }
}
