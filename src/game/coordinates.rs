//! How fields are written: two letters, or column letters and a row number.
//! Everything here is zero-based inside, whatever the text counts from; whether
//! rows grow downwards is the dialect's business.

use std::fmt;

/// A letter as a number from 0: `a`–`z` are 0–25, `A`–`Z` are 26–51 (spec PT-02).
///
/// ```
/// use sgfstream::game::letter_index;
///
/// assert_eq!((letter_index(b'a'), letter_index(b'Z'), letter_index(b'1')), (Some(0), Some(51), None));
/// ```
#[must_use]
#[inline]
pub const fn letter_index(letter: u8) -> Option<u16> {
    match letter {
        b'a'..=b'z' => Some((letter - b'a') as u16),
        b'A'..=b'Z' => Some((letter - b'A') as u16 + 26),
        _ => None,
    }
}

/// The letter of a number from 0 to 51, the way back of [`letter_index`].
///
/// ```
/// use sgfstream::game::index_letter;
///
/// assert_eq!((index_letter(26), index_letter(52)), (Some('A'), None));
/// ```
#[must_use]
pub const fn index_letter(index: u16) -> Option<char> {
    match index {
        0..=25 => Some((b'a' + index as u8) as char),
        26..=51 => Some((b'A' + (index - 26) as u8) as char),
        _ => None,
    }
}

/// Two letters as column and row (spec PT-01, PT-02).
#[inline]
pub(super) fn read_pair(raw: &[u8]) -> Option<(u16, u16)> {
    let &[column, row] = raw else { return None };
    Some((letter_index(column)?, letter_index(row)?))
}

/// Column letters and a row number, in any case, both counted from 0 here:
/// `a1` is `(0, 0)`, `aa1` is `(26, 0)`, `zz1` is `(701, 0)` (spec P-25 to P-29,
/// H-07, H-25). A number with a leading zero is none of these.
pub(super) fn read_lettered(raw: &[u8]) -> Option<(u16, u16)> {
    let letters = raw.iter().take_while(|byte| byte.is_ascii_alphabetic()).count();
    let (letters, digits) = raw.split_at(letters);
    if letters.is_empty() || digits.is_empty() || digits[0] == b'0' {
        return None;
    }
    let mut column: u16 = 0;
    for letter in letters {
        let digit = u16::from(letter.to_ascii_lowercase() - b'a') + 1;
        column = column.checked_mul(26)?.checked_add(digit)?;
    }
    let mut row: u16 = 0;
    for digit in digits {
        if !digit.is_ascii_digit() {
            return None;
        }
        row = row.checked_mul(10)?.checked_add(u16::from(digit - b'0'))?;
    }
    Some((column - 1, row - 1))
}

/// Writes `column` as letters: 0 is `a`, 26 is `aa`.
pub(super) fn write_column(f: &mut fmt::Formatter<'_>, column: u16) -> fmt::Result {
    // At most three letters: 26 + 26² + 26³ is 18278, times 26 passes u16.
    let mut letters = [0u8; 4];
    let mut at = letters.len();
    let mut rest = u32::from(column) + 1;
    while rest > 0 {
        at -= 1;
        letters[at] = b'a' + ((rest - 1) % 26) as u8;
        rest = (rest - 1) / 26;
    }
    f.write_str(std::str::from_utf8(&letters[at..]).expect("lowercase ASCII"))
}

/// Writes the field `(column, row)` as column letters and row number.
pub(super) fn write_lettered(f: &mut fmt::Formatter<'_>, column: u16, row: u16) -> fmt::Result {
    write_column(f, column)?;
    write!(f, "{}", u32::from(row) + 1)
}

/// Writes the field as two letters; `?` for what two letters cannot say.
pub(super) fn write_pair(f: &mut fmt::Formatter<'_>, column: u16, row: u16) -> fmt::Result {
    for index in [column, row] {
        write!(f, "{}", index_letter(index).unwrap_or('?'))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Lettered(u16, u16);

    impl fmt::Display for Lettered {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            write_lettered(f, self.0, self.1)
        }
    }

    #[test]
    fn columns_are_bijective_base_26() {
        for (raw, column) in [("a1", 0), ("z1", 25), ("aa1", 26), ("az1", 51), ("ba1", 52), ("zz1", 701), ("aaa1", 702)]
        {
            assert_eq!(read_lettered(raw.as_bytes()), Some((column, 0)));
            assert_eq!(Lettered(column, 0).to_string(), raw);
        }
        for index in 0..=u16::MAX - 1 {
            let text = Lettered(index, index).to_string();
            assert_eq!(read_lettered(text.as_bytes()), Some((index, index)), "{text}");
        }
    }

    #[test]
    fn what_is_no_field() {
        for raw in ["", "a", "1", "a0", "a01", "1a", "a-1", "a 1", " a1", "a1 ", "a65536", "zzzz1", "ä1", "a1b"] {
            assert_eq!(read_lettered(raw.as_bytes()), None, "{raw}");
        }
    }

    #[test]
    fn all_pairs() {
        for byte in 0..=255u8 {
            if let Some(index) = letter_index(byte) {
                assert_eq!(index_letter(index), Some(char::from(byte)));
            }
        }
    }
}
