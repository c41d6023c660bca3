//! Tests the meaning of edits with an independent interpreter. The game read after an edit must
//! equal the edit applied to the game read before. The interpreter knows Go, and the spelling of
//! moves in some other games, from the specification only, and uses nothing of this crate.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use sgfstream::Options;
use sgfstream_adapt::edit::{Rewriter, edit};
use sgfstream_adapt::fix::{FixFilter, fix};

use crate::common;

type Point = (u8, u8);

/// A value with its type.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Value {
    /// A move; `None` for a pass.
    Move(Option<Point>),
    Points(BTreeSet<Point>),
    Labels(BTreeSet<(Point, String)>),
    Lines(BTreeSet<(Point, Point)>),
    Text(String),
    /// Points of a game other than Go, or pairs with points or texts.
    Names(BTreeSet<String>),
    Pairs(BTreeSet<(String, String)>),
}

type Node = BTreeMap<String, Value>;

/// A sequence of nodes, followed by variations.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Tree {
    nodes: Vec<Node>,
    variations: Vec<Tree>,
}

const POINTS: [&str; 10] = ["AB", "AW", "AE", "TR", "SQ", "CR", "MA", "TB", "TW", "DD"];

fn point(text: &str) -> Point {
    let &[column, row] = text.as_bytes() else {
        panic!("expected a point, found `{text}`")
    };
    (column - b'a', row - b'a')
}

fn name((column, row): Point) -> String {
    [column, row]
        .map(|at| char::from(b'a' + at))
        .iter()
        .collect()
}

/// Returns the points of a list, including the points of its rectangles.
fn points(values: &[String]) -> BTreeSet<Point> {
    let mut all = BTreeSet::new();
    for value in values.iter().filter(|value| !value.is_empty()) {
        let (from, to) = value.split_once(':').unwrap_or((value, value));
        let (from, to) = (point(from), point(to));
        all.extend(
            (from.0..=to.0).flat_map(|column| (from.1..=to.1).map(move |row| (column, row))),
        );
    }
    all
}

type Typed = fn(&str, &[String]) -> Value;

fn typed(ident: &str, values: &[String]) -> Value {
    let pair = |value: &String| {
        value
            .split_once(':')
            .map(|(left, right)| (point(left), right.to_owned()))
            .expect("a `:`")
    };
    match ident {
        "B" | "W" => Value::Move((!values[0].is_empty()).then(|| point(&values[0]))),
        "LB" => Value::Labels(values.iter().map(pair).collect()),
        "AR" | "LN" => Value::Lines(
            values
                .iter()
                .map(|value| (pair(value).0, point(&pair(value).1)))
                .collect(),
        ),
        _ if POINTS.contains(&ident) => Value::Points(points(values)),
        _ => Value::Text(values.join("\u{1}")),
    }
}

/// Parses a game without escapes.
fn parse(text: &str) -> Tree {
    parse_with(text, typed)
}

fn parse_with(text: &str, typed: Typed) -> Tree {
    fn tree(text: &mut &str, typed: Typed) -> Tree {
        let mut parsed = Tree {
            nodes: Vec::new(),
            variations: Vec::new(),
        };
        loop {
            let (first, rest) = text.split_at(1);
            match first {
                "(" => {
                    *text = rest;
                    parsed.variations.push(tree(text, typed));
                }
                ")" => {
                    *text = rest;
                    return parsed;
                }
                ";" => {
                    *text = rest;
                    parsed.nodes.push(Node::new());
                }
                _ if first.trim().is_empty() => *text = rest,
                _ => {
                    let (ident, rest) = text.split_once('[').expect("a value");
                    let (value, rest) = rest.split_once(']').expect("a `]`");
                    let mut values = vec![value.to_owned()];
                    *text = rest.trim_start();
                    while let Some(rest) = text.strip_prefix('[') {
                        let (value, rest) = rest.split_once(']').expect("a `]`");
                        values.push(value.to_owned());
                        *text = rest.trim_start();
                    }
                    let node = parsed.nodes.last_mut().expect("a node");
                    assert!(
                        node.insert(ident.to_owned(), typed(ident, &values))
                            .is_none(),
                        "{ident} twice"
                    );
                }
            }
        }
    }
    let mut rest = text.trim().strip_prefix('(').expect("a game");
    let parsed = tree(&mut rest, typed);
    assert_eq!(rest.trim(), "", "one game");
    parsed
}

/// Returns the game with each node changed.
fn map(tree: &Tree, change: &impl Fn(&Node) -> Node) -> Tree {
    let variations = tree
        .variations
        .iter()
        .map(|tree| map(tree, change))
        .collect();
    Tree {
        nodes: tree.nodes.iter().map(change).collect(),
        variations,
    }
}

fn turned(node: &Node, turn: &impl Fn(Point) -> Point, size: &str) -> Node {
    let value = |(ident, value): (&String, &Value)| {
        let value = match value {
            Value::Move(at) => Value::Move(at.map(turn)),
            Value::Points(points) => Value::Points(points.iter().map(|&at| turn(at)).collect()),
            Value::Labels(labels) => Value::Labels(
                labels
                    .iter()
                    .map(|(at, text)| (turn(*at), text.clone()))
                    .collect(),
            ),
            Value::Lines(lines) => Value::Lines(
                lines
                    .iter()
                    .map(|&(from, to)| (turn(from), turn(to)))
                    .collect(),
            ),
            Value::Text(_) if ident == "SZ" => Value::Text(size.to_owned()),
            text => text.clone(),
        };
        (ident.clone(), value)
    };
    node.iter().map(value).collect()
}

fn swapped(node: &Node) -> Node {
    const PAIRS: [(&str, &str); 8] = [
        ("B", "W"),
        ("AB", "AW"),
        ("PB", "PW"),
        ("BL", "WL"),
        ("TB", "TW"),
        ("OB", "OW"),
        ("BR", "WR"),
        ("BT", "WT"),
    ];
    let value = |(ident, value): (&String, &Value)| {
        let other = PAIRS.iter().find_map(|&(black, white)| match &**ident {
            ident if ident == black => Some(white),
            ident if ident == white => Some(black),
            _ => None,
        });
        let value = match (&**ident, value) {
            ("PL" | "RE", Value::Text(text)) => {
                let exchange = |char: char| match char {
                    'B' => 'W',
                    'W' => 'B',
                    char => char,
                };
                let first = text.chars().next().map(exchange);
                Value::Text(first.into_iter().chain(text.chars().skip(1)).collect())
            }
            ("KM", Value::Text(text)) => Value::Text(match text.strip_prefix('-') {
                Some(text) => text.to_owned(),
                None if text == "0" => text.clone(),
                None => format!("-{text}"),
            }),
            (_, value) => value.clone(),
        };
        (other.unwrap_or(ident).to_owned(), value)
    };
    node.iter().map(value).collect()
}

fn random_point((columns, rows): Point) -> Point {
    (fastrand::u8(..columns), fastrand::u8(..rows))
}

/// Returns random points, some of them as rectangles, without repetitions.
fn random_list(size: Point, taken: &mut BTreeSet<Point>) -> String {
    let mut text = String::new();
    for _ in 0..1 + fastrand::u8(..4) {
        let from = random_point(size);
        let to = (
            from.0 + fastrand::u8(..(size.0 - from.0).min(3)),
            from.1 + fastrand::u8(..(size.1 - from.1).min(3)),
        );
        let value = if from == to {
            name(from)
        } else {
            format!("{}:{}", name(from), name(to))
        };
        let new = points(std::slice::from_ref(&value));
        if taken.is_disjoint(&new) {
            taken.extend(new);
            write!(text, "[{value}]").expect("memory");
        }
    }
    text
}

fn random_node(size: Point, text: &mut String) {
    text.push(';');
    let color = ["B", "W"][fastrand::usize(..2)];
    match fastrand::u8(..10) {
        0 => write!(text, "{color}[]").expect("memory"),
        1 | 2 => {
            let mut taken = BTreeSet::new();
            for ident in ["AB", "AW", "AE"] {
                let list = random_list(size, &mut taken);
                if !list.is_empty() {
                    *text += ident;
                    *text += &list;
                }
            }
            *text += ["", "PL[B]", "PL[W]"][fastrand::usize(..3)];
        }
        _ => {
            write!(text, "{color}[{}]", name(random_point(size))).expect("memory");
            *text += [&format!("{color}L[60.5]O{color}[3]"), "", ""][fastrand::usize(..3)];
        }
    }
    let mut taken = BTreeSet::new();
    for ident in ["TR", "SQ", "CR", "MA"] {
        let list = if fastrand::u8(..6) == 0 {
            random_list(size, &mut taken)
        } else {
            String::new()
        };
        if !list.is_empty() {
            *text += ident;
            *text += &list;
        }
    }
    let (from, to) = (random_point(size), random_point(size));
    if fastrand::u8(..6) == 0 {
        write!(text, "LB[{}:1]", name(from)).expect("memory");
    }
    if fastrand::u8(..6) == 0 && from != to {
        let ident = ["AR", "LN"][fastrand::usize(..2)];
        write!(text, "{ident}[{}:{}]", name(from), name(to)).expect("memory");
    }
    *text += ["", "", "C[B to aa: W wins]", "N[cc]"][fastrand::usize(..4)];
}

fn random_game() -> (Point, String) {
    let columns = 3 + fastrand::u8(..17);
    let size = (
        columns,
        if fastrand::bool() {
            columns
        } else {
            3 + fastrand::u8(..17)
        },
    );
    let shown = if size.0 == size.1 {
        size.0.to_string()
    } else {
        format!("{}:{}", size.0, size.1)
    };
    let mut text = format!("(;FF[4]GM[1]SZ[{shown}]PB[Ada]PW[Ben]BR[3d]WT[White]");
    text += ["", "RE[B+3.5]", "RE[W+R]", "RE[0]", "RE[Void]"][fastrand::usize(..5)];
    text += ["", "KM[6.5]", "KM[-3.5]", "KM[0]"][fastrand::usize(..4)];
    let mut open = 0;
    for _ in 0..fastrand::u8(1..20) {
        random_node(size, &mut text);
        if fastrand::u8(..6) == 0 {
            // Two variations: one node, and the rest of the game.
            text.push('(');
            random_node(size, &mut text);
            text += ")(";
            open += 1;
            random_node(size, &mut text);
        }
    }
    text += &")".repeat(open + 1);
    (size, text)
}

fn edited(text: &str, name: &str, argument: &str) -> String {
    let mut rewriter = Rewriter::new(vec![edit(name, argument).expect("an edit")]);
    String::from_utf8(rewriter.slice(text.as_bytes())).expect("UTF-8")
}

/// A symmetry: its name, its effect on a point, and whether it exchanges columns and rows.
type Turn<'t> = (&'t str, &'t dyn Fn(Point) -> Point, bool);

#[test]
fn edits_mean_what_they_say() {
    fastrand::seed(7);
    for _ in 0..if common::is_long() { 20_000 } else { 400 } {
        let ((columns, rows), text) = random_game();
        let game = parse(&text);
        let check = |name: &str, argument: &str, expected: &Tree| {
            let found = edited(&text, name, argument);
            assert_eq!(
                &parse(&found),
                expected,
                "{name} {argument}: {text}\n{found}"
            );
        };
        let last = (columns - 1, rows - 1);
        let turns: [Turn<'_>; 7] = [
            ("rotate-90", &|(x, y)| (last.1 - y, x), true),
            ("rotate-180", &|(x, y)| (last.0 - x, last.1 - y), false),
            ("rotate-270", &|(x, y)| (y, last.0 - x), true),
            ("mirror-columns", &|(x, y)| (last.0 - x, y), false),
            ("mirror-rows", &|(x, y)| (x, last.1 - y), false),
            ("transpose", &|(x, y)| (y, x), true),
            ("antitranspose", &|(x, y)| (last.1 - y, last.0 - x), true),
        ];
        for (name, turn, is_exchanged) in turns {
            let (columns, rows) = if is_exchanged {
                (rows, columns)
            } else {
                (columns, rows)
            };
            let size = if columns == rows {
                columns.to_string()
            } else {
                format!("{columns}:{rows}")
            };
            check(
                "turn",
                name,
                &map(&game, &|node| turned(node, &turn, &size)),
            );
        }
        check("swap-colors", "", &map(&game, &swapped));
        check("compress", "", &game);
        check("expand", "", &game);
        check("upgrade", "", &game);
        check("canonical", "", &game);
        let fixed = fix(
            text.as_bytes(),
            &FixFilter::default(),
            Options::default(),
            |_, _, _| {},
        );
        assert_eq!(
            parse(&String::from_utf8(fixed).expect("UTF-8")),
            game,
            "fix: {text}"
        );
    }
}

/// A game other than Go: the spelling of points and moves, and the place of a point after half a
/// turn, if edits can rotate the board.
struct Kind {
    root: &'static str,
    point: fn() -> String,
    play: fn() -> String,
    half_turn: Option<fn(&str) -> String>,
}

/// Returns a random point as a letter and a number.
fn lettered(columns: u8, rows: u8) -> String {
    format!(
        "{}{}",
        char::from(b'a' + fastrand::u8(..columns)),
        1 + fastrand::u8(..rows)
    )
}

fn paired(side: u8) -> String {
    name(random_point((side, side)))
}

fn numbered() -> String {
    format!("{}{}", fastrand::u8(1..10), fastrand::u8(1..10))
}

/// Rotates points of Hex on a board of 11 by half a turn; words stay.
fn turned_in_hex(text: &str) -> String {
    let (column, row) = text.split_at(1);
    match row.parse::<u8>() {
        Ok(row) => format!(
            "{}{}",
            char::from(b'a' + 10 - (column.as_bytes()[0] - b'a')),
            12 - row
        ),
        Err(_) => text.to_owned(),
    }
}

const KINDS: [Kind; 6] = [
    Kind {
        root: "GM[2]SZ[8]",
        point: || lettered(8, 8),
        play: || lettered(8, 8),
        half_turn: None,
    },
    Kind {
        root: "GM[4]SZ[15]",
        point: || paired(15),
        play: || paired(15),
        half_turn: None,
    },
    Kind {
        root: "GM[9]SZ[8]",
        point: || lettered(8, 8),
        play: || {
            format!(
                "{}{}{}",
                lettered(8, 8),
                ["-", ":"][fastrand::usize(..2)],
                lettered(8, 8)
            )
        },
        half_turn: None,
    },
    Kind {
        root: "GM[11]SZ[11]",
        point: || lettered(11, 11),
        play: || match fastrand::u8(..8) {
            0 => ["swap-sides", "swap-pieces", "resign"][fastrand::usize(..3)].to_owned(),
            _ => lettered(11, 11),
        },
        half_turn: Some(turned_in_hex),
    },
    Kind {
        root: "GM[19]",
        point: numbered,
        play: || match fastrand::u8(..4) {
            0 => numbered(),
            1 => format!("{}+{}", numbered(), char::from(b'A' + fastrand::u8(..8))),
            2 => format!("{}-{}", numbered(), numbered()),
            _ => format!("{}-{}-{}x", numbered(), numbered(), numbered()),
        },
        half_turn: None,
    },
    Kind {
        root: "GM[4100]SZ[8]",
        point: || lettered(8, 8),
        play: || lettered(8, 8),
        half_turn: None,
    },
];

/// Normalizes the spelling of moves and points, because case does not matter in any of these games.
fn typed_by_name(ident: &str, values: &[String]) -> Value {
    let pair = |value: &String| {
        value
            .split_once(':')
            .map(|(left, right)| (left.to_lowercase(), right.to_owned()))
    };
    match ident {
        "B" | "W" => Value::Text(values[0].to_lowercase()),
        "LB" | "AR" | "LN" => Value::Pairs(
            values
                .iter()
                .map(|value| pair(value).expect("a `:`"))
                .collect(),
        ),
        // Gomoku has the points and rectangles of Go.
        _ if POINTS.contains(&ident)
            && values
                .iter()
                .all(|value| value.bytes().all(|byte| !byte.is_ascii_digit())) =>
        {
            Value::Names(points(values).into_iter().map(name).collect())
        }
        _ if POINTS.contains(&ident) => {
            Value::Names(values.iter().map(|value| value.to_lowercase()).collect())
        }
        _ => Value::Text(values.join("\u{1}")),
    }
}

fn random_game_of(kind: &Kind) -> String {
    let mut text = format!("(;FF[4]{}PB[Ada]PW[Ben]BR[3d]", kind.root);
    text += ["", "RE[B+R]", "RE[W+]", "RE[Void]"][fastrand::usize(..4)];
    let mut open = 0;
    for number in 0..fastrand::u8(1..16) {
        write!(
            text,
            ";{}[{}]",
            ["B", "W"][usize::from(number) % 2],
            (kind.play)()
        )
        .expect("memory");
        let (from, to) = ((kind.point)(), (kind.point)());
        match fastrand::u8(..8) {
            0 => write!(text, "TR[{from}]").expect("memory"),
            1 => write!(text, "LB[{from}:1]").expect("memory"),
            2 if from != to => write!(text, "AR[{from}:{to}]SQ[{from}][{to}]").expect("memory"),
            3 => text += "C[B to a1: W wins]",
            _ => {}
        }
        if fastrand::u8(..6) == 0 {
            write!(text, "(;W[{}])(;W[{}]", (kind.play)(), (kind.play)()).expect("memory");
            open += 1;
        }
    }
    text + &")".repeat(open + 1)
}

/// Edits change only games that they know. Besides Go, that is half a turn of Hex; all other games
/// keep their meaning.
#[test]
fn edits_of_other_games_mean_what_they_say() {
    fastrand::seed(11);
    for nth in 0..if common::is_long() { 20_000 } else { 600 } {
        let kind = &KINDS[nth % KINDS.len()];
        let text = random_game_of(kind);
        let parse = |text: &str| parse_with(text, typed_by_name);
        let game = parse(&text);
        let check = |name: &str, argument: &str, expected: &Tree| {
            let found = edited(&text, name, argument);
            assert_eq!(
                &parse(&found),
                expected,
                "{name} {argument}: {text}\n{found}"
            );
        };
        let half_turned = |node: &Node| {
            let Some(turn) = kind.half_turn else {
                return node.clone();
            };
            let value = |(ident, value): (&String, &Value)| {
                let value = match value {
                    Value::Text(text) if ident == "B" || ident == "W" => Value::Text(turn(text)),
                    Value::Names(names) => {
                        Value::Names(names.iter().map(|name| turn(name)).collect())
                    }
                    Value::Pairs(pairs) => {
                        let end = |text: &str| {
                            if ident == "LB" {
                                text.to_owned()
                            } else {
                                turn(text)
                            }
                        };
                        Value::Pairs(
                            pairs
                                .iter()
                                .map(|(from, to)| (turn(from), end(to)))
                                .collect(),
                        )
                    }
                    other => other.clone(),
                };
                (ident.clone(), value)
            };
            node.iter().map(value).collect()
        };
        check("turn", "rotate-180", &map(&game, &half_turned));
        for (name, argument) in [
            ("turn", "rotate-90"),
            ("turn", "first-corner"),
            ("swap-colors", ""),
            ("compress", ""),
            ("expand", ""),
            ("upgrade", ""),
            ("canonical", ""),
        ] {
            check(name, argument, &game);
        }
        let fixed = fix(
            text.as_bytes(),
            &FixFilter::default(),
            Options::default(),
            |_, _, _| {},
        );
        assert_eq!(
            parse(&String::from_utf8(fixed).expect("UTF-8")),
            game,
            "fix: {text}"
        );
    }
}
