//! Essays: how the house is built, what is read and how, and recipes. Nothing
//! here but words; they are the files of `src/docs`, and the examples in them
//! are tests.

#[doc = include_str!("architecture.md")]
pub mod architecture {}

#[doc = include_str!("leniency.md")]
pub mod leniency {}

#[doc = include_str!("charsets.md")]
pub mod charsets {}

#[doc = include_str!("dialects.md")]
pub mod dialects {}

#[doc = include_str!("problems.md")]
pub mod problems {}

#[doc = include_str!("recipes.md")]
pub mod recipes {}

#[doc = include_str!("speed.md")]
pub mod speed {}
