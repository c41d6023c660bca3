//! A tree gives back the games it was read from, also written and read again,
//! and stays a tree whatever is done to it.
#![no_main]

use libfuzzer_sys::fuzz_target;
use sgfstream::adapt::{GameTree, Games, MemoryLimit, NodeId};
use sgfstream::{Event, SliceReader, Writer};

fuzz_target!(|data: &[u8]| {
    let mut games = Games::new(SliceReader::new(data), MemoryLimit::bytes(1 << 24));
    let mut written = Vec::new();
    while let Some(tree) = games.next().expect("it fits") {
        holds_together(tree);
        let mut writer = Writer::new(&mut written);
        tree.write_to(&mut writer).expect("a Vec takes all");
        writer.finish().expect("a Vec takes all");
        edited(tree, data);
    }
    // What was written reads without a fault of structure, as the same nodes.
    let mut games = Games::new(SliceReader::new(data), MemoryLimit::bytes(1 << 24));
    let mut again = Games::new(SliceReader::new(&written), MemoryLimit::bytes(1 << 24));
    while let Some(tree) = games.next().expect("it fits") {
        let second = again.next().expect("it fits").expect("as many games as were written");
        assert_eq!(tree.node_count(), second.node_count());
        assert_eq!(tree.property_count(), second.property_count());
        assert!(tree.preorder().eq(second.preorder()), "the nodes have other numbers");
    }
    assert!(again.next().expect("it fits").is_none(), "more games than were written");
});

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

/// Each byte is an order to change something.
fn edited(tree: &mut GameTree, orders: &[u8]) {
    for pair in orders.chunks_exact(2).rev().take(64) {
        let nodes: Vec<NodeId> = tree.preorder().take(1000).collect();
        let node = nodes[usize::from(pair[1]) % nodes.len()];
        let done = match pair[0] % 10 {
            0 => tree.add_node(node).map(|_| ()),
            1 => tree.add_variation(node).map(|_| ()),
            2 => tree.insert_after(node).map(|_| ()),
            3 => tree.remove_node(node),
            4 => tree.promote(node),
            5 => tree.add_property(node, b"C", [b"text"]),
            6 => tree.set_property(node, b"AB", [b"aa", b"bb"]),
            7 => tree.remove_property(node, b"B").map(|_| ()),
            8 => tree.remove_property(node, b"C").map(|_| ()),
            _ => tree.compact(),
        };
        // The root cannot go, and such things.
        let _ = done;
    }
    holds_together(tree);
    let text = tree.to_string();
    let bytes = {
        let mut writer = Writer::new(Vec::new());
        tree.write_to(&mut writer).expect("a Vec takes all");
        writer.finish().expect("a Vec takes all")
    };
    let again = GameTree::parse(&bytes).unwrap_or_else(|err| panic!("{err}: {text}"));
    assert_eq!(again.node_count(), tree.node_count(), "{text}");
}
