//! Classes of a single byte, outside of values.

/// Each class has one bit, so that one load answers several questions.
const BLANK: u8 = 1;
const CAPITAL_OR_DIGIT: u8 = 2;
const LOWERCASE: u8 = 4;

static CLASS: [u8; 256] = {
    let mut table = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        table[byte] = match byte as u8 {
            0..=b' ' => BLANK,
            b'A'..=b'Z' | b'0'..=b'9' => CAPITAL_OR_DIGIT,
            b'a'..=b'z' => LOWERCASE,
            _ => 0,
        };
        byte += 1;
    }
    table
};

/// Returns whether `byte` is white space as programs read it: every byte up to the space (spec
/// C-07), and also NUL, which SGFC reads as a space.
#[inline(always)]
pub(crate) fn is_blank(byte: u8) -> bool {
    byte <= b' '
}

/// Returns whether `byte` can be part of an identifier (spec I-01, I-02, I-05).
#[inline(always)]
pub(crate) fn is_identifier(byte: u8) -> bool {
    CLASS[byte as usize] & (CAPITAL_OR_DIGIT | LOWERCASE) != 0
}

/// Returns whether the identifier has bytes other than lowercase letters.
#[inline]
pub(crate) fn has_capital_or_digit(identifier: &[u8]) -> bool {
    identifier
        .iter()
        .any(|&byte| CLASS[byte as usize] & CAPITAL_OR_DIGIT != 0)
}
