//! tar: ustar, pax and GNU headers and long names, as a stream. Memory contains only one header and
//! one name.

use std::io::Read;

use crate::fault::Fault;
use crate::members::{Halt, Members};
use crate::name_charset::NameCharset;
use crate::problem::ArchiveErrorKind;
use crate::stream::{Part, Source, fill, skip};
use crate::tar_header::{BLOCK, has_checksum, is_header, number};

/// Limit for names and pax headers. Longer ones count as damage.
const LONGEST_NAME: u64 = 1 << 20;

/// Header of a member, with long names resolved.
#[derive(Debug)]
struct TarMember {
    name: Vec<u8>,
    /// Bytes in the archive.
    size: u64,
    /// Bytes up to the next header.
    padded: u64,
    /// False for directories, links and devices.
    is_file: bool,
    /// Whether it is a sparse file, whose holes are not stored.
    is_sparse: bool,
    /// Fault of an unreadable pax record before the member.
    pax_fault: Option<Fault>,
}

/// Passes each file of a tar archive to `members`.
pub(crate) fn visit(source: &mut dyn Source, members: &mut Members<'_, '_>) -> Result<(), Halt> {
    loop {
        let member = match next_member(source) {
            Ok(Some(member)) => member,
            Ok(None) => return Ok(()),
            Err(fault) if fault.kind == ArchiveErrorKind::Damaged => {
                members.report(None, &fault)?;
                // Headers begin at block borders, so headers after the damage can be found.
                if find_header(source)? {
                    continue;
                }
                return Ok(());
            }
            Err(fault) => return Err(fault.into()),
        };
        members.ledger().add_entry()?;
        let text = NameCharset::default().decode(&member.name);
        if let Some(fault) = &member.pax_fault {
            members.report(Some(&text), fault)?;
        }
        let choice = if member.is_file {
            members.choose(&text, &member.name)
        } else {
            None
        };
        let mut rest = member.padded;
        if let Some(choice) = choice {
            let mut part = Part::new(source, member.size);
            if member.is_sparse {
                let message = "sparse members are not supported; unpack the archive with `tar -x`";
                members.report(Some(&text), &Fault::unsupported(message))?;
            } else {
                members.read(&text, choice, Some(member.size), 0, &mut part)?;
            }
            if let Err(err) = skip(&mut part, u64::MAX) {
                members.report(Some(&text), &Fault::of(&err, "the bytes of a member"))?;
                return Ok(());
            }
            rest = member.padded - member.size;
        }
        pass(source, rest)?;
    }
}

/// Values of the pax and GNU headers before a member.
#[derive(Default)]
struct Overrides {
    name: Option<Vec<u8>>,
    size: Option<u64>,
    sparse_name: Option<Vec<u8>>,
    is_sparse: bool,
    fault: Option<Fault>,
}

/// Reads headers up to the next member; returns `None` at the end of the archive.
fn next_member(source: &mut dyn Source) -> Result<Option<TarMember>, Fault> {
    let mut overrides = Overrides::default();
    let mut ended = false;
    loop {
        let mut block = [0; BLOCK];
        let len = fill(source, &mut block, "a tar header")?;
        if len == 0 && !ended {
            return Err(Fault::truncated("another tar header or blocks of zeros"));
        }
        let zeros = block == [0; BLOCK];
        if len < BLOCK {
            return if ended && zeros {
                Ok(None)
            } else {
                Err(Fault::truncated("a tar header of 512 bytes"))
            };
        }
        if zeros {
            // Two zero blocks end an archive. Some archives have a zero block in the middle, and
            // `cat a.tar b.tar` leaves many there, so reading continues.
            ended = true;
            continue;
        }
        if !has_checksum(&block) {
            return Err(Fault::corrupt("the checksum of a tar header is wrong"));
        }
        let stated = number(&block[124..136])
            .ok_or_else(|| Fault::damaged("a size in a tar header", "other bytes"))?;
        match block[156] {
            b'L' => overrides.name = Some(until_nul(&read_name(source, stated)?).to_vec()),
            b'x' => pax(&read_name(source, stated)?, &mut overrides),
            // Long link names, global headers and volume labels are skipped.
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
) -> Result<TarMember, Fault> {
    let name = overrides
        .sparse_name
        .or(overrides.name)
        .unwrap_or_else(|| header_name(block));
    let size = overrides.size.unwrap_or(stated);
    if flag == b'S' {
        pass_sparse_map(block, source)?;
    }
    // Files are `0`, NUL, and `7` for contiguous files. In old tars, a slash at the end of the name
    // marks a directory.
    let is_file = match flag {
        b'0' | 0 | b'7' => !name.ends_with(b"/"),
        _ => flag == b'S',
    };
    // The header of a link or device may state a size although no bytes follow.
    let size = if matches!(flag, b'1'..=b'6') { 0 } else { size };
    let is_sparse = flag == b'S' || overrides.is_sparse;
    Ok(TarMember {
        name,
        size,
        padded: padded(size)?,
        is_file,
        is_sparse,
        pax_fault: overrides.fault,
    })
}

/// Skips the blocks in which GNU's own format continues the map of a sparse file.
///
/// ```text
/// header  386 4 × (offset 12, length 12)  482 more?
/// block     0 21 × (offset 12, length 12)  504 more?
/// ```
fn pass_sparse_map(block: &[u8; BLOCK], source: &mut dyn Source) -> Result<(), Fault> {
    let mut has_more = block[482] != 0;
    while has_more {
        let mut next = [0; BLOCK];
        if fill(source, &mut next, "a tar header")? < BLOCK {
            return Err(Fault::truncated("the map of a sparse file"));
        }
        has_more = next[504] != 0;
    }
    Ok(())
}

fn header_name(block: &[u8; BLOCK]) -> Vec<u8> {
    let name = until_nul(&block[..100]);
    // Only POSIX has a prefix field; GNU stores times there.
    let prefix = if &block[257..263] == b"ustar\0" {
        until_nul(&block[345..500])
    } else {
        b""
    };
    match prefix {
        b"" => name.to_vec(),
        _ => [prefix, b"/", name].concat(),
    }
}

/// Parses records `LEN KEY=VALUE\n`. The first invalid record is kept as a fault and ends the
/// header.
fn pax(mut records: &[u8], overrides: &mut Overrides) {
    // Some writers pad the header with NULs.
    while records.iter().any(|byte| *byte != 0) {
        let Some((record, rest)) = pax_record(records) else {
            let found = String::from_utf8_lossy(&records[..records.len().min(40)])
                .escape_debug()
                .to_string();
            overrides.fault = Some(Fault::damaged(
                "a pax record `LENGTH KEY=VALUE`",
                format_args!("`{found}`"),
            ));
            return;
        };
        records = rest;
        let Some(equals) = record.iter().position(|byte| *byte == b'=') else {
            continue;
        };
        let (key, value) = (&record[..equals], &record[equals + 1..]);
        match key {
            b"path" => overrides.name = Some(value.to_vec()),
            b"size" => match decimal(value) {
                Some(size) => overrides.size = Some(size),
                None => {
                    let found = String::from_utf8_lossy(value).escape_debug().to_string();
                    overrides.fault = Some(Fault::damaged(
                        "a size in a pax header",
                        format_args!("`{found}`"),
                    ));
                }
            },
            b"GNU.sparse.name" => overrides.sparse_name = Some(value.to_vec()),
            _ => overrides.is_sparse |= key.starts_with(b"GNU.sparse."),
        }
    }
}

/// Splits off the first record, without its length and newline.
fn pax_record(records: &[u8]) -> Option<(&[u8], &[u8])> {
    let space = memchr::memchr(b' ', records)?;
    let len = usize::try_from(decimal(&records[..space])?).ok()?;
    let (whole, rest) = records.split_at_checked(len)?;
    let record = whole.get(space + 1..)?;
    Some((record.strip_suffix(b"\n").unwrap_or(record), rest))
}

fn decimal(digits: &[u8]) -> Option<u64> {
    std::str::from_utf8(digits).ok()?.trim().parse().ok()
}

fn until_nul(field: &[u8]) -> &[u8] {
    &field[..memchr::memchr(0, field).unwrap_or(field.len())]
}

fn padded(size: u64) -> Result<u64, Fault> {
    size.checked_next_multiple_of(BLOCK as u64)
        .ok_or_else(|| Fault::damaged("the size of a tar member", "a size that no file can have"))
}

fn read_name(source: &mut dyn Source, size: u64) -> Result<Vec<u8>, Fault> {
    if size > LONGEST_NAME {
        return Err(Fault::damaged(
            "a name of at most 1 MiB",
            format_args!("one of {size} bytes"),
        ));
    }
    let mut name = Vec::new();
    Part::new(source, size)
        .read_to_end(&mut name)
        .map_err(|err| Fault::of(&err, "a long name"))?;
    pass(source, padded(size)? - size)?;
    Ok(name)
}

/// Skips blocks up to the next header. Returns false if there is none.
fn find_header(source: &mut dyn Source) -> Result<bool, Fault> {
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

/// Skips `len` bytes; fewer bytes are a fault.
fn pass(source: &mut dyn Source, len: u64) -> Result<(), Fault> {
    let found = skip(source, len).map_err(|err| Fault::of(&err, "the rest of a tar archive"))?;
    if found < len {
        Err(Fault::truncated(format_args!(
            "{} more bytes of the archive",
            len - found
        )))
    } else {
        Ok(())
    }
}
