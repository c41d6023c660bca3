//! Storage for values that a repair displaces and another reader may want. They go to the private property `XK`, each with
//! the name of its old property: `XK[RE: B+, he said]`. On request they become lines of a comment instead.

use std::collections::BTreeMap;

use sgfstream::Framing;

use super::Unit;

/// Comment that a displaced value is added to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Comment {
    /// `GC`, for values of game information.
    Game,
    /// `C`, for all other values.
    Node,
}

impl Comment {
    const fn ident(self) -> &'static [u8] {
        match self {
            Self::Game => b"GC",
            Self::Node => b"C",
        }
    }
}

/// Property of displaced values, a list of texts.
const KEPT: &[u8] = b"XK";

/// Displaced values of one node, by comment and old property.
#[derive(Debug, Default)]
pub(super) struct DisplacedValues {
    /// Whether the values become lines of comments.
    in_comments: bool,
    lines: BTreeMap<(Comment, Vec<u8>), Vec<u8>>,
    /// Framing of the values; `None` if they are ASCII and mean the same in any framing.
    framing: Option<Framing>,
}

impl DisplacedValues {
    pub(super) fn new(in_comments: bool) -> Self {
        Self { in_comments, ..Self::default() }
    }

    /// Returns whether the node can take displaced values.
    pub(super) fn fits(&self, unit: &Unit) -> bool {
        let can_grow = |ident: &[u8]| unit.find(ident).is_none_or(|id| unit.property(id).is_some());
        let has_space = if self.in_comments { can_grow(b"GC") && can_grow(b"C") } else { can_grow(KEPT) };
        unit.is_whole_node() && has_space
    }

    /// Adds a value, as written between its brackets. An empty identifier stands for words outside of properties.
    pub(super) fn add(&mut self, comment: Comment, ident: &[u8], value: &[u8], framing: Framing) {
        let line = self.lines.entry((comment, ident.to_vec())).or_default();
        if !line.is_empty() {
            line.extend_from_slice(b", ");
        }
        let escapes = value.iter().rev().take_while(|&&byte| byte == b'\\').count();
        line.extend_from_slice(&value[..value.len() - escapes % 2]);
        if !value.is_ascii() {
            self.framing = Some(framing);
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.lines.is_empty()
    }

    /// Writes the values into the node.
    pub(super) fn write(self, unit: &mut Unit) {
        for ((comment, ident), values) in self.lines {
            let line = if ident.is_empty() { values } else { [&ident, &b": "[..], &values].concat() };
            let target = if self.in_comments { comment.ident() } else { KEPT };
            let Some((id, property)) = unit.find(target).and_then(|id| Some((id, unit.property(id)?))) else {
                let raw = [target, b"[", &line, b"]"].concat();
                unit.insert(None, &raw, self.framing.unwrap_or(Framing::Value));
                continue;
            };
            let framing = self.framing.unwrap_or(property.framing());
            let mut raw = property.as_bytes().to_vec();
            if !self.in_comments {
                raw.push(b'[');
            } else {
                raw.pop();
                if !property.first().is_empty() {
                    raw.push(b'\n');
                }
            }
            raw.extend_from_slice(&line);
            raw.push(b']');
            unit.replace(id, &raw, framing);
        }
    }
}
