//! The visit of a zip archive: by its directory where it can be sought, by
//! its local headers where it comes as a stream.

use std::io::{self, BufRead, Read, Seek};
use std::sync::Arc;

use std::ops::ControlFlow::{Break, Continue};

use super::caps::Before;
use super::decode::Counted;
use super::disk::Disk;
use super::fault::Fault;
use super::method::{Checked, unpack};
use super::name::EntryName;
use super::problem::Trouble;
use super::stream::{Part, Source, Stream, WINDOW, skip};
use super::text::{NameCharset, NameVote};
use super::visit::{Flow, Place, Visitor};
use super::window::of_zip;
use super::zip::{self, ZipDirectory, ZipMember};

/// Bytes of the buffer behind a member's decoder; larger reads pass it by.
const MEMBER_WINDOW: usize = 16 << 10;

/// Entries of the directory that are held at once.
const BATCH: usize = 1024;

/// Some of a zip file's members, by their place in its directory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ZipPart {
    /// Where the first one's directory entry stands.
    pub(super) at: u64,
    pub(super) members: u64,
    pub(super) shift: u64,
    /// Of the names that state none, by all of them; nothing before one asks.
    pub(super) charset: Option<NameCharset>,
    /// Members of all pieces.
    pub(super) of: u64,
    /// What the directory states of those before.
    pub(super) before: Before,
}

impl Visitor<'_, '_> {
    /// A zip file that can be sought; `part` of it, or all.
    pub(super) fn zip_file(
        &mut self,
        name: &EntryName,
        disk: &mut Disk,
        place: Place<'_>,
        part: Option<ZipPart>,
    ) -> Flow {
        let len = disk.len();
        let part = match part.map_or_else(|| ZipDirectory::find(disk, len).map(Into::into), Ok) {
            Ok(part) => part,
            Err(fault) => {
                // The end is missing: what the local headers give counts.
                // Whether that is because it was cut off, or because there is more behind it, a stream tells.
                let flow = match disk.rewind() {
                    Ok(()) => self.zip_stream(name, &mut Stream::new(disk, WINDOW), place),
                    Err(err) => self.problem(name, &Fault::unreadable(&err)),
                };
                let is_said = flow == Break(()) || fault.trouble == Trouble::Truncated;
                return if is_said { flow } else { self.problem(name, &fault) };
            }
        };
        // The piece that came to a cap has said so.
        if self.ledger.beyond(part.before).is_some() {
            return Continue(());
        }
        let mut stream = Stream::new(disk, WINDOW);
        let mut at = part.at;
        let mut left = part.members;
        let mut after = part.before;
        let mut charset = part.charset;
        while left > 0 {
            let batch = match read_batch(&mut stream, at, left) {
                Ok((batch, end)) => {
                    if charset.is_none() && batch.iter().any(ZipMember::is_unstated) {
                        charset = Some(vote(&mut stream, at, left));
                    }
                    at = end;
                    batch
                }
                Err(fault) => return self.problem(name, &fault),
            };
            if batch.is_empty() {
                let expected = format!("{left} more members in the zip directory");
                return self.problem(name, &Fault::damaged(expected, "its end"));
            }
            left -= batch.len() as u64;
            for member in batch {
                after.add(&member);
                let text = member.text(charset.unwrap_or_default());
                if self.zip_member_at(name, &mut stream, &member, text, part.shift, place) == Break(()) {
                    return Break(());
                }
                if self.ledger.is_spent() {
                    return Continue(());
                }
                if self.picked && place.pick.is_some_and(|pick| pick.as_bytes() == member.name) {
                    return Continue(());
                }
            }
        }
        // Those who read the next pieces will find nothing to be left of the caps.
        match self.ledger.beyond(after).filter(|_| after.members < part.of) {
            Some(fault) => self.problem(name, &fault),
            None => Continue(()),
        }
    }

    fn zip_member_at(
        &mut self,
        name: &EntryName,
        stream: &mut Stream<&mut Disk>,
        member: &ZipMember,
        text: String,
        shift: u64,
        place: Place<'_>,
    ) -> Flow {
        if let Err(fault) = self.ledger.add_entry() {
            return self.problem(name, &fault);
        }
        if is_directory(&text) {
            return Continue(());
        }
        let Some(inner) = self.choose(&text, &member.name, place) else { return Continue(()) };
        let at = name.member(text);
        if member.is_encrypted() {
            return self.problem(&at, &encrypted());
        }
        let local = stream.seek_to(member.local.saturating_add(shift)).and_then(|()| zip::local_header(stream));
        if let Err(fault) = local {
            return self.problem(&at, &fault);
        }
        let mut part = Part::new(stream, member.packed);
        self.zip_member(&at, &mut part, member, false, inner).0
    }

    /// The bytes of a member; also what came out of it, where its end is open.
    fn zip_member(
        &mut self,
        at: &EntryName,
        source: &mut dyn Source,
        member: &ZipMember,
        open_end: bool,
        place: Place<'_>,
    ) -> (Flow, Option<(u32, u64)>) {
        let ledger = Arc::clone(&self.ledger);
        let inner = match unpack(member, source, open_end, &ledger) {
            Ok(inner) => inner,
            Err(fault) => return (self.problem(at, &fault), None),
        };
        let stated = (!open_end).then_some((Some(member.crc), member.size));
        let mut checked = Checked::new(Counted::new(inner, "compressed data of a zip member", &ledger), stated);
        let size = (!open_end).then_some(member.size);
        let window = place.window + of_zip(member.method, size.unwrap_or(u64::MAX));
        let mut stream = Stream::new(&mut checked, MEMBER_WINDOW);
        let flow = self.content(at, &mut stream, Place { size, window, ..place });
        if flow == Break(()) || !open_end {
            return (flow, None);
        }
        // What follows can be found only behind the last byte of this one.
        let fault = skip(&mut stream, u64::MAX).err().map(|err| Fault::of(&err, "compressed data of a zip member"));
        match fault {
            Some(fault) => (self.problem(at, &fault), None),
            None => (flow, Some(checked.seen())),
        }
    }

    /// A zip archive as a stream, by its local headers.
    pub(super) fn zip_stream(&mut self, name: &EntryName, source: &mut dyn Source, place: Place<'_>) -> Flow {
        let mut members = 0;
        loop {
            let signature = match zip::signature(source) {
                Ok(Some(signature)) => signature,
                Ok(None) => return self.problem(name, &Fault::truncated("the directory of a zip archive")),
                Err(fault) => return self.problem(name, &fault),
            };
            match signature {
                zip::LOCAL => {}
                // A marker in front: once a volume of several.
                zip::DESCRIPTOR | 0x3030_4b50 => {
                    source.consume(4);
                    continue;
                }
                signature if signature & 0xffff == 0x4b50 => {
                    return match zip::end(source, members) {
                        Ok(()) => Continue(()),
                        Err(fault) => self.problem(name, &fault),
                    };
                }
                _ => return self.problem(name, &Fault::damaged("a header of a zip member", "other bytes")),
            }
            let member = match zip::local_header(source) {
                Ok(member) => member,
                Err(fault) => return self.problem(name, &fault),
            };
            members += 1;
            match self.zip_streamed(name, source, &member, place) {
                Ok(Continue(())) if self.ledger.is_spent() => return Continue(()),
                Ok(Continue(())) => {}
                Ok(Break(())) => return Break(()),
                Err(fault) => return self.problem(name, &fault),
            }
        }
    }

    /// One member of a stream; a fault when the next cannot be found.
    fn zip_streamed(
        &mut self,
        name: &EntryName,
        source: &mut dyn Source,
        member: &ZipMember,
        place: Place<'_>,
    ) -> Result<Flow, Fault> {
        self.ledger.add_entry()?;
        // What the others are called is not known yet.
        let text = member.text(NameCharset::default());
        let open_end = member.has_descriptor() && member.packed == 0;
        let chosen = if is_directory(&text) { None } else { self.choose(&text, &member.name, place) };
        let at = name.member(text);
        if !open_end {
            let mut part = Part::new(source, member.packed);
            let flow = match chosen {
                Some(_) if member.is_encrypted() => self.problem(&at, &encrypted()),
                Some(inner) => self.zip_member(&at, &mut part, member, false, inner).0,
                None => Continue(()),
            };
            if flow == Break(()) {
                return Ok(flow);
            }
            skip(&mut part, u64::MAX).map_err(|err| Fault::of(&err, "the bytes of a member"))?;
            if member.has_descriptor() {
                descriptor(source, member.wide, None)?;
            }
            return Ok(Continue(()));
        }
        if member.is_encrypted() {
            return Err(encrypted());
        }
        let mut tally = Tally { inner: source, count: 0 };
        // Even a member nobody wants has to be unpacked to find its end.
        let (flow, seen) = match chosen {
            Some(inner) => self.zip_member(&at, &mut tally, member, true, inner),
            None => self.zip_pass(&mut tally, member)?,
        };
        if flow == Break(()) {
            return Ok(flow);
        }
        let packed = tally.count;
        let Some((crc, size)) = seen else {
            return Err(Fault::damaged("the end of a zip member", "none that can be found"));
        };
        match descriptor(source, member.wide, Some((crc, packed, size)))? {
            true => Ok(Continue(())),
            false => {
                let fault = Fault::damaged("the checksum and sizes of a member behind it", "others");
                Ok(self.problem(&at, &fault))
            }
        }
    }

    fn zip_pass(&self, source: &mut dyn Source, member: &ZipMember) -> Result<(Flow, Option<(u32, u64)>), Fault> {
        let inner = unpack(member, source, true, &self.ledger)?;
        let mut checked = Checked::new(Counted::new(inner, "compressed data of a zip member", &self.ledger), None);
        io::copy(&mut checked, &mut io::sink()).map_err(|err| Fault::of(&err, "compressed data of a zip member"))?;
        Ok((Continue(()), Some(checked.seen())))
    }
}

impl ZipPart {
    /// At most `parts` pieces with about as many members each.
    pub(super) fn cut(disk: &mut Disk, whole: Self, parts: u64) -> Result<Vec<Self>, Fault> {
        let each = whole.members.div_ceil(parts.max(1)).max(1);
        let mut pieces = Vec::new();
        let mut stream = Stream::new(disk, WINDOW);
        stream.seek_to(whole.at)?;
        let mut before = Before::default();
        let mut vote = NameVote::default();
        'pieces: while before.members < whole.members {
            let piece =
                Self { at: stream.position(), members: each.min(whole.members - before.members), before, ..whole };
            pieces.push(piece);
            for _ in 0..piece.members {
                let Some(member) = zip::central_header(&mut stream)? else {
                    // Fewer than stated: whoever visits the last piece says so.
                    break 'pieces;
                };
                vote.add_member(&member);
                before.add(&member);
            }
        }
        let charset = Some(vote.charset());
        pieces.iter_mut().for_each(|piece| piece.charset = charset);
        Ok(pieces)
    }
}

impl Before {
    fn add(&mut self, member: &ZipMember) {
        self.members += 1;
        self.packed = self.packed.saturating_add(member.packed);
        self.unpacked = self.unpacked.saturating_add(member.size);
    }
}

impl From<ZipDirectory> for ZipPart {
    fn from(directory: ZipDirectory) -> Self {
        Self {
            at: directory.start,
            members: directory.members,
            shift: directory.shift,
            charset: None,
            of: directory.members,
            before: Before::default(),
        }
    }
}

impl NameVote {
    fn add_member(&mut self, member: &ZipMember) {
        if member.is_unstated() {
            self.add(&member.name);
        }
    }
}

/// The charset of the names in a directory, from the entry at `at`: no name in
/// front of it has a say. Where the directory is damaged the vote is of those
/// before the damage.
fn vote(stream: &mut Stream<&mut Disk>, at: u64, left: u64) -> NameCharset {
    let mut vote = NameVote::default();
    if stream.seek_to(at).is_ok() {
        for _ in 0..left {
            match zip::central_header(stream) {
                Ok(Some(member)) if !vote.is_full() => vote.add_member(&member),
                _ => break,
            }
        }
    }
    vote.charset()
}

/// The second byte of a character may be a `\`, so ask the text.
fn is_directory(text: &str) -> bool {
    text.ends_with(['/', '\\'])
}

fn encrypted() -> Fault {
    Fault::new(Trouble::Encrypted, "a member to be read without a password", "an encrypted one")
}

/// Up to a batch of directory entries at `at`, and where the next one stands.
fn read_batch(stream: &mut Stream<&mut Disk>, at: u64, left: u64) -> Result<(Vec<ZipMember>, u64), Fault> {
    stream.seek_to(at)?;
    let mut batch = Vec::new();
    for _ in 0..left.min(BATCH as u64) {
        match zip::central_header(stream)? {
            Some(member) => batch.push(member),
            None => break,
        }
    }
    Ok((batch, stream.position()))
}

/// Steps over a data descriptor: `PK\7\8` (or not), checksum, packed and
/// unpacked size in 4 or 8 bytes. False when it does not say what was `seen`.
fn descriptor(source: &mut dyn Source, wide: bool, seen: Option<(u32, u64, u64)>) -> Result<bool, Fault> {
    let signed = zip::signature(source)? == Some(zip::DESCRIPTOR);
    let lead = if signed { 4 } else { 0 };
    let head = source.peek(24).to_vec();
    let mut len = lead + if wide { 20 } else { 12 };
    let mut holds = seen.is_none();
    if let Some((crc, packed, size)) = seen {
        // Not every writer says which width it uses; the values do.
        let narrow = [&crc.to_le_bytes()[..], &(packed as u32).to_le_bytes(), &(size as u32).to_le_bytes()].concat();
        let broad = [&crc.to_le_bytes()[..], &packed.to_le_bytes(), &size.to_le_bytes()].concat();
        for form in [broad, narrow] {
            if head.get(lead..).is_some_and(|rest| rest.starts_with(&form)) {
                len = lead + form.len();
                holds = true;
                break;
            }
        }
    }
    let found = skip(source, len as u64).map_err(|err| Fault::of(&err, "a data descriptor"))?;
    if found < len as u64 {
        return Err(Fault::truncated("a data descriptor of a zip member"));
    }
    Ok(holds)
}

/// Counts what is consumed.
struct Tally<'a> {
    inner: &'a mut dyn Source,
    count: u64,
}

impl Read for Tally<'_> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let len = self.inner.read(out)?;
        self.count += len as u64;
        Ok(len)
    }
}

impl BufRead for Tally<'_> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.inner.fill_buf()
    }

    fn consume(&mut self, len: usize) {
        self.count += len as u64;
        self.inner.consume(len);
    }
}

impl Source for Tally<'_> {
    fn peek(&mut self, want: usize) -> &[u8] {
        self.inner.peek(want)
    }

    fn failed(&self) -> Option<&Fault> {
        self.inner.failed()
    }
}
