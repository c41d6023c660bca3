//! Layout of the variation tree of a game: nodes go right from their parents, and each line of
//! moves has a row.

use sgfstream::record::Outline;
use sgfstream_game::{Facts, Side, facts::NodePath};

use super::judgment::mark_of;
use super::replies::TreeReply;

/// Number of nodes up to which the whole tree is drawn.
const WHOLE: usize = 2000;

/// Columns and rows of a part of a larger tree. The part around the current node and its neighbors
/// are drawn, so that most steps stay in a part and change nothing.
const PART: Place = Place {
    column: 16,
    row: 12,
};

/// Flags of a node.
const COMMENT: u8 = 1;
const NAME: u8 = 2;
const SETUP: u8 = 4;
const GOOD: u8 = 8;
const BAD: u8 = 16;

/// Returns the tree, or the part of a large one around `node`. Each node keeps its place in the
/// whole tree, so that places stay while the user walks.
pub(super) fn draw(outline: &Outline<'_>, facts: &Facts<'_>, node: usize) -> TreeReply {
    let layout = Layout::of(outline);
    let current = layout.places[node];
    let is_whole = outline.len() <= WHOLE;
    let is_near = |place: usize, current: usize, part: usize| {
        is_whole || (place / part).abs_diff(current / part) <= 1
    };
    let mut reply = TreeReply {
        nodes: Vec::new(),
        branches: Vec::new(),
        is_cut: false,
    };
    for (node, place) in layout.places.iter().enumerate() {
        if !is_near(place.column, current.column, PART.column) {
            continue;
        }
        if is_near(place.row, current.row, PART.row) {
            let color = color_of(outline, facts, node);
            let flags = flags_of(outline, node, color.is_some());
            let is_branch = is_branch(outline, node);
            let path = NodePath::of(outline, node).to_string();
            reply
                .nodes
                .push((path, place.column, place.row, is_branch, color, flags));
        }
        // The lines to the variations of a node may cross the part.
        let last = layout.last_rows[node];
        let is_above = place.row < current.row || is_near(place.row, current.row, PART.row);
        let is_below = last > current.row || is_near(last, current.row, PART.row);
        if last > place.row && is_above && is_below {
            reply.branches.push((place.column, place.row, last));
        }
    }
    reply.is_cut = reply.nodes.len() < outline.len();
    reply
}

/// Column and row of a node.
#[derive(Clone, Copy, Debug)]
struct Place {
    column: usize,
    row: usize,
}

/// Places of the nodes of a tree.
#[derive(Default)]
struct Layout {
    places: Vec<Place>,
    /// Row of the last variation that begins after each node, or the row of the node.
    last_rows: Vec<usize>,
    /// First free row of each column.
    free: Vec<usize>,
}

impl Layout {
    /// Places the nodes in their order, in which parents come before their children.
    fn of(outline: &Outline<'_>) -> Self {
        let mut layout = Self::default();
        for node in 0..outline.len() {
            let place = layout.place(outline, node);
            if let Some(parent) = outline.parent(node) {
                layout.last_rows[parent] = place.row;
            }
            layout.places.push(place);
            layout.last_rows.push(place.row);
        }
        layout
    }

    /// Returns the place of a node. A first child goes in the row of its parent. Any other child
    /// goes in the first row below that is free in all columns of its line.
    fn place(&mut self, outline: &Outline<'_>, node: usize) -> Place {
        let parent = outline.parent(node).map(|parent| self.places[parent]);
        let (column, least) = match parent {
            Some(Place { column, row }) if !is_branch(outline, node) => {
                return Place {
                    column: column + 1,
                    row,
                };
            }
            Some(Place { column, row }) => (column + 1, row + 1),
            None => (0, 0),
        };
        // The row must also be free in the parent's column, where the connecting line runs.
        let columns = column.saturating_sub(1)..column + outline.line(node).count();
        self.free.resize(self.free.len().max(columns.end), 0);
        let used = &mut self.free[columns];
        let row = used.iter().copied().fold(least, usize::max);
        used.fill(row + 1);
        Place { column, row }
    }
}

/// Returns whether a node is a later child of its parent.
fn is_branch(outline: &Outline<'_>, node: usize) -> bool {
    outline
        .parent(node)
        .is_some_and(|parent| parent + 1 != node)
}

fn color_of(outline: &Outline<'_>, facts: &Facts<'_>, node: usize) -> Option<&'static str> {
    let played = facts.moves_of_node(outline.node(node)).next()?;
    Some(Side::of_color(played.color).name_in(facts.game))
}

fn flags_of(outline: &Outline<'_>, node: usize, has_move: bool) -> u8 {
    let has = |idents: &[&str]| {
        idents
            .iter()
            .any(|ident| outline.property(node, ident).is_some())
    };
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

    use super::*;

    fn read(game: &str) -> OwnedGame {
        let mut games = GameReader::new(SliceReader::new(game.as_bytes()));
        games.next().expect("a game").expect("a short game")
    }

    #[test]
    fn variations_take_the_first_free_row() {
        // 0 - 1 - 2 - 3
        //      |   `- 4
        //      `- 5 - 6
        let game = read("(;AB[aa];B[bb]C[x](;W[cc](;B[dd])(;B[ee]BM[1]))(;W[ff];B[gg]))");
        let tree = draw(&Outline::of(game.record()), &Facts::of(game.record(), 0), 0);
        let expected = [
            ("/0", 0, 0, false, None, SETUP),
            ("/1", 1, 0, false, Some("B"), COMMENT),
            ("0/0", 2, 0, false, Some("W"), 0),
            ("0.0/0", 3, 0, false, Some("B"), 0),
            ("0.1/0", 3, 1, true, Some("B"), BAD),
            ("1/0", 2, 2, true, Some("W"), 0),
            ("1/1", 3, 2, false, Some("B"), 0),
        ];
        let expected = expected.map(|(path, column, row, is_branch, color, flags)| {
            (path.to_owned(), column, row, is_branch, color, flags)
        });
        assert_eq!(tree.nodes, expected);
        assert_eq!(
            (tree.branches, tree.is_cut),
            (vec![(1, 0, 2), (2, 0, 1)], false)
        );
    }

    /// Of a large tree, only the part around a node is drawn. Each node keeps its place in the
    /// whole tree.
    #[test]
    fn a_large_tree_is_cut() {
        let game = format!(
            "(;{}{})",
            ";B[aa]".repeat(3000),
            "(;W[bb];B[cc])".repeat(1500)
        );
        let game = read(&game);
        let (outline, facts) = (Outline::of(game.record()), Facts::of(game.record(), 0));
        // The first line goes to column 3002. The other variations begin at column 3001, in rows of
        // their own.
        for (node, columns, rows) in [
            (0, 0..=31, 0..=0),
            (3000, 2976..=3002, 0..=23),
            (3002, 2976..=3002, 0..=23),
            (4003, 2976..=3002, 480..=515),
        ] {
            let tree = draw(&outline, &facts, node);
            let path = NodePath::of(&outline, node).to_string();
            assert!(
                tree.is_cut && tree.nodes.iter().any(|node| node.0 == path),
                "{path}"
            );
            let (least, most) = (
                tree.nodes.iter().map(|node| node.2).min(),
                tree.nodes.iter().map(|node| node.2).max(),
            );
            assert_eq!(
                (least, most),
                (Some(*rows.start()), Some(*rows.end())),
                "{path}"
            );
            assert!(
                tree.nodes.iter().all(|node| columns.contains(&node.1)),
                "{path}"
            );
            assert_eq!(tree.branches.contains(&(3000, 0, 1499)), node > 0, "{path}");
        }
        // A step within a part changes nothing.
        let [one, other] = [2990, 2991].map(|node| draw(&outline, &facts, node));
        assert_eq!(one.nodes, other.nodes);
    }
}
