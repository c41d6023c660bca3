//! zip: if the file can be sought, it is read by the directory at its end; if it streams, by the
//! header before each member.

mod headers;
mod method;

mod member;

mod file;
mod stream;

pub(crate) use file::{ZipPart, visit as visit_file};
pub(crate) use headers::ZipDirectory;
pub(crate) use stream::visit as visit_stream;
