//! `utf8`: converts games to UTF-8 and sets CA.

use std::borrow::Cow;

use sgfstream::record::GameRecord;
use sgfstream::{Charset, CharsetSource, Framing, RawValue, escape_text};
use sgfstream_game::pentobi::accepts_charset;

use super::notes::NoteKind;
use super::text::{TextKind, text_kind};
use super::{EditContext, EditOutput, GameEdit, NodeDraft, PlacedProperty};

/// Edit that converts every value to UTF-8 and sets CA.
///
/// Only characters change; escapes and line breaks are kept. If a double-byte charset makes escapes
/// ambiguous, the edit decodes the text and escapes it again.
pub(crate) struct Utf8;

impl GameEdit for Utf8 {
    fn name(&self) -> &'static str {
        "utf8"
    }

    fn context(&self, at: &mut EditContext) {
        at.charset = Charset::UTF_8;
    }

    fn edit(&self, game: &GameRecord<'_>, at: &EditContext, out: &mut EditOutput) {
        declare(game, out);
        for placed in PlacedProperty::wanted(*game, |_, _| true) {
            let is_charset = placed.in_root && placed.property.ident().is(b"CA");
            if !is_charset && !placed.property.as_bytes().is_ascii() {
                convert(&placed, at, out);
            }
        }
    }
}

/// Sets CA before any text, after FF and GM.
fn declare(game: &GameRecord<'_>, out: &mut EditOutput) {
    let Some(root) = game.root() else { return };
    let mut draft = NodeDraft::of_node(root);
    let charsets: Vec<usize> = draft
        .ids()
        .filter(|&id| draft.ident(id).is(b"CA"))
        .collect();
    // Replace any other spelling, so that every reader recognizes the name.
    let is_utf8 = |id: &usize| {
        let value = draft.property(*id).only();
        value.is_some_and(|value| accepts_charset(value.as_bytes().trim_ascii()))
    };
    if !charsets.first().is_some_and(is_utf8) {
        draft.set_property(b"CA", b"UTF-8", draft.after_version_and_game());
        out.count(1);
    }
    for &other in charsets.iter().skip(1) {
        draft.drop_property(other);
    }
    draft.write(&mut out.edits);
}

fn convert(placed: &PlacedProperty<'_>, at: &EditContext, out: &mut EditOutput) {
    let is_composed = text_kind(placed.property.ident(), at) == Some(TextKind::Composed);
    let is_open = at.charset_source == CharsetSource::Default && at.charset == Charset::AUTO;
    let (mut is_faulty, mut is_unknown) = (false, false);
    let is_changed = out.edit_values(placed, |value| {
        is_unknown |= is_open && std::str::from_utf8(value.as_bytes()).is_err();
        let (text, has_fault) = recoded(value, at.charset, is_composed)?;
        is_faulty |= has_fault;
        Some(text)
    });
    out.count(u64::from(is_changed));
    if is_faulty {
        let note = "values are invalid in their charset; invalid bytes were written as U+FFFD";
        out.add_note(NoteKind::Loss, note, 1, placed.node);
    }
    if is_unknown {
        let note = "values are not UTF-8, and no `CA` declares their charset; read as windows-1252";
        out.add_note(NoteKind::UnknownCharset, note, 1, placed.node);
    }
}

/// Converts a whole value to UTF-8, and returns whether some bytes were invalid. Returns `None` if
/// the value needs no change.
fn recoded(value: RawValue<'_>, charset: Charset, composed: bool) -> Option<(Vec<u8>, bool)> {
    let bytes = value.as_bytes();
    let charset = charset.for_value(bytes);
    if bytes.is_ascii() || (charset == Charset::UTF_8 && std::str::from_utf8(bytes).is_ok()) {
        return None;
    }
    let is_open = matches!(value.framing(), Framing::Auto | Framing::Value);
    if is_open && charset.has_structural_trail_bytes() && bytes.contains(&b'\\') {
        // A `\` here may be an escape or half of a character. Reading the value as text decides
        // that.
        if let (true, Some((first, second))) = (composed, value.compose()) {
            let ((first, one), (second, other)) = (
                first.with_charset(charset).try_text(),
                second.with_charset(charset).try_text(),
            );
            let text = [
                escape_text(&first).replace(':', "\\:"),
                escape_text(&second).replace(':', "\\:"),
            ]
            .join(":");
            return Some((text.into_bytes(), one || other));
        }
        let (text, faulty) = value.with_charset(charset).try_text();
        return Some((escape_text(&text).into_bytes(), faulty));
    }
    let (text, faulty) = charset.decode(bytes);
    let mut escape = false;
    let mut text = sealed(&text, &mut escape).into_owned().into_bytes();
    if escape {
        // A `\` at the end escapes nothing. Double it, so that it does not escape the `]` after it.
        text.push(b'\\');
    }
    (text != bytes).then_some((text, faulty))
}

/// Escapes each bare `]`, because invalid bytes can leave half of a character at the end. `escape`
/// says whether a `\` precedes the text, and afterwards whether one ends it.
fn sealed<'t>(text: &'t str, escape: &mut bool) -> Cow<'t, str> {
    let mut out = String::new();
    let mut written = 0;
    for (at, byte) in text.bytes().enumerate() {
        if *escape {
            *escape = false;
        } else if byte == b'\\' {
            *escape = true;
        } else if byte == b']' {
            out.push_str(&text[written..at]);
            out.push('\\');
            written = at;
        }
    }
    if written == 0 && out.is_empty() {
        return Cow::Borrowed(text);
    }
    out.push_str(&text[written..]);
    Cow::Owned(out)
}
