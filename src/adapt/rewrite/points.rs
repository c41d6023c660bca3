//! `expand`, `compress`, `pass-empty` and `pass-tt`: two spellings of the same
//! points.

use crate::game::Game;
use crate::game::go::is_pass;
use crate::value::{PointEntry, PointSet};

use super::{Context, Edit, Next, Unit};

/// Lists of points with rectangles, or without (spec PT-03, PT-06).
pub(super) struct Points {
    pub(super) compress: bool,
}

impl Points {
    /// The values of the list in the other spelling, if all are points or
    /// rectangles and something changes.
    fn rewritten(&self, unit: &Unit, number: usize) -> Option<Vec<u8>> {
        let property = unit.property(number)?;
        let mut points = PointSet::new();
        let mut listed: Vec<PointEntry> = Vec::new();
        let mut values = 0;
        for value in property.values() {
            let entry = PointEntry::parse(value.as_bytes()).ok()?;
            values += 1;
            // A point that was named before changes nothing; a list cannot be longer than the board.
            let mut is_new = false;
            for point in entry.points() {
                is_new |= points.insert(point);
            }
            if is_new {
                listed.push(entry);
            }
        }
        let mut out = property.ident().as_bytes().to_vec();
        let mut write = |entry: PointEntry| out.extend_from_slice(format!("[{entry}]").as_bytes());
        let is_same = if self.compress {
            let entries = rectangles(points);
            let is_same = entries.len() >= values;
            entries.into_iter().for_each(&mut write);
            is_same
        } else {
            let is_same = listed.iter().all(|entry| entry.as_point().is_some());
            let mut written = PointSet::new();
            for point in listed.iter().flat_map(|entry| entry.points()) {
                if written.insert(point) {
                    write(PointEntry::between(point, point));
                }
            }
            is_same
        };
        (!is_same).then_some(out)
    }
}

/// The points as rectangles: from the upper left, each as wide as it can be,
/// then as high.
fn rectangles(mut points: PointSet) -> Vec<PointEntry> {
    let mut entries = Vec::new();
    loop {
        let Some(corner) = points.iter().next() else { break };
        let point = |column, row| crate::value::Point::new(column, row);
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

impl Edit for Points {
    fn name(&self) -> &'static str {
        if self.compress { "compress" } else { "expand" }
    }

    fn unit(&mut self, unit: &mut Unit, at: &Context, next: &mut Next<'_>) {
        if unit.is_node() {
            for number in 0..unit.count() {
                let ident = unit.ident(number).canonical().into_owned();
                let is_list = at.definition(&ident).is_some_and(|found| found.definition.is_compressible(at.game));
                if !is_list {
                    continue;
                }
                // Versions below 4 have no rectangles (spec PT-03).
                if self.compress && at.has_ff && at.ff < 4 {
                    next.note("lists of points were not compressed: their game is older than FF[4]");
                    continue;
                }
                if let Some(raw) = self.rewritten(unit, number) {
                    let framing = unit.property(number).map_or(crate::scan::Framing::Value, |it| it.framing());
                    unit.replace(number, &raw, framing);
                    next.count(1);
                }
            }
        }
        next.push(unit);
    }
}

/// Passes on Go boards of at most 19 by 19 as `[]` or as `[tt]` (spec M-01).
pub(super) struct Pass {
    pub(super) empty: bool,
}

impl Edit for Pass {
    fn name(&self) -> &'static str {
        if self.empty { "pass-empty" } else { "pass-tt" }
    }

    fn unit(&mut self, unit: &mut Unit, at: &Context, next: &mut Next<'_>) {
        if unit.is_node() && at.game == Game::Go && at.size.longer() <= 19 {
            let wanted: &[u8] = if self.empty { b"" } else { b"tt" };
            for number in 0..unit.count() {
                if !(unit.ident(number).is(b"B") || unit.ident(number).is(b"W")) {
                    continue;
                }
                let changed = unit.edit_values(number, None, |value, piece| {
                    let value = value.as_bytes();
                    (piece.is_whole() && is_pass(at.size, value) && value != wanted).then(|| wanted.to_vec())
                });
                next.count(u64::from(changed));
            }
        }
        next.push(unit);
    }
}
