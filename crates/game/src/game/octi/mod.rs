//! Octi, GM\[19\]: pods with prongs, their stacks, and the complete notation of the page (spec O-01
//! to O-32). Points are two digits from the lower left; a [`BoardCell`](super::BoardCell) counts
//! rows from the top, as in all games.

mod board;
mod octi_move;
mod stone;

pub use board::{OCTI_PODS_MAX, OctiBoard, OctiReserve, Pod};
pub use octi_move::{Leg, OctiMove, PodPath};
pub use stone::{Arrow, OctiStone, Prong, Prongs};
pub(super) use stone::{parse_point, write_point};
