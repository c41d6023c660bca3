//! The cells of a row equal the facts in a tree of the game, and an expression
//! selects the same games as a plain evaluation.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::{self, Display, Formatter};

use sgfstream::record::{GameItem, GameReader};
use sgfstream::{Event, Framing, RawValue, SliceReader};
use sgfstream_adapt::{GameTree, Games, MemoryLimit};
use sgfstream_game::{Facts, facts::Info};
use sgfstream_table::filter::Filter;
use sgfstream_table::row::{Cell, Column, ColumnSet, FilledRow, RowReader};

use super::draw::Draw;
use super::{Choice, Property};

/// Property of any bytes: see the module.
pub const PROPERTY: Property = Property {
    name: "table",
    ways: 5,
    holds,
};

fn holds(data: &[u8], mut choice: Choice) {
    let games = games(data);
    match choice.below(5) {
        0 => assert_cells(data, &games),
        _ => assert_chosen(data, &games, &condition(&mut Draw::new(data, choice), 4)),
    }
}

/// Facts about a game, read from its tree.
#[derive(Debug)]
struct Game {
    cells: Vec<(&'static str, Value)>,
    idents: BTreeSet<Vec<u8>>,
    /// First value of each property from the root to the node of the first move; in the root, the
    /// first that is not empty. If the root names no player, also of later nodes, up to the first
    /// node of the main line with game information.
    first_nodes: BTreeMap<Vec<u8>, (Vec<u8>, Framing)>,
    /// First values of each `TE` and `RD` of the root.
    other_names: Vec<(Vec<u8>, Vec<u8>, Framing)>,
}

/// Returns the cells of all games, each read to its end.
fn games(data: &[u8]) -> Vec<Game> {
    let mut found = Vec::new();
    let mut filled = FilledRow::new(ColumnSet::all());
    let mut rows = RowReader::new(SliceReader::new(data), &mut filled);
    while rows.next_root().expect("memory can be read") {
        let row = rows
            .read_rest()
            .expect("memory can be read")
            .expect("a short game")
            .row();
        let cells = Column::all()
            .iter()
            .map(|column| (column.name, Value::of(column.get(row))))
            .collect();
        found.push(Game {
            cells,
            idents: BTreeSet::new(),
            first_nodes: BTreeMap::new(),
            other_names: Vec::new(),
        });
    }
    let mut reader = GameReader::new(SliceReader::new(data));
    let mut number = 0;
    while let Some(record) = reader.next_game().expect("memory can be read") {
        let facts = Facts::of_values(record.expect("a short game"), 0);
        first_nodes(&facts, &mut found[number]);
        number += 1;
    }
    assert_eq!(number, found.len());
    found
}

/// Notes all identifiers of a game, and the first values near its root.
fn first_nodes(facts: &Facts<'_>, game: &mut Game) {
    let record = facts.record();
    let (mut is_early, mut has_info, mut nodes, mut ply) = (true, facts.names_player, 0, 0);
    for item in record.items(record.tokens()) {
        match item {
            GameItem::VariationStart => is_early &= nodes == 0 || !has_info,
            GameItem::VariationEnd => is_early = false,
            GameItem::Node => {
                nodes += 1;
                is_early &= nodes == 1 || !has_info || ply == 0;
            }
            GameItem::Property(_, property) => {
                if nodes > 1 {
                    has_info |= Info::of(property.ident()).is_some_and(|info| !info.is_root_only());
                }
                if is_early {
                    ply += facts.moves_of(&property).count();
                }
                let ident = property.ident().canonical().into_owned();
                if is_early {
                    let first = property.first();
                    let value = (first.as_bytes().to_vec(), first.framing());
                    if nodes == 1 && matches!(&*ident, b"TE" | b"RD") {
                        game.other_names
                            .push((ident.clone(), value.0.clone(), value.1));
                    }
                    let known = game
                        .first_nodes
                        .entry(ident.clone())
                        .or_insert_with(|| value.clone());
                    if nodes == 1 && known.0.trim_ascii().is_empty() {
                        *known = value;
                    }
                }
                game.idents.insert(ident);
            }
            _ => {}
        }
    }
}

fn assert_cells(data: &[u8], games: &[Game]) {
    let mut trees = Games::with_limit(SliceReader::new(data), MemoryLimit::bytes(1 << 24));
    for (number, game) in games.iter().enumerate() {
        let tree = trees
            .next_game()
            .expect("it fits")
            .expect("as many trees as rows");
        let int = |name: &str| match game.get(name) {
            Value::Int(number) => number,
            other => panic!("{name}: expected a number, found {other:?}"),
        };
        assert_eq!(int("game"), number as i64 + 1);
        assert_eq!(int("nodes"), tree.node_count() as i64);
        let (variations, depth, comments) = walked(tree);
        assert_eq!((int("variations"), int("depth")), (variations, depth));
        // A tree closes a value that the end of the input cut: it drops a last `\`, and adds an
        // escaped line break if the value would end a game, after a blank if the `\` would be half
        // of a character.
        let cut = int("comment_bytes") - comments;
        let is_escaped = data.ends_with(b"\\");
        assert!(
            [0, -2, -3].contains(&cut) || [1, -1].contains(&cut) && is_escaped,
            "{comments} bytes of comments, {cut} more in the row"
        );
        for (name, ident) in [
            ("pb", "PB"),
            ("pw", "PW"),
            ("ev", "EV"),
            ("gn", "GN"),
            ("rules", "RU"),
            ("dt", "DT"),
        ] {
            let text_of = |value: &[u8], framing: Framing| {
                let value = RawValue::new(value, framing).with_charset(tree.charset());
                value.simple_text().trim().to_owned()
            };
            let text = game
                .first_nodes
                .get(ident.as_bytes())
                .map(|(value, framing)| text_of(value, *framing));
            // Without a standard value, a root of Go may have it under another name.
            let other: &[u8] = match ident {
                "EV" => b"TE",
                "DT" => b"RD",
                _ => b"",
            };
            let found = game.get(name);
            // Of several, one that is a text, as `TE[1]` is not. It has precedence over a standard
            // value below the root.
            let mut others = game.other_names.iter().filter(|(name, ..)| name == other);
            let is_other =
                others.any(|(_, value, framing)| found == Value::Text(text_of(value, *framing)));
            let expected = text.map_or(Value::Null, Value::Text);
            assert!(
                found == expected || is_other,
                "{name}: expected {expected:?}, found {found:?}"
            );
        }
    }
    assert!(
        trees.next_game().expect("it fits").is_none(),
        "more trees than rows"
    );
}

/// Returns the number of variations, their depth, and the bytes of comments.
fn walked(tree: &GameTree) -> (i64, i64, i64) {
    let (mut variations, mut depth, mut deepest, mut comments) = (-1, 0, 0, 0);
    for event in tree.events() {
        match event {
            Event::VariationStart { .. } => {
                variations += 1;
                depth += 1;
                deepest = deepest.max(depth);
            }
            Event::VariationEnd { .. } => depth -= 1,
            Event::Property(property) if property.ident() == "C" || property.ident() == "GC" => {
                comments += property
                    .values()
                    .map(|value| value.as_bytes().len() as i64)
                    .sum::<i64>();
            }
            _ => {}
        }
    }
    (variations, deepest, comments)
}

fn assert_chosen(data: &[u8], games: &[Game], expression: &Expression) {
    let text = expression.to_string();
    let filter = match Filter::parse(&text) {
        Ok(filter) => filter,
        // A column with few possible values is compared only with these.
        Err(err) if err.message().contains(" is never ") => return,
        Err(err) => panic!("{text}: {err}"),
    };
    let mut filled = filter.row(ColumnSet::default());
    let mut rows = RowReader::new(SliceReader::new(data), &mut filled);
    for game in games {
        assert!(rows.next_root().expect("memory can be read"));
        let chosen = rows.decide(&filter).expect("memory can be read");
        let expected = expression.value(game);
        assert_eq!(
            chosen,
            Some(expected == Value::Bool(true)),
            "{text}: {expected:?} in {game:?}"
        );
    }
}

impl Game {
    fn get(&self, name: &str) -> Value {
        self.cells
            .iter()
            .find(|(found, _)| *found == name)
            .expect("a column")
            .1
            .clone()
    }
}

#[derive(Clone, Debug, PartialEq)]
enum Value {
    Null,
    Bool(bool),
    Int(i64),
    Float(f64),
    Text(String),
}

impl Value {
    /// A date as text: from year 1 to 9999, texts have the order of dates.
    fn of(cell: Cell<'_>) -> Self {
        match cell {
            Cell::Null => Self::Null,
            Cell::Bool(value) => Self::Bool(value),
            Cell::Int(number) => Self::Int(number),
            Cell::Float(number) => Self::Float(number),
            Cell::Text(text) => Self::Text(text.to_owned()),
            other => Self::Text(other.to_string()),
        }
    }

    fn number(&self) -> Option<f64> {
        match self {
            Self::Int(number) => Some(*number as f64),
            Self::Float(number) => Some(*number),
            _ => None,
        }
    }
}

#[derive(Debug)]
enum Expression {
    Constant(Value),
    Column(&'static str),
    Has(&'static str),
    Not(Box<Expression>),
    /// Infix operator: of logic, comparison or arithmetic.
    Two(&'static str, Box<[Expression; 2]>),
    IsNull(Box<Expression>, bool),
    IsTrue(Box<Expression>, bool),
    Between(Box<[Expression; 3]>),
    In(Box<Expression>, Vec<Expression>),
    Like(Box<Expression>, String),
    Coalesce(Box<[Expression; 2]>),
    Case(Box<[Expression; 3]>),
}

use Expression::{Between, Case, Coalesce, Constant, Has, In, IsNull, IsTrue, Like, Not, Two};

impl Expression {
    fn value(&self, game: &Game) -> Value {
        let of = |expression: &Self| expression.value(game);
        match self {
            Constant(value) => value.clone(),
            Self::Column(name) => game.get(name),
            Has(ident) => Value::Bool(game.idents.contains(ident.as_bytes())),
            Not(inner) => match of(inner) {
                Value::Bool(value) => Value::Bool(!value),
                _ => Value::Null,
            },
            Two("AND", both) => match both.each_ref().map(of) {
                [Value::Bool(false), _] | [_, Value::Bool(false)] => Value::Bool(false),
                [Value::Bool(true), Value::Bool(true)] => Value::Bool(true),
                _ => Value::Null,
            },
            Two("OR", both) => match both.each_ref().map(of) {
                [Value::Bool(true), _] | [_, Value::Bool(true)] => Value::Bool(true),
                [Value::Bool(false), Value::Bool(false)] => Value::Bool(false),
                _ => Value::Null,
            },
            Two(operator, both) => {
                let [left, right] = both.each_ref().map(of);
                match operator {
                    &("+" | "-" | "*" | "/" | "%") => calculated(operator, &left, &right),
                    _ => compared(operator, &left, &right),
                }
            }
            IsNull(inner, expected) => Value::Bool((of(inner) == Value::Null) == *expected),
            IsTrue(inner, expected) => Value::Bool((of(inner) == Value::Bool(true)) == *expected),
            Between(parts) => {
                let [value, low, high] = parts.each_ref().map(of);
                let bounds = [compared(">=", &value, &low), compared("<=", &value, &high)];
                match bounds {
                    [Value::Bool(low), Value::Bool(high)] => Value::Bool(low && high),
                    _ if bounds.contains(&Value::Bool(false)) => Value::Bool(false),
                    _ => Value::Null,
                }
            }
            In(needle, list) => {
                let needle = of(needle);
                let found: Vec<_> = list
                    .iter()
                    .map(|each| compared("=", &needle, &of(each)))
                    .collect();
                if found.contains(&Value::Bool(true)) {
                    Value::Bool(true)
                } else if found.contains(&Value::Null) {
                    Value::Null
                } else {
                    Value::Bool(false)
                }
            }
            Like(text, pattern) => match of(text) {
                Value::Text(text) => {
                    let text: Vec<char> = text.chars().collect();
                    Value::Bool(is_like(&text, &pattern.chars().collect::<Vec<_>>()))
                }
                _ => Value::Null,
            },
            Coalesce(both) => match both.each_ref().map(of) {
                [Value::Null, second] => second,
                [first, _] => first,
            },
            Case(parts) => {
                let [condition, then, otherwise] = &**parts;
                if of(condition) == Value::Bool(true) {
                    of(then)
                } else {
                    of(otherwise)
                }
            }
        }
    }

    /// Returns its binding power in SQL.
    fn precedence(&self) -> u8 {
        match self {
            Two("OR", _) => 1,
            Two("AND", _) => 2,
            Not(_) => 3,
            IsNull(..) | IsTrue(..) => 4,
            Between(_) | In(..) | Like(..) => 5,
            Two("=" | "<>" | "<" | "<=" | ">" | ">=", _) => 5,
            Two("+" | "-", _) => 6,
            Two(..) => 7,
            _ => 9,
        }
    }
}

fn compared(operator: &str, left: &Value, right: &Value) -> Value {
    let order = match (left, right) {
        (Value::Null, _) | (_, Value::Null) => return Value::Null,
        (Value::Text(left), Value::Text(right)) => Some(left.as_bytes().cmp(right.as_bytes())),
        (Value::Int(left), Value::Int(right)) => Some(left.cmp(right)),
        (Value::Bool(left), Value::Bool(right)) => Some(left.cmp(right)),
        _ => left
            .number()
            .zip(right.number())
            .and_then(|(left, right)| left.partial_cmp(&right)),
    };
    let Some(order) = order else {
        return Value::Null;
    };
    Value::Bool(match operator {
        "=" => order.is_eq(),
        "<>" => order.is_ne(),
        "<" => order.is_lt(),
        "<=" => order.is_le(),
        ">" => order.is_gt(),
        _ => order.is_ge(),
    })
}

/// Calculates. Whole numbers stay whole; an operation without a result is null.
fn calculated(operator: &str, left: &Value, right: &Value) -> Value {
    if let (Value::Int(left), Value::Int(right)) = (left, right) {
        let (left, right) = (i128::from(*left), i128::from(*right));
        let result = match operator {
            "+" => left + right,
            "-" => left - right,
            "*" => left * right,
            _ if right == 0 => return Value::Null,
            "/" => left / right,
            _ => left % right,
        };
        return i64::try_from(result).map_or(Value::Null, Value::Int);
    }
    let Some((left, right)) = left.number().zip(right.number()) else {
        return Value::Null;
    };
    let result = match operator {
        "+" => left + right,
        "-" => left - right,
        "*" => left * right,
        "/" => left / right,
        _ => left % right,
    };
    if result.is_finite() {
        Value::Float(result)
    } else {
        Value::Null
    }
}

fn is_like(text: &[char], pattern: &[char]) -> bool {
    match (pattern.split_first(), text.split_first()) {
        (None, rest) => rest.is_none(),
        (Some((&'%', rest)), _) => (0..=text.len()).any(|from| is_like(&text[from..], rest)),
        (Some((&'_', rest)), Some((_, text))) => is_like(text, rest),
        (Some((expected, rest)), Some((found, text))) => expected == found && is_like(text, rest),
        (Some(_), None) => false,
    }
}

impl Display for Expression {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let within = |inner: &Self, least: u8| {
            if inner.precedence() < least {
                format!("({inner})")
            } else {
                inner.to_string()
            }
        };
        match self {
            Constant(Value::Null) => f.write_str("NULL"),
            Constant(Value::Bool(value)) => write!(f, "{value}"),
            Constant(Value::Int(number)) => write!(f, "{number}"),
            Constant(Value::Float(number)) => write!(f, "{number:?}"),
            Constant(Value::Text(text)) => write!(f, "'{}'", text.replace('\'', "''")),
            Self::Column(name) => f.write_str(name),
            Has(ident) => write!(f, "has('{ident}')"),
            Not(inner) => write!(f, "NOT {}", within(inner, 3)),
            Two(operator, both) => {
                // Comparisons do not chain; all other operators group from the left.
                let own = self.precedence();
                let left = within(&both[0], if own == 5 { 6 } else { own });
                write!(f, "{left} {operator} {}", within(&both[1], own + 1))
            }
            IsNull(inner, is) => {
                write!(
                    f,
                    "{} IS {}NULL",
                    within(inner, 5),
                    if *is { "" } else { "NOT " }
                )
            }
            IsTrue(inner, is) => {
                write!(
                    f,
                    "{} IS {}TRUE",
                    within(inner, 5),
                    if *is { "" } else { "NOT " }
                )
            }
            Between(parts) => {
                let [value, low, high] = parts.each_ref().map(|part| within(part, 6));
                write!(f, "{value} BETWEEN {low} AND {high}")
            }
            In(needle, list) => {
                let list: Vec<_> = list.iter().map(ToString::to_string).collect();
                write!(f, "{} IN ({})", within(needle, 6), list.join(", "))
            }
            Like(text, pattern) => write!(f, "{} LIKE '{pattern}'", within(text, 6)),
            Coalesce(both) => write!(f, "coalesce({}, {})", both[0], both[1]),
            Case(parts) => {
                write!(
                    f,
                    "CASE WHEN {} THEN {} ELSE {} END",
                    parts[0], parts[1], parts[2]
                )
            }
        }
    }
}

fn condition(draw: &mut Draw<'_>, depth: u8) -> Expression {
    let choice = if depth == 0 {
        4 + draw.below(5)
    } else {
        draw.below(11)
    };
    match choice {
        0 | 1 => Two(
            draw.one_of(&["AND", "OR"]),
            [condition(draw, depth - 1), condition(draw, depth - 1)].into(),
        ),
        2 => Not(condition(draw, depth - 1).into()),
        3 => IsTrue(condition(draw, depth - 1).into(), draw.below(2) == 0),
        4 => Has(draw.one_of(&["C", "B", "AB", "TR", "KM"])),
        5 => IsNull(text(draw).into(), draw.below(2) == 0),
        6 => Like(
            text(draw).into(),
            draw.one_of(&["%", "%a%", "_%", "B+%", "", "%B", "a_"])
                .to_owned(),
        ),
        7 => In(
            number(draw, 1).into(),
            (0..=draw.below(3)).map(|_| number(draw, 0)).collect(),
        ),
        8 => Two(
            draw.one_of(&["=", "<>", "<", "<=", ">", ">="]),
            [text(draw), text(draw)].into(),
        ),
        9 => Between([number(draw, depth - 1), number(draw, 1), number(draw, 1)].into()),
        _ => {
            let both = [number(draw, depth - 1), number(draw, depth - 1)];
            Two(draw.one_of(&["=", "<>", "<", "<=", ">", ">="]), both.into())
        }
    }
}

fn number(draw: &mut Draw<'_>, depth: u8) -> Expression {
    const COLUMNS: [&str; 14] = [
        "moves",
        "nodes",
        "variations",
        "depth",
        "game",
        "length",
        "handicap",
        "gm",
        "ff",
        "board_width",
        "errors",
        "komi",
        "margin",
        "comment_bytes",
    ];
    match draw.below(if depth == 0 { 4 } else { 8 }) {
        0 => Constant(Value::Int(draw.one_of(&[0, 1, 2, 3, 4, 19, 100, i64::MAX]))),
        1 => Constant(Value::Float(draw.one_of(&[0.0, 0.5, 6.5, 1e3]))),
        2 | 3 => Expression::Column(draw.one_of(&COLUMNS)),
        4 | 5 => {
            let both = [number(draw, depth - 1), number(draw, depth - 1)];
            Two(draw.one_of(&["+", "-", "*", "/", "%"]), both.into())
        }
        6 => Coalesce([number(draw, depth - 1), number(draw, depth - 1)].into()),
        _ => Case(
            [
                condition(draw, depth - 1),
                number(draw, depth - 1),
                number(draw, depth - 1),
            ]
            .into(),
        ),
    }
}

fn text(draw: &mut Draw<'_>) -> Expression {
    const COLUMNS: [&str; 10] = [
        "pb",
        "pw",
        "re",
        "winner",
        "win_by",
        "dt",
        "ev",
        "charset",
        "variant",
        "first_moves",
    ];
    match draw.below(4) {
        0 => Constant(Value::Text(
            draw.one_of(&["", "B", "B+R", "Go", "aa", "it's", "z"])
                .to_owned(),
        )),
        1 => Coalesce(
            [
                Expression::Column(draw.one_of(&COLUMNS)),
                Constant(Value::Text("x".to_owned())),
            ]
            .into(),
        ),
        _ => Expression::Column(draw.one_of(&COLUMNS)),
    }
}
