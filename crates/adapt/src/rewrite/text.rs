//! `text`, `line-breaks` and `wrap`: texts with the same meaning in another
//! spelling. They work on bytes, so a text in a charset whose characters may
//! contain a `\` is left as it is, unless `utf8` comes before them.

use sgfstream::{Ident, RawValue};
use sgfstream_game::ValueType;

use super::edit::{Edit, EditFault, property_edit};
use super::{Context, Next, Unit};

/// How the value of a property is a text.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum TextKind {
    /// Text: line breaks count.
    Text,
    SimpleText,
    /// A composed value with a text in it.
    Composed,
}

/// The kind of text that an identifier (canonical) holds. Of private properties
/// it is not known.
pub(super) fn text_kind(ident: &[u8], at: &Context) -> Option<TextKind> {
    match at.definition(ident)?.definition.value_type {
        ValueType::Text => Some(TextKind::Text),
        ValueType::SimpleText => Some(TextKind::SimpleText),
        ValueType::Compose(first, second) if first.is_text() || second.is_text() => Some(TextKind::Composed),
        ValueType::FIGURE => Some(TextKind::Composed),
        _ => None,
    }
}

fn is_no_text(ident: Ident<'_>, at: &Context) -> bool {
    text_kind(&ident.canonical(), at).is_none()
}

/// Edits each text value whose bytes can be edited as they are.
fn edit_texts(
    unit: &mut Unit,
    at: &Context,
    next: &mut Next<'_>,
    mut edit: impl FnMut(RawValue<'_>, TextKind) -> Option<Vec<u8>>,
) {
    unit.each(|unit, id| {
        let Some(kind) = text_kind(&unit.ident(id).canonical(), at) else { return };
        let changed = unit.edit_values(id, None, |value, part| {
            let edited = edit(value, kind).filter(|edited| edited != value.as_bytes());
            let is_plain = value.as_bytes().is_ascii() || !at.charset.has_structural_trail_bytes();
            if edited.is_some() && !is_plain {
                next.note_cut("texts were left as they are: they are in a double-byte charset");
            } else if edited.is_some() && !part.is_whole() {
                next.note_cut("texts were left as they are: they are too long to be held");
            }
            edited.filter(|_| is_plain && part.is_whole())
        });
        next.count(u64::from(changed));
    });
}

/// Writes texts with no escape that is not needed, no soft line break, one kind
/// of line break (LF), blanks for other white space and none at the end.
pub(super) fn plain_texts() -> Box<dyn Edit> {
    property_edit("text", is_no_text, |unit, at, next| {
        edit_texts(unit, at, next, |value, kind| Some(normal(value, kind)))
    })
}

/// The text of a value in its plainest spelling.
pub(super) fn normal(value: RawValue<'_>, kind: TextKind) -> Vec<u8> {
    if kind == TextKind::Composed
        && let Some((first, second)) = value.compose()
    {
        let mut out = escaped(trimmed(&first.unescaped(), true), b"]\\:");
        out.push(b':');
        // A second `:` is part of the second half; a writer escapes it.
        out.extend(escaped(trimmed(&second.unescaped(), true), b"]\\:"));
        return out;
    }
    let text = value.unescaped();
    escaped(trimmed(&text, kind != TextKind::Text), b"]\\")
}

/// Without white space at the end; a simple text has blanks for breaks.
fn trimmed(text: &[u8], simple: bool) -> Vec<u8> {
    let text = text.trim_ascii_end();
    match simple {
        true => text.iter().map(|&byte| if byte == b'\n' { b' ' } else { byte }).collect(),
        false => text.to_vec(),
    }
}

fn escaped(text: Vec<u8>, special: &[u8]) -> Vec<u8> {
    if !text.iter().any(|byte| special.contains(byte)) {
        return text;
    }
    let mut out = Vec::with_capacity(text.len() + 8);
    for byte in text {
        if special.contains(&byte) {
            out.push(b'\\');
        }
        out.push(byte);
    }
    out
}

/// Writes one kind of line break in the texts; between tokens they stay.
pub(super) fn line_breaks(text: &str) -> Result<Box<dyn Edit>, EditFault> {
    let line_break: &[u8] = match text {
        "lf" => b"\n",
        "crlf" => b"\r\n",
        "cr" => b"\r",
        _ => return Err(EditFault::new(format!("expected lf, crlf or cr, found `{text}`"))),
    };
    Ok(property_edit("line-breaks", is_no_text, move |unit, at, next| {
        edit_texts(unit, at, next, |value, _| with_breaks(value.as_bytes(), line_break));
    }))
}

/// `text` with `line_break` for each LF, CR, CR LF and LF CR (spec T-03), soft
/// ones among them.
fn with_breaks(text: &[u8], line_break: &[u8]) -> Option<Vec<u8>> {
    memchr::memchr2(b'\n', b'\r', text)?;
    let mut out = Vec::with_capacity(text.len() + 16);
    let mut at = 0;
    while let Some(&byte) = text.get(at) {
        match byte {
            b'\r' | b'\n' => {
                let pair = matches!(text.get(at + 1), Some(&other @ (b'\r' | b'\n')) if other != byte);
                at += 1 + usize::from(pair);
                out.extend_from_slice(line_break);
            }
            b'\\' if !matches!(text.get(at + 1), None | Some(b'\r' | b'\n')) => {
                out.extend_from_slice(&text[at..at + 2]);
                at += 2;
            }
            _ => {
                out.push(byte);
                at += 1;
            }
        }
    }
    Some(out)
}

/// Puts soft line breaks into long lines of texts, after blanks (spec T-04). A
/// line without blanks stays long.
pub(super) fn wrap(width: usize) -> Box<dyn Edit> {
    property_edit("wrap", is_no_text, move |unit, at, next| {
        edit_texts(unit, at, next, |value, kind| {
            // Soft breaks are FF[4]'s, and composed values are short.
            (kind != TextKind::Composed).then(|| wrapped(value.as_bytes(), width))
        });
    })
}

/// The bytes of the line break that `text` begins with, if it begins with one:
/// hard or soft.
fn break_len(text: &[u8]) -> Option<usize> {
    match text {
        [b'\\', b'\r', b'\n', ..] | [b'\\', b'\n', b'\r', ..] => Some(3),
        [b'\\', b'\r' | b'\n', ..] | [b'\r', b'\n', ..] | [b'\n', b'\r', ..] => Some(2),
        [b'\r' | b'\n', ..] => Some(1),
        _ => None,
    }
}

/// `text` with lines of at most `width` bytes where blanks allow it. Existing
/// soft breaks stay.
fn wrapped(text: &[u8], width: usize) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len() + text.len() / 16);
    let mut line = 0;
    let mut at = 0;
    while at < text.len() {
        let rest = &text[at..];
        if let Some(len) = break_len(rest) {
            out.extend_from_slice(&rest[..len]);
            (line, at) = (0, at + len);
            continue;
        }
        // A word with the blanks after it; escapes are not cut.
        let mut len = 0;
        while len < rest.len() && break_len(&rest[len..]).is_none() {
            match rest[len] {
                b'\\' => len += 2,
                b' ' => {
                    len += 1;
                    if rest.get(len) != Some(&b' ') {
                        break;
                    }
                }
                _ => len += 1,
            }
        }
        let len = len.min(rest.len());
        let word = rest[..len].trim_ascii_end().len();
        if line > 0 && word > 0 && line + word > width && out.last() == Some(&b' ') {
            out.extend_from_slice(b"\\\n");
            line = 0;
        }
        out.extend_from_slice(&rest[..len]);
        line += len;
        at += len;
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use sgfstream::{Charset, Framing};

    fn value(bytes: &[u8]) -> RawValue<'_> {
        RawValue::new(bytes, Framing::Value)
    }

    #[test]
    fn plainest_spelling() {
        for (raw, kind, plain) in [
            (&b"a\\zb\\]\\\\ \t\n"[..], TextKind::Text, &b"azb\\]\\\\"[..]),
            (b"one\\\r\ntwo\n\rthree", TextKind::Text, b"onetwo\nthree"),
            (b"a\nb", TextKind::SimpleText, b"a b"),
            (b"a\\:b", TextKind::SimpleText, b"a:b"),
            (b"aa:x\\:y:z", TextKind::Composed, b"aa:x\\:y\\:z"),
            (b"no colon", TextKind::Composed, b"no colon"),
        ] {
            let normal_form = normal(value(raw), kind);
            assert_eq!(String::from_utf8_lossy(&normal_form), String::from_utf8_lossy(plain));
            assert_eq!(normal(value(&normal_form), kind), normal_form);
        }
    }

    #[test]
    fn breaks() {
        assert_eq!(
            with_breaks(b"a\r\nb\rc\n\rd\\\ne\\\\\n", b"\r\n").expect("breaks"),
            b"a\r\nb\r\nc\r\nd\\\r\ne\\\\\r\n"
        );
        assert_eq!(with_breaks(b"none", b"\n"), None);
    }

    #[test]
    fn wrapping_changes_no_text() {
        for text in [
            &b"a line that is longer than ten bytes\nand another  with\\] escapes\\\\ and \\ blanks "[..],
            b"averyveryverylongwordwithoutblanks short",
            b"\\\\ \\\\ \\\\ \\\\ \\\\ \\\\",
            b"\\ \\ \\ \\ \\ \\ \\ \\ ",
            b"Black command: /engines/KataGo-raw/cpp/katago gtp -config \\\n/go_attack/configs/gtp-raw.cfg \\\r\n x",
            b"",
            b"x\\",
        ] {
            for width in [1, 5, 10, 80] {
                let folded = wrapped(text, width);
                assert_eq!(
                    value(&folded).with_charset(Charset::UTF_8).text(),
                    value(text).with_charset(Charset::UTF_8).text(),
                    "{} at {width}",
                    String::from_utf8_lossy(text)
                );
                assert_eq!(wrapped(&folded, width), folded, "{}", String::from_utf8_lossy(&folded));
            }
        }
        assert_eq!(wrapped(b"one two three", 8), b"one two \\\nthree");
    }
}
