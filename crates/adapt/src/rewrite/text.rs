//! `text`: rewrites texts in their plainest spelling, with the same meaning. It works on bytes, so it skips texts in a
//! charset whose characters may contain a `\`, unless `utf8` converts them first.

use sgfstream::{Ident, RawValue};
use sgfstream_game::ValueType;

use super::edit::{Edit, property_edit};
use super::{Context, NextEdit, Unit};

/// Syntax of a value that contains text.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum TextKind {
    /// Text, in which line breaks count.
    Text,
    SimpleText,
    /// A composed value that contains text.
    Composed,
}

/// Returns the kind of text that a canonical identifier has. Private properties have no known kind.
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

/// Edits each text value whose bytes can be edited directly.
fn edit_texts(
    unit: &mut Unit,
    at: &Context,
    next: &mut NextEdit<'_>,
    mut edit: impl FnMut(RawValue<'_>, TextKind) -> Option<Vec<u8>>,
) {
    unit.each(|unit, id| {
        let Some(kind) = text_kind(&unit.ident(id).canonical(), at) else { return };
        let changed = unit.edit_values(id, None, |value, part| {
            let edited = edit(value, kind).filter(|edited| edited != value.as_bytes());
            let is_plain = value.as_bytes().is_ascii() || !at.charset.has_structural_trail_bytes();
            if edited.is_some() && !is_plain {
                next.note_cut("texts are unchanged: their charset is double-byte; see --utf8");
            } else if edited.is_some() && !part.is_whole() {
                next.note_cut("texts are unchanged: they are too long to buffer");
            }
            edited.filter(|_| is_plain && part.is_whole())
        });
        next.count(u64::from(changed));
    });
}

/// Returns the edit that removes needless escapes, soft line breaks and trailing blanks of texts, and writes LF for line
/// breaks and blanks for other white space.
pub(super) fn plain_texts() -> Box<dyn Edit> {
    property_edit("text", is_no_text, |unit, at, next| {
        edit_texts(unit, at, next, |value, kind| Some(normal(value, kind)))
    })
}

/// Returns the text of a value in its plainest spelling.
pub(super) fn normal(value: RawValue<'_>, kind: TextKind) -> Vec<u8> {
    if kind == TextKind::Composed
        && let Some((first, second)) = value.compose()
    {
        let mut out = escaped(trimmed(&first.unescaped(), true), b"]\\:");
        out.push(b':');
        // A further `:` belongs to the second half, where writers escape it.
        out.extend(escaped(trimmed(&second.unescaped(), true), b"]\\:"));
        return out;
    }
    let text = value.unescaped();
    escaped(trimmed(&text, kind != TextKind::Text), b"]\\")
}

/// Removes white space at the end. In a simple text, replaces line breaks with blanks.
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

#[cfg(test)]
mod tests {
    use super::*;
    use sgfstream::Framing;

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
}
