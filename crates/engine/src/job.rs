//! What a command does with what workers read.

use std::io::Read;

use sgfstream::read::parallel::PartReader;
use sgfstream_archive::{ArchiveProblem, EntryName};

/// An entry, or a part of one.
#[derive(Clone, Copy, Debug)]
pub struct At<'a> {
    pub name: &'a EntryName,
    /// The entry begins here.
    pub is_start: bool,
    /// The game that was asked for, counted from 1 in the entry.
    pub game: Option<u64>,
}

/// Hands out what has been made so far, before its time. False: nobody wants
/// more.
pub type Flush<'f, A> = dyn FnMut(A) -> bool + 'f;

/// A command's work on what is read.
pub trait Job: Sync {
    /// What a unit of work comes to.
    type Acc: Send;

    /// True if it finds the game that was asked for by itself; else it gets
    /// that game alone.
    fn picks_games(&self) -> bool {
        false
    }

    /// Nothing yet.
    fn begin(&self) -> Self::Acc;

    /// Reads an entry, or a part of one, to its end. A unit may hold several.
    /// One that makes more than a few MiB hands it out with `flush`.
    fn read(
        &self,
        _acc: &mut Self::Acc,
        _at: &At<'_>,
        _part: &mut PartReader<'_>,
        _flush: &mut Flush<'_, Self::Acc>,
    ) -> anyhow::Result<()> {
        unreachable!("a job reads events, or bytes")
    }

    /// How it reads the bytes of an entry, if it wants those and not the events:
    /// entries come whole then.
    fn bytes(&self) -> Option<&dyn ReadBytes<Self::Acc>> {
        None
    }
}

/// Work on the bytes of entries.
pub trait ReadBytes<A>: Sync {
    /// What one worker works with, from its first entry to its last.
    fn worker(&self) -> Box<dyn Entries<A> + '_>;
}

/// Reads entries, one after another.
pub trait Entries<A> {
    /// Reads an entry, from its first byte on. A unit may hold several. What
    /// makes more than a few MiB hands it out with `flush`.
    fn read(
        &mut self,
        acc: &mut A,
        at: &At<'_>,
        read: &mut dyn Read,
        flush: &mut Flush<'_, A>,
    ) -> anyhow::Result<Games>;
}

/// What was read of an entry.
#[derive(Clone, Copy, Debug)]
pub struct Games {
    pub games: u64,
    /// The game that was asked for is there, or none was.
    pub is_found: bool,
}

/// The result of a unit, or a piece of it.
#[derive(Debug)]
pub struct Output<A> {
    pub group: u64,
    pub acc: Option<A>,
    pub problems: Vec<ArchiveProblem>,
    pub tally: Tally,
    /// Why the command cannot go on.
    pub failed: Option<anyhow::Error>,
}

impl<A> Output<A> {
    pub fn empty(group: u64) -> Self {
        Self { group, acc: None, problems: Vec::new(), tally: Tally::default(), failed: None }
    }
}

/// What was read.
#[derive(Clone, Copy, Debug, Default)]
pub struct Tally {
    pub entries: u64,
    pub bytes: u64,
    pub games: u64,
    /// Problems that reading met.
    pub problems: u64,
}

impl Tally {
    pub fn add(&mut self, other: Self) {
        self.entries += other.entries;
        self.bytes += other.bytes;
        self.games += other.games;
        self.problems += other.problems;
    }
}
