//! Visits inputs: parses their names, finds their files, and reads each file. No other module of this crate uses this
//! one.

mod entry;
mod input;

mod visitor;
mod work;

mod references;
mod steps;

mod visit;

pub use entry::{Entry, Item, ReadOptions, Summary};
pub use input::{Input, Reference, Target};
pub use steps::Walk;
pub use visit::{visit, visit_reader, visit_volumes};
pub use work::{Work, WorkKind};
