//! Guides for users of the reader. Their examples are tests. The folder `docs` of the repository contains these and
//! other pages.

#[doc = include_str!("../docs/charsets.md")]
pub mod charsets {}

#[doc = include_str!("../docs/reading.md")]
pub mod reading {}

#[doc = include_str!("../docs/spec/reader.md")]
pub mod rules {}
