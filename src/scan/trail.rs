//! Meaning of a `]` or `\` after a byte of 0x80 or more: the second byte of a character, or a
//! bracket or escape. The bytes before it in its value and some bytes after the value decide.

use super::class::{has_capital_or_digit, is_blank, is_identifier};

/// Number of bytes that `Framing::Auto` looks beyond a `]`.
const FOLLOW: usize = 64;

/// Meaning of a `]` or `\` after a byte of 0x80 or more.
pub(super) enum TrailMeaning {
    /// The `]` here ends the value.
    End,
    /// The `\` here is half a character, and the `]` at the index ends the value.
    EndAt(usize),
    /// The `\` here is an escape; continue at the index.
    Escape(usize),
    /// The byte here is half a character; continue at the index.
    InCharacter(usize),
    /// Undecided: more bytes are needed.
    More,
}

/// Returns the meaning, for `Framing::Auto`, of the `]` or `\` at `at`, which follows a byte of
/// 0x80 or more. The content of its value starts at `start`.
#[inline(never)]
pub(super) fn in_auto(bytes: &[u8], start: usize, at: usize, last: bool) -> TrailMeaning {
    let in_auto = match bytes[at] {
        b']' => close_in_auto(bytes, start, at, last),
        _ => escape_in_auto(bytes, start, at, last),
    };
    match in_auto {
        Some(verdict) if is_trail_in_any(high_run(bytes, start, at)) => verdict,
        _ => by_bytes(bytes, at),
    }
}

/// Returns the meaning by the specification, which reads byte by byte.
#[inline]
pub(super) fn by_bytes(bytes: &[u8], at: usize) -> TrailMeaning {
    match bytes[at] {
        b']' => TrailMeaning::End,
        _ if at + 1 < bytes.len() => TrailMeaning::Escape(at + 2),
        _ => TrailMeaning::More,
    }
}

/// Returns the meaning of the `]` at `at`, provided that it is half a character in some charset.
/// Returns `None` if it ends its value.
// The specification reads byte by byte. This function deviates only if the bytes after the value
// could not follow it, and never in UTF-8. The cheap checks come first, because the last one walks
// back.
#[inline]
fn close_in_auto(bytes: &[u8], start: usize, at: usize, last: bool) -> Option<TrailMeaning> {
    match follows(bytes, at + 1, last) {
        Some(true) => None,
        Some(false) if high_run_is_utf8(bytes, start, at) => None,
        Some(false) => Some(TrailMeaning::InCharacter(at + 1)),
        None => Some(TrailMeaning::More),
    }
}

/// Returns the meaning of a `]` at `at` that is half a character unless it ends its value. The
/// bytes before it are not UTF-8.
#[inline]
pub(super) fn half_by_what_follows(bytes: &[u8], at: usize, last: bool) -> TrailMeaning {
    match follows(bytes, at + 1, last) {
        Some(true) => TrailMeaning::End,
        Some(false) => TrailMeaning::InCharacter(at + 1),
        None => TrailMeaning::More,
    }
}

/// Returns the meaning of the `\` at `at`, provided that it is half a character in some charset.
/// Returns `None` if it escapes the next byte.
#[inline]
fn escape_in_auto(bytes: &[u8], start: usize, at: usize, last: bool) -> Option<TrailMeaning> {
    let next = |offset: usize| bytes.get(at + offset).copied();
    let verdict = match (next(1), next(2)) {
        (Some(b']'), _) => match follows(bytes, at + 2, last) {
            None => return Some(TrailMeaning::More),
            // The writer escapes characters, not bytes: here the character ends, and then the
            // value.
            Some(true) => TrailMeaning::EndAt(at + 1),
            Some(false) => return None,
        },
        (Some(b'\\'), None) if !last => return Some(TrailMeaning::More),
        (Some(b'\\'), Some(b']')) => match follows(bytes, at + 3, last) {
            None => return Some(TrailMeaning::More),
            Some(false) => TrailMeaning::InCharacter(at + 3),
            Some(true) => return None,
        },
        _ => return None,
    };
    (!high_run_is_utf8(bytes, start, at)).then_some(verdict)
}

/// Returns whether the byte after `run` is the second half of a character in any charset.
#[inline]
pub(super) fn is_trail_in_any(run: &[u8]) -> bool {
    is_trail(run, is_lead_of_pair) || is_trail(run, is_lead_of_shift_jis)
}

/// Returns whether the byte after `run`, a whole run of high bytes, is the second half of a
/// character. A character begins with the run, because the byte before it is below 0x80 and so no
/// lead byte.
#[inline]
pub(super) fn is_trail(run: &[u8], is_lead: impl Fn(u8) -> bool) -> bool {
    let mut walk = 0;
    while let Some(&byte) = run.get(walk) {
        walk += if is_lead(byte) { 2 } else { 1 };
    }
    walk > run.len()
}

/// Returns the bytes of 0x80 and more directly before `at`. No two calls for a value see the same
/// run, so all calls together are linear.
#[inline]
pub(super) fn high_run(bytes: &[u8], start: usize, at: usize) -> &[u8] {
    const HIGH: u64 = 0x8080_8080_8080_8080;
    let content = &bytes[start..at];
    let mut run = content.len();
    while let Some(eight) = content[..run].last_chunk() {
        // The last byte is the highest one of the number.
        let low = !u64::from_le_bytes(*eight) & HIGH;
        run -= low.leading_zeros() as usize / 8;
        if low != 0 {
            return &content[run..];
        }
    }
    run -= content[..run]
        .iter()
        .rev()
        .take_while(|&&byte| byte >= 0x80)
        .count();
    &content[run..]
}

fn high_run_is_utf8(bytes: &[u8], start: usize, at: usize) -> bool {
    // The last byte of a character of UTF-8 is below 0xC0.
    bytes[at - 1] < 0xC0 && std::str::from_utf8(high_run(bytes, start, at)).is_ok()
}

pub(super) fn is_lead_of_pair(byte: u8) -> bool {
    (0x81..=0xFE).contains(&byte)
}

pub(super) fn is_lead_of_shift_jis(byte: u8) -> bool {
    matches!(byte, 0x81..=0x9F | 0xE0..=0xFC)
}

/// Returns whether the bytes at `at` can certainly follow a value.
pub(super) fn can_follow_value(bytes: &[u8], at: usize) -> bool {
    follows(bytes, at, false) == Some(true)
}

/// Returns whether the byte at `at` alone shows that a value ended before it.
#[inline(always)]
pub(super) fn can_follow_at_once(bytes: &[u8], at: usize) -> bool {
    matches!(bytes.get(at), Some(b'[' | b';' | b'(' | b')'))
}

/// Returns whether the bytes at `at` can follow a value, or `None` if more bytes are needed.
#[inline]
fn follows(bytes: &[u8], at: usize, last: bool) -> Option<bool> {
    match bytes.get(at) {
        _ if can_follow_at_once(bytes, at) => Some(true),
        // This is mostly the next character of a text.
        Some(0x80..) => Some(false),
        _ => follows_in_sight(bytes, at, last),
    }
}

/// Does the work of `follows` for the rarer bytes, up to `FOLLOW` bytes ahead.
pub(super) fn follows_in_sight(bytes: &[u8], at: usize, last: bool) -> Option<bool> {
    let end = bytes.len().min(at + FOLLOW);
    // The result if the lookahead runs out of bytes: the end of input can follow a value, and bytes
    // too far away are assumed to.
    let out_of_sight = if end < at + FOLLOW && !last {
        None
    } else {
        Some(true)
    };
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
        // Only a name that the end of input cuts within sight has no value. Where the input ends
        // behind that must not matter, because a stream does not know it yet.
        let is_cut = end < at + FOLLOW;
        return out_of_sight.map(|is_far| is_far && !is_cut);
    }
    Some(capital && bytes[walk] == b'[')
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A stream that decides before the end of input is known decides like a slice.
    #[test]
    fn the_end_of_input_changes_no_early_answer() {
        for input in [" ".repeat(FOLLOW - 1) + "P ", "P".repeat(FOLLOW + 2)] {
            for end in 0..=input.len() {
                let bytes = &input.as_bytes()[..end];
                if let Some(early) = follows_in_sight(bytes, 0, false) {
                    assert_eq!(follows_in_sight(bytes, 0, true), Some(early), "{end}");
                }
            }
        }
    }
}
