//! `upgrade`: converts games of FF\[1\] to FF\[3\] into FF\[4\], by the rules of the conversion pages (spec E-03 to E-05).

use std::collections::{BTreeMap, BTreeSet};

use sgfstream::Framing;
use sgfstream_game::value::{Color, ListKind, Point, PointEntry, PointSet};
use sgfstream_game::{Fit, PropertyType, ValueType};

use super::{Context, PropertyId, Unit};
use crate::edit::letter;

/// Returns whether the node has setup and moves.
pub(super) fn is_mixed(unit: &Unit, at: &Context) -> bool {
    let has = |wanted| unit.ids().any(|id| property_type(unit, id, at) == wanted);
    has(PropertyType::Setup) && has(PropertyType::Move)
}

/// Splits a node. With `is_mixed`, separates setup from moves, in their order. Then makes a node of each move for which
/// `is_split` returns true. Returns the nodes after the first.
pub(super) fn split_node(
    unit: &mut Unit,
    at: &Context,
    is_mixed: bool,
    mut is_split: impl FnMut(&Unit, PropertyId) -> bool,
) -> Vec<Unit> {
    let (mut nodes, mut last) = (Vec::new(), Unit::node());
    if is_mixed {
        let first_move = unit.ids().find(|&id| at.game.move_ids().contains(unit.ident(id)));
        let is_setup = |unit: &Unit, id| property_type(unit, id, at) == PropertyType::Setup;
        let late: BTreeSet<_> =
            unit.ids().skip_while(|&id| Some(id) != first_move).filter(|&id| is_setup(unit, id)).collect();
        let has_early = at.in_root || unit.ids().any(|id| is_setup(unit, id) && !late.contains(&id));
        if !late.is_empty() {
            // Comments and markup refer to the board after both.
            unit.move_to(&mut last, |unit, id| {
                late.contains(&id)
                    || (goes_with_moves(unit, id, at) && property_type(unit, id, at) == PropertyType::None)
            });
        }
        if has_early {
            let mut second = Unit::node();
            unit.move_to(&mut second, |unit, id| goes_with_moves(unit, id, at));
            nodes.extend(second.first().is_some().then_some(second));
        }
    }
    let with_moves = nodes.last_mut().unwrap_or(unit);
    let moves: Vec<PropertyId> = with_moves.ids().filter(|&id| is_split(with_moves, id)).collect();
    let split = split_moves(with_moves, &moves);
    nodes.extend(split);
    nodes.extend(last.first().is_some().then_some(last));
    nodes
}

/// Returns whether a `PL` after a move names the side that moved. Without this `PL`, the other side would be to play.
pub(super) fn repeats_mover(unit: &Unit) -> bool {
    let mut mover = None;
    unit.ids().any(|id| {
        let ident = unit.ident(id);
        let moves =
            [(b"B", Color::Black), (b"W", Color::White)].into_iter().find(|(move_ident, _)| ident.is(*move_ident));
        mover = moves.map_or(mover, |(_, color)| Some(color));
        mover.is_some() && ident.is(b"PL") && named_side(unit, id) == mover
    })
}

/// Returns whether the order of setup properties matters: two of them share a point, or a move lies between them.
pub(super) fn is_ordered(unit: &Unit, at: &Context) -> bool {
    let (mut sets, mut has_move): (Vec<(Vec<u8>, PointSet)>, bool) = (Vec::new(), false);
    unit.ids().any(|id| {
        let ident = unit.ident(id).canonical();
        has_move |= !sets.is_empty() && at.game.move_ids().contains(unit.ident(id));
        if property_type(unit, id, at) != PropertyType::Setup || *ident == *b"PL" {
            return false;
        }
        let Some(property) = unit.property(id).filter(|_| !has_move) else { return true };
        let entries: Vec<_> = property.values().filter_map(|value| at.point_entry(value.as_bytes())).collect();
        let shares = |set: &PointSet| entries.iter().any(|entry| entry.points().any(|point| set.contains(point)));
        if sets.iter().any(|(other, set)| **other != *ident && shares(set)) {
            return true;
        }
        let known = sets.iter().position(|(known, _)| **known == *ident);
        let known = known.unwrap_or_else(|| {
            sets.push((ident.into_owned(), PointSet::new()));
            sets.len() - 1
        });
        entries.iter().for_each(|entry| _ = entry.insert_into(&mut sets[known].1).count());
        false
    })
}

/// Splits each of these moves off as a node of its own, with its times.
fn split_moves(unit: &mut Unit, moves: &[PropertyId]) -> Vec<Unit> {
    if moves.is_empty() {
        return Vec::new();
    }
    // For each move, the number of its node, from 1.
    let nodes: BTreeMap<PropertyId, usize> = moves.iter().copied().zip(1..).collect();
    let node_of = |id: PropertyId| nodes.get(&id).copied().unwrap_or(0);
    // Times follow the move of their color. If the color moves twice, they stay.
    let node_of_color = |ident: &[u8]| {
        let mut of_color = unit.ids().filter(|&id| unit.ident(id).is(ident));
        of_color.next().filter(|_| of_color.next().is_none()).map_or(0, node_of)
    };
    let (black, white) = (node_of_color(b"B"), node_of_color(b"W"));
    let mut units = vec![Unit::node(); moves.len()];
    unit.move_each(&mut units, |unit, id| {
        let ident = unit.ident(id);
        match node_of(id) {
            0 if ident.is(b"BL") || ident.is(b"OB") => black,
            0 if ident.is(b"WL") || ident.is(b"OW") => white,
            node => node,
        }
    });
    units
}

/// Returns whether a property goes to the second node when setup and moves are separated.
fn goes_with_moves(unit: &Unit, id: PropertyId, at: &Context) -> bool {
    // Game information of another game, such as `HA`, is read in the root as well, so it stays.
    let kind = at.definition_of(unit, id).map(|found| found.definition.property_type);
    let stays = matches!(kind, Some(PropertyType::Setup | PropertyType::Root | PropertyType::GameInfo));
    !stays && !unit.ident(id).is(b"N")
}

pub(super) fn property_type(unit: &Unit, id: PropertyId, at: &Context) -> PropertyType {
    match at.definition_of(unit, id) {
        Some(found) if found.fit != Fit::OtherGame => found.definition.property_type,
        _ => PropertyType::None,
    }
}

/// Joins the properties `others` to `first`, which has the same name. Concatenates lists and texts; otherwise the first
/// value stays. Returns false if they cannot be joined, or if no definition exists and `unknown` is false.
pub(super) fn joined_into(
    unit: &mut Unit,
    first: PropertyId,
    others: &[PropertyId],
    at: &Context,
    unknown: bool,
) -> bool {
    let Some(one) = unit.property(first) else { return false };
    let (framing, ident) = (one.framing(), one.ident().canonical());
    let definition = at.definition(&ident).map(|found| found.definition);
    let (is_list, is_text) = match definition.map(|definition| (definition.list_kind, definition.value_type)) {
        Some((ListKind::List | ListKind::Elist, _)) => (true, false),
        Some((_, ValueType::Text)) => (false, true),
        Some(_) => {
            let is_whole = others.iter().all(|&id| unit.property(id).is_some());
            if is_whole && *ident == *b"PL" {
                others.iter().for_each(|&id| keep_last_player(unit, first, id));
            }
            return is_whole;
        }
        None if unknown => (true, false),
        None => return false,
    };
    let mut raw = one.as_bytes().to_vec();
    for &id in others {
        let Some(other) = unit.property(id) else { return false };
        let other = other.as_bytes();
        let values = &other[other.iter().position(|&byte| byte == b'[').unwrap_or(0)..];
        if is_text {
            raw.pop();
            raw.extend_from_slice(b"\n\n");
            raw.extend_from_slice(&values[1..]);
        } else if is_list {
            raw.extend_from_slice(values);
        }
    }
    unit.replace(first, &raw, framing);
    true
}

/// Replaces the first `PL` with a later one, if the later one names a side.
pub(super) fn keep_last_player(unit: &mut Unit, first: PropertyId, later: PropertyId) {
    if let Some(property) = unit.property(later).filter(|_| named_side(unit, later).is_some()) {
        let (raw, framing) = (property.as_bytes().to_vec(), property.framing());
        unit.replace(first, &raw, framing);
    }
}

/// Returns the side that a `PL` names.
pub(super) fn named_side(unit: &Unit, id: PropertyId) -> Option<Color> {
    Color::parse_lenient(unit.property(id)?.first().as_bytes()).ok().map(|read| read.value)
}

/// Converts M, L and VW of older versions. Returns the number of changed properties.
pub(super) fn old_markup(unit: &mut Unit, at: &Context, whole: bool) -> u64 {
    let mut changed = 0;
    if let (Some(id), true) = (unit.find(b"L"), is_old(unit, b"L", at))
        && labels(unit, id)
    {
        unit.rename(id, b"LB");
        changed += 1;
    }
    if let (Some(id), true) = (unit.find(b"M"), whole) {
        changed += 1;
        marks(unit, id);
    }
    if let Some(id) = unit.find(b"VW")
        && let Some(property) = unit.property(id)
    {
        let points: Vec<Option<Point>> =
            property.values().map(|value| at.point_entry(value.as_bytes())?.as_point()).collect();
        if let [Some(first), Some(second)] = *points
            && first != second
        {
            let raw = format!("VW[{}]", PointEntry::between(first, second));
            unit.replace(id, raw.as_bytes(), Framing::Value);
            changed += 1;
        }
    }
    changed
}

fn is_old(unit: &Unit, ident: &[u8], at: &Context) -> bool {
    unit.find(ident).is_some() && at.definition(ident).is_some_and(|found| !found.definition.versions.contains(4))
}

/// Replaces M with TR on stones and MA elsewhere. Only the stones of the node are known here, not the board; but most marks
/// are on the move of their node.
fn marks(unit: &mut Unit, id: PropertyId) {
    let mut stones: Vec<Vec<u8>> = Vec::new();
    for ident in [&b"B"[..], b"W", b"AB", b"AW"] {
        if let Some(property) = unit.find(ident).and_then(|id| unit.property(id)) {
            stones.extend(property.values().map(|value| value.as_bytes().trim_ascii().to_vec()));
        }
    }
    stones.sort_unstable();
    let Some(property) = unit.property(id) else {
        return unit.rename(id, b"MA");
    };
    let framing = property.framing();
    let (mut crosses, mut triangles) = (Vec::new(), Vec::new());
    for value in property.values() {
        let point = value.as_bytes().trim_ascii();
        let out = if stones.binary_search_by(|stone| stone.as_slice().cmp(point)).is_ok() {
            &mut triangles
        } else {
            &mut crosses
        };
        out.extend_from_slice(&[b"[", value.as_bytes(), b"]"].concat());
    }
    let raw = |ident: &[u8], values: &[u8]| [ident, values].concat();
    if triangles.is_empty() {
        return unit.rename(id, b"MA");
    }
    unit.replace(id, &raw(b"TR", &triangles), framing);
    if !crosses.is_empty() {
        unit.insert(unit.next(id), &raw(b"MA", &crosses), framing);
    }
}

/// Joins TE and BM of a node into IT, or DO if BM comes first (spec E-05). Returns the second of the two, which the caller
/// must drop.
pub(super) fn annotations(unit: &mut Unit, at: &Context) -> Option<PropertyId> {
    let (good, bad) = (unit.find(b"TE")?, unit.find(b"BM")?);
    // In some games `TE` is game information, such as a title.
    if property_type(unit, good, at) == PropertyType::GameInfo {
        return None;
    }
    let is_good_first = unit.ids().find(|&id| id == good || id == bad) == Some(good);
    let (first, second, raw): (_, _, &[u8]) = if is_good_first { (good, bad, b"IT[]") } else { (bad, good, b"DO[]") };
    unit.replace(first, raw, Framing::Value);
    Some(second)
}

/// Turns the values of an old `L` into those of an `LB`.
fn labels(unit: &mut Unit, id: PropertyId) -> bool {
    if unit.property(id).is_none() {
        return false;
    }
    let mut letters = 0;
    unit.edit_values(id, None, |value, _| {
        let point = value.as_bytes();
        if point.contains(&b':') {
            return None;
        }
        let label = letter(letters);
        letters += 1;
        Some([point, b":", label.as_bytes()].concat())
    });
    true
}
