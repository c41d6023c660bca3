//! The games of the inputs, one after another: their rows, and their bytes.

use std::cell::RefCell;
use std::io::Write;
use std::rc::Rc;

use anyhow::Context;

use sgfstream::EventReader;
use sgfstream::read::{Options, Reader};
use sgfstream_table::filter::Filter;
use sgfstream_table::row::{ColumnSet, GameRow, RowBuilder, Rows};

use super::exit::Exit;
use super::input::{EntryRead, Inputs, Opened};
use super::terminal;
use sgfstream_engine::missing_game;
use sgfstream_engine::{Recorder, Tape};

/// A game: its root is read, the rest of it is not, or not yet.
pub(super) struct Game<'g, 'e> {
    rows: &'g mut Rows<Reader<Recorder<EntryRead<'e>>>>,
    tape: &'g RefCell<Tape>,
}

/// Whether to go on to the next game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Then {
    Go,
    /// No more games of any input.
    Stop,
}

impl Game<'_, '_> {
    /// The row, as far as it is known.
    pub(super) fn row(&self) -> &GameRow {
        self.rows.row()
    }

    /// Whether the filter chooses it.
    pub(super) fn decide(&mut self, filter: &Filter) -> anyhow::Result<bool> {
        Ok(filter.decide(self.rows)?)
    }

    /// Reads on as far as the row needs it.
    pub(super) fn finish(&mut self) -> anyhow::Result<&GameRow> {
        Ok(self.rows.finish_row()?)
    }

    /// Reads all of it, so that its row is complete and its bytes can be
    /// written.
    pub(super) fn read_rest(&mut self) -> anyhow::Result<&GameRow> {
        Ok(self.rows.read_rest()?)
    }

    /// Writes its bytes as they were, with what they lack to be a game on their
    /// own.
    pub(super) fn write(&mut self, out: &mut dyn Write) -> anyhow::Result<()> {
        self.rows.read_rest()?;
        let extent =
            self.rows.extent().context("expected a game that was read to its end, found one that was skipped")?;
        let mut tape = self.tape.borrow_mut();
        out.write_all(extent.head())?;
        let (start, mut end) = (extent.span.start, extent.span.end);
        if extent.lacks_bracket {
            // A lone `\` at the end would escape the `]` that is supplied.
            let mut last = Vec::new();
            tape.copy(end.saturating_sub(4096).max(start), end, &mut last)?;
            end -= (last.iter().rev().take_while(|&&byte| byte == b'\\').count() % 2) as u64;
        }
        tape.copy(start, end, out)?;
        Ok(out.write_all(&extent.tail())?)
    }

    /// As [`write`](Self::write), with a line break behind it.
    pub(super) fn write_line(&mut self, out: &mut dyn Write) -> anyhow::Result<()> {
        self.write(out)?;
        Ok(out.write_all(b"\n")?)
    }
}

impl Inputs {
    /// Gives each game of the inputs to `each`, when its root is read. A game
    /// that was asked for by number (`x.sgf#17`) comes alone.
    pub(super) fn games(
        &self,
        options: Options,
        builder: RowBuilder,
        mut each: impl FnMut(&mut Game<'_, '_>) -> anyhow::Result<Then>,
    ) -> anyhow::Result<Exit> {
        let mut builder = builder;
        let mut exit = Exit::Done;
        let walked = self.each_named(|opened| {
            let (name, only) = (opened.name, opened.game);
            let (then, is_found) = games_of(opened, options, &mut builder, &mut each)?;
            if let Some(number) = only.filter(|_| !is_found) {
                terminal::say(&format!("sgfq: {}", missing_game(name, number)));
                exit = Exit::Unreadable;
            }
            Ok(then)
        })?;
        Ok(exit.or(walked))
    }
}

/// Gives the games of an entry to `each`; whether to go on, and whether the game
/// that was asked for is there. The builder is given back.
pub(super) fn games_of(
    opened: Opened<'_, '_>,
    options: Options,
    builder: &mut RowBuilder,
    each: &mut impl FnMut(&mut Game<'_, '_>) -> anyhow::Result<Then>,
) -> anyhow::Result<(Then, bool)> {
    let (name, only, options) = (opened.name, opened.game, opened.options(options));
    let (recorder, tape): (_, Rc<RefCell<Tape>>) = Recorder::new(opened.read);
    let reader = Reader::with_options(recorder, options);
    let members: Vec<&str> = name.members().collect();
    let ready = std::mem::replace(builder, RowBuilder::new(ColumnSet::default()));
    let ready = ready.for_input(Some(name.source().into_owned()), (!members.is_empty()).then(|| members.join("!")));
    let mut rows = Rows::with_builder(reader, ready);
    let mut is_found = only.is_none();
    let result = one_entry(&mut rows, &tape, only, &mut is_found, each);
    *builder = rows.into_parts().1;
    match tape.borrow_mut().failed.take() {
        Some(err) => Err(err).context("temporary file"),
        None => Ok((result?, is_found)),
    }
}

fn one_entry(
    rows: &mut Rows<Reader<Recorder<EntryRead<'_>>>>,
    tape: &RefCell<Tape>,
    only: Option<u64>,
    is_found: &mut bool,
    each: &mut impl FnMut(&mut Game<'_, '_>) -> anyhow::Result<Then>,
) -> anyhow::Result<Then> {
    tape.borrow_mut().skip(true);
    let mut end = 0;
    for _ in 1..only.unwrap_or(1) {
        tape.borrow_mut().release(end);
        if !rows.skip_game()? {
            return Ok(Then::Go);
        }
        end = rows.reader().span().end;
    }
    tape.borrow_mut().skip(false);
    loop {
        // What is before the end of the last game is not asked for again.
        tape.borrow_mut().release(end);
        if !rows.next_root()? {
            return Ok(Then::Go);
        }
        let start = rows.span().start;
        tape.borrow_mut().release(start);
        let number = rows.row().game.and_then(|game| u64::try_from(game).ok());
        *is_found |= only == number;
        let then = if only.is_none() || only == number { each(&mut Game { rows, tape })? } else { Then::Go };
        if then == Then::Stop {
            return Ok(then);
        }
        if !rows.is_at_end_of_game() {
            tape.borrow_mut().skip(true);
            rows.skip_rest()?;
            tape.borrow_mut().skip(false);
        }
        end = rows.span().end;
        if only.is_some() && only == number {
            return Ok(Then::Go);
        }
    }
}
