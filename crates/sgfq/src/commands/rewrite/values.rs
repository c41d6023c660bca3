//! `--set` and `--add` with several values or below the root, and `--set-expr`.

use anyhow::Context as _;

use sgfstream::{Code, Event, EventReader, Framing, SliceReader, escape_compose_text, escape_text};
use sgfstream_adapt::check::{CheckOptions, Checker, Finding};
use sgfstream_adapt::rewrite::{Context, Edit, Next, Selector, Unit};
use sgfstream_game::{Game, MoveIds, ValueType};
use sgfstream_table::filter::{Selected, Selection};
use sgfstream_table::row::{Cell, RowBuilder};

use super::texts::encode;

/// The edit that is made here: name, argument, what it does.
pub(super) const EDIT: (&str, &str, &str) = (
    "set-expr",
    "ID=EXPR",
    "As --set, with the value that an expression has for the game as it is read; where it is null, nothing is changed",
);

/// The nodes that get a property.
#[derive(Clone, Debug)]
enum Nodes {
    Root,
    All,
    MainLine,
    /// The node with this move of the main line, counted from 1.
    Move(u64),
    /// Each with one of these properties.
    With(Selector),
}

impl Nodes {
    fn parse(text: &str) -> anyhow::Result<Self> {
        Ok(match text {
            "root" | "0" => Self::Root,
            "all" => Self::All,
            "main" => Self::MainLine,
            _ if text.starts_with(|char: char| char.is_ascii_digit()) => {
                Self::Move(text.parse().with_context(|| format!("expected the number of a move, found `{text}`"))?)
            }
            _ => Self::With(Selector::parse(text).with_context(|| {
                format!(
                    "expected nodes (root, all, main, the number of a move, or properties) after `@`, found `{text}`"
                )
            })?),
        })
    }
}

/// Value that a property is given.
#[derive(Clone, Debug)]
enum Value {
    /// One value, a text.
    Text(String),
    /// Values with their brackets, as files have them.
    Written(String),
    /// The value of an expression.
    Of(String),
    /// An expression whose value is no value of the property.
    Refused,
}

/// A property, and the nodes that get it.
#[derive(Clone, Debug)]
pub(super) struct Values {
    name: &'static str,
    ident: String,
    nodes: Nodes,
    value: Value,
    moves: u64,
    ids: MoveIds,
    /// The node at hand was noted as too long.
    is_noted: bool,
}

impl Values {
    /// Reads `ID@NODES=VALUE`, `ID[VALUE][VALUE]` and `ID@NODES[VALUE]`; none of other arguments, which are `ID=VALUE`.
    pub(super) fn parse(name: &'static str, argument: &str) -> anyhow::Result<Option<Self>> {
        if !matches!(name, "set" | "add" | "set-expr") {
            return Ok(None);
        }
        let end = argument.find(|char: char| !char.is_ascii_alphanumeric()).unwrap_or(argument.len());
        let (ident, rest) = argument.split_at(end);
        let nodes = rest.strip_prefix('@').map(|nodes| nodes.split_at(nodes.find(['=', '[']).unwrap_or(nodes.len())));
        let (nodes, rest) = match nodes {
            Some((nodes, rest)) => (Some(Nodes::parse(nodes)?), rest),
            None => (None, rest),
        };
        let is_expression = name == "set-expr";
        let value = match (rest.strip_prefix('='), is_expression) {
            (Some(_), false) if nodes.is_none() => return Ok(None),
            (Some(text), false) => Value::Text(text.to_owned()),
            (Some(text), true) => Value::Of(text.to_owned()),
            (None, false) if rest.starts_with('[') => {
                let game = format!("(;{ident}{rest})");
                anyhow::ensure!(
                    is_one_property(&game),
                    "expected ID[VALUE][VALUE], such as AB[dd][pp], found `{argument}`"
                );
                Value::Written(rest.to_owned())
            }
            (None, false) if nodes.is_none() => return Ok(None),
            (None, false) => anyhow::bail!("expected ID@NODES=VALUE, such as C@50=text, found `{argument}`"),
            (None, true) => anyhow::bail!("expected ID=EXPR, such as PB=lower(pb), found `{argument}`"),
        };
        anyhow::ensure!(!ident.is_empty(), "expected an identifier, such as EV, found `{argument}`");
        let (ident, nodes) = (ident.to_owned(), nodes.unwrap_or(Nodes::Root));
        Ok(Some(Self { name, ident, nodes, value, moves: 0, ids: MoveIds::of(Game::Go), is_noted: false }))
    }

    /// The expression whose value is set.
    pub(super) fn expression(&self) -> Option<&str> {
        match &self.value {
            Value::Of(expression) => Some(expression),
            _ => None,
        }
    }

    pub(super) fn ident(&self) -> &str {
        &self.ident
    }

    /// The identifier, and the values with their brackets, as far as they are known before a game is read.
    pub(super) fn written(&self) -> Option<(&str, String)> {
        let raw = match &self.value {
            Value::Text(text) => format!("[{}]", escape_text(text)),
            Value::Written(raw) => raw.clone(),
            Value::Of(_) | Value::Refused => return None,
        };
        Some((&self.ident, raw))
    }

    /// The edit of one game. `values` gives the value of the next expression; none where that is null. `force`: whatever
    /// it is.
    pub(super) fn edit(
        &self,
        mut value: impl FnMut() -> Option<String>,
        force: bool,
    ) -> anyhow::Result<Option<Box<dyn Edit>>> {
        let mut edit = self.clone();
        if let Value::Of(_) = self.value {
            let Some(text) = value() else { return Ok(None) };
            edit.value = match force || fault_of(&self.ident, &format!("[{}]", escape_text(&text)))?.is_none() {
                true => Value::Text(text),
                false => Value::Refused,
            };
        }
        Ok(Some(Box::new(edit)))
    }

    /// The property as it is written in this game; none where its charset lacks a character.
    fn raw(&self, at: &Context) -> Option<Vec<u8>> {
        let values = match &self.value {
            Value::Written(raw) => raw.clone(),
            Value::Text(text) | Value::Of(text) => {
                let found = at.definition(self.ident.as_bytes());
                let is_composed =
                    found.is_some_and(|found| matches!(found.definition.value_type, ValueType::Compose(..)));
                match text.split_once(':') {
                    // The first `:` of a composed value is its own.
                    Some((first, second)) if is_composed => {
                        format!("[{}:{}]", escape_compose_text(first), escape_compose_text(second))
                    }
                    _ => format!("[{}]", escape_text(text)),
                }
            }
            Value::Refused => return None,
        };
        encode(&format!("{}{values}", self.ident), at.charset)
    }

    /// True if the node is one of those that get the property.
    fn chooses(&mut self, unit: &Unit, at: &Context) -> bool {
        if at.in_root && unit.begins_node() {
            (self.moves, self.ids) = (0, MoveIds::of(at.game));
        }
        match &self.nodes {
            Nodes::Root => at.in_root,
            Nodes::All => true,
            Nodes::MainLine => at.on_main_line,
            Nodes::With(selector) => unit.ids().any(|id| selector.selects(unit.ident(id), at)),
            Nodes::Move(number) => {
                let properties = unit.ids().filter_map(|id| unit.property(id));
                let moves = properties.filter(|property| self.ids.is_move(property)).count() as u64;
                let before = self.moves;
                self.moves += if at.on_main_line { moves } else { 0 };
                (before + 1..=self.moves).contains(number)
            }
        }
    }
}

impl Edit for Values {
    fn name(&self) -> &'static str {
        self.name
    }

    fn unit(&mut self, unit: &mut Unit, at: &Context, next: &mut Next<'_>) {
        if unit.is_node() {
            self.is_noted &= !unit.begins_node();
            if self.chooses(unit, at) {
                self.edit_node(unit, at, next);
            }
        }
        next.push(unit);
    }
}

impl Values {
    fn edit_node(&mut self, unit: &mut Unit, at: &Context, next: &mut Next<'_>) {
        if !(unit.begins_node() && unit.ends_node()) {
            if !std::mem::replace(&mut self.is_noted, true) {
                next.note_cut("nodes too long to be held were left as they were");
            }
            return;
        }
        let ident = self.ident.as_bytes();
        let found = unit.find(ident);
        if self.name == "add" && found.is_some() {
            return;
        }
        let Some(raw) = self.raw(at) else {
            return next.note_cut(match self.value {
                Value::Refused => "values that are none of their property were not written; see --force",
                _ => "values that the charset of their game may not hold were not written; see --utf8",
            });
        };
        match found {
            None => unit.insert(None, &raw, Framing::Value),
            Some(found) => {
                let mut is_first = true;
                let dropped = unit.retain(|unit, id| !unit.ident(id).is(ident) || std::mem::take(&mut is_first));
                if dropped == 0 && unit.property(found).is_some_and(|property| property.as_bytes() == raw) {
                    return;
                }
                unit.replace(found, &raw, Framing::Value);
            }
        }
        next.count(1);
    }
}

/// Fault that the checker finds in a property, whatever the game is. `raw` has its values with their brackets.
pub(super) fn fault_of(ident: &str, raw: &str) -> anyhow::Result<Option<String>> {
    // CA and FF of the argument come instead of those.
    let head = match ident {
        "CA" | "FF" => "(;",
        "GM" => "(;CA[UTF-8]FF[4]",
        _ => "(;CA[UTF-8]FF[4]GM[1]",
    };
    let mut fault = None;
    let mut checker = Checker::new(CheckOptions::default(), |finding: &Finding| {
        if matches!(finding.code, Code::UnreadableValue | Code::BadRootValue | Code::MalformedGameInfo) {
            fault.get_or_insert_with(|| finding.message.to_string());
        }
    });
    SliceReader::new(format!("{head}{ident}{raw})").as_bytes()).drive(&mut checker)?;
    drop(checker);
    Ok(fault)
}

/// True if a game has one node with one property and no fault.
fn is_one_property(game: &str) -> bool {
    let (mut properties, mut others) = (0, 0);
    let mut count = |event: &Event<'_>| match event {
        Event::Property(_) => properties += 1,
        _ => others += 1,
    };
    let mut reader = SliceReader::new(game.as_bytes());
    while let Ok(Some(event)) = reader.next_event() {
        count(&event);
    }
    (properties, others) == (1, 3)
}

/// The expressions of edits, which are read with what `--where` needs.
#[derive(Clone, Debug)]
pub(super) struct Expressions(Selection);

impl Expressions {
    pub(super) fn new(selection: Selection) -> Self {
        Self(selection)
    }

    pub(super) fn builder(&self) -> RowBuilder {
        self.0.builder()
    }

    pub(super) fn needs_whole_entries(&self) -> bool {
        self.0.needs_whole_entries()
    }

    /// The values for a game, in the order of the expressions.
    pub(super) fn values(&self, row: &RowBuilder) -> Vec<Option<String>> {
        let value = |column: &Selected| {
            column.cell(row, |cell| match cell {
                Cell::Null => None,
                cell => Some(cell.to_string()),
            })
        };
        self.0.columns().iter().map(value).collect()
    }
}
