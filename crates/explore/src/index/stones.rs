//! Section with the [`FirstStonePlies`] of each game. The entries of candidate games locate positions.
//!
//! An entry begins with the number of its dialect plus 1, or with 0 if nothing is known of the game. Two-byte numbers
//! follow: [`FirstStonePlies::is_late`], then the number of cells that ever had a stone, each with its ply. If the ply of
//! every cell takes fewer bytes, [`ALL`] and these plies follow instead. The last part is the number of later changes, with
//! the changes; or [`ALL`] if the plies are not complete.

use std::io;

use sgfstream_game::{Dialect, GameBoard};
use sgfstream_table::find::FirstStonePlies;

use super::format::damaged;

/// Marker in place of the number of cells: the plies of all cells follow. In place of the number of later changes: no changes
/// follow, because the plies are not complete.
const ALL: u16 = u16::MAX;

/// Returns an entry without its first byte, or no bytes if nothing is known of the game.
pub(super) fn entry_of(plies: Option<&FirstStonePlies>) -> Vec<u8> {
    let Some(plies) = plies.filter(|plies| !plies.of_fields.is_empty()) else { return Vec::new() };
    let (fields, later) = (&plies.of_fields, &plies.later);
    let stones = fields.iter().filter(|&&ply| ply > 0).count();
    let is_short = 2 * stones < fields.len();
    let mut entry = Vec::with_capacity(6 + if is_short { 4 * stones } else { 2 * fields.len() } + 4 * later.len());
    let mut push = |number: u16| entry.extend_from_slice(&number.to_le_bytes());
    push(plies.is_late.into());
    if is_short {
        push(stones as u16);
        for (field, &ply) in fields.iter().enumerate().filter(|(_, ply)| **ply > 0) {
            push(field as u16);
            push(ply);
        }
    } else {
        push(ALL);
        fields.iter().copied().for_each(&mut push);
    }
    if plies.is_complete {
        // A game has at most as many later changes as cells.
        push(later.len() as u16);
        later.as_flattened().iter().copied().for_each(push);
    } else {
        push(ALL);
    }
    entry
}

/// Reads the entry at the start of `bytes` into `plies`. Returns the number of its dialect, if it has one, and the bytes after
/// the entry, or `None` if `bytes` ends inside the entry. `fields` contains the number of cells of each dialect's board.
#[inline]
pub(super) fn read_entry<'b>(
    plies: &mut FirstStonePlies,
    bytes: &'b [u8],
    fields: &[usize],
) -> io::Result<Option<(Option<usize>, &'b [u8])>> {
    plies.of_fields.clear();
    plies.later.clear();
    let Some((&number, rest)) = bytes.split_first() else { return Ok(None) };
    let Some(dialect) = usize::from(number).checked_sub(1) else { return Ok(Some((None, rest))) };
    let fields = *fields.get(dialect).ok_or_else(damaged)?;
    let Some((&[a, b, c, d], rest)) = rest.split_first_chunk() else { return Ok(None) };
    let count = u16::from_le_bytes([c, d]);
    plies.is_late = [a, b] != [0, 0];
    let len = if count == ALL { 2 * fields } else { 4 * usize::from(count) };
    let Some((stones, rest)) = rest.split_at_checked(len) else { return Ok(None) };
    if count == ALL {
        plies.of_fields.extend(stones.as_chunks().0.iter().map(|&ply| u16::from_le_bytes(ply)));
    } else {
        plies.of_fields.resize(fields, 0);
        for &[a, b, c, d] in stones.as_chunks().0 {
            let field = plies.of_fields.get_mut(usize::from(u16::from_le_bytes([a, b])));
            *field.ok_or_else(damaged)? = u16::from_le_bytes([c, d]);
        }
    }
    let Some((&count, rest)) = rest.split_first_chunk() else { return Ok(None) };
    let count = u16::from_le_bytes(count);
    plies.is_complete = count != ALL;
    let len = if plies.is_complete { 4 * usize::from(count) } else { 0 };
    let Some((later, rest)) = rest.split_at_checked(len) else { return Ok(None) };
    plies.later.extend(later.as_chunks().0.iter().map(|&[a, b, c, d]| [[a, b], [c, d]].map(u16::from_le_bytes)));
    Ok(Some((Some(dialect), rest)))
}

/// Returns the maximum bytes of an entry.
pub(super) fn longest(fields: &[usize]) -> usize {
    7 + 6 * fields.iter().max().unwrap_or(&0)
}

/// Returns the number of cells of each dialect's board.
pub(super) fn fields_of(dialects: &[Dialect]) -> Vec<usize> {
    let fields =
        |dialect| GameBoard::new(dialect).map_or(0, |board| (board.size().columns() * board.size().rows()) as usize);
    dialects.iter().map(fields).collect()
}
