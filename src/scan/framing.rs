//! Search for the end of a value. In most files that is the next `]` without a `\`. In Shift_JIS,
//! Big5, GBK and GB18030, the bytes `[`, `\` and `]` also occur as second bytes of a character
//! (spec CA-03, Q-70), and there the framing decides.

use memchr::memchr2;

use super::block::{BLOCK, CharacterStop, pass_characters, pass_text};
use super::trail::{
    TrailMeaning, by_bytes, can_follow_at_once, high_run, in_auto, is_lead_of_pair,
    is_lead_of_shift_jis, is_trail, is_trail_in_any,
};

/// Rule for finding the ends of values.
///
/// ```
/// use sgfstream::{Framing, Property};
///
/// // The second byte of a character of Big5 is a backslash.
/// let raw = b"C[\xa5\x5c]";
/// assert_eq!(
///     Property::parse(raw, Framing::Pairs).expect("a property").first().as_bytes(),
///     b"\xa5\x5c"
/// );
/// assert_eq!(
///     Property::parse(raw, Framing::Value).expect("cut").first().as_bytes(),
///     b"\xa5\x5c]"
/// );
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
#[repr(u8)]
pub enum Framing {
    /// Byte by byte, as FF\[4\] demands: every `]` and `\` counts.
    Value,
    /// By whole characters of a double-byte charset (GBK, GB18030, Big5): the
    /// byte after a lead byte never counts.
    Pairs,
    /// By whole characters of Shift_JIS, where 0xA1–0xDF are characters of one byte.
    ShiftJis,
    /// Byte by byte, except where the result makes no sense: a `]` or `\` that may be the second
    /// half of a character counts only if the bytes after the value can follow a value. Looks at
    /// most 64 bytes ahead.
    #[default]
    Auto,
}

/// Result of a search for the end of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ValueEnd {
    /// Index of the `]`. `multibyte` is set if a `]` or `\` before it is the second half of a
    /// character.
    Found { at: usize, multibyte: bool },
    /// These bytes have no end. The next search can begin at `resume`.
    Missing { resume: usize, multibyte: bool },
}

/// Finds the `]` that ends the value whose content starts at `start`. The search begins at `from`,
/// which is `start` or the `resume` of an earlier search of the same bytes.
///
/// `last` is set if no bytes come after these.
// PropValue = "[" CValueType "]"      (FF[4], EBNF)
#[inline]
pub(crate) fn value_end(
    bytes: &[u8],
    start: usize,
    from: usize,
    last: bool,
    framing: Framing,
) -> ValueEnd {
    let mut at = from;
    let mut multibyte = false;
    // The value begins with text that is not ASCII. There, most `]` and `\` that a plain search
    // finds are halves of characters.
    if framing == Framing::Auto
        && from == start
        && bytes.get(start).is_some_and(|&byte| byte >= 0x80)
    {
        match pass_characters(bytes, start, at, last) {
            (CharacterStop::End(at), multibyte) => return ValueEnd::Found { at, multibyte },
            (CharacterStop::More(resume), multibyte) => {
                return ValueEnd::Missing { resume, multibyte };
            }
            (CharacterStop::Rest(rest), halves) => (at, multibyte) = (rest, halves),
        }
    }
    loop {
        let Some(found) = bytes.get(at..).and_then(end_or_escape) else {
            return ValueEnd::Missing {
                resume: bytes.len().max(at),
                multibyte,
            };
        };
        at += found;
        let after_high = framing != Framing::Value && at > start && bytes[at - 1] >= 0x80;
        if !after_high {
            if bytes[at] == b']' {
                return ValueEnd::Found { at, multibyte };
            }
            if at + 1 >= bytes.len() {
                return ValueEnd::Missing {
                    resume: at,
                    multibyte,
                };
            }
            at += 2;
            // Look for further escapes, because a value with one often has more, mostly soft line
            // breaks.
            if matches!(framing, Framing::Value | Framing::Auto) {
                at = pass_text(bytes, at, framing == Framing::Auto);
            }
            continue;
        }
        if framing == Framing::Auto && bytes.len() - at >= BLOCK {
            if bytes[at] == b']' && can_follow_at_once(bytes, at + 1) {
                return ValueEnd::Found { at, multibyte };
            }
            // Read on by characters, because a value with one uncertain byte often has more.
            let (came, halves) = pass_characters(bytes, start, at, last);
            multibyte |= halves;
            match came {
                CharacterStop::End(at) => return ValueEnd::Found { at, multibyte },
                CharacterStop::More(resume) => return ValueEnd::Missing { resume, multibyte },
                CharacterStop::Rest(rest) => at = rest,
            }
            continue;
        }
        match after_high_byte(bytes, start, at, last, framing) {
            TrailMeaning::End => return ValueEnd::Found { at, multibyte },
            TrailMeaning::EndAt(end) => {
                return ValueEnd::Found {
                    at: end,
                    multibyte: true,
                };
            }
            TrailMeaning::Escape(next) => at = next,
            TrailMeaning::InCharacter(next) => (at, multibyte) = (next, true),
            TrailMeaning::More => {
                return ValueEnd::Missing {
                    resume: at,
                    multibyte,
                };
            }
        }
    }
}

/// Returns the index of the first `]` or `\`. It checks the first 16 bytes itself, because most
/// values are a few bytes long and a call of `memchr2` costs more.
#[inline(always)]
fn end_or_escape(bytes: &[u8]) -> Option<usize> {
    const LOW: u64 = 0x0101_0101_0101_0101;
    let mut at = 0;
    for near in bytes.as_chunks::<8>().0.iter().take(2) {
        // `]` and `\` differ in the last bit only, so both become zero. Above the first zero byte
        // the subtraction may borrow; below it no byte does.
        let word = (u64::from_le_bytes(*near) & !LOW) ^ (LOW * 0x5C);
        let zero = word.wrapping_sub(LOW) & !word & (LOW << 7);
        if zero != 0 {
            return Some(at + zero.trailing_zeros() as usize / 8);
        }
        at += 8;
    }
    memchr2(b']', b'\\', &bytes[at..]).map(|far| at + far)
}

/// Returns the meaning of the `]` or `\` at `at`, which follows a byte of 0x80 or more.
#[inline]
fn after_high_byte(
    bytes: &[u8],
    start: usize,
    at: usize,
    last: bool,
    framing: Framing,
) -> TrailMeaning {
    if framing == Framing::Auto {
        return in_auto(bytes, start, at, last);
    }
    match is_trail_in(&bytes[start..], at - start, framing) {
        true => TrailMeaning::InCharacter(at + 1),
        false => by_bytes(bytes, at),
    }
}

/// Returns whether the byte at `at` of a value is the second half of a character in this framing.
pub(crate) fn is_trail_in(bytes: &[u8], at: usize, framing: Framing) -> bool {
    match framing {
        Framing::Value => false,
        Framing::Pairs => is_trail(high_run(bytes, 0, at), is_lead_of_pair),
        Framing::ShiftJis => is_trail(high_run(bytes, 0, at), is_lead_of_shift_jis),
        Framing::Auto => is_trail_in_any(high_run(bytes, 0, at)),
    }
}

/// Index at which a piece of a long value is cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct CutAt(pub(crate) usize);

/// Returns where to cut `bytes[start..end]`, content of one value, without splitting an escape, a
/// line-break pair or a character. `end` must be at least 16 bytes after `start`.
pub(crate) fn piece_end(bytes: &[u8], start: usize, end: usize, framing: Framing) -> CutAt {
    let mut cut = end;
    // Keep a character of UTF-8 whole: go back over at most three continuation bytes.
    for back in 0..4 {
        let Some(&byte) = bytes.get(end - back) else {
            break;
        };
        if byte & 0xC0 != 0x80 {
            if back == 0 || byte >= 0xC0 {
                cut = end - back;
            }
            break;
        }
    }
    let run = high_run(bytes, start, cut);
    let is_half = match framing {
        Framing::Value => false,
        Framing::ShiftJis => is_trail(run, is_lead_of_shift_jis),
        Framing::Pairs => is_trail(run, is_lead_of_pair),
        // As in `value_end`, valid UTF-8 has no pairs.
        Framing::Auto => std::str::from_utf8(run).is_err() && is_trail(run, is_lead_of_pair),
    };
    if is_half {
        cut -= 1;
    }
    // Keep a line-break pair whole, counted in pairs from the start of the run of breaks, and then
    // an escape, which may contain the pair.
    let is_break = |byte: &u8| matches!(byte, b'\r' | b'\n');
    let mut walk = cut
        - bytes[start..cut]
            .iter()
            .rev()
            .take_while(|byte| is_break(byte))
            .count();
    while walk < cut {
        let next = bytes.get(walk + 1).copied();
        walk += if next.is_some_and(|next| is_break(&next) && next != bytes[walk]) {
            2
        } else {
            1
        };
    }
    if walk > cut {
        cut -= 1;
    }
    let escapes = bytes[start..cut]
        .iter()
        .rev()
        .take_while(|&&byte| byte == b'\\')
        .count();
    if escapes % 2 == 1 {
        cut -= 1;
    }
    CutAt(cut)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scan::trail::follows_in_sight;

    #[test]
    fn a_piece_ends_with_a_character() {
        let utf8 = format!("C[a{}]", "\u{9ed2}\u{e9}b".repeat(20));
        let gbk = [&b"C[a"[..], &b"\xba\xda".repeat(60), b"]"].concat();
        for end in 18..100 {
            let CutAt(cut) = piece_end(utf8.as_bytes(), 2, end, Framing::Auto);
            assert!(
                utf8.is_char_boundary(cut) && cut + 3 > end,
                "{cut} of {end}"
            );
            for framing in [Framing::Auto, Framing::Pairs] {
                let CutAt(cut) = piece_end(&gbk, 2, end, framing);
                assert!((cut - 3) % 2 == 0 && cut + 3 > end, "{cut} of {end}");
            }
        }
    }

    /// Reference implementation of [`value_end`], byte by byte. It first decides whether a byte is
    /// half a character, then checks the bytes after the value.
    fn slow_value_end(bytes: &[u8], start: usize, last: bool, framing: Framing) -> ValueEnd {
        let mut multibyte = false;
        let mut at = start;
        while let Some(&byte) = bytes.get(at) {
            if !matches!(byte, b']' | b'\\') {
                at += 1;
                continue;
            }
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
            let run = bytes[start..at]
                .iter()
                .rev()
                .take_while(|&&byte| byte >= 0x80)
                .count();
            let is_utf8 = std::str::from_utf8(&bytes[at - run..at]).is_ok();
            let is_followed = |by: usize| follows_in_sight(bytes, at + by, last);
            let missing = ValueEnd::Missing {
                resume: at,
                multibyte,
            };
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
                    Some(true) if !is_utf8 => {
                        return ValueEnd::Found {
                            at: at + 1,
                            multibyte: true,
                        };
                    }
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
                _ => at += 1,
            }
            at += 1;
        }
        ValueEnd::Missing {
            resume: bytes.len().max(at),
            multibyte,
        }
    }

    /// 0x81 and 0xE5 are lead bytes of both kinds, 0xB1 is a lead byte of pairs only, and 0xC3 0xA9
    /// is a letter in UTF-8.
    const BYTES: [u8; 12] = [
        0x81, 0xE5, 0xB1, 0xC3, 0xA9, 0x80, b']', b'\\', b'[', b';', b'A', b'a',
    ];

    /// Returns the number of random cases: all in a release build, a part in a debug build, few in
    /// Miri.
    fn cases(all: usize) -> usize {
        let part = if cfg!(miri) { 1000 } else { 5 };
        if cfg!(debug_assertions) {
            all.div_ceil(part)
        } else {
            all
        }
    }

    fn assert_alike(bytes: &[u8], start: usize) {
        for framing in [
            Framing::Value,
            Framing::Pairs,
            Framing::ShiftJis,
            Framing::Auto,
        ] {
            for last in [false, true] {
                let slow = slow_value_end(bytes, start, last, framing);
                let fast = value_end(bytes, start, start, last, framing);
                assert_eq!(
                    fast,
                    slow,
                    "{} from {start}, {framing:?}, {last}",
                    bytes.escape_ascii()
                );
            }
        }
    }

    #[test]
    fn ends_are_those_of_the_slow_search() {
        let mut rng = fastrand::Rng::with_seed(7);
        for _ in 0..cases(300_000) {
            let len = if rng.u8(..4) == 0 {
                rng.usize(..200)
            } else {
                rng.usize(..24)
            };
            // Each case uses few kinds of bytes, so that critical ones become neighbors.
            let mut kinds: Vec<u8> = (0..rng.usize(1..6))
                .map(|_| BYTES[rng.usize(..BYTES.len())])
                .collect();
            kinds.extend(std::iter::repeat_n(0xE5, rng.usize(..6)));
            let bytes: Vec<u8> = (0..len).map(|_| kinds[rng.usize(..kinds.len())]).collect();
            assert_alike(&bytes, rng.usize(..=len.min(3)));
        }
    }

    /// Pieces of texts: characters of two bytes, with or without a `]` or `\` as the second byte,
    /// characters of UTF-8 and of one byte, escapes, and ends of values.
    const WORDS: [&[u8]; 24] = [
        b"\x81\x5D",
        b"\xD4\x5D",
        b"\xE9\x5C",
        b"\x81\x40",
        b"\xC4\xE3",
        b"\xB1\xED\xB4\xEF",
        b"\xC4\xE3\xA4\x5D",
        b"\xC3\xA9",
        b"\xE9\xBB\x92",
        b"\xB1",
        b"\x80",
        b"\xFF",
        b"a1",
        b". ",
        b"\0",
        b"\\\n",
        b"\\]",
        b"\\\\",
        b"\\",
        b"]",
        b"];B[aa]",
        b"]\nCR",
        b"\xD4\\]\nN[",
        b"\xD4\\\\].",
    ];

    #[test]
    fn ends_in_texts_are_those_of_the_slow_search() {
        let mut rng = fastrand::Rng::with_seed(11);
        for _ in 0..cases(20_000) {
            let words: Vec<&[u8]> = (0..rng.usize(1..8))
                .map(|_| WORDS[rng.usize(..WORDS.len())])
                .collect();
            let mut bytes = Vec::new();
            // Some cases begin with enough blocks without an end to make `memchr` take over.
            let len = rng.usize(64..280);
            if rng.u8(..16) == 0 {
                bytes.extend_from_slice(&WORDS[rng.usize(3..10)].repeat(rng.usize(280..600)));
            }
            let len = bytes.len() + len;
            while bytes.len() < len {
                // Ends are rare, so that texts have several blocks.
                let word = words[rng.usize(..words.len())];
                if !word.contains(&b']') || rng.u8(..4) == 0 {
                    bytes.extend_from_slice(word);
                } else {
                    bytes.extend_from_slice(WORDS[rng.usize(..9)]);
                }
            }
            assert_alike(&bytes, rng.usize(..4));
        }
    }

    /// Places ends after runs of one kind of high bytes, of all lengths, with more bytes after the
    /// end than a block has.
    #[test]
    fn ends_at_each_place_of_a_block_are_those_of_the_slow_search() {
        const BEFORE: [&[u8]; 7] = [
            b"x",
            b"\xC4",
            b"\xB1\xED",
            b"\x81\x40",
            b"\xE9\xBB\x92",
            b"\x8F\xB1",
            b"\xFF",
        ];
        for before in BEFORE {
            for shift in (0..140).step_by(140 / cases(140).max(4)) {
                for (index, word) in WORDS.iter().enumerate() {
                    let next = WORDS[(index + shift) % WORDS.len()];
                    let mut bytes: Vec<u8> = before.iter().copied().cycle().take(shift).collect();
                    bytes.extend_from_slice(word);
                    bytes.extend_from_slice(next);
                    bytes.extend_from_slice(&b"\xC4\xE3\xD4\x5D".repeat(20));
                    bytes.extend_from_slice(b"];");
                    assert_alike(&bytes, 0);
                    assert_alike(&bytes, shift.min(1));
                }
            }
        }
    }

    /// Places ends after an escape and enough blocks without an end to make `memchr` take over.
    #[test]
    fn ends_far_after_an_escape_are_those_of_the_slow_search() {
        const BEFORE: [&[u8]; 5] = [b"x", b"\xC4", b"\xB1\xED", b"\x81\x40", b"\xE9\xBB\x92"];
        for before in BEFORE {
            for shift in (0..if cfg!(miri) { 4 } else { 70 }).step_by(3) {
                for word in WORDS {
                    let mut bytes = b"\\\n".to_vec();
                    bytes.extend(before.iter().copied().cycle().take(9 * BLOCK + shift));
                    bytes.extend_from_slice(word);
                    bytes.extend_from_slice(&b"\xC4\xE3\xD4\x5D".repeat(20));
                    bytes.extend_from_slice(b"];");
                    assert_alike(&bytes, 0);
                }
            }
        }
    }

    #[test]
    fn ends_of_all_short_values_are_those_of_the_slow_search() {
        const LEN: usize = if cfg!(miri) { 2 } else { 4 };
        for number in 0..BYTES.len().pow(LEN as u32) {
            let bytes: [u8; LEN] = std::array::from_fn(|place| {
                BYTES[number / BYTES.len().pow(place as u32) % BYTES.len()]
            });
            assert_alike(&bytes, 0);
        }
    }
}
