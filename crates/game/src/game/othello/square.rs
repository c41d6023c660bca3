//! Parses the moves of Othello.

use crate::value::BoardSize;

use super::super::{Fault, Move, go, hex};

const MOVE: &str = "a square as `c4` or `cd`, or a pass: nothing, `PA`, `tt`";

/// Parses a move: a square in either notation, which its second character distinguishes, or a pass
/// as Edax (`PA`) or a Go program writes it (spec games §2, spec G-07).
pub(in super::super) fn parse_move(size: BoardSize, raw: &[u8]) -> Result<Move, Fault> {
    let is_word =
        raw.eq_ignore_ascii_case(b"pa") && size.longer() < 16 || raw.eq_ignore_ascii_case(b"pass");
    if is_word || go::is_pass(size, raw) {
        return Ok(Move::Pass);
    }
    hex::parse_either(size, raw)
        .map(Move::Place)
        .map_err(|fault| fault.with_syntax(MOVE))
}
