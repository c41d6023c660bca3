//! Reads one file on all cores.

use std::collections::BTreeMap;
use std::io::{self, Seek};
use std::num::NonZero;
use std::path::Path;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

use crate::base::Result;
use crate::read::stream::open_file;
use crate::read::{Options, Transcoder};

use super::part::PartReader;
use super::part_end::End;
use super::read_at::ReadAt;

/// Bytes of a block. Each block is read by one thread.
const BLOCK: u64 = 4 << 20;

/// Parts for each thread that may be ahead of the first part without a result.
const AHEAD: u64 = 4;

/// Reads a file on all cores: `read` reads each part, and `merge` combines two results in the order
/// of the file. If [`Options::transcodes`] is set and the file is transcoded, one thread reads it
/// as one part.
///
/// A part is some megabytes of whole games. `read` also gets parts whose start turns out to be
/// wrong; `read_file` drops their results. So `read` must return all of its results, and have no
/// other effect.
///
/// ```
/// use sgfstream::{Event, EventReader, Options, parallel};
///
/// let moves = parallel::read_file(
///     "corpus/go-collection.sgf",
///     Options::default(),
///     |part| {
///         let mut moves = 0;
///         while part.advance()? {
///             match part.event() {
///                 Event::Property(property)
///                     if property.ident() == "B" || property.ident() == "W" =>
///                 {
///                     moves += 1
///                 }
///                 _ => {}
///             }
///         }
///         Ok(moves)
///     },
///     |all, moves| all + moves,
/// )?;
/// assert_eq!(moves, 6);
/// # Ok::<(), sgfstream::Error>(())
/// ```
///
/// # Errors
///
/// The first error in the order of the file, of opening or reading it, or of `read`. A pipe cannot
/// be read in parts.
pub fn read_file<T: Send>(
    path: impl AsRef<Path>,
    options: Options,
    read: impl Fn(&mut PartReader<'_>) -> Result<T> + Sync,
    merge: impl FnMut(T, T) -> T + Send,
) -> Result<T> {
    let mut file = open_file(path.as_ref())?;
    if options.transcodes && Transcoder::with_charset(&file, options.charset).prepare() {
        file.rewind()?;
        let mut input = Transcoder::with_charset(&file, options.charset);
        let options = input.options(options);
        return read(&mut PartReader::whole(&mut input, options, None));
    }
    let threads = thread::available_parallelism().map_or(1, NonZero::get);
    read_input(&file, BLOCK, threads, options, &read, merge)
}

fn read_input<T: Send>(
    input: &dyn ReadAt,
    block: u64,
    threads: usize,
    options: Options,
    read: &(impl Fn(&mut PartReader<'_>) -> Result<T> + Sync),
    merge: impl FnMut(T, T) -> T + Send,
) -> Result<T> {
    let queue = Queue {
        state: Mutex::new(MergeState {
            taken: 0,
            next: 0,
            waiting: BTreeMap::new(),
            merged: None,
            merge,
            is_over: false,
        }),
        changed: Condvar::new(),
        ahead: AHEAD * threads as u64,
    };
    thread::scope(|scope| {
        for _ in 1..threads {
            let worker = || queue.work(input, block, options, read);
            if thread::Builder::new().spawn_scoped(scope, worker).is_err() {
                // The started threads and this one read all blocks.
                break;
            }
        }
        queue.work(input, block, options, read);
    });
    let state = queue
        .state
        .into_inner()
        .unwrap_or_else(PoisonError::into_inner);
    state.merged.expect("the first block always begins a part")
}

/// Queue of blocks that wait for a thread, and of results that wait for their turn.
struct Queue<T, M> {
    state: Mutex<MergeState<T, M>>,
    changed: Condvar,
    /// Largest distance of a block that a thread takes from the block of the next result.
    ahead: u64,
}

struct MergeState<T, M> {
    /// Number of blocks that threads have taken.
    taken: u64,
    /// Block where the part of the next result begins.
    next: u64,
    /// Results of later blocks. A result stays here and is dropped if no other part ends at its
    /// part.
    waiting: BTreeMap<u64, Result<Option<(T, End)>>>,
    merged: Option<Result<T>>,
    merge: M,
    /// Whether the last part had its turn, an error ended the run, or a thread panicked.
    is_over: bool,
}

impl<T: Send, M: FnMut(T, T) -> T + Send> Queue<T, M> {
    fn lock(&self) -> MutexGuard<'_, MergeState<T, M>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until `is_ready` or the run is over. Returns `None` if it is over.
    fn wait(
        &self,
        is_ready: impl Fn(&MergeState<T, M>) -> bool,
    ) -> Option<MutexGuard<'_, MergeState<T, M>>> {
        let state = self.lock();
        let wait = self
            .changed
            .wait_while(state, |state| !state.is_over && !is_ready(state));
        let state = wait.unwrap_or_else(PoisonError::into_inner);
        (!state.is_over).then_some(state)
    }

    fn work(
        &self,
        input: &dyn ReadAt,
        block: u64,
        options: Options,
        read: &impl Fn(&mut PartReader<'_>) -> Result<T>,
    ) {
        let _guard = EndOnPanic(self);
        while let Some(mut state) = self.wait(|state| state.taken < state.next + self.ahead) {
            let index = state.taken;
            state.taken += 1;
            drop(state);
            // This cannot deadlock: the thread with the first block without a result never waits
            // here.
            let turn = || {
                self.wait(|state| state.next >= index)
                    .is_some_and(|state| state.next == index)
            };
            let part = PartReader::open(input, options, block, index, &turn);
            let result = match part {
                Ok(None) => Ok(None),
                Ok(Some(mut part)) => {
                    read(&mut part).and_then(|value| Ok(Some((value, part.finish()?.end))))
                }
                Err(err) => Err(err.into()),
            };
            self.finish(index, result);
        }
    }

    /// Merges the results whose turn has come.
    fn finish(&self, index: u64, result: Result<Option<(T, End)>>) {
        let mut state = self.lock();
        let state = &mut *state;
        if index >= state.next {
            state.waiting.insert(index, result);
        }
        while let Some(result) = state.waiting.remove(&state.next) {
            let (value, end) = match result {
                Ok(Some(read)) => read,
                Ok(None) => {
                    let err = io::Error::new(
                        io::ErrorKind::UnexpectedEof,
                        "the file was truncated while it was read",
                    );
                    (state.merged, state.is_over) = (Some(Err(err.into())), true);
                    break;
                }
                Err(err) => {
                    (state.merged, state.is_over) = (Some(Err(err)), true);
                    break;
                }
            };
            state.merged = Some(Ok(match state.merged.take() {
                Some(Ok(merged)) => (state.merge)(merged, value),
                _ => value,
            }));
            match end {
                End::Part(next) => state.next = next,
                End::Input => {
                    state.is_over = true;
                    break;
                }
            }
            state.waiting = state.waiting.split_off(&state.next);
        }
        self.changed.notify_all();
    }
}

/// Ends the run if a thread panics, so that no other thread waits for its result.
struct EndOnPanic<'q, T: Send, M: FnMut(T, T) -> T + Send>(&'q Queue<T, M>);

impl<T: Send, M: FnMut(T, T) -> T + Send> Drop for EndOnPanic<'_, T, M> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.0.lock().is_over = true;
            self.0.changed.notify_all();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

    use super::*;
    use crate::base::{Limits, Span};
    use crate::event::Event;
    use crate::read::reader::EventReader;

    /// Returns games, some with text that looks like the start of another game.
    fn games() -> Vec<u8> {
        let mut games = Vec::new();
        for game in 0..300_usize {
            games.extend_from_slice(b"(;GM[1]FF[4];B[aa]C[");
            let text: &[u8] = if game % 7 == 0 {
                b"\n(;GM[1]FF[4];B[cc])\n"
            } else {
                b"text "
            };
            games.extend(text.repeat(game % 29));
            games.extend_from_slice(b"](;W[bb])(;W[dd]))\n");
        }
        games
    }

    /// Returns the span of each event.
    fn spans(reader: &mut impl EventReader) -> Result<Vec<Span>> {
        let mut spans = Vec::new();
        while reader.advance()? {
            spans.push(reader.span());
        }
        Ok(spans)
    }

    fn joined(mut all: Vec<Span>, part: Vec<Span>) -> Vec<Span> {
        all.extend(part);
        all
    }

    #[test]
    fn parts_have_the_events_of_the_whole_input() {
        let input = games();
        let expected =
            spans(&mut crate::read::SliceReader::new(&input)).expect("memory can be read");
        for threads in [1, 2, 5] {
            for block in [300, 1000, 5000, 1 << 20] {
                let read = |part: &mut PartReader<'_>| spans(part);
                let found = read_input(&input, block, threads, Options::default(), &read, joined);
                assert!(
                    found.is_ok_and(|found| found == expected),
                    "{threads} threads, blocks of {block}"
                );
            }
        }
    }

    /// The errors of parts whose start was wrong are dropped; the first error in the order of the
    /// input is returned.
    #[test]
    fn an_error_ends_the_run() {
        let mut input = games();
        input.extend_from_slice(b"(;(;(;B[aa])))");
        let end = input.len() as u64;
        input.extend(games());
        let options = Options::default().with_limits(Limits::default().with_depth(2));
        for threads in [1, 4] {
            let read = |part: &mut PartReader<'_>| spans(part);
            let err = read_input(&input, 1000, threads, options, &read, joined)
                .expect_err("a depth of 3");
            assert!(
                err.is_limit() && err.position().is_some_and(|at| at.byte == end - 10),
                "{err}"
            );
        }
    }

    #[test]
    fn a_file_in_utf_16_is_transcoded_if_the_options_say_so() {
        let read = |options| {
            read_file("corpus/utf-16le.sgf", options, |part| spans(part), joined).expect("a file")
        };
        assert_eq!(read(Options::for_files()).len(), 13);
        assert_ne!(read(Options::default()).len(), 13);
    }

    #[test]
    fn a_truncated_file_is_an_error() {
        struct Truncated(Vec<u8>, AtomicUsize);
        impl ReadAt for Truncated {
            fn read_at(&self, offset: u64, buf: &mut [u8]) -> io::Result<usize> {
                self.0[..self.1.load(Relaxed)].read_at(offset, buf)
            }
        }
        let input = Truncated(games(), AtomicUsize::new(games().len()));
        let read = |part: &mut PartReader<'_>| {
            let spans = spans(part);
            input.1.store(500, Relaxed);
            spans
        };
        let err = read_input(&input, 1000, 1, Options::default(), &read, joined)
            .expect_err("most games are gone");
        assert!(err.to_string().contains("truncated"), "{err}");
    }

    #[test]
    #[should_panic = "the first game"]
    fn a_panic_leaves_no_thread_waiting() {
        let input = games();
        let read = |part: &mut PartReader<'_>| {
            while part.advance()? {
                assert!(
                    !matches!(part.event(), Event::VariationEnd(_)) || part.start() > 0,
                    "the first game"
                );
            }
            Ok(())
        };
        _ = read_input(&input, 1000, 1, Options::default(), &read, |(), ()| ());
    }
}
