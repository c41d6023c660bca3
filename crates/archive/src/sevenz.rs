//! The visit of a 7z archive. Its list of members stands at the end and is
//! held whole (the one thing here that grows with the archive, bounded by
//! [`Caps::header`](super::Caps)); the members stream, block by block.

use std::io::{self, Read, Seek, SeekFrom};
use std::sync::Arc;

use sevenz_rust2::{Archive, Block, BlockDecoder, Error, Password};

use std::ops::ControlFlow::{Break, Continue};

use super::caps::Caps;
use super::decode::Counted;
use super::disk::Disk;
use super::fault::Fault;
use super::method::Checked;
use super::name::EntryName;
use super::problem::Trouble;
use super::sevenz_header;
use super::sniff::Sniff;
use super::spool::Spool;
use super::stream::{Source, Stream};
use super::visit::{Flow, Place, Visitor};
use super::window::window;

/// Bytes of the buffer behind a member's decoder; larger reads pass it by.
const MEMBER_WINDOW: usize = 16 << 10;

impl Visitor<'_, '_> {
    /// A 7z archive that comes as a stream: put on disk first.
    pub(super) fn seven_zip_stream(&mut self, name: &EntryName, source: &mut dyn Source, place: Place<'_>) -> Flow {
        match Spool::fill(source, &self.ledger) {
            Ok(mut spool) => self.seven_zip_file(name, &mut spool.disk, place),
            Err(fault) => self.problem(name, &fault),
        }
    }

    /// A 7z archive that can be sought.
    pub(super) fn seven_zip_file(&mut self, name: &EntryName, disk: &mut Disk, place: Place<'_>) -> Flow {
        let place = Place { window: place.window + window(Sniff::SevenZip, &[]), ..place };
        let archive = match open(disk, &self.ledger.caps) {
            Ok(archive) => archive,
            Err(fault) => return self.problem(name, &fault),
        };
        for block in 0..archive.blocks.len() {
            let result = match check(&archive.blocks[block], &self.ledger.caps) {
                Ok(()) => self.seven_zip_block(name, disk, &archive, block, place),
                Err(fault) => Err(fault),
            };
            match result {
                Ok(Continue(())) => {}
                Ok(Break(())) => return Break(()),
                Err(fault) => {
                    // Named after the first member, for want of a name of its own.
                    let first = archive.files.iter().zip(&archive.stream_map.file_block_index);
                    let first = first.into_iter().find(|(_, of)| **of == Some(block));
                    let at = first.map_or_else(|| name.clone(), |(file, _)| name.member(file.name()));
                    if self.problem(&at, &fault) == Break(()) {
                        return Break(());
                    }
                }
            }
            if self.ledger.is_spent() {
                return Continue(());
            }
        }
        // Empty files belong to no block.
        for (file, block) in archive.files.iter().zip(&archive.stream_map.file_block_index) {
            if block.is_none()
                && !file.is_directory()
                && self.seven_zip_member(name, file.name(), 0, &mut io::empty(), place).0 == Break(())
            {
                return Break(());
            }
        }
        Continue(())
    }

    fn seven_zip_block(
        &mut self,
        name: &EntryName,
        disk: &mut Disk,
        archive: &Archive,
        block: usize,
        place: Place<'_>,
    ) -> Result<Flow, Fault> {
        let password = Password::empty();
        let decoder = BlockDecoder::new(1, block, archive, &password, disk);
        if place.pick.is_some() && !decoder.entries().iter().any(|file| self.choose_text(file.name(), place).is_some())
        {
            return Ok(Continue(()));
        }
        let mut flow = Continue(());
        let result = decoder.for_each_entries(&mut |file, reader| {
            if file.is_directory() {
                return Ok(true);
            }
            let failed;
            (flow, failed) = self.seven_zip_member(name, file.name(), file.size(), reader, place);
            // What follows in the block is packed together with what failed.
            Ok(flow == Continue(()) && !failed)
        });
        result.map(|_| flow).map_err(|err| fault_of(&err))
    }

    /// One member, and whether reading it failed.
    fn seven_zip_member(
        &mut self,
        name: &EntryName,
        member: &str,
        size: u64,
        reader: &mut dyn Read,
        place: Place<'_>,
    ) -> (Flow, bool) {
        let chosen = self.choose_text(member, place);
        let at = name.member(member);
        if let Err(fault) = self.ledger.add_entry() {
            return (self.problem(name, &fault), true);
        }
        let ledger = Arc::clone(&self.ledger);
        let counted = Counted::new(reader, "packed data of a 7z member", &ledger);
        // Checksums are held by the decoder, but one that ends too early has none to hold.
        let mut stream = Stream::new(Checked::new(counted, Some((None, size))), MEMBER_WINDOW);
        let flow = match chosen {
            Some(inner) => self.content(&at, &mut stream, Place { size: Some(size), ..inner }),
            None => Continue(()),
        };
        if flow == Break(()) {
            return (flow, false);
        }
        let rest = super::stream::skip(&mut stream, u64::MAX);
        match rest {
            Ok(_) => (flow, false),
            Err(err) => (self.problem(&at, &Fault::of(&err, "packed data of a 7z member")), true),
        }
    }
}

fn open(disk: &mut Disk, caps: &Caps) -> Result<Archive, Fault> {
    sevenz_header::check(disk, caps)?;
    disk.seek(SeekFrom::Start(0)).map_err(|err| Fault::unreadable(&err))?;
    Archive::read(disk, &Password::empty()).map_err(|err| fault_of(&err))
}

/// Refuses what needs a password, or more memory than there may be.
fn check(block: &Block, caps: &Caps) -> Result<(), Fault> {
    for coder in &block.coders {
        sevenz_header::check_coder(coder.encoder_method_id(), coder.properties(), caps)?;
    }
    Ok(())
}

fn fault_of(err: &Error) -> Fault {
    const EXPECTED: &str = "a 7z archive";
    match err {
        Error::Io(err, _) | Error::FileOpen(err, _) | Error::MaybeBadPassword(err) => Fault::of(err, EXPECTED),
        Error::PasswordRequired => sevenz_header::encrypted(),
        Error::UnsupportedCompressionMethod(method) => {
            Fault::new(Trouble::Unsupported, "a known 7z method", format!("`{method}`"))
        }
        Error::Unsupported(what) => Fault::new(Trouble::Unsupported, "a 7z archive of a known shape", what.to_string()),
        Error::ExternalUnsupported => Fault::new(Trouble::Unsupported, "a 7z header in one piece", "an external one"),
        Error::ChecksumVerificationFailed | Error::NextHeaderCrcMismatch => {
            Fault::damaged("7z data with its checksum", "another checksum")
        }
        other => Fault::damaged(EXPECTED, other.to_string()),
    }
}
