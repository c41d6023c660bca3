//! The games of an entry for which `--where` is true, for commands that read events.
//!
//! Whether a game is chosen may be known at its end only. Its bytes are recorded until then, and given to a second
//! reader.

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::io::{self, Read, Seek, Write};
use std::ops::{ControlFlow, Range};
use std::rc::Rc;

use anyhow::Context;
use tempfile::SpooledTempFile;

use sgfstream::Options;
use sgfstream_engine::{Part, PartEnd, PartReader};
use sgfstream_table::games::{GameCursor, Kept, LongGame};
use sgfstream_table::row::{ColumnSet, RowBuilder};

use crate::args::input::{Inputs, shown_name};
use crate::args::where_games::Chooser;
use crate::report::exit::Exit;

/// Treatment of the games that are not chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Others {
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
        let (options, is_one) = (part.options(), part.game().is_some());
        // The bytes before the game are kept: its lines are counted in them.
        let games = GameCursor::new(part, self.builder(ColumnSet::default()), Kept::All)?;
        let (start, before) = (games.before().start, games.number());
        let chosen = Rc::new(Chosen { before: Cell::new(before), ..Chosen::default() });
        let reading = Reading { chosen: Some(Rc::clone(&chosen)) };
        let mut games = ChosenGames {
            games,
            chooser: self,
            is_blanked: others == Others::Blanked,
            is_one,
            runs: VecDeque::new(),
            is_at_end: false,
            ready: Vec::new(),
            head: 0,
            chosen,
            is_cut_off: false,
            failed: None,
        };
        let first = games.next_runs();
        let has_games = !games.is_at_end;
        let result = first.and_then(|()| {
            let reader = PartReader::range(&mut games, options, start..u64::MAX, before);
            // That its games are left out is no problem of the input.
            read(if has_games { reader.expecting_no_game() } else { reader }, &reading)
        });
        let failed = games.failed.take().map_or(Ok(()), Err);
        games.games.end(failed.and(result.map(drop)))
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

/// Bytes of a game that are kept in memory.
const MEMORY: usize = 1 << 20;

/// Writes a part to `out`. Each chosen game is given to `edit`, which writes what becomes of it; all other bytes are
/// written as they are, except those around the one game that was asked for. `builder` finds out what the chooser asks
/// for, and what `edit` wants to know of the row of a game.
pub(crate) fn edit_chosen(
    part: Part<'_>,
    chooser: &Chooser,
    builder: RowBuilder,
    out: &mut dyn Write,
    mut edit: impl FnMut(u64, &RowBuilder, &mut SpooledTempFile, Options, &mut dyn Write) -> anyhow::Result<()>,
) -> anyhow::Result<PartEnd> {
    let (options, is_one) = (part.options(), part.game().is_some());
    let mut games = GameCursor::new(part, builder, if is_one { Kept::Games } else { Kept::All })?;
    let mut copy = SpooledTempFile::new(MEMORY);
    let mut read = || {
        loop {
            let is_found = games.advance()?;
            if !is_one {
                games.copy(games.before(), out)?;
            }
            if !is_found {
                return Ok(());
            }
            let number = games.number();
            // A game that is too long is copied.
            let is_chosen = or_long(chooser.chooses(&mut games))?;
            let extent = games.extent()?;
            let bytes = extent.span.start..extent.span.end;
            if !is_chosen || games.is_long() {
                games.copy(bytes, out)?;
                continue;
            }
            games.copy(bytes, &mut copy).context("temporary file")?;
            copy.rewind().context("temporary file")?;
            edit(number, games.builder(), &mut copy, options, out)?;
            copy.set_len(0).context("temporary file")?;
            copy.rewind().context("temporary file")?;
        }
    };
    let result = read();
    games.end(result)
}

/// False for a game that is too long.
fn or_long(is_chosen: anyhow::Result<bool>) -> anyhow::Result<bool> {
    match is_chosen {
        Err(err) if err.is::<LongGame>() => Ok(false),
        is_chosen => is_chosen,
    }
}

/// The bytes of a part without the games that are not chosen.
struct ChosenGames<'e, 'c> {
    games: GameCursor<'e>,
    chooser: &'c Chooser,
    /// The others are replaced by blanks.
    is_blanked: bool,
    /// One game was asked for by its number: what is around it is not given.
    is_one: bool,
    /// Runs of bytes that are decided about and not yet given.
    runs: VecDeque<Run>,
    is_at_end: bool,
    ready: Vec<u8>,
    head: usize,
    chosen: Rc<Chosen>,
    /// The end of the last game is known by the next.
    is_cut_off: bool,
    failed: Option<anyhow::Error>,
}

/// Bytes to give.
#[derive(Clone, Debug)]
enum Run {
    Kept(Range<u64>),
    Blanked(Range<u64>),
    /// Bytes that a game lacks.
    Supplied(Vec<u8>),
}

/// Bytes of a run that are copied at once.
const CHUNK: u64 = 64 << 10;

impl ChosenGames<'_, '_> {
    /// Decides about the next game.
    fn next_runs(&mut self) -> anyhow::Result<()> {
        let Self { games, runs, chosen, .. } = self;
        self.is_at_end = !games.advance()?;
        if !self.is_one {
            runs.push_back(Run::Kept(games.before()));
        }
        if self.is_at_end {
            return Ok(());
        }
        let number = games.number();
        let is_chosen = or_long(self.chooser.chooses(games))?;
        // A game that was skipped has no exact end.
        let extent = games.extent()?;
        let is_chosen = is_chosen && !games.is_long();
        let bytes = extent.span.start..extent.span.end;
        if is_chosen {
            chosen.bytes.set(chosen.bytes.get() + (bytes.end - bytes.start));
        }
        if self.is_blanked {
            let is_kept = is_chosen || self.is_cut_off;
            if is_kept {
                chosen.numbers.borrow_mut().push_back(Some(number).filter(|_| is_chosen));
            }
            self.is_cut_off = is_kept && !extent.is_whole();
            runs.push_back(if is_kept { Run::Kept(bytes) } else { Run::Blanked(bytes) });
        } else if is_chosen && extent.is_whole() {
            runs.push_back(Run::Kept(bytes));
        } else if is_chosen {
            // Without the next game, nothing shows where this one ends.
            runs.push_back(Run::Supplied(extent.head().to_vec()));
            runs.push_back(Run::Kept(games.written(&extent)?));
            runs.push_back(Run::Supplied([&extent.tail()[..], b"\n"].concat()));
        }
        Ok(())
    }

    /// Gets more bytes ready. False at the end.
    fn fill(&mut self) -> anyhow::Result<bool> {
        self.ready.clear();
        self.head = 0;
        while self.ready.is_empty() {
            let is_blanked = matches!(self.runs.front(), Some(Run::Blanked(_)));
            match self.runs.front_mut() {
                Some(Run::Kept(bytes) | Run::Blanked(bytes)) if bytes.start < bytes.end => {
                    let end = bytes.end.min(bytes.start + CHUNK);
                    let chunk = std::mem::replace(&mut bytes.start, end)..end;
                    self.games.copy(chunk, &mut self.ready).context("temporary file")?;
                    if is_blanked {
                        self.ready.iter_mut().filter(|byte| !b"\n\r".contains(byte)).for_each(|byte| *byte = b' ');
                    }
                }
                Some(Run::Supplied(bytes)) if !bytes.is_empty() => self.ready.append(bytes),
                Some(_) => drop(self.runs.pop_front()),
                None if self.is_at_end => return Ok(false),
                None => self.next_runs()?,
            }
        }
        Ok(true)
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
