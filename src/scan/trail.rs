//! Whether a `]` or `\` after a byte of 0x80 or more is the second byte of a character, or what it is by itself: told by
//! the bytes before it, and by what follows it. Nothing is looked at but the bytes of one value, and some after it.

use super::class::{has_capital_or_digit, is_blank, is_identifier};

/// How far `Framing::Auto` looks beyond a `]`.
const FOLLOW: usize = 64;

/// Verdict on a `]` or `\` after a byte of 0x80 or more.
pub(super) enum Verdict {
    /// The `]` here ends the value.
    End,
    /// The `\` here is half a character, and the `]` at the index ends the value.
    EndAt(usize),
    /// The `\` here is an escape; go on at the index.
    Escape(usize),
    /// The byte here is half a character; go on at the index.
    InCharacter(usize),
    /// More bytes are needed to say.
    More,
}

/// Verdict on the `]` or `\` at `at`, after a byte of 0x80 or more, of the value whose content starts at `start`, as
/// `Framing::Auto` reads it.
#[inline(never)]
pub(super) fn in_auto(bytes: &[u8], start: usize, at: usize, last: bool) -> Verdict {
    let in_auto = match bytes[at] {
        b']' => close_in_auto(bytes, start, at, last),
        _ => escape_in_auto(bytes, start, at, last),
    };
    match in_auto {
        Some(verdict) if is_trail_in_any(high_run(bytes, start, at)) => verdict,
        _ => by_bytes(bytes, at),
    }
}

/// Verdict by the specification.
#[inline]
pub(super) fn by_bytes(bytes: &[u8], at: usize) -> Verdict {
    match bytes[at] {
        b']' => Verdict::End,
        _ if at + 1 < bytes.len() => Verdict::Escape(at + 2),
        _ => Verdict::More,
    }
}

/// Verdict on the `]` at `at`, provided that it is half a character in some charset. `None`: it ends its value.
//  The specification reads by bytes. That is dropped only where it leaves a value that is followed by something that
//  cannot follow a value, and never in UTF-8. The cheap questions come first: the last one walks back.
#[inline]
fn close_in_auto(bytes: &[u8], start: usize, at: usize, last: bool) -> Option<Verdict> {
    match follows(bytes, at + 1, last) {
        Some(true) => None,
        Some(false) if high_run_is_utf8(bytes, start, at) => None,
        Some(false) => Some(Verdict::InCharacter(at + 1)),
        None => Some(Verdict::More),
    }
}

/// Verdict on the `]` at `at`, which is half a character if it does not end its value, and not after UTF-8.
#[inline]
pub(super) fn half_by_what_follows(bytes: &[u8], at: usize, last: bool) -> Verdict {
    match follows(bytes, at + 1, last) {
        Some(true) => Verdict::End,
        Some(false) => Verdict::InCharacter(at + 1),
        None => Verdict::More,
    }
}

/// Verdict on the `\` at `at`, provided that it is half a character in some charset. `None`: it escapes the next byte.
#[inline]
fn escape_in_auto(bytes: &[u8], start: usize, at: usize, last: bool) -> Option<Verdict> {
    let next = |offset: usize| bytes.get(at + offset).copied();
    let verdict = match (next(1), next(2)) {
        (Some(b']'), _) => match follows(bytes, at + 2, last) {
            None => return Some(Verdict::More),
            // A text-minded writer: the character, then the end.
            Some(true) => Verdict::EndAt(at + 1),
            Some(false) => return None,
        },
        (Some(b'\\'), None) if !last => return Some(Verdict::More),
        (Some(b'\\'), Some(b']')) => match follows(bytes, at + 3, last) {
            None => return Some(Verdict::More),
            Some(false) => Verdict::InCharacter(at + 3),
            Some(true) => return None,
        },
        _ => return None,
    };
    (!high_run_is_utf8(bytes, start, at)).then_some(verdict)
}

/// Is the byte after `run` the second half of a character in any charset?
#[inline]
pub(super) fn is_trail_in_any(run: &[u8]) -> bool {
    is_trail(run, is_lead_of_pair) || is_trail(run, is_lead_of_shift_jis)
}

/// Is the byte after `run` the second half of a character? A byte below 0x80 is never a lead byte, so a character
/// begins after each, and with the run of high bytes.
#[inline]
pub(super) fn is_trail(run: &[u8], is_lead: impl Fn(u8) -> bool) -> bool {
    let mut walk = 0;
    while let Some(&byte) = run.get(walk) {
        walk += if is_lead(byte) { 2 } else { 1 };
    }
    walk > run.len()
}

/// The bytes of 0x80 and more directly before `at`. No two looks at a value
/// meet the same run, so all looks together are linear.
#[inline]
pub(super) fn high_run(bytes: &[u8], start: usize, at: usize) -> &[u8] {
    const HIGH: u64 = 0x8080_8080_8080_8080;
    let content = &bytes[start..at];
    let mut run = content.len();
    while let Some(eight) = content[..run].last_chunk() {
        // The last byte is the highest.
        let low = !u64::from_le_bytes(*eight) & HIGH;
        run -= low.leading_zeros() as usize / 8;
        if low != 0 {
            return &content[run..];
        }
    }
    run -= content[..run].iter().rev().take_while(|&&byte| byte >= 0x80).count();
    &content[run..]
}

fn high_run_is_utf8(bytes: &[u8], start: usize, at: usize) -> bool {
    // A character of UTF-8 ends below 0xC0.
    bytes[at - 1] < 0xC0 && std::str::from_utf8(high_run(bytes, start, at)).is_ok()
}

pub(super) fn is_lead_of_pair(byte: u8) -> bool {
    (0x81..=0xFE).contains(&byte)
}

pub(super) fn is_lead_of_shift_jis(byte: u8) -> bool {
    matches!(byte, 0x81..=0x9F | 0xE0..=0xFC)
}

/// Can the bytes at `at` surely follow a value?
pub(super) fn can_follow_value(bytes: &[u8], at: usize) -> bool {
    follows(bytes, at, false) == Some(true)
}

/// Is there a byte at `at` that follows a value?
#[inline(always)]
pub(super) fn can_follow_at_once(bytes: &[u8], at: usize) -> bool {
    matches!(bytes.get(at), Some(b'[' | b';' | b'(' | b')'))
}

/// Can the bytes at `at` follow a value? `None`: there are too few to know.
#[inline]
fn follows(bytes: &[u8], at: usize, last: bool) -> Option<bool> {
    match bytes.get(at) {
        _ if can_follow_at_once(bytes, at) => Some(true),
        // The next character of a text, mostly.
        Some(0x80..) => Some(false),
        _ => follows_in_sight(bytes, at, last),
    }
}

/// Like `follows`, by all bytes in sight.
pub(super) fn follows_in_sight(bytes: &[u8], at: usize, last: bool) -> Option<bool> {
    let end = bytes.len().min(at + FOLLOW);
    // Where the look ends for want of bytes: the end of input can follow a
    // value, and so, for all one can know, does what lies too far away.
    let out_of_sight = if end < at + FOLLOW && !last { None } else { Some(true) };
    let mut walk = at;
    while walk < end && is_blank(bytes[walk]) {
        walk += 1;
    }
    if walk == end {
        return out_of_sight;
    }
    match bytes[walk] {
        b'[' | b';' | b'(' | b')' => return Some(true),
        byte if !is_identifier(byte) => return Some(false),
        _ => {}
    }
    let identifier = walk;
    while walk < end && is_identifier(bytes[walk]) {
        walk += 1;
    }
    let capital = has_capital_or_digit(&bytes[identifier..walk]);
    while walk < end && is_blank(bytes[walk]) {
        walk += 1;
    }
    if walk == end {
        return match out_of_sight {
            Some(_) if end == bytes.len() && last => Some(false),
            other => other,
        };
    }
    Some(capital && bytes[walk] == b'[')
}
