//! Go, GM\[1\]: points, passes, and a board.

mod board;
mod handicap;
mod history;
pub(crate) mod liberties;
mod point;
mod rules;

pub use board::GoBoard;
pub use handicap::handicap_points;
pub use liberties::Liberties;
pub use point::is_pass;
pub(super) use point::{parse_move, parse_point};
pub use rules::{GoRules, RuleSet, Superko};
