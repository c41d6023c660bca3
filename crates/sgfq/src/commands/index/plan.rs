//! Which segments there are, and which of them must be read.

use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};

use serde_json::Value;

use sgfstream_archive::{ArchiveProblem, Walk, Work};

use super::manifest::Manifest;
use super::source::{Known, Segment};
use super::store::{Done, Store};

/// A segment, by what is to be done about it.
#[derive(Clone, Debug)]
pub(super) enum Planned {
    /// It was made before this run, and waits in the store.
    Finished(Done),
    /// It is in the output that is to be replaced.
    Old(Done),
    /// It is read now.
    Read { key: String, sources: Vec<Value> },
}

/// The segments so far, in order. The feeder adds them, the writer asks.
#[derive(Debug, Default)]
pub(super) struct Plan(Mutex<Vec<Planned>>);

impl Plan {
    pub(super) fn lock(&self) -> MutexGuard<'_, Vec<Planned>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Walks over the inputs and gives those that must be read, each with the
/// number of its segment.
pub(super) struct Planner<'p> {
    pub(super) walk: Walk,
    pub(super) known: &'p Known,
    pub(super) store: &'p Store,
    pub(super) manifest: Option<&'p Manifest>,
    pub(super) fingerprint: &'p str,
    pub(super) least: u64,
    pub(super) plan: &'p Plan,
    pub(super) queue: VecDeque<(u64, Result<Work, ArchiveProblem>)>,
}

impl Planner<'_> {
    /// Plans one more segment. False: there are no more.
    fn plan_segment(&mut self) -> bool {
        let mut segment = Segment::default();
        for work in self.walk.by_ref() {
            if segment.add(work, self.known, self.least) {
                break;
            }
        }
        if segment.works.is_empty() {
            return false;
        }
        let key = segment.key(self.fingerprint);
        let finished = key.as_deref().and_then(|key| self.store.find(key));
        let old = || key.as_deref().and_then(|key| self.manifest?.find(key));
        let mut plan = self.plan.lock();
        let number = plan.len() as u64;
        if let Some(done) = finished {
            plan.push(Planned::Finished(done));
        } else if let Some(done) = old() {
            plan.push(Planned::Old(done.clone()));
        } else {
            let sources = segment.sources.iter().map(super::source::Source::to_json).collect();
            let key = key.unwrap_or_else(|| format!("once-{number}"));
            plan.push(Planned::Read { key, sources });
            self.queue.extend(segment.works.into_iter().map(|work| (number, work)));
        }
        true
    }
}

impl Iterator for Planner<'_> {
    type Item = (u64, Result<Work, ArchiveProblem>);

    fn next(&mut self) -> Option<Self::Item> {
        while self.queue.is_empty() {
            if !self.plan_segment() {
                return None;
            }
        }
        self.queue.pop_front()
    }
}
