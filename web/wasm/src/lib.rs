//! The WebAssembly module of the npm package. Bytes enter through one buffer, results leave through
//! another, and numbers give their addresses.
//!
//! JavaScript sees only `border`, which is also the only module with an `unsafe` attribute; none of
//! its code is `unsafe`. No input makes the module panic.
//!
//! Cargo alone compiles the module for `wasm32-unknown-unknown`. JavaScript calls functions that
//! take and return numbers: it writes bytes to a buffer of the module and finds results by the
//! addresses in a table. `wasm-bindgen` would do the same, but needs a command that takes 23
//! minutes to build and must match the version of the crate.
//!
//! Events are transferred in batches: words of 32 bits (one for a node with a move, one for a value
//! of two characters) and one text, which JavaScript decodes at once. JavaScript creates an object
//! for an event only if a program asks for it; `parse` creates nodes from the words. `serialize`
//! reads the input again and copies unchanged parts from its bytes, so trees are plain objects and
//! changes need not be reported. Nodes are identified by their numbers.
//!
//! There are two modules, because checks, repairs and boards are as large as the rest. The smaller
//! one has 247 KiB with gzip: `encoding_rs` 146 (117 of them its tables), the reader with the
//! border 48, charset detection 34, results about charsets and encoding 20. The larger one has 529.
//! It is compiled with `opt-level = "z"` for all but the reader, one codegen unit and fat LTO;
//! `wasm-opt` gains nothing after gzip.

mod answers;
#[allow(
    unsafe_code,
    reason = "the names of what JavaScript calls are not changed by the compiler"
)]
pub mod border;
mod events;
mod input;
mod json;
mod names;
mod words;
