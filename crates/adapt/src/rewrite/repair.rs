//! `repair`: rewrites values that only a lenient reading understands, in the spelling of FF\[4\].

use crate::check::{as_utf8, in_charset, respelled_compose};
use sgfstream::Framing;
use sgfstream_game::value::{ListKind, Number, Repair};
use sgfstream_game::{Definition, Dialect, Fit, Game, PropertyType, ValueType};

use super::edit::{Edit, node_edit};
use super::keep::{Comment, DisplacedValues};
use super::{Context, PropertyId, Unit};

/// Returns the edit that writes numbers, points, colors, dates, results and times as FF\[4\] spells them. It leaves values
/// that the lenient reading does not understand.
pub(super) fn repair() -> Box<dyn Edit> {
    node_edit("repair", |unit, at, next| next.count(repair_values(unit, at)))
}

/// A value in the spelling of FF\[4\], and the kind of repair.
type RepairedValue = (Repair, Vec<u8>);

/// Returns a value in the spelling of FF\[4\]. Returns `None` if it has that spelling, or cannot be read.
fn repaired(definition: &Definition, value: &[u8], at: &Context) -> Option<RepairedValue> {
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

/// Repairs the values of a node, and returns the number of changed properties. If a repair loses words of a value, the value
/// is kept in `XK`.
pub(super) fn repair_values(unit: &mut Unit, at: &Context) -> u64 {
    let mut changed = 0;
    let mut empty = Vec::new();
    let mut kept = Some(DisplacedValues::default()).filter(|kept| kept.fits(unit));
    unit.each(|unit, id| {
        let ident = unit.ident(id).canonical().into_owned();
        let Some(found) = at.definition_of(unit, id).filter(|found| found.fit != Fit::OtherGame) else { return };
        let value_type = found.definition.value_type;
        if found.definition.list_kind == ListKind::List && !value_type.may_be_empty() {
            // `AB[]`: an empty value where it has no meaning (SGFC 17).
            match without_empty_values(unit, id) {
                EmptyValues::None => {}
                EmptyValues::Dropped => changed += 1,
                EmptyValues::All => empty.push(id),
            }
        }
        let comment = comment_of(found.definition.property_type);
        let is_changed = unit.edit_values(id, None, |value, part| {
            let (value, framing) = Some((value.as_bytes(), value.framing())).filter(|_| part.is_whole())?;
            let (repair, edited) = repaired(found.definition, value, at).filter(|(_, edited)| edited != value)?;
            if repair.loses_text() {
                kept.as_mut()?.add(comment, &ident, value, framing);
            }
            Some(edited)
        });
        changed += u64::from(is_changed);
    });
    if let Some(kept) = kept {
        kept.write(unit);
    }
    // Leave one property, so that the node does not become empty.
    if unit.is_whole_node() && unit.ids().all(|id| empty.contains(&id)) {
        empty.pop();
    }
    if !empty.is_empty() {
        changed += unit.retain(|_, id| !empty.contains(&id));
    }
    changed
}

/// Returns the comment for displaced values of a property of this type.
pub(super) fn comment_of(property_type: PropertyType) -> Comment {
    if property_type == PropertyType::GameInfo { Comment::Game } else { Comment::Node }
}

/// Result of removing the empty values of a property.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum EmptyValues {
    /// The property has no empty values.
    None,
    /// The empty values were removed.
    Dropped,
    /// All values are empty, so the property is unchanged.
    All,
}

/// Removes the empty values of a property, unless all its values are empty.
pub(super) fn without_empty_values(unit: &mut Unit, id: PropertyId) -> EmptyValues {
    let Some(property) = unit.property(id) else { return EmptyValues::None };
    if property.values().all(|value| !value.is_empty()) {
        return EmptyValues::None;
    }
    let mut raw = property.ident().as_bytes().to_vec();
    let ident_len = raw.len();
    for value in property.values().filter(|value| !value.is_empty()) {
        raw.extend_from_slice(&[b"[", value.as_bytes(), b"]"].concat());
    }
    if raw.len() == ident_len {
        return EmptyValues::All;
    }
    unit.replace(id, &raw, property.framing());
    EmptyValues::Dropped
}

/// Repairs FF, GM, SZ and KI of a root. A missing FF becomes the first property.
pub(super) fn repaired_root(unit: &mut Unit, at: &Context) -> u64 {
    let mut changed = 0;
    let mut set = |unit: &mut Unit, ident: &[u8], value: &str| {
        changed += u64::from(unit.set_property(ident, value.as_bytes(), unit.first()));
    };
    set(unit, b"FF", "4");
    let value = |unit: &Unit, ident: &[u8]| unit.first_value(ident).map(|value| value.as_bytes().to_vec());
    if let Some(gm) = value(unit, b"GM")
        && let Some(number) = Game::respelled(&gm).and_then(|read| read.value.number())
    {
        set(unit, b"GM", &number.to_string());
    }
    if let Some(sz) = value(unit, b"SZ")
        && let Some(read) = at.game.read_size(&sz).sure()
        && read.repair.is_some_and(|repair| !repair.loses_text())
    {
        set(unit, b"SZ", &read.value.to_string());
    }
    if let (Some(id), None, Game::Go) = (unit.find(b"KI"), unit.find(b"KM"), at.game) {
        changed += u64::from(halved_komi(unit, id));
    }
    changed
}

/// Replaces `KI` of SGB, which is twice the komi, with `KM` (spec E-05). Returns false if its value cannot be read.
pub(super) fn halved_komi(unit: &mut Unit, id: PropertyId) -> bool {
    let halves = unit.property(id).and_then(|property| Number::parse_lenient(property.first().as_bytes()).ok());
    let Some(halves) = halves else { return false };
    unit.replace(id, format!("KM[{}]", halves.value.get() as f64 / 2.0).as_bytes(), Framing::Value);
    true
}
