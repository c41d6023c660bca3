//! Prints a tree: the whole game as SGF, or a summary for debugging.

use std::fmt;

use super::GameTree;
use super::events::bytes_of;

impl GameTree {
    /// Returns the game as SGF, in its charset. [`GameTree::write_with`] writes it in another
    /// layout.
    ///
    /// ```
    /// use sgfstream_adapt::GameTree;
    ///
    /// let mut tree = GameTree::parse(b"(;CA[GBK] PB[\xba\xda])")?;
    /// tree.set_text(tree.root(), "PW", "\u{9ed1}")?;
    /// assert_eq!(tree.to_bytes(), b"(;CA[GBK] PB[\xba\xda]PW[\xba\xda])");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        self.bytes_and_candidates(&self.variations_like_games()).0
    }
}

/// Writes the game as SGF, for messages. Bytes that are not UTF-8 become U+FFFD;
/// [`GameTree::to_bytes`] returns them as they are.
impl fmt::Display for GameTree {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write_events(|event| f.write_str(&String::from_utf8_lossy(bytes_of(&event))))
    }
}

/// Writes the number of nodes, and the beginning of the root.
impl fmt::Debug for GameTree {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const SHOWN: usize = 8;
        let root: Vec<_> = self.properties(self.root()).take(SHOWN).collect();
        f.debug_struct("GameTree")
            .field("nodes", &self.node_count)
            .field("text_bytes", &self.arena.bytes.len())
            .field("problems", &self.problems.len())
            .field("charset", &self.charset())
            .field("root", &root)
            .finish()
    }
}
