//! Escapes text for the inside of a value, and no more than necessary (spec T-02, K-02).

/// Escapes `]` and `\`.
///
/// ```
/// use sgfstream::escape_text;
///
/// assert_eq!(escape_text("a]b\\c: d"), "a\\]b\\\\c: d");
/// ```
#[must_use]
pub fn escape_text(text: &str) -> String {
    escape(text, &[']', '\\'])
}

/// Escapes `]`, `\` and `:`, for one half of a Compose value.
///
/// ```
/// use sgfstream::escape_compose_text;
///
/// assert_eq!(escape_compose_text("ratio 1:2"), "ratio 1\\:2");
/// ```
#[must_use]
pub fn escape_compose_text(text: &str) -> String {
    escape(text, &[']', '\\', ':'])
}

/// Escapes each byte `]` or `\`, because FF\[4\] unescapes bytes before it decodes them.
#[must_use]
pub fn escape_bytes(bytes: &[u8]) -> Vec<u8> {
    let escaped = |&byte: &u8| matches!(byte, b']' | b'\\').then_some(b'\\').into_iter().chain([byte]);
    bytes.iter().flat_map(escaped).collect()
}

fn escape(text: &str, special: &[char]) -> String {
    let mut out = String::with_capacity(text.len() + 8);
    for char in text.chars() {
        if special.contains(&char) {
            out.push('\\');
        }
        out.push(char);
    }
    out
}
