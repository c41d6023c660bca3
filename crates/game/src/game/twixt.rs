//! Twixt, GM\[21\]: pegs as column letters and row number. The documents that were found describe
//! only half of the long moves, which add or remove links (spec games §21). These moves stay as
//! written.

use crate::value::BoardSize;

use super::coordinates::read_pair;
use super::{Fault, Move, Word, hex};

const WORDS: [Word; 4] = [Word::Swap, Word::Resign, Word::SwapSides, Word::SwapPieces];

/// Parses a peg, a word, or a long move, which is any text that starts with a point. Two letters
/// are a peg in Little Golem's notation.
pub(super) fn parse_move(size: BoardSize, raw: &[u8]) -> Result<Move, Fault> {
    if let Some(word) = Word::among(&WORDS, raw) {
        return Ok(Move::Word(word));
    }
    if let Some(field) = read_pair(raw) {
        return field.checked_on(size).map(Move::Place);
    }
    match hex::parse_cell(size, raw) {
        Err(Fault::Syntax(_)) if is_long(raw) => Ok(Move::Raw(raw.into())),
        read => read.map(Move::Place),
    }
}

/// Returns whether `raw` starts with a point: a column letter and a digit.
fn is_long(raw: &[u8]) -> bool {
    let letters = raw
        .iter()
        .take_while(|byte| byte.is_ascii_alphabetic())
        .count();
    letters > 0 && raw.get(letters).is_some_and(u8::is_ascii_digit)
}

#[cfg(test)]
mod tests {
    use super::super::BoardCell;
    use super::*;

    #[test]
    fn pegs_words_and_long_moves() {
        let read = |raw: &str| parse_move(BoardSize::square(24), raw.as_bytes());
        assert_eq!(read("X24"), Ok(Move::Place(BoardCell::new(23, 23))));
        assert_eq!(read("xx"), Ok(Move::Place(BoardCell::new(23, 23))));
        assert_eq!(read("Swap"), Ok(Move::Word(Word::Swap)));
        assert_eq!(read("y1"), Err(Fault::OffBoard));
        assert_eq!(read("b2-C2*"), Ok(Move::Raw(b"b2-C2*".as_slice().into())));
        assert!(matches!(read("hello"), Err(Fault::Syntax(_))));
        assert_eq!(
            parse_move(BoardSize::square(702), b"zz702"),
            Ok(Move::Place(BoardCell::new(701, 701)))
        );
    }
}
