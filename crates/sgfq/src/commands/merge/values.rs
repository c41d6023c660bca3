//! Properties of a node as texts: writing, parsing and joining.

use std::collections::HashMap;

use sgfstream::{Charset, Framing, RawValue, escape_text};

/// Property with its identifier and its values as text.
pub(super) type Values = (String, Vec<String>);

/// Bytes of memory that a property and a value take in addition to their text. Growing lists
/// reserve half as much again.
pub(super) const PROPERTY: usize = 96;
pub(super) const VALUE: usize = 64;

/// Properties whose values are marks on points. Their values are combined.
const MARKS: [&str; 13] = [
    "AR", "CR", "DD", "LB", "LN", "MA", "SL", "SQ", "TB", "TR", "TW", "VW", "M",
];

pub(super) fn bytes_of(properties: &[Values]) -> usize {
    let of = |(name, values): &Values| {
        name.len()
            + PROPERTY
            + values
                .iter()
                .map(|value| value.len() + VALUE)
                .sum::<usize>()
    };
    properties.iter().map(of).sum()
}

/// Appends a property as SGF.
pub(super) fn push(text: &mut Vec<u8>, name: &str, values: &[String]) {
    text.extend_from_slice(name.as_bytes());
    for value in values {
        text.push(b'[');
        text.extend_from_slice(value.as_bytes());
        text.push(b']');
    }
}

/// Returns properties as SGF.
pub(super) fn written(properties: &[Values]) -> Box<[u8]> {
    let mut text = Vec::new();
    properties
        .iter()
        .for_each(|(name, values)| push(&mut text, name, values));
    text.into()
}

/// Parses the result of [`written`].
pub(super) fn parse(text: &[u8]) -> Vec<Values> {
    let mut properties: Vec<Values> = Vec::new();
    let (mut start, mut at) = (0, 0);
    while at < text.len() {
        if text[at] != b'[' {
            at += 1;
            continue;
        }
        let of = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        if at > start {
            properties.push((of(&text[start..at]), Vec::new()));
        }
        start = at + 1;
        while text[at] != b']' {
            at += if text[at] == b'\\' { 2 } else { 1 };
        }
        if let Some((_, values)) = properties.last_mut() {
            values.push(of(&text[start..at]));
        }
        at += 1;
        start = at;
    }
    properties
}

/// Result of joining properties.
#[derive(Default)]
pub(super) struct Joined {
    /// Number of properties that were dropped because they differ.
    pub(super) differences: u64,
    /// Bytes added, including the memory of values beyond their text.
    pub(super) bytes: usize,
}

/// Index of properties by name. It is only used if there are many.
#[derive(Default)]
pub(super) struct Places {
    places: HashMap<String, usize>,
    /// Number of properties in `places`.
    count: usize,
}

impl Places {
    /// Returns the index of the first property with this name. The list may only have grown since
    /// the last call.
    pub(super) fn find(&mut self, properties: &[Values], name: &str) -> Option<usize> {
        if properties.len() < 16 {
            return properties.iter().position(|(known, _)| known == name);
        }
        for (at, (name, _)) in properties.iter().enumerate().skip(self.count) {
            self.places.entry(name.clone()).or_insert(at);
        }
        self.count = properties.len();
        self.places.get(name).copied()
    }
}

/// Adds the properties of another game to the properties of a node.
pub(super) fn join_all(known: &mut Vec<Values>, other: Vec<Values>) -> Joined {
    let (mut joined, mut places) = (Joined::default(), Places::default());
    for property in other {
        let place = places.find(known, &property.0);
        join_at(known, place, property, &mut joined);
    }
    joined
}

pub(super) fn join(known: &mut Vec<Values>, property: Values, joined: &mut Joined) {
    let place = Places::default().find(known, &property.0);
    join_at(known, place, property, joined);
}

pub(super) fn join_at(
    known: &mut Vec<Values>,
    place: Option<usize>,
    (name, values): Values,
    joined: &mut Joined,
) {
    match place {
        Some(at) => join_values(&name, &mut known[at].1, values, joined),
        None => {
            known.push((name, values));
            joined.bytes += bytes_of(&known[known.len() - 1..]);
        }
    }
}

/// Maximum number of values, and bytes of a comment, that are searched for duplicates before an
/// addition.
const LOOKED_AT: usize = 256;
const COMMENT_LOOKED_AT: usize = 64 << 10;

fn join_values(name: &str, mine: &mut Vec<String>, values: Vec<String>, joined: &mut Joined) {
    if MARKS.contains(&name) {
        for value in values {
            if mine.len() > LOOKED_AT || !mine.contains(&value) {
                joined.bytes += value.len() + VALUE;
                mine.push(value);
            }
        }
    } else if name == "C" {
        let (Some(mine), Some(other)) = (mine.first_mut(), values.first()) else {
            return;
        };
        let is_whole = |at: usize| {
            let (before, after) = (&mine[..at], &mine[at + other.len()..]);
            (before.is_empty() || before.ends_with("\n\n"))
                && (after.is_empty() || after.starts_with("\n\n"))
        };
        if mine.len() > COMMENT_LOOKED_AT
            || !mine.match_indices(&**other).any(|(at, _)| is_whole(at))
        {
            let before = mine.len();
            *mine += "\n\n";
            *mine += other;
            // The end may look like the start of a game now.
            let (_, end) = RawValue::new(&mine.as_bytes()[before..], Framing::Value).closing();
            let end = end.trim_end_matches(']');
            mine.push_str(end);
            joined.bytes += mine.len() - before;
        }
    } else {
        joined.differences += u64::from(*mine != values);
    }
}

/// Returns a value as UTF-8, and whether some of its bytes are undecodable in its charset.
pub(super) fn text_of(value: RawValue<'_>) -> (String, bool) {
    let (bytes, charset) = (value.as_bytes(), value.charset());
    let is_utf8 = charset.name() == "UTF-8" || charset == Charset::AUTO;
    let (mut text, is_lossy) = match std::str::from_utf8(bytes) {
        Ok(text) if is_utf8 || text.is_ascii() => (text.to_owned(), false),
        _ => {
            let (text, is_lossy) = value.try_text();
            (escape_text(&text), is_lossy)
        }
    };
    // At the end of a file, a value may end with a backslash that escapes nothing.
    if text.bytes().rev().take_while(|byte| *byte == b'\\').count() % 2 == 1 {
        text.pop();
    }
    (text, is_lossy)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn written_values_are_parsed() {
        let values = |values: &[&str]| {
            values
                .iter()
                .map(|&value| value.to_owned())
                .collect::<Vec<_>>()
        };
        let properties = vec![
            ("C".to_owned(), values(&["a\\]b[c\\];B[x\\]\\\\"])),
            ("TR".to_owned(), values(&["aa", "", "\u{7e6b}"])),
            ("N".to_owned(), values(&[""])),
        ];
        assert_eq!(parse(&written(&properties)), properties);
        assert_eq!(parse(&written(&[])), []);
    }

    #[test]
    fn a_joined_comment_is_no_start_of_a_game() {
        let mut known = vec![("C".to_owned(), vec!["see".to_owned()])];
        let other = ("C".to_owned(), vec!["(;FF[4".to_owned()]);
        join(&mut known, other, &mut Joined::default());
        assert_eq!(&*written(&known), b"C[see\n\n(;FF[4\\\n]");
    }
}
