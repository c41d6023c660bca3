//! Parses and prints squares and moves of Lines of Action (spec games §9).

use std::fmt;

use crate::value::BoardSize;

use super::super::coordinates::{read_lettered, write_lettered};
use super::super::{BoardCell, Fault, Move, Word};

const SQUARE: &str = "a column letter and a row number";
const MOVE: &str =
    "two squares separated by `-` or, for a capture, `:`, or `Pass`, `Resign`, `Forfeit`, `Escape`";
const WORDS: [Word; 3] = [Word::Resign, Word::Forfeit, Word::Escape];

/// Parses a square; `a1` is the lower left corner.
pub(in super::super) fn parse_square(size: BoardSize, raw: &[u8]) -> Result<BoardCell, Fault> {
    let (column, rank) = read_lettered(raw).ok_or(Fault::Syntax(SQUARE))?;
    BoardCell::of_rank(column, rank, size).ok_or(Fault::OffBoard)
}

pub(in super::super) fn write_square(
    f: &mut fmt::Formatter<'_>,
    size: BoardSize,
    field: BoardCell,
) -> fmt::Result {
    let rank = size.rows().saturating_sub(u32::from(field.row) + 1);
    write_lettered(f, field.column, u16::try_from(rank).unwrap_or(u16::MAX))
}

/// Parses a move: `e1-e3`, `C2:C5++` (text after the second square is a comment), or a word in any
/// case.
pub(in super::super) fn parse_move(size: BoardSize, raw: &[u8]) -> Result<Move, Fault> {
    if let Some(word) = Word::or_pass(&WORDS, raw) {
        return Ok(word);
    }
    let fault = Fault::Syntax(MOVE);
    let between = raw
        .iter()
        .position(|byte| matches!(byte, b'-' | b':'))
        .ok_or(fault)?;
    let to = &raw[between + 1..];
    let to_len = to
        .iter()
        .take_while(|byte| byte.is_ascii_alphanumeric())
        .count();
    let square = |raw| parse_square(size, raw).map_err(|fault| fault.with_syntax(MOVE));
    Ok(Move::Step {
        from: square(&raw[..between])?,
        to: square(&to[..to_len])?,
        capture: raw[between] == b':',
    })
}
