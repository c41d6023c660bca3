//! Reads a zip archive as a stream, by the local header before each member. The directory at its
//! end is only compared with these headers.

use std::sync::Arc;

use super::headers::{self, ZipMember};
use super::member::{self, MEMBER};
use crate::fault::Fault;
use crate::member_selection::Choice;
use crate::members::{Halt, Members};
use crate::name_charset::NameCharset;
use crate::stream::{Part, Source, fill, skip};

/// Passes each file of a zip archive to `members`.
pub(crate) fn visit(source: &mut dyn Source, members: &mut Members<'_, '_>) -> Result<(), Halt> {
    let mut count = 0;
    while !members.ledger().is_cap_reached() {
        match headers::signature(source)? {
            None => return Err(Fault::truncated("the directory of a zip archive").into()),
            Some(headers::LOCAL) => {
                let member = headers::local_header(source)?;
                count += 1;
                visit_member(source, &member, members)?;
            }
            // A marker at the start shows that the archive was once split into volumes.
            Some(headers::DESCRIPTOR | 0x3030_4b50) => source.consume(4),
            Some(signature) if signature & 0xffff == 0x4b50 => {
                return Ok(headers::end(source, count)?);
            }
            Some(_) => return Err(Fault::damaged("a header of a zip member", "other bytes").into()),
        }
    }
    Ok(())
}

/// Visits one member; returns a fault if the next member cannot be found.
fn visit_member(
    source: &mut dyn Source,
    member: &ZipMember,
    members: &mut Members<'_, '_>,
) -> Result<(), Halt> {
    members.ledger().add_entry()?;
    // The names of later members are not known yet.
    let text = member.text(NameCharset::default());
    let choice = if member::is_directory(&text) {
        None
    } else {
        members.choose(&text, &member.name)
    };
    if member.has_descriptor() && member.packed == 0 {
        return visit_open(source, member, &text, choice, members);
    }
    let mut part = Part::new(source, member.packed);
    if let Some(choice) = choice {
        member::read(member, &text, choice, &mut part, members)?;
    }
    skip(&mut part, u64::MAX).map_err(|err| Fault::of(&err, "the bytes of a member"))?;
    if member.has_descriptor() {
        descriptor(source, member.wide, None)?;
    }
    Ok(())
}

/// Visits a member whose size is stated only after its bytes. Even if it is not selected, it must
/// be unpacked to find its end.
fn visit_open(
    source: &mut dyn Source,
    member: &ZipMember,
    text: &str,
    choice: Option<Choice>,
    members: &mut Members<'_, '_>,
) -> Result<(), Halt> {
    if member.is_encrypted() {
        return Err(member::encrypted().into());
    }
    let start = source.position();
    let ledger = Arc::clone(members.ledger());
    let fault = match (member::open(member, source, true, &ledger), &choice) {
        (Err(fault), None) => return Err(fault.into()),
        (Err(fault), Some(_)) => Err(fault),
        (Ok(mut stream), _) => {
            if let Some(choice) = choice.clone() {
                let window = member::window(member, None);
                members.read(text, choice, None, window, &mut stream)?;
            }
            let rest = skip(&mut stream, u64::MAX).map_err(|err| Fault::of(&err, MEMBER));
            if choice.is_none() {
                rest.clone()?;
            }
            rest.map(|_| stream.into_inner().seen())
        }
    };
    let (crc, size) = match fault {
        Ok(seen) => seen,
        Err(fault) => {
            members.report(Some(text), &fault)?;
            return Err(Fault::corrupt("the end of a zip member cannot be found").into());
        }
    };
    let packed = source.position() - start;
    if !descriptor(source, member.wide, Some((crc, packed, size)))? {
        let fault = Fault::corrupt("the checksum or sizes after the bytes of the member are wrong");
        members.report(Some(text), &fault)?;
    }
    Ok(())
}

/// Skips a data descriptor: `PK\7\8` (optional), checksum, packed and unpacked size in 4 or 8
/// bytes. Returns false if it differs from `seen`.
fn descriptor(
    source: &mut dyn Source,
    wide: bool,
    seen: Option<(u32, u64, u64)>,
) -> Result<bool, Fault> {
    let lead = if headers::signature(source)? == Some(headers::DESCRIPTOR) {
        4
    } else {
        0
    };
    let mut len = lead + if wide { 20 } else { 12 };
    let mut is_same = seen.is_none();
    if let Some((crc, packed, size)) = seen {
        // Not every writer states the width, so the values decide.
        let narrow = [
            &crc.to_le_bytes()[..],
            &(packed as u32).to_le_bytes(),
            &(size as u32).to_le_bytes(),
        ]
        .concat();
        let broad = [
            &crc.to_le_bytes()[..],
            &packed.to_le_bytes(),
            &size.to_le_bytes(),
        ]
        .concat();
        let head = source.peek(24);
        let form = [broad, narrow]
            .into_iter()
            .find(|form| head.get(lead..).is_some_and(|rest| rest.starts_with(form)));
        if let Some(form) = form {
            len = lead + form.len();
            is_same = true;
        }
    }
    if fill(source, &mut [0; 24][..len], "a data descriptor")? < len {
        return Err(Fault::truncated("a data descriptor of a zip member"));
    }
    Ok(is_same)
}
