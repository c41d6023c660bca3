//! JSON output. A person may read it in a terminal, so characters that control or mislead a
//! terminal are escaped. A JSON parser returns the original text.

use std::io;

use serde::Serialize;

use crate::safe::is_unsafe;

/// Version of the JSON that `docs/json.md` describes. It increases when a field is removed or
/// changes its meaning.
pub const SCHEMA: u64 = 1;

/// Writes a value on one line.
///
/// # Errors
///
/// Returns an error if the value cannot be serialized.
pub fn write(out: &mut Vec<u8>, value: &(impl Serialize + ?Sized)) -> io::Result<()> {
    let start = out.len();
    serde_json::to_writer(&mut *out, value)?;
    // The fold has no early exit, so that the compiler can vectorize it.
    if !out[start..]
        .iter()
        .fold(true, |all, byte| all & (b' '..0x7F).contains(byte))
    {
        let text = String::from_utf8(out.split_off(start)).map_err(io::Error::other)?;
        out.extend_from_slice(escaped(&text).as_bytes());
    }
    Ok(())
}

/// Escapes unsafe characters of JSON as `\u` sequences. They occur only inside strings.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for char in text.chars() {
        if is_unsafe(char) {
            for unit in char.encode_utf16(&mut [0; 2]) {
                escaped.push_str(&format!("\\u{unit:04x}"));
            }
        } else {
            escaped.push(char);
        }
    }
    escaped
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
            text.contains("\\u007f\\u009bc")
                && text.contains("\\u202etxt")
                && text.contains("\\udb40\\udc41"),
            "{text}"
        );
        assert_eq!(serde_json::from_str::<Value>(&text).expect("JSON"), value);
    }

    #[test]
    fn texts() {
        let mut out = Vec::new();
        for text in ["a\"\u{200f}", "b\u{85}", "plain", "\\"] {
            write(&mut out, text).expect("a text");
        }
        assert_eq!(out, br#""a\"\u200f""b\u0085""plain""\\""#);
    }
}
