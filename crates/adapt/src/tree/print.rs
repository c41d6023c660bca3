//! A tree as text: the whole game, or its size.

use std::fmt;

use sgfstream::Event;

use super::GameTree;

/// The game as SGF, on one line where its values are. Bytes that are not
/// UTF-8 show as U+FFFD; [`GameTree::write_to`] gives every byte as it was.
impl fmt::Display for GameTree {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write_events(|event| match event {
            Event::VariationStart { .. } => f.write_str("("),
            Event::NodeStart { .. } => f.write_str(";"),
            Event::VariationEnd { .. } => f.write_str(")"),
            Event::Property(property) => f.write_str(&String::from_utf8_lossy(property.as_bytes())),
            _ => Ok(()),
        })
    }
}

/// Its size, and how it begins.
impl fmt::Debug for GameTree {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const SHOWN: usize = 8;
        let root: Vec<_> = self.properties(self.root()).take(SHOWN).collect();
        f.debug_struct("GameTree")
            .field("nodes", &self.node_count)
            .field("properties", &self.property_count)
            .field("text_bytes", &self.arena.bytes.len())
            .field("problems", &self.problems.len())
            .field("charset", &self.arena.charset)
            .field("root", &root)
            .finish()
    }
}
