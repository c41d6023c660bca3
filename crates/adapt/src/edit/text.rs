//! `text`: rewrites texts in their plainest spelling, with the same meaning. It works on bytes, so
//! it skips texts in a charset whose characters may contain a `\`, unless `utf8` converts them
//! first.

use sgfstream::record::GameRecord;
use sgfstream::{Ident, RawValue};
use sgfstream_game::property::ValueType;

use super::{EditContext, EditOutput, PlacedProperty};

/// Syntax of a value that contains text.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum TextKind {
    /// Text, in which line breaks count.
    Text,
    SimpleText,
    /// A composed value that contains text.
    Composed,
}

/// Returns the kind of text that a canonical identifier has. Private properties have no known kind.
pub(crate) fn text_kind(ident: Ident<'_>, at: &EditContext) -> Option<TextKind> {
    match at.definition(ident)?.value_type {
        ValueType::Text => Some(TextKind::Text),
        ValueType::SimpleText => Some(TextKind::SimpleText),
        ValueType::Compose(first, second) if first.is_text() || second.is_text() => {
            Some(TextKind::Composed)
        }
        ValueType::FIGURE => Some(TextKind::Composed),
        _ => None,
    }
}

/// Removes needless escapes, soft line breaks and trailing blanks of texts, and writes LF for line
/// breaks and blanks for other white space.
pub(super) fn simplify_texts(game: &GameRecord<'_>, at: &EditContext, out: &mut EditOutput) {
    let is_double_byte = at.charset.has_structural_trail_bytes();
    for placed in PlacedProperty::wanted(*game, |ident, _| text_kind(ident, at).is_some()) {
        let Some(kind) = text_kind(placed.property.ident(), at) else {
            continue;
        };
        let mut is_changed = false;
        for value in placed.property.values() {
            let edited = normal(value, kind);
            if edited == value.as_bytes() {
                continue;
            }
            if is_double_byte && !value.as_bytes().is_ascii() {
                out.note_cut(
                    "texts are unchanged: their charset is double-byte; see --utf8",
                    placed.node,
                );
                continue;
            }
            out.edits.replace(placed.value_span(value), edited);
            is_changed = true;
        }
        out.count(u64::from(is_changed));
    }
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
        true => text
            .iter()
            .map(|&byte| if byte == b'\n' { b' ' } else { byte })
            .collect(),
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
            (
                &b"a\\zb\\]\\\\ \t\n"[..],
                TextKind::Text,
                &b"azb\\]\\\\"[..],
            ),
            (b"one\\\r\ntwo\n\rthree", TextKind::Text, b"onetwo\nthree"),
            (b"a\nb", TextKind::SimpleText, b"a b"),
            (b"a\\:b", TextKind::SimpleText, b"a:b"),
            (b"aa:x\\:y:z", TextKind::Composed, b"aa:x\\:y\\:z"),
            (b"no colon", TextKind::Composed, b"no colon"),
        ] {
            let normal_form = normal(value(raw), kind);
            assert_eq!(
                String::from_utf8_lossy(&normal_form),
                String::from_utf8_lossy(plain)
            );
            assert_eq!(normal(value(&normal_form), kind), normal_form);
        }
    }
}
