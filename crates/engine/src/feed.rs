//! From inputs to lanes.

use std::collections::VecDeque;
use std::fs::File;
use std::io::Read;
use std::sync::Arc;
use std::thread::Scope;

use crate::order::Order;
use sgfstream::read::Transcoder;
use sgfstream_archive::{self as archive, ArchiveProblem, Work, WorkKind};

use super::decoder::decode;
use super::job::Output;
use super::lane::{Lane, Lanes, PlainFile, Units};

/// Bytes of a block of a plain file.
pub const FILE_BLOCK: u64 = 2 << 20;

/// Files up to this size go to a worker as they are, packed or not, several
/// together.
const SMALL: u64 = 128 << 10;

/// Small files in a unit, and their bytes.
const FILES: usize = 64;
const FILE_BYTES: u64 = 512 << 10;

/// Bytes of a piece of a zip file, packed.
const PIECE: u64 = 512 << 10;

/// Bytes of the windows of all decoders, for each worker. A larger window has
/// to be alone.
const WINDOWS: u64 = 8 << 20;

/// An input, and the group it belongs to: a unit holds inputs of one group
/// only.
pub type Fed = (u64, Result<Work, ArchiveProblem>);

pub struct Feed<'s, 'e, A> {
    pub lanes: &'e Lanes<A>,
    pub scope: &'s Scope<'s, 'e>,
    pub options: &'e archive::ReadOptions,
    pub is_uncut: bool,
    /// Plain files are not cut.
    pub has_whole_files: bool,
}

impl<'s, 'e, A: Send> Feed<'s, 'e, A> {
    /// Makes lanes of all there is, a little ahead of the workers.
    pub fn run(&self, works: impl Iterator<Item = Fed>) {
        let mut small = Small::default();
        for (group, work) in works {
            if self.lanes.is_stopped() {
                break;
            }
            if group != small.group || work.is_err() {
                self.push_small(&mut small);
            }
            small.group = group;
            match work {
                Err(problem) => self.push_problem(group, problem),
                Ok(work) => match work.size() {
                    Some(size) if size <= SMALL => {
                        small.bytes += size;
                        small.works.push(work);
                        if small.works.len() >= FILES || small.bytes >= FILE_BYTES {
                            self.push_small(&mut small);
                        }
                    }
                    _ => {
                        self.push_small(&mut small);
                        self.push_large(group, work);
                    }
                },
            }
        }
        self.push_small(&mut small);
        self.lanes.lock().is_fed = true;
        self.lanes.notify();
    }

    fn push_small(&self, small: &mut Small) {
        small.bytes = 0;
        if !small.works.is_empty() {
            self.push_visits(small.group, VecDeque::from([std::mem::take(&mut small.works)]));
        }
    }

    fn push_visits(&self, group: u64, visits: VecDeque<Vec<Work>>) {
        let units = visits.len() as u64;
        self.push(group, Units::Visits(visits), units, true);
    }

    fn push_problem(&self, group: u64, problem: ArchiveProblem) {
        let mut order = Order::new(1);
        order.offer(1);
        order.close();
        order.take();
        order.finish(0, Output { problems: vec![problem], ..Output::empty(group) }, 1);
        self.push_lane(Lane { group, order, units: Units::None });
    }

    fn push_large(&self, group: u64, work: Work) {
        if self.is_uncut || work.game().is_some() {
            return self.push_visits(group, VecDeque::from([vec![work]]));
        }
        match work.kind() {
            Ok(WorkKind::Plain) if self.has_whole_files => {
                self.push_visits(group, VecDeque::from([vec![work]]));
            }
            Ok(WorkKind::Plain) => match plain_file(&work) {
                Some(file) => {
                    let units = file.units;
                    _ = self.push(group, Units::File(Arc::new(file)), units, true);
                }
                None => self.push_stream(group, work),
            },
            Ok(WorkKind::Zip) => {
                let pieces = work.size().unwrap_or(0).div_ceil(PIECE).clamp(1, 1 << 16);
                self.push_visits(group, work.split(pieces as usize).into_iter().map(|work| vec![work]).collect());
            }
            // What cannot be opened says so when it is visited.
            Ok(_) | Err(_) => self.push_stream(group, work),
        }
    }

    /// A lane with a decoder of its own. It waits here, in the order of the
    /// input, so none waits for one that stands behind it.
    fn push_stream(&self, group: u64, work: Work) {
        let (window, workers) = (work.window(), self.lanes.workers());
        let room = WINDOWS * workers as u64;
        let mut state = self.lanes.lock();
        while state.decoders > 0
            && (state.decoders >= workers || state.windows + window > room)
            && !self.lanes.is_stopped()
        {
            state = self.lanes.wait(state);
        }
        state.decoders += 1;
        state.windows += window;
        drop(state);
        let lane = self.push(group, Units::Stream(VecDeque::new()), 0, false);
        let (lanes, options) = (self.lanes, self.options);
        self.scope.spawn(move || decode(lanes, lane, &work, window, options));
    }

    fn push(&self, group: u64, units: Units, offered: u64, is_all: bool) -> u64 {
        let mut order = Order::new(self.lanes.window());
        order.offer(offered);
        if is_all {
            order.close();
        }
        self.push_lane(Lane { group, order, units })
    }

    /// When there is room in the row.
    fn push_lane(&self, lane: Lane<A>) -> u64 {
        let mut state = self.lanes.lock();
        while state.lanes.len() > 2 * self.lanes.workers() && !self.lanes.is_stopped() {
            state = self.lanes.wait(state);
        }
        let number = state.push(lane);
        drop(state);
        self.lanes.notify();
        number
    }
}

#[derive(Default)]
struct Small {
    group: u64,
    works: Vec<Work>,
    bytes: u64,
}

/// The file, unless it must be turned into something else first, or cannot be
/// opened.
fn plain_file(work: &Work) -> Option<PlainFile> {
    let file = File::open(work.path()?).ok()?;
    let mut head = Vec::new();
    (&file).take(64 << 10).read_to_end(&mut head).ok()?;
    let mut transcoder = Transcoder::new(&head[..]);
    // What it is going to do is known with the first byte; none is known too.
    _ = transcoder.read(&mut [0]).ok()?;
    let units = file.metadata().ok()?.len().div_ceil(FILE_BLOCK).max(1);
    (!transcoder.is_transcoding()).then(|| PlainFile { name: work.name(), file, game: work.game(), units })
}
