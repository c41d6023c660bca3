//! The checker reports problems of games as data. [`findings`] takes the facts of a game and passes
//! on a [`Finding`] for each deviation from the format: values, lists, places, points, versions and
//! charsets. On request it also replays the moves by the rules of the game. It never changes its
//! input. Its memory is bounded by the board, or by a limit that it reports as
//! [`Code::CheckLimit`](sgfstream::Code::CheckLimit).
//!
//! `findings.md` explains each code.

mod finding;
mod line_positions;
mod remedy;

mod report;

mod context;

mod annotations;
mod game_info;
mod idents;
mod node;
mod points;
mod texts;
mod values;

mod replay;

mod judge;
mod plain;

mod input_checker;
mod input_games;

mod explanations;

pub use explanations::Explanation;
pub use finding::Finding;
pub use input_checker::{CheckOptions, InputChecker, check, findings, problem_findings};
#[doc(hidden)]
pub use input_games::{ComparedFact, InputGames};
pub use line_positions::{FindingPlace, LinePositions};
pub use remedy::Remedy;
pub(crate) use texts::{as_utf8, in_charset};
pub(crate) use values::{has_text, reads_as, respelled_compose};
