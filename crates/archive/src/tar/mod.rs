//! tar, as a stream. Telling a tar from other bytes is the work of `tar_header`.

mod archive;

pub(crate) use archive::visit;
