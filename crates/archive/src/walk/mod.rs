//! Visits inputs: parses their names, finds their files, and reads each file. Of the other modules of this crate, only
//! `members` uses this one, because an archive may contain archives.

mod entry;
mod input;

pub(crate) mod visitor;
mod work;

mod references;
mod steps;

mod visit;

pub use entry::{Entry, Item, ReadOptions, Summary};
pub use input::{Input, Reference, Target};
pub use steps::Walk;
pub use visit::{visit, visit_reader, visit_volumes};
pub use work::{Work, WorkKind};
