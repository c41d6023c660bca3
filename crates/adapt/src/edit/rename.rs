//! `rename`, `short-names`, `gorilla` and `pentobi`: rename properties, and make the changes that
//! belong to the new names.

use std::borrow::Cow;

use sgfstream::Ident;
use sgfstream::record::GameRecord;
use sgfstream_game::gorilla as gorilla_names;
use sgfstream_game::pentobi::{Piece, canonical_ident};
use sgfstream_game::{Game, dialect::Variant, internal::MoveIds};

use super::markup::labels;
use super::{EditContext, EditFault, EditOutput, GameEdit, PlacedProperty};

/// Returns whether the text is an identifier in the spelling of FF\[4\]: capitals and digits.
pub(super) fn is_ident(text: &str) -> bool {
    !text.is_empty()
        && text
            .bytes()
            .all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit())
}

/// Edit that renames a property.
struct Rename {
    old: Vec<u8>,
    new: Vec<u8>,
}

/// Returns the edit for `OLD=NEW`, which renames a property.
pub(super) fn rename(text: &str) -> Result<Box<dyn GameEdit>, EditFault> {
    let Some((old, new)) = text
        .split_once('=')
        .filter(|(old, new)| is_ident(old) && is_ident(new))
    else {
        return Err(EditFault(format!(
            "expected OLD=NEW, such as SL=SQ, found `{text}`"
        )));
    };
    Ok(Box::new(Rename {
        old: old.as_bytes().to_vec(),
        new: new.as_bytes().to_vec(),
    }))
}

impl GameEdit for Rename {
    fn name(&self) -> &'static str {
        "rename"
    }

    fn edit(&self, game: &GameRecord<'_>, _: &EditContext, out: &mut EditOutput) {
        for placed in PlacedProperty::wanted(*game, |ident, _| ident.is(&self.old)) {
            out.rename(&placed, &self.new);
            out.count(1);
        }
    }
}

/// Drops the lowercase letters of identifiers, as FF\[4\] does (spec I-02).
pub(super) fn shorten(game: &GameRecord<'_>, out: &mut EditOutput) {
    let has_lowercase = |ident: Ident<'_>, _| matches!(ident.canonical(), Cow::Owned(canonical) if !canonical.is_empty());
    for placed in PlacedProperty::wanted(*game, has_lowercase) {
        out.rename(&placed, &placed.property.ident().canonical());
        out.count(1);
    }
}

/// Converts old files as GoRilla does: it drops digits and lowercase letters of identifiers, and
/// renames M to MA, L to LB and SL to SQ (spec G-22, G-24). It skips games whose identifiers have
/// digits.
pub(super) fn gorilla(game: &GameRecord<'_>, at: &EditContext, out: &mut EditOutput) {
    if at.game.variant().is_some() || at.game.is_boardspace() || at.game == Game::Other {
        return;
    }
    for placed in PlacedProperty::wanted(*game, |_, _| true) {
        let written = placed.property.ident().as_bytes();
        let stripped = gorilla_names::stripped(written);
        let converted = gorilla_names::converted(&stripped);
        if stripped.is_empty() || converted == written {
            continue;
        }
        if &*stripped == b"L" {
            out.edit_values(&placed, labels());
        }
        out.rename(&placed, converted);
        out.count(1);
    }
}

/// Converts old files as Pentobi does: BLUE, YELLOW, RED, GREEN and misplaced numbers become the
/// current identifiers, and a move becomes one value (spec P-21, P-22, P-39).
pub(super) fn pentobi(game: &GameRecord<'_>, at: &EditContext, out: &mut EditOutput) {
    let Some(variant) = at.game.variant() else {
        return;
    };
    for placed in PlacedProperty::wanted(*game, |_, _| true) {
        let written = placed.property.ident().canonical();
        let canonical = canonical_ident(variant, &written);
        let is_renamed = *canonical != *written;
        if let Some(value) = joined_values(&placed, variant, at.game.move_ids()) {
            let ident = if is_renamed {
                &canonical[..]
            } else {
                placed.property.ident().as_bytes()
            };
            out.edits
                .replace(placed.span, [ident, b"[", &value, b"]"].concat());
        } else if is_renamed {
            out.rename(&placed, &canonical);
        } else {
            continue;
        }
        out.count(1);
    }
}

/// Joins a move that is a list of points into one value, in Pentobi's order if it is a piece.
fn joined_values(placed: &PlacedProperty<'_>, variant: Variant, moves: MoveIds) -> Option<Vec<u8>> {
    let property = placed.property;
    if !moves.contains(property.ident()) || property.only().is_some() {
        return None;
    }
    let values: Vec<&[u8]> = property.values().map(|value| value.as_bytes()).collect();
    Some(match Piece::parse_values(variant, values.iter().copied()) {
        Ok(piece) => piece.show(variant).to_string().into_bytes(),
        Err(_) => values
            .iter()
            .map(|value| value.trim_ascii())
            .collect::<Vec<_>>()
            .join(&b','),
    })
}
