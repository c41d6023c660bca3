//! `set` and `add`: set a property of nodes.

use sgfstream::internal::TextCharset;
use sgfstream::record::{GameRecord, Node};
use sgfstream::{Event, Framing, Ident, SliceReader, escape_compose_text, escape_text};
use sgfstream_game::property::ValueType;

use super::placed_property::nodes_with;
use super::rename::is_ident;
use super::{EditContext, EditFault, EditOutput, GameEdit, NodeDraft, Selector};

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
            EditFault(format!(
                "expected nodes ({nodes}) after `@`, found `{text}`"
            ))
        };
        Ok(match text {
            "root" | "0" => Self::Root,
            "all" => Self::All,
            "main" => Self::MainLine,
            _ if text.starts_with(|char: char| char.is_ascii_digit()) => {
                Self::Move(text.parse().map_err(|_| other())?)
            }
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
}

impl Set {
    /// Parses `ID=VALUE`, whose value is text and is escaped as needed, or `ID[VALUE][VALUE]`. In
    /// both, `@NODES` may follow the identifier.
    pub(super) fn parse(text: &str, add: bool) -> Result<Self, EditFault> {
        let fault = |expected: &str| EditFault(format!("expected {expected}, found `{text}`"));
        let end = text
            .find(|char: char| !char.is_ascii_alphanumeric())
            .unwrap_or(text.len());
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
                return Err(EditFault(format!(
                    "expected an identifier of capital letters, found `{ident}`"
                )));
            }
            None if nodes.is_some() => return Err(fault("ID@NODES=VALUE, such as C@50=text")),
            None => return Err(fault("ID=VALUE, such as EV=Honinbo")),
        };
        let (ident, value) = (ident.into(), value.to_owned());
        Ok(Self {
            ident,
            nodes: nodes.unwrap_or(Nodes::Root),
            value,
            is_written,
            add,
        })
    }

    /// Returns the property as written in this game, or `None` if the charset lacks a character.
    fn raw(&self, at: &EditContext) -> Option<Vec<u8>> {
        let found = at.definition(Ident::new(&self.ident));
        let is_composed =
            found.is_some_and(|found| matches!(found.value_type, ValueType::Compose(..)));
        let values = match self.value.split_once(':') {
            _ if self.is_written => self.value.clone(),
            // The first `:` separates the halves of a composed value.
            Some((first, second)) if is_composed => {
                format!(
                    "[{}:{}]",
                    escape_compose_text(first),
                    escape_compose_text(second)
                )
            }
            _ => format!("[{}]", escape_text(&self.value)),
        };
        Some([&self.ident[..], &at.encode(&values)?].concat())
    }

    fn edit_node(
        &self,
        node: Node<'_>,
        charset: TextCharset,
        at: &EditContext,
        out: &mut EditOutput,
    ) {
        let mut draft = NodeDraft::of_node(node);
        let is_of_ident = |id: &usize| draft.ident(*id).is(&self.ident);
        let found: Vec<usize> = draft.ids().filter(is_of_ident).collect();
        if !found.is_empty() && self.add {
            return;
        }
        if charset.with_text(&self.value).is_err() {
            let note = "values beyond ASCII were not written, as their game declares no charset and is not UTF-8; see --charset";
            return out.note_cut(note, node.start());
        }
        let Some(raw) = self.raw(at) else {
            let note =
                "values that their game's charset cannot encode were not written; see --utf8";
            return out.note_cut(note, node.start());
        };
        let first = found.first().copied();
        if first.is_none_or(|first| draft.property(first).as_bytes() != raw) {
            match first {
                None => draft.insert(None, raw, Framing::Value),
                Some(first) => draft.replace(first, raw, Framing::Value),
            }
            out.count(1);
        }
        for &other in found.iter().skip(1) {
            draft.drop_property(other);
        }
        draft.write(&mut out.edits);
    }

    /// Returns the node with this move of the main line.
    fn node_of_move<'t>(game: &GameRecord<'t>, number: u64, at: &EditContext) -> Option<Node<'t>> {
        let ids = at.game.move_ids();
        let mut moves = 0;
        game.main_line_nodes().find(|node| {
            moves += node
                .properties()
                .filter(|(_, property)| ids.is_move(property))
                .count() as u64;
            moves >= number
        })
    }
}

impl GameEdit for Set {
    fn name(&self) -> &'static str {
        if self.add { "add" } else { "set" }
    }

    fn edit(&self, game: &GameRecord<'_>, at: &EditContext, out: &mut EditOutput) {
        let nodes: Vec<Node<'_>> = match &self.nodes {
            Nodes::Root => game.root().into_iter().collect(),
            Nodes::All => game.nodes().collect(),
            Nodes::MainLine => game.main_line_nodes().collect(),
            Nodes::Move(number) => Self::node_of_move(game, *number, at).into_iter().collect(),
            Nodes::With(selector) => {
                nodes_with(*game, |ident| selector.selects(ident, at)).collect()
            }
        };
        let charset = TextCharset::of(at.charset, game.as_bytes());
        for node in nodes {
            self.edit_node(node, charset, at, out);
        }
    }
}

/// Returns whether a game has one node with one property and no problem.
fn is_one_property(game: &str) -> bool {
    let events: Vec<_> = SliceReader::new(game.as_bytes())
        .events()
        .flatten()
        .map(|event| matches!(event, Event::Property(_)))
        .collect();
    events == [false, false, true, false]
}
