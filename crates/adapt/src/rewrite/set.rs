//! `set` and `add`: set a property of nodes.

use sgfstream::{Event, Framing, Ident, SliceReader, escape_compose_text, escape_text};
use sgfstream_game::{Game, MoveIds, ValueType};

use super::edit::EditFault;
use super::rename::is_ident;
use super::{Context, Edit, NextEdit, Selector, Unit};

/// Selection of the nodes that get the property.
enum Nodes {
    Root,
    All,
    MainLine,
    /// The node with this move of the main line, counted from 1.
    Move(u64),
    /// Nodes with one of the selected properties.
    With(Selector),
}

impl Nodes {
    fn parse(text: &str) -> Result<Self, EditFault> {
        let other = || {
            let nodes = "root, all, main, the number of a move, or properties";
            EditFault::new(format!("expected nodes ({nodes}) after `@`, found `{text}`"))
        };
        Ok(match text {
            "root" | "0" => Self::Root,
            "all" => Self::All,
            "main" => Self::MainLine,
            _ if text.starts_with(|char: char| char.is_ascii_digit()) => Self::Move(text.parse().map_err(|_| other())?),
            _ => Self::With(Selector::parse(text).map_err(|_| other())?),
        })
    }
}

/// Edit that sets a property of nodes.
pub(super) struct Set {
    ident: Vec<u8>,
    nodes: Nodes,
    /// The value as text, or with `is_written`, values in brackets as in a file.
    value: String,
    is_written: bool,
    /// Whether to leave nodes that have the property.
    add: bool,
    /// Moves on the main line so far.
    moves: u64,
    ids: MoveIds,
    /// Whether the current node has the property, or a note says that it is too long.
    seen: bool,
}

impl Set {
    /// Parses `ID=VALUE`, whose value is text and is escaped as needed, or `ID[VALUE][VALUE]`. In both, `@NODES` may follow
    /// the identifier.
    pub(super) fn parse(text: &str, add: bool) -> Result<Self, EditFault> {
        let fault = |expected: &str| EditFault::new(format!("expected {expected}, found `{text}`"));
        let end = text.find(|char: char| !char.is_ascii_alphanumeric()).unwrap_or(text.len());
        let (ident, rest) = text.split_at(end);
        let (nodes, rest) = match rest.strip_prefix('@') {
            Some(nodes) => {
                let (nodes, rest) = nodes.split_at(nodes.find(['=', '[']).unwrap_or(nodes.len()));
                (Some(Nodes::parse(nodes)?), rest)
            }
            None => (None, rest),
        };
        let is_written = rest.starts_with('[');
        let value = match rest.strip_prefix('=') {
            _ if is_written && !is_one_property(&format!("(;{ident}{rest})")) => {
                return Err(fault("ID[VALUE][VALUE], such as AB[dd][pp]"));
            }
            None if is_written => rest,
            Some(value) if is_ident(ident) => value,
            Some(_) => {
                return Err(EditFault::new(format!("expected an identifier of capital letters, found `{ident}`")));
            }
            None if nodes.is_some() => return Err(fault("ID@NODES=VALUE, such as C@50=text")),
            None => return Err(fault("ID=VALUE, such as EV=Honinbo")),
        };
        let (ident, value, ids) = (ident.into(), value.to_owned(), MoveIds::of(Game::Go));
        Ok(Self { ident, nodes: nodes.unwrap_or(Nodes::Root), value, is_written, add, moves: 0, ids, seen: false })
    }

    /// Returns the property as written in this game, or `None` if the charset lacks a character.
    fn raw(&self, at: &Context) -> Option<Vec<u8>> {
        let found = at.definition(&self.ident);
        let is_composed = found.is_some_and(|found| matches!(found.definition.value_type, ValueType::Compose(..)));
        let values = match self.value.split_once(':') {
            _ if self.is_written => self.value.clone(),
            // The first `:` separates the halves of a composed value.
            Some((first, second)) if is_composed => {
                format!("[{}:{}]", escape_compose_text(first), escape_compose_text(second))
            }
            _ => format!("[{}]", escape_text(&self.value)),
        };
        Some([&self.ident[..], &at.encode(&values)?].concat())
    }

    /// Returns whether the node is selected.
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

    fn edit_node(&mut self, unit: &mut Unit, at: &Context, next: &mut NextEdit<'_>) {
        // Whether a piece of a node is selected depends on its other pieces.
        if !unit.is_whole_node() && !matches!(self.nodes, Nodes::Root) {
            if !std::mem::replace(&mut self.seen, true) {
                next.note_cut("nodes too long to buffer are unchanged");
            }
            return;
        }
        let found = unit.find(&self.ident);
        let mut is_first = found.is_some() && !self.seen;
        self.seen |= found.is_some();
        let is_missing = unit.ends_node() && !self.seen;
        if is_missing || (is_first && !self.add) {
            let Some(raw) = self.raw(at) else {
                return next.note_cut("values that their game's charset cannot encode were not written; see --utf8");
            };
            let is_same = |id| unit.property(id).is_some_and(|property| property.as_bytes() == raw);
            if !found.is_some_and(is_same) {
                match found {
                    None => unit.insert(None, &raw, Framing::Value),
                    Some(id) => unit.replace(id, &raw, Framing::Value),
                }
                next.count(1);
            }
        }
        if !self.add && found.is_some() {
            unit.retain(|unit, id| !unit.ident(id).is(&self.ident) || std::mem::take(&mut is_first));
        }
    }
}

/// Returns whether a game has one node with one property and no problem.
fn is_one_property(game: &str) -> bool {
    let events: Vec<_> = SliceReader::new(game.as_bytes()).map(|event| matches!(event, Event::Property(_))).collect();
    events == [false, false, true, false]
}

impl Edit for Set {
    fn name(&self) -> &'static str {
        if self.add { "add" } else { "set" }
    }

    fn ignores(&self, _: Ident<'_>, _: &Context) -> bool {
        matches!(self.nodes, Nodes::Root)
    }

    fn unit(&mut self, unit: &mut Unit, at: &Context, next: &mut NextEdit<'_>) {
        if unit.is_node() {
            self.seen &= !unit.begins_node();
            if self.chooses(unit, at) {
                self.edit_node(unit, at, next);
            }
        }
        next.push(unit);
    }
}
