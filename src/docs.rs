//! Guides for users of the reader: what is read and how charsets are chosen. The examples in them are tests.
//! The repository has these pages and others in its folder `docs`.

#[doc = include_str!("../docs/leniency.md")]
pub mod leniency {}

#[doc = include_str!("../docs/charsets.md")]
pub mod charsets {}
