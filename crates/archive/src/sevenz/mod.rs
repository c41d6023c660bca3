//! 7z: the check of its header, and the members of its blocks.

mod archive;
mod header;

pub(crate) use archive::visit;
