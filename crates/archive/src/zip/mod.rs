//! zip: by the directory at its end where the file can be sought, and by the header before each member where it streams.

mod headers;
mod method;

mod member;

mod file;
mod stream;

pub(crate) use file::{ZipPart, visit as visit_file};
pub(crate) use headers::ZipDirectory;
pub(crate) use stream::visit as visit_stream;
