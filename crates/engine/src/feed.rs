//! From inputs to queues.

use std::collections::VecDeque;
use std::ops::Range;
use std::sync::Arc;
use std::task::Poll;
use std::thread::Scope;

use sgfstream::parallel::PartReader;
use sgfstream_archive::{self as archive, ArchiveProblem, Work, WorkKind};
use sgfstream_open::EntryOpener;

use crate::decoder::decode;
use crate::job::Before;
use crate::open::plain_file;
use crate::order::Order;
use crate::piece::Piece;
use crate::queue::{PlainFile, Queue, Queues, Task, Tasks};

/// How entries are cut into parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cut {
    /// Not at all: each entry is read on one thread, for a job that must know the numbers of games while it reads.
    Whole,
    /// Into blocks of 2 MiB, where several threads read; where one does, plain files into blocks of this many bytes.
    /// [`Progress`](crate::Progress) counts it after each block.
    Blocks(u64),
    /// Plain files into a few large blocks, by their size alone: for a caller that adds up outputs, where the sum leaves
    /// out what it has no space for. It is then the same for any number of threads, and made of few outputs.
    Few,
}

impl Cut {
    /// [`Whole`](Self::Whole) if `is_whole`, or else this.
    #[must_use]
    pub fn whole_if(self, is_whole: bool) -> Self {
        if is_whole { Self::Whole } else { self }
    }
}

impl Default for Cut {
    fn default() -> Self {
        Self::Blocks(FILE_BLOCK)
    }
}

/// Bytes of a block of a plain file.
const FILE_BLOCK: u64 = 2 << 20;

/// Where few blocks are asked for: how many a small file has at most, and bytes of a block of a large one.
const FEW: u64 = 4;
const LARGE_BLOCK: u64 = 32 << 20;

/// Files up to this size go to a worker as they are, packed or not, several
/// together.
const SMALL: u64 = 128 << 10;

/// Small files in a unit, and their bytes.
const FILES: usize = 64;
const FILE_BYTES: u64 = 512 << 10;

/// Bytes of a piece of a zip file, packed.
const PIECE: u64 = 512 << 10;

/// The pieces of a zip file that are read at once.
pub(crate) fn zip_pieces(work: &Work) -> Vec<Work> {
    let pieces = work.size().unwrap_or(0).div_ceil(PIECE).clamp(1, 1 << 16);
    work.split(pieces as usize)
}

pub(crate) struct Feed<'s, 'e> {
    pub(crate) queues: &'e Queues,
    pub(crate) scope: &'s Scope<'s, 'e>,
    pub(crate) archives: &'e archive::ReadOptions,
    pub(crate) opening: EntryOpener,
    pub(crate) cut: Cut,
}

impl<'s, 'e> Feed<'s, 'e> {
    /// Makes queues of all inputs, a little ahead of the workers.
    pub(crate) fn run(&self, pieces: &mut dyn Iterator<Item = Result<Piece, ArchiveProblem>>) {
        let mut small = Small::default();
        for piece in pieces {
            if self.queues.is_stopped() {
                break;
            }
            match piece {
                Err(problem) => {
                    self.push_small(&mut small);
                    self.push_visits(vec![vec![Err(problem)]]);
                }
                Ok(piece) => match piece.work.size() {
                    Some(size) if size <= SMALL && piece.is_whole() => {
                        small.bytes += size;
                        small.works.push(Ok(piece.work));
                        if small.works.len() >= FILES || small.bytes >= FILE_BYTES {
                            self.push_small(&mut small);
                        }
                    }
                    _ => {
                        self.push_small(&mut small);
                        self.push_large(piece);
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
            self.push_visits(vec![std::mem::take(&mut small.works)]);
        }
    }

    /// A queue of visits.
    fn push_visits(&self, visits: Vec<Vec<Result<Work, ArchiveProblem>>>) {
        let units = 0..visits.len() as u64;
        let tasks = visits.into_iter().map(Task::Visit).collect();
        self.push(Tasks::Listed(tasks), units, Before::default());
    }

    fn push_large(&self, piece: Piece) {
        // A decoder hands over whole entries.
        let names_games = piece.work.references().iter().any(|reference| reference.game.is_some());
        if (self.cut == Cut::Whole && piece.is_whole()) || names_games {
            return self.push_visits(vec![vec![Ok(piece.work)]]);
        }
        match piece.work.kind() {
            Ok(WorkKind::Plain) => match self.plain_file(&piece) {
                Ok(Some(file)) => {
                    let units = file.first..file.units;
                    self.push(Tasks::File(Arc::new(file)), units, piece.before());
                }
                Ok(None) => self.push_stream(piece.work),
                Err(problem) => self.push_visits(vec![vec![Err(problem)]]),
            },
            Ok(WorkKind::Zip) => {
                let (first, until) = (piece.from as usize, piece.until.unwrap_or(u64::MAX) as usize);
                let works = zip_pieces(&piece.work).into_iter().take(until).skip(first);
                self.push_visits(works.map(|work| vec![Ok(work)]).collect());
            }
            // One that cannot be opened is a problem when it is visited.
            Ok(_) | Err(_) => self.push_stream(piece.work),
        }
    }

    /// A queue with a decoder of its own. The decoder waits here, in the order of the
    /// input, so that none waits for a later one.
    fn push_stream(&self, work: Work) {
        let workers = self.queues.workers();
        let begun = self.queues.wait_for(|state| {
            let is_space = state.decoders < workers;
            state.decoders += usize::from(is_space);
            if is_space { Poll::Ready(Some(())) } else { Poll::Pending }
        });
        let queue = Queue::new(Order::new(self.queues.window()), Tasks::Listed(VecDeque::new()));
        let Some(queue) = begun.and_then(|()| self.push_queue(queue)) else { return };
        let (queues, archives, opening) = (self.queues, self.archives, self.opening);
        self.scope.spawn(move || decode(queues, queue, &work, archives, opening));
    }

    /// A queue of which all units are known, the first of them after `before`.
    fn push(&self, tasks: Tasks, numbers: Range<u64>, before: Before) {
        let mut order = Order::starting_at(numbers.start, self.queues.window());
        order.offer(numbers.end);
        order.close();
        self.push_queue(Queue::new(order, tasks).after(before));
    }

    /// Adds a queue, when there is space for it. None if the run stops.
    fn push_queue(&self, queue: Queue) -> Option<u64> {
        let mut queue = Some(queue);
        let most = 2 * self.queues.workers();
        let number = self.queues.wait_for(|state| match queue.take_if(|_| state.queues.len() <= most) {
            Some(queue) => Poll::Ready(Some(state.push(queue))),
            None => Poll::Pending,
        });
        self.queues.notify();
        number
    }

    /// The file, unless it must be converted first, or cannot be opened. A problem if the piece does not begin at a
    /// border.
    fn plain_file(&self, piece: &Piece) -> Result<Option<PlainFile>, ArchiveProblem> {
        let Piece { work, from, until, .. } = piece;
        let open = || {
            let file = plain_file(self.opening, work.path()?)?;
            let metadata = file.metadata().ok()?;
            Some((file, metadata))
        };
        let Some((file, metadata)) = open() else {
            return if *from > 0 { Err(piece.changed()) } else { Ok(None) };
        };
        let len = until.unwrap_or(metadata.len());
        let block = match self.cut {
            _ if !piece.is_whole() => FILE_BLOCK,
            Cut::Few => len.div_ceil(FEW).clamp(FILE_BLOCK, LARGE_BLOCK),
            // With one thread a cut costs the search for the border, and gains nothing.
            Cut::Blocks(block) if self.queues.workers() == 1 => block.clamp(1, len.max(1)),
            _ => FILE_BLOCK,
        };
        let units = if until.is_some() { len / block } else { len.div_ceil(block).max(1) };
        let (name, options, first) = (work.name(), self.opening.options, from / block);
        if *from > 0 {
            let part = PartReader::open(&file, options, FILE_BLOCK, first, &|| true);
            let start = part.ok().flatten().map(|part| part.start());
            if start != Some(*from) || first >= units {
                return Err(piece.changed());
            }
        }
        let file = PlainFile { name, file, metadata, options, block, first, units, whole: None };
        if self.cut != Cut::Whole {
            return Ok(Some(file));
        }
        let block = len.saturating_sub(*from);
        Ok(Some(PlainFile { block, first: 0, units: 1, whole: Some(piece.clone()), ..file }))
    }
}

#[derive(Default)]
struct Small {
    works: Vec<Result<Work, ArchiveProblem>>,
    bytes: u64,
}
