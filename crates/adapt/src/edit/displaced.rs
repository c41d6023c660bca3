//! Values that leave a property and that another reader may want. They go to the private property `XK`, each with the name
//! of its old property: `XK[RE: B+, he said]`. On request they become lines of a comment instead.

use std::collections::BTreeMap;

use sgfstream::record::{GameRecord, Node};

use super::{GameEdits, PlacedProperty};

/// Comment that a displaced value is added to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Comment {
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

/// The displaced values of a node, for each comment and old property.
type NodeLines = BTreeMap<(Comment, Vec<u8>), Vec<u8>>;

/// Displaced values of a game, by node.
#[derive(Debug, Default)]
pub struct DisplacedValues {
    /// Whether the values become lines of comments.
    in_comments: bool,
    /// The lines of each node, by its start.
    nodes: BTreeMap<usize, NodeLines>,
}

impl DisplacedValues {
    /// Returns an empty store.
    #[must_use]
    pub fn new(in_comments: bool) -> Self {
        Self { in_comments, ..Self::default() }
    }

    /// Adds a value, as written between its brackets, of the node that [starts](Node::start) at `node`. An empty
    /// identifier stands for words outside of properties.
    pub fn add(&mut self, node: usize, comment: Comment, ident: &[u8], value: &[u8]) {
        let line = self.nodes.entry(node).or_default().entry((comment, ident.to_vec())).or_default();
        if !line.is_empty() {
            line.extend_from_slice(b", ");
        }
        let escapes = value.iter().rev().take_while(|&&byte| byte == b'\\').count();
        line.extend_from_slice(&value[..value.len() - escapes % 2]);
    }

    /// Returns whether there are no values.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// Adds one insertion for each property that gets values: behind its last value, or behind the last property of the node.
    /// `covers` returns whether a place is inside a span that is replaced.
    pub fn write(&self, game: &GameRecord<'_>, edits: &mut GameEdits, covers: impl Fn(usize) -> bool) {
        if self.is_empty() {
            return;
        }
        for node in game.nodes() {
            let Some(lines) = self.nodes.get(&node.start()) else { continue };
            let properties: Vec<PlacedProperty<'_>> = PlacedProperty::of_node(node).collect();
            if !properties.is_empty() || !node.is_inserted() {
                self.write_lines(lines, node, &properties, edits, &covers);
            }
        }
    }

    fn write_lines(
        &self,
        lines: &NodeLines,
        node: Node<'_>,
        properties: &[PlacedProperty<'_>],
        edits: &mut GameEdits,
        covers: &impl Fn(usize) -> bool,
    ) {
        let mut by_target: BTreeMap<&[u8], Vec<Vec<u8>>> = BTreeMap::new();
        for ((comment, ident), values) in lines {
            let line = if ident.is_empty() { values.clone() } else { [ident, &b": "[..], values].concat() };
            let target = if self.in_comments { comment.ident() } else { KEPT };
            by_target.entry(target).or_default().push(line);
        }
        let end = properties.last().map_or(node.extent().end, |last| last.span.end);
        for (target, lines) in by_target {
            let has_name = |placed: &&PlacedProperty<'_>| placed.property.ident().is(target);
            let found = properties.iter().find(has_name);
            if self.in_comments {
                let text = lines.join(&b'\n');
                // The `]` of the comment may be replaced together with its text.
                match found.filter(|found| !covers(found.span.end - 1) && found.span.end > found.first_value().end) {
                    Some(found) if found.first_value().is_empty() => edits.insert(found.first_value().end, &text),
                    Some(found) => edits.insert(found.span.end - 1, &[&b"\n"[..], &text].concat()),
                    None => edits.insert(end, &[target, b"[", &text, b"]"].concat()),
                }
            } else {
                let values = lines.iter().map(|line| [b"[", &line[..], b"]"].concat()).collect::<Vec<_>>().concat();
                match found.filter(|found| !covers(found.span.end)) {
                    Some(found) => edits.insert(found.span.end, &values),
                    None => edits.insert(end, &[target, &values[..]].concat()),
                }
            }
        }
    }
}
