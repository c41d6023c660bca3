//! `set` and `add`: give root nodes a property.

use std::borrow::Cow;

use sgfstream::{Charset, CharsetSource, Framing, escape_compose_text, escape_text};
use sgfstream_game::ValueType;

use super::edit::EditFault;
use super::rename::is_ident;
use super::{Context, Edit, Next, Unit};

/// Gives each root node a property.
pub(super) struct Set {
    ident: Vec<u8>,
    value: String,
    /// Only where the root has none.
    add: bool,
    seen: bool,
}

impl Set {
    /// Reads `ID=VALUE`; the value is text, and is escaped as needed.
    pub(super) fn parse(text: &str, add: bool) -> Result<Self, EditFault> {
        match text.split_once('=') {
            Some((ident, value)) if is_ident(ident) => {
                Ok(Self { ident: ident.into(), value: value.to_owned(), add, seen: false })
            }
            _ => Err(EditFault::new(format!("expected ID=VALUE, such as EV=Honinbo, found `{text}`"))),
        }
    }

    fn raw(&self, at: &Context, next: &mut Next<'_>) -> Vec<u8> {
        let is_composed = at
            .definition(&self.ident)
            .is_some_and(|found| matches!(found.definition.value_type, ValueType::Compose(..)));
        // The first `:` of a composed value is its own.
        let escaped: Cow<'_, str> = match self.value.split_once(':') {
            Some((first, second)) if is_composed => {
                Cow::Owned(format!("{}:{}", escape_compose_text(first), escape_compose_text(second)))
            }
            _ => escape_text(&self.value),
        };
        let mut raw = self.ident.clone();
        raw.push(b'[');
        raw.extend_from_slice(&encoded(&escaped, at, next));
        raw.push(b']');
        raw
    }
}

/// Text in the charset of the game.
pub(super) fn encoded(text: &str, at: &Context, next: &mut Next<'_>) -> Vec<u8> {
    if text.is_ascii() || at.charset == Charset::AUTO || at.charset_source == CharsetSource::Default {
        return text.as_bytes().to_vec();
    }
    let Some(encoding) = at.charset.encoding() else {
        return match encoding_rs::mem::is_str_latin1(text) {
            true => encoding_rs::mem::encode_latin1_lossy(text).into_owned(),
            false => {
                next.note_cut("texts have characters that the charset of their game lacks; written as `?`");
                text.chars().map(|char| u8::try_from(char).unwrap_or(b'?')).collect()
            }
        };
    };
    let (bytes, _, faulty) = encoding.encode(text);
    if faulty {
        next.note_cut("texts have characters that the charset of their game lacks; written as `&#…;`");
    }
    bytes.into_owned()
}

impl Edit for Set {
    fn name(&self) -> &'static str {
        if self.add { "add" } else { "set" }
    }

    fn unit(&mut self, unit: &mut Unit, at: &Context, next: &mut Next<'_>) {
        if unit.is_node() && at.in_root {
            self.seen &= !unit.begins_node();
            let found = unit.find(&self.ident);
            if let (Some(id), false, false) = (found, self.add, self.seen) {
                let raw = self.raw(at, next);
                if unit.property(id).is_none_or(|property| property.as_bytes() != raw) {
                    unit.replace(id, &raw, Framing::Value);
                    next.count(1);
                }
                let mut first = true;
                unit.retain(|unit, id| !unit.ident(id).is(&self.ident) || std::mem::take(&mut first));
            } else if found.is_some() && !self.add {
                unit.retain(|unit, id| !unit.ident(id).is(&self.ident));
            }
            self.seen |= found.is_some();
            if unit.ends_node() && !self.seen {
                let raw = self.raw(at, next);
                unit.insert(None, &raw, Framing::Value);
                next.count(1);
            }
        }
        next.push(unit);
    }
}
