//! The module of the page that explores games without a server: entries come in by one buffer, answers leave by another, and
//! numbers say where they are.
//!
//! `border` is all that JavaScript sees, and the only module with an `unsafe` attribute; no code of it is `unsafe`.
//! No input makes it panic.

mod archive;
#[allow(unsafe_code, reason = "the names of what JavaScript calls are not changed by the compiler")]
pub mod border;
mod volume;
