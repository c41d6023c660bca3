//! Makes games well-formed: writes the parts that the reader inserted, and drops what it could not
//! read.

use sgfstream::record::{GameRecord, TokenKind};
use sgfstream::{Code, Framing, Property};

use super::notes::NoteKind;
use super::placed_property::is_blank;
use super::{EditOutput, GameEdits, Replacement};

/// The note of bytes inside games that were left out because no reader understands them.
pub const UNREAD: &str = "unparseable bytes inside games were left out";

/// Bytes of a move of a run.
const MOVE_LEN: usize = b"B[aa]".len();

/// Adds the replacements that make a game well-formed. Returns the place from which bytes were
/// inserted or dropped, apart from the `(` of the game and the bytes behind it.
pub(super) fn repair_structure(game: &GameRecord<'_>, out: &mut EditOutput) -> Option<usize> {
    // The problem of a missing `(` comes before it.
    let lacks_open = game.tokens().first().is_some_and(|open| open.is_inserted());
    if game.problems().len() == game.problems_before().len() && !lacks_open {
        return None;
    }
    close_last_value(game, &mut out.edits);
    let bytes = game.as_bytes();
    // End of the last token, and place of the last node or parenthesis.
    let (mut before, mut mark) = (0, 0);
    let mut changed_from = None;
    for (index, &token) in game.tokens().iter().enumerate() {
        if token.kind() == TokenKind::Problem {
            continue;
        }
        let at = token.at();
        let gap = bytes.get(before..at).unwrap_or_default();
        if !is_blank(gap) {
            out.edits.delete(before..at);
            out.add_note(NoteKind::Cut, UNREAD, gap.len() as u64, mark);
        }
        if token.is_inserted() {
            let text: &[u8] = match token.kind() {
                TokenKind::Open => b"(",
                TokenKind::Close => b")",
                _ => b";",
            };
            out.edits.insert(at, text);
        }
        if changed_from.is_none()
            && ((index > 0 && token.is_inserted()) || (index > 1 && !is_blank(gap)))
        {
            changed_from = Some(before);
        }
        match token.kind() {
            TokenKind::Move | TokenKind::Property => {}
            TokenKind::Run => {
                let mut end = None;
                for place in token.places() {
                    // The `)` of a dropped `(` may stand between two nodes.
                    if let Some(end) = end
                        && !is_blank(&bytes[end..place - 1])
                    {
                        out.edits.delete(end..place - 1);
                        let bytes = (place - 1 - end) as u64;
                        out.add_note(NoteKind::Cut, UNREAD, bytes, mark);
                        changed_from = changed_from.or(Some(end));
                    }
                    mark = place - 1;
                    end = Some(place + MOVE_LEN);
                }
            }
            _ => mark = at,
        }
        before = game.end_of(token);
    }
    changed_from
}

/// Adds the replacements that close a game whose input ends inside of it.
pub(super) fn close(game: &GameRecord<'_>, edits: &mut GameEdits) {
    close_last_value(game, edits);
    for &token in game.tokens() {
        if token.kind() == TokenKind::Close && token.is_inserted() {
            edits.insert(token.at(), b")");
        }
    }
}

/// Closes the last value with a `]` if the input ended inside of it.
fn close_last_value(game: &GameRecord<'_>, edits: &mut GameEdits) {
    if !game
        .problems()
        .iter()
        .any(|problem| problem.code == Code::UnclosedValue)
    {
        return;
    }
    let is_property = |kind| matches!(kind, TokenKind::Property | TokenKind::Move);
    let Some(&token) = game
        .tokens()
        .iter()
        .rev()
        .find(|token| is_property(token.kind()))
    else {
        return;
    };
    if let Some((kept, end)) = closed(&game.property(token)) {
        edits.replace(
            token.at() + kept..game.end_of(token),
            end.as_bytes().to_vec(),
        );
    }
}

/// If the input ends inside of the last value of a property, returns how many bytes of the property
/// to keep, and the text that closes it.
pub(super) fn closed(property: &Property<'_>) -> Option<(usize, &'static str)> {
    let value = property.cut_value()?;
    let (kept, end) = value.closing();
    let dropped = value.as_bytes().len() - kept.len();
    Some((property.as_bytes().len() - dropped, end))
}

/// Writes a game with sorted replacements. A variation that begins with a property of a root may
/// look like another game whose predecessor was cut off. If a replacement touches its beginning, or
/// if anything from the place `changed_from` on precedes it, a blank before the `[` prevents this.
pub(super) fn write_game(
    game: &GameRecord<'_>,
    replacements: &[Replacement],
    changed_from: Option<usize>,
    out: &mut Vec<u8>,
) {
    let begins = touched_variations(game, replacements, changed_from);
    if begins.is_empty() {
        return super::write_edited(game.as_bytes(), replacements, out);
    }
    let (bytes, mut begins) = (game.as_bytes(), begins.into_iter().peekable());
    let (mut from, mut starts) = (0, Vec::new());
    for Replacement { span, bytes: new } in replacements {
        let until = span.start.max(from);
        while let Some(begin) =
            begins.next_if(|begin| begin.at < until || (begin.at == until && begin.is_inserted))
        {
            if begin.at >= from {
                starts.push(out.len() + begin.at - from);
            }
        }
        out.extend_from_slice(&bytes[from..until]);
        out.extend_from_slice(new);
        from = span.end.max(from);
    }
    for begin in begins.filter(|begin| begin.at >= from) {
        starts.push(out.len() + begin.at - from);
    }
    out.extend_from_slice(&bytes[from..]);
    for &start in starts.iter().rev() {
        if let Some(bracket) = first_bracket_of_game(&out[start..]) {
            out.insert(start + bracket, b' ');
        }
    }
}

/// Start of a variation: the place of its `(`.
struct VariationBegin {
    at: usize,
    is_inserted: bool,
}

/// Returns the variations that begin otherwise than in the input.
fn touched_variations(
    game: &GameRecord<'_>,
    replacements: &[Replacement],
    changed_from: Option<usize>,
) -> Vec<VariationBegin> {
    let (tokens, mut next) = (game.tokens(), 0);
    let mut begins = Vec::new();
    for (index, &open) in tokens.iter().enumerate().skip(1) {
        if open.kind() != TokenKind::Open {
            continue;
        }
        let mut after = tokens[index + 1..]
            .iter()
            .filter(|token| token.kind() != TokenKind::Problem);
        let Some(node) = after.next().filter(|node| node.kind() == TokenKind::Node) else {
            continue;
        };
        // Up to the end of the identifier, or of an empty node.
        let end = match after.next() {
            Some(first) if matches!(first.kind(), TokenKind::Property | TokenKind::Move) => {
                first.at() + game.property(*first).ident().as_bytes().len()
            }
            Some(other) => other.at() + 1,
            None => game.end_of(*node) + 1,
        };
        while replacements
            .get(next)
            .is_some_and(|replacement| replacement.span.end < open.at())
        {
            next += 1;
        }
        let mut near = replacements[next..]
            .iter()
            .take_while(|replacement| replacement.span.start < end);
        let is_touched = changed_from.is_some_and(|changed_from| changed_from < end);
        if is_touched || near.any(|near| near.span.end > open.at() || near.span.start == open.at())
        {
            begins.push(VariationBegin {
                at: open.at(),
                is_inserted: open.is_inserted(),
            });
        }
    }
    begins
}

/// Returns the place of the first `[`, if a variation begins here with a property that describes a
/// game.
fn first_bracket_of_game(bytes: &[u8]) -> Option<usize> {
    let skip = |at: usize, is_skipped: fn(u8) -> bool| {
        at + bytes[at..]
            .iter()
            .take_while(|&&byte| is_skipped(byte))
            .count()
    };
    let open = skip(0, |byte| matches!(byte, b']' | b')') || is_blank(&[byte]));
    let node = skip(open, |byte| byte == b'(' || is_blank(&[byte]));
    if node == open || bytes.get(node) != Some(&b';') {
        return None;
    }
    let first = skip(node + 1, |byte| is_blank(&[byte]));
    let property = Property::from_raw(&bytes[first..], Framing::Value);
    property
        .begins_game()
        .then(|| first + property.ident().as_bytes().len())
}
