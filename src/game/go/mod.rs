//! Go, GM\[1\]: points, passes, and a board.

mod board;
mod handicap;
mod point;

pub use board::{GoBoard, GoRules};
pub use handicap::handicap_points;
pub use point::is_pass;
pub(super) use point::{parse_move, parse_point};
