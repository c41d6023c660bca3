//! The games of some bytes, without what a writer may change: layout, text
//! around them, spellings of identifiers.

use sgfstream::{Event, SliceReader};

/// A piece of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Piece {
    Open,
    Node,
    /// The canonical identifier and the values.
    Property(Vec<u8>, Vec<Vec<u8>>),
    Close,
}

/// The pieces of all games of `data`.
pub(super) fn pieces(data: &[u8]) -> Vec<Piece> {
    SliceReader::new(data).filter_map(|event| piece(&event)).collect()
}

pub(super) fn piece(event: &Event<'_>) -> Option<Piece> {
    match event {
        Event::VariationStart { .. } => Some(Piece::Open),
        Event::NodeStart { .. } => Some(Piece::Node),
        Event::VariationEnd { .. } => Some(Piece::Close),
        Event::Property(property) => {
            let values = property.values().map(|value| whole(value.as_bytes()).to_vec()).collect();
            Some(Piece::Property(property.ident().canonical().into_owned(), values))
        }
        _ => None,
    }
}

/// A value without a `\` at its end that escapes nothing, as it was cut off, or a line break, which a writer puts before a `]`
/// that would end a game.
pub(super) fn whole(value: &[u8]) -> &[u8] {
    let escapes = |value: &[u8]| value.iter().rev().take_while(|&&byte| byte == b'\\').count() % 2;
    let line = value.strip_suffix(b"\n").filter(|line| escapes(line) == 1).unwrap_or(value);
    let kept = &line[..line.len() - escapes(line)];
    // A line break may stand before the `\`.
    if kept.len() < value.len() { whole(kept) } else { kept }
}

/// Panics with the first piece that differs.
#[track_caller]
pub(super) fn assert_same(found: &[Piece], expected: &[Piece], what: &str) {
    if found != expected {
        let at = found.iter().zip(expected).take_while(|(found, expected)| found == expected).count();
        panic!("{what}: piece {at}: expected {:?}, found {:?}", expected.get(at), found.get(at));
    }
}
