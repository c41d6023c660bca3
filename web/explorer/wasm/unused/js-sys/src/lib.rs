//! An empty crate in place of `js-sys`. On WebAssembly, sgfstream-archive depends on it through
//! sevenz-rust2, whose feature that uses it is off here. The real crate would add imports to the
//! module.
