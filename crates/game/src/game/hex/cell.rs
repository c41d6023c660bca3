//! Parses cells and moves in the notation of Hex, which Othello, Havannah and Unlur share.

use crate::value::BoardSize;

use super::super::coordinates::{read_lettered, read_pair};
use super::super::{BoardCell, Fault, Move, Word};

const CELL: &str = "a column letter and a row number";
const EITHER: &str = "a column letter and a row number, or two letters as in Go";
const MOVE: &str = "a cell, or one of `swap-sides`, `swap-pieces`, `resign`, `forfeit`, `pass`";

const WORDS: [Word; 5] = [
    Word::SwapSides,
    Word::SwapPieces,
    Word::Swap,
    Word::Resign,
    Word::Forfeit,
];

/// Parses a column letter and a row number as a cell, with rows from the top, on a board of any
/// size.
pub(in super::super) fn parse_algebraic(raw: &[u8]) -> Result<BoardCell, Fault> {
    let (column, row) = read_lettered(raw).ok_or(Fault::Syntax(CELL))?;
    Ok(BoardCell::new(column, row))
}

/// Parses a cell of a board of this size: `e4`, `G5` (spec H-01, H-07).
pub(in super::super) fn parse_cell(size: BoardSize, raw: &[u8]) -> Result<BoardCell, Fault> {
    parse_algebraic(raw)?.checked_on(size)
}

/// Parses a cell as `c4` or `cd`; its second character decides which (spec G-07).
pub(in super::super) fn parse_either(size: BoardSize, raw: &[u8]) -> Result<BoardCell, Fault> {
    let field = match read_pair(raw) {
        Some(field) => field,
        None => parse_algebraic(raw).map_err(|_| Fault::Syntax(EITHER))?,
    };
    field.checked_on(size)
}

/// Parses a move: a cell, which `cell` parses, or a word in any case.
pub(in super::super) fn parse_move(
    raw: &[u8],
    cell: impl FnOnce(&[u8]) -> Result<BoardCell, Fault>,
) -> Result<Move, Fault> {
    match Word::or_pass(&WORDS, raw) {
        Some(word) => Ok(word),
        None => cell(raw)
            .map(Move::Place)
            .map_err(|fault| fault.with_syntax(MOVE)),
    }
}
