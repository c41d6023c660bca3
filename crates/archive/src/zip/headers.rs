//! Parses the headers of zip. Both readers use them: the one that seeks to the directory at the
//! end, and the one that streams by the local headers.

use std::io::{Read, Seek, SeekFrom};

use crate::fault::Fault;
use crate::name_charset::NameCharset;
use crate::stream::{Source, skip};

pub(crate) const LOCAL: u32 = 0x0403_4b50;
pub(crate) const CENTRAL: u32 = 0x0201_4b50;
pub(crate) const DESCRIPTOR: u32 = 0x0807_4b50;
const END: u32 = 0x0605_4b50;
const END64: u32 = 0x0606_4b50;
const LOCATOR64: u32 = 0x0706_4b50;

/// Header of a member.
#[derive(Clone, Debug)]
pub(crate) struct ZipMember {
    pub(crate) name: Vec<u8>,
    /// Whether the name is UTF-8, by flag or by Info-ZIP's extra field.
    pub(crate) utf8: bool,
    pub(crate) flags: u16,
    pub(crate) method: u16,
    pub(crate) crc: u32,
    /// Bytes in the archive.
    pub(crate) packed: u64,
    /// Bytes after unpacking.
    pub(crate) size: u64,
    /// Offset of the local header, from the directory; 0 in a local header.
    pub(crate) local: u64,
    /// Whether sizes in a data descriptor have 8 bytes.
    pub(crate) wide: bool,
}

impl ZipMember {
    pub(crate) fn is_encrypted(&self) -> bool {
        // Bit 0: encrypted; 6: strongly encrypted; 13: masked header.
        self.flags & 0x2041 != 0
    }

    /// Returns whether sizes and checksum are stated after the bytes.
    pub(crate) fn has_descriptor(&self) -> bool {
        self.flags & 8 != 0
    }

    /// Returns the name as text, in `charset` unless a header states the charset.
    pub(crate) fn text(&self, charset: NameCharset) -> String {
        if self.utf8 {
            String::from_utf8_lossy(&self.name).into_owned()
        } else {
            charset.decode(&self.name)
        }
    }

    /// Returns whether the charset of the name is unknown.
    pub(crate) fn is_unstated(&self) -> bool {
        !self.utf8 && !self.name.is_ascii()
    }
}

fn u16_at(bytes: &[u8], at: usize) -> u16 {
    bytes
        .get(at..at + 2)
        .map_or(0, |pair| u16::from_le_bytes([pair[0], pair[1]]))
}

fn u32_at(bytes: &[u8], at: usize) -> u32 {
    u32::from(u16_at(bytes, at)) | u32::from(u16_at(bytes, at + 2)) << 16
}

fn u64_at(bytes: &[u8], at: usize) -> u64 {
    u64::from(u32_at(bytes, at)) | u64::from(u32_at(bytes, at + 4)) << 32
}

/// Returns the next four bytes without consuming them; `None` at the end.
pub(crate) fn signature(source: &mut dyn Source) -> Result<Option<u32>, Fault> {
    let head = source.peek(4);
    if head.len() >= 4 {
        return Ok(Some(u32_at(head, 0)));
    }
    let empty = head.is_empty();
    match source.failed() {
        Some(fault) => Err(fault.clone()),
        None if empty => Ok(None),
        None => Err(Fault::truncated("a zip header")),
    }
}

fn take(source: &mut dyn Source, len: usize) -> Result<Vec<u8>, Fault> {
    let mut bytes = vec![0; len];
    source
        .read_exact(&mut bytes)
        .map_err(|err| Fault::of(&err, "a zip header"))?;
    Ok(bytes)
}

/// Reads a local header, including its signature.
pub(crate) fn local_header(source: &mut dyn Source) -> Result<ZipMember, Fault> {
    let head = take(source, 30)?;
    if u32_at(&head, 0) != LOCAL {
        return Err(Fault::damaged(
            "a local header of a zip member",
            "other bytes",
        ));
    }
    let name = take(source, u16_at(&head, 26).into())?;
    let extra = take(source, u16_at(&head, 28).into())?;
    let mut member = ZipMember {
        name,
        utf8: false,
        flags: u16_at(&head, 6),
        method: u16_at(&head, 8),
        crc: u32_at(&head, 14),
        packed: u32_at(&head, 18).into(),
        size: u32_at(&head, 22).into(),
        local: 0,
        wide: false,
    };
    extras(&mut member, &extra);
    Ok(member)
}

/// Reads the next entry of the directory; returns `None` at its end.
pub(crate) fn central_header(source: &mut dyn Source) -> Result<Option<ZipMember>, Fault> {
    if signature(source)? != Some(CENTRAL) {
        return Ok(None);
    }
    let head = take(source, 46)?;
    let name = take(source, u16_at(&head, 28).into())?;
    let extra = take(source, u16_at(&head, 30).into())?;
    skip(source, u16_at(&head, 32).into()).map_err(|err| Fault::of(&err, "a zip directory"))?;
    let mut member = ZipMember {
        name,
        utf8: false,
        flags: u16_at(&head, 8),
        method: u16_at(&head, 10),
        crc: u32_at(&head, 16),
        packed: u32_at(&head, 20).into(),
        size: u32_at(&head, 24).into(),
        local: u32_at(&head, 42).into(),
        wide: false,
    };
    extras(&mut member, &extra);
    Ok(Some(member))
}

/// Reads the directory and the bytes after it, following `members` members. A stream that was cut
/// off inside the directory is truncated, too.
pub(crate) fn end(source: &mut dyn Source, members: u64) -> Result<(), Fault> {
    let mut stated = 0;
    loop {
        match signature(source)? {
            Some(CENTRAL) => stated += u64::from(central_header(source)?.is_some()),
            Some(END64) => {
                let head = take(source, 12)?;
                pass(source, u64_at(&head, 4))?;
            }
            Some(LOCATOR64) => pass(source, 20)?,
            Some(END) => {
                let end = take(source, 22)?;
                pass(source, u16_at(&end, 20).into())?;
                break;
            }
            // Signatures and other records, which no tool writes.
            Some(_) => break,
            None => return Err(Fault::truncated("the directory of a zip archive")),
        }
    }
    // Read to the end, because the stream around the archive may end with a checksum.
    skip(source, u64::MAX).map_err(|err| Fault::of(&err, "the end of a zip archive"))?;
    if stated > members {
        return Err(Fault::damaged(
            format_args!("{stated} members, as the directory has"),
            members,
        ));
    }
    Ok(())
}

fn pass(source: &mut dyn Source, len: u64) -> Result<(), Fault> {
    let found =
        skip(source, len).map_err(|err| Fault::of(&err, "the directory of a zip archive"))?;
    if found < len {
        Err(Fault::truncated("the directory of a zip archive"))
    } else {
        Ok(())
    }
}

/// Applies extra fields: zip64 sizes, and Info-ZIP's UTF-8 name.
fn extras(member: &mut ZipMember, mut extra: &[u8]) {
    member.utf8 = member.flags & 0x800 != 0;
    while extra.len() >= 4 {
        let (id, len) = (u16_at(extra, 0), usize::from(u16_at(extra, 2)));
        let Some(field) = extra.get(4..4 + len) else {
            return;
        };
        extra = &extra[4 + len..];
        match id {
            0x0001 => {
                // It contains only the values that do not fit their plain fields, in this order.
                member.wide = true;
                let mut at = 0;
                for value in [&mut member.size, &mut member.packed, &mut member.local] {
                    if *value == 0xffff_ffff && at + 8 <= field.len() {
                        *value = u64_at(field, at);
                        at += 8;
                    }
                }
            }
            // Fields: version, checksum of the plain name, name.
            0x7075 if field.len() > 5 && std::str::from_utf8(&field[5..]).is_ok() => {
                let mut crc = flate2::Crc::new();
                crc.update(&member.name);
                if crc.sum() == u32_at(field, 1) {
                    member.name = field[5..].to_vec();
                    member.utf8 = true;
                }
            }
            _ => {}
        }
    }
}

/// Place of the directory in a zip file.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ZipDirectory {
    pub(crate) start: u64,
    pub(crate) members: u64,
    /// Bytes before the archive, such as a self-extracting program, which stated offsets do not
    /// include.
    pub(crate) shift: u64,
}

impl ZipDirectory {
    /// Returns whether the file ends with a zip archive that has members. An archive after a
    /// program does not begin like one.
    pub(crate) fn is_at_end(file: &mut (impl Read + Seek), len: u64) -> bool {
        Self::find(file, len).is_ok_and(|directory| directory.members > 0)
    }

    /// Searches the end record in the last 64 KiB plus the record's own length.
    pub(crate) fn find(file: &mut (impl Read + Seek), len: u64) -> Result<Self, Fault> {
        let tail_len = len.min(22 + 65_535 + 20);
        let tail_start = len - tail_len;
        let tail = read_at(file, tail_start, tail_len)?;
        let mut at = tail.len().saturating_sub(21);
        while let Some(found) =
            memchr::memmem::rfind(&tail[..(at + 3).min(tail.len())], &END.to_le_bytes())
        {
            let end = &tail[found..];
            if end.len() >= 22 && end.len() >= 22 + usize::from(u16_at(end, 20)) {
                return Self::from_end(file, tail_start + found as u64, end, &tail[..found]);
            }
            at = found;
            if at == 0 {
                break;
            }
        }
        Err(Fault::truncated("the directory of a zip archive"))
    }

    fn from_end(
        file: &mut (impl Read + Seek),
        at: u64,
        end: &[u8],
        before: &[u8],
    ) -> Result<Self, Fault> {
        if u16_at(end, 4) != u16_at(end, 6) {
            return Err(Fault::unsupported(
                "zip archives split over several files are not supported",
            ));
        }
        let (mut members, mut size, mut offset) = (
            u64::from(u16_at(end, 10)),
            u64::from(u32_at(end, 12)),
            u64::from(u32_at(end, 16)),
        );
        let mut finish = at;
        let locator = before.len().checked_sub(20).map(|from| &before[from..]);
        if let Some(locator) = locator.filter(|bytes| u32_at(bytes, 0) == LOCATOR64) {
            // The end record of zip64 is at the locator's offset or, after a program, directly
            // before the locator.
            for place in [u64_at(locator, 8), at.saturating_sub(20 + 56)] {
                let Ok(end64) = read_at(file, place, 56) else {
                    continue;
                };
                if u32_at(&end64, 0) == END64 {
                    (members, size, offset) =
                        (u64_at(&end64, 32), u64_at(&end64, 40), u64_at(&end64, 48));
                    finish = place;
                    break;
                }
            }
        }
        let damaged = || {
            Fault::damaged(
                "a zip directory inside the file",
                format_args!("one of {size} bytes at {offset}"),
            )
        };
        let start = finish.checked_sub(size).ok_or_else(damaged)?;
        // A gap between directory and end record is not a shift, so check the bytes.
        let here =
            |file: &mut _, at| read_at(file, at, 4).is_ok_and(|bytes| u32_at(&bytes, 0) == CENTRAL);
        let start = if members == 0 || here(file, start) {
            start
        } else if here(file, offset) {
            offset
        } else {
            return Err(damaged());
        };
        Ok(Self {
            start,
            members,
            shift: start.saturating_sub(offset),
        })
    }
}

fn read_at(file: &mut (impl Read + Seek), at: u64, len: u64) -> Result<Vec<u8>, Fault> {
    let fault = |err: std::io::Error| Fault::of(&err, "the directory of a zip archive");
    file.seek(SeekFrom::Start(at)).map_err(fault)?;
    let mut bytes = vec![0; len as usize];
    file.read_exact(&mut bytes).map_err(fault)?;
    Ok(bytes)
}
