//! 7z archives. The list of members is at the end, and the whole list is in memory, within the cap
//! `header`. Nothing else here grows with the archive: the members stream, block by block.

use std::io::{self, Read, Seek, SeekFrom};
use std::sync::Arc;

use sevenz_rust2::{Archive, BlockDecoder, Error, Password};

use super::header;
use crate::caps::Caps;
use crate::codecs::checksum_reader::ChecksumReader;
use crate::codecs::decode::Counted;
use crate::codecs::window::window;
use crate::disk::Disk;
use crate::fault::Fault;
use crate::members::{Halt, Members, Stop};
use crate::sniff::Sniff;
use crate::stream::{MEMBER_WINDOW, Stream, skip};

const MEMBER: &str = "packed data of a 7z member";

/// Passes each file of a 7z archive to `members`.
pub(crate) fn visit(disk: &mut Disk, members: &mut Members<'_, '_>) -> Result<(), Halt> {
    let archive = open(disk, &members.ledger().caps)?;
    let files = || {
        archive
            .files
            .iter()
            .zip(&archive.stream_map.file_block_index)
    };
    for (index, block) in archive.blocks.iter().enumerate() {
        let result = header::check_block(block, &members.ledger().caps).map_err(Halt::from);
        match result.and_then(|()| visit_block(disk, &archive, index, members)) {
            Err(Halt::Fault(fault)) => {
                // A block has no name, so its fault is reported for its first member.
                let first = files().find(|(_, of)| **of == Some(index));
                members.report(first.map(|(file, _)| file.name()), &fault)?;
            }
            other => other?,
        }
        if members.ledger().is_cap_reached() {
            return Ok(());
        }
    }
    // Empty files belong to no block.
    for (file, _) in files().filter(|(file, block)| block.is_none() && !file.is_directory()) {
        visit_member(file.name(), 0, &mut io::empty(), members)?;
    }
    Ok(())
}

fn visit_block(
    disk: &mut Disk,
    archive: &Archive,
    index: usize,
    members: &mut Members<'_, '_>,
) -> Result<(), Halt> {
    let password = Password::empty();
    let decoder = BlockDecoder::new(1, index, archive, &password, disk);
    if !decoder
        .entries()
        .iter()
        .any(|file| members.choose(file.name(), &[]).is_some())
    {
        return Ok(());
    }
    let mut stopped = Ok(());
    let result = decoder.for_each_entries(&mut |file, reader| {
        if file.is_directory() {
            return Ok(true);
        }
        // The members of a block are compressed together, so that all members after a damaged one
        // are lost.
        let is_whole = visit_member(file.name(), file.size(), reader, members);
        Ok(is_whole.unwrap_or_else(|stop| {
            stopped = Err(stop);
            false
        }))
    });
    stopped?;
    result.map(drop).map_err(|err| fault_of(&err).into())
}

/// Visits one member; returns false if reading it failed.
fn visit_member(
    member: &str,
    size: u64,
    reader: &mut dyn Read,
    members: &mut Members<'_, '_>,
) -> Result<bool, Stop> {
    if let Err(fault) = members.ledger().add_entry() {
        return members.report(None, &fault).map(|()| false);
    }
    let ledger = Arc::clone(members.ledger());
    let counted = Counted::new(reader, MEMBER, &ledger);
    // The decoder compares checksums, but not if the data ends too early.
    let mut stream = Stream::new(
        ChecksumReader::new(counted, Some((None, size))),
        MEMBER_WINDOW,
    );
    if let Some(choice) = members.choose(member, &[]) {
        members.read(
            member,
            choice,
            Some(size),
            window(Sniff::SevenZip, &[]),
            &mut stream,
        )?;
    }
    match skip(&mut stream, u64::MAX) {
        Ok(_) => Ok(true),
        Err(err) => members
            .report(Some(member), &Fault::of(&err, MEMBER))
            .map(|()| false),
    }
}

fn open(disk: &mut Disk, caps: &Caps) -> Result<Archive, Fault> {
    header::check(disk, caps)?;
    disk.seek(SeekFrom::Start(0))
        .map_err(|err| Fault::unreadable(&err))?;
    Archive::read(disk, &Password::empty()).map_err(|err| fault_of(&err))
}

fn fault_of(err: &Error) -> Fault {
    const EXPECTED: &str = "a 7z archive";
    match err {
        Error::Io(err, _) | Error::FileOpen(err, _) | Error::MaybeBadPassword(err) => {
            Fault::of(err, EXPECTED)
        }
        Error::PasswordRequired => header::encrypted(),
        Error::UnsupportedCompressionMethod(method) => {
            Fault::unsupported(format!("the 7z method `{method}` is not supported"))
        }
        Error::Unsupported(what) => {
            Fault::unsupported(format!("this kind of 7z archive is not supported: {what}"))
        }
        Error::ExternalUnsupported => {
            Fault::unsupported("7z archives with an external header are not supported")
        }
        Error::ChecksumVerificationFailed | Error::NextHeaderCrcMismatch => {
            Fault::corrupt("the checksum of the 7z data is wrong")
        }
        other => Fault::damaged(EXPECTED, other),
    }
}
