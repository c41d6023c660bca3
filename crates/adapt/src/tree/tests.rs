//! Tests of trees of every shape, read and written.

use proptest::prelude::*;

use super::*;
use sgfstream::{
    Code, Event, Layout, Limits, Options, Reader, Severity, SliceReader, WriteError, Writer,
};

fn tree(bytes: &[u8]) -> GameTree {
    GameTree::parse(bytes).expect("small")
}

/// Writes events without problems, because a tree reports none.
fn written(
    events: impl Iterator<Item = impl std::borrow::Borrow<sgfstream::OwnedEvent>>,
) -> Vec<u8> {
    let mut writer = Writer::with_layout(Vec::new(), Layout::Canonical);
    for event in events {
        writer
            .event(&event.borrow().as_event())
            .expect("a Vec takes all");
    }
    writer.finish().expect("a Vec takes all")
}

#[test]
fn every_neighbor() {
    let tree = tree(b"(;N[0];N[1](;N[2](;N[3])(;N[4]))(;N[5]))");
    let at = |index: usize| tree.preorder().nth(index).expect("six nodes");
    let index = |node: Option<NodeId>| node.map(NodeId::index);
    for (node, parent, first, last, next) in [
        (0, None, Some(1), Some(1), None),
        (1, Some(0), Some(2), Some(5), None),
        (2, Some(1), Some(3), Some(4), Some(5)),
        (3, Some(2), None, None, Some(4)),
        (4, Some(2), None, None, None),
        (5, Some(1), None, None, None),
    ] {
        let here = at(node);
        assert_eq!(index(tree.parent(here)), parent);
        assert_eq!(index(tree.first_child(here)), first);
        assert_eq!(index(tree.last_child(here)), last);
        assert_eq!(index(tree.next_sibling(here)), next);
    }
    assert_eq!(
        tree.main_line().map(NodeId::index).collect::<Vec<_>>(),
        [0, 1, 2, 3]
    );
    assert_eq!(
        tree.subtree(at(2)).map(NodeId::index).collect::<Vec<_>>(),
        [2, 3, 4]
    );
    assert_eq!(
        tree.ancestors(at(4)).map(NodeId::index).collect::<Vec<_>>(),
        [2, 1, 0]
    );

    let mut depths = Vec::new();
    let mut walk = tree.preorder();
    loop {
        let depth = walk.depth();
        let Some(node) = walk.next() else { break };
        assert_eq!(tree.depth(node), depth);
        depths.push(depth);
    }
    assert_eq!(depths, [0, 1, 2, 3, 3, 2]);
}

#[test]
fn variations_that_stand_alone_stay() {
    for game in ["(;)", "(;(;))", "(;;;(;(;;)))", "(;(;)(;(;)))"] {
        assert_eq!(tree(game.as_bytes()).to_string(), game);
    }
}

#[test]
fn comparing() {
    let same = tree(b"(;B[aa] ( ;W[bb])(;W[cc]))");
    assert_eq!(same, tree(b"(;B[aa](;W[bb])\n(;W[cc]))"));
    for other in [
        "(;B[aa](;W[bb]))",
        "(;B[aa];W[bb](;W[cc]))",
        "(;B[aa](;W[bb])(;W[cd]))",
        "(;B[aa](;W[cc])(;W[bb]))",
    ] {
        assert_ne!(same, tree(other.as_bytes()), "{other}");
    }
    assert_ne!(tree(b"(;;)"), tree(b"(;(;))"));
    let clone = same.clone();
    assert_eq!(clone, same);
    assert!(clone.memory() <= same.memory());
}

#[test]
fn parts_are_joined() {
    let long = [
        b"(;C[".as_slice(),
        &[b'x'; 300],
        b"\\]][second] [third];B[aa])",
    ]
    .concat();
    let whole = tree(&long);
    for property in 16..80 {
        let options = Options::default().with_limits(Limits::default().with_property(property));
        let mut games = Games::new(Reader::with_buffer(&long[..], options, 20));
        let joined = games.next_game().expect("small").expect("a game");
        let values = |tree: &GameTree| {
            let property = tree.property(tree.root(), b"C").expect("a comment");
            property
                .values()
                .map(|value| value.as_bytes().to_vec())
                .collect::<Vec<_>>()
        };
        assert_eq!(values(joined), values(&whole), "{property}");
    }
}

#[test]
fn truncated_games_are_closed() {
    for (cut, closed) in [
        (&b"(;C[abc"[..], "(;C[abc])"),
        (b"(;C[abc\\", "(;C[abc])"),
        (b"(;C[abc\\]", "(;C[abc\\]])"),
        (b"(;C[a][", "(;C[a][])"),
        (b"(;C[a\\\\]", "(;C[a\\\\])"),
        (b"(;C[", "(;C[])"),
        (b"(;C[\x95\\", "(;C[\u{fffd}\\])"),
        (b"(;C[\xc3\xa9\\", "(;C[é])"),
        (b"(;CA[gbk]C[\xc3", "(;CA[gbk]C[\u{fffd}])"),
        (b"(;CA[gbk]C[\x95\\", "(;CA[gbk]C[\u{fffd}\\])"),
        (b"(;CA[utf-8]C[\x95\\", "(;CA[utf-8]C[\u{fffd}])"),
    ] {
        let tree = tree(cut);
        let mut writer = Writer::new(Vec::new());
        tree.write_with(&mut writer).expect("a Vec takes all");
        let again = GameTree::parse(&writer.finish().expect("a Vec takes all")).expect("small");
        let faults = again
            .problems()
            .iter()
            .filter(|problem| problem.severity() == Severity::Error);
        assert_eq!(faults.count(), 0, "{cut:?}: {:?}", again.problems());
        assert_eq!(
            tree.to_string(),
            closed,
            "{:?}",
            String::from_utf8_lossy(cut)
        );
    }
    let whole = Options::default().with_framing(sgfstream::FramingPolicy::Whole);
    let mut games = Games::new(SliceReader::with_options(b"(;CA[gbk]C[\xc3", whole));
    assert_eq!(
        games
            .next_game()
            .expect("small")
            .expect("a game")
            .to_string(),
        "(;CA[gbk]C[\u{fffd} ])"
    );
    let long = [b"(;C[".as_slice(), &[b'x'; 300], b"\\"].concat();
    let options = Options::default().with_limits(Limits::default().with_property(100));
    let mut games = Games::new(SliceReader::with_options(&long, options));
    let text = games
        .next_game()
        .expect("small")
        .expect("a game")
        .to_string();
    assert!(text.ends_with("xxx])"), "{text}");
}

/// A cut value in a double-byte charset is closed, so that later output does not join it.
#[test]
fn games_after_a_truncated_value_are_read_again() {
    for cut in [
        &b"(;CA[gb2312]LN[\\]\\]\xd0\\]\\"[..],
        b"(;CA[gbk]C[\xd0\\]\\",
        b"(;CA[gbk]C[\x95\\",
        b"(;CA[gbk]C[\\\xd0",
        b"(;C[\xd0\\\\",
    ] {
        let mut tree = tree(cut);
        let mut last = tree.root();
        for _ in 0..3 {
            last = tree.add_node(last).expect("within the limit");
            tree.add_property(last, b"B", [b"aa"]).expect("a property");
        }
        let mut writer = Writer::new(Vec::new());
        tree.write_with(&mut writer).expect("a Vec takes all");
        let written = writer.finish().expect("a Vec takes all");
        let again = GameTree::parse(&written).expect("small");
        assert_eq!(
            again.node_count(),
            4,
            "{}",
            String::from_utf8_lossy(&written)
        );
        let properties = |tree: &GameTree| {
            let of = |node| tree.properties(node).count();
            tree.preorder().map(of).sum::<usize>()
        };
        assert_eq!(properties(&again), properties(&tree));
    }
}

/// A reader must not take a variation that begins with root properties for another game, not even
/// after an edit.
#[test]
fn a_variation_that_looks_like_a_game_stays_one() {
    for game in [
        "(;GM[1];B[aa](;FF[4]W[bb])(;W[cc]))",
        "(;GM[1](;C[x]FF[4]GM[1];W[bb])(;FF [4]SZ[9])(;GM[1]))",
    ] {
        let mut tree = tree(game.as_bytes());
        let nodes: Vec<NodeId> = tree.preorder().collect();
        nodes
            .into_iter()
            .for_each(|node| _ = tree.remove_property(node, b"C").expect("known"));
        for layout in [Layout::AsWritten, Layout::Canonical] {
            let write = |tree: &GameTree| {
                let mut writer = Writer::with_layout(Vec::new(), layout);
                tree.write_with(&mut writer).expect("a Vec takes all");
                writer.finish().expect("a Vec takes all")
            };
            let written = write(&tree);
            let again = GameTree::parse(&written).expect("one game");
            assert_eq!(
                (again.node_count(), again.problems()),
                (tree.node_count(), &[][..])
            );
            assert_eq!(
                String::from_utf8_lossy(&write(&again)),
                String::from_utf8_lossy(&written)
            );
        }
        assert_eq!(
            GameTree::parse(tree.to_string().as_bytes())
                .expect("one game")
                .node_count(),
            tree.node_count()
        );
    }
}

#[test]
fn text_is_escaped_and_encoded() {
    for (game, text, written) in [
        (&b"(;)"[..], "a]b\\\u{e9}", &b"(;C[a\\]b\\\\\xc3\xa9])"[..]),
        (
            b"(;CA[ISO-8859-1])",
            "\u{e9}]",
            b"(;CA[ISO-8859-1]C[\xe9\\]])",
        ),
        (
            b"(;CA[Shift_JIS])",
            "\u{8868}]",
            b"(;CA[Shift_JIS]C[\x95\\\\]])",
        ),
    ] {
        let mut tree = tree(game);
        tree.set_text(tree.root(), b"C", text)
            .expect("the charset has it");
        let mut writer = Writer::new(Vec::new());
        tree.write_with(&mut writer).expect("a Vec takes all");
        let bytes = writer.finish().expect("a Vec takes all");
        assert_eq!(
            String::from_utf8_lossy(&bytes),
            String::from_utf8_lossy(written)
        );
        let again = GameTree::parse(&bytes).expect("one game");
        assert_eq!(
            again
                .property(again.root(), b"C")
                .expect("it was set")
                .first()
                .text(),
            text
        );
    }
    let mut latin = tree(b"(;CA[ISO-8859-1])");
    assert!(matches!(
        latin.set_text(latin.root(), b"C", "\u{9ed1}"),
        Err(EditError::Property(WriteError::Character { .. }))
    ));
}

#[test]
fn problems_stay_with_their_game() {
    let mut games = Games::new(SliceReader::new(b"x;B[aa] (;C[y] z;W[bb]) ) (;B[cc]"));
    let codes = |problems: &[sgfstream::Problem]| {
        problems
            .iter()
            .map(|problem| problem.code)
            .collect::<Vec<_>>()
    };
    let mut all = Vec::new();
    while let Some(tree) = games.next_game().expect("small") {
        let inside = codes(tree.problems());
        all.push((codes(games.problems_outside()), inside));
    }
    all.push((codes(games.problems_outside()), Vec::new()));
    let mut expected = Vec::new();
    for event in SliceReader::new(b"x;B[aa] (;C[y] z;W[bb]) ) (;B[cc]")
        .events()
        .flatten()
    {
        if let Event::Problem(problem) = event {
            expected.push(problem.code);
        }
    }
    let given: Vec<Code> = all
        .iter()
        .flat_map(|(outside, inside)| outside.iter().chain(inside))
        .copied()
        .collect();
    assert_eq!(given, expected);
    assert!(
        all.iter()
            .any(|(outside, _)| outside.contains(&Code::StrayParenthesis))
    );
    assert!(
        all.iter()
            .any(|(_, inside)| inside.contains(&Code::UnclosedGame))
    );
}

#[test]
fn a_game_too_large_costs_only_itself() {
    let deep = "(;B[aa]".repeat(5000) + &")".repeat(5000);
    let input = format!("(;N[a]){deep}(;N[b])");
    let mut games = Games::with_limit(
        SliceReader::new(input.as_bytes()),
        MemoryLimit::bytes(50_000),
    );
    assert_eq!(
        games
            .next_game()
            .expect("small")
            .expect("first")
            .to_string(),
        "(;N[a])"
    );
    assert!(MemoryFull::is_in(&games.next_game().expect_err("large")));
    assert_eq!(
        games.next_game().expect("small").expect("last").to_string(),
        "(;N[b])"
    );
    assert!(games.next_game().expect("the end").is_none());
}

#[test]
fn reading_that_fails_goes_on() {
    struct Stutters(Vec<&'static [u8]>);
    impl std::io::Read for Stutters {
        fn read(&mut self, buf: &mut [u8]) -> std::io::Result<usize> {
            match self.0.pop() {
                Some(b"") => Err(std::io::Error::other("no")),
                Some(bytes) => {
                    buf[..bytes.len()].copy_from_slice(bytes);
                    Ok(bytes.len())
                }
                None => Ok(0),
            }
        }
    }
    let mut games = Games::new(Reader::new(Stutters(vec![
        b"cc])",
        b"",
        b"(;B[aa](;W[bb];B[",
    ])));
    assert!(games.next_game().is_err());
    assert_eq!(games.partial().expect("begun").node_count(), 3);
    assert_eq!(
        games
            .next_game()
            .expect("again")
            .expect("a game")
            .to_string(),
        "(;B[aa](;W[bb];B[cc]))"
    );
    assert!(games.partial().is_none());
}

#[test]
fn edits_that_are_refused_change_nothing() {
    let mut tree = tree(b"(;GM[1];B[aa])");
    let before = tree.clone();
    let root = tree.root();
    let gone = tree.add_node(root).expect("within the limit");
    tree.remove_node(gone).expect("known");
    for (ident, values, err) in [
        (&b"b"[..], &[&b"aa"[..]][..], WriteError::Identifier),
        (b"", &[b"aa"], WriteError::Identifier),
        (b"A B", &[b"aa"], WriteError::Identifier),
        (b"C", &[], WriteError::Value),
        (b"C", &[b"a]b"], WriteError::Value),
        (b"C", &[b"a]C[b"], WriteError::Value),
        (b"C", &[b"a\\"], WriteError::Value),
        (b"C", &[b"a\\", b"b"], WriteError::Value),
    ] {
        assert_eq!(tree.add_property(root, ident, values), Err(err.into()));
        assert_eq!(tree.set_property(root, ident, values), Err(err.into()));
    }
    assert_eq!(
        tree.set_property(gone, b"C", [b"x"]),
        Err(EditError::UnknownNode(gone))
    );
    assert_eq!(tree.add_node(gone), Err(EditError::UnknownNode(gone)));
    assert_eq!(tree.remove_node(root), Err(EditError::Root));
    assert_eq!(tree, before);
    tree.set_memory_limit(MemoryLimit::bytes(tree.memory()));
    let large = vec![b'x'; 1 << 20];
    assert!(matches!(
        tree.set_property(root, b"GM", [&large]),
        Err(EditError::Memory(_))
    ));
    assert_eq!(tree, before);
}

#[test]
fn compacting_gives_memory_back() {
    let mut tree = tree(format!("(;GM[1]C[{}](;B[aa])(;B[bb]))", "x".repeat(100_000)).as_bytes());
    tree.remove_property(tree.root(), b"C").expect("known");
    tree.remove_node(tree.first_child(tree.root()).expect("two"))
        .expect("known");
    let before = tree.clone();
    assert!(tree.memory() > 100_000);
    tree.compact().expect("within the limit");
    assert_eq!(tree, before);
    assert_eq!(tree.to_string(), "(;GM[1](;B[bb]))");
    assert!(tree.memory() < 10_000);
}

/// The stack is so small that a recursive walk could afford one level only.
fn on_a_small_stack(test: impl FnOnce() + Send + 'static) {
    let thread = std::thread::Builder::new()
        .stack_size(256 * 1024)
        .spawn(test)
        .expect("a thread");
    thread.join().expect("no overflow");
}

const MANY: usize = if cfg!(debug_assertions) {
    200_000
} else {
    10_000_000
};

/// Builds, walks, clones, compares, prints, edits and drops a tree.
fn all_at_once(input: &[u8], nodes: usize) {
    let mut tree = tree(input);
    assert_eq!(tree.node_count(), nodes);
    // At most 64 bytes for a node of one property, besides the text.
    assert!(
        tree.memory() <= 64 * nodes as u64 + input.len() as u64 * 9 / 8 + 4096,
        "{}",
        tree.memory()
    );
    assert_eq!(tree.preorder().count(), nodes);
    let last = tree.preorder().last().expect("a root");
    assert_eq!(tree.path(last).len(), tree.depth(last) + 1);
    let clone = tree.clone();
    assert!(clone == tree);
    let mut writer = Writer::new(Vec::with_capacity(input.len()));
    clone.write_with(&mut writer).expect("a Vec takes all");
    assert!(writer.finish().expect("a Vec takes all") == input);
    assert!(clone.to_string().as_bytes() == input);
    assert!(format!("{clone:?}").len() < 1000);
    drop(clone);
    let second = tree.first_child(tree.root()).expect("many");
    tree.remove_node(second).expect("known");
    tree.compact().expect("within the limit");
    assert!(tree.node_count() < nodes);
}

#[test]
fn long_lines_on_a_small_stack() {
    on_a_small_stack(|| {
        let line = ["(", &";B[aa]".repeat(MANY), ")"].concat();
        all_at_once(line.as_bytes(), MANY);
    });
}

#[test]
fn deep_nests_on_a_small_stack() {
    on_a_small_stack(|| {
        let nest = ["(;B[aa]".repeat(MANY), ")".repeat(MANY)].concat();
        all_at_once(nest.as_bytes(), MANY);
    });
}

#[test]
fn wide_forks_on_a_small_stack() {
    on_a_small_stack(|| {
        let fork = ["(;GM[1]", &"(;B[aa])".repeat(MANY), ")"].concat();
        all_at_once(fork.as_bytes(), MANY + 1);
    });
}

/// Generates small well-formed games.
fn any_game() -> impl Strategy<Value = String> {
    let node = prop::sample::select(vec![";", ";B[aa]", ";C[x\\]y]N[z]", ";AB[aa] [bb]"]);
    let line = prop::collection::vec(node, 1..4).prop_map(|nodes| nodes.concat());
    let leaf = line.clone().prop_map(|line| format!("({line})"));
    leaf.prop_recursive(4, 24, 3, move |inner| {
        (line.clone(), prop::collection::vec(inner, 0..4))
            .prop_map(|(line, below)| format!("({line}{})", below.concat()))
    })
}

proptest! {
    #[test]
    fn games_come_back(game in any_game()) {
        let tree = tree(game.as_bytes());
        prop_assert_eq!(tree.to_string(), game.clone());
        let events: Vec<_> = SliceReader::new(game.as_bytes()).events().flatten().collect();
        prop_assert!(tree.events().eq(events.iter().copied()));
        prop_assert_eq!(&tree.clone(), &tree);
    }

    /// For any bytes, writing the trees gives the same as writing the events.
    #[test]
    fn any_bytes(input in "[()\\[\\];:\\\\Aa \n\u{e9}]{0,40}", size in 1usize..20) {
        // No byte shows whether a last `\` is half a character. The writer keeps it; a tree
        // decides.
        prop_assume!(!input.ends_with('\\') || !input.trim_end_matches('\\').ends_with('é'));
        let events: Vec<_> = SliceReader::new(input.as_bytes())
            .events()
            .flatten()
            .filter(|event| !matches!(event, Event::Problem(_)))
            .map(Event::into_owned)
            .collect();
        let mut trees = Vec::new();
        let mut games = Games::new(Reader::with_buffer(input.as_bytes(), Options::default(), size));
        while let Some(tree) = games.next_game().expect("small") {
            trees.extend(tree.events().map(Event::into_owned));
            prop_assert_eq!(&tree.clone(), tree);
        }
        prop_assert_eq!(written(trees.iter()), written(events.iter()));
    }

    /// Removing nodes in any order leaves a sound tree.
    #[test]
    fn removing(game in any_game(), picks in prop::collection::vec(0usize..30, 1..6)) {
        let mut tree = tree(game.as_bytes());
        for pick in picks {
            let nodes: Vec<_> = tree.preorder().collect();
            let node = nodes[pick % nodes.len()];
            let below = tree.subtree(node).count();
            match tree.remove_node(node) {
                Ok(()) => {
                    prop_assert_eq!(tree.node_count() + below, nodes.len());
                    prop_assert!(!tree.contains(node));
                }
                Err(err) => prop_assert_eq!((err, node), (EditError::Root, tree.root())),
            }
            prop_assert_eq!(tree.preorder().count(), tree.node_count());
            let again = GameTree::parse(tree.to_string().as_bytes()).expect("small");
            prop_assert_eq!(&again, &tree);
        }
    }
}
