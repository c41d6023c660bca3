//! Detects the kind of bytes from the first of them, never from a name.

use crate::stream::{HEAD, Source};
use crate::tar_header::{self, BLOCK};

/// Kind of a run of bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sniff {
    Gzip,
    Bzip2,
    Xz,
    Zstd,
    Lz4,
    Tar,
    Zip,
    SevenZip,
    /// An archive that this crate does not read.
    Rar,
    /// At most a byte order mark and blanks, then `(`, blanks and `;`.
    Sgf,
    Other,
}

/// Returns whether a file that begins with `head` is compressed or an archive, so that its records
/// must be unpacked first. The first 512 bytes are enough.
///
/// ```
/// assert!(sgfstream_archive::is_packed(b"\x1f\x8b\x08\0"));
/// assert!(!sgfstream_archive::is_packed(b"(;GM[1])"));
/// ```
#[must_use]
pub fn is_packed(head: &[u8]) -> bool {
    Sniff::of(head, true).is_some_and(Sniff::is_container)
}

impl Sniff {
    /// Returns the kind of `source`; reads only as many bytes as necessary.
    pub(crate) fn of_source(source: &mut dyn Source) -> Self {
        for want in [1, BLOCK] {
            let head = source.peek(want);
            let ended = head.len() < want;
            if let Some(sniff) = Self::of(head, ended) {
                return sniff;
            }
        }
        Self::of(source.peek(HEAD), true).unwrap_or(Self::Other)
    }

    /// Returns the kind of `head`, or `None` if it needs more bytes. `ended` means that there are
    /// no more.
    pub(crate) fn of(head: &[u8], ended: bool) -> Option<Self> {
        // Check tar first: a tar archive may begin with a file called `(;x`, but a game record
        // cannot have the checksum of a tar header.
        if tar_header::is_header(head) {
            return Some(Self::Tar);
        }
        const MAGICS: &[(&[u8], Sniff)] = &[
            (b"\x1f\x8b\x08", Sniff::Gzip),
            (b"BZh", Sniff::Bzip2),
            (b"\xfd7zXZ\0", Sniff::Xz),
            (b"\x28\xb5\x2f\xfd", Sniff::Zstd),
            (b"\x04\x22\x4d\x18", Sniff::Lz4),
            (b"\x02\x21\x4c\x18", Sniff::Lz4),
            (b"PK\x03\x04", Sniff::Zip),
            (b"PK\x05\x06", Sniff::Zip),
            (b"PK\x06\x06", Sniff::Zip),
            // A single file that was made from several volumes.
            (b"PK\x07\x08PK\x03\x04", Sniff::Zip),
            (b"PK00PK\x03\x04", Sniff::Zip),
            (b"7z\xbc\xaf\x27\x1c", Sniff::SevenZip),
            (b"Rar!\x1a\x07", Sniff::Rar),
        ];
        for &(magic, sniff) in MAGICS {
            if head.starts_with(magic) {
                return Some(sniff);
            }
            if !ended && magic.starts_with(head) {
                return None;
            }
        }
        // Zstandard and LZ4 share their skippable frames. The bytes after the first frame
        // distinguish them, if they are visible.
        if let [low, 0x2a, 0x4d, 0x18, a, b, c, d, ..] = *head
            && low & 0xf0 == 0x50
        {
            let len = u32::from_le_bytes([a, b, c, d]) as usize;
            return match head.get(len.saturating_add(8)..) {
                Some(rest) if rest.starts_with(b"\x04\x22\x4d\x18") => Some(Self::Lz4),
                _ => Some(Self::Zstd),
            };
        }
        match looks_like_sgf(head) {
            Some(true) => Some(Self::Sgf),
            None if !ended && head.len() < HEAD => None,
            // A tar header has 512 bytes, so that fewer bytes are not enough.
            Some(false) if !ended && head.len() < BLOCK => None,
            _ => Some(Self::Other),
        }
    }

    /// Returns whether the bytes are unpacked before they are read.
    pub(crate) fn is_container(self) -> bool {
        !matches!(self, Self::Sgf | Self::Other)
    }
}

/// Returns whether `head` starts a game; `None` if it ends too early.
fn looks_like_sgf(head: &[u8]) -> Option<bool> {
    let wide = head.starts_with(b"\xff\xfe") || head.starts_with(b"\xfe\xff");
    let rest = match head {
        [0xef, 0xbb, 0xbf, rest @ ..] => rest,
        [_, _, rest @ ..] if wide => rest,
        _ => head,
    };
    // In UTF-16, every second byte of an ASCII character is NUL.
    let mut bytes = rest
        .iter()
        .copied()
        .filter(|&byte| !(wide && byte == 0))
        .skip_while(|byte| is_blank(*byte));
    match bytes.next() {
        None => return None,
        Some(b'(') => {}
        Some(_) => return Some(false),
    }
    bytes.find(|byte| !is_blank(*byte)).map(|byte| byte == b';')
}

fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r' | 0x0b | 0x0c)
}

/// Returns whether the name has an extension of game records.
pub(crate) fn is_record_name(name: &str) -> bool {
    has_extension(
        name,
        &[
            "sgf", "sgfs", "mgt", "blksgf", "hsgf", "hgf", "tsgf", "ggf", "gib", "ngf", "ugf",
            "ugi",
        ],
    )
}

/// Returns whether the name is one that programs give to a file's old version, whose records are
/// duplicates.
pub(crate) fn is_backup_name(name: &str) -> bool {
    let name = name.trim_end_matches(|char: char| char.is_ascii_digit() || char == '.');
    name.ends_with('~') || has_extension(name, &["bak", "orig", "old"])
}

/// Returns whether a walk over directories opens a file of this name, because it may contain
/// records.
pub(crate) fn is_container_name(name: &str) -> bool {
    const CONTAINERS: &[&str] = &[
        "gz", "tgz", "bz2", "tbz", "tbz2", "tb2", "xz", "txz", "zst", "tzst", "lz4", "tlz4", "tar",
        "zip", "7z", "rar",
    ];
    has_extension(name, CONTAINERS)
        || name
            .strip_suffix(".001")
            .is_some_and(|name| has_extension(name, CONTAINERS))
}

fn has_extension(name: &str, extensions: &[&str]) -> bool {
    // A name that consists of `.sgf` alone is a hidden file, not a record.
    let (stem, extension) = name.rsplit_once('.').unwrap_or((name, ""));
    !stem.is_empty()
        && !stem.ends_with('/')
        && extensions
            .iter()
            .any(|known| known.eq_ignore_ascii_case(extension))
}

/// Returns whether a tar has this name, compressed or not.
pub(crate) fn is_tar_name(name: &str) -> bool {
    has_extension(
        name,
        &["tar", "tgz", "tbz", "tbz2", "tb2", "txz", "tzst", "tlz4"],
    )
}

/// Returns `name` without the extensions of compressed files.
pub(crate) fn unpacked_name(name: &str) -> &str {
    match name.rsplit_once('.') {
        Some((stem, _)) if has_extension(name, &["gz", "bz2", "xz", "zst", "lz4", "001"]) => {
            unpacked_name(stem)
        }
        _ => name,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn by_content() {
        for (head, sniff) in [
            (&b"(;GM[1])"[..], Sniff::Sgf),
            (b"\xef\xbb\xbf \r\n( ;", Sniff::Sgf),
            (b"\xff\xfe(\0;\0", Sniff::Sgf),
            (b"(\n;)", Sniff::Sgf),
            (b"()", Sniff::Other),
            (b"", Sniff::Other),
            (b"(", Sniff::Other),
            (b"mail (;", Sniff::Other),
            (b"\x1f\x8b\x08\x00", Sniff::Gzip),
            (b"PK\x03\x04....", Sniff::Zip),
            (b"\x50\x2a\x4d\x18\x01\0\0\0x\x04\x22\x4d\x18", Sniff::Lz4),
            (b"\x50\x2a\x4d\x18\x01\0\0\0x\x28\xb5\x2f\xfd", Sniff::Zstd),
        ] {
            assert_eq!(Sniff::of(head, true), Some(sniff), "{head:?}");
        }
        assert_eq!(Sniff::of(b"\x1f", false), None);
        assert_eq!(Sniff::of(b"  (", false), None);
    }

    #[test]
    fn by_name() {
        assert!(is_record_name("a/B.SGF") && is_record_name("x.BlkSgf"));
        assert!(!is_record_name("a/.sgf") && !is_record_name("sgf") && !is_record_name("x.sgf.gz"));
        assert!(
            is_backup_name("x.sgf~") && is_backup_name("x.sgf.bak.2") && is_backup_name("x.orig")
        );
        assert!(!is_backup_name("x.sgf") && !is_backup_name("x.prb") && !is_backup_name("bak"));
        assert!(
            is_container_name("x.TGZ")
                && is_container_name("x.7z.001")
                && !is_container_name("x.7z.002")
        );
        assert_eq!(unpacked_name("x.sgf.GZ"), "x.sgf");
        assert_eq!(unpacked_name("x.sgf"), "x.sgf");
        assert_eq!(unpacked_name("x.tar.gz.gz"), "x.tar");
        assert!(is_tar_name("x.tar") && is_tar_name("x.TGZ") && !is_tar_name("x.gz"));
    }
}
