//! Unpacks and checks one member of a zip archive.

use std::sync::Arc;

use super::headers::ZipMember;
use super::method::unpack;
use crate::caps::Ledger;
use crate::codecs::checksum_reader::ChecksumReader;
use crate::codecs::decode::Counted;
use crate::codecs::window::of_zip;
use crate::fault::Fault;
use crate::member_selection::Choice;
use crate::members::{Members, Stop};
use crate::problem::ArchiveErrorKind;
use crate::stream::{MEMBER_WINDOW, Source, Stream};

/// Completes "expected …" in errors of unpacking.
pub(crate) const MEMBER: &str = "compressed data of a zip member";

/// Returns a reader of a member's unpacked bytes; `source` begins with its packed bytes. `open_end`
/// means that the header does not state its size and checksum.
pub(crate) fn open<'a>(
    member: &ZipMember,
    source: &'a mut dyn Source,
    open_end: bool,
    ledger: &'a Ledger,
) -> Result<Stream<ChecksumReader<Counted<'a>>>, Fault> {
    let counted = Counted::new(unpack(member, source, open_end, ledger)?, MEMBER, ledger);
    let stated = (!open_end).then_some((Some(member.crc), member.size));
    Ok(Stream::new(
        ChecksumReader::new(counted, stated),
        MEMBER_WINDOW,
    ))
}

/// Passes a member to `members`, or reports why it cannot be read.
pub(crate) fn read(
    member: &ZipMember,
    text: &str,
    choice: Choice,
    source: &mut dyn Source,
    members: &mut Members<'_, '_>,
) -> Result<(), Stop> {
    if member.is_encrypted() {
        return members.report(Some(text), &encrypted());
    }
    let ledger = Arc::clone(members.ledger());
    match open(member, source, false, &ledger) {
        Ok(mut stream) => members.read(
            text,
            choice,
            Some(member.size),
            window(member, Some(member.size)),
            &mut stream,
        ),
        Err(fault) => members.report(Some(text), &fault),
    }
}

/// Returns the memory of the window of the member's decoder.
pub(crate) fn window(member: &ZipMember, size: Option<u64>) -> u64 {
    of_zip(member.method, size.unwrap_or(u64::MAX))
}

pub(crate) fn encrypted() -> Fault {
    Fault::new(
        ArchiveErrorKind::Encrypted,
        "encrypted members are not supported",
    )
}

/// Returns whether a directory has this name. It must be decoded, because the second byte of a
/// character may be a `\`.
pub(crate) fn is_directory(text: &str) -> bool {
    text.ends_with(['/', '\\'])
}
