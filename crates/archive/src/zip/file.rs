//! Reads a zip archive on disk by the directory at its end.
//!
//! The crate `rawzip` 0.5.2 was tried in place of this file and `headers.rs`. It finds neither a
//! zip64 archive after other bytes nor one that is followed by a text with the signature of an end
//! record. It returns an error if bytes lie between directory and end record. Its iterator cannot
//! begin inside the directory, as the parts of [`ZipPart::cut`] do. The crate `zip` keeps the whole
//! directory in memory.

use std::io::Seek;

use super::headers::{self, ZipDirectory, ZipMember};
use super::{member, stream};
use crate::caps::{Ledger, PrecedingTotals};
use crate::disk::Disk;
use crate::fault::Fault;
use crate::members::{Halt, Members};
use crate::name_charset::{NameCharset, NameSample};
use crate::problem::ArchiveErrorKind;
use crate::stream::{Part, Source, Stream, WINDOW};

/// Directory entries in memory at once.
const BATCH: usize = 1024;

/// Run of a zip file's members, by its place in the directory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ZipPart {
    /// Offset of the first directory entry.
    at: u64,
    members: u64,
    /// Number to add to stated offsets.
    shift: u64,
    /// Charset of names that declare no charset, if it is known already.
    charset: Option<NameCharset>,
    /// Number of members in all parts.
    of: u64,
    /// Sums over the members of earlier parts, as the directory states them.
    before: PrecedingTotals,
}

/// Passes the members of a zip file, or of `part` of it, to `members`.
pub(crate) fn visit(
    disk: &mut Disk,
    part: Option<ZipPart>,
    members: &mut Members<'_, '_>,
) -> Result<(), Halt> {
    let len = disk.len();
    let part = match part.map_or_else(|| ZipDirectory::find(disk, len).map(Into::into), Ok) {
        Ok(part) => part,
        Err(fault) => {
            // The end is missing, so read the local headers. They show whether the file was cut off
            // or other bytes follow the archive.
            disk.rewind().map_err(|err| Fault::unreadable(&err))?;
            let result = stream::visit(&mut Stream::new(disk, WINDOW), members);
            if fault.kind == ArchiveErrorKind::Truncated {
                return result;
            }
            match result {
                Err(Halt::Fault(inner)) => members.report(None, &inner)?,
                other => other?,
            }
            return Err(fault.into());
        }
    };
    // The part that reached a cap has reported it.
    if members.ledger().beyond(part.before).is_some() {
        return Ok(());
    }
    let mut stream = Stream::new(disk, WINDOW);
    let mut at = part.at;
    let mut after = part.before;
    let mut charset = part.charset;
    let mut is_surplus_reported = false;
    loop {
        let left = part
            .members
            .saturating_sub(after.members - part.before.members);
        // The entry after the last one shows whether the end record's count is right.
        let is_past_end = left == 0;
        if is_past_end && after.members < part.of {
            break;
        }
        let (batch, end) = read_batch(&mut stream, at, if is_past_end { u64::MAX } else { left })?;
        if batch.is_empty() && is_past_end {
            break;
        }
        if batch.is_empty() {
            let expected = format_args!("{left} more members in the zip directory");
            return Err(Fault::damaged(expected, "its end").into());
        }
        if is_past_end && !std::mem::replace(&mut is_surplus_reported, true) {
            let message = format!(
                "the end record of the zip archive states {} members, its directory has more",
                part.of
            );
            members.report(None, &Fault::corrupt(message))?;
        }
        if charset.is_none() && batch.iter().any(ZipMember::is_unstated) {
            charset = Some(name_charset(&mut stream, at, left.max(batch.len() as u64)));
        }
        at = end;
        for member in batch {
            after.add(&member);
            let is_last = visit_member(
                &mut stream,
                &member,
                charset.unwrap_or_default(),
                part.shift,
                members,
            )?;
            if is_last || members.ledger().is_cap_reached() {
                return Ok(());
            }
        }
    }
    // Report it now: the visits of later parts only find that the cap is exceeded.
    match members
        .ledger()
        .beyond(after)
        .filter(|_| after.members < part.of)
    {
        Some(fault) => Err(fault.into()),
        None => Ok(()),
    }
}

/// Visits one member; returns true if it is the only one that is selected.
fn visit_member(
    stream: &mut Stream<&mut Disk>,
    member: &ZipMember,
    charset: NameCharset,
    shift: u64,
    members: &mut Members<'_, '_>,
) -> Result<bool, Halt> {
    members.ledger().add_entry()?;
    let text = member.text(charset);
    if member::is_directory(&text) {
        return Ok(false);
    }
    let Some(choice) = members.choose(&text, &member.name) else {
        return Ok(false);
    };
    if member.is_encrypted() {
        members.report(Some(&text), &member::encrypted())?;
        return Ok(members.is_done(&text, &choice));
    }
    let local = stream
        .seek_to(member.local.saturating_add(shift))
        .and_then(|()| headers::local_header(stream));
    match local {
        Ok(_) => member::read(
            member,
            &text,
            choice.clone(),
            &mut Part::new(stream, member.packed),
            members,
        )?,
        Err(fault) => members.report(Some(&text), &fault)?,
    }
    Ok(members.is_done(&text, &choice))
}

impl ZipPart {
    pub(crate) fn is_first(&self) -> bool {
        self.before.members == 0
    }

    pub(crate) fn is_last(&self) -> bool {
        self.before.members + self.members >= self.of
    }

    /// Converts the counters of a file of `size` bytes to the counters of this part.
    pub(crate) fn ledger(&self, ledger: Ledger, size: u64) -> Ledger {
        let share = u128::from(size) * u128::from(self.members) / u128::from(self.of.max(1));
        ledger.of_piece(share as u64, self.before)
    }

    /// Cuts `whole` into at most `count` parts with about the same number of members.
    pub(crate) fn cut(disk: &mut Disk, whole: Self, count: u64) -> Result<Vec<Self>, Fault> {
        let each = whole.members.div_ceil(count.max(1)).max(1);
        let mut parts = Vec::new();
        let mut stream = Stream::new(disk, WINDOW);
        stream.seek_to(whole.at)?;
        let mut before = PrecedingTotals::default();
        let mut names = NameSample::default();
        'parts: while before.members < whole.members {
            let part = Self {
                at: stream.position(),
                members: each.min(whole.members - before.members),
                before,
                ..whole
            };
            parts.push(part);
            for _ in 0..part.members {
                let Some(member) = headers::central_header(&mut stream)? else {
                    // There are fewer members than stated; the visit of the last part reports it.
                    break 'parts;
                };
                names.add_member(&member);
                before.add(&member);
            }
        }
        let charset = Some(names.charset());
        parts.iter_mut().for_each(|part| part.charset = charset);
        Ok(parts)
    }
}

impl PrecedingTotals {
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
            before: PrecedingTotals::default(),
        }
    }
}

impl NameSample {
    fn add_member(&mut self, member: &ZipMember) {
        if member.is_unstated() {
            self.add(&member.name);
        }
    }
}

/// Guesses the charset of the names in a directory from the entries at `at` to its end or to
/// damage.
fn name_charset(stream: &mut Stream<&mut Disk>, at: u64, left: u64) -> NameCharset {
    let mut names = NameSample::default();
    if stream.seek_to(at).is_ok() {
        for _ in 0..left {
            match headers::central_header(stream) {
                Ok(Some(member)) if !names.is_full() => names.add_member(&member),
                _ => break,
            }
        }
    }
    names.charset()
}

/// Reads up to a batch of directory entries at `at`; returns the offset of the next one too.
fn read_batch(
    stream: &mut Stream<&mut Disk>,
    at: u64,
    left: u64,
) -> Result<(Vec<ZipMember>, u64), Fault> {
    stream.seek_to(at)?;
    let mut batch = Vec::new();
    for _ in 0..left.min(BATCH as u64) {
        match headers::central_header(stream)? {
            Some(member) => batch.push(member),
            None => break,
        }
    }
    Ok((batch, stream.position()))
}
