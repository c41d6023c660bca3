//! The module of the npm package: bytes come in by one buffer, answers leave by another, and numbers say where they are.
//!
//! `border` is all that JavaScript sees, and the only module with an `unsafe` attribute; no code of it is `unsafe`.
//! No input makes it panic.
//!
//! Cargo alone compiles the module for `wasm32-unknown-unknown`. JavaScript calls functions that take and return numbers: it writes
//! bytes into a buffer that the module makes, and finds answers by addresses in a table. `wasm-bindgen` would do the same with a command
//! that takes 23 minutes to build and must have the version of the crate.
//!
//! Events cross the border as batches: words of 32 bits (one for a node with a move, one for a value of two characters) and one text,
//! which is decoded at once. JavaScript makes an object for an event only where a program asks for it; `parse` makes nodes of the words.
//! `serialize` reads the input again and copies what is equal from its bytes, so that a tree is plain objects and no change must be
//! reported. A node is found by its number.
//!
//! There are two modules, because checks, repairs and boards are as large as the rest. The smaller has 247 KiB as gzip: `encoding_rs` 146
//! (117 are its tables), the reader with the border 48, guesses of charsets 34, answers about charsets and encoding 20. The larger has
//! 529. `opt-level = "z"` for all but the reader, one unit, fat LTO; `wasm-opt` changes nothing after gzip.

mod answers;
#[allow(unsafe_code, reason = "the names of what JavaScript calls are not changed by the compiler")]
pub mod border;
mod events;
mod input;
mod json;
mod names;
mod words;
