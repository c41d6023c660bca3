//! JSON output: values as in the explorer, and objects that are written field by field.

use std::io;

use sgfstream::{Charset, Values};
pub(crate) use sgfstream_explore::json::{SCHEMA, write, write_text};

/// Value of a field. Creating and writing a `serde_json::Value` would take four times as long.
pub(crate) enum JsonField<'a> {
    Null,
    /// The object does not have the field.
    Absent,
    Bool(bool),
    Number(u64),
    Span([u64; 2]),
    Text(&'a str),
    /// Raw bytes: text if they are UTF-8, else an object with their Latin-1 text.
    Bytes(&'a [u8]),
    Values(Values<'a>),
    Object(&'a [(&'a str, JsonField<'a>)]),
}

impl<'a> From<Option<&'a str>> for JsonField<'a> {
    fn from(text: Option<&'a str>) -> Self {
        text.map_or(JsonField::Null, JsonField::Text)
    }
}

/// Writes an object with the fields of both lists.
pub(crate) fn write_object(
    out: &mut Vec<u8>,
    fields: &[(&str, JsonField<'_>)],
    more: &[(&str, JsonField<'_>)],
) -> io::Result<()> {
    let mut before = b'{';
    for (name, value) in fields.iter().chain(more) {
        if matches!(value, JsonField::Absent) {
            continue;
        }
        out.extend_from_slice(&[before, b'"']);
        out.extend_from_slice(name.as_bytes());
        out.extend_from_slice(b"\":");
        match value {
            JsonField::Null | JsonField::Absent => out.extend_from_slice(b"null"),
            JsonField::Bool(value) => out.extend_from_slice(if *value { b"true" } else { b"false" }),
            // Four times as fast as `write!`.
            JsonField::Number(number) => serde_json::to_writer(&mut *out, number)?,
            JsonField::Span(span) => serde_json::to_writer(&mut *out, span)?,
            JsonField::Text(text) => write_text(out, text)?,
            JsonField::Bytes(bytes) => write_bytes(out, bytes)?,
            JsonField::Values(values) => {
                for (number, value) in values.clone().enumerate() {
                    out.push(if number == 0 { b'[' } else { b',' });
                    write_bytes(out, value.as_bytes())?;
                }
                // There is at least one value.
                out.push(b']');
            }
            JsonField::Object(fields) => write_object(out, fields, &[])?,
        }
        before = b',';
    }
    out.push(b'}');
    Ok(())
}

fn write_bytes(out: &mut Vec<u8>, bytes: &[u8]) -> io::Result<()> {
    match std::str::from_utf8(bytes) {
        Ok(text) => write_text(out, text),
        Err(_) => write_object(out, &[("latin1", JsonField::Text(&Charset::LATIN1.decode(bytes).0))], &[]),
    }
}
