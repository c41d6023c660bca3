//! `expand` and `compress`: convert lists of points between single points and rectangles.

use sgfstream::Ident;
use sgfstream::record::GameRecord;
use sgfstream_game::property::{Definition, ValueType};
use sgfstream_game::value::{PointEntry, PointSet};

use super::{EditContext, EditOutput, GameEdit, PlacedProperty};

/// Edit that writes lists of points with rectangles (`compress`) or without (spec PT-03, PT-06).
pub(super) struct PointLists {
    pub(super) compress: bool,
}

impl GameEdit for PointLists {
    fn name(&self) -> &'static str {
        if self.compress { "compress" } else { "expand" }
    }

    fn edit(&self, game: &GameRecord<'_>, at: &EditContext, out: &mut EditOutput) {
        let is_list = |found: &Definition| {
            matches!(found.value_type, ValueType::Point | ValueType::Stone)
                || found.is_compressible(at.game)
        };
        let definition = |ident: Ident<'_>| at.definition(ident).filter(|found| is_list(found));
        for placed in PlacedProperty::wanted(*game, |ident, _| definition(ident).is_some()) {
            let Some(found) = definition(placed.property.ident()) else {
                continue;
            };
            self.edit_list(&placed, found.is_compressible(at.game), at, out);
        }
    }
}

impl PointLists {
    fn edit_list(
        &self,
        placed: &PlacedProperty<'_>,
        is_compressible: bool,
        at: &EditContext,
        out: &mut EditOutput,
    ) {
        if !is_compressible {
            if !self.compress && has_rectangles(placed) {
                let note =
                    "lists of points are unchanged: their game may not have two-letter points";
                out.note_cut(note, placed.node);
            }
            return;
        }
        // Versions below 4 have no rectangles (spec PT-03).
        if self.compress && at.has_ff && at.ff < 4 {
            return out.note_cut(
                "lists of points were not compressed: their game is older than FF[4]",
                placed.node,
            );
        }
        if let Some(rewritten) = rewritten(placed, at, self.compress) {
            if rewritten.repeats {
                out.note(
                    "lists name points more than once; each point is written once",
                    placed.node,
                );
            }
            out.edits.replace(placed.span.clone(), rewritten.raw);
            out.count(1);
        } else if !self.compress && has_rectangles(placed) {
            out.note_cut(
                "lists of points are unchanged: a point or rectangle is invalid",
                placed.node,
            );
        }
    }
}

/// Returns whether a value of the list is a rectangle, or looks like one.
fn has_rectangles(placed: &PlacedProperty<'_>) -> bool {
    placed
        .property
        .values()
        .any(|value| value.as_bytes().contains(&b':'))
}

/// A list of points, rewritten.
struct RewrittenPoints {
    raw: Vec<u8>,
    /// Whether the list named a point more than once.
    repeats: bool,
}

/// Rewrites the list, if all its values are points or rectangles and something changes.
fn rewritten(
    placed: &PlacedProperty<'_>,
    at: &EditContext,
    compress: bool,
) -> Option<RewrittenPoints> {
    let property = placed.property;
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
        true => points.rectangles(),
        false => {
            let mut written = PointSet::new();
            let new = listed
                .iter()
                .flat_map(|entry| entry.points())
                .filter(|&point| written.insert(point));
            new.map(|point| PointEntry::between(point, point)).collect()
        }
    };
    let is_same = match compress {
        true => entries.len() >= values,
        false => listed.iter().all(|entry| entry.as_point().is_some()),
    };
    let mut raw = property.ident().as_bytes().to_vec();
    entries
        .iter()
        .for_each(|entry| raw.extend_from_slice(format!("[{entry}]").as_bytes()));
    (!is_same).then_some(RewrittenPoints { raw, repeats })
}
