//! Layout of the variation tree of a game: nodes go right from their parents, and each line of moves has a row.

use std::collections::{HashMap, HashSet, VecDeque};

use sgfstream::record::Outline;
use sgfstream_game::{Facts, PathWalk, Side};

use super::judgment::mark_of;
use super::replies::DrawnNode;

/// Maximum number of nodes drawn around the current one.
const DRAWN: usize = 2000;

/// Flags of a node.
const COMMENT: u8 = 1;
const NAME: u8 = 2;
const SETUP: u8 = 4;
const GOOD: u8 = 8;
const BAD: u8 = 16;

/// Returns the layout of the tree around `node`, and whether nodes are left out. Each node has its path, the index of its
/// parent, its column and row, the color of its move, whether it is on the main line, and flags. Parents come before their
/// children.
pub(super) fn draw(outline: &Outline<'_>, facts: &Facts<'_>, node: usize) -> (Vec<DrawnNode>, bool) {
    let top = top_of(outline, node);
    let (drawn, is_full) = nodes_around(outline, top);
    let (mut layout, mut out, mut walk) = (Layout::default(), Vec::new(), PathWalk::default());
    let above = outline.path(top);
    above.iter().take(above.len() - 1).skip(1).for_each(|&node| walk.step(outline, node));
    // Stack of nodes, each with the path and index of its parent, and whether it is on the main line. First children are on
    // top.
    let mut waiting = vec![(top, walk, None, outline.line(0).any(|other| other == top))];
    while let Some((node, mut walk, parent, is_main)) = waiting.pop() {
        if node > 0 {
            walk.step(outline, node);
        }
        let len = || outline.line(node).take_while(|node| drawn.contains(node)).count();
        let is_first = node.checked_sub(1) == outline.parent(node);
        let (column, row) = layout.place(parent, is_first, len);
        let at = out.len();
        layout.nodes.push((column, row));
        let color = color_of(outline, facts, node);
        let flags = flags_of(outline, node, color.is_some());
        out.push((walk.path().to_string(), parent, column, row, color, is_main, flags));
        let first = waiting.len();
        for (number, child) in outline.children(node).enumerate().filter(|(_, child)| drawn.contains(child)) {
            waiting.push((child, walk.clone(), Some(at), is_main && number == 0));
        }
        waiting[first..].reverse();
    }
    (out, is_full || top > 0)
}

/// Returns the root of the drawn tree: the highest ancestor of `node` with few enough nodes below, or the node itself.
fn top_of(outline: &Outline<'_>, node: usize) -> usize {
    let mut top = node;
    while let Some(parent) = outline.parent(top) {
        if outline.below(parent).len() > DRAWN {
            break;
        }
        top = parent;
    }
    top
}

/// Returns the nodes nearest to `top` below it, and whether there are more.
fn nodes_around(outline: &Outline<'_>, top: usize) -> (HashSet<usize>, bool) {
    let (mut drawn, mut next) = (HashSet::new(), VecDeque::from([top]));
    while let Some(node) = next.pop_front() {
        if drawn.len() == DRAWN {
            return (drawn, true);
        }
        drawn.insert(node);
        next.extend(outline.children(node).take(DRAWN));
    }
    (drawn, false)
}

/// Columns and rows of the nodes placed so far.
#[derive(Default)]
struct Layout {
    nodes: Vec<(usize, usize)>,
    /// First free row of each column.
    free: HashMap<usize, usize>,
}

impl Layout {
    /// Places a node. A first child goes in the row of its parent. Any other child goes in the first row below that is free
    /// in all columns of its line of `len` nodes.
    fn place(&mut self, parent: Option<usize>, is_first: bool, len: impl FnOnce() -> usize) -> (usize, usize) {
        let (column, row) = match parent.map(|parent| self.nodes[parent]) {
            Some((column, row)) if is_first => return (column + 1, row),
            Some((column, row)) => (column + 1, row + 1),
            None => (0, 0),
        };
        // The row must also be free in the parent's column, where the connecting line runs.
        let columns = column.saturating_sub(1)..column + len();
        let free = |column: usize| self.free.get(&column).copied().unwrap_or(0);
        let row = columns.clone().map(free).fold(row, usize::max);
        columns.for_each(|column| _ = self.free.insert(column, row + 1));
        (column, row)
    }
}

fn color_of(outline: &Outline<'_>, facts: &Facts<'_>, node: usize) -> Option<&'static str> {
    let played = facts.moves_of_node(outline.node(node)).next()?;
    Some(Side::of_color(played.color).name_in(facts.game))
}

fn flags_of(outline: &Outline<'_>, node: usize, has_move: bool) -> u8 {
    let has = |idents: &[&str]| idents.iter().any(|ident| outline.property(node, ident).is_some());
    let flag = |is_set: bool, flag: u8| if is_set { flag } else { 0 };
    let is_setup = !has_move && has(&["AB", "AW", "AE"]);
    let judged = match mark_of(outline, node) {
        Some(true) => GOOD,
        Some(false) => BAD,
        None => 0,
    };
    flag(has(&["C"]), COMMENT) | flag(has(&["N"]), NAME) | flag(is_setup, SETUP) | judged
}

#[cfg(test)]
mod tests {
    use sgfstream::SliceReader;
    use sgfstream::record::{GameReader, OwnedGame};
    use sgfstream_game::NodePath;

    use super::*;

    fn read(game: &str) -> OwnedGame {
        let mut games = GameReader::new(SliceReader::new(game.as_bytes()));
        games.next().expect("a game").expect("a short game")
    }

    fn drawn(game: &str, node: usize) -> (Vec<String>, bool) {
        let game = read(game);
        let (nodes, is_cut) = draw(&Outline::of(game.record()), &Facts::of(game.record(), 0), node);
        (nodes.iter().map(|node| serde_json::to_string(node).expect("JSON")).collect(), is_cut)
    }

    #[test]
    fn variations_take_the_first_free_row() {
        // 0 - 1 - 2 - 3
        //      |   `- 4
        //      `- 5 - 6
        let (nodes, is_cut) = drawn("(;AB[aa];B[bb]C[x](;W[cc](;B[dd])(;B[ee]BM[1]))(;W[ff];B[gg]))", 0);
        let expected = [
            r#"["/0",null,0,0,null,true,4]"#,
            r#"["/1",0,1,0,"B",true,1]"#,
            r#"["/2",1,2,0,"W",true,0]"#,
            r#"["/3",2,3,0,"B",true,0]"#,
            r#"["0.1/3",2,3,1,"B",false,16]"#,
            r#"["1/2",1,2,2,"W",false,0]"#,
            r#"["1/3",5,3,2,"B",false,0]"#,
        ];
        assert!(!is_cut && nodes.len() == 7, "{nodes:?}");
        for (node, expected) in nodes.iter().zip(expected) {
            let places = |node: &str| node.split_once("\",").map(|(_, places)| places.to_owned());
            assert_eq!(places(node), places(expected), "{nodes:?}");
        }
    }

    /// A large tree is cut to the part around the node, and each path leads to its node.
    #[test]
    fn a_large_tree_is_cut() {
        let game = format!("(;{}{})", ";B[aa]".repeat(3000), "(;W[bb];B[cc])".repeat(1500));
        let game = read(&game);
        let (outline, facts) = (Outline::of(game.record()), Facts::of(game.record(), 0));
        for (node, count, is_cut) in [(0, 2000, true), (3000, 2000, true), (3500, 2000, true)] {
            let (nodes, cut) = draw(&outline, &facts, node);
            assert!(nodes.len() <= count && cut == is_cut, "{node} {} {cut}", nodes.len());
            let path = NodePath::of(&outline, node).to_string();
            assert!(nodes.iter().any(|node| node.0 == path), "{path}");
            for (at, node) in nodes.iter().enumerate() {
                assert!(node.1.is_none_or(|parent| parent < at));
                let path: NodePath = node.0.parse().expect("a path");
                assert!(path.find(&outline).is_some());
            }
        }
    }
}
