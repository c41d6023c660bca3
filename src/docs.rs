//! Guides for users of the library: what is read, how charsets are chosen,
//! what the checker finds, and recipes. The examples in them are tests.
//! The repository has the same pages in its folder `docs`, together with
//! those for maintainers.

#[doc = include_str!("../docs/leniency.md")]
pub mod leniency {}

#[doc = include_str!("../docs/charsets.md")]
pub mod charsets {}

#[doc = include_str!("../docs/problems.md")]
pub mod problems {}

#[doc = include_str!("../docs/recipes.md")]
pub mod recipes {}
