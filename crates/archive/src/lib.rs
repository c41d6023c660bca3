//! Files, directories, compressed files and archives as one stream of entries,
//! at constant memory.
//!
//! Part of sgfq; no stability promise.
//!
//! [`visit()`] takes paths, directories, patterns, lists and stdin, unpacks what
//! is packed, and calls a closure with each file or member, open for reading.
//! It was written for game records in SGF, and takes from directories and
//! archives what looks like one, by content or by name; a file or member that
//! the caller names is read whatever it is.
//!
//! - **Containers**: gz, bz2, xz, zst, lz4; tar (ustar, pax, GNU); zip
//!   (stored, deflate, deflate64, bzip2, LZMA, zstd, xz; zip64; after other
//!   bytes); 7z (also in volumes). They are known by their first bytes, not by
//!   their names, and may be inside each other.
//! - **Streams**: everything works on pipes, too. Only a 7z needs a temporary file
//!   there.
//! - **Damage** is data: [`Item::Problem`] says where it is, what was expected
//!   and what was found. What came before it has been given, and the visit
//!   continues after it.
//! - **Limits**: [`Caps`] bound what an archive may unpack to, and the memory of
//!   its decoders.
//!
//! # Threads
//!
//! [`visit()`] uses one thread. A scheduler with more uses its parts:
//!
//! - [`Walk`] gives [`Work`], one top-level file at a time, with its size.
//!   [`Work::visit`] may run on any thread, and its entries come in order.
//! - [`Work::kind`] tells plain files (which can be read in parts, see
//!   [`Entry::path`]) from streams and from zip files. [`Work::split`] cuts a
//!   zip file into runs of members for several threads.
//! - A stream has one decoder. Its thread takes small members into memory with
//!   [`Entry::load`], hands them to other threads, and reads larger ones itself.
//! - [`Meter`] counts the packed bytes of all threads together.
//!
//! Members and games that are named one by one, one after another, come in the order of their archive, and each file is
//! read once for them.
//!
//! # Memory
//!
//! 128 KiB for each container around an entry, and what its decoder needs:
//!
//! | | window of the decoder |
//! |---|---|
//! | gz | 32 KiB |
//! | bz2 | 4 MB |
//! | lz4 | 12 MB |
//! | zst | 8 MiB up to level 19, 128 MiB with `--ultra`, 2 GiB with `--long=31`, which is refused by default |
//! | xz | 8 MiB at level 6, 64 MiB at level 9 |
//!
//! A window takes memory as it is filled: 53 MB packed with `--long=31` take
//! 56 MB. [`Caps::memory`] is the limit, 256 MiB for a window unless told, and [`Entry::window`] says
//! what it will be. The directory of a zip is read as a stream. The list of
//! members of a 7z is held in memory, within [`Caps::header`].

mod caps;
mod fault;
mod name;
mod name_charset;
mod problem;
mod stream;

mod disk;
mod glob;
mod member_selection;
mod sniff;
mod tar_header;

mod members;

mod codecs;
mod sevenz;
mod tar;
mod zip;

mod walk;

pub use caps::{Caps, Meter};
pub use name::EntryName;
pub use problem::{ArchiveErrorKind, ArchiveProblem};
pub use sniff::is_packed;
pub use walk::{
    Entry, Input, Item, ReadOptions, Reference, Summary, Target, Walk, Work, WorkKind, visit, visit_reader,
    visit_volumes,
};
