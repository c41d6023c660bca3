//! Guides for users of the reader. Their examples are tests. The folder `docs` of the repository
//! contains these and other pages.

#[doc = include_str!("../docs/charsets.md")]
pub mod charsets {}

// The first definition of a link counts, so that no link of the page leads out of the
// documentation.
/// [reader]: crate::docs::rules
/// [charsets]: crate::docs::charsets
/// [guesses]: crate::docs
/// [rust]: crate::Strict
/// [python]: crate::docs
/// [javascript]: crate::docs
/// [collections]: crate::docs
/// [dialects]: crate::docs
/// [cases]: crate::docs
/// [records]: crate::docs
#[doc = include_str!("../docs/reading.md")]
pub mod reading {}

/// [charsets]: crate::docs::charsets
/// [guesses]: crate::docs
/// [tables]: crate::docs
/// [json]: crate::docs
#[doc = include_str!("../docs/stability.md")]
pub mod stability {}

/// [reading]: crate::docs::reading
/// [framing]: crate::docs::charsets#where-a-value-ends
#[doc = include_str!("../docs/spec/reader.md")]
pub mod rules {}
