//! Where in the tree a node is, and what must be remembered of the
//! variations that are open: a few bytes each, for so many and no more.

use std::fmt;

/// Open variations that are remembered one by one. Below them, paths end in
/// `…`.
const LEVELS_MAX: usize = 1 << 14;

/// Variations that a path shows.
const SHOWN: usize = 64;

/// State of one open variation.
#[derive(Clone, Copy, Debug, Default)]
struct Level {
    /// Which child of its parent it is, from 0.
    child: u32,
    /// Children begun in it.
    children: u32,
    /// Nodes begun in it.
    nodes: u64,
    /// Who moved last on the path: a side from 1, or 0.
    last: u8,
}

/// The path from the root of a game to a node, as findings and `sgfq board --node` write it: the numbers of the variations that
/// lead to it, with `.` between them, then `/` and its number in the last of them. All count from 0.
///
/// ```
/// use sgfstream_game::TreePath;
///
/// let mut path = TreePath::default();
/// // (;;(;)(; here
/// path.start_game();
/// path.node();
/// path.node();
/// path.push();
/// path.node();
/// path.pop();
/// path.push();
/// path.node();
/// assert_eq!((path.to_string().as_str(), path.is_main_line()), ("1/0", false));
/// ```
#[derive(Clone, Debug, Default)]
pub struct TreePath {
    levels: Vec<Level>,
    depth: u64,
    /// A `)` came: the main line is what is before it.
    main_line_ended: bool,
}

impl TreePath {
    /// A game begins.
    pub fn start_game(&mut self) {
        self.levels.clear();
        self.levels.push(Level::default());
        self.depth = 1;
        self.main_line_ended = false;
    }

    /// A variation begins. False if it is not remembered: its path ends in `…` then.
    pub fn push(&mut self) -> bool {
        self.depth += 1;
        if self.depth > LEVELS_MAX as u64 {
            return false;
        }
        let Some(parent) = self.levels.last_mut() else {
            return false;
        };
        let child = parent.children;
        parent.children = child.saturating_add(1);
        let last = parent.last;
        self.levels.push(Level { child, children: 0, nodes: 0, last });
        true
    }

    /// The variation ends.
    pub fn pop(&mut self) {
        if self.depth <= LEVELS_MAX as u64 {
            self.levels.pop();
        }
        self.main_line_ended = true;
        self.depth = self.depth.saturating_sub(1);
    }

    /// A node begins.
    #[inline]
    pub fn node(&mut self) {
        if self.is_remembered()
            && let Some(level) = self.levels.last_mut()
        {
            level.nodes += 1;
        }
    }

    /// Open variations, the game's own among them.
    #[inline]
    #[must_use]
    pub fn depth(&self) -> u64 {
        self.depth
    }

    fn is_remembered(&self) -> bool {
        self.depth as usize == self.levels.len()
    }

    /// True before the first `)` of the game.
    #[must_use]
    pub fn is_main_line(&self) -> bool {
        !self.main_line_ended
    }

    /// True in the root node of the game.
    #[inline]
    #[must_use]
    pub fn is_root(&self) -> bool {
        self.depth == 1 && self.levels.first().is_some_and(|level| level.nodes <= 1)
    }

    /// Who moves, as a number from 1; 0 where that is not to be judged. Gives
    /// who moved before.
    #[inline]
    pub fn moved(&mut self, side: u8) -> u8 {
        match self.levels.last_mut() {
            Some(level) if self.depth <= LEVELS_MAX as u64 => std::mem::replace(&mut level.last, side),
            _ => 0,
        }
    }
}

impl fmt::Display for TreePath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some((last, _)) = self.levels.split_last() else {
            return Ok(());
        };
        for (index, level) in self.levels.iter().skip(1).take(SHOWN).enumerate() {
            write!(f, "{}{}", if index == 0 { "" } else { "." }, level.child)?;
        }
        if self.depth > SHOWN as u64 + 1 {
            f.write_str(".…")?;
        }
        if self.is_remembered() { write!(f, "/{}", last.nodes.saturating_sub(1)) } else { f.write_str("/…") }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths() {
        let mut path = TreePath::default();
        assert_eq!(path.to_string(), "");
        path.start_game();
        path.node();
        assert!(path.is_root() && path.is_main_line());
        path.node();
        assert_eq!(path.to_string(), "/1");
        path.push();
        path.node();
        assert_eq!(path.to_string(), "0/0");
        assert!(path.is_main_line());
        path.pop();
        path.push();
        path.push();
        path.node();
        path.node();
        assert_eq!(path.to_string(), "1.0/1");
        assert!(!path.is_main_line());
    }

    #[test]
    fn turns_go_back_where_variations_branch() {
        let mut path = TreePath::default();
        path.start_game();
        path.moved(1);
        path.push();
        assert_eq!(path.moved(2), 1);
        path.pop();
        path.push();
        assert_eq!(path.moved(2), 1);
    }

    #[test]
    fn any_depth_in_bounded_memory() {
        let mut path = TreePath::default();
        path.start_game();
        for _ in 0..100_000 {
            path.push();
        }
        path.node();
        assert!(path.to_string().ends_with(".…/…"));
        assert!(path.levels.len() <= LEVELS_MAX);
        for _ in 0..100_000 {
            path.pop();
        }
        path.node();
        assert_eq!(path.to_string(), "/0");
    }
}
