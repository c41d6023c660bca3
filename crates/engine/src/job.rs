//! Jobs: work on the parts of entries, and its outcomes.

use std::any::Any;
use std::ops::{Deref, DerefMut};

use sgfstream::internal::{PartEnd, PartRead, UnclosedGame};
use sgfstream::parallel::PartReader;
use sgfstream::{Options, Position};
use sgfstream_archive::{ArchiveErrorKind, ArchiveProblem, EntryName};

/// Work on the games of entries, on several threads at once.
///
/// The [crate's page](crate) has an example.
pub trait Job: Sync {
    /// State that a thread keeps from one part to the next, such as a row; `()` for none.
    type Worker: WorkerState;

    /// Output of one or more parts. It borrows nothing, so that the queues can store outputs of any
    /// type.
    type Output: Send + 'static;

    /// Returns the initial state of a thread.
    fn worker(&self) -> Self::Worker;

    /// Returns an empty output.
    fn output(&self) -> Self::Output;

    /// Empties an output for reuse, with its memory; returns `None` to drop it.
    fn reuse(&self, output: Self::Output) -> Option<Self::Output> {
        drop(output);
        None
    }

    /// Reads a part to its end and adds the result to `out`. One output may receive several small
    /// entries. If it grows beyond some MiB, call [`Out::hand_out`].
    ///
    /// A part does not know how many games and lines of its entry come before it: all its numbers
    /// count from its start. [`PartResult::before`] has the counts to add.
    ///
    /// # Errors
    ///
    /// An error of reading ([`sgfstream::Error::is_io`]) ends the entry, and the archive reports it
    /// as a problem. Any other error ends the run.
    fn read(
        &self,
        worker: &mut Self::Worker,
        part: Part<'_>,
        out: &mut Out<'_, Self::Output>,
    ) -> anyhow::Result<PartEnd>;

    /// Completes an output on the thread that made it, after its last part. The thread that takes
    /// outputs is the only one of its kind, so work that needs no order belongs here.
    fn complete(&self, worker: &mut Self::Worker, output: &mut Self::Output) {
        _ = (worker, output);
    }
}

struct FnJob<W, R, O> {
    worker: W,
    read: R,
    reuse: fn(O) -> Option<O>,
}

impl<S, O, W, R> Job for FnJob<W, R, O>
where
    S: WorkerState,
    O: Default + Send + 'static,
    W: Fn() -> S + Sync,
    R: Fn(&mut S, Part<'_>, &mut Out<'_, O>) -> anyhow::Result<PartEnd> + Sync,
{
    type Worker = S;
    type Output = O;

    fn worker(&self) -> S {
        (self.worker)()
    }

    fn output(&self) -> O {
        O::default()
    }

    fn reuse(&self, output: O) -> Option<O> {
        (self.reuse)(output)
    }

    fn read(
        &self,
        worker: &mut S,
        part: Part<'_>,
        out: &mut Out<'_, O>,
    ) -> anyhow::Result<PartEnd> {
        (self.read)(worker, part, out)
    }
}

/// Returns a job that reads each part with `read`. `worker` creates the state of a thread, and
/// `reuse` empties an output as [`Job::reuse`] does.
pub fn each_part<S: WorkerState, O: Default + Send + 'static>(
    worker: impl Fn() -> S + Sync,
    reuse: fn(O) -> Option<O>,
    read: impl Fn(&mut S, Part<'_>, &mut Out<'_, O>) -> anyhow::Result<PartEnd> + Sync,
) -> impl Job<Output = O> {
    FnJob {
        worker,
        read,
        reuse,
    }
}

/// State that a thread keeps from one part to the next. It decides whether entries are divided into
/// parts.
pub trait WorkerState {
    /// Returns whether the numbers of games matter while they are read, for example in a condition.
    /// One thread then reads an entry from its start. Waiting for the counts before a part would be
    /// no faster, because parts would be read one after another, and the threads could not read
    /// other entries.
    fn needs_whole_entries(&self) -> bool {
        false
    }
}

impl WorkerState for () {}

impl<T> WorkerState for Option<T> {}

impl<A: WorkerState, B: WorkerState> WorkerState for (A, B) {
    fn needs_whole_entries(&self) -> bool {
        self.0.needs_whole_entries() || self.1.needs_whole_entries()
    }
}

/// Output of a job, without its type, so that the queues and the workers are compiled only once for
/// all jobs.
pub(crate) type AnyOutput = Box<dyn Any + Send>;

/// A [`Job`] without its types.
pub(crate) trait AnyJob: Sync {
    /// Returns an empty output.
    fn output(&self) -> AnyOutput;

    /// Returns the state for reading parts on one thread. `empty` makes an empty output, or reuses
    /// one.
    fn reading<'j>(&'j self, empty: &'j dyn Fn() -> AnyOutput) -> Box<dyn AnyThreadJob + 'j>;
}

/// A job on one thread.
pub(crate) trait AnyThreadJob {
    /// Reads a part as [`Job::read`] does; `hand_out` receives outputs that are handed out early.
    fn read(
        &mut self,
        part: Part<'_>,
        out: &mut AnyOutput,
        hand_out: &mut dyn FnMut(AnyOutput) -> bool,
    ) -> anyhow::Result<PartEnd>;

    /// Completes an output as [`Job::complete`] does.
    fn complete(&mut self, out: &mut AnyOutput);
}

impl<J: Job> AnyJob for J {
    fn output(&self) -> AnyOutput {
        Box::new(Job::output(self))
    }

    fn reading<'j>(&'j self, empty: &'j dyn Fn() -> AnyOutput) -> Box<dyn AnyThreadJob + 'j> {
        Box::new(ThreadJob {
            job: self,
            worker: self.worker(),
            empty,
        })
    }
}

struct ThreadJob<'j, J: Job> {
    job: &'j J,
    worker: J::Worker,
    empty: &'j dyn Fn() -> AnyOutput,
}

impl<J: Job> AnyThreadJob for ThreadJob<'_, J> {
    fn read(
        &mut self,
        part: Part<'_>,
        out: &mut AnyOutput,
        hand_out: &mut dyn FnMut(AnyOutput) -> bool,
    ) -> anyhow::Result<PartEnd> {
        let mut hand_out = |output: &mut J::Output| {
            let mut early = (self.empty)();
            std::mem::swap(output, typed(&mut early));
            hand_out(early)
        };
        self.job.read(
            &mut self.worker,
            part,
            &mut Out {
                output: typed(out),
                hand_out: &mut hand_out,
            },
        )
    }

    fn complete(&mut self, out: &mut AnyOutput) {
        self.job.complete(&mut self.worker, typed(out));
    }
}

fn typed<T: 'static>(output: &mut AnyOutput) -> &mut T {
    output.downcast_mut().expect(ONE_TYPE)
}

/// Converts an output to its type.
pub(crate) fn owned<T: 'static>(output: AnyOutput) -> T {
    *output.downcast().expect(ONE_TYPE)
}

const ONE_TYPE: &str = "a run has one job, which makes all of its outputs";

/// An entry, or a part of a large one, ready to be read.
#[derive(Debug)]
pub struct Part<'p> {
    pub(crate) name: &'p EntryName,
    pub(crate) game: Option<u64>,
    pub(crate) is_start: bool,
    pub(crate) options: Options,
    pub(crate) reader: PartReader<'p>,
}

impl<'p> Part<'p> {
    /// Returns the name of the entry.
    #[must_use]
    pub fn name(&self) -> &'p EntryName {
        self.name
    }

    /// Returns whether the entry begins here.
    #[must_use]
    pub fn is_start(&self) -> bool {
        self.is_start
    }

    /// Returns the number, from 1, of the game that the caller asked for (`x.sgf#17`). The reader
    /// returns only that game.
    #[must_use]
    pub fn game(&self) -> Option<u64> {
        self.game
    }

    /// Returns the options of the reader.
    #[must_use]
    pub fn options(&self) -> Options {
        self.options
    }

    /// Returns the reader of the part's events.
    #[must_use]
    pub fn reader(self) -> PartReader<'p> {
        let mut reader = self.reader.with_game(self.game);
        reader.retain_in(tempfile::tempfile);
        reader
    }

    /// Returns the bytes of the whole entry, even if only one game was asked for.
    #[must_use]
    pub fn bytes(self) -> PartRead<'p> {
        let is_at_game = self.reader.start_position().is_some();
        let read = self.reader.into_inner();
        if is_at_game { read.from_start() } else { read }
    }
}

/// Output that a job adds to.
pub struct Out<'o, T> {
    pub(crate) output: &'o mut T,
    pub(crate) hand_out: &'o mut dyn FnMut(&mut T) -> bool,
}

impl<'o, T> Out<'o, T> {
    /// Returns an output for a part outside of an engine; `hand_out` receives it when it is large.
    pub fn new(output: &'o mut T, hand_out: &'o mut dyn FnMut(&mut T) -> bool) -> Self {
        Self { output, hand_out }
    }

    /// Hands out the output and replaces it by an empty one. Waits while too many earlier outputs
    /// have not been handed out. Returns false if the run was cancelled; stop reading then.
    pub fn hand_out(&mut self) -> bool {
        (self.hand_out)(self.output)
    }
}

impl<T> Deref for Out<'_, T> {
    type Target = T;

    fn deref(&self) -> &T {
        self.output
    }
}

impl<T> DerefMut for Out<'_, T> {
    fn deref_mut(&mut self) -> &mut T {
        self.output
    }
}

/// Outcome of some parts, or an early result of one.
#[derive(Debug)]
#[non_exhaustive]
pub struct PartResult<T> {
    /// Output of the job.
    pub output: T,
    /// Counts to add to the numbers of the output, which count from the start of its part.
    pub before: PartOffset,
    /// Progress since the previous outcome.
    pub progress: crate::Progress,
    /// Problems of entries and archives that could not be read, or not to their end.
    pub problems: Vec<ArchiveProblem>,
    /// Whether it starts an entry, instead of continuing the entry of the previous outcome.
    pub is_start: bool,
    /// End of the part; set in its last result.
    pub(crate) end: Option<PartEnd>,
    /// Games to name, with their entries.
    pub(crate) noted_games: Vec<(EntryName, NotedGame)>,
    /// Entries that end in this part, which has none of their games, each with the bytes of the
    /// part.
    pub(crate) without_games: Vec<(EntryName, u64)>,
    /// Error that ends the run.
    pub(crate) failed: Option<anyhow::Error>,
}

impl<T> PartResult<T> {
    /// Converts the output.
    pub(crate) fn map<U>(self, convert: impl FnOnce(T) -> U) -> PartResult<U> {
        let Self {
            output,
            before,
            progress,
            problems,
            is_start,
            end,
            noted_games,
            without_games,
            failed,
        } = self;
        PartResult {
            output: convert(output),
            before,
            progress,
            problems,
            is_start,
            end,
            noted_games,
            without_games,
            failed,
        }
    }

    pub(crate) fn new(output: T) -> Self {
        Self {
            output,
            before: PartOffset::default(),
            progress: crate::Progress::default(),
            problems: Vec::new(),
            is_start: true,
            end: None,
            noted_games: Vec::new(),
            without_games: Vec::new(),
            failed: None,
        }
    }
}

/// Counts before a part in its entry, which are known when the part has its turn. All are zero for
/// whole entries and first parts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct PartOffset {
    /// Games.
    pub games: u64,
    /// Errors after the last game; they belong to the first game of the part.
    pub errors: u64,
    /// Warnings after the last game; they belong to the first game of the part.
    pub warnings: u64,
    /// Bytes.
    pub(crate) bytes: u64,
    /// Line and column in which the part begins.
    pub(crate) start: Position,
}

impl PartOffset {
    /// Returns the position in the entry of a position that counts from the start of the part.
    #[must_use]
    pub fn position(&self, at: Position) -> Position {
        let column = if at.line == 1 {
            self.start.column + at.column - 1
        } else {
            at.column
        };
        Position {
            line: self.start.line + at.line - 1,
            column,
            ..at
        }
    }

    /// Adds the counts of a part that ended with `end`.
    pub(crate) fn advance(&mut self, end: &PartEnd) {
        let [errors, warnings] = end.trailing;
        if end.games > 0 {
            (self.errors, self.warnings) = (0, 0);
        }
        self.start = self.position(end.position);
        self.games += end.games;
        self.bytes += end.bytes;
        self.errors += errors;
        self.warnings += warnings;
    }
}

/// A game that is named in the problems. Its number counts from the start of the part.
#[derive(Clone, Copy, Debug)]
pub(crate) enum NotedGame {
    /// It exceeds [`Limits::game`](sgfstream::Limits::game).
    Long {
        number: u64,
    },
    Unclosed(UnclosedGame),
}

impl NotedGame {
    /// Returns the games to name of a part.
    pub(crate) fn of(end: &PartEnd) -> impl Iterator<Item = Self> {
        let long = end.long_games.iter().map(|&number| Self::Long { number });
        long.chain(end.unclosed_games.iter().map(|&game| Self::Unclosed(game)))
    }

    /// Returns the problem, for a part with these games before it.
    pub(crate) fn problem(self, name: &EntryName, before: u64, options: Options) -> ArchiveProblem {
        let (number, kind, message) = match self {
            Self::Long { number } => {
                let most = match options.limits.game {
                    bytes if bytes > 0 && bytes % (1 << 20) == 0 => format!("{} MiB", bytes >> 20),
                    bytes => format!("{bytes} bytes"),
                };
                let message =
                    format!("the game is longer than {most}; raise the limit with --max-game");
                (number, ArchiveErrorKind::LongGame, message)
            }
            Self::Unclosed(UnclosedGame { number, bytes, .. }) => {
                let message =
                    format!("the game is not closed in {bytes} bytes, so it may hide other games");
                (number, ArchiveErrorKind::UnclosedGame, message)
            }
        };
        ArchiveProblem::new(name.game(before + number), kind, message)
    }
}

/// Returns the problem of an entry that lacks the requested game.
pub(crate) fn missing_game(name: &EntryName, number: u64, games: u64) -> ArchiveProblem {
    let s = if games == 1 { "" } else { "s" };
    let message = format!("no game {number}: the file has {games} game{s}");
    ArchiveProblem::new(name.clone(), ArchiveErrorKind::NotFound, message)
}

#[cfg(test)]
mod tests {
    use sgfstream::{Event, EventReader, Limits};

    use super::*;

    #[test]
    fn long_games_come_back_from_a_file() {
        let long = format!("(;C[{}])", ";B[aa]".repeat(300_000).replace(']', "\\]"));
        let game = format!("(;B[aa]{})", ";W[bb];B[cc]".repeat(100_000));
        let input = [
            long.as_bytes(),
            b" \n",
            game.as_bytes(),
            b"(;B[dd])",
            game.as_bytes(),
        ]
        .concat();
        let options = Options::default().with_limits(Limits::default().with_game(100_000));
        let mut read = &input[..];
        let mut reader = PartReader::whole(&mut read, options, None);
        reader.retain_in(tempfile::tempfile);
        reader.retain(Some(0));
        let (mut start, mut games) = (0, 0);
        while reader.advance().expect("no error of the disk") {
            let window = reader.window();
            assert!(window.end - window.start < 2 << 20);
            if matches!(reader.event(), Event::VariationEnd(_)) {
                let end = reader.span().end;
                for range in [start..end, start + 1..start + 2, end - 1..end, end..end] {
                    let mut out = Vec::new();
                    reader.copy(range.clone(), &mut out).expect("retained");
                    assert!(out == input[range.start as usize..range.end as usize]);
                }
                reader.retain(Some(end));
                (start, games) = (end, games + 1);
            }
        }
        assert_eq!(games, 4);
        reader.retain(None);
        assert!(reader.copy(5..10, &mut Vec::new()).is_err());
    }
}
