//! Words that a repair takes out of their place and another reader may want: they stay
//! as a line of a comment, `RE: B+, he said`.

use std::collections::BTreeMap;

use sgfstream::Framing;

use super::Unit;

/// The comment that a line goes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Comment {
    /// `GC`, in a node that has game information anyway.
    Game,
    /// `C`.
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

/// Values that leave their places in one node, by comment and property.
#[derive(Debug, Default)]
pub(super) struct Kept {
    lines: BTreeMap<(Comment, Vec<u8>), Vec<u8>>,
    /// That of the values, unless all are the same in any.
    framing: Option<Framing>,
}

impl Kept {
    /// True if lines can be added to both comments of the node.
    pub(super) fn fits(unit: &Unit) -> bool {
        let can_grow = |ident| unit.find(ident).is_none_or(|id| unit.property(id).is_some());
        unit.is_whole_node() && can_grow(b"GC") && can_grow(b"C")
    }

    /// Keeps a value, as it is between its brackets; without an identifier, words
    /// that were in no property.
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

    /// Adds the lines to the comments of the node.
    pub(super) fn write(self, unit: &mut Unit) {
        for ((comment, ident), values) in self.lines {
            let line = if ident.is_empty() { values } else { [&ident, &b": "[..], &values].concat() };
            match unit.find(comment.ident()).and_then(|id| Some((id, unit.property(id)?))) {
                Some((id, property)) => {
                    let framing = self.framing.unwrap_or(property.framing());
                    let mut raw = property.as_bytes().to_vec();
                    raw.pop();
                    if !property.first().is_empty() {
                        raw.push(b'\n');
                    }
                    raw.extend_from_slice(&line);
                    raw.push(b']');
                    unit.replace(id, &raw, framing);
                }
                None => {
                    let raw = [comment.ident(), b"[", &line, b"]"].concat();
                    unit.insert(None, &raw, self.framing.unwrap_or(Framing::Value));
                }
            }
        }
    }
}
