//! Floor 5: many files as one stream of entries. Paths, directories, globs,
//! lists and stdin become work; compressed files and archives are unpacked on
//! the way, one member after another. Containers are known by their content
//! and never by their name; nothing is held whole, neither an archive nor a
//! member; nothing that an archive contains can stop the others.
//!
//! [`visit`] does it all on one thread. A scheduler with workers uses the
//! pieces:
//!
//! - [`Walk`] gives [`Work`], one top-level file at a time, with its size;
//!   [`Work::visit`] may run on any thread, and its entries come in order.
//! - [`Work::kind`] tells plain files (cut them at game borders yourself, see
//!   [`Entry::path`]), streams, and zip files; [`Work::split`] cuts a zip file
//!   into runs of members that different threads can visit.
//! - A stream has one decoder. Its thread takes small members into memory with
//!   [`Entry::load`] and hands them on, name and all; what is larger than the
//!   limit it reads on its own.
//! - [`Meter`] counts the packed bytes of all threads together.
//! - [`visit_reader`] does the same to whatever can be read.
//!
//! Memory: 128 KiB for each container on the way, and what the decoder needs.
//! gz 32 KiB, bz2 4 MB, lz4 12 MB, zst its window (8 MiB up to level 19, 128
//! MiB at most with `--ultra`, 2 GiB with `--long=31`), xz its dictionary (8
//! MiB at level 6, 64 MiB at level 9, at most 1.5 GiB). [`Caps::memory`] bounds
//! them, and [`Work::window`] says beforehand what it will be. A window costs
//! what has been filled of it: 53 MB packed with `--long=31` are read in 56 MB. The list of members of a 7z archive is held
//! whole, within [`Caps::header`]; a zip's directory streams.

mod caps;
mod decode;
mod disk;
mod fault;
mod glob;
mod input;
mod method;
mod name;
mod problem;
mod pump;
mod sevenz;
mod sevenz_header;
mod sniff;
mod sparse;
mod spool;
mod stream;
mod tar;
mod text;
mod visit;
mod visit_zip;
mod walk;
mod window;
mod work;
mod zip;

pub use caps::{Caps, Meter};
pub use input::{Input, Target};
pub use name::EntryName;
pub use problem::{ArchiveProblem, Trouble};
pub use visit::{Entry, Item, ReadOptions, Summary, visit};
pub use walk::Walk;
pub use work::{Work, WorkKind, visit_reader};
