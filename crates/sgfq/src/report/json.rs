//! JSON output: raw bytes as values, and objects that are written in pieces.

use std::io;

use serde::{Serialize, Serializer};

use sgfstream::{Charset, Values};
pub(crate) use sgfstream_explore::json::{SCHEMA, write};

/// Raw bytes: text if they are UTF-8, else an object with their Latin-1 text.
pub(crate) struct RawBytes<'a>(pub(crate) &'a [u8]);

#[derive(Serialize)]
struct Latin1<'a> {
    latin1: &'a str,
}

impl Serialize for RawBytes<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match std::str::from_utf8(self.0) {
            Ok(text) => serializer.serialize_str(text),
            Err(_) => Latin1 {
                latin1: &Charset::LATIN1.decode(self.0).0,
            }
            .serialize(serializer),
        }
    }
}

/// Serializes values as a list of their raw bytes.
pub(crate) fn raw_values<S: Serializer>(
    values: &Values<'_>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(values.clone().map(|value| RawBytes(value.as_bytes())))
}

#[derive(Serialize)]
struct FileFields<'f> {
    schema: u64,
    file: &'f str,
}

/// Begins an object about a file. [`write_fields`] adds fields, and the caller closes the object.
pub(crate) fn begin_object(out: &mut Vec<u8>, file: &str) -> io::Result<()> {
    write(
        out,
        &FileFields {
            schema: SCHEMA,
            file,
        },
    )?;
    out.pop();
    Ok(())
}

/// Writes the fields of `object` after the fields of the object at the end of `out`, which is
/// closed later.
pub(crate) fn write_fields(out: &mut Vec<u8>, object: &impl Serialize) -> io::Result<()> {
    let start = out.len();
    write(out, object)?;
    out[start] = b',';
    out.pop();
    Ok(())
}
