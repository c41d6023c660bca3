//! Values that leave a property and that another reader may want. They go to the private property
//! `XK`, each with the name of its old property: `XK[RE: B+, he said]`. On request they become
//! lines of a comment instead.

use std::collections::BTreeMap;

use sgfstream::{Framing, RawValue};
use sgfstream_game::property::PropertyType;

use super::NodeDraft;

/// Property of displaced values, a list of texts.
const KEPT: &[u8] = b"XK";

/// Kind of the property that a value leaves, and so the comment that it may be added to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Comment {
    /// `GC`, for values of game information.
    Game,
    /// `C`, for all other values.
    Node,
}

impl Comment {
    /// Returns the comment for displaced values of a property of this type.
    pub(crate) fn of(property_type: PropertyType) -> Self {
        if property_type == PropertyType::GameInfo {
            Self::Game
        } else {
            Self::Node
        }
    }
}

/// Displaced values of one node, by comment and old property.
#[derive(Debug, Default)]
pub(crate) struct DisplacedLines {
    /// Whether the values become lines of comments.
    in_comments: bool,
    /// Values of one property share a line, but for those that are not UTF-8: each value is decoded
    /// as a whole.
    lines: BTreeMap<(Comment, Vec<u8>, bool), Vec<u8>>,
    /// Framing of the values; `None` if they are ASCII and mean the same in any framing.
    framing: Option<Framing>,
}

impl DisplacedLines {
    pub(crate) fn new(in_comments: bool) -> Self {
        Self {
            in_comments,
            ..Self::default()
        }
    }

    /// Adds a value, as written between its brackets. An empty identifier stands for words outside
    /// of properties.
    pub(crate) fn add(&mut self, comment: Comment, ident: &[u8], value: &[u8], framing: Framing) {
        let is_utf8 = std::str::from_utf8(value).is_ok();
        let line = self
            .lines
            .entry((comment, ident.to_vec(), !is_utf8))
            .or_default();
        if !line.is_empty() {
            line.extend_from_slice(b", ");
        }
        // A `\` at the end of the input escapes nothing. After the first half of a character it is
        // the second.
        let (value, _) = RawValue::new(value, framing).closing();
        line.extend_from_slice(value);
        if !value.is_ascii() {
            self.framing = Some(framing);
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.lines.is_empty()
    }

    /// Writes the values into the node.
    pub(crate) fn write(self, draft: &mut NodeDraft<'_>) {
        for ((comment, ident, _), values) in self.lines {
            let line = if ident.is_empty() {
                values
            } else {
                [&ident, &b": "[..], &values].concat()
            };
            let target: &[u8] = match comment {
                _ if !self.in_comments => KEPT,
                Comment::Game => b"GC",
                Comment::Node => b"C",
            };
            let Some(id) = draft.find(target) else {
                let raw = [target, b"[", &line, b"]"].concat();
                draft.insert(None, raw, self.framing.unwrap_or(Framing::Value));
                continue;
            };
            let property = draft.property(id);
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
            draft.replace(id, raw, framing);
        }
    }
}
