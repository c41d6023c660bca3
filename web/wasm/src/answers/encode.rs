//! Encodes a property as bytes in the charset of its game.

use sgfstream::{Charset, Framing, Property, WriteError, encode_texts};

use super::{Answer, Args, Refusal};

/// Framings by their numbers in the place of an event.
pub(crate) const FRAMINGS: [Framing; 4] = [
    Framing::Value,
    Framing::Pairs,
    Framing::ShiftJis,
    Framing::Auto,
];

/// Returns the bytes of the property `id`. `texts` contains its values one after another, and
/// `lengths` their lengths in bytes. With `apart`, the property begins a variation and must not
/// look like the start of another game.
pub(crate) fn encode(args: &Args<'_>, texts: &[u8]) -> Result<Answer, Refusal> {
    let id = args.get("id");
    let charset = match args.get("charset") {
        "" | "auto" => Charset::AUTO,
        name => {
            Charset::forced(name.as_bytes()).ok_or_else(|| format!("unknown charset {name:?}"))?
        }
    };
    let framing = framing(args)?;
    let mut rest = std::str::from_utf8(texts).map_err(|err| err.to_string())?;
    let mut values = Vec::new();
    for len in args.get("lengths").split(',').filter(|len| !len.is_empty()) {
        let len = len
            .parse()
            .map_err(|_| format!("expected a length, found {len:?}"))?;
        let (value, after) = rest
            .split_at_checked(len)
            .ok_or_else(|| "the values are shorter than their lengths".to_owned())?;
        values.push(value);
        rest = after;
    }
    let raw = encode_texts(id, &values, charset, framing).map_err(|err| match err {
        WriteError::Identifier => Refusal::new(
            "invalid-tree",
            format!("expected an identifier, found {id:?}: {err}"),
        ),
        _ => Refusal::new("unencodable", format!("in {id}: {err}")),
    })?;
    let property = Property::from_raw(&raw, framing);
    let is_apart = args.is_set("apart") && property.begins_game();
    Ok(Answer {
        bytes: if is_apart {
            property.to_bytes_spaced()
        } else {
            raw
        },
        ..Answer::default()
    })
}

/// Returns the bytes of a property as written, with the `]` that the end of the input cut off. With
/// `apart`, the property begins a variation and must not look like the start of another game.
pub(crate) fn complete(args: &Args<'_>, raw: &[u8]) -> Result<Answer, Refusal> {
    let property = Property::from_raw(raw, framing(args)?);
    let mut bytes = if args.is_set("apart") && property.begins_game() {
        property.to_bytes_spaced()
    } else {
        raw.to_vec()
    };
    if let Some(last) = property.values().last() {
        let start = last.as_bytes().as_ptr() as usize - raw.as_ptr() as usize;
        if start + last.as_bytes().len() == raw.len() {
            let (kept, end) = last.closing();
            bytes.truncate(bytes.len() - (last.as_bytes().len() - kept.len()));
            bytes.extend_from_slice(end.as_bytes());
        }
    }
    Ok(Answer {
        bytes,
        ..Answer::default()
    })
}

fn framing(args: &Args<'_>) -> Result<Framing, String> {
    let framing = args
        .number("framing")?
        .and_then(|number| FRAMINGS.get(number as usize).copied());
    Ok(framing.unwrap_or(Framing::Value))
}
