//! Work on typed values that the benches and the example `measure` time, beside the work on events in
//! `benches/support/work.rs`.

use sgfstream::{Event, SliceReader};
use sgfstream_game::value::{BoardSize, Point};
use sgfstream_game::{Dialect, Game, Move, go};

/// Moves of Go, by sums of their points, whatever their color.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Moves {
    /// Values that are a point.
    pub points: u64,
    /// Values that are a pass.
    pub passes: u64,
    /// Values of `B` and `W` that are no move of a board of 19 lines.
    pub faults: u64,
    /// The sum of the columns of all points.
    pub columns: u64,
    /// The sum of their rows.
    pub rows: u64,
}

/// Every move of Go as column and row or pass, by [`Dialect`]: the way that
/// serves every game.
#[inline(never)]
#[must_use]
pub fn read_moves(bytes: &[u8]) -> Moves {
    let dialect = Dialect::new(Game::Go, Some(BoardSize::square(19)));
    let mut moves = Moves::default();
    for event in SliceReader::new(bytes) {
        if let Event::Property(property) = event
            && let [b'B' | b'W'] = property.ident().as_bytes()
        {
            match dialect.parse_move(property.first().as_bytes()) {
                Ok(Move::Place(at)) => {
                    moves.points += 1;
                    moves.columns += u64::from(at.column);
                    moves.rows += u64::from(at.row);
                }
                Ok(Move::Pass) => moves.passes += 1,
                _ => moves.faults += 1,
            }
        }
    }
    moves
}

/// Every move of Go by [`Point`], for a caller who knows that it is Go.
#[inline(never)]
#[must_use]
pub fn read_points(bytes: &[u8]) -> Moves {
    let size = BoardSize::square(19);
    let mut moves = Moves::default();
    for event in SliceReader::new(bytes) {
        if let Event::Property(property) = event
            && let [b'B' | b'W'] = property.ident().as_bytes()
        {
            let raw = property.first().as_bytes();
            match Point::parse_on(raw, size) {
                Ok(point) => {
                    moves.points += 1;
                    moves.columns += u64::from(point.column());
                    moves.rows += u64::from(point.row());
                }
                Err(_) if go::is_pass(size, raw) => moves.passes += 1,
                Err(_) => moves.faults += 1,
            }
        }
    }
    moves
}
