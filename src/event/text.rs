//! Text and SimpleText: converts the bytes of a value to readable text (spec T-01 to T-11, S-01).
//! One pass over the bytes handles escapes, soft breaks and white space together. Decoding follows
//! it, as FF\[4\] defines.

use std::borrow::Cow;

use memchr::memchr2;

use crate::base::Charset;
use crate::scan::{Framing, is_trail_in};

/// Treatment of a hard line break.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Breaks {
    /// One LF (Text).
    Keep,
    /// One space (SimpleText).
    Space,
}

/// Converts `bytes` to text; returns whether bytes were invalid.
pub(super) fn read_text(
    bytes: &[u8],
    charset: Charset,
    framing: Framing,
    breaks: Breaks,
) -> (Cow<'_, str>, bool) {
    let charset = charset.for_value(bytes);
    if framing != Framing::Value
        && charset.has_structural_trail_bytes()
        && has_high_backslash(bytes)
    {
        return read_framed_text(bytes, charset, framing, breaks);
    }
    let Some(run) = unchanged(bytes, breaks) else {
        return charset.decode(bytes);
    };
    let bytes = match String::from_utf8(unescape_from(bytes, run, breaks)) {
        // The text is moved, not copied again.
        Ok(text) if charset.is_utf8_first() => return (Cow::Owned(text), false),
        Ok(text) => text.into_bytes(),
        Err(err) => err.into_bytes(),
    };
    let (text, faulty) = charset.decode(&bytes);
    (Cow::Owned(text.into_owned()), faulty)
}

/// Reads text like `read_text`, in a charset where a `\` may be half of a character. Some writers
/// escape bytes: they put a `\` before each byte `\`, `]` and `:`, even if it is half of a
/// character. Other writers escape characters. So if a half `\` has another byte after it, the
/// writer escaped characters. Otherwise, this function chooses the reading that leaves whole
/// characters; under [`Framing::Auto`], it tries bytes first.
#[cold]
fn read_framed_text(
    bytes: &[u8],
    charset: Charset,
    framing: Framing,
    breaks: Breaks,
) -> (Cow<'_, str>, bool) {
    let by_bytes = || {
        let unescaped = unescape(bytes, breaks);
        let (text, faulty) = charset.decode(&unescaped);
        (Cow::Owned(text.into_owned()), faulty)
    };
    let by_characters = || {
        let (decoded, faulty) = charset.decode(bytes);
        let unescaped = unescape(decoded.as_bytes(), breaks).into_owned();
        let text = String::from_utf8(unescaped).expect("only ASCII was removed from UTF-8");
        (Cow::Owned(text), faulty)
    };
    let is_half_alone = |at: usize| {
        is_second_half(bytes, at, charset)
            && !matches!(bytes.get(at + 1), Some(b'\\' | b']' | b':'))
    };
    if framing != Framing::Auto || memchr::memchr_iter(b'\\', bytes).any(is_half_alone) {
        return by_characters();
    }
    let first = by_bytes();
    if !first.1 {
        return first;
    }
    let second = by_characters();
    if second.1 { first } else { second }
}

/// Returns whether the byte at `at` is the second half of a character.
fn is_second_half(bytes: &[u8], at: usize, charset: Charset) -> bool {
    let framing = if charset.encoding() == Some(encoding_rs::SHIFT_JIS) {
        Framing::ShiftJis
    } else {
        Framing::Pairs
    };
    at > 0 && bytes[at - 1] >= 0x80 && is_trail_in(bytes, at, framing)
}

fn has_high_backslash(bytes: &[u8]) -> bool {
    memchr::memchr_iter(b'\\', bytes).any(|at| at > 0 && bytes[at - 1] >= 0x80)
}

/// Returns whether `byte` becomes a space: white space other than line breaks, or NUL (SGFC 22).
fn is_spacing(byte: u8) -> bool {
    matches!(byte, b'\t' | 0x0B | 0x0C | 0)
}

/// Removes escapes and soft breaks, converts each hard break to one byte and other white space to
/// spaces. Borrows if nothing changes.
pub(super) fn unescape(bytes: &[u8], breaks: Breaks) -> Cow<'_, [u8]> {
    match unchanged(bytes, breaks) {
        Some(run) => Cow::Owned(unescape_from(bytes, run, breaks)),
        None => Cow::Borrowed(bytes),
    }
}

/// Unescapes like [`unescape`]; the first `run` bytes are known to stay the same.
fn unescape_from(bytes: &[u8], mut run: usize, breaks: Breaks) -> Vec<u8> {
    let mut out = Vec::with_capacity(bytes.len());
    let mut at = 0;
    loop {
        out.extend_from_slice(&bytes[at..at + run]);
        at += run;
        let Some(&byte) = bytes.get(at) else { break };
        match byte {
            b'\\' => match bytes.get(at + 1) {
                None => at += 1,
                Some(b'\r' | b'\n') => at += 1 + break_len(&bytes[at + 1..]),
                Some(&escaped) => {
                    out.push(if is_spacing(escaped) { b' ' } else { escaped });
                    at += 2;
                }
            },
            // The LF before this CR already stands for both.
            b'\r' if run > 0 && bytes[at - 1] == b'\n' => at += 1,
            b'\r' | b'\n' => {
                out.push(if breaks == Breaks::Keep { b'\n' } else { b' ' });
                at += break_len(&bytes[at..]);
            }
            _ => {
                out.push(b' ');
                at += 1;
            }
        }
        run = unchanged(&bytes[at..], breaks).unwrap_or(bytes.len() - at);
    }
    out
}

/// Returns the number of bytes before the first one that [`unescape`] changes; `None` if it changes
/// nothing. In Text, a single LF changes nothing, but a CR after it does.
fn unchanged(bytes: &[u8], breaks: Breaks) -> Option<usize> {
    let is_kept = |byte: u8| byte == b'\n' && breaks == Breaks::Keep;
    let changes =
        |&byte: &u8| matches!(byte, b'\\' | b'\r' | b'\n') && !is_kept(byte) || is_spacing(byte);
    let mut at = 0;
    for chunk in bytes.as_chunks::<16>().0 {
        // A vector tests 16 bytes at once. A search for the first change would examine each byte.
        let may_change = chunk.iter().fold(false, |any, &byte| {
            any | (byte < b' ' && !is_kept(byte)) | (byte == b'\\')
        });
        if may_change && let Some(first) = chunk.iter().position(changes) {
            return Some(at + first);
        }
        at += chunk.len();
    }
    bytes[at..].iter().position(changes).map(|first| at + first)
}

/// Returns the length of the line break at the start of `bytes`: LF, CR, CR LF and LF CR are one
/// break each (spec T-03).
fn break_len(bytes: &[u8]) -> usize {
    match bytes {
        [b'\r', b'\n', ..] | [b'\n', b'\r', ..] => 2,
        _ => 1,
    }
}

/// Returns the offset of the first unescaped `:`.
pub(super) fn compose_split(bytes: &[u8]) -> Option<usize> {
    let mut at = 0;
    loop {
        at += memchr2(b':', b'\\', bytes.get(at..)?)?;
        if bytes[at] == b':' {
            return Some(at);
        }
        at += 2;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(bytes: &[u8]) -> String {
        read_text(bytes, Charset::UTF_8, Framing::Value, Breaks::Keep)
            .0
            .into_owned()
    }

    fn simple(bytes: &[u8]) -> String {
        read_text(bytes, Charset::UTF_8, Framing::Value, Breaks::Space)
            .0
            .into_owned()
    }

    #[test]
    fn breaks_and_escapes() {
        for (raw, kept) in [
            (&b"one\\\r\ntwo\n\rthree"[..], "onetwo\nthree"),
            (b"a\\]b\\\\", "a]b\\"),
            (b"a\\zb\\)", "azb)"),
            (b"\r\r", "\n\n"),
            (b"\r\n\r\n", "\n\n"),
            (b"\n\r\n", "\n\n"),
            (b"a\n\rb", "a\nb"),
            (b"\n\n\r", "\n\n"),
            (b"\\\\\nb", "\\\nb"),
            (b"\\\tb\x0bc\x0cd\0e", " b c d e"),
            (b"two  spaces ", "two  spaces "),
            (b"end\\", "end"),
        ] {
            assert_eq!(text(raw), kept, "{:?}", String::from_utf8_lossy(raw));
        }
        assert_eq!(simple(b"a\r\nb\tc"), "a b c");
        assert_eq!(simple(b"a\nb\n\rc\\\nd"), "a b cd");
    }

    /// Removes escapes byte by byte.
    fn unescape_by_bytes(bytes: &[u8], breaks: Breaks) -> Vec<u8> {
        let mut out = Vec::new();
        let mut at = 0;
        while at < bytes.len() {
            let (escape, rest) = match bytes[at..].strip_prefix(b"\\") {
                Some(rest) => (1, rest),
                None => (0, &bytes[at..]),
            };
            at += escape
                + match rest.first() {
                    Some(b'\r' | b'\n') => {
                        if escape == 0 {
                            out.push(if breaks == Breaks::Keep { b'\n' } else { b' ' });
                        }
                        break_len(rest)
                    }
                    Some(&byte) => {
                        out.push(if is_spacing(byte) { b' ' } else { byte });
                        1
                    }
                    None => 0,
                };
        }
        out
    }

    #[test]
    #[cfg_attr(miri, ignore = "takes minutes in Miri")]
    fn runs_and_bytes_agree() {
        let mut rng = fastrand::Rng::with_seed(7);
        for round in 0..40_000 {
            // Alternate between texts with few special bytes and texts with many.
            let others = [1, 8, 60][round % 3];
            let byte = |rng: &mut fastrand::Rng| match rng.u32(..others + 4) {
                0 => b'\\',
                1 => b'\r',
                2 => b'\n',
                3 => [b'\t', 0, 0x0B, 0x1B, 0xE9][rng.usize(..5)],
                _ => b'a',
            };
            let len = rng.usize(..150);
            let bytes: Vec<u8> = std::iter::repeat_with(|| byte(&mut rng))
                .take(len)
                .collect();
            for breaks in [Breaks::Keep, Breaks::Space] {
                let found = unescape(&bytes, breaks);
                let expected = unescape_by_bytes(&bytes, breaks);
                assert_eq!(*found, *expected, "{:?}", bytes.escape_ascii().to_string());
                // The text is copied only if it changes.
                assert_eq!(
                    matches!(found, Cow::Borrowed(_)),
                    bytes == expected,
                    "{:?}",
                    bytes.escape_ascii().to_string()
                );
            }
        }
    }

    #[test]
    fn borrowed_unless_changed() {
        for raw in [&b"plain\ntext: [ok"[..], "黒".as_bytes()] {
            let (text, _) = read_text(raw, Charset::UTF_8, Framing::Value, Breaks::Keep);
            assert!(matches!(text, Cow::Borrowed(_)));
        }
    }

    #[test]
    fn utf_8_in_other_charsets() {
        let gbk = Charset::for_label(b"GBK").expect("known");
        for (raw, expected) in [
            ("九段 \\] 九".as_bytes(), "九段 ] 九"),
            (b"\xbe\xc5\xb6\xce", "九段"),
            ("î".as_bytes(), "卯"),
            // Valid UTF-8 up to the last byte.
            (b"\xe4\xb9\x9d\xe6", "涔濇"),
        ] {
            let (text, faulty) = read_text(raw, gbk, Framing::Auto, Breaks::Keep);
            assert_eq!((&*text, faulty), (expected, false));
        }
    }

    #[test]
    fn both_kinds_of_writers_in_shift_jis() {
        let expected = "表]ソ";
        let by_bytes = b"\x95\\\\\\]\x83\\\\"; // each 0x5C and the bracket are escaped
        let by_characters = b"\x95\\\\]\x83\\"; // only the bracket is escaped
        let charset = Charset::for_label(b"sjis").expect("known");
        for raw in [&by_bytes[..], by_characters] {
            let (text, faulty) = read_text(raw, charset, Framing::Auto, Breaks::Keep);
            assert_eq!((&*text, faulty), (expected, false));
        }
        // In GBK, the wrong reading leaves halves that are characters, too, but from the private
        // use area.
        let gbk = Charset::for_label(b"GBK").expect("known");
        let (raw, _, _) = encoding_rs::GBK.encode("黒番運勢");
        assert!(raw.contains(&b'\\'));
        let (text, faulty) = read_text(&raw, gbk, Framing::Auto, Breaks::Keep);
        assert_eq!((&*text, faulty), ("黒番運勢", false));
    }
}
