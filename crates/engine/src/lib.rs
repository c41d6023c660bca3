//! All cores: the inputs of a command as units of work, read by as many
//! workers as there are cores, their results handed out in the order of the
//! input, or, where a command is asked to, as they are ready. What is in a unit depends on the inputs alone, so the results are
//! byte-identical for any number of workers.
//!
//! A *lane* is a run of units that belong together: some small files, the
//! pieces of a zip, the blocks of one huge plain file, what comes out of one
//! decoder. Lanes stand in a row; results come out of the first only, and one
//! worker at least works for it, so that those that wait for room further back
//! never wait for each other.
//!
//! Memory for each worker: a reader's buffer, two results, two blocks of an
//! unpacked stream. Decoders are opened in the order of the input, at most one
//! for each worker, and only as many as have room for their windows in 8 MiB a
//! worker, or one whose window is larger. So a window beyond that, of `zst
//! --long` or `xz -9`, adds its own size to the whole, and once. One that shows
//! only when something is unpacked, in a small file or an archive in another,
//! is waited with where another is filled ([`room`]): two at most, since those
//! whose turn it is do not wait.

#![expect(missing_docs, unreachable_pub, reason = "the interface of the engine is being made")]

mod blocks;
mod decoder;
mod feed;
mod job;
mod lane;
mod one_game;
mod order;
mod room;
mod tape;
mod wanted;
mod worker;

pub use feed::{Fed, Feed};
pub use job::{At, Entries, Flush, Games, Job, Output, ReadBytes, Tally};
pub use lane::Lanes;
pub use one_game::{OneGame, missing_game};
pub use order::{Order, Take};
pub use tape::{Recorder, Tape};
pub use worker::Worker;
