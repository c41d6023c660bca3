//! `repair`: values that only a lenient reading understands, as it reads
//! them.

use std::borrow::Cow;
use std::fmt::Display;

use crate::adapt::check::escaped_colons;
use crate::event::RawValue;
use crate::game::{Fit, Game, ValueType};
use crate::scan::Framing;
use crate::value::{
    BoardSize, Color, Dates, Double, GameResult, Komi, Lenient, ListKind, Number, PointEntry, Real, Time,
};

use super::{Context, Edit, Next, Unit};

/// Writes numbers, points, colours, dates, results and times as FF\[4\] has
/// them, where a lenient reading understands what stands there. What is not
/// understood stays.
pub(super) struct RepairValues;

impl Edit for RepairValues {
    fn name(&self) -> &'static str {
        "repair"
    }

    fn unit(&mut self, unit: &mut Unit, at: &Context, next: &mut Next<'_>) {
        if unit.is_node() {
            next.count(repair_values(unit, at));
        }
        next.push(unit);
    }
}

/// A value read leniently, if that took a repair.
fn fixed<T: Display, E>(read: Result<Lenient<T>, E>) -> Option<Vec<u8>> {
    let read = read.ok()?;
    read.repair.map(|_| read.value.to_string().into_bytes())
}

/// Two values with one `:` between: a further one is escaped, and one that is
/// missing stands behind a text.
fn composed(are_texts: bool, value: &[u8]) -> Option<Vec<u8>> {
    let split = |value| RawValue::new(value, Framing::Value).compose();
    let Some((before, behind)) = split(value) else {
        return (are_texts && !value.is_empty()).then(|| [value, b":"].concat());
    };
    split(behind.as_bytes())?;
    Some([before.as_bytes(), b":", &escaped_colons(behind.as_bytes())].concat())
}

/// A value as FF\[4\] has it; nothing where it is so already, or cannot be
/// understood.
fn repaired(ident: &[u8], value_type: ValueType, value: &[u8], at: &Context) -> Option<Vec<u8>> {
    match ident {
        b"DT" if !value.trim_ascii().is_empty() => return fixed(Dates::parse_lenient(value)),
        b"RE" if !value.trim_ascii().is_empty() => {
            if at.game == Game::Backgammon && GameResult::parse_backgammon(value).is_ok() {
                return None;
            }
            return fixed(GameResult::parse_lenient(value));
        }
        b"KM" if !value.trim_ascii().is_empty() => return fixed(Komi::parse_lenient(value)),
        b"TM" if !value.trim_ascii().is_empty() => return fixed(Time::parse_lenient(value)),
        b"SZ" | b"GM" | b"FF" | b"CA" => return None,
        _ => {}
    }
    match value_type {
        ValueType::Compose(first, second) => composed(first.is_text() && second.is_text(), value),
        ValueType::Number => fixed(Number::parse_lenient(value)),
        ValueType::Real => fixed(Real::parse_lenient(value)),
        // A text there is somebody's own property: Sina's TE is a title, KO the komi.
        ValueType::Double if value.iter().all(|byte| byte.is_ascii_digit() || byte.is_ascii_whitespace()) => {
            let read = Double::parse_lenient(value);
            read.repair.map(|_| read.value.to_string().into_bytes())
        }
        ValueType::None if value.iter().any(|byte| !byte.is_ascii_whitespace()) => None,
        ValueType::Color => fixed(Color::parse_lenient(value)),
        ValueType::None if !value.is_empty() => Some(Vec::new()),
        ValueType::Point | ValueType::Stone | ValueType::Move if at.game.has_two_letter_points() => {
            let blanks = value.iter().any(u8::is_ascii_whitespace);
            let without: Cow<'_, [u8]> = match blanks {
                true => value.iter().copied().filter(|byte| !byte.is_ascii_whitespace()).collect(),
                false => Cow::Borrowed(value),
            };
            if value_type != ValueType::Move
                && let Ok(entry) = PointEntry::parse_lenient(&without)
                && entry.repair.is_some()
            {
                return Some(entry.value.to_string().into_bytes());
            }
            blanks.then(|| without.into_owned())
        }
        _ => None,
    }
}

/// Repairs the values of a node's properties; says how many properties.
pub(super) fn repair_values(unit: &mut Unit, at: &Context) -> u64 {
    let mut changed = 0;
    let mut empty = Vec::new();
    for number in 0..unit.count() {
        let ident = unit.ident(number).canonical().into_owned();
        let Some(found) = at.definition(&ident).filter(|found| found.fit != Fit::OtherGame) else { continue };
        let value_type = found.definition.value_type;
        if found.definition.list_kind == ListKind::List && !value_type.may_be_empty() {
            // `AB[]`: an empty value where none makes sense (SGFC 17).
            changed += u64::from(without_empty_values(unit, number, &mut empty));
        }
        let is_changed = unit.edit_values(number, None, |value, piece| {
            if !piece.is_whole() {
                return None;
            }
            repaired(&ident, value_type, value.as_bytes(), at).filter(|edited| edited != value.as_bytes())
        });
        changed += u64::from(is_changed);
    }
    if !empty.is_empty() {
        changed += unit.retain(|_, number| empty.binary_search(&number).is_err());
    }
    changed
}

pub(super) fn without_empty_values(unit: &mut Unit, number: usize, empty: &mut Vec<usize>) -> bool {
    let Some(property) = unit.property(number) else { return false };
    if property.values().all(|value| !value.is_empty()) {
        return false;
    }
    let mut raw = property.ident().as_bytes().to_vec();
    let mut left = 0;
    for value in property.values().filter(|value| !value.is_empty()) {
        raw.extend_from_slice(&[b"[", value.as_bytes(), b"]"].concat());
        left += 1;
    }
    let framing = property.framing();
    if left == 0 {
        empty.push(number);
        return false;
    }
    unit.replace(number, &raw, framing);
    true
}

/// FF, GM, SZ and KI of a root. FF stands first if it was missing.
pub(super) fn repaired_root(unit: &mut Unit, at: &Context) -> u64 {
    let mut changed = 0;
    let mut set = |unit: &mut Unit, ident: &[u8], value: &str| {
        changed += u64::from(unit.set_property(ident, value.as_bytes(), 0));
    };
    set(unit, b"FF", "4");
    let value = |unit: &Unit, ident: &[u8]| {
        let property = unit.property(unit.find(ident)?)?;
        Some(property.first().as_bytes().to_vec())
    };
    if let Some(gm) = value(unit, b"GM") {
        let read = Game::parse_lenient(&gm);
        if let (Some(_), Some(number)) = (read.repair, read.value.number()) {
            set(unit, b"GM", &number.to_string());
        }
    }
    if let Some(sz) = value(unit, b"SZ")
        && let Ok(read) = BoardSize::parse_lenient(&sz, u32::from(u16::MAX))
        && read.repair.is_some()
    {
        set(unit, b"SZ", &read.value.to_string());
    }
    // SGB's KI is twice the komi (spec E-05).
    if let (Some(ki), None, Game::Go) = (value(unit, b"KI"), unit.find(b"KM"), at.game)
        && let Ok(read) = Number::parse_lenient(&ki)
        && let Some(number) = unit.find(b"KI")
    {
        let komi = read.value.get() as f64 / 2.0;
        unit.replace(number, format!("KM[{komi}]").as_bytes(), Framing::Value);
        changed += 1;
    }
    changed
}
