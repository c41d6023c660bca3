//! Computes the memory of a compressed file's decoder from its first bytes.

use crate::sniff::Sniff;

const MIB: u64 = 1 << 20;

/// Enough bytes to compute the memory, unless skippable frames come first.
pub(crate) const WINDOW_HEAD: usize = 64;

/// Returns the window of a zip member's decoder by its method: LZMA, zstd, xz, PPMd. A window is
/// never larger than the output.
pub(crate) fn of_zip(method: u16, size: u64) -> u64 {
    match method {
        14 | 93 | 95 | 98 => size.min(64 * MIB),
        _ => 0,
    }
}

/// Returns the window in bytes of the decoder for data that begins with `head`.
pub(crate) fn window(sniff: Sniff, head: &[u8]) -> u64 {
    match sniff {
        Sniff::Zstd => zstd(head).unwrap_or(8 * MIB),
        Sniff::Xz => xz(head).unwrap_or(8 * MIB),
        // The largest dictionary of 7-Zip's levels, because the real one is stated at the end of
        // the file.
        Sniff::SevenZip => 64 * MIB,
        Sniff::Lz4 => 12 * MIB,
        Sniff::Bzip2 => 4 * MIB,
        _ => MIB,
    }
}

/// Returns the window of the first frame, or the size of the frame if it is smaller.
///
/// ```text
/// 28 b5 2f fd descriptor [window] [dictionary(0, 1, 2, 4)] [size(0, 1, 2, 4, 8)]
/// ```
fn zstd(head: &[u8]) -> Option<u64> {
    let mut rest = head;
    while let [low, 0x2a, 0x4d, 0x18, a, b, c, d, ..] = *rest
        && low & 0xf0 == 0x50
    {
        rest = rest.get((u32::from_le_bytes([a, b, c, d]) as usize).checked_add(8)?..)?;
    }
    let (&descriptor, mut rest) = rest.strip_prefix(b"\x28\xb5\x2f\xfd")?.split_first()?;
    let is_single = descriptor & 0x20 != 0;
    let mut window = None;
    if !is_single {
        let (&byte, after) = rest.split_first()?;
        let base = 1u64 << (10 + (byte >> 3));
        window = Some(base + base / 8 * u64::from(byte & 7));
        rest = after;
    }
    let rest = rest.get([0, 1, 2, 4][usize::from(descriptor & 3)]..)?;
    let (len, more) = match descriptor >> 6 {
        0 if is_single => (1, 0),
        0 => return window,
        1 => (2, 256),
        2 => (4, 0),
        _ => (8, 0),
    };
    let mut size = [0; 8];
    size[..len].copy_from_slice(rest.get(..len)?);
    let size = u64::from_le_bytes(size).saturating_add(more);
    Some(window.map_or(size, |window| window.min(size)))
}

/// Returns the dictionary size of the first block.
///
/// ```text
/// fd 7z XZ 00 flags(2) crc(4)  size flags [packed] [unpacked] (id length property…)…
/// ```
fn xz(head: &[u8]) -> Option<u64> {
    const LZMA2: u64 = 0x21;
    let (&size, rest) = head.get(12..)?.split_first()?;
    let header = rest.get(..usize::from(size) * 4)?;
    let (&flags, mut rest) = header.split_first()?;
    for flag in [0x40, 0x80] {
        if flags & flag != 0 {
            number(&mut rest)?;
        }
    }
    for _ in 0..=flags & 3 {
        let (id, len) = (number(&mut rest)?, number(&mut rest)?);
        let (properties, after) = rest.split_at_checked(usize::try_from(len).ok()?)?;
        if let (LZMA2, &[exponent @ 0..=40]) = (id, properties) {
            return Some((2 | u64::from(exponent & 1)) << (exponent / 2 + 11));
        }
        rest = after;
    }
    None
}

/// Parses a number of seven bits for each byte, the lowest first.
fn number(rest: &mut &[u8]) -> Option<u64> {
    let mut number = 0;
    for shift in (0..63).step_by(7) {
        let (&byte, after) = rest.split_first()?;
        *rest = after;
        number |= u64::from(byte & 0x7f) << shift;
        if byte & 0x80 == 0 {
            return Some(number);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use proptest::prelude::*;

    use super::*;

    #[test]
    fn of_xz() {
        for (level, mib) in [(0, 0), (6, 8), (9, 64)] {
            let mut writer = liblzma::write::XzEncoder::new(Vec::new(), level);
            writer.write_all(b"(;GM[1])").expect("memory");
            let packed = writer.finish().expect("memory");
            assert_eq!(window(Sniff::Xz, &packed) / MIB, mib, "level {level}");
        }
    }

    #[test]
    fn of_zstd() {
        let mut writer = zstd::Encoder::new(Vec::new(), 3).expect("memory");
        writer.window_log(27).expect("a window");
        writer.write_all(b"(;GM[1])").expect("memory");
        let packed = writer.finish().expect("memory");
        assert_eq!(window(Sniff::Zstd, &packed), 128 * MIB);
        let skippable = [b"\x53\x2a\x4d\x18\x02\0\0\0xx", &packed[..]].concat();
        assert_eq!(window(Sniff::Zstd, &skippable), 128 * MIB);
        // A frame whose size is known needs no more memory than that.
        let packed = zstd::bulk::compress(&[b'x'; 70_000], 19).expect("memory");
        assert_eq!(window(Sniff::Zstd, &packed), 70_000);
        assert_eq!(window(Sniff::Zstd, b"\x28\xb5\x2f\xfd"), 8 * MIB);
    }

    proptest! {
        #[test]
        fn any_bytes(rest in prop::collection::vec(any::<u8>(), 0..80)) {
            window(Sniff::Zstd, &[b"\x28\xb5\x2f\xfd", &rest[..]].concat());
            window(Sniff::Xz, &[b"\xfd7zXZ\0\0\x04\0\0\0\0", &rest[..]].concat());
        }
    }
}
