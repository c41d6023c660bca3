//! Where a value ends. In most files that is the next `]` without a `\`; in
//! Shift_JIS, Big5, GBK and GB18030 the bytes `[` `\` `]` also occur as second
//! bytes of a character (spec CA-03, Q-70), and then the framing decides.

use memchr::memchr2;

use super::block::{pass_characters, pass_text};
use super::class::{has_capital_or_digit, is_blank, is_identifier};

/// How values are framed in the bytes at hand.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Framing {
    /// Byte by byte, as FF\[4\] says: every `]` and `\` counts.
    Value,
    /// By whole characters of a double-byte charset (GBK, GB18030, Big5): the
    /// byte after a lead byte never counts.
    Pairs,
    /// By whole characters of Shift_JIS, where 0xA1–0xDF are characters of one byte.
    ShiftJis,
    /// Byte by byte, except where that makes no sense: a `]` or `\` that may be
    /// the second half of a character is believed only if what follows the
    /// value can follow a value. Looks at most 64 bytes ahead.
    #[default]
    Auto,
}

/// How far [`Framing::Auto`] looks beyond a `]`.
const FOLLOW: usize = 64;

/// What a look for the end of a value found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ValueEnd {
    /// The index of the `]`. `multibyte`: framing took a `]` or `\` on the way for
    /// the second half of a character.
    Found { at: usize, multibyte: bool },
    /// No end in these bytes; every index before `resume` is settled.
    Missing { resume: usize, multibyte: bool },
}

/// Finds the `]` that ends the value whose content starts at `start`, from
/// `from` on (`start`, or a `resume` of an earlier look over the same bytes).
///
/// `last` says that no bytes come after these.
// PropValue = "[" CValueType "]"      (FF[4], EBNF)
#[inline]
pub(crate) fn value_end(bytes: &[u8], start: usize, from: usize, last: bool, framing: Framing) -> ValueEnd {
    let mut at = from;
    let mut multibyte = false;
    loop {
        let Some(found) = bytes.get(at..).and_then(end_or_escape) else {
            return ValueEnd::Missing { resume: bytes.len().max(at), multibyte };
        };
        at += found;
        let after_high = framing != Framing::Value && at > start && bytes[at - 1] >= 0x80;
        if !after_high {
            if bytes[at] == b']' {
                return ValueEnd::Found { at, multibyte };
            }
            if at + 1 >= bytes.len() {
                return ValueEnd::Missing { resume: at, multibyte };
            }
            at += 2;
            // Where one is, there are more: soft line breaks, mostly.
            if matches!(framing, Framing::Value | Framing::Auto) {
                at = pass_text(bytes, at, framing == Framing::Auto);
            }
            continue;
        }
        match after_high_byte(bytes, start, at, last, framing) {
            Verdict::End => return ValueEnd::Found { at, multibyte },
            Verdict::EndAt(end) => return ValueEnd::Found { at: end, multibyte: true },
            Verdict::Escape(next) => at = next,
            Verdict::InCharacter(next) => {
                // Where two are, there are more.
                at = if framing == Framing::Auto && multibyte { pass_characters(bytes, next) } else { next };
                multibyte = true;
            }
            Verdict::More => return ValueEnd::Missing { resume: at, multibyte },
        }
    }
}

/// The first `]` or `\`. Near first: most values are a few bytes long, and a
/// call costs more than looking at them.
#[inline(always)]
fn end_or_escape(bytes: &[u8]) -> Option<usize> {
    const LOW: u64 = 0x0101_0101_0101_0101;
    let mut at = 0;
    for near in bytes.as_chunks::<8>().0.iter().take(2) {
        // The two differ in the last bit only. Above the first byte that is
        // zero then, the subtraction may borrow; below it nothing does.
        let word = (u64::from_le_bytes(*near) & !LOW) ^ (LOW * 0x5C);
        let zero = word.wrapping_sub(LOW) & !word & (LOW << 7);
        if zero != 0 {
            return Some(at + zero.trailing_zeros() as usize / 8);
        }
        at += 8;
    }
    memchr2(b']', b'\\', &bytes[at..]).map(|far| at + far)
}

enum Verdict {
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

/// The byte at `at` is a `]` or `\` after a byte of 0x80 or more.
#[inline(never)]
fn after_high_byte(bytes: &[u8], start: usize, at: usize, last: bool, framing: Framing) -> Verdict {
    let in_auto = match (framing, bytes[at]) {
        (Framing::Auto, b']') => close_in_auto(bytes, start, at, last),
        (Framing::Auto, _) => escape_in_auto(bytes, start, at, last),
        _ => Some(Verdict::InCharacter(at + 1)),
    };
    match in_auto {
        Some(verdict) if is_trail_in(&bytes[start..], at - start, framing) => verdict,
        _ if bytes[at] == b']' => Verdict::End,
        _ if at + 1 < bytes.len() => Verdict::Escape(at + 2),
        _ => Verdict::More,
    }
}

/// What the `]` at `at` is, provided that it is half a character in some charset. `None`: it ends its value.
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

/// The same for a `\`. `None`: it escapes the next byte.
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

/// Is the byte at `at` of a value the second half of a character, framed so?
pub(crate) fn is_trail_in(bytes: &[u8], at: usize, framing: Framing) -> bool {
    match framing {
        Framing::Value => false,
        Framing::Pairs => is_trail(high_run(bytes, 0, at), is_lead_of_pair),
        Framing::ShiftJis => is_trail(high_run(bytes, 0, at), is_lead_of_shift_jis),
        Framing::Auto => {
            let run = high_run(bytes, 0, at);
            is_trail(run, is_lead_of_pair) || is_trail(run, is_lead_of_shift_jis)
        }
    }
}

/// Is the byte after `run` the second half of a character? A byte below 0x80 is never a lead byte, so a character
/// begins after each, and with the run of high bytes.
#[inline]
fn is_trail(run: &[u8], is_lead: impl Fn(u8) -> bool) -> bool {
    let mut walk = 0;
    while let Some(&byte) = run.get(walk) {
        walk += if is_lead(byte) { 2 } else { 1 };
    }
    walk > run.len()
}

/// The bytes of 0x80 and more directly before `at`. No two looks at a value
/// meet the same run, so all looks together are linear.
#[inline]
fn high_run(bytes: &[u8], start: usize, at: usize) -> &[u8] {
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

fn is_lead_of_pair(byte: u8) -> bool {
    (0x81..=0xFE).contains(&byte)
}

fn is_lead_of_shift_jis(byte: u8) -> bool {
    matches!(byte, 0x81..=0x9F | 0xE0..=0xFC)
}

/// Can the bytes at `at` surely follow a value?
pub(super) fn can_follow_value(bytes: &[u8], at: usize) -> bool {
    follows(bytes, at, false) == Some(true)
}

/// Can the bytes at `at` follow a value? `None`: there are too few to know.
#[inline]
fn follows(bytes: &[u8], at: usize, last: bool) -> Option<bool> {
    match bytes.get(at) {
        Some(b'[' | b';' | b'(' | b')') => Some(true),
        // The next character of a text, mostly.
        Some(0x80..) => Some(false),
        _ => follows_in_sight(bytes, at, last),
    }
}

/// The same, by all bytes in sight.
fn follows_in_sight(bytes: &[u8], at: usize, last: bool) -> Option<bool> {
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

/// Where a piece of a long value is cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct CutAt(pub(crate) usize);

/// The place to cut `bytes[start..end]`, content of one value, so that no
/// escape, line-break pair or character is parted. `end` must lie at least 16
/// bytes after `start`.
pub(crate) fn piece_end(bytes: &[u8], start: usize, end: usize, framing: Framing) -> CutAt {
    let mut cut = end;
    // A character of UTF-8: back over at most three continuation bytes.
    for back in 0..4 {
        let Some(&byte) = bytes.get(end - back) else { break };
        if byte & 0xC0 != 0x80 {
            if back == 0 || byte >= 0xC0 {
                cut = end - back;
            }
            break;
        }
    }
    let is_lead: Option<fn(u8) -> bool> = match framing {
        Framing::Value => None,
        Framing::ShiftJis => Some(is_lead_of_shift_jis),
        Framing::Pairs | Framing::Auto => Some(is_lead_of_pair),
    };
    if let Some(is_lead) = is_lead
        && is_trail(high_run(bytes, start, cut), is_lead)
    {
        cut -= 1;
    }
    // A line-break pair, counted in pairs from the start of the run of breaks,
    // then an escape (which may hold the pair).
    let is_break = |byte: &u8| matches!(byte, b'\r' | b'\n');
    let mut walk = cut - bytes[start..cut].iter().rev().take_while(|byte| is_break(byte)).count();
    while walk < cut {
        let next = bytes.get(walk + 1).copied();
        walk += if next.is_some_and(|next| is_break(&next) && next != bytes[walk]) { 2 } else { 1 };
    }
    if walk > cut {
        cut -= 1;
    }
    let escapes = bytes[start..cut].iter().rev().take_while(|&&byte| byte == b'\\').count();
    if escapes % 2 == 1 {
        cut -= 1;
    }
    CutAt(cut)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// [`value_end`] byte by byte, in the order of the rules: what is half a character, then what follows.
    fn slow_value_end(bytes: &[u8], start: usize, last: bool, framing: Framing) -> ValueEnd {
        let mut multibyte = false;
        let mut at = start;
        while let Some(&byte) = bytes.get(at) {
            let halves = |is_lead: fn(u8) -> bool| {
                let mut walk = start;
                while walk < at {
                    walk += if is_lead(bytes[walk]) { 2 } else { 1 };
                }
                walk > at
            };
            let is_half = match framing {
                Framing::Value => false,
                Framing::Pairs => halves(is_lead_of_pair),
                Framing::ShiftJis => halves(is_lead_of_shift_jis),
                Framing::Auto => halves(is_lead_of_pair) || halves(is_lead_of_shift_jis),
            };
            let run = bytes[start..at].iter().rev().take_while(|&&byte| byte >= 0x80).count();
            let is_utf8 = std::str::from_utf8(&bytes[at - run..at]).is_ok();
            let is_followed = |by: usize| follows_in_sight(bytes, at + by, last);
            let missing = ValueEnd::Missing { resume: at, multibyte };
            let (next, after_next) = (bytes.get(at + 1).copied(), bytes.get(at + 2).copied());
            match (byte, framing == Framing::Auto) {
                (b']' | b'\\', false) if is_half => multibyte = true,
                (b']', true) if is_half => match is_followed(1) {
                    None => return missing,
                    Some(false) if !is_utf8 => multibyte = true,
                    _ => return ValueEnd::Found { at, multibyte },
                },
                (b']', _) => return ValueEnd::Found { at, multibyte },
                (b'\\', _) if next.is_none() => return missing,
                (b'\\', true) if is_half && next == Some(b']') => match is_followed(2) {
                    None => return missing,
                    Some(true) if !is_utf8 => return ValueEnd::Found { at: at + 1, multibyte: true },
                    _ => at += 1,
                },
                (b'\\', true) if is_half && next == Some(b'\\') => match after_next {
                    None if !last => return missing,
                    Some(b']') => match is_followed(3) {
                        None => return missing,
                        Some(false) if !is_utf8 => {
                            multibyte = true;
                            at += 2;
                        }
                        _ => at += 1,
                    },
                    _ => at += 1,
                },
                (b'\\', _) => at += 1,
                _ => {}
            }
            at += 1;
        }
        ValueEnd::Missing { resume: bytes.len().max(at), multibyte }
    }

    /// The first two are lead bytes of both kinds, 0xB1 is one of pairs only, and 0xC3 0xA9 is a letter in UTF-8.
    const BYTES: [u8; 12] = [0x81, 0xE5, 0xB1, 0xC3, 0xA9, 0x80, b']', b'\\', b'[', b';', b'A', b'a'];

    fn assert_alike(bytes: &[u8], start: usize) {
        for framing in [Framing::Value, Framing::Pairs, Framing::ShiftJis, Framing::Auto] {
            for last in [false, true] {
                let slow = slow_value_end(bytes, start, last, framing);
                let fast = value_end(bytes, start, start, last, framing);
                assert_eq!(fast, slow, "{} from {start}, {framing:?}, {last}", bytes.escape_ascii());
            }
        }
    }

    #[test]
    fn ends_are_those_of_the_slow_search() {
        let mut rng = fastrand::Rng::with_seed(7);
        for _ in 0..if cfg!(miri) { 100 } else { 300_000 } {
            let len = if rng.u8(..4) == 0 { rng.usize(..200) } else { rng.usize(..24) };
            // Few kinds of bytes at a time, so that they meet.
            let mut kinds: Vec<u8> = (0..rng.usize(1..6)).map(|_| BYTES[rng.usize(..BYTES.len())]).collect();
            kinds.extend(std::iter::repeat_n(0xE5, rng.usize(..6)));
            let bytes: Vec<u8> = (0..len).map(|_| kinds[rng.usize(..kinds.len())]).collect();
            assert_alike(&bytes, rng.usize(..=len.min(3)));
        }
    }

    #[test]
    fn ends_of_all_short_values_are_those_of_the_slow_search() {
        const LEN: usize = if cfg!(miri) { 2 } else { 4 };
        for number in 0..BYTES.len().pow(LEN as u32) {
            let bytes: [u8; LEN] =
                std::array::from_fn(|place| BYTES[number / BYTES.len().pow(place as u32) % BYTES.len()]);
            assert_alike(&bytes, 0);
        }
    }
}
