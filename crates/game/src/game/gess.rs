//! Gess, GM\[20\]: a move names the centers of a 3 x 3 piece before and after it. The `:` between
//! them is part of the move, not a Compose (spec K-06). The page gives no starting position, so
//! there is no board here.

use crate::value::BoardSize;

use super::{Fault, Move, go};

const MOVE: &str = "two points separated by `:`, neither on the border";

// Move = Point ":" Point
pub(super) fn parse_move(size: BoardSize, raw: &[u8]) -> Result<Move, Fault> {
    let &[a, b, b':', c, d] = raw else {
        return Err(Fault::Syntax(MOVE));
    };
    let center = |pair: [u8; 2]| {
        let field = go::parse_point(size, &pair).map_err(|fault| fault.with_syntax(MOVE))?;
        let is_inside = |at: u16, side: u32| at > 0 && u32::from(at) + 1 < side;
        let inside = is_inside(field.column, size.columns()) && is_inside(field.row, size.rows());
        if inside {
            Ok(field)
        } else {
            Err(Fault::OffBoard)
        }
    };
    Ok(Move::Step {
        from: center([a, b])?,
        to: center([c, d])?,
        capture: false,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn centers_stay_inside() {
        let read = |raw: &[u8]| parse_move(BoardSize::square(20), raw);
        assert!(read(b"cc:cf").is_ok());
        for raw in [&b"ac:cc"[..], b"cc:ct", b"cc:ca"] {
            assert_eq!(read(raw), Err(Fault::OffBoard));
        }
        for raw in [&b"cccf"[..], b"cc:", b"cc:cfa", b"c1:c2", b""] {
            assert_eq!(read(raw), Err(Fault::Syntax(MOVE)));
        }
    }
}
