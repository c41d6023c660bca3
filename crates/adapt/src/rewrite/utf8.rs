//! `utf8`: converts games to UTF-8 and sets CA.

use std::borrow::Cow;

use encoding_rs::Decoder;

use sgfstream::{Charset, CharsetSource, Framing, RawValue, escape_text};
use sgfstream_game::pentobi::accepts_charset;

use super::{Context, Edit, NextEdit, PropertyId, Unit, ValuePart};
use crate::edit::{TextKind, text_kind};

/// Edit that converts every value to UTF-8 and sets CA.
///
/// Only characters change; escapes and line breaks are kept. If a double-byte charset makes escapes ambiguous, the edit
/// decodes the text and escapes it again.
#[derive(Default)]
pub(super) struct Utf8 {
    /// Decoder of a value that comes in parts.
    decoder: Option<Decoder>,
    /// A part of the value was not UTF-8, so its parts are read as text with one byte for each character.
    is_single_byte: bool,
    /// Incomplete character at the end of the last part.
    tail: Vec<u8>,
    /// Whether the last part ended with an unfinished escape.
    escape: bool,
}

impl Edit for Utf8 {
    fn name(&self) -> &'static str {
        "utf8"
    }

    fn context(&self, at: &mut Context) {
        at.charset = Charset::UTF_8;
    }

    fn unit(&mut self, unit: &mut Unit, at: &Context, next: &mut NextEdit<'_>) {
        if unit.is_node() {
            self.recode(unit, at, next);
        }
        next.push(unit);
    }
}

impl Utf8 {
    /// Converts a node to UTF-8.
    pub(super) fn recode(&mut self, unit: &mut Unit, at: &Context, next: &mut NextEdit<'_>) {
        if at.in_root && unit.begins_node() {
            self.declare(unit, next);
        }
        unit.each(|unit, id| {
            if !(at.in_root && unit.ident(id).is(b"CA")) {
                self.property(unit, id, at, next);
            }
        });
    }

    /// Sets CA before any text, after FF and GM.
    fn declare(&mut self, unit: &mut Unit, next: &mut NextEdit<'_>) {
        match unit.find(b"CA") {
            Some(id) => {
                // Replace any other spelling, so that every reader recognizes the name.
                let is_utf8 = |value: RawValue<'_>| accepts_charset(Some(value.as_bytes().trim_ascii()));
                if unit.property(id).and_then(|property| property.only()).is_none_or(|value| !is_utf8(value)) {
                    unit.replace(id, b"CA[UTF-8]", Framing::Value);
                    next.count(1);
                }
                let mut first = true;
                unit.retain(|unit, id| !unit.ident(id).is(b"CA") || std::mem::take(&mut first));
            }
            None => {
                unit.insert(unit.after_version_and_game(), b"CA[UTF-8]", Framing::Value);
                next.count(1);
            }
        }
    }

    fn property(&mut self, unit: &mut Unit, id: PropertyId, at: &Context, next: &mut NextEdit<'_>) {
        let composed = text_kind(&unit.ident(id).canonical(), &at.edit_context()) == Some(TextKind::Composed);
        let (mut faulty, mut unknown) = (false, false);
        let is_open = at.charset_source == CharsetSource::Default && at.charset == Charset::AUTO;
        let changed = unit.edit_values(id, Some(Framing::Value), |value, part| {
            if part.is_whole() {
                unknown |= is_open && std::str::from_utf8(value.as_bytes()).is_err();
                let (text, fault) = recoded(value, at.charset, composed)?;
                faulty |= fault;
                return Some(text);
            }
            let (text, fault) = self.part(value.as_bytes(), part, at.charset);
            faulty |= fault;
            unknown |= is_open && self.is_single_byte;
            (text != value.as_bytes()).then_some(text)
        });
        next.count(u64::from(changed));
        if faulty {
            next.note_loss("values are invalid in their charset; invalid bytes were written as U+FFFD");
        }
        if unknown {
            next.note_unknown_charset("values are not UTF-8, and no `CA` declares their charset; read as windows-1252");
        }
    }

    /// Converts a part of a value, which may end within a character.
    fn part(&mut self, bytes: &[u8], part: ValuePart, charset: Charset) -> (Vec<u8>, bool) {
        if part.is_start {
            self.is_single_byte = charset == Charset::LATIN1;
            self.tail.clear();
            self.escape = false;
            self.decoder = charset.encoding().map(|encoding| encoding.new_decoder_without_bom_handling());
        }
        if let Some(decoder) = &mut self.decoder {
            let capacity = decoder.max_utf8_buffer_length(bytes.len()).unwrap_or(bytes.len() * 3 + 16);
            let mut out = String::with_capacity(capacity);
            let (_, _, faulty) = decoder.decode_to_string(bytes, &mut out, part.is_end);
            let mut out = sealed(&out, &mut self.escape).into_owned();
            if part.is_end && self.escape {
                out.push('\\');
            }
            return (out.into_bytes(), faulty);
        }
        let bytes = [&std::mem::take(&mut self.tail)[..], bytes].concat();
        if !self.is_single_byte {
            match std::str::from_utf8(&bytes) {
                Ok(_) => return (bytes, false),
                Err(err) if err.error_len().is_none() && !part.is_end => {
                    self.tail = bytes[err.valid_up_to()..].to_vec();
                    return (bytes[..err.valid_up_to()].to_vec(), false);
                }
                Err(_) => self.is_single_byte = true,
            }
        }
        // As `Charset::decode` does.
        let text = match charset {
            Charset::LATIN1 => encoding_rs::mem::decode_latin1(&bytes),
            _ => encoding_rs::WINDOWS_1252.decode_without_bom_handling(&bytes).0,
        };
        (text.into_owned().into_bytes(), false)
    }
}

/// Converts a whole value to UTF-8, and returns whether some bytes were invalid. Returns `None` if the value needs no
/// change.
fn recoded(value: RawValue<'_>, charset: Charset, composed: bool) -> Option<(Vec<u8>, bool)> {
    let bytes = value.as_bytes();
    if bytes.is_ascii() || (charset == Charset::UTF_8 && std::str::from_utf8(bytes).is_ok()) {
        return None;
    }
    let is_open = matches!(value.framing(), Framing::Auto | Framing::Value);
    if is_open && charset.has_structural_trail_bytes() && bytes.contains(&b'\\') {
        // A `\` here may be an escape or half of a character. Reading the value as text decides that.
        if let (true, Some((first, second))) = (composed, value.compose()) {
            let ((first, one), (second, other)) =
                (first.with_charset(charset).try_text(), second.with_charset(charset).try_text());
            let text = [escape_text(&first).replace(':', "\\:"), escape_text(&second).replace(':', "\\:")].join(":");
            return Some((text.into_bytes(), one || other));
        }
        let (text, faulty) = value.with_charset(charset).try_text();
        return Some((escape_text(&text).into_owned().into_bytes(), faulty));
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

/// Escapes each bare `]`, because invalid bytes can leave half of a character at the end. `escape` says whether a `\`
/// precedes the text, and afterwards whether one ends it.
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
