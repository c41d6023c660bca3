//! `expand` and `compress`: convert lists of points between single points and rectangles.

use sgfstream::Ident;
use sgfstream_game::value::{PointEntry, PointSet};
use sgfstream_game::{Lookup, ValueType};

use super::edit::{Edit, property_edit};
use super::{Context, PropertyId, Unit};

/// Returns the edit that writes lists of points with rectangles (`compress`) or without (spec PT-03, PT-06).
pub(super) fn points_edit(compress: bool) -> Box<dyn Edit> {
    let passes = |ident: Ident<'_>, at: &Context| {
        at.definition(&ident.canonical()).is_none_or(|Lookup { definition, .. }| {
            !matches!(definition.value_type, ValueType::Point | ValueType::Stone)
                && !definition.is_compressible(at.game)
        })
    };
    property_edit(if compress { "compress" } else { "expand" }, passes, move |unit, at, next| {
        unit.each(|unit, id| {
            let Some(Lookup { definition, .. }) = at.definition(&unit.ident(id).canonical()) else { return };
            if at.is_game_open || !definition.is_compressible(at.game) {
                let is_list = matches!(definition.value_type, ValueType::Point | ValueType::Stone);
                if is_list && (at.is_game_open || (!compress && has_rectangles(unit, id))) {
                    next.note_cut("lists of points are unchanged: their game may not have two-letter points");
                }
                return;
            }
            // Versions below 4 have no rectangles (spec PT-03).
            if compress && at.has_ff && at.ff < 4 {
                return next.note_cut("lists of points were not compressed: their game is older than FF[4]");
            }
            let Some(framing) = unit.property(id).map(|property| property.framing()) else {
                if unit.is_property_start(id) {
                    next.note_cut("lists of points are unchanged: they are too long to buffer");
                }
                return;
            };
            if let Some(rewritten) = rewritten(unit, id, at, compress) {
                if rewritten.repeats {
                    next.note("lists name points more than once; each point is written once");
                }
                unit.replace(id, &rewritten.raw, framing);
                next.count(1);
            } else if !compress && has_rectangles(unit, id) {
                next.note_cut("lists of points are unchanged: a point or rectangle is invalid");
            }
        });
    })
}

/// Returns whether a value of the list is a rectangle, or looks like one.
fn has_rectangles(unit: &Unit, id: PropertyId) -> bool {
    unit.property(id).is_some_and(|property| property.values().any(|value| value.as_bytes().contains(&b':')))
}

/// A list of points, rewritten.
struct RewrittenPoints {
    raw: Vec<u8>,
    /// Whether the list named a point more than once.
    repeats: bool,
}

/// Rewrites the list, if all its values are points or rectangles and something changes.
fn rewritten(unit: &Unit, id: PropertyId, at: &Context, compress: bool) -> Option<RewrittenPoints> {
    let property = unit.property(id)?;
    let mut points = PointSet::new();
    let mut listed: Vec<PointEntry> = Vec::new();
    let (mut values, mut repeats) = (0, false);
    for value in property.values() {
        let entry = at.point_entry(value.as_bytes())?;
        values += 1;
        // Skip entries without a new point, so that the list cannot grow beyond the board.
        let new = entry.insert_into(&mut points).count();
        repeats |= new < entry.len();
        if new > 0 {
            listed.push(entry);
        }
    }
    let entries = match compress {
        true => rectangles(points),
        false => {
            let mut written = PointSet::new();
            let new = listed.iter().flat_map(|entry| entry.points()).filter(|&point| written.insert(point));
            new.map(|point| PointEntry::between(point, point)).collect()
        }
    };
    let is_same = match compress {
        true => entries.len() >= values,
        false => listed.iter().all(|entry| entry.as_point().is_some()),
    };
    let mut raw = property.ident().as_bytes().to_vec();
    entries.iter().for_each(|entry| raw.extend_from_slice(format!("[{entry}]").as_bytes()));
    (!is_same).then_some(RewrittenPoints { raw, repeats })
}

/// Covers the points with rectangles, from the upper left. Each is first as wide as possible, then as high as possible.
fn rectangles(mut points: PointSet) -> Vec<PointEntry> {
    let mut entries = Vec::new();
    loop {
        let Some(corner) = points.iter().next() else { break };
        let point = |column, row| sgfstream_game::value::Point::new(column, row);
        let has = |column, row| point(column, row).is_some_and(|point| points.contains(point));
        let mut right = corner.column();
        while has(right + 1, corner.row()) {
            right += 1;
        }
        let mut bottom = corner.row();
        while (corner.column()..=right).all(|column| has(column, bottom + 1)) {
            bottom += 1;
        }
        let entry = PointEntry::between(corner, point(right, bottom).expect("it was found"));
        for point in entry.points() {
            points.remove(point);
        }
        entries.push(entry);
    }
    entries
}
