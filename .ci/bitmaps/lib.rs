//! `src/scan/block/bitmaps` alone.
#![allow(dead_code)]

#[path = "../../src/scan/block/bitmaps/mod.rs"]
mod bitmaps;
