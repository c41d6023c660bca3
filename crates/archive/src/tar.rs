//! tar: ustar, pax and GNU headers, long names and sparse files, as a stream.
//! Nothing is held but one header and one name.

use super::fault::Fault;
use super::sparse::SparseMap;
use super::stream::{Part, Source, skip};
use std::io::Read;

/// A header is a block, and contents are filled up to blocks.
pub(super) const BLOCK: usize = 512;

/// A name or a pax header longer than this is no name.
const LONGEST_NAME: u64 = 1 << 20;

/// What a member is, as far as anyone here cares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum MemberKind {
    File,
    /// Directories, links, devices.
    Other,
}

/// A member's header, long names resolved.
#[derive(Clone, Debug)]
pub(super) struct Member {
    pub(super) name: Vec<u8>,
    /// Bytes stored here.
    pub(super) size: u64,
    /// Bytes up to the next header, fill included.
    pub(super) padded: u64,
    pub(super) kind: MemberKind,
    /// Where its holes are, if it has any.
    pub(super) sparse: Option<SparseMap>,
}

/// True when `head` starts with a tar header: its checksum holds.
pub(super) fn is_header(head: &[u8]) -> bool {
    head.first_chunk::<BLOCK>().is_some_and(|block| block[0] != 0 && checksum_holds(block))
}

fn checksum_holds(block: &[u8; BLOCK]) -> bool {
    let Some(stated) = number(&block[148..156]) else { return false };
    // The field itself counts as blanks.
    let unsigned = |bytes: &[u8]| bytes.iter().map(|byte| u64::from(*byte)).sum::<u64>();
    if stated == unsigned(block) - unsigned(&block[148..156]) + 8 * u64::from(b' ') {
        return true;
    }
    // Old Sun tars added signed characters.
    let signed = |bytes: &[u8]| bytes.iter().map(|byte| i64::from(*byte as i8)).sum::<i64>();
    i64::try_from(stated).is_ok_and(|stated| stated == signed(block) - signed(&block[148..156]) + 8 * i64::from(b' '))
}

/// The values that pax and GNU headers put in front of a member.
#[derive(Default)]
struct Overrides {
    name: Option<Vec<u8>>,
    size: Option<u64>,
    sparse_name: Option<Vec<u8>>,
    sparse: Option<SparseMap>,
    /// The offset of a piece whose length comes next (pax format 0.0).
    piece: u64,
}

/// Reads headers up to the next member; nothing at the end of the archive.
pub(super) fn next_member(source: &mut dyn Source) -> Result<Option<Member>, Fault> {
    let mut overrides = Overrides::default();
    let mut ended = false;
    loop {
        let mut block = [0; BLOCK];
        let len = fill(source, &mut block)?;
        if len == 0 && !ended {
            return Err(Fault::truncated("another tar header or blocks of zeros"));
        }
        let zeros = block == [0; BLOCK];
        if len < BLOCK {
            return if ended && zeros { Ok(None) } else { Err(Fault::truncated("a tar header of 512 bytes")) };
        }
        if zeros {
            // Two zero blocks end an archive. One alone stands in some, and
            // `cat a.tar b.tar` leaves many in the middle: look on.
            ended = true;
            continue;
        }
        if !checksum_holds(&block) {
            return Err(Fault::damaged("a tar header", "a block whose checksum differs"));
        }
        let stated = number(&block[124..136]).ok_or_else(|| Fault::damaged("a size in a tar header", "no number"))?;
        match block[156] {
            b'L' => overrides.name = Some(until_nul(&read_name(source, stated)?).to_vec()),
            b'x' => pax(&read_name(source, stated)?, &mut overrides)?,
            // Long link names, global headers, volume labels: nothing for us.
            b'K' | b'g' | b'V' | b'X' => pass(source, padded(stated)?)?,
            flag => return member(&block, flag, stated, overrides, source).map(Some),
        }
    }
}

fn member(
    block: &[u8; BLOCK],
    flag: u8,
    stated: u64,
    overrides: Overrides,
    source: &mut dyn Source,
) -> Result<Member, Fault> {
    let name = overrides.sparse_name.or(overrides.name).unwrap_or_else(|| header_name(block));
    let size = overrides.size.unwrap_or(stated);
    let sparse = if flag == b'S' { Some(gnu_sparse(block, source)?) } else { overrides.sparse };
    let kind = match flag {
        // `0`, NUL, and `7` for contiguous files; a name with a slash at its
        // end is an old tar's directory.
        b'0' | 0 | b'7' if name.ends_with(b"/") => MemberKind::Other,
        b'0' | 0 | b'7' | b'S' => MemberKind::File,
        _ => MemberKind::Other,
    };
    // Links and devices may state a size and have no bytes.
    let size = if matches!(flag, b'1'..=b'6') { 0 } else { size };
    Ok(Member { name, size, padded: padded(size)?, kind, sparse })
}

/// GNU's own format: four pieces in the header, 21 in each block that follows.
///
/// ```text
/// header  386 4 × (offset 12, length 12)  482 more?  483 size 12
/// block     0 21 × (offset 12, length 12)  504 more?
/// ```
fn gnu_sparse(block: &[u8; BLOCK], source: &mut dyn Source) -> Result<SparseMap, Fault> {
    let bad = || Fault::damaged("the map of a sparse file", "no number");
    let mut map = SparseMap::default();
    map.size = number(&block[483..495]).ok_or_else(bad)?;
    let mut pieces = |entries: &[u8]| -> Result<(), Fault> {
        for entry in entries.chunks_exact(24).take_while(|entry| entry[0] != 0) {
            map.push(number(&entry[..12]).ok_or_else(bad)?, number(&entry[12..]).ok_or_else(bad)?)?;
        }
        Ok(())
    };
    pieces(&block[386..482])?;
    let mut more = block[482] != 0;
    while more {
        let mut next = [0; BLOCK];
        if fill(source, &mut next)? < BLOCK {
            return Err(Fault::truncated("the map of a sparse file"));
        }
        pieces(&next[..504])?;
        more = next[504] != 0;
    }
    Ok(map)
}

fn header_name(block: &[u8; BLOCK]) -> Vec<u8> {
    let name = until_nul(&block[..100]);
    // The prefix field is POSIX's alone; GNU keeps times there.
    let prefix = if &block[257..263] == b"ustar\0" { until_nul(&block[345..500]) } else { b"" };
    match prefix {
        b"" => name.to_vec(),
        _ => [prefix, b"/", name].concat(),
    }
}

/// `LEN KEY=VALUE\n`, again and again; what is not that is passed over.
fn pax(mut records: &[u8], overrides: &mut Overrides) -> Result<(), Fault> {
    while let Some(space) = records.iter().position(|byte| *byte == b' ') {
        let len = std::str::from_utf8(&records[..space]).ok().and_then(|text| text.parse::<usize>().ok());
        let Some(record) = len.and_then(|len| records.get(space + 1..len)) else { return Ok(()) };
        records = &records[len.expect("a record was cut by it")..];
        let record = record.strip_suffix(b"\n").unwrap_or(record);
        let Some(equals) = record.iter().position(|byte| *byte == b'=') else { continue };
        let (key, value) = (&record[..equals], &record[equals + 1..]);
        match key {
            b"path" => overrides.name = Some(value.to_vec()),
            b"size" => overrides.size = decimal(value).or(overrides.size),
            b"GNU.sparse.name" => overrides.sparse_name = Some(value.to_vec()),
            _ => {
                if let Some(key) = key.strip_prefix(b"GNU.sparse.") {
                    pax_sparse(key, value, overrides)?;
                }
            }
        }
    }
    Ok(())
}

/// Three formats: 0.0 repeats `offset` and `numbytes`, 0.1 has all in `map`,
/// 1.0 (`major` is 1) has the map in front of the bytes.
fn pax_sparse(key: &[u8], value: &[u8], overrides: &mut Overrides) -> Result<(), Fault> {
    let map = overrides.sparse.get_or_insert_default();
    let number = decimal(value).unwrap_or(0);
    match key {
        b"size" | b"realsize" => map.size = number,
        b"major" => map.in_front = number == 1,
        b"offset" => overrides.piece = number,
        b"numbytes" => map.push(overrides.piece, number)?,
        b"map" => {
            let mut numbers = value.split(|byte| *byte == b',').map(decimal);
            while let (Some(Some(offset)), Some(Some(len))) = (numbers.next(), numbers.next()) {
                map.push(offset, len)?;
            }
        }
        _ => {}
    }
    Ok(())
}

fn decimal(digits: &[u8]) -> Option<u64> {
    std::str::from_utf8(digits).ok()?.trim().parse().ok()
}

/// Octal with blanks and NULs around it, or base 256 with the top bit set.
fn number(field: &[u8]) -> Option<u64> {
    if field[0] & 0x80 != 0 {
        let mut value = u64::from(field[0] & 0x7f);
        for &byte in &field[1..] {
            value = value.checked_mul(256)?.checked_add(u64::from(byte))?;
        }
        return Some(value);
    }
    let digits =
        field.iter().skip_while(|byte| **byte == b' ' || **byte == 0).take_while(|byte| !matches!(**byte, b' ' | 0));
    digits.copied().try_fold(0u64, |value, byte| match byte {
        b'0'..=b'7' => value.checked_mul(8)?.checked_add(u64::from(byte - b'0')),
        _ => None,
    })
}

fn until_nul(field: &[u8]) -> &[u8] {
    &field[..memchr::memchr(0, field).unwrap_or(field.len())]
}

fn padded(size: u64) -> Result<u64, Fault> {
    size.checked_next_multiple_of(BLOCK as u64)
        .ok_or_else(|| Fault::damaged("the size of a tar member", "one beyond all files"))
}

fn read_name(source: &mut dyn Source, size: u64) -> Result<Vec<u8>, Fault> {
    if size > LONGEST_NAME {
        return Err(Fault::damaged("a name of at most 1 MiB", format!("one of {size} bytes")));
    }
    let mut name = Vec::new();
    Part::new(source, size).read_to_end(&mut name).map_err(|err| Fault::of(&err, "a long name"))?;
    pass(source, padded(size)? - size)?;
    Ok(name)
}

/// Passes over what is no header, up to the next one. False: there is none.
pub(super) fn find_header(source: &mut dyn Source) -> Result<bool, Fault> {
    loop {
        let head = source.peek(BLOCK);
        if is_header(head) {
            return Ok(true);
        }
        if head.len() < BLOCK {
            return Ok(false);
        }
        pass(source, BLOCK as u64)?;
    }
}

/// Skips `len` bytes that must be there.
pub(super) fn pass(source: &mut dyn Source, len: u64) -> Result<(), Fault> {
    let found = skip(source, len).map_err(|err| Fault::of(&err, "the rest of a tar archive"))?;
    if found < len { Err(Fault::truncated(format!("{} more bytes of the archive", len - found))) } else { Ok(()) }
}

fn fill(source: &mut dyn Source, out: &mut [u8]) -> Result<usize, Fault> {
    let mut at = 0;
    while at < out.len() {
        match source.read(&mut out[at..]) {
            Ok(0) => break,
            Ok(len) => at += len,
            Err(err) => return Err(Fault::of(&err, "a tar header")),
        }
    }
    Ok(at)
}
