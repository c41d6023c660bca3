//! Changes of single properties in a node.

use sgfstream::{Framing, Property, RawValue};
use sgfstream_game::property::{PropertyType, ValueType};
use sgfstream_game::value::{ListKind, Number};

use super::{EditContext, NodeDraft, named_side};

/// Removes the empty values of a property. If all its values are empty, returns false and changes
/// nothing.
pub(crate) fn drop_empty_values(draft: &mut NodeDraft<'_>, id: usize) -> bool {
    let property = draft.property(id);
    if property.values().all(|value| !value.is_empty()) {
        return true;
    }
    let mut raw = property.ident().as_bytes().to_vec();
    let ident_len = raw.len();
    for value in property.values().filter(|value| !value.is_empty()) {
        raw.extend_from_slice(&[b"[", value.as_bytes(), b"]"].concat());
    }
    if raw.len() == ident_len {
        return false;
    }
    let framing = property.framing();
    draft.replace(id, raw, framing);
    true
}

/// Replaces `KI` of SGB, which is twice the komi, with `KM` (spec E-05). Returns false if its value
/// cannot be read.
pub(crate) fn halve_komi(draft: &mut NodeDraft<'_>, id: usize) -> bool {
    let Ok(halves) = Number::parse_lenient(draft.property(id).first().as_bytes()) else {
        return false;
    };
    draft.replace(
        id,
        format!("KM[{}]", halves.value.get() as f64 / 2.0).into_bytes(),
        Framing::Value,
    );
    true
}

/// Renames the properties of the Nihon Ki-in, the Korean association, Sina and Foxwq in the root of
/// a Go game to the standard ones that it lacks, and joins the periods and seconds of an overtime
/// in `OT` (spec ). Returns the number of changes.
pub(crate) fn rename_game_info(draft: &mut NodeDraft<'_>, at: &EditContext) -> u64 {
    let mut changes = 0;
    let ids: Vec<usize> = draft.ids().collect();
    for id in ids {
        let property = draft.property(id);
        let definition = at
            .definition_in_game(&property)
            .filter(|_| !is_blank(&property));
        let Some(standard) = definition.and_then(|definition| definition.standard_property())
        else {
            continue;
        };
        if make_room(draft, standard.as_bytes()) {
            draft.rename(id, standard.as_bytes());
            changes += 1;
        }
    }
    for names in [[b"LC", b"LT"], [b"TC", b"TT"]] {
        let [Some(periods), Some(seconds)] = names.map(|name| draft.find(name)) else {
            continue;
        };
        let number = |id| {
            let read = Number::parse_lenient(draft.property(id).first().as_bytes()).ok()?;
            Some(read.value.get()).filter(|&number| number > 0)
        };
        if let (Some(count), Some(time)) = (number(periods), number(seconds))
            && make_room(draft, b"OT")
        {
            draft.replace(
                periods,
                format!("OT[{count}x{time} byo-yomi]").into_bytes(),
                Framing::Value,
            );
            draft.drop_property(seconds);
            changes += 1;
            // Beside `LC` and `LT`, `TT` is the main time.
            if let Some(time) = draft
                .find(b"TT")
                .filter(|&id| !is_blank(&draft.property(id)))
                && make_room(draft, b"TM")
            {
                draft.rename(time, b"TM");
            }
        }
    }
    changes
}

/// Drops a property without a value. Returns whether the node lacks the property then.
fn make_room(draft: &mut NodeDraft<'_>, ident: &[u8]) -> bool {
    match draft.find(ident) {
        Some(id) if is_blank(&draft.property(id)) => draft.drop_property(id),
        Some(_) => return false,
        None => {}
    }
    true
}

fn is_blank(property: &Property<'_>) -> bool {
    property.first().as_bytes().trim_ascii().is_empty()
}

/// Joins the properties `others` to `first`, which has the same name. Concatenates lists and texts;
/// otherwise the first value stays, and of `PL` the last.
pub(crate) fn join_into(
    draft: &mut NodeDraft<'_>,
    first: usize,
    others: &[usize],
    at: &EditContext,
) {
    let property = draft.property(first);
    let (framing, ident) = (property.framing(), property.ident().canonical());
    let definition = at.definition(property.ident());
    let (is_list, is_text) =
        match definition.map(|definition| (definition.list_kind, definition.value_type)) {
            Some((ListKind::List | ListKind::Elist, _)) | None => (true, false),
            Some((_, ValueType::Text)) => (false, true),
            Some(_) => (false, false),
        };
    if !is_list && !is_text {
        if *ident == *b"PL" {
            others
                .iter()
                .for_each(|&id| keep_last_player(draft, first, id));
        }
        return;
    }
    let mut raw = property.as_bytes().to_vec();
    for &id in others {
        let other = draft.property(id);
        let values = &other.as_bytes()[other.ident().as_bytes().len()..];
        let values = &values[values.iter().position(|&byte| byte == b'[').unwrap_or(0)..];
        if is_text {
            raw.pop();
            raw.extend_from_slice(b"\n\n");
            raw.extend_from_slice(&values[1..]);
        } else {
            raw.extend_from_slice(values);
        }
    }
    if is_text {
        // A line of the text may look like the start of a game that was cut off.
        let start = raw
            .iter()
            .position(|&byte| byte == b'[')
            .map_or(0, |bracket| bracket + 1);
        let (kept, end) = RawValue::new(&raw[start..raw.len() - 1], framing).closing();
        raw = [&raw[..start], kept, end.as_bytes()].concat();
    }
    draft.replace(first, raw, framing);
}

/// Replaces the first `PL` with a later one, if the later one names a side.
pub(crate) fn keep_last_player(draft: &mut NodeDraft<'_>, first: usize, later: usize) {
    let property = draft.property(later);
    if named_side(&property).is_some() {
        let (raw, framing) = (property.as_bytes().to_vec(), property.framing());
        draft.replace(first, raw, framing);
    }
}

/// Joins TE and BM of a node into IT, or DO if BM comes first (spec E-05). Returns the second of
/// the two, which the caller must drop.
pub(crate) fn join_annotations(draft: &mut NodeDraft<'_>, at: &EditContext) -> Option<usize> {
    let (good, bad) = (draft.find(b"TE")?, draft.find(b"BM")?);
    // In some games `TE` is game information, such as a title.
    if at.property_type(&draft.property(good)) == PropertyType::GameInfo {
        return None;
    }
    let is_good_first = draft.ids().find(|&id| id == good || id == bad) == Some(good);
    let (first, second, raw): (_, _, &[u8]) = if is_good_first {
        (good, bad, b"IT[]")
    } else {
        (bad, good, b"DO[]")
    };
    draft.replace(first, raw.to_vec(), Framing::Value);
    Some(second)
}
