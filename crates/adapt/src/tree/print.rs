//! Prints a tree: the whole game as SGF, or a summary for debugging.

use std::fmt;

use super::GameTree;
use super::events::bytes_of;

/// Writes the game as SGF. Bytes that are not UTF-8 become U+FFFD; [`GameTree::write_with`] writes the original bytes.
impl fmt::Display for GameTree {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write_events(|event| f.write_str(&String::from_utf8_lossy(bytes_of(&event))))
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
