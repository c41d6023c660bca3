//! Parses the moves of Amazons: from, to, arrow (spec games §18).

use crate::value::BoardSize;

use super::super::{Fault, Move, go};

const MOVE: &str = "three points of two letters each: from, to, arrow";

// Move = Point Point Point
pub(in super::super) fn parse_move(size: BoardSize, raw: &[u8]) -> Result<Move, Fault> {
    if raw.len() != 6 {
        return Err(Fault::Syntax(MOVE));
    }
    let point = |at: usize| {
        go::parse_point(size, &raw[at..at + 2]).map_err(|fault| fault.with_syntax(MOVE))
    };
    Ok(Move::Shot {
        from: point(0)?,
        to: point(2)?,
        arrow: point(4)?,
    })
}
