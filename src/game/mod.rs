//! Floor 4: what identifiers, points and moves mean, game by game.

mod games;
mod move_ids;
mod variant;

pub use games::{Boardspace, Game};
pub use move_ids::MoveIds;
pub use variant::Variant;
