//! Cells and moves as Hex writes them; Othello, Havannah and Unlur are alike.

use crate::value::BoardSize;

use super::super::coordinates::{read_lettered, read_pair};
use super::super::{Fault, Field, Move, Word};

const CELL: &str = "a column letter and a row number";
const EITHER: &str = "a column letter and a row number, or two letters as in Go";
const MOVE: &str = "a cell, or one of `swap-sides`, `swap-pieces`, `resign`, `forfeit`, `pass`";

const WORDS: [Word; 5] = [Word::SwapSides, Word::SwapPieces, Word::Swap, Word::Resign, Word::Forfeit];

/// A column letter and a row number as a field, rows from the top, without
/// regard to any board.
pub(in super::super) fn parse_algebraic(raw: &[u8]) -> Result<Field, Fault> {
    let (column, row) = read_lettered(raw).ok_or(Fault::Syntax(CELL))?;
    Ok(Field::new(column, row))
}

/// A cell of a board of this size: `e4`, `G5` (spec H-01, H-07).
pub(in super::super) fn parse_cell(size: BoardSize, raw: &[u8]) -> Result<Field, Fault> {
    let field = parse_algebraic(raw)?;
    if field.is_on(size) { Ok(field) } else { Err(Fault::OffBoard) }
}

/// A cell as `c4` or as `cd`: the second character tells which (spec G-07).
pub(in super::super) fn parse_either(size: BoardSize, raw: &[u8]) -> Result<Field, Fault> {
    let field = match read_pair(raw) {
        Some((column, row)) => Field::new(column, row),
        None => parse_algebraic(raw).map_err(|_| Fault::Syntax(EITHER))?,
    };
    if field.is_on(size) { Ok(field) } else { Err(Fault::OffBoard) }
}

/// A move: a cell read by `cell`, or one of the words in any case.
pub(in super::super) fn parse_move(
    raw: &[u8],
    cell: impl FnOnce(&[u8]) -> Result<Field, Fault>,
) -> Result<Move, Fault> {
    if let Some(word) = Word::among(&WORDS, raw) {
        return Ok(Move::Word(word));
    }
    if raw.eq_ignore_ascii_case(b"pass") {
        return Ok(Move::Pass);
    }
    match cell(raw) {
        Ok(field) => Ok(Move::Place(field)),
        Err(Fault::Syntax(_)) => Err(Fault::Syntax(MOVE)),
        Err(fault) => Err(fault),
    }
}
