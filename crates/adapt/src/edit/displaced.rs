//! Values that leave a property and that another reader may want. They go to the private property `XK`, each with the name
//! of its old property: `XK[RE: B+, he said]`.

use std::collections::BTreeMap;

use sgfstream::record::GameRecord;

use super::{GameEdits, PlacedProperty};

/// Kind of the property that a value leaves, and so the comment that it may be added to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Comment {
    /// `GC`, for values of game information.
    Game,
    /// `C`, for all other values.
    Node,
}

/// The displaced values of a node, for each kind and old property.
type NodeLines = BTreeMap<(Comment, Vec<u8>), Vec<u8>>;

/// Displaced values of a game.
#[derive(Debug, Default)]
pub(super) struct DisplacedValues {
    /// The lines of each node, by its start.
    nodes: BTreeMap<usize, NodeLines>,
}

impl DisplacedValues {
    /// Adds a value of a property, as written between its brackets.
    pub(super) fn add(&mut self, placed: &PlacedProperty<'_>, comment: Comment, value: &[u8]) {
        let ident = placed.property.ident().canonical().into_owned();
        let line = self.nodes.entry(placed.node).or_default().entry((comment, ident)).or_default();
        if !line.is_empty() {
            line.extend_from_slice(b", ");
        }
        let escapes = value.iter().rev().take_while(|&&byte| byte == b'\\').count();
        line.extend_from_slice(&value[..value.len() - escapes % 2]);
    }

    /// Adds one insertion for each node: behind the last value of its `XK`, or behind its last property.
    pub(super) fn write(&self, game: &GameRecord<'_>, edits: &mut GameEdits) {
        if self.nodes.is_empty() {
            return;
        }
        for node in game.nodes() {
            let Some(lines) = self.nodes.get(&node.start()) else { continue };
            let mut text = Vec::new();
            for ((_, ident), values) in lines {
                text.extend_from_slice(&[b"[", &ident[..], b": ", values, b"]"].concat());
            }
            let properties: Vec<PlacedProperty<'_>> = PlacedProperty::of_node(node).collect();
            let Some(last) = properties.last() else { continue };
            match properties.iter().find(|placed| placed.property.ident().is(b"XK")) {
                Some(kept) => edits.insert(kept.span.end, &text),
                None => edits.insert(last.span.end, &[b"XK", &text[..]].concat()),
            }
        }
    }
}
