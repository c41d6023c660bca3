//! `repair`: rewrites values that only a lenient reading understands, in the spelling of FF\[4\].

use sgfstream::record::{GameRecord, Node};
use sgfstream_game::value::{ListKind, Number, Repair};
use sgfstream_game::{Definition, Dialect, Fit, Game, Lookup, PropertyType, ValueType};

use super::displaced::{Comment, DisplacedValues};
use super::{EditContext, EditOutput, GameEdit, PlacedProperty};
use crate::check::{as_utf8, in_charset, respelled_compose};

/// Edit that writes numbers, points, colors, dates, results and times as FF\[4\] spells them. It leaves values that the lenient
/// reading does not understand.
pub(super) struct RepairValues;

impl GameEdit for RepairValues {
    fn name(&self) -> &'static str {
        "repair"
    }

    fn edit(&self, game: &GameRecord<'_>, at: &EditContext, out: &mut EditOutput) {
        repair_values(game, at, out);
    }
}

/// A value in the spelling of FF\[4\], and the kind of repair.
type RepairedValue = (Repair, Vec<u8>);

/// Returns a value in the spelling of FF\[4\]. Returns `None` if it has that spelling, or cannot be read.
fn repaired(definition: &Definition, value: &[u8], at: &EditContext) -> Option<RepairedValue> {
    let value_type = definition.value_type;
    match (definition.id, value_type) {
        // `repaired_root` repairs these together.
        ("SZ" | "GM" | "FF" | "CA", _) => return None,
        (_, ValueType::Compose(first, second)) => return respelled_compose(*first, *second, value),
        (_, ValueType::Point | ValueType::Stone | ValueType::Move) if at.game.has_two_letter_points() => {
            return respelled(&at.dialect(), value_type, value);
        }
        _ => {}
    }
    let text = as_utf8(at.charset, value);
    let read = definition.read(at.game, text.as_deref().unwrap_or(value))?.sure()?;
    let repair = read.repair.filter(|repair| !repair.is_guess())?;
    let edited = read.value.to_string().into_bytes();
    let edited = if text.is_some() { in_charset(at.charset, edited)? } else { edited };
    Some((repair, edited))
}

/// Returns a move, point or rectangle of points in the spelling of its dialect.
fn respelled(dialect: &Dialect, value_type: ValueType, value: &[u8]) -> Option<RepairedValue> {
    let unusual = match value_type {
        ValueType::Move => dialect.read_move(value).ok()?.unusual?,
        _ => dialect.read_entry(value).ok()?.unusual?,
    };
    Some((unusual.repair, unusual.respelled))
}

/// Repairs the values of a game. If a repair loses words of a value, the value is kept in `XK`.
pub(super) fn repair_values(game: &GameRecord<'_>, at: &EditContext, out: &mut EditOutput) {
    let mut displaced = DisplacedValues::default();
    let mut has_node = None;
    let mut nodes = game.nodes();
    for placed in PlacedProperty::wanted(*game, |_, _| true) {
        let Some(found) = at.definition_of(&placed.property).filter(|found| found.fit != Fit::OtherGame) else {
            continue;
        };
        let is_empty = found.definition.list_kind == ListKind::List
            && !found.definition.value_type.may_be_empty()
            && placed.property.values().any(|value| value.is_empty());
        if is_empty && has_node != Some(placed.node) {
            has_node = Some(placed.node);
            let is_here = |node: &Node<'_>| node.start() == placed.node && node.properties().next().is_some();
            if let Some(node) = nodes.find(is_here) {
                drop_empty_lists(node, at, out);
            }
        }
        repair_property(&placed, found.definition, is_empty, at, &mut displaced, out);
    }
    displaced.write(game, &mut out.edits);
}

/// Repairs the values of a property. With `is_empty`, it has empty values, which have no meaning (SGFC 17).
fn repair_property(
    placed: &PlacedProperty<'_>,
    definition: &Definition,
    is_empty: bool,
    at: &EditContext,
    displaced: &mut DisplacedValues,
    out: &mut EditOutput,
) {
    let property = placed.property;
    if is_empty && property.values().all(|value| value.is_empty()) {
        return;
    }
    let comment = comment_of(definition.property_type);
    let mut raw = property.ident().as_bytes().to_vec();
    let mut is_changed = false;
    for value in property.values().filter(|value| !is_empty || !value.is_empty()) {
        let old = value.as_bytes();
        let edited = repaired(definition, old, at).filter(|(_, edited)| edited != old);
        if let Some((repair, _)) = &edited
            && repair.loses_text()
        {
            displaced.add(placed, comment, old);
        }
        is_changed |= edited.is_some();
        let new = edited.map(|(_, edited)| edited);
        if is_empty {
            raw.extend_from_slice(&[b"[", new.as_deref().unwrap_or(old), b"]"].concat());
        } else if let Some(new) = new {
            out.edits.replace(placed.value_span(value), new);
        }
    }
    if is_empty {
        out.edits.replace(placed.span.clone(), raw);
    }
    out.count(u64::from(is_changed) + u64::from(is_empty));
}

/// Drops the lists of a node that have only empty values. One property stays, so that the node does not become empty.
fn drop_empty_lists(node: Node<'_>, at: &EditContext, out: &mut EditOutput) {
    let properties: Vec<PlacedProperty<'_>> = PlacedProperty::of_node(node).collect();
    let is_empty_list = |placed: &&PlacedProperty<'_>| {
        let found = at.definition_of(&placed.property).filter(|found| found.fit != Fit::OtherGame);
        found.is_some_and(|Lookup { definition, .. }| {
            definition.list_kind == ListKind::List
                && !definition.value_type.may_be_empty()
                && placed.property.values().all(|value| value.is_empty())
        })
    };
    let mut empty: Vec<&PlacedProperty<'_>> = properties.iter().filter(is_empty_list).collect();
    if empty.len() == properties.len() {
        empty.pop();
    }
    for placed in empty {
        out.drop_property(&node.game(), placed);
        out.count(1);
    }
}

/// Returns the comment for displaced values of a property of this type.
pub(crate) fn comment_of(property_type: PropertyType) -> Comment {
    if property_type == PropertyType::GameInfo { Comment::Game } else { Comment::Node }
}

/// Repairs FF, GM, SZ and KI of a root. A missing FF becomes the first property.
pub(super) fn repair_root(game: &GameRecord<'_>, at: &EditContext, out: &mut EditOutput) {
    let Some(root) = game.root() else { return };
    let properties: Vec<PlacedProperty<'_>> = PlacedProperty::of_node(root).collect();
    let find = |ident: &[u8]| properties.iter().find(|placed| placed.property.ident().is(ident));
    let mut set = |placed: &PlacedProperty<'_>, ident: &str, value: &str| {
        if placed.property.only().is_none_or(|only| only.as_bytes() != value.as_bytes()) {
            out.edits.replace(placed.span.clone(), format!("{ident}[{value}]").into_bytes());
            out.count(1);
        }
    };
    if let Some(gm) = find(b"GM")
        && let Some(number) = Game::respelled(gm.property.first().as_bytes()).and_then(|read| read.value.number())
    {
        set(gm, "GM", &number.to_string());
    }
    if let Some(sz) = find(b"SZ")
        && let Some(read) = at.game.read_size(sz.property.first().as_bytes()).sure()
        && read.repair.is_some_and(|repair| !repair.loses_text())
    {
        set(sz, "SZ", &read.value.to_string());
    }
    if let (Some(ki), None, Game::Go) = (find(b"KI"), find(b"KM"), at.game)
        && let Ok(halves) = Number::parse_lenient(ki.property.first().as_bytes())
    {
        set(ki, "KM", &(halves.value.get() as f64 / 2.0).to_string());
    }
    match find(b"FF") {
        Some(ff) => set(ff, "FF", "4"),
        None => {
            let start = properties.first().map_or(root.extent().end, |first| first.span.start);
            out.edits.insert(start, b"FF[4]");
            out.count(1);
        }
    }
}
