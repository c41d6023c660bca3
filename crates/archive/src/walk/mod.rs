//! From inputs to entries: the names, the files they lead to, and the visit of each. Nothing else in this crate knows of it.

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
