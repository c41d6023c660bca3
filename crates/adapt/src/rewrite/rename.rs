//! `rename`, `short-names`, `gorilla` and `pentobi`: rename properties, and make the changes that belong to the new names.

use std::borrow::Cow;

use sgfstream_game::gorilla as gorilla_names;
use sgfstream_game::pentobi::{Piece, canonical_ident};
use sgfstream_game::{Game, MoveIds, Variant};

use super::edit::{Edit, EditFault, node_edit};
use super::markup::labels;
use super::{PropertyId, Unit};

/// Returns whether the text is an identifier in the spelling of FF\[4\]: capitals and digits.
pub(super) fn is_ident(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit())
}

/// Returns the edit for `OLD=NEW`, which renames a property.
pub(super) fn rename(text: &str) -> Result<Box<dyn Edit>, EditFault> {
    let Some((old, new)) = text.split_once('=').filter(|(old, new)| is_ident(old) && is_ident(new)) else {
        return Err(EditFault::new(format!("expected OLD=NEW, such as SL=SQ, found `{text}`")));
    };
    let (old, new) = (old.as_bytes().to_vec(), new.as_bytes().to_vec());
    Ok(node_edit("rename", move |unit, _, next| {
        unit.each(|unit, id| {
            if unit.ident(id).is(&old) {
                unit.rename(id, &new);
                next.count(u64::from(unit.is_property_start(id)));
            }
        });
    }))
}

/// Returns the edit that writes old long names without lowercase letters, as in FF\[4\] (spec I-02).
pub(super) fn short_names() -> Box<dyn Edit> {
    node_edit("short-names", |unit, _, next| next.count(shorten(unit)))
}

/// Drops the lowercase letters of identifiers. Returns the number of properties that had some.
pub(super) fn shorten(unit: &mut Unit) -> u64 {
    let mut changed = 0;
    unit.each(|unit, id| {
        if let Cow::Owned(canonical) = unit.ident(id).canonical()
            && !canonical.is_empty()
        {
            changed += u64::from(unit.is_property_start(id));
            unit.rename(id, &canonical);
        }
    });
    changed
}

/// Returns the edit that converts old files as GoRilla does: it drops digits and lowercase letters of identifiers, and
/// renames M to MA, L to LB and SL to SQ (spec G-22, G-24). It skips games whose identifiers have digits.
pub(super) fn gorilla() -> Box<dyn Edit> {
    node_edit("gorilla", |unit, at, next| {
        if at.game.variant().is_some() || at.game.is_boardspace() || at.game == Game::Other {
            return;
        }
        unit.each(|unit, id| {
            let written = unit.ident(id).as_bytes().to_vec();
            let stripped = gorilla_names::stripped(&written);
            let converted = gorilla_names::converted(&stripped);
            if stripped.is_empty() || converted == written {
                return;
            }
            if &*stripped == b"L" && !labels(unit, id) {
                // The labels of a list that comes in pieces cannot be counted.
                return next.note_cut("lists of letters were too long to become labels");
            }
            unit.rename(id, converted);
            next.count(u64::from(unit.is_property_start(id)));
        });
    })
}

/// Returns the edit that converts old files as Pentobi does: BLUE, YELLOW, RED, GREEN and misplaced numbers become the
/// current identifiers, and a move becomes one value (spec P-21, P-22, P-39).
pub(super) fn pentobi() -> Box<dyn Edit> {
    node_edit("pentobi", |unit, at, next| {
        let Some(variant) = at.game.variant() else { return };
        unit.each(|unit, id| {
            let mut changed = join_values(unit, id, variant, at.game.move_ids());
            let written = unit.ident(id).canonical().into_owned();
            let canonical = canonical_ident(variant, &written);
            if *canonical != *written {
                unit.rename(id, &canonical);
                changed = true;
            }
            next.count(u64::from(changed && unit.is_property_start(id)));
        });
    })
}

/// Joins a move that is a list of points into one value, in Pentobi's order if it is a piece.
fn join_values(unit: &mut Unit, id: PropertyId, variant: Variant, moves: MoveIds) -> bool {
    let Some(property) = unit.property(id) else { return false };
    if !moves.contains(property.ident()) || property.only().is_some() {
        return false;
    }
    let values: Vec<&[u8]> = property.values().map(|value| value.as_bytes()).collect();
    let joined = match Piece::parse_values(variant, values.iter().copied()) {
        Ok(piece) => piece.show(variant).to_string().into_bytes(),
        Err(_) => values.iter().map(|value| value.trim_ascii()).collect::<Vec<_>>().join(&b','),
    };
    let raw = [property.ident().as_bytes(), b"[", &joined, b"]"].concat();
    let framing = property.framing();
    unit.replace(id, &raw, framing);
    true
}
