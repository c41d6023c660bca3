//! Text to the inside of a value: what must be escaped, and no more
//! (spec T-02, K-02).

use std::borrow::Cow;

use crate::base::Charset;

/// Escapes `]` and `\`. Borrows where there are none.
///
/// ```
/// use sgfstream::write::escape_text;
///
/// assert_eq!(escape_text("a]b\\c: d"), "a\\]b\\\\c: d");
/// assert!(matches!(escape_text("plain [text"), std::borrow::Cow::Borrowed(_)));
/// ```
#[must_use]
pub fn escape_text(text: &str) -> Cow<'_, str> {
    escape(text, b"]\\")
}

/// Escapes `]`, `\` and `:`, for one half of a Compose value.
///
/// ```
/// use sgfstream::write::escape_compose_text;
///
/// assert_eq!(escape_compose_text("ratio 1:2"), "ratio 1\\:2");
/// ```
#[must_use]
pub fn escape_compose_text(text: &str) -> Cow<'_, str> {
    escape(text, b"]\\:")
}

/// Text in `charset`, or in UTF-8 if that is not known. None if the charset
/// lacks a character.
pub(crate) fn encode_text(text: &str, charset: Charset) -> Option<Vec<u8>> {
    if text.is_ascii() || charset == Charset::AUTO {
        return Some(text.as_bytes().to_vec());
    }
    match charset.encoding() {
        None => encoding_rs::mem::is_str_latin1(text).then(|| encoding_rs::mem::encode_latin1_lossy(text).into_owned()),
        Some(encoding) => {
            let (bytes, _, is_lossy) = encoding.encode(text);
            (!is_lossy).then(|| bytes.into_owned())
        }
    }
}

/// Escapes each byte that is a `]` or a `\`, as FF\[4\] does before it decodes.
pub(crate) fn escape_bytes(bytes: &[u8]) -> Vec<u8> {
    let escaped = |&byte: &u8| matches!(byte, b']' | b'\\').then_some(b'\\').into_iter().chain([byte]);
    bytes.iter().flat_map(escaped).collect()
}

fn escape<'a>(text: &'a str, special: &[u8]) -> Cow<'a, str> {
    let Some(first) = text.bytes().position(|byte| special.contains(&byte)) else {
        return Cow::Borrowed(text);
    };
    let mut out = String::with_capacity(text.len() + 8);
    out.push_str(&text[..first]);
    for char in text[first..].chars() {
        if u8::try_from(char).is_ok_and(|byte| special.contains(&byte)) {
            out.push('\\');
        }
        out.push(char);
    }
    Cow::Owned(out)
}
