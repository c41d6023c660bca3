//! From inputs to queues.

use std::collections::VecDeque;
use std::fs::File;
use std::io::Read;
use std::sync::Arc;
use std::thread::Scope;

use crate::order::Order;
use sgfstream_archive::{self as archive, ArchiveProblem, Work, WorkKind};

use crate::decoder::decode;
use crate::job::Outcome;
use crate::open::{HEAD, Opening};
use crate::queue::{PlainFile, Queue, Queues, Units};

/// An input that was found, and the group that it belongs to. The outputs of two groups are never mixed.
pub type Source = (u64, Result<Work, ArchiveProblem>);

/// Bytes of a block of a plain file.
pub(crate) const FILE_BLOCK: u64 = 2 << 20;

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

pub(crate) struct Feed<'s, 'e, T> {
    pub(crate) queues: &'e Queues<T>,
    pub(crate) scope: &'s Scope<'s, 'e>,
    pub(crate) archives: &'e archive::ReadOptions,
    pub(crate) opening: Opening,
    /// Entries are read whole.
    pub(crate) is_uncut: bool,
}

impl<'s, 'e, T: Send> Feed<'s, 'e, T> {
    /// Makes queues of all inputs, a little ahead of the workers.
    pub(crate) fn run(&self, sources: impl Iterator<Item = Source>) {
        let mut small = Small::default();
        for (group, work) in sources {
            if self.queues.is_stopped() {
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
        self.queues.lock().is_fed = true;
        self.queues.notify();
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
        let mut out = Outcome { problems: vec![problem], ..Outcome::empty(group) };
        out.progress.problems = 1;
        order.finish(0, out, 1);
        self.push_queue(Queue::new(group, order, Units::None));
    }

    fn push_large(&self, group: u64, work: Work) {
        if self.is_uncut || work.game().is_some() {
            return self.push_visits(group, VecDeque::from([vec![work]]));
        }
        match work.kind() {
            Ok(WorkKind::Plain) => match self.plain_file(&work) {
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
            // One that cannot be opened is a problem when it is visited.
            Ok(_) | Err(_) => self.push_stream(group, work),
        }
    }

    /// A queue with a decoder of its own. The decoder waits here, in the order of the
    /// input, so that none waits for a later one.
    fn push_stream(&self, group: u64, work: Work) {
        let (window, workers) = (work.window(), self.queues.workers());
        let most = WINDOWS * workers as u64;
        let mut state = self.queues.lock();
        while state.decoders > 0
            && (state.decoders >= workers || state.windows + window > most)
            && !self.queues.is_stopped()
        {
            state = self.queues.wait(state);
        }
        state.decoders += 1;
        state.windows += window;
        drop(state);
        let queue = self.push(group, Units::Stream(VecDeque::new()), 0, false);
        let (queues, archives, opening) = (self.queues, self.archives, self.opening);
        self.scope.spawn(move || decode(queues, queue, &work, window, archives, opening));
    }

    fn push(&self, group: u64, units: Units, offered: u64, is_all: bool) -> u64 {
        let mut order = Order::new(self.queues.window());
        order.offer(offered);
        if is_all {
            order.close();
        }
        self.push_queue(Queue::new(group, order, units))
    }

    /// Adds a queue, when there is space for it.
    fn push_queue(&self, queue: Queue<T>) -> u64 {
        let mut state = self.queues.lock();
        while state.queues.len() > 2 * self.queues.workers() && !self.queues.is_stopped() {
            state = self.queues.wait(state);
        }
        let number = state.push(queue);
        drop(state);
        self.queues.notify();
        number
    }

    /// The file, unless it must be transcoded first, or cannot be opened.
    fn plain_file(&self, work: &Work) -> Option<PlainFile> {
        let file = File::open(work.path()?).ok()?;
        let mut head = Vec::new();
        (&file).take(HEAD).read_to_end(&mut head).ok()?;
        let is_transcoded = self.opening.transcoder(&head[..]).prepare();
        let units = file.metadata().ok()?.len().div_ceil(FILE_BLOCK).max(1);
        let options = self.opening.options_for(&head);
        (!is_transcoded).then(|| PlainFile { name: work.name(), file, options, units })
    }
}

#[derive(Default)]
struct Small {
    group: u64,
    works: Vec<Work>,
    bytes: u64,
}
