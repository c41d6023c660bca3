//! The section of an index that says of each game, one after another, when stones first came to the fields of its board. It is
//! read from its start to its end: patterns and sequences are sieved by it.
//!
//! An entry is the number of its dialect and 1, or 0 where nothing is known of the game, and then as many numbers of two bytes as
//! the board has fields: what a [`Sieve`] reads.

use std::io;

use sgfstream_game::{Dialect, GameBoard};
use sgfstream_table::find::{NotHere, Query, Sieve};

use super::Store;
use super::format::not_an_index;

/// Bytes that are read at once.
const READ: u64 = 1 << 20;

/// Adds the entry of a game.
pub(super) fn write(dialect: Option<usize>, times: &[u16], out: &mut Vec<u8>) {
    let is_known = dialect.filter(|_| !times.is_empty()).and_then(|number| u8::try_from(number + 1).ok());
    out.push(is_known.unwrap_or(0));
    if is_known.is_some() {
        out.extend(times.iter().flat_map(|time| time.to_le_bytes()));
    }
}

/// The games of the section between these bytes that may have what `query` looks for, added to `games` by their numbers.
pub(super) fn sift(
    store: &impl Store,
    (mut at, end): (u64, u64),
    (query, dialects): (&Query, &[Dialect]),
    games: &mut Vec<u32>,
) -> io::Result<()> {
    let fields =
        |dialect| GameBoard::new(dialect).map_or(0, |board| (board.size().columns() * board.size().rows()) as usize);
    let fields: Vec<usize> = dialects.iter().map(fields).collect();
    let mut sieves: Vec<Option<Result<Sieve, NotHere>>> = dialects.iter().map(|dialect| query.sieve(dialect)).collect();
    let (mut waiting, mut times, mut game) = (Vec::new(), Vec::new(), 0);
    while at < end {
        let len = (end - at).min(READ);
        let known = waiting.len();
        waiting.resize(known + len as usize, 0);
        store.read_at(at, &mut waiting[known..])?;
        at += len;
        let mut rest = &waiting[..];
        while let Some((&number, after)) = rest.split_first() {
            let dialect = usize::from(number).checked_sub(1);
            let of = |dialect: usize| fields.get(dialect).copied().ok_or_else(|| not_an_index("one that is damaged"));
            let Some((entry, after)) = after.split_at_checked(dialect.map_or(Ok(0), of)? * 2) else { break };
            let is_possible = match dialect.and_then(|dialect| sieves[dialect].as_mut()) {
                None => true,
                Some(Err(NotHere)) => false,
                Some(Ok(sieve)) => {
                    times.clear();
                    times.extend(entry.as_chunks().0.iter().map(|&time| u16::from_le_bytes(time)));
                    sieve.passes(&times)
                }
            };
            games.extend(is_possible.then_some(game));
            game += 1;
            rest = after;
        }
        let read = waiting.len() - rest.len();
        waiting.drain(..read);
    }
    if waiting.is_empty() { Ok(()) } else { Err(not_an_index("one that is damaged")) }
}
