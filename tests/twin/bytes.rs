//! Classes of bytes, and the ends of their runs.

pub const BOM: &[u8] = b"\xEF\xBB\xBF";

pub fn is_blank(byte: u8) -> bool {
    byte <= b' '
}

pub fn has_capital_or_digit(ident: &[u8]) -> bool {
    ident
        .iter()
        .any(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit())
}

pub fn after_blanks(bytes: &[u8], from: usize) -> usize {
    from + bytes[from..]
        .iter()
        .take_while(|&&byte| is_blank(byte))
        .count()
}

pub fn after_identifier(bytes: &[u8], from: usize) -> usize {
    from + bytes[from..]
        .iter()
        .take_while(|byte| byte.is_ascii_alphanumeric())
        .count()
}

pub fn trim_end(bytes: &[u8]) -> &[u8] {
    &bytes[..bytes.len()
        - bytes
            .iter()
            .rev()
            .take_while(|&&byte| is_blank(byte))
            .count()]
}

/// Returns the place of the `]`, or the end of input.
pub fn value_end(bytes: &[u8], mut at: usize) -> usize {
    while at < bytes.len() && bytes[at] != b']' {
        at += if bytes[at] == b'\\' { 2 } else { 1 };
    }
    at.min(bytes.len())
}

/// Returns the number of bytes at the start of a value that must stay together.
pub fn unit_len(bytes: &[u8]) -> usize {
    match bytes {
        [b'\\'] => 1,
        [b'\\', rest @ ..] => 1 + unit_len_unescaped(rest),
        _ => unit_len_unescaped(bytes),
    }
}

fn unit_len_unescaped(bytes: &[u8]) -> usize {
    match bytes {
        [b'\r', b'\n', ..] | [b'\n', b'\r', ..] => 2,
        [0xC0..=0xFF, rest @ ..] => {
            1 + rest
                .iter()
                .take(3)
                .take_while(|&&byte| byte & 0xC0 == 0x80)
                .count()
        }
        _ => 1,
    }
}

/// Returns whether the bytes are `[`, two lowercase letters and `]`, without
/// blanks and byte order marks: perhaps a move of a game that lost its start.
pub fn holds_value(text: &[u8]) -> bool {
    let mut letters = Vec::new();
    let mut at = 0;
    while at < text.len() {
        if text[at..].starts_with(BOM) {
            at += BOM.len();
        } else {
            letters.extend((!is_blank(text[at])).then_some(text[at]));
            at += 1;
        }
    }
    letters.windows(4).any(
        |four| matches!(four, [b'[', column, row, b']'] if column.is_ascii_lowercase() && row.is_ascii_lowercase()),
    )
}
