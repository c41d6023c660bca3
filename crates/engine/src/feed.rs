//! Feed: turns inputs into queues.

use std::collections::VecDeque;
use std::ops::Range;
use std::sync::Arc;
use std::task::Poll;
use std::thread::Scope;

use sgfstream::parallel::PartReader;
use sgfstream_archive::{self as archive, ArchiveProblem, FileKind, InputFile};
use sgfstream_open::EntryOpener;

use crate::decoder::decode;
use crate::engine::named;
use crate::file_range::FileRange;
use crate::job::PartOffset;
use crate::open::plain_file;
use crate::order::Order;
use crate::queue::{PartContent, PlainFile, Queue, QueueContent, Queues};

/// How large the parts of an entry are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PartSize {
    /// Each entry is one part, as always for a worker that
    /// [needs whole entries](crate::WorkerState::needs_whole_entries).
    Whole,
    /// A part has about 2 MiB if several threads read. If one thread reads, a part of a plain file
    /// has this many bytes; the engine updates [`Progress`](crate::Progress) after each part.
    Bytes(u64),
    /// A plain file has a few large parts that depend only on its size. Use it for a sum of outputs
    /// that drops rows beyond a limit: the sum is then the same for any number of threads, and adds
    /// few outputs.
    Few,
}

impl Default for PartSize {
    fn default() -> Self {
        Self::Bytes(FILE_BLOCK)
    }
}

/// Bytes of a block of a plain file.
const FILE_BLOCK: u64 = 2 << 20;

/// Limits of `PartSize::Few`: number of blocks of a small file, and bytes of a block of a large
/// file.
const FEW: u64 = 4;
const LARGE_BLOCK: u64 = 32 << 20;

/// Files up to this size are passed to a worker as they are, packed or not, several together.
const SMALL: u64 = 128 << 10;

/// Limits of small files in a part: their number, and their bytes.
const FILES: usize = 64;
const FILE_BYTES: u64 = 512 << 10;

/// Packed bytes of a range of a zip file.
const ZIP_RANGE: u64 = 512 << 10;

/// Returns the ranges of a zip file; each is a part.
pub(crate) fn zip_ranges(input: &InputFile) -> Vec<InputFile> {
    let ranges = input
        .size()
        .unwrap_or(0)
        .div_ceil(ZIP_RANGE)
        .clamp(1, 1 << 16);
    input.split(ranges as usize)
}

pub(crate) struct Feed<'s, 'e> {
    pub(crate) queues: &'e Queues,
    pub(crate) scope: &'s Scope<'s, 'e>,
    pub(crate) archives: &'e archive::ReadOptions,
    pub(crate) opening: EntryOpener,
    pub(crate) part_size: PartSize,
}

impl<'s, 'e> Feed<'s, 'e> {
    /// Waits for the workers, and makes queues for all inputs, a little ahead of the workers.
    pub(crate) fn run(&self, ranges: &mut dyn Iterator<Item = Result<FileRange, ArchiveProblem>>) {
        if !self.queues.await_begin(0) {
            return;
        }
        let mut small = Small::default();
        for range in ranges {
            if self.queues.is_stopped() {
                break;
            }
            match range {
                Err(problem) => {
                    self.push_small(&mut small);
                    self.push_visits(vec![vec![Err(problem)]]);
                }
                Ok(range) => match range.input.size() {
                    Some(size) if size <= SMALL && range.is_whole() => {
                        small.bytes += size;
                        small.inputs.push(Ok(range.input));
                        if small.inputs.len() >= FILES || small.bytes >= FILE_BYTES {
                            self.push_small(&mut small);
                        }
                    }
                    _ => {
                        self.push_small(&mut small);
                        self.push_large(range);
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
        if !small.inputs.is_empty() {
            self.push_visits(vec![std::mem::take(&mut small.inputs)]);
        }
    }

    /// Pushes a queue of visits.
    fn push_visits(&self, visits: Vec<Vec<Result<InputFile, ArchiveProblem>>>) {
        let parts = 0..visits.len() as u64;
        let contents = visits.into_iter().map(PartContent::Files).collect();
        self.push(QueueContent::Listed(contents), parts, PartOffset::default());
    }

    fn push_large(&self, range: FileRange) {
        // A decoder passes on whole entries.
        let names_games = range
            .input
            .references()
            .iter()
            .any(|reference| reference.game.is_some());
        if (self.part_size == PartSize::Whole && range.is_whole()) || names_games {
            return self.push_visits(vec![vec![Ok(range.input)]]);
        }
        match range.input.kind() {
            Ok(FileKind::Plain) => match self.plain_file(&range) {
                Ok(Some(file)) => {
                    let parts = file.first..file.parts;
                    self.push(QueueContent::File(Arc::new(file)), parts, range.before());
                }
                Ok(None) => self.push_stream(range.input),
                Err(problem) => self.push_visits(vec![vec![Err(problem)]]),
            },
            Ok(FileKind::Zip) => {
                let (first, until) = (
                    range.from as usize,
                    range.until.unwrap_or(u64::MAX) as usize,
                );
                let inputs = zip_ranges(&range.input).into_iter().take(until).skip(first);
                self.push_visits(inputs.map(|input| vec![Ok(input)]).collect());
            }
            // If the input cannot be opened, its visit reports the problem.
            Ok(_) | Err(_) => self.push_stream(range.input),
        }
    }

    /// Pushes a queue with its own decoder. This thread waits for a free decoder in the order of
    /// the inputs, so that no decoder waits for a later one.
    fn push_stream(&self, input: InputFile) {
        let workers = self.queues.workers();
        let begun = self.queues.wait_for(|state| {
            let is_space = state.decoders < workers;
            state.decoders += usize::from(is_space);
            if is_space {
                Poll::Ready(Some(()))
            } else {
                Poll::Pending
            }
        });
        let queue = Queue::new(
            Order::new(self.queues.window()),
            QueueContent::Listed(VecDeque::new()),
        );
        let Some(queue) = begun.and_then(|()| self.push_queue(queue)) else {
            return;
        };
        let (queues, archives, opening) = (self.queues, self.archives, self.opening);
        let input = Arc::new(input);
        let shared = Arc::clone(&input);
        let decoder = move || decode(queues, queue, &shared, archives, opening);
        if named("decoder").spawn_scoped(self.scope, decoder).is_err() {
            // The system has no other thread. Decoding on this one only delays the queues that
            // follow.
            decode(queues, queue, &input, archives, opening);
        }
    }

    /// Pushes a queue whose parts are all known; the first part comes after `before`.
    fn push(&self, contents: QueueContent, numbers: Range<u64>, before: PartOffset) {
        let mut order = Order::starting_at(numbers.start, self.queues.window());
        order.offer(numbers.end);
        order.close();
        self.push_queue(Queue::new(order, contents).after(before));
    }

    /// Adds a queue, once there is space for it. Returns `None` if the run stops.
    fn push_queue(&self, queue: Queue) -> Option<u64> {
        let mut queue = Some(queue);
        let most = 2 * self.queues.workers();
        let number =
            self.queues.wait_for(
                |state| match queue.take_if(|_| state.queues.len() <= most) {
                    Some(queue) => Poll::Ready(Some(state.push(queue))),
                    None => Poll::Pending,
                },
            );
        self.queues.notify();
        number
    }

    /// Opens the file. Returns `None` if it must be converted first or cannot be opened. Returns a
    /// problem if the range does not begin at a border.
    fn plain_file(&self, range: &FileRange) -> Result<Option<PlainFile>, ArchiveProblem> {
        let FileRange {
            input, from, until, ..
        } = range;
        let open = || {
            let file = plain_file(self.opening, input.path()?)?;
            let metadata = file.metadata().ok()?;
            Some((file, metadata))
        };
        let Some((file, metadata)) = open() else {
            return if *from > 0 {
                Err(range.changed())
            } else {
                Ok(None)
            };
        };
        let len = until.unwrap_or(metadata.len());
        let block = match self.part_size {
            _ if !range.is_whole() => FILE_BLOCK,
            PartSize::Few => len.div_ceil(FEW).clamp(FILE_BLOCK, LARGE_BLOCK),
            // With one thread, cutting only costs the search for the border.
            PartSize::Bytes(block) if self.queues.workers() == 1 => block.clamp(1, len.max(1)),
            _ => FILE_BLOCK,
        };
        let parts = if until.is_some() {
            len / block
        } else {
            len.div_ceil(block).max(1)
        };
        let (name, options, first) = (input.name(), self.opening.options, from / block);
        if *from > 0 {
            let part = PartReader::open(&file, options, FILE_BLOCK, first, &|| true);
            let start = part.ok().flatten().map(|part| part.start());
            if start != Some(*from) || first >= parts {
                return Err(range.changed());
            }
        }
        let file = PlainFile {
            name,
            file,
            metadata,
            options,
            block,
            first,
            parts,
            whole: None,
        };
        if self.part_size != PartSize::Whole {
            return Ok(Some(file));
        }
        let block = len.saturating_sub(*from);
        Ok(Some(PlainFile {
            block,
            first: 0,
            parts: 1,
            whole: Some(range.clone()),
            ..file
        }))
    }
}

#[derive(Default)]
struct Small {
    inputs: Vec<Result<InputFile, ArchiveProblem>>,
    bytes: u64,
}
