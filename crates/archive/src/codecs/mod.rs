//! Decodes compressed bytes: streams that are files of their own, and the members of archives.
//!
//! The decoders of xz, LZMA and zstd are in C or in Rust. Both get the same streams and limits, and
//! return the same bytes.

pub(crate) mod checksum_reader;
pub(crate) mod decode;
pub(crate) mod pump;
mod runs_reader;
pub(crate) mod window;

#[cfg(feature = "c")]
mod c;
#[cfg(feature = "c")]
pub(crate) use c::{lzma, xz, zstd};

#[cfg(all(feature = "rust", not(feature = "c")))]
mod frames;
#[cfg(all(feature = "rust", not(feature = "c")))]
mod rust;
#[cfg(all(feature = "rust", not(feature = "c")))]
pub(crate) use rust::{lzma, xz, zstd};

#[cfg(not(any(feature = "c", feature = "rust")))]
compile_error!(
    "expected the feature `c` or `rust`, found neither: there are no decoders of xz and zstd"
);

/// Header of a `.lzma` file: five bytes of properties, and the size, or `u64::MAX` for data that
/// ends with a marker.
pub(crate) type LzmaHeader = [u8; 13];
