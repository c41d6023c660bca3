//! Havannah, GM\[4100\] or GM\[Havannah\]: Hex's notation on a hexagon. `SZ` is the length of its
//! sides (spec G-15 to G-18, G-21).

mod board;
mod hexagon;

pub use board::{Frame, HavannahBoard};
pub use hexagon::{Hexagon, Numbering};

/// Longest side of a board that is replayed; players use 4 to 10.
pub const HAVANNAH_MAX: u32 = 40;
