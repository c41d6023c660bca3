//! A part of sgfq, without a promise of stability.
//!
//! Reads files, directories, compressed files and archives as one stream of entries, in constant
//! memory.
//!
//! Other crates supply the decoders, but this crate reads the headers of tar and zip itself,
//! because many archives are damaged. Of a zip without its last third, it returns 2,391 of 3,000
//! games, and `rc-zip-sync` returns no game. Of a tar with a wrong checksum in the middle, it
//! returns 2,999 games, and `tar` 1,500. For a zip of 100,000 members it needs 3 MB of memory, and
//! `rc-zip-sync` 33 MB. `zip` cannot read a stream with data descriptors.
//!
//! [`visit()`] takes paths, directories, patterns, lists and stdin, unpacks archives, and calls a
//! closure with each file or member, open for reading. In directories and archives it selects game
//! records, by content or by name. It reads a file or member that the caller names in any case.
//!
//! - **Containers**: gz, bz2, xz, zst, lz4; tar (ustar, pax, GNU); zip (stored, deflate, deflate64,
//!   bzip2, LZMA, zstd, xz; zip64; after other bytes); 7z (also in volumes). Their first bytes
//!   identify them, not their names. They may be nested.
//! - **Streams**: pipes work too. Only a 7z needs a temporary file there.
//! - **Damage** is reported as data: [`ArchiveProblem`] contains the place, the expectation and the
//!   finding. Entries before the damage are visited, and the visit continues after it.
//! - **Limits**: [`Caps`] limit the unpacked size of an archive, and the memory of its decoders.
//!
//! # Threads
//!
//! [`visit()`] uses one thread. A scheduler with several threads uses these parts:
//!
//! - [`Walk`] yields [`InputFile`]: one top-level file at a time, with its size.
//!   [`InputFile::visit`] may run on any thread; it visits entries in order.
//! - [`InputFile::kind`] distinguishes plain files (which can be read in parts, see
//!   [`Entry::path`]) from streams and zip files. [`InputFile::split`] cuts a zip file into runs of
//!   members for several threads.
//! - A stream has one decoder. Its thread loads small members into memory with [`Entry::load`] and
//!   passes them to other threads. It reads larger members itself.
//! - [`Meter`] counts the packed bytes of all threads together.
//!
//! If the caller names several members or games one after another, they come in the order of their
//! archive, and each file is read once.
//!
//! # Memory
//!
//! Reading takes 128 KiB for each container around an entry, and the window of its decoder:
//!
//! | | window of the decoder |
//! |---|---|
//! | gz | 32 KiB |
//! | bz2 | 4 MB |
//! | lz4 | 12 MB |
//! | zst | 8 MiB up to level 19, 128 MiB with `--ultra`, 2 GiB with `--long=31`, which is refused by default |
//! | xz | 8 MiB at level 6, 64 MiB at level 9 |
//!
//! A window takes memory only as it fills: 53 MB packed with `--long=31` take 56 MB.
//! [`Caps::memory`] is the limit, by default 256 MiB for a window. [`Entry::window`] is the
//! window's size. The directory of a zip is read as a stream. The list of members of a 7z is kept
//! in memory, within [`Caps::header`].

mod access;
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

pub use access::copy_access;
pub use caps::{Caps, Meter};
pub use fault::error_text;
pub use name::EntryName;
pub use problem::{ArchiveErrorKind, ArchiveProblem};
pub use sniff::is_packed;
pub use walk::{
    Entry, FileKind, Input, InputFile, ReadOptions, Reference, Summary, Target, Walk, visit,
    visit_reader, visit_volumes,
};
