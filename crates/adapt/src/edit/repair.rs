//! `repair`: rewrites values that only a lenient reading understands, in the spelling of FF\[4\].

use sgfstream::RawValue;
use sgfstream::record::{GameRecord, Node};
use sgfstream_game::value::{ListKind, Repair};
use sgfstream_game::{
    Dialect, Game,
    property::{Definition, ValueType},
};

use super::property_edits::{drop_empty_values, halve_komi, rename_game_info};
use super::{Comment, DisplacedLines, EditContext, EditOutput, NodeDraft};
use crate::check::{as_utf8, in_charset, respelled_compose};

/// A value in the spelling of FF\[4\], and the kind of repair.
type RepairedValue = (Repair, Vec<u8>);

/// Returns a value in the spelling of FF\[4\]. Returns `None` if it has that spelling, or cannot be
/// read.
fn repaired(definition: &Definition, value: &[u8], at: &EditContext) -> Option<RepairedValue> {
    let value_type = definition.value_type;
    match (definition.id, value_type) {
        // `repaired_root` repairs these together.
        ("SZ" | "GM" | "FF" | "CA", _) => return None,
        (_, ValueType::Compose(first, second)) => return respelled_compose(*first, *second, value),
        (_, ValueType::Point | ValueType::Stone | ValueType::Move)
            if at.game.has_two_letter_points() =>
        {
            return respelled(&at.dialect(), value_type, value);
        }
        _ => {}
    }
    let text = as_utf8(at.charset, value);
    let read = definition
        .read(at.game, text.as_deref().unwrap_or(value))?
        .sure()?;
    let repair = read.repair.filter(|repair| !repair.is_guess())?;
    let edited = read.value.to_string().into_bytes();
    let edited = if text.is_some() {
        in_charset(at.charset, edited)?
    } else {
        edited
    };
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
    for node in game.nodes() {
        repair_node(node, at, out);
    }
}

fn repair_node<'t>(node: Node<'t>, at: &EditContext, out: &mut EditOutput) {
    let mut draft: Option<NodeDraft<'t>> = None;
    let mut displaced = DisplacedLines::default();
    for (id, (_, property)) in node.properties().enumerate() {
        let Some(definition) = at.definition_in_game(&property) else {
            continue;
        };
        let respelled = |value: RawValue<'_>| {
            repaired(definition, value.as_bytes(), at)
                .filter(|(_, edited)| edited != value.as_bytes())
        };
        // Empty values have no meaning in a list (SGFC 17).
        let is_list =
            definition.list_kind == ListKind::List && !definition.value_type.may_be_empty();
        let drops_empty = is_list && property.values().any(|value| value.is_empty());
        let is_misspelled = property.values().any(|value| respelled(value).is_some());
        if !drops_empty && !is_misspelled {
            continue;
        }
        let draft = draft.get_or_insert_with(|| NodeDraft::of_node(node));
        if drops_empty && !drop_empty_values(draft, id) {
            // One property stays, so that the node does not become empty.
            if draft.ids().nth(1).is_some() {
                draft.drop_property(id);
                out.count(1);
            }
            continue;
        }
        draft.edit_values(id, |value| {
            let (repair, edited) = respelled(value)?;
            if repair.loses_text() {
                let comment = Comment::of(definition.property_type);
                displaced.add(
                    comment,
                    &property.ident().canonical(),
                    value.as_bytes(),
                    value.framing(),
                );
            }
            Some(edited)
        });
        out.count(u64::from(drops_empty) + u64::from(is_misspelled));
    }
    if let Some(mut draft) = draft {
        displaced.write(&mut draft);
        draft.write(&mut out.edits);
    }
}

/// Repairs FF, GM, SZ and KI of a root, and the names of game information. A missing FF becomes the
/// first property.
pub(super) fn repair_root(game: &GameRecord<'_>, at: &EditContext, out: &mut EditOutput) {
    let Some(root) = game.root() else { return };
    let mut draft = NodeDraft::of_node(root);
    let first_value = |draft: &NodeDraft<'_>, ident: &[u8]| {
        draft
            .find(ident)
            .map(|id| draft.property(id).first().as_bytes().to_vec())
    };
    if let Some(gm) = first_value(&draft, b"GM")
        && let Some(number) = Game::respelled(&gm).and_then(|read| read.value.number())
    {
        out.count(u64::from(draft.set_property(
            b"GM",
            number.to_string().as_bytes(),
            None,
        )));
    }
    if let Some(sz) = first_value(&draft, b"SZ")
        && let Some(read) = at.game.read_size(&sz).sure()
        && read.repair.is_some_and(|repair| !repair.loses_text())
    {
        out.count(u64::from(draft.set_property(
            b"SZ",
            read.value.to_string().as_bytes(),
            None,
        )));
    }
    if let (Some(ki), None, Game::Go) = (draft.find(b"KI"), draft.find(b"KM"), at.game) {
        out.count(u64::from(halve_komi(&mut draft, ki)));
    }
    if at.game == Game::Go {
        out.count(rename_game_info(&mut draft, at));
    }
    let first = draft.first();
    out.count(u64::from(draft.set_property(b"FF", b"4", first)));
    draft.write(&mut out.edits);
}
