//! Typed values that belong to no particular game.
//!
//! Each type has a strict reading, `parse` (and `FromStr`, `TryFrom<&[u8]>`), which accepts exactly
//! what FF\[4\] allows. Its lenient reading, `read`, understands the spellings of real files and
//! returns whether the result is sure or a guess ([`Reading`]). `parse_lenient` returns only sure
//! results, with the name of the [`Repair`]. `Display` prints the canonical form; with the feature
//! `serde`, values are serialized in that form.
//!
//! No bytes make these readings panic.
//!
//! ```
//! use sgfstream_game::value::{Dates, GameResult};
//!
//! assert_eq!(GameResult::parse(b"W+2.5").expect("a result").to_string(), "W+2.5");
//! assert!(GameResult::parse(b"Black resigns").is_err());
//! assert_eq!(
//!     GameResult::parse_lenient(b"Black resigns").expect("understood").value.to_string(),
//!     "W+R"
//! );
//! assert_eq!(
//!     Dates::parse_lenient(b"2012/3/4").expect("a date").value.to_string(),
//!     "2012-03-04"
//! );
//! ```

mod display;
pub(crate) mod error;
mod lenient;

mod color;
mod double;
mod list_kind;
mod none;
mod number;
mod real;

mod board_size;
mod point;
mod point_entry;
mod point_set;

mod asian_result;
mod date;
mod date_forms;
mod dates;
mod evaluation;
mod figure;
mod game_result;
mod komi;
mod node_readings;
mod overtime;
mod player_result;
mod rank;
mod time;
mod words;

pub use board_size::BoardSize;
pub use color::Color;
pub use date::Date;
pub use dates::Dates;
pub(crate) use display::from_fn;
pub use double::Double;
pub use error::{ValueError, ValueErrorKind};
pub use evaluation::{EngineLine, Evaluation};
pub use figure::Figure;
pub use game_result::{GameResult, Margin};
pub use komi::Komi;
pub use lenient::{LenientValue, Reading, Repair};
pub(crate) use lenient::{blanks_or_wide, narrowed, parses, shows_inner, without_blanks};
pub use list_kind::ListKind;
pub use node_readings::NodeReadings;
pub use none::NoValue;
pub use number::Number;
pub use overtime::OvertimeSystem;
pub use point::Point;
pub use point_entry::PointEntry;
pub use point_set::PointSet;
pub use rank::Rank;
pub use real::Real;
pub use time::Time;
pub(crate) use words::is_among;
