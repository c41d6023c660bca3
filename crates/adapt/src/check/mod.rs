//! The checker reports problems of games as data. A [`Checker`] takes events and returns a [`Finding`] for each deviation
//! from the format: values, lists, places, points, versions and charsets. On request it also replays the moves by the rules
//! of the game. It never changes its input. Its memory is bounded by the board, or by a limit that it reports as
//! [`Code::CheckLimit`](sgfstream::Code::CheckLimit).
//!
//! `findings.md` explains each code.
//!
//! ```
//! use sgfstream_adapt::check::{CheckOptions, Checker};
//! use sgfstream::{Code, EventReader, SliceReader};
//!
//! let mut codes = Vec::new();
//! let mut checker = Checker::new(CheckOptions::default(), |finding| codes.push(finding.code));
//! SliceReader::new(b"(;FF[4]GM[1]SZ[9];B[ee]AW[aa];W[zz])").drive(&mut checker)?;
//! drop(checker);
//! assert_eq!(codes, [Code::SetupWithMove, Code::SetupInMainLine, Code::PointOffBoard]);
//! # Ok::<(), sgfstream::Error>(())
//! ```

mod finding;
mod line_positions;
mod remedy;
mod source_window;

mod report;

mod context;
mod pending;

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

mod checker;

mod explanations;

pub use checker::Checker;
pub use explanations::Explanation;
pub use finding::Finding;
pub use input_checker::{CheckOptions, InputChecker, check, findings, problem_findings};
pub use input_games::{ComparedFact, InputGames};
pub use line_positions::{FindingPlace, LinePositions};
pub use remedy::Remedy;
pub(crate) use texts::{as_utf8, in_charset};
pub(crate) use values::{reads_as, respelled_compose};

pub use source_window::{SourceLine, SourceWindow, TeeReader};
