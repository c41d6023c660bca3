//! The module of the page that explores games without a server: entries come in by one buffer, answers leave by another, and
//! numbers say where they are.
//!
//! JavaScript calls the functions of `border`, and `host` has the one that JavaScript gives. These two have `unsafe` attributes; no
//! code of them is `unsafe`.
//! No input makes it panic.
//!
//! `web/explorer/build.sh` makes a folder that any host of static files serves, and that works without a network after that. The page
//! and its scripts are those of `sgfq explore`, but for `ask.js`, which asks a Web Worker. The answers are those of `crates/explore`, and
//! a test compares them with the command's, byte for byte.
//!
//! The worker reads dropped files where they are, in windows of a megabyte. `sgfstream-archive`, with its decoders in Rust, asks for
//! them by the one function that the module imports. The module has 3.8 MB, as gzip
//! 1.5: unpacking takes 0.2 of it, charts 0.1. Games, index and answers are in its memory: 398 MiB for 69,321 games of Go.
//! `Cancel` ends the worker, because a worker that answers hears nothing else; another
//! worker then reads the games again. Arrow, the decoders in C and all code that opens files stay out: the feature `archives` of
//! `sgfstream-table` has them, and the feature `c` of `sgfstream-archive`.

mod archive;
#[allow(unsafe_code, reason = "the names of what JavaScript calls are not changed by the compiler")]
pub mod border;
#[allow(unsafe_code, reason = "the function of the page has a name that the compiler cannot know")]
mod host;
mod volume;
