//! Header block of tar, as far as it is needed to recognize a tar.

/// Bytes of a header. Contents are padded to a multiple of it.
pub(crate) const BLOCK: usize = 512;

/// Returns whether `head` begins with a tar header, which its checksum shows.
pub(crate) fn is_header(head: &[u8]) -> bool {
    head.first_chunk::<BLOCK>()
        .is_some_and(|block| block[0] != 0 && has_checksum(block))
}

/// Returns whether the checksum of the header is right.
pub(crate) fn has_checksum(block: &[u8; BLOCK]) -> bool {
    let Some(stated) = number(&block[148..156]) else {
        return false;
    };
    // The checksum's own bytes count as blanks. Sums of 32 bits let the compiler add twice as many
    // bytes at once as sums of 64 bits.
    let unsigned = |bytes: &[u8]| bytes.iter().map(|byte| u32::from(*byte)).sum::<u32>();
    if stated == u64::from(unsigned(block) - unsigned(&block[148..156]) + 8 * u32::from(b' ')) {
        return true;
    }
    // Old tars of Sun added signed bytes.
    let signed = |bytes: &[u8]| bytes.iter().map(|byte| i64::from(*byte as i8)).sum::<i64>();
    i64::try_from(stated).is_ok_and(|stated| {
        stated == signed(block) - signed(&block[148..156]) + 8 * i64::from(b' ')
    })
}

/// Parses a number of a header: octal with blanks and NULs around it, or base 256 if the top bit is
/// set.
pub(crate) fn number(field: &[u8]) -> Option<u64> {
    if field[0] & 0x80 != 0 {
        let mut value = u64::from(field[0] & 0x7f);
        for &byte in &field[1..] {
            value = value.checked_mul(256)?.checked_add(u64::from(byte))?;
        }
        return Some(value);
    }
    let digits = field
        .iter()
        .skip_while(|byte| **byte == b' ' || **byte == 0)
        .take_while(|byte| !matches!(**byte, b' ' | 0));
    digits.copied().try_fold(0u64, |value, byte| match byte {
        b'0'..=b'7' => value.checked_mul(8)?.checked_add(u64::from(byte - b'0')),
        _ => None,
    })
}
