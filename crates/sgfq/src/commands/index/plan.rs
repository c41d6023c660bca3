//! Which segments there are, and which of them must be read.

use std::collections::VecDeque;
use std::path::PathBuf;
use std::str::FromStr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use sgfstream_archive::{ArchiveProblem, Work, WorkKind};
use sgfstream_engine::{self as engine, Border, Engine, Piece};

use crate::io::sources::Source;

use super::manifest::place_of;
use super::source::{Found, Known, Segment};
use super::store::{Done, Store};

/// A share of the segments: each N-th.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Shard {
    /// From 0.
    number: u64,
    of: u64,
}

impl FromStr for Shard {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let numbers = || {
            let (number, of) = text.split_once('/')?;
            Some((number.parse().ok()?, of.parse().ok()?))
        };
        match numbers() {
            Some((number @ 1.., of)) if number <= of => Ok(Self { number: number - 1, of }),
            _ => Err("expected I/N, with I from 1 to N"),
        }
    }
}

/// A run of sources that is one segment, or a piece of one large source, which may become several.
#[derive(Clone, Debug)]
pub(super) struct Planned {
    key: String,
    sources: Arc<[Source]>,
    /// Segments can end inside of its source.
    pub(super) is_inner: bool,
    from: Border,
    /// Where it ends, if not with its last source.
    pub(super) until: Option<Border>,
    /// Segments that are finished: before this run, or in it.
    pub(super) done: Vec<Done>,
}

impl Planned {
    /// The name of its first source.
    pub(super) fn name(&self) -> &str {
        self.sources.first().map_or("", |source| &source.name)
    }

    /// The segment that begins where the one before it ended, with nothing in it.
    pub(super) fn next_done(&self) -> Done {
        let from = self.done.last().map_or(Some(self.from), |done| done.next).unwrap_or_default();
        Done {
            key: key_at(&self.key, from.at),
            sources: Arc::clone(&self.sources),
            from,
            was_read_now: true,
            ..Done::default()
        }
    }
}

/// The feeder adds to it, the writer asks.
#[derive(Debug, Default)]
pub(super) struct Plan(Mutex<PlanState>);

#[derive(Debug, Default)]
pub(super) struct PlanState {
    /// In order, so far.
    pub(super) segments: Vec<Planned>,
    /// An output, and an input that it would replace.
    pub(super) overlap: Option<(PathBuf, PathBuf)>,
}

impl Plan {
    pub(super) fn lock(&self) -> MutexGuard<'_, PlanState> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The key of the segment of a source with this key that begins there.
fn key_at(key: &str, at: u64) -> String {
    if at == 0 { key.to_owned() } else { format!("{key}-{at}") }
}

/// The sources of all segments.
pub(super) fn sources_of(segments: &[Planned]) -> Vec<&Source> {
    let mut sources: Vec<&Source> = segments.iter().flat_map(|planned| &*planned.sources).collect();
    // A large source is in several segments.
    sources.dedup();
    sources
}

/// Of the inputs that were found, gives those that must be read, each with the
/// number of its segment.
pub(super) struct Planner<'p, F> {
    pub(super) found: F,
    pub(super) known: &'p Known,
    pub(super) store: &'p Store,
    pub(super) fingerprint: &'p str,
    /// Bytes that a segment has, but the last. A source that has as many is read in several segments.
    pub(super) least: u64,
    pub(super) plan: &'p Plan,
    pub(super) queue: VecDeque<engine::Source>,
    /// Bytes of a segment inside of one source, at least.
    pub(super) inner: u64,
    /// The segments that are read; all, if there is none.
    pub(super) shard: Option<Shard>,
    /// How many were planned.
    pub(super) count: u64,
    /// Cuts plain files, if the job can read them in pieces.
    pub(super) engine: Option<Engine>,
    /// The tables.
    pub(super) outputs: Vec<PathBuf>,
    /// A source that begins the next segment.
    pub(super) next: Option<Found>,
}

impl<F: Iterator<Item = Found>> Planner<'_, F> {
    /// Plans one more segment, or those of one large source. False: there are no more.
    fn plan_segment(&mut self) -> bool {
        let mut segment = Segment::default();
        let mut is_inner = false;
        while let Some(found) = self.next.take().or_else(|| self.found.next()) {
            let work = found.as_ref().ok().map(|(work, _)| work);
            self.look_at(work);
            is_inner = work.is_some_and(|work| self.is_large(work));
            if is_inner && !segment.works.is_empty() {
                (self.next, is_inner) = (Some(found), false);
                break;
            }
            if segment.add(found, self.least) || is_inner {
                break;
            }
        }
        if segment.works.is_empty() {
            return false;
        }
        let key = segment.key(self.fingerprint);
        let sources: Arc<[Source]> = segment.sources.into();
        let Some(key) = key else {
            if self.shard.is_none() {
                self.read(None, sources, false, Border::default(), None, segment.works);
            }
            return true;
        };
        // The shares of a plain file are known before it is read; those of an archive are one.
        let ends = self.shard.filter(|_| is_inner).and_then(|_| self.ends_in(segment.works[0].as_ref().ok()?));
        let mut from = Border::default();
        for end in ends.unwrap_or_default().into_iter().map(Some).chain([None]) {
            let number = self.count;
            self.count += 1;
            if self.shard.is_none_or(|shard| number % shard.of == shard.number) {
                self.plan_range(&key, &sources, is_inner, (from, end), &segment.works);
            }
            from = end.unwrap_or_default();
        }
        true
    }

    /// Plans the segments of these sources in a range.
    fn plan_range(
        &mut self,
        key: &str,
        sources: &Arc<[Source]>,
        is_inner: bool,
        (from, end): (Border, Option<Border>),
        works: &[Result<Work, ArchiveProblem>],
    ) {
        let mut next = Some(from);
        while let Some(from) = next.filter(|from| end.is_none_or(|end| from.at < end.at)) {
            next = match self.store.find(&key_at(key, from.at)) {
                Some(done) => {
                    let next = done.next;
                    let planned = Planned {
                        key: key.to_owned(),
                        sources: Arc::clone(sources),
                        is_inner,
                        from,
                        until: next,
                        done: vec![done],
                    };
                    self.plan.lock().segments.push(planned);
                    next
                }
                None => {
                    let known = self.known.start_after(key, from.at);
                    let until = [known, end].into_iter().flatten().min_by_key(|border| border.at);
                    self.read(Some(key), Arc::clone(sources), is_inner, from, until, works.to_vec());
                    until
                }
            };
        }
    }

    /// Where the segments of a plain file end, all but the last. None for an archive, and for a file that cannot be
    /// read, which is told when it is read.
    fn ends_in(&self, work: &Work) -> Option<Vec<Border>> {
        let is_plain = work.kind().is_ok_and(|kind| kind == WorkKind::Plain);
        self.engine.as_ref().filter(|_| is_plain)?.borders(work, self.inner).ok()
    }

    fn is_large(&self, work: &Work) -> bool {
        work.size().is_some_and(|size| size >= self.least) && work.member().is_none() && work.game().is_none()
    }

    /// Has them read.
    fn read(
        &mut self,
        key: Option<&str>,
        sources: Arc<[Source]>,
        is_inner: bool,
        from: Border,
        until: Option<Border>,
        works: Vec<Result<Work, ArchiveProblem>>,
    ) {
        let mut plan = self.plan.lock();
        let number = plan.segments.len() as u64;
        let key = key.map_or_else(|| format!("once-{number}"), str::to_owned);
        plan.segments.push(Planned { key, sources, is_inner, from, until, done: Vec::new() });
        let until = until.map(|until| until.at);
        self.queue.extend(works.into_iter().map(|work| (number, work.map(|work| Piece::new(work, from, until)))));
    }

    /// Remembers an input that has the name of an output.
    fn look_at(&self, work: Option<&Work>) {
        let Some(path) = work.and_then(Work::path) else { return };
        let is_output = |output: &&PathBuf| {
            let real = || path.canonicalize().ok();
            path.extension() == output.extension()
                && real().is_some_and(|real| {
                    place_of(output, &real).is_some_and(|place| place.canonicalize().ok().as_ref() == Some(&real))
                })
        };
        if let Some(output) = self.outputs.iter().find(is_output) {
            self.plan.lock().overlap.get_or_insert_with(|| (output.clone(), path.to_owned()));
        }
    }
}

impl<F: Iterator<Item = Found>> Iterator for Planner<'_, F> {
    type Item = engine::Source;

    fn next(&mut self) -> Option<Self::Item> {
        while self.queue.is_empty() {
            if !self.plan_segment() {
                return None;
            }
        }
        self.queue.pop_front()
    }
}
