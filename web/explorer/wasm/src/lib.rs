//! WebAssembly module of the explorer without a server. JavaScript passes files and requests in one
//! buffer, and reads answers from another.
//!
//! `border` has the functions that JavaScript calls, and `host` the function that JavaScript
//! supplies. Both have `unsafe` attributes, but no `unsafe` code. No input causes a panic.
//!
//! `web/explorer/build.sh` writes a folder for any host of static files. The loaded page needs no
//! network. It has the scripts of `sgfq explore`, except `ask.js`, which sends requests to a Web
//! Worker. `crates/explore` answers them, and a test compares the answers with the answers of the
//! command, byte for byte.
//!
//! Two workers have an instance each. One reads dropped files by `sgfstream-archive`, in windows of
//! a megabyte by the function in `host`, and passes batches of games. The other indexes the batches
//! while the first unpacks, and answers. Games, index and answers stay in the memory of the second:
//! 264 MiB for 60,000 games of Go, and 385 MiB in all of Chromium's process. The module has 3.8 MB,
//! or 1.5 MB as gzip: unpacking takes 0.2 MB of it, and charts 0.1. `Cancel` ends the workers,
//! because a worker receives no message while it answers; others then read the games again. The
//! module contains no Arrow, no decoders in C and no code that opens files, because the features
//! `archives` of `sgfstream-table` and `c` of `sgfstream-archive` are off.

mod archive;
#[allow(
    unsafe_code,
    reason = "the names of what JavaScript calls are not changed by the compiler"
)]
pub mod border;
#[allow(
    unsafe_code,
    reason = "the function of the page has a name that the compiler cannot know"
)]
mod host;
mod volume;
