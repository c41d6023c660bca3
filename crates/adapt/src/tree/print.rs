//! Prints a tree: the whole game as SGF, or a summary for debugging.

use std::fmt;

use sgfstream::Event;

use super::GameTree;

/// Writes the game as SGF, without line breaks except those in values. Bytes that are not UTF-8 become U+FFFD;
/// [`GameTree::write_with`] writes the original bytes.
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

/// Writes the numbers of nodes and properties, and the beginning of the root.
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
