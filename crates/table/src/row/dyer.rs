//! Dyer's signature of a game: the points of six moves, by which collectors of games find duplicates.
//!
//! <http://www.andromeda.com/people/ddyer/go/signature-spec.html> names the moves. Kombilo's manual ("Signature search", in
//! `doc/database.rst` of <https://github.com/ugoertz/kombilo>) defines the order and the form under symmetry, which is the first of all in the
//! order of the letters. As in Kombilo, a move that the game lacks is `??`, a pass is `tt`, and neither is turned.

use sgfstream_game::value::Point;
use sgfstream_game::{Dialect, Field, Move, Symmetry};

/// The moves of a signature, in its order.
const MOVES: [u64; 6] = [20, 40, 60, 31, 51, 71];

/// The last of them.
const LAST: u64 = 71;

/// Takes the moves of main lines and gives their signatures.
#[derive(Clone, Debug, Default)]
pub(super) struct Dyer([Option<Move>; 6]);

impl Dyer {
    /// Takes the move of this number.
    #[inline]
    pub(super) fn play(&mut self, ply: u64, bytes: &[u8], dialect: impl FnOnce() -> Dialect) {
        if ply <= LAST
            && let Some(at) = MOVES.iter().position(|&number| number == ply)
        {
            self.0[at] = dialect().parse_move(bytes).ok();
        }
    }

    pub(super) fn clear(&mut self) {
        *self = Self::default();
    }

    /// The signature, and the least of those under the symmetries of the board. `None` for games whose points are not two
    /// letters.
    pub(super) fn signatures(&self, dialect: Dialect) -> Option<(String, String)> {
        dialect.game().has_two_letter_points().then_some(())?;
        let size = (dialect.size().columns(), dialect.size().rows());
        let points = |&symmetry: &Symmetry| {
            self.0.each_ref().map(|played| match played {
                Some(Move::Place(field)) => {
                    let Field { column, row } = symmetry.turn(*field, size);
                    Point::new(column as u8, row as u8).map_or(*b"??", Point::letters)
                }
                Some(Move::Pass) if size.0.max(size.1) <= 19 => *b"tt",
                _ => *b"??",
            })
        };
        let text = |points: [[u8; 2]; 6]| points.as_flattened().iter().copied().map(char::from).collect();
        let least = dialect.game().symmetries().iter().map(points).min()?;
        Some((text(points(&Symmetry::Identity)), text(least)))
    }
}
