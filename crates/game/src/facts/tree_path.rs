//! Path of a node in its tree. It remembers a few bytes for each open variation, up to a limit.

use std::fmt;

use crate::game::Turn;

/// Limit of open variations that are remembered. Below it, paths end in `…`.
const LEVELS_MAX: usize = 1 << 14;

/// Variations that a printed path shows.
const SHOWN: usize = 64;

/// State of one open variation.
#[derive(Clone, Copy, Debug, Default)]
struct Level {
    /// Index among the children of its parent, from 0.
    child: u32,
    /// Children started so far.
    children: u32,
    /// Nodes started so far.
    nodes: u64,
    /// Whose turn it is.
    turn: Turn,
}

/// Path from the root of a game to a node, as printed by findings and accepted by
/// `sgfq board --node`: the indexes of the variations that lead to the node, with `.` between them,
/// then `/` and the index of the node in the last variation. All count from 0.
///
/// ```
/// use sgfstream_game::internal::TreePath;
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
    /// Whether a `)` has ended the main line.
    main_line_ended: bool,
}

impl TreePath {
    /// Starts a game.
    pub fn start_game(&mut self) {
        self.levels.clear();
        self.levels.push(Level::default());
        self.depth = 1;
        self.main_line_ended = false;
    }

    /// Starts a variation. Returns false if the limit is reached, so that its path ends in `…`.
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
        let turn = parent.turn;
        self.levels.push(Level {
            child,
            children: 0,
            nodes: 0,
            turn,
        });
        true
    }

    /// Ends the variation.
    pub fn pop(&mut self) {
        if self.depth <= LEVELS_MAX as u64 {
            self.levels.pop();
        }
        self.main_line_ended = true;
        self.depth = self.depth.saturating_sub(1);
    }

    /// Starts a node.
    #[inline]
    pub fn node(&mut self) {
        if self.is_remembered()
            && let Some(level) = self.levels.last_mut()
        {
            level.nodes += 1;
        }
    }

    /// Returns the number of open variations, including the game itself.
    #[inline]
    #[must_use]
    pub fn depth(&self) -> u64 {
        self.depth
    }

    fn is_remembered(&self) -> bool {
        self.depth as usize == self.levels.len()
    }

    /// Returns whether no `)` has ended the main line yet.
    #[must_use]
    pub fn is_main_line(&self) -> bool {
        !self.main_line_ended
    }

    /// Returns whether the current node is the root of the game.
    #[inline]
    #[must_use]
    pub fn is_root(&self) -> bool {
        self.depth == 1 && self.levels.first().is_some_and(|level| level.nodes <= 1)
    }

    /// Records whose turn it is. Returns whose turn it was.
    #[inline]
    pub fn set_turn(&mut self, turn: Turn) -> Turn {
        match self.levels.last_mut() {
            Some(level) if self.depth <= LEVELS_MAX as u64 => {
                std::mem::replace(&mut level.turn, turn)
            }
            _ => Turn::Open(None),
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
        if self.is_remembered() {
            write!(f, "/{}", last.nodes.saturating_sub(1))
        } else {
            f.write_str("/…")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Side;

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
        let [black, white] = [Side::Black, Side::White].map(Turn::Next);
        path.set_turn(black);
        path.push();
        assert_eq!(path.set_turn(white), black);
        path.pop();
        path.push();
        assert_eq!(path.set_turn(white), black);
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
