//! Jobs on the parts of entries, and their outcomes.

use std::any::Any;
use std::io::Read;
use std::ops::{Deref, DerefMut};

use sgfstream::parallel::{PartEnd, PartRead, PartReader};
use sgfstream::{Options, Position};
use sgfstream_archive::{ArchiveErrorKind, ArchiveProblem, EntryName};

/// Work on the games of entries, on several threads at once.
///
/// The [crate's page](crate) has an example.
pub trait Job: Sync {
    /// State that a thread keeps from one part to the next, such as a row builder; `()` if nothing.
    type Worker;

    /// Output of one or several parts. It borrows nothing, so that the queues can hold outputs of any type.
    type Output: Send + 'static;

    /// Makes what a thread keeps.
    fn worker(&self) -> Self::Worker;

    /// Makes an empty output.
    fn output(&self) -> Self::Output;

    /// Makes an output that was taken an empty one again, with the memory that it has; none to drop it.
    fn reuse(&self, output: Self::Output) -> Option<Self::Output> {
        drop(output);
        None
    }

    /// Adds what came before the part of an output to its numbers, which count from the start of the part. It is called
    /// once, when the output has its turn; all of `before` is zero where the entry begins.
    fn shift(&self, output: &mut Self::Output, before: &Before) {
        _ = (output, before);
    }

    /// Reads a part to its end and adds to `out` what is made of it. An output may hold several small entries. Where it
    /// grows beyond some MiB, call [`Out::hand_out`].
    ///
    /// # Errors
    ///
    /// An error of reading ([`sgfstream::Error::is_io`]) ends the entry; the archive reports it as a problem. Any
    /// other error ends the run.
    fn read(
        &self,
        worker: &mut Self::Worker,
        part: Part<'_>,
        out: &mut Out<'_, Self::Output>,
    ) -> anyhow::Result<PartEnd>;
}

/// Output of a job in the queues. They and the workers do not know its type: there is one machine for all jobs, not one
/// compiled for each.
pub(crate) type AnyOutput = Box<dyn Any + Send>;

/// A [`Job`] without its types.
pub(crate) trait AnyJob: Sync {
    /// Makes an empty output.
    fn output(&self) -> AnyOutput;

    /// Makes what a thread reads parts with. `empty` makes an empty output, or finds one.
    fn reading<'j>(&'j self, empty: &'j dyn Fn() -> AnyOutput) -> Box<dyn Reading + 'j>;
}

/// A job on one thread.
pub(crate) trait Reading {
    /// As [`Job::read`]; `hand_out` takes what is handed out.
    fn read(
        &mut self,
        part: Part<'_>,
        out: &mut AnyOutput,
        hand_out: &mut dyn FnMut(AnyOutput) -> bool,
    ) -> anyhow::Result<PartEnd>;
}

impl<J: Job> AnyJob for J {
    fn output(&self) -> AnyOutput {
        Box::new(Job::output(self))
    }

    fn reading<'j>(&'j self, empty: &'j dyn Fn() -> AnyOutput) -> Box<dyn Reading + 'j> {
        Box::new(OnThread { job: self, worker: self.worker(), empty })
    }
}

struct OnThread<'j, J: Job> {
    job: &'j J,
    worker: J::Worker,
    empty: &'j dyn Fn() -> AnyOutput,
}

impl<J: Job> Reading for OnThread<'_, J> {
    fn read(
        &mut self,
        part: Part<'_>,
        out: &mut AnyOutput,
        hand_out: &mut dyn FnMut(AnyOutput) -> bool,
    ) -> anyhow::Result<PartEnd> {
        let mut hand_out = |output: &mut J::Output| {
            let mut piece = (self.empty)();
            std::mem::swap(output, typed(&mut piece));
            hand_out(piece)
        };
        self.job.read(&mut self.worker, part, &mut Out { output: typed(out), hand_out: &mut hand_out })
    }
}

fn typed<T: 'static>(output: &mut AnyOutput) -> &mut T {
    output.downcast_mut().expect(ONE_TYPE)
}

/// The output of a job whose outputs are of this type.
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
    pub(crate) is_cut: bool,
    pub(crate) options: Options,
    pub(crate) reader: PartReader<'p>,
}

impl<'p> Part<'p> {
    /// The name of the entry.
    #[must_use]
    pub fn name(&self) -> &'p EntryName {
        self.name
    }

    /// True if the entry begins here. Games, errors and lines before other parts are not known while they are read:
    /// see [`Before`].
    #[must_use]
    pub fn is_start(&self) -> bool {
        self.is_start
    }

    /// True if the entry is read in parts, of which this may be the only one.
    #[must_use]
    pub fn is_cut(&self) -> bool {
        self.is_cut
    }

    /// The number of the one game that the caller asked for (`x.sgf#17`), from 1. The reader gives that game alone.
    #[must_use]
    pub fn game(&self) -> Option<u64> {
        self.game
    }

    /// The line and the column where it begins, if it does not begin its entry, and they are known.
    #[must_use]
    pub fn start_position(&self) -> Option<Position> {
        self.reader.start_position()
    }

    /// The options that it is read with.
    #[must_use]
    pub fn options(&self) -> Options {
        self.options
    }

    /// The reader of its events.
    #[must_use]
    pub fn reader(self) -> PartReader<'p> {
        let mut reader = self.reader.with_game(self.game);
        reader.retain_in(tempfile::tempfile);
        reader
    }

    /// The reader of its events, which reads through what `wrap` makes of its bytes: to look at them, for example.
    pub fn through<R: Read>(self, wrap: impl FnOnce(PartRead<'p>) -> R) -> PartReader<'p, R> {
        self.reader.through(wrap).with_game(self.game)
    }

    /// Its bytes: those of the whole entry, even if one game was asked for.
    #[must_use]
    pub fn bytes(self) -> PartRead<'p> {
        let is_at_game = self.reader.start_position().is_some();
        let read = self.reader.into_inner();
        if is_at_game { read.from_start() } else { read }
    }
}

/// The output that a job adds to.
pub struct Out<'o, T> {
    pub(crate) output: &'o mut T,
    pub(crate) hand_out: &'o mut dyn FnMut(&mut T) -> bool,
}

impl<'o, T> Out<'o, T> {
    /// An output for a part that no thread of an engine reads; `hand_out` takes it when there is much of it.
    pub fn new(output: &'o mut T, hand_out: &'o mut dyn FnMut(&mut T) -> bool) -> Self {
        Self { output, hand_out }
    }

    /// Hands out what there is and puts an empty output in its place. Waits while too much of what comes before it was
    /// not handed out. False if the run was cancelled: stop reading then.
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

/// Outcome of a task, or of a piece of one that was handed out.
#[derive(Debug)]
#[non_exhaustive]
pub struct Outcome<T> {
    /// Output of the job; none once it was taken.
    pub output: Option<T>,
    /// Counts before the part that it was made of.
    pub before: Before,
    /// Progress since the outcome before it.
    pub progress: crate::Progress,
    /// Entries and archives that could not be read, or not to their end.
    pub problems: Vec<ArchiveProblem>,
    /// It does not go on with the entry of the outcome before it.
    pub is_start: bool,
    /// How the part ended, in the last piece of it.
    pub(crate) end: Option<PartEnd>,
    /// The games that are too long, with their entries; counted from the start of the part.
    pub(crate) long_games: Vec<(EntryName, u64)>,
    /// Why the run cannot go on.
    pub(crate) failed: Option<anyhow::Error>,
}

impl<T> Outcome<T> {
    /// Converts its output.
    pub(crate) fn map<U>(self, convert: impl FnOnce(T) -> U) -> Outcome<U> {
        let Self { output, before, progress, problems, is_start, end, long_games, failed } = self;
        Outcome { output: output.map(convert), before, progress, problems, is_start, end, long_games, failed }
    }

    pub(crate) fn empty() -> Self {
        Self {
            output: None,
            before: Before::default(),
            progress: crate::Progress::default(),
            problems: Vec::new(),
            is_start: true,
            end: None,
            long_games: Vec::new(),
            failed: None,
        }
    }
}

/// Counts of what came before a part in its entry: see [`Job::shift`]. All zero for whole entries and first parts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Before {
    /// Parts.
    pub parts: u64,
    /// Games.
    pub games: u64,
    /// Errors after the last game, which belong to the first game of the part.
    pub errors: u64,
    /// Warnings after the last game, likewise.
    pub warnings: u64,
}

impl Before {
    /// Counts that an earlier run found.
    #[must_use]
    pub fn new(parts: u64, games: u64, [errors, warnings]: [u64; 2]) -> Self {
        Self { parts, games, errors, warnings }
    }

    /// Adds the part that ended so.
    pub(crate) fn advance(&mut self, end: &PartEnd) {
        let [errors, warnings] = end.trailing;
        if end.games > 0 {
            (self.errors, self.warnings) = (0, 0);
        }
        self.parts += 1;
        self.games += end.games;
        self.errors += errors;
        self.warnings += warnings;
    }
}

/// Problem of a game that is longer than [`Limits::game`](sgfstream::Limits::game).
pub(crate) fn long_game(name: &EntryName, number: u64, options: Options) -> ArchiveProblem {
    let most = match options.limits.game {
        bytes if bytes > 0 && bytes % (1 << 20) == 0 => format!("{} MiB", bytes >> 20),
        bytes => format!("{bytes} bytes"),
    };
    let expected = format!("a game of at most {most}");
    ArchiveProblem::new(name.game(number), ArchiveErrorKind::LongGame, expected, "a longer one")
}

/// Problem of an entry that has fewer games than were asked for.
pub(crate) fn missing_game(name: &EntryName, number: u64) -> ArchiveProblem {
    ArchiveProblem::new(name.clone(), ArchiveErrorKind::NotFound, format!("a game {number}"), "fewer")
}

#[cfg(test)]
mod tests {
    use sgfstream::{Event, EventReader, Limits};

    use super::*;

    #[test]
    fn long_games_come_back_from_a_file() {
        let long = format!("(;C[{}])", ";B[aa]".repeat(300_000).replace(']', "\\]"));
        let game = format!("(;B[aa]{})", ";W[bb];B[cc]".repeat(100_000));
        let input = [long.as_bytes(), b" \n", game.as_bytes(), b"(;B[dd])", game.as_bytes()].concat();
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
