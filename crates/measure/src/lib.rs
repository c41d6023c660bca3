//! Functions on typed values that the benches and the example `measure` time. Those on events are
//! in `benches/support/work.rs`.

use sgfstream::{Event, SliceReader};
use sgfstream_game::value::{BoardSize, Point};
use sgfstream_game::{Dialect, Game, Move, go};

/// Counts and sums of Go moves of both colors.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Moves {
    /// Values that are a point.
    pub points: u64,
    /// Values that are a pass.
    pub passes: u64,
    /// Values of `B` and `W` that are not a move on a 19x19 board.
    pub faults: u64,
    /// The sum of the columns of all points.
    pub columns: u64,
    /// The sum of their rows.
    pub rows: u64,
}

/// Reads every Go move as a point or a pass by [`Dialect`], which
/// reads every game.
#[inline(never)]
#[must_use]
pub fn read_moves(bytes: &[u8]) -> Moves {
    let dialect = Dialect::new(Game::Go, Some(BoardSize::square(19)));
    let mut moves = Moves::default();
    for event in SliceReader::new(bytes).events() {
        let event = event.expect("no limit is set");
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

/// Reads every Go move by [`Point`], for a caller that knows the game is Go.
#[inline(never)]
#[must_use]
pub fn read_points(bytes: &[u8]) -> Moves {
    let size = BoardSize::square(19);
    let mut moves = Moves::default();
    for event in SliceReader::new(bytes).events() {
        let event = event.expect("no limit is set");
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

/// Runs the examples of the repository's pages as tests.
#[cfg(doctest)]
mod pages {
    #[doc = include_str!("../../../README.md")]
    mod readme {}
    #[doc = include_str!("../../../docs/problems.md")]
    mod problems {}
    #[doc = include_str!("../../../docs/programs.md")]
    mod programs {}
}
