//! tar, as a stream. `tar_header` recognizes a tar.

mod archive;

pub(crate) use archive::visit;
