//! Charset of Pentobi's files.

/// Returns whether current versions accept a value of `CA`: `utf-8` or `utf8` in any case (spec
/// P-09).
#[must_use]
pub fn accepts_charset(label: &[u8]) -> bool {
    label.eq_ignore_ascii_case(b"utf-8") || label.eq_ignore_ascii_case(b"utf8")
}
