//! Statistics of games as text, as JSON, and as a self-contained page with charts.

pub mod json;
pub mod page;
mod report;
pub mod text;

pub use report::StatsReport;
