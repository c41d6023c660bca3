//! Dyer's signature of a game: the points of six moves, by which collections find duplicates.
//!
//! <http://www.andromeda.com/people/ddyer/go/signature-spec.html> names the moves. Kombilo's manual
//! ("Signature search", in `doc/database.rst` of <https://github.com/ugoertz/kombilo>) defines
//! their order and the canonical form: the first in alphabetical order under all symmetries. As in
//! Kombilo, a missing move is `??` and a pass is `tt`; symmetries do not change these.

use sgfstream_game::value::Point;
use sgfstream_game::{BoardCell, Dialect, Move, board::Symmetry};

/// Numbers of the moves in a signature, in its order.
const MOVES: [u64; 6] = [20, 40, 60, 31, 51, 71];

/// Bits of these numbers.
const BITS: u128 = {
    let (mut bits, mut at) = (0, 0);
    while at < MOVES.len() {
        bits |= 1 << MOVES[at];
        at += 1;
    }
    bits
};

/// Collects the moves of a signature from a main line.
#[derive(Clone, Debug, Default)]
pub(super) struct Dyer([Option<Move>; 6]);

impl Dyer {
    /// Handles the move with this number.
    #[inline(always)]
    pub(super) fn play(&mut self, ply: u64, bytes: &[u8], dialect: impl FnOnce() -> Dialect) {
        if ply < u128::BITS.into() && BITS >> ply & 1 == 1 {
            self.keep(ply, bytes, dialect());
        }
    }

    #[inline(never)]
    fn keep(&mut self, ply: u64, bytes: &[u8], dialect: Dialect) {
        if let Some(at) = MOVES.iter().position(|&number| number == ply) {
            self.0[at] = dialect.parse_move(bytes).ok();
        }
    }

    /// Returns the signature, and the canonical one: the least under the symmetries of the board.
    /// Returns `None` for games whose points are not two letters.
    pub(super) fn signatures(&self, dialect: Dialect) -> Option<(String, String)> {
        dialect.game().has_two_letter_points().then_some(())?;
        let size = (dialect.size().columns(), dialect.size().rows());
        let points = |&symmetry: &Symmetry| {
            self.0.each_ref().map(|played| match played {
                Some(Move::Place(field)) => {
                    let BoardCell { column, row } = symmetry.turn(*field, size);
                    Point::new(column as u8, row as u8).map_or(*b"??", Point::letters)
                }
                Some(Move::Pass) if size.0.max(size.1) <= 19 => *b"tt",
                _ => *b"??",
            })
        };
        let text = |points: [[u8; 2]; 6]| {
            points
                .as_flattened()
                .iter()
                .copied()
                .map(char::from)
                .collect()
        };
        let least = dialect.game().symmetries().iter().map(points).min()?;
        Some((text(points(&Symmetry::Identity)), text(least)))
    }
}
