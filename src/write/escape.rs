//! Escapes text for the inside of a value, and no more than necessary (spec T-02, K-02).

use std::borrow::Cow;

/// Escapes `]` and `\`. Borrows a text without these bytes.
///
/// ```
/// use sgfstream::escape_text;
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
/// use sgfstream::escape_compose_text;
///
/// assert_eq!(escape_compose_text("ratio 1:2"), "ratio 1\\:2");
/// ```
#[must_use]
pub fn escape_compose_text(text: &str) -> Cow<'_, str> {
    escape(text, b"]\\:")
}

/// Escapes each byte `]` or `\`, because FF\[4\] unescapes bytes before it decodes them.
#[must_use]
pub fn escape_bytes(bytes: &[u8]) -> Vec<u8> {
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
