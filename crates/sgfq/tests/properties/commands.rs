//! Properties of the binary's own features: joining games into a tree, and sorting them.

use std::collections::BTreeMap;

use assert_cmd::Command;
use sgfstream::record::GameReader;
use sgfstream::{Property as SgfProperty, SliceReader};
use sgfstream_adapt::{GameTree, Games, MemoryLimit, NodeId};
use sgfstream_game::{
    Dialect, Facts, Game,
    facts::is_setup,
    property::{Definition, PropertyType},
};
use sgfstream_table::filter::Selection;
use sgfstream_table::row::{Cell, RowReader, write_complete};

use super::fuzz::Property;

/// Properties, each with the function that tests it on an input.
pub(crate) const PROPERTIES: [Property; 3] = [
    Property {
        name: "merge",
        ways: 1,
        holds: |data, _| merge(data),
    },
    Property {
        name: "variations",
        ways: 1,
        holds: |data, _| variations(data),
    },
    Property {
        name: "sort",
        ways: 1,
        holds: |data, _| sort(data),
    },
];

fn run(arguments: &[&str], input: &[u8]) -> Vec<u8> {
    let output = Command::cargo_bin("sgfq")
        .expect("it was built")
        .args(arguments)
        .write_stdin(input)
        .output();
    let output = output.expect("it ran");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(
        output.status.code().is_some_and(|code| code < 3),
        "{arguments:?}: {}, {said}",
        output.status
    );
    output.stdout
}

/// Returns whether bytes are read unchanged: no archive, no transcoded encoding, and no value that
/// is truncated after the first bytes of a game, because closing it would make another game.
fn is_plain(data: &[u8]) -> bool {
    let end = &data[data.len().saturating_sub(16)..];
    if end.contains(&b'(')
        && end
            .windows(3)
            .any(|bytes| bytes == b"FF[" || bytes == b"GM[")
    {
        return false;
    }
    data.trim_ascii_start().starts_with(b"(")
        && !data.iter().any(|byte| b"\0\x1b\xfe\xff".contains(byte))
}

/// Compared parts of a node: moves and setup in the spelling of its game.
type Key = Vec<(Vec<u8>, Vec<Vec<u8>>)>;

/// Checks that the output has the lines of the input, from the root to each node, and their
/// comments.
fn merge(data: &[u8]) {
    if !is_plain(data) {
        return;
    }
    let (found, lines) = (
        lines(&run(&["merge", "--charset", "auto", "-"], data)),
        lines(data),
    );
    if let Some(line) = found.keys().find(|line| !lines.contains_key(*line)) {
        panic!("expected the lines of the input, found {}", shown(line));
    }
    for (line, comments) in lines {
        let Some(joined) = found.get(&line) else {
            panic!("expected the line {}", shown(&line))
        };
        for comment in comments {
            assert!(
                joined.iter().any(|joined| joined.contains(&comment)),
                "expected `{comment}` in {joined:?}"
            );
        }
    }
}

/// Checks that the games of the output are the lines of the input from the root to each leaf, with
/// all properties.
fn variations(data: &[u8]) {
    if !is_plain(data) {
        return;
    }
    let found = lines_to_leaves(&run(&["variations", "--charset", "auto", "-"], data), false);
    assert_eq!(found, lines_to_leaves(data, true));
}

/// Returns the lines from the root to each leaf, in order, with the parsed values of all
/// properties. If `moves_info`, a root includes the game information below it: it replaces
/// properties of the root, and the first property that is not blank counts.
fn lines_to_leaves(data: &[u8], moves_info: bool) -> Vec<String> {
    let mut lines = Vec::new();
    let mut games = Games::with_limit(SliceReader::new(data), MemoryLimit::bytes(1 << 24));
    while let Some(tree) = games.next_game().expect("it fits") {
        let gm = tree
            .properties(tree.root())
            .find(|property| property.ident() == "GM");
        let game = gm.map_or_else(Game::default, |gm| {
            Game::parse_lenient(gm.first().as_bytes()).value
        });
        let is_info = |property: &SgfProperty<'_>| {
            let ident = property.ident().canonical();
            let found = Definition::find_with_value(game, 4, &ident, property.first().as_bytes());
            let is_info =
                found.is_some_and(|found| found.definition.property_type == PropertyType::GameInfo);
            is_info && &*ident != b"IP" && !game.is_boardspace()
        };
        let text = |property: &SgfProperty<'_>| {
            let values = property
                .values()
                .map(|value| format!("[{}]", value.unescaped().escape_ascii()));
            format!(
                "{}{}",
                property.ident().as_bytes().escape_ascii(),
                values.collect::<String>()
            )
        };
        for leaf in tree
            .preorder()
            .filter(|&node| tree.first_child(node).is_none())
        {
            let mut nodes: Vec<Vec<(Vec<u8>, String)>> = Vec::new();
            // The identifiers of the game information below the root, and whether its value is
            // blank.
            let mut below: BTreeMap<Vec<u8>, bool> = BTreeMap::new();
            for node in tree.path(leaf) {
                let mut rest = Vec::new();
                for property in tree.properties(node) {
                    let ident = property.ident().canonical().into_owned();
                    if moves_info && !nodes.is_empty() && is_info(&property) {
                        let is_blank = property
                            .values()
                            .all(|value| value.as_bytes().trim_ascii().is_empty());
                        let before = below.get(&ident);
                        if before.is_some_and(|&was_blank| !was_blank || is_blank) {
                            continue;
                        }
                        below.insert(ident.clone(), is_blank);
                    }
                    match nodes
                        .first_mut()
                        .filter(|_| moves_info && is_info(&property))
                    {
                        Some(root) => {
                            root.retain(|(before, _)| *before != ident);
                            root.push((ident, text(&property)));
                        }
                        None => rest.push((ident, text(&property))),
                    }
                }
                nodes.push(rest);
            }
            let shown = |node: &Vec<(Vec<u8>, String)>| {
                node.iter().map(|(_, text)| &**text).collect::<String>()
            };
            lines.push(
                nodes
                    .iter()
                    .map(|node| format!(";{}", shown(node)))
                    .collect(),
            );
        }
    }
    lines
}

fn shown(line: &[Key]) -> String {
    let property = |(ident, values): &(Vec<u8>, Vec<Vec<u8>>)| {
        let values = values
            .iter()
            .map(|value| format!("[{}]", value.escape_ascii()))
            .collect::<String>();
        format!("{}{values}", ident.escape_ascii())
    };
    line.iter()
        .map(|key| format!(";{}", key.iter().map(property).collect::<String>()))
        .collect()
}

/// Returns the lines to all nodes of all games, with the comments of the nodes.
fn lines(data: &[u8]) -> BTreeMap<Vec<Key>, Vec<String>> {
    let mut records = GameReader::new(SliceReader::new(data));
    let mut lines: BTreeMap<Vec<Key>, Vec<String>> = BTreeMap::new();
    let mut games = Games::with_limit(SliceReader::new(data), MemoryLimit::bytes(1 << 24));
    while let Some(game) = records.next_game().expect("memory can be read") {
        let facts = Facts::of_values(game.expect("a short game"), 0);
        let (dialect, ids) = (facts.dialect(), facts.game.move_ids());
        let tree = games
            .next_game()
            .expect("it fits")
            .expect("as many trees as games");
        let mut paths: BTreeMap<NodeId, Vec<Key>> = BTreeMap::new();
        for node in tree.preorder() {
            let mut path = tree
                .parent(node)
                .map_or_else(Vec::new, |parent| paths[&parent].clone());
            path.push(key(tree, node, &dialect, |ident| ids.contains(ident)));
            let comments = tree
                .properties(node)
                .filter(|property| property.ident() == "C");
            let charset = tree.charset();
            let comments =
                comments.map(|property| property.first().with_charset(charset).text().into_owned());
            lines.entry(path.clone()).or_default().extend(comments);
            paths.insert(node, path);
        }
    }
    lines
}

fn key(
    tree: &GameTree,
    node: NodeId,
    dialect: &Dialect,
    is_move: impl Fn(sgfstream::Ident<'_>) -> bool,
) -> Key {
    let mut key: Key = Vec::new();
    for property in tree.properties(node) {
        let ident = property.ident();
        let (is_move, is_setup) = (is_move(ident), is_setup(ident));
        if is_move || is_setup {
            let spelled = |text: &str| dialect.spell_move(text.as_bytes()).filter(|_| is_move);
            let texts = property
                .values()
                .map(|value| value.with_charset(tree.charset()).text().into_owned());
            let mut values: Vec<_> = texts
                .map(|text| spelled(&text).unwrap_or(text).into_bytes())
                .collect();
            values.sort();
            key.push((ident.canonical().into_owned(), values));
        }
    }
    key.sort();
    key
}

const KEYS: [&str; 6] = [
    "moves",
    "nodes, game",
    "re",
    "date_min, moves",
    "km, ha",
    "first_moves, has('C'), -moves",
];

/// Checks that the games are in the order of their cells, and that none is lost.
fn sort(data: &[u8]) {
    if !is_plain(data) {
        return;
    }
    let keys = KEYS[data.len() % KEYS.len()];
    let is_reversed = data.len() % 7 > 3;
    let selection = Selection::parse(keys, None).expect("columns");
    let mut filled = selection.row();
    let mut rows = RowReader::new(SliceReader::new(data), &mut filled);
    let mut games: Vec<(Vec<Value>, Vec<u8>)> = Vec::new();
    while rows.next_root().expect("memory can be read") {
        rows.read_rest().expect("memory can be read");
        let mut bytes = Vec::new();
        write_complete(&rows.game().expect("it was read"), &mut bytes).expect("memory");
        bytes.push(b'\n');
        let cells = selection
            .columns()
            .iter()
            .map(|column| column.cell(rows.filled(), |cell| Value::of(&cell)));
        games.push((cells.collect(), bytes));
    }
    games.sort_by(|(left, _), (right, _)| {
        let order = left
            .iter()
            .zip(right)
            .map(|(left, right)| left.order(right, is_reversed));
        order.fold(std::cmp::Ordering::Equal, |order, next| order.then(next))
    });
    let expected: Vec<u8> = games.into_iter().flat_map(|(_, bytes)| bytes).collect();
    let reverse: &[&str] = if is_reversed { &["--reverse"] } else { &[] };
    let found = run(
        &[&["sort", "--charset", "auto", keys], reverse, &["-"]].concat(),
        data,
    );
    let shown = |bytes: &[u8]| bytes.escape_ascii().to_string();
    assert!(
        found == expected,
        "by {keys}: expected `{}`, found `{}`",
        shown(&expected),
        shown(&found)
    );
}

#[derive(Debug, PartialEq)]
enum Value {
    Null,
    Number(f64),
    Text(String),
}

impl Value {
    fn of(cell: &Cell<'_>) -> Self {
        match cell {
            Cell::Null => Self::Null,
            Cell::Bool(value) => Self::Number(f64::from(u8::from(*value))),
            Cell::Int(number) => Self::Number(*number as f64),
            Cell::Float(number) => Self::Number(*number),
            cell => Self::Text(cell.to_string()),
        }
    }

    /// Compares two cells. Null comes last in both directions.
    fn order(&self, other: &Self, is_reversed: bool) -> std::cmp::Ordering {
        let order = match (self, other) {
            (Self::Null, _) | (_, Self::Null) => {
                return (*self == Self::Null).cmp(&(*other == Self::Null));
            }
            (Self::Number(left), Self::Number(right)) => left.partial_cmp(right).expect("numbers"),
            (Self::Text(left), Self::Text(right)) => left.as_bytes().cmp(right.as_bytes()),
            _ => panic!("expected cells of one type, found {self:?} and {other:?}"),
        };
        if is_reversed { order.reverse() } else { order }
    }
}
