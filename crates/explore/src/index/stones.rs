//! Section with the ply of the first stone on each cell, for each game. Searches for patterns and sequences read the whole
//! section as a prefilter. Searches for positions read only the entries of their games.
//!
//! An entry begins with the number of its dialect plus 1, or with 0 if nothing is known of the game. Two-byte numbers
//! follow: [`FirstStonePlies::known`], then the number of cells that ever had a stone, each with its ply. If it is shorter,
//! [`ALL`] and the ply of every cell follow instead. [`Prefilter`] and a locator use the entries.

use std::io;

use sgfstream_game::{Dialect, GameBoard};
use sgfstream_table::find::{FirstStonePlies, Prefilter, Query, UnsupportedBoard};

use super::Store;
use super::format::damaged;

/// Number of bytes read at once.
const READ: u64 = 1 << 20;

/// Marker in place of the number of cells: the plies of all cells follow.
const ALL: u16 = u16::MAX;

/// Returns an entry without its first byte, or no bytes if nothing is known of the game.
pub(super) fn entry_of(plies: Option<&FirstStonePlies>) -> Vec<u8> {
    let Some(plies) = plies.filter(|plies| !plies.of_fields().is_empty()) else { return Vec::new() };
    let fields = plies.of_fields();
    let stones = fields.iter().filter(|&&ply| ply > 0).count();
    let is_short = 2 * stones < fields.len();
    let mut entry = Vec::with_capacity(4 + if is_short { 4 * stones } else { 2 * fields.len() });
    let mut push = |number: u16| entry.extend_from_slice(&number.to_le_bytes());
    push(plies.known());
    if is_short {
        push(stones as u16);
        for (field, &ply) in fields.iter().enumerate().filter(|(_, ply)| **ply > 0) {
            push(field as u16);
            push(ply);
        }
    } else {
        push(ALL);
        fields.iter().copied().for_each(push);
    }
    entry
}

/// Plies of the first stones of a game.
#[derive(Clone, Debug, Default)]
pub(super) struct TimesOfGame {
    known: u16,
    of_fields: Vec<u16>,
}

impl TimesOfGame {
    /// Reads the entry at the start of `bytes`. Returns the number of its dialect, if it has one, and the bytes after the
    /// entry, or `None` if `bytes` ends inside the entry. `fields` contains the number of cells of each dialect's board.
    #[inline]
    pub(super) fn read<'b>(
        &mut self,
        bytes: &'b [u8],
        fields: &[usize],
    ) -> io::Result<Option<(Option<usize>, &'b [u8])>> {
        self.of_fields.clear();
        let Some((&number, rest)) = bytes.split_first() else { return Ok(None) };
        let Some(dialect) = usize::from(number).checked_sub(1) else { return Ok(Some((None, rest))) };
        let fields = *fields.get(dialect).ok_or_else(damaged)?;
        let Some((&[a, b, c, d], rest)) = rest.split_first_chunk() else { return Ok(None) };
        let count = u16::from_le_bytes([c, d]);
        self.known = u16::from_le_bytes([a, b]);
        let len = if count == ALL { 2 * fields } else { 4 * usize::from(count) };
        let Some((plies, rest)) = rest.split_at_checked(len) else { return Ok(None) };
        if count == ALL {
            self.of_fields.extend(plies.as_chunks().0.iter().map(|&ply| u16::from_le_bytes(ply)));
            return Ok(Some((Some(dialect), rest)));
        }
        self.of_fields.resize(fields, 0);
        for &[a, b, c, d] in plies.as_chunks().0 {
            let field = self.of_fields.get_mut(usize::from(u16::from_le_bytes([a, b])));
            *field.ok_or_else(damaged)? = u16::from_le_bytes([c, d]);
        }
        Ok(Some((Some(dialect), rest)))
    }

    /// Returns the maximum bytes of an entry.
    pub(super) fn longest(fields: &[usize]) -> usize {
        5 + 2 * fields.iter().max().unwrap_or(&0)
    }

    pub(super) fn known(&self) -> u16 {
        self.known
    }

    pub(super) fn of_fields(&self) -> &[u16] {
        &self.of_fields
    }
}

/// Returns the number of cells of each dialect's board.
pub(super) fn fields_of(dialects: &[Dialect]) -> Vec<usize> {
    let fields =
        |dialect| GameBoard::new(dialect).map_or(0, |board| (board.size().columns() * board.size().rows()) as usize);
    dialects.iter().map(fields).collect()
}

/// Adds the games to `games` that may match `query`, from the entries between two offsets.
pub(super) fn candidate_games(
    store: &impl Store,
    (mut at, end): (u64, u64),
    (query, dialects, fields): (&Query, &[Dialect], &[usize]),
    games: &mut Vec<u32>,
) -> io::Result<()> {
    let mut prefilters: Vec<Option<Result<Prefilter, UnsupportedBoard>>> =
        dialects.iter().map(|dialect| query.prefilter(dialect)).collect();
    let (mut waiting, mut times, mut game) = (Vec::new(), TimesOfGame::default(), 0);
    while at < end {
        let len = (end - at).min(READ);
        let known = waiting.len();
        waiting.resize(known + len as usize, 0);
        store.read_at(at, &mut waiting[known..])?;
        at += len;
        let mut rest = &waiting[..];
        while let Some((dialect, after)) = times.read(rest, fields)? {
            let is_possible = match dialect.and_then(|dialect| prefilters[dialect].as_mut()) {
                None => true,
                Some(Err(UnsupportedBoard)) => false,
                Some(Ok(prefilter)) => prefilter.passes(times.of_fields(), times.known()),
            };
            games.extend(is_possible.then_some(game));
            game += 1;
            rest = after;
        }
        let read = waiting.len() - rest.len();
        waiting.drain(..read);
    }
    if waiting.is_empty() { Ok(()) } else { Err(damaged()) }
}
