//! Visits inputs: parses their names, finds their files, and reads each file. Of the other modules
//! of this crate, only `members` uses this one, because an archive may contain archives.

mod entry;
mod input;

mod input_file;
pub(crate) mod visitor;

mod references;
mod steps;

mod visit;

pub use entry::{Entry, ReadOptions, Summary};
pub use input::{Input, Reference, Target};
pub use input_file::{FileKind, InputFile};
pub use steps::Walk;
pub use visit::{visit, visit_reader, visit_volumes};
