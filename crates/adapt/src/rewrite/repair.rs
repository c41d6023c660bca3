//! Repairs of single properties.

use sgfstream::Framing;
use sgfstream_game::PropertyType;
use sgfstream_game::value::Number;

use super::keep::Comment;
use super::{PropertyId, Unit};

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

/// Replaces `KI` of SGB, which is twice the komi, with `KM` (spec E-05). Returns false if its value cannot be read.
pub(super) fn halved_komi(unit: &mut Unit, id: PropertyId) -> bool {
    let halves = unit.property(id).and_then(|property| Number::parse_lenient(property.first().as_bytes()).ok());
    let Some(halves) = halves else { return false };
    unit.replace(id, format!("KM[{}]", halves.value.get() as f64 / 2.0).as_bytes(), Framing::Value);
    true
}
