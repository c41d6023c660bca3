//! Checks a 7z header before it is parsed: the unpacked size of its list of members, and whether it
//! is encrypted.

use std::io::{self, Read, Seek, SeekFrom};

use sevenz_rust2::{Archive, Block, Password};

use crate::caps::Caps;
use crate::disk::Disk;
use crate::fault::Fault;
use crate::problem::ArchiveErrorKind;

// Property ids of 7zFormat.txt.
const HEADER: u8 = 0x01;
const MAIN_STREAMS_INFO: u8 = 0x04;
const FILES_INFO: u8 = 0x05;
const EMPTY_STREAM: u8 = 0x0e;
const ENCODED_HEADER: u8 = 0x17;

const SIGNATURE: &[u8] = b"7z\xbc\xaf\x27\x1c";

const LZMA: &[u8] = &[3, 1, 1];
const LZMA2: &[u8] = &[0x21];
const PPMD: &[u8] = &[3, 4, 1];
const AES: &[u8] = &[6, 0xf1, 7, 1];

pub(crate) fn encrypted() -> Fault {
    Fault::new(
        ArchiveErrorKind::Encrypted,
        "encrypted archives are not supported",
    )
}

/// Rejects an archive whose list of members exceeds the cap.
pub(crate) fn check(disk: &mut Disk, caps: &Caps) -> Result<(), Fault> {
    // Signature 6, version 2, checksum 4; then for the header: offset 8, size 8, checksum 4.
    let start = read_at(disk, 0, 32)?;
    let word = |at: usize| {
        start[at..at + 8]
            .iter()
            .rev()
            .fold(0, |value, byte| value << 8 | u64::from(*byte))
    };
    let (offset, size) = (word(12), word(20));
    if size == 0 {
        return match offset {
            // Without a header, the archive is empty or was never finished.
            0 if disk.len() <= 32 => Ok(()),
            _ => Err(Fault::truncated("the header of a 7z archive")),
        };
    }
    let at = offset
        .checked_add(32)
        .filter(|at| at.checked_add(size).is_some_and(|end| end <= disk.len()));
    let at = at.ok_or_else(|| Fault::truncated("the header of a 7z archive"))?;
    let large = |size: u64| {
        let message = format!(
            "the list of members has {size} bytes, and may have {} (cap `header`)",
            caps.header
        );
        Fault::new(ArchiveErrorKind::Cap, message)
    };
    if size > caps.header {
        return Err(large(size));
    }
    let header = read_at(disk, at, size)?;
    match header[0] {
        HEADER => return Ok(()),
        ENCODED_HEADER => (),
        _ => return Err(Fault::damaged("a 7z header", "other bytes")),
    }
    for block in describe(&header)?.blocks {
        check_block(&block, caps)?;
        for index in 0..block.coders.len() {
            let unpacked = block.get_unpack_size_at_index(index);
            if unpacked > caps.header {
                return Err(large(unpacked));
            }
        }
    }
    Ok(())
}

/// Rejects a block that needs a password, or more memory than the cap.
pub(crate) fn check_block(block: &Block, caps: &Caps) -> Result<(), Fault> {
    for coder in &block.coders {
        check_coder(coder.encoder_method_id(), coder.properties(), caps)?;
    }
    Ok(())
}

fn check_coder(method: &[u8], properties: &[u8], caps: &Caps) -> Result<(), Fault> {
    let word = || {
        properties.get(1..5).map(|bytes| {
            bytes
                .iter()
                .rev()
                .fold(0, |value, byte| value << 8 | u64::from(*byte))
        })
    };
    let memory = match method {
        AES => return Err(encrypted()),
        LZMA | PPMD => word().unwrap_or(0),
        // The size is 2 or 3, shifted.
        LZMA2 => properties.first().map_or(0, |&byte| {
            (2 | u64::from(byte) & 1) << (byte.min(40) / 2 + 11)
        }),
        _ => 0,
    };
    if memory > caps.memory {
        return Err(Fault::too_large(caps.memory));
    }
    Ok(())
}

fn read_at(disk: &mut Disk, at: u64, len: u64) -> Result<Vec<u8>, Fault> {
    let fault = |err: io::Error| Fault::of(&err, "the header of a 7z archive");
    disk.seek(SeekFrom::Start(at)).map_err(fault)?;
    let mut bytes = vec![0; len as usize];
    disk.read_exact(&mut bytes).map_err(fault)?;
    Ok(bytes)
}

/// Parses an encoded header, which describes the packed list of members as a header describes the
/// packed members.
///
/// The library parses it only together with the list, and has no limit for the size of the list. So
/// the description is parsed as the header of an archive of its own, which has one empty file.
fn describe(encoded: &[u8]) -> Result<Archive, Fault> {
    const EMPTY_FILE: [u8; 7] = [FILES_INFO, 1, EMPTY_STREAM, 1, 0x80, 0, 0];
    let header = [&[HEADER, MAIN_STREAMS_INFO], &encoded[1..], &EMPTY_FILE].concat();
    let mut place = 0_u64.to_le_bytes().to_vec();
    place.extend_from_slice(&(header.len() as u64).to_le_bytes());
    place.extend_from_slice(&checksum(&header));
    let archive = [SIGNATURE, &[0, 4], &checksum(&place), &place, &header].concat();
    let archive = Archive::read(&mut io::Cursor::new(archive), &Password::empty());
    archive.map_err(|err| Fault::damaged("a 7z header", err))
}

fn checksum(bytes: &[u8]) -> [u8; 4] {
    let mut crc = flate2::Crc::new();
    crc.update(bytes);
    crc.sum().to_le_bytes()
}
