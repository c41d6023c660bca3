//! Filters: select games by an SQL expression over the columns of [`GameRow`](crate::row::GameRow).
//! All errors in an expression are reported before any input is read.

mod compile;
mod dates;
mod error;
mod evaluate;
mod expression;
#[allow(clippy::module_inception)] // one noun, one file: the noun of this folder is the filter
mod filter;
mod functions;
mod operators;
mod pattern;
mod player_aliases;
mod selection;
mod tokens;

pub use error::FilterError;
pub(crate) use evaluate::Subject;
pub(crate) use expression::{Expression, Value};
pub use filter::Filter;
pub use player_aliases::PlayerAliases;
pub use selection::{SelectedColumn, Selection};
