//! Points that occur more than once in the properties of a node.

use std::collections::BTreeMap;

use sgfstream::Code;
use sgfstream_game::value::PointSet;

use super::remedies::{NodeFinding, Remedies};
use crate::check::Remedy;
use crate::edit::{EditContext, NodeDraft};

impl Remedies<'_, '_> {
    /// Drops the points of setup that later setup of the node replaces.
    pub(super) fn drop_replaced(&mut self) {
        let is_replaced =
            |about: &NodeFinding<'_>| about.finding.remedy == Some(Remedy::DropReplaced);
        if !self.findings.iter().any(is_replaced) {
            return;
        }
        // The points of setup properties that follow, by identifier.
        let mut later: BTreeMap<Vec<u8>, PointSet> = BTreeMap::new();
        let mut is_done = false;
        let ids: Vec<usize> = self
            .draft
            .ids()
            .filter(|id| !self.dropped.contains(id))
            .collect();
        for &id in ids.iter().rev() {
            let property = self.draft.property(id);
            if self.is_move(id) {
                // Keep earlier setup of these points, because the move was played on it.
                later.clear();
            }
            if !matches!(
                &*property.ident().canonical(),
                b"AB" | b"AW" | b"AE" | b"AA"
            ) {
                continue;
            }
            let (ident, framing) = (
                property.ident().canonical().into_owned(),
                property.framing(),
            );
            let mut replaced = PointSet::new();
            for (_, points) in later.iter().filter(|(other, _)| **other != ident) {
                replaced.insert_all(points);
            }
            let mut raw = property.ident().as_bytes().to_vec();
            let (mut displaced, mut own) = (PointSet::new(), PointSet::new());
            for value in property.values() {
                let Some(entry) = self.at.point_entry(value.as_bytes()) else {
                    raw.extend_from_slice(&[b"[", value.as_bytes(), b"]"].concat());
                    continue;
                };
                let rest: PointSet = entry.insert_into(&mut replaced.clone()).collect();
                own.insert_all(&rest);
                if rest.len() == entry.len() {
                    raw.extend_from_slice(&[b"[", value.as_bytes(), b"]"].concat());
                } else {
                    displaced.extend(entry.points().filter(|&point| replaced.contains(point)));
                    for entry in rest.rectangles() {
                        raw.extend_from_slice(format!("[{entry}]").as_bytes());
                    }
                }
            }
            later.entry(ident).or_default().insert_all(&own);
            if displaced.is_empty() {
                continue;
            }
            is_done = true;
            for entry in displaced.rectangles() {
                self.keep(
                    id,
                    Code::RepeatedPoint,
                    entry.to_string().as_bytes(),
                    framing,
                );
            }
            if raw.contains(&b'[') {
                self.draft.replace(id, raw, framing);
            } else {
                self.dropped.insert(id);
            }
        }
        for about in self.findings.iter_mut().filter(|about| is_replaced(about)) {
            about.is_done = Some(is_done);
        }
    }
}

/// The points of the properties before a place in the node, by identifier.
#[derive(Default)]
pub(super) struct PointsBefore {
    /// Number of the first property that was not added.
    next: usize,
    points: BTreeMap<Vec<u8>, PointSet>,
}

impl PointsBefore {
    /// Returns the points of the properties before `id` that have its name. `id` must not decrease.
    pub(super) fn of(&mut self, draft: &NodeDraft<'_>, at: &EditContext, id: usize) -> PointSet {
        for earlier in self.next..id {
            let property = draft.property(earlier);
            let points = self
                .points
                .entry(property.ident().canonical().into_owned())
                .or_default();
            for entry in property
                .values()
                .filter_map(|value| at.point_entry(value.as_bytes()))
            {
                entry.insert_into(points).count();
            }
        }
        self.next = id;
        self.points
            .get(&*draft.ident(id).canonical())
            .cloned()
            .unwrap_or_default()
    }
}
