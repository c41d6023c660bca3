//! Guides for users of the reader. The examples in them are tests. The repository has these pages and others in its folder `docs`.

#[doc = include_str!("../docs/reading.md")]
pub mod reading {}

#[doc = include_str!("../docs/spec/reader.md")]
pub mod rules {}
