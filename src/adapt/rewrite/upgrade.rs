//! `upgrade`: games of FF\[1\] to FF\[3\] as FF\[4\] has them, by the rules of
//! the conversion pages (spec E-03 to E-05).

use crate::game::{Fit, PropertyType, ValueType};
use crate::scan::Framing;
use crate::value::ListKind;

use super::markup::labels;
use super::rename::shorten;
use super::repair::{repair_values, repaired_root};
use super::{Context, Edit, Next, Unit};

/// Makes FF\[4\] of older games:
///
/// - FF is 4, identifiers have no small letters, SZ, GM and other values of the
///   root are repaired, a `KI` becomes the komi it is twice of;
/// - values of numbers, points, dates and results that only a lenient reading
///   understands are written as it reads them;
/// - a property that stands twice in a node is one: lists and texts are
///   joined, of others the first stays;
/// - M becomes MA, or TR on the stone that was just played or put; L becomes
///   LB; TE with BM becomes IT, BM with TE becomes DO; two corners in VW become
///   their rectangle;
/// - a node with setup and moves, or with moves of both sides, becomes two.
///
/// FF\[4\] games are repaired the same way, where the version does not count.
#[derive(Default)]
pub(super) struct Upgrade {
    is_current: bool,
}

impl Edit for Upgrade {
    fn name(&self) -> &'static str {
        "upgrade"
    }

    fn context(&self, at: &mut Context) {
        at.ff = 4;
        at.has_ff = true;
    }

    fn unit(&mut self, unit: &mut Unit, at: &Context, next: &mut Next<'_>) {
        if !unit.is_node() {
            return next.push(unit);
        }
        if at.in_root && unit.begins_node() {
            self.is_current = at.has_ff && at.ff >= 4;
            next.count(repaired_root(unit, at));
        }
        next.count(shorten(unit));
        let whole = unit.begins_node() && unit.ends_node();
        if whole {
            next.count(joined(unit, at));
        }
        if !self.is_current {
            next.count(old_markup(unit, at, whole));
        }
        if whole {
            let mut second = Vec::new();
            next.count(u64::from(annotations(unit, &mut second)));
            unit.retain(|_, number| !second.contains(&number));
        }
        next.count(repair_values(unit, at));
        if whole {
            self.split(unit, at, next);
        } else {
            next.note("nodes too long to be held were not split");
            next.push(unit);
        }
    }
}

impl Upgrade {
    /// A node with both setup and moves becomes two: the first gets setup,
    /// root, game-info and N, the second the rest (spec E-04). Then a node with
    /// B and W becomes two as well (SGFC 37).
    fn split(&mut self, unit: &mut Unit, at: &Context, next: &mut Next<'_>) {
        let kind = |unit: &Unit, number: usize| property_type(unit, number, at);
        let has = |unit: &Unit, wanted| (0..unit.count()).any(|number| kind(unit, number) == wanted);
        let plays = |unit: &Unit| unit.find(b"B").is_some() || unit.find(b"W").is_some();
        if has(unit, PropertyType::Setup) && has(unit, PropertyType::Move) {
            // Who is to play is clear from the move (spec Q-05).
            let only_player = (0..unit.count())
                .all(|number| kind(unit, number) != PropertyType::Setup || unit.ident(number).is(b"PL"));
            if only_player && plays(unit) {
                let dropped = unit.retain(|unit, number| !unit.ident(number).is(b"PL"));
                next.count(dropped);
            } else {
                let mut second = Unit::node();
                unit.move_to(&mut second, |unit, number| {
                    let stays = matches!(
                        property_type(unit, number, at),
                        PropertyType::Setup | PropertyType::Root | PropertyType::GameInfo
                    );
                    !stays && !unit.ident(number).is(b"N")
                });
                next.count(1);
                next.push(unit);
                return split_moves(&mut second, next, true);
            }
        }
        split_moves(unit, next, false);
    }
}

/// A node with B and W becomes two (SGFC 37). `second`: it was split off
/// another.
fn split_moves(unit: &mut Unit, next: &mut Next<'_>, second: bool) {
    let push = |unit: &mut Unit, next: &mut Next<'_>| if second { next.push_second(unit) } else { next.push(unit) };
    if let (Some(black), Some(white)) = (unit.find(b"B"), unit.find(b"W")) {
        let second_ident: &[u8] = if black < white { b"W" } else { b"B" };
        let times: [&[u8]; 2] = if black < white { [b"WL", b"OW"] } else { [b"BL", b"OB"] };
        let mut other = Unit::node();
        unit.move_to(&mut other, |unit, number| {
            let ident = unit.ident(number);
            ident.is(second_ident) || times.iter().any(|time| ident.is(time))
        });
        next.count(1);
        push(unit, next);
        return next.push_second(&mut other);
    }
    push(unit, next);
}

pub(super) fn property_type(unit: &Unit, number: usize, at: &Context) -> PropertyType {
    let found = at.definition(&unit.ident(number).canonical());
    match found {
        Some(found) if found.fit != Fit::OtherGame => found.definition.property_type,
        _ => PropertyType::None,
    }
}

/// A property that stands more than once in its node becomes one (spec I-08;
///
fn joined(unit: &mut Unit, at: &Context) -> u64 {
    let mut dropped = Vec::new();
    let mut seen: Vec<(Vec<u8>, usize, Vec<usize>)> = Vec::new();
    for number in 0..unit.count() {
        let ident = unit.ident(number).canonical().into_owned();
        match seen.iter().position(|(known, ..)| *known == ident) {
            Some(found) => seen[found].2.push(number),
            // A node has few identifiers; one with very many is left alone.
            None if seen.len() < 256 => seen.push((ident, number, Vec::new())),
            None => {}
        }
    }
    for (_, first, others) in seen.iter().filter(|(.., others)| !others.is_empty()) {
        // Nobody knows what it is: both stay.
        if joined_into(unit, *first, others, at, false) {
            dropped.extend_from_slice(others);
        }
    }
    dropped.sort_unstable();
    unit.retain(|_, number| dropped.binary_search(&number).is_err());
    dropped.len() as u64
}

/// Joins the properties `others` to the one of their name, `first`: lists and
/// texts are joined, of others the first stays. False if they cannot be, or if
/// nothing defines them and `unknown` is not to be joined.
pub(super) fn joined_into(unit: &mut Unit, first: usize, others: &[usize], at: &Context, unknown: bool) -> bool {
    let Some(one) = unit.property(first) else { return false };
    let (framing, ident) = (one.framing(), one.ident().canonical());
    let definition = at.definition(&ident).map(|found| found.definition);
    let (is_list, is_text) = match definition.map(|definition| (definition.list_kind, definition.value_type)) {
        Some((ListKind::List | ListKind::Elist, _)) => (true, false),
        Some((_, ValueType::Text)) => (false, true),
        Some(_) => return others.iter().all(|&number| unit.property(number).is_some()),
        None if unknown => (true, false),
        None => return false,
    };
    let mut raw = one.as_bytes().to_vec();
    for &number in others {
        let Some(other) = unit.property(number) else { return false };
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

/// M, L and VW of older versions.
pub(super) fn old_markup(unit: &mut Unit, at: &Context, whole: bool) -> u64 {
    let mut changed = 0;
    if let (Some(number), true) = (unit.find(b"L"), is_old(unit, b"L", at))
        && labels(unit, number)
    {
        unit.rename(number, b"LB");
        changed += 1;
    }
    if let (Some(number), true) = (unit.find(b"M"), whole) {
        changed += 1;
        marks(unit, number);
    }
    if let Some(number) = unit.find(b"VW")
        && let Some(property) = unit.property(number)
    {
        let values: Vec<&[u8]> = property.values().map(|value| value.as_bytes().trim_ascii()).collect();
        if let [first, second] = values.as_slice()
            && first != second
            && let (Ok(first), Ok(second)) = (crate::value::Point::parse(first), crate::value::Point::parse(second))
        {
            let raw = format!("VW[{}]", crate::value::PointEntry::between(first, second));
            unit.replace(number, raw.as_bytes(), Framing::Value);
            changed += 1;
        }
    }
    changed
}

fn is_old(unit: &Unit, ident: &[u8], at: &Context) -> bool {
    unit.find(ident).is_some() && at.definition(ident).is_some_and(|found| !found.definition.versions.contains(4))
}

/// M becomes TR on stones and MA elsewhere. The board is not known here, but
/// the stones of the node are, and a mark is mostly on the move.
fn marks(unit: &mut Unit, number: usize) {
    let mut stones: Vec<Vec<u8>> = Vec::new();
    for ident in [&b"B"[..], b"W", b"AB", b"AW"] {
        if let Some(property) = unit.find(ident).and_then(|number| unit.property(number)) {
            stones.extend(property.values().map(|value| value.as_bytes().trim_ascii().to_vec()));
        }
    }
    stones.sort_unstable();
    let Some(property) = unit.property(number) else {
        return unit.rename(number, b"MA");
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
        return unit.rename(number, b"MA");
    }
    unit.replace(number, &raw(b"TR", &triangles), framing);
    if !crosses.is_empty() {
        unit.insert(number + 1, &raw(b"MA", &crosses), framing);
    }
}

/// TE and BM in one node say what IT or DO says; which stands first decides
/// (spec E-05). The number of the second goes to `dropped`.
pub(super) fn annotations(unit: &mut Unit, dropped: &mut Vec<usize>) -> bool {
    let (Some(good), Some(bad)) = (unit.find(b"TE"), unit.find(b"BM")) else { return false };
    let (first, ident): (usize, &[u8]) = if good < bad { (good, b"IT[]") } else { (bad, b"DO[]") };
    unit.replace(first, ident, Framing::Value);
    dropped.push(good.max(bad));
    true
}
