//! A tree has the games from which it was read, also after it is written and
//! read again, and edits keep it a tree.
use sgfstream::{Event, Layout, SliceReader, Writer};
use sgfstream_adapt::{GameTree, Games, MemoryLimit, NodeId};

use super::games::{assert_same, piece, pieces};
use super::{Choice, Property};

/// Property of any bytes: see the module.
pub const PROPERTY: Property = Property {
    name: "tree",
    ways: 3,
    holds,
};

fn holds(data: &[u8], mut choice: Choice) {
    let way = choice.below(3);
    let layout = (way == 1).then_some(Layout::Canonical);
    let mut writer = layout.map_or_else(
        || Writer::new(Vec::new()),
        |layout| Writer::with_layout(Vec::new(), layout),
    );
    let mut games = Games::with_limit(SliceReader::new(data), MemoryLimit::bytes(1 << 24));
    let mut of_trees = Vec::new();
    // A byte order mark states the charset of the file, and trees do not contain it. Without the
    // mark, a reader may detect another charset, in which values end elsewhere.
    let is_special = data.windows(3).any(|bytes| bytes == b"\xef\xbb\xbf");
    while let Some(tree) = games.next_game().expect("it fits") {
        holds_together(tree);
        of_trees.extend(tree.events().filter_map(|event| piece(&event)));
        if way < 2 {
            tree.write_with(&mut writer).expect("a Vec takes all");
        } else if !is_special {
            edited(tree, data);
        }
    }
    assert_same(&of_trees, &pieces(data), "trees");
    if way == 2 || is_special {
        return;
    }
    let written = writer.finish().expect("a Vec takes all");
    assert_same(&pieces(&written), &of_trees, "written");
    let mut again = Games::with_limit(SliceReader::new(&written), MemoryLimit::bytes(1 << 24));
    let mut of_written = Vec::new();
    while let Some(tree) = again.next_game().expect("it fits") {
        of_written.extend(tree.events().filter_map(|event| piece(&event)));
    }
    assert_same(&of_written, &of_trees, "read again");
}

fn holds_together(tree: &GameTree) {
    let mut count = 0;
    for node in tree.preorder() {
        count += 1;
        for child in tree.children(node) {
            assert_eq!(tree.parent(child), Some(node));
        }
        assert_eq!(tree.first_child(node), tree.children(node).next());
        assert_eq!(tree.last_child(node), tree.children(node).last());
    }
    assert_eq!(count, tree.node_count());
    let mut nodes = 0;
    let mut depth = 0u64;
    for event in tree.events() {
        match event {
            Event::VariationStart { .. } => depth += 1,
            Event::VariationEnd { .. } => depth -= 1,
            Event::NodeStart { .. } => nodes += 1,
            _ => {}
        }
    }
    assert_eq!((nodes, depth), (count, 0));
}

/// Edits the tree: each byte selects an edit.
fn edited(tree: &mut GameTree, orders: &[u8]) {
    for pair in orders.chunks_exact(2).rev().take(64) {
        let nodes: Vec<NodeId> = tree.preorder().take(1000).collect();
        let node = nodes[usize::from(pair[1]) % nodes.len()];
        let done = match pair[0] % 9 {
            0 => tree.add_node(node).map(|_| ()),
            1 => tree.insert_after(node).map(|_| ()),
            2 => tree.remove_node(node),
            3 => tree.promote(node),
            4 => tree.add_property(node, b"C", [b"text"]),
            5 => tree.set_property(node, b"AB", [b"aa", b"bb"]),
            6 => tree.remove_property(node, b"B").map(|_| ()),
            7 => tree.remove_property(node, b"C").map(|_| ()),
            _ => tree.compact(),
        };
        // Some edits fail, such as removing the root.
        let _ = done;
    }
    holds_together(tree);
    let text = tree.to_string();
    let bytes = {
        let mut writer = Writer::new(Vec::new());
        tree.write_with(&mut writer).expect("a Vec takes all");
        writer.finish().expect("a Vec takes all")
    };
    let again = GameTree::parse(&bytes).unwrap_or_else(|err| panic!("{err}: {text}"));
    let of_tree = |tree: &GameTree| {
        tree.events()
            .filter_map(|event| piece(&event))
            .collect::<Vec<_>>()
    };
    assert_same(&of_tree(&again), &of_tree(tree), &text);
}
