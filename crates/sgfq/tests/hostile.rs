//! Hostile and random inputs: every command on every shape, and the properties of `fuzz/`.

#[path = "../../../tests/common/mod.rs"]
mod common;
#[path = "../../../tests/common/tar.rs"]
mod tar;

mod properties;
mod shapes;
