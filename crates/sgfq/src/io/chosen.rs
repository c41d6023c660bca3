//! The games of an entry for which `--where` is true, for commands that read events.
//!
//! Whether a game is chosen may be known at its end only. Its bytes are recorded until then, and given to a second
//! reader.

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::io::{self, Read, Seek, Write};
use std::ops::ControlFlow;
use std::rc::Rc;

use anyhow::Context;
use tempfile::SpooledTempFile;

use sgfstream::{EventReader, Options};
use sgfstream_engine::{Part, PartEnd, PartReader};
use sgfstream_table::games::{RecordedRows, buffer, recorded, written_end};
use sgfstream_table::row::{ColumnSet, RowBuilder};

use crate::args::input::{Inputs, shown_name};
use crate::args::where_games::Chooser;
use crate::report::cut;
use crate::report::exit::Exit;

/// Treatment of the games that are not chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Others {
    /// They are given as they are: the caller tells them apart.
    Kept,
    /// They are left out.
    LeftOut,
    /// They are replaced by blanks, and their line breaks are kept: the others keep their places. A game that shows where
    /// a chosen game was cut off is not replaced; it has no [number](Reading::number).
    Blanked,
}

/// State of the games that a reader gives.
pub(crate) struct Reading {
    chosen: Option<Rc<Chosen>>,
}

#[derive(Debug, Default)]
struct Chosen {
    /// The numbers of the games that were given to the reader, and how many were given before them.
    numbers: RefCell<VecDeque<Option<u64>>>,
    before: Cell<u64>,
    bytes: Cell<u64>,
}

impl Reading {
    /// The number in its input of a game that the reader counts as `game`; none if that is not chosen. To be asked in
    /// the order of the input.
    pub(crate) fn number(&self, game: u64) -> Option<u64> {
        let Some(chosen) = &self.chosen else { return Some(game) };
        let mut numbers = chosen.numbers.borrow_mut();
        while chosen.before.get() + 1 < game && numbers.len() > 1 {
            numbers.pop_front();
            chosen.before.set(chosen.before.get() + 1);
        }
        numbers.front().copied().unwrap_or(Some(game))
    }

    /// The bytes of the games, if the reader has read `bytes`.
    pub(crate) fn bytes(&self, bytes: u64) -> u64 {
        self.chosen.as_ref().map_or(bytes, |chosen| chosen.bytes.get())
    }
}

impl Chooser {
    /// Gives `read` a reader of the chosen games of a part: of all games, without a filter.
    pub(crate) fn read(
        &self,
        part: Part<'_>,
        others: Others,
        read: impl FnOnce(PartReader<'_>, &Reading) -> anyhow::Result<PartEnd>,
    ) -> anyhow::Result<PartEnd> {
        if self.chooses_all() {
            return read(part.reader(), &Reading { chosen: None });
        }
        let mut games = ChosenGames::new(part, self, self.builder(ColumnSet::default()), others)?;
        let reading = Reading { chosen: Some(Rc::clone(&games.chosen)) };
        let (options, start, before) = (games.options, games.start, games.before);
        let first = games.next_runs();
        let has_games = !games.is_at_end;
        let result = first.and_then(|()| {
            let reader = PartReader::range(&mut games, options, start..u64::MAX, before);
            // That its games are left out is no problem of the input.
            read(if has_games { reader.expecting_no_game() } else { reader }, &reading)
        });
        games.finish(result.map(drop))
    }
}

impl Inputs {
    /// Gives `each` the name and a reader of the chosen games of each entry, one after another.
    pub(crate) fn each_chosen(
        &self,
        options: Options,
        chooser: &Chooser,
        others: Others,
        mut each: impl FnMut(&str, &mut PartReader<'_>, &Reading) -> anyhow::Result<()>,
    ) -> anyhow::Result<Exit> {
        self.each(options, |part| {
            let name = shown_name(&part);
            let end = chooser.read(part, others, |mut reader, reading| {
                each(&name, &mut reader, reading)?;
                Ok(reader.finish()?)
            })?;
            Ok(ControlFlow::Continue(end))
        })
    }
}

/// Bytes of a run that are copied at once.
const CHUNK: u64 = 64 << 10;

/// The bytes of a part without the games that are not chosen.
struct ChosenGames<'e, 'c> {
    rows: RecordedRows<'e>,
    chooser: &'c Chooser,
    others: Others,
    /// Where the part begins, and how many games there are before.
    start: u64,
    before: u64,
    options: Options,
    /// One game was asked for by its number: what is around it is not given.
    is_one: bool,
    /// Runs of bytes that are decided about and not yet given.
    runs: VecDeque<Run>,
    /// The end of the last run.
    end: u64,
    is_at_end: bool,
    ready: Vec<u8>,
    head: usize,
    chosen: Rc<Chosen>,
    /// The end of the last game is known by the next.
    is_cut_off: bool,
    failed: Option<anyhow::Error>,
}

/// Bytes with one fate.
#[derive(Clone, Debug, Default)]
struct Run {
    at: u64,
    end: u64,
    /// Bytes to give that a game lacks.
    supplied: Vec<u8>,
    /// The number of the game; none for what is between games.
    game: Option<u64>,
    is_kept: bool,
}

/// Bytes of a game that are kept in memory.
const MEMORY: usize = 1 << 20;

/// Writes a part to `out`. Each chosen game is given to `edit`, which writes what becomes of it; all other bytes are
/// written as they are. `builder` finds out what the chooser asks for, and what `edit` wants to know of the row of a
/// game.
pub(crate) fn edit_chosen(
    part: Part<'_>,
    chooser: &Chooser,
    builder: RowBuilder,
    out: &mut dyn Write,
    mut edit: impl FnMut(u64, &RowBuilder, &mut SpooledTempFile, Options, &mut dyn Write) -> anyhow::Result<()>,
) -> anyhow::Result<PartEnd> {
    let mut games = ChosenGames::new(part, chooser, builder, Others::Kept)?;
    let mut copy = SpooledTempFile::new(MEMORY);
    let result = loop {
        let Some(run) = games.runs.pop_front() else {
            if games.is_at_end {
                break Ok(());
            }
            if let Err(err) = games.next_runs() {
                break Err(err);
            }
            continue;
        };
        match run.game {
            Some(number) if run.is_kept => {
                buffer(&mut games.rows).copy(run.at, run.end, &mut copy).context("temporary file")?;
                copy.rewind().context("temporary file")?;
                edit(number, games.rows.builder(), &mut copy, games.options, out)?;
                copy.set_len(0).context("temporary file")?;
                copy.rewind().context("temporary file")?;
            }
            // Around the one game that was asked for.
            None if !run.is_kept => {}
            _ => buffer(&mut games.rows).copy(run.at, run.end, out)?,
        }
    };
    games.finish(result)
}

impl<'e, 'c> ChosenGames<'e, 'c> {
    fn new(part: Part<'e>, chooser: &'c Chooser, builder: RowBuilder, others: Others) -> anyhow::Result<Self> {
        let (options, is_one) = (part.options(), part.game().is_some());
        let mut rows = recorded(part, builder);
        let reader = rows.reader_mut();
        let start = reader.start();
        let before = reader.game();
        // The bytes before the game are recorded: its lines are counted in them.
        reader.skip_to_game()?;
        Ok(Self {
            rows,
            chooser,
            others,
            start,
            before,
            options,
            is_one,
            runs: VecDeque::new(),
            end: start,
            is_at_end: false,
            ready: Vec::new(),
            head: 0,
            chosen: Rc::new(Chosen { before: Cell::new(before), ..Chosen::default() }),
            is_cut_off: false,
            failed: None,
        })
    }

    /// Decides about the next game.
    fn next_runs(&mut self) -> anyhow::Result<()> {
        let rows = &mut self.rows;
        buffer(rows).release(self.end);
        if !rows.next_root()? {
            self.is_at_end = true;
            let end = rows.reader().offset();
            self.runs.push_back(Run { at: self.end, end: end.max(self.end), is_kept: !self.is_one, ..Run::default() });
            return Ok(());
        }
        let start = rows.span().start;
        let number = rows.reader().game();
        let is_kept = self.chooser.decide(rows)?;
        // A game that was skipped has no exact end.
        rows.read_rest()?;
        cut::add(rows.builder().cut_texts());
        let extent = rows.extent().context("expected a game that was read to its end, found one that was skipped")?;
        let end = extent.span.end;
        self.runs.push_back(Run { at: self.end, end: start, is_kept: !self.is_one, ..Run::default() });
        self.end = end;
        let game = Some(number);
        let run = Run { at: start, end, game, is_kept, ..Run::default() };
        if is_kept {
            self.chosen.bytes.set(self.chosen.bytes.get() + (end - start));
        }
        match self.others {
            Others::Blanked => {
                let is_kept = is_kept || self.is_cut_off;
                if is_kept {
                    self.chosen.numbers.borrow_mut().push_back(game.filter(|_| run.is_kept));
                }
                self.is_cut_off = is_kept && !extent.is_whole();
                self.runs.push_back(Run { is_kept, ..run });
            }
            // Without the next game, nothing shows where this one ends.
            Others::LeftOut if is_kept && !extent.is_whole() => {
                let supplied = |text: &[u8]| Run { supplied: text.to_vec(), game, is_kept, ..Run::default() };
                self.runs.push_back(supplied(extent.head()));
                self.runs.push_back(Run { end: written_end(rows, &extent)?, ..run });
                self.runs.push_back(supplied(&[&extent.tail()[..], b"\n"].concat()));
            }
            Others::LeftOut => self.runs.push_back(run),
            Others::Kept => self.runs.push_back(run),
        }
        Ok(())
    }

    /// Gets more bytes ready. False at the end.
    fn fill(&mut self) -> anyhow::Result<bool> {
        self.ready.clear();
        self.head = 0;
        while self.ready.is_empty() {
            let Some(run) = self.runs.front_mut() else {
                if self.is_at_end {
                    return Ok(false);
                }
                self.next_runs()?;
                continue;
            };
            self.ready.append(&mut run.supplied);
            if !self.ready.is_empty() {
                continue;
            }
            let end = run.end.min(run.at.saturating_add(CHUNK));
            if run.at >= end || !run.is_kept && self.others == Others::LeftOut {
                self.runs.pop_front();
                continue;
            }
            buffer(&mut self.rows).copy(run.at, end, &mut self.ready).context("temporary file")?;
            if !run.is_kept {
                self.ready.iter_mut().filter(|byte| !matches!(byte, b'\n' | b'\r')).for_each(|byte| *byte = b' ');
            }
            run.at = end;
        }
        Ok(true)
    }

    /// How the part ended, after a command has read of it what it wanted.
    fn finish(mut self, read: anyhow::Result<()>) -> anyhow::Result<PartEnd> {
        if let Some(err) = buffer(&mut self.rows).take_error() {
            return Err(err).context("temporary file");
        }
        self.failed.take().map_or(Ok(()), Err)?;
        read?;
        buffer(&mut self.rows).skip(true);
        Ok(self.rows.reader_mut().finish()?)
    }
}

impl Read for ChosenGames<'_, '_> {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        if self.head == self.ready.len() {
            match self.fill() {
                Ok(true) => {}
                Ok(false) => return Ok(0),
                Err(err) => {
                    // The reader gives what it was told; the reason is kept for the caller.
                    self.failed = Some(err);
                    return Err(io::Error::other("expected games to choose from, found an input that failed"));
                }
            }
        }
        let len = buf.len().min(self.ready.len() - self.head);
        buf[..len].copy_from_slice(&self.ready[self.head..self.head + len]);
        self.head += len;
        Ok(len)
    }
}
