//! Reads 7z archives: checks the header, then unpacks the blocks and returns their members.

mod archive;
mod header;

pub(crate) use archive::visit;
