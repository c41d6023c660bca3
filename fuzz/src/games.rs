//! Games in a form without the details that a writer may change: layout, text
//! around games, and spellings of identifiers.

use sgfstream::{Event, SliceReader};

/// Token of a game in this form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Piece {
    Open,
    Node,
    /// A property: its canonical identifier and its values.
    Property(Vec<u8>, Vec<Vec<u8>>),
    Close,
}

/// Returns the tokens of all games of `data`.
pub(super) fn pieces(data: &[u8]) -> Vec<Piece> {
    SliceReader::new(data)
        .events()
        .flatten()
        .filter_map(|event| piece(&event))
        .collect()
}

pub(super) fn piece(event: &Event<'_>) -> Option<Piece> {
    match event {
        Event::VariationStart { .. } => Some(Piece::Open),
        Event::NodeStart { .. } => Some(Piece::Node),
        Event::VariationEnd { .. } => Some(Piece::Close),
        Event::Property(property) => {
            let values = property
                .values()
                .map(|value| whole(value.as_bytes()).to_vec())
                .collect();
            Some(Piece::Property(
                property.ident().canonical().into_owned(),
                values,
            ))
        }
        _ => None,
    }
}

/// Returns a value without three additions. At the end of the input, a last `\` escapes nothing. A
/// writer puts an escaped line break before a `]` if the value would otherwise end a game, and a
/// blank if the `]` would be half of a character.
pub(super) fn whole(value: &[u8]) -> &[u8] {
    let escapes = |value: &[u8]| {
        value
            .iter()
            .rev()
            .take_while(|&&byte| byte == b'\\')
            .count()
            % 2
    };
    let line = value
        .strip_suffix(b"\n")
        .filter(|line| escapes(line) == 1)
        .unwrap_or(value);
    let kept = &line[..line.len() - escapes(line)];
    let kept = match kept {
        [.., lead, b' '] if !lead.is_ascii() => &kept[..kept.len() - 1],
        _ => kept,
    };
    // A line break may precede the `\`.
    if kept.len() < value.len() {
        whole(kept)
    } else {
        kept
    }
}

/// Panics with the first token that differs.
#[track_caller]
pub(super) fn assert_same(found: &[Piece], expected: &[Piece], what: &str) {
    if found != expected {
        let at = found
            .iter()
            .zip(expected)
            .take_while(|(found, expected)| found == expected)
            .count();
        panic!(
            "{what}: piece {at}: expected {:?}, found {:?}",
            expected.get(at),
            found.get(at)
        );
    }
}
