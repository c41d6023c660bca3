//! JSON output. A person may read it in a terminal, so characters that control or mislead a terminal are escaped. A JSON
//! parser returns the original text.

use std::io::{self, Write};

use serde::Serialize;

use crate::safe::is_unsafe;

/// Version of the JSON that `docs/json.md` describes. It increases when a field is removed or changes its meaning.
pub const SCHEMA: u64 = 1;

/// Writes a value on one line.
///
/// # Errors
///
/// Returns an error if writing fails.
pub fn write(out: &mut impl Write, value: &(impl Serialize + ?Sized)) -> io::Result<()> {
    Ok(serde_json::to_writer(Safe(out), value)?)
}

/// Writes text as a string, with its quotes.
///
/// # Errors
///
/// Same as [`write()`].
pub fn write_text(out: &mut impl Write, text: &str) -> io::Result<()> {
    // Nearly every text takes this branch, which needs a fifth of the time. The fold has no early exit so that the compiler
    // can vectorize it.
    let is_special = |byte| !is_plain(byte) | (byte == b'"') | (byte == b'\\');
    if !text.bytes().fold(false, |any, byte| any | is_special(byte)) {
        out.write_all(b"\"")?;
        out.write_all(text.as_bytes())?;
        return out.write_all(b"\"");
    }
    Ok(serde_json::to_writer(Safe(out), text)?)
}

/// Returns whether a byte is ASCII that JSON shows unchanged.
fn is_plain(byte: u8) -> bool {
    (b' '..0x7F).contains(&byte)
}

/// Writer that escapes unsafe characters of JSON as `\u` sequences. They occur only inside strings.
struct Safe<'o, W>(&'o mut W);

impl<W: Write> Write for Safe<'_, W> {
    /// Expects whole characters, as `serde_json` writes them.
    fn write(&mut self, buf: &[u8]) -> io::Result<usize> {
        if buf.iter().all(|&byte| is_plain(byte)) {
            return self.0.write(buf);
        }
        let text = std::str::from_utf8(buf).map_err(|err| io::Error::new(io::ErrorKind::InvalidData, err))?;
        let mut from = 0;
        for (at, char) in text.char_indices().filter(|&(_, char)| is_unsafe(char)) {
            self.0.write_all(&buf[from..at])?;
            for unit in char.encode_utf16(&mut [0; 2]) {
                write!(self.0, "\\u{unit:04x}")?;
            }
            from = at + char.len_utf8();
        }
        self.0.write_all(&buf[from..])?;
        Ok(buf.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    #[test]
    fn nothing_unsafe_is_left_and_nothing_is_lost() {
        let value = json!({ "a\u{1b}[31m": ["b\u{7f}\u{9b}c", "\u{202e}txt", "\u{e0041}", "黒\n\"\\ plain"] });
        let mut out = Vec::new();
        write(&mut out, &value).expect("a Vec takes all");
        let text = String::from_utf8(out).expect("UTF-8");
        assert!(!text.chars().any(is_unsafe), "{text:?}");
        assert!(
            text.contains("\\u007f\\u009bc") && text.contains("\\u202etxt") && text.contains("\\udb40\\udc41"),
            "{text}"
        );
        assert_eq!(serde_json::from_str::<Value>(&text).expect("JSON"), value);
    }

    #[test]
    fn texts() {
        let mut out = Vec::new();
        write_text(&mut out, "a\"\u{200f}").expect("a Vec takes all");
        write_text(&mut out, "b\u{85}").expect("a Vec takes all");
        write_text(&mut out, "plain").expect("a Vec takes all");
        write_text(&mut out, "\\").expect("a Vec takes all");
        assert_eq!(out, br#""a\"\u200f""b\u0085""plain""\\""#);
    }
}
