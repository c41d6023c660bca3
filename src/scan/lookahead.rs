//! Lookahead after a `(`, after a `;` that may start a game without parenthesis, and at a `(` that
//! may start another game inside the current one. Each looks at most [`Limits::lookahead`] bytes
//! ahead, so that its result depends on the bytes alone and never on how they arrive.

use crate::base::Limits;

use super::class::{has_capital_or_digit, is_blank, is_identifier};
use super::framing::{Framing, ValueEnd, value_end};

/// Class of the bytes after a `(` and blanks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Inner {
    /// `;`
    Node,
    /// An identifier with a capital or digit, and `[`.
    Property,
    /// `(`
    Parenthesis,
    /// `)` at this index.
    End(usize),
    /// Blanks up to the end of the lookahead.
    Blank,
    /// Anything else, or the end of input.
    Other,
    /// Undecided: more bytes are needed.
    More,
}

/// Returns the bytes of `rest` that a lookahead may see, and whether more bytes would not change
/// them.
fn lookahead_window<'r>(rest: &'r [u8], limits: &Limits) -> (&'r [u8], bool) {
    (
        &rest[..rest.len().min(limits.lookahead)],
        rest.len() >= limits.lookahead,
    )
}

/// Returns the index of the first byte from `from` on that is not a blank.
fn after_blanks(bytes: &[u8], from: usize) -> usize {
    from + bytes[from..]
        .iter()
        .take_while(|&&byte| is_blank(byte))
        .count()
}

/// Looks at the bytes after the `(` at the start of `rest`. The first `settled` bytes are known to
/// be the `(` and blanks. The function updates `settled` for the next call.
pub(crate) fn look_after_parenthesis(
    rest: &[u8],
    last: bool,
    limits: &Limits,
    settled: &mut usize,
) -> Inner {
    let (view, full) = lookahead_window(rest, limits);
    let at = after_blanks(view, (*settled).max(1));
    *settled = at;
    match view.get(at) {
        None if full => Inner::Blank,
        None if last => Inner::Other,
        None => Inner::More,
        Some(b';') => Inner::Node,
        Some(b'(') => Inner::Parenthesis,
        Some(b')') => Inner::End(at),
        Some(_) => match look_at_property(&view[at..], full || last) {
            None => Inner::More,
            Some(true) => Inner::Property,
            Some(false) => Inner::Other,
        },
    }
}

/// Returns whether `rest`, which starts with `;`, starts a game without parenthesis, or `None` if
/// more bytes are needed.
pub(crate) fn look_at_headless(rest: &[u8], last: bool, limits: &Limits) -> Option<bool> {
    let (view, full) = lookahead_window(rest, limits);
    look_at_property(&view[after_blanks(view, 1)..], full || last)
}

/// Returns whether `view` starts with an identifier, blanks and `[`, or `None` if more bytes are
/// needed. With `all`, the lookahead will see no more bytes.
fn look_at_property(view: &[u8], all: bool) -> Option<bool> {
    let identifier = view.iter().take_while(|&&byte| is_identifier(byte)).count();
    match view.get(after_blanks(view, identifier)) {
        None if all => Some(false),
        None => None,
        Some(b'[') => Some(has_capital_or_digit(&view[..identifier])),
        Some(_) => Some(false),
    }
}

/// The properties that describe a game: the root properties (spec A-03), then properties of the
/// game (spec A-07), each with the `[`.
const OF_GAME: [&[u8; 3]; 29] = [
    b"FF[", b"GM[", b"CA[", b"AP[", b"SZ[", b"ST[", b"PB[", b"PW[", b"AN[", b"BR[", b"BT[", b"CP[",
    b"DT[", b"EV[", b"GC[", b"GN[", b"HA[", b"KM[", b"ON[", b"OT[", b"PC[", b"RE[", b"RO[", b"RU[",
    b"SO[", b"TM[", b"US[", b"WR[", b"WT[",
];

/// Bits of `FF` and `GM`, of the root properties, and of the players, by their index in `OF_GAME`.
const FORMAT: u32 = 0b11;
const ROOT: u32 = 0b11_1111;
const PLAYERS: u32 = 0b1100_0000;

/// Place of a `(` that may start another game.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RestartPlace {
    /// Only blanks and byte order marks precede it on its line.
    pub(crate) is_line_start: bool,
    /// It follows the `)` of a variation.
    pub(crate) is_after_variation: bool,
    /// It follows a node that is not the root.
    pub(crate) is_after_node: bool,
    /// It follows the root, or a variation of this game looks like a game. Then others may look
    /// like games as well.
    pub(crate) is_in_tree_of_games: bool,
}

/// What a `(` inside a game starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Restart {
    Variation,
    /// A variation with properties of a root.
    VariationLikeGame,
    /// Another game, because the game before was cut off.
    Game,
}

/// What the first node after a `(` says about the beginning of another game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum RootEvidence {
    None,
    /// Game information (spec A-07) that the root of a game has. A variation may have it as well.
    GameInfo,
    /// Root properties. Only a root may have them (spec A-05).
    Root,
}

/// Returns what the `(` of a node at the start of `rest`, inside a game, starts, or `None` if more
/// bytes are needed. Another game must look like a game, and no later `)` may close the game around
/// it.
pub(crate) fn look_at_restart(
    rest: &[u8],
    last: bool,
    limits: &Limits,
    place: RestartPlace,
    framing: Framing,
) -> Option<Restart> {
    let (view, full) = lookahead_window(rest, limits);
    let evidence = root_evidence(view, full || last, place)?;
    if evidence == RootEvidence::None {
        return Some(Restart::Variation);
    }
    if !full && !last {
        return None;
    }
    Some(match is_cut_off(view, !full, place, evidence, framing) {
        true => Restart::Game,
        false => Restart::VariationLikeGame,
    })
}

/// Returns whether the game before the `(` at the start of `view` was cut off. The bytes after the
/// `)` of that `(` decide. `is_end` is set if the input ends with `view`.
fn is_cut_off(
    view: &[u8],
    is_end: bool,
    place: RestartPlace,
    evidence: RootEvidence,
    framing: Framing,
) -> bool {
    let mut depth = 0u32;
    let mut at = 0;
    // Another game follows, so that the answer does not depend on how many bytes follow that one.
    let mut is_repeated = false;
    while let Some(&byte) = view.get(at) {
        match byte {
            // Most values are points, so skip them without a search.
            b'[' if matches!(view.get(at + 1..at + 4), Some([first, second, b']']) if first.is_ascii_alphanumeric() && second.is_ascii_alphanumeric()) =>
            {
                at += 3;
            }
            b'[' => match value_end(view, at + 1, at + 1, true, framing) {
                ValueEnd::Found { at: end, .. } => at = end,
                ValueEnd::Missing { .. } => break,
            },
            // This `)` closes a variation of the open game, so the `(` began a variation.
            b')' if depth == 0 => return false,
            b')' => depth -= 1,
            b'(' => {
                if at > 0
                    && depth == 0
                    && let Some(open) = next_node(view, at)
                {
                    let is_line_start = is_line_start(&view[..open]);
                    let next = RestartPlace {
                        is_line_start,
                        is_after_variation: true,
                        ..place
                    };
                    if root_evidence(&view[open..], true, next) == Some(RootEvidence::None) {
                        return false;
                    }
                    // Here a game begins on its own line, so the first one does not belong to the
                    // game before: it was appended to a game that was cut off.
                    if is_line_start && !place.is_line_start {
                        return true;
                    }
                    is_repeated = true;
                }
                depth += 1;
            }
            _ => {}
        }
        at += 1;
    }
    is_end
        || (is_repeated && !place.is_in_tree_of_games)
        || (place.is_line_start && evidence == RootEvidence::Root)
}

/// Returns the place of the last of the `(` at `at` and those that follow it directly, if a node
/// follows that one, with or without its `;`. The reader drops the others.
fn next_node(view: &[u8], at: usize) -> Option<usize> {
    let mut open = at;
    loop {
        let next = after_blanks(view, open + 1);
        match view.get(next)? {
            b'(' => open = next,
            b';' => return Some(open),
            _ => return look_at_property(&view[next..], true)?.then_some(open),
        }
    }
}

/// Returns whether only blanks and byte order marks are between the end of `before` and a line
/// break.
fn is_line_start(mut before: &[u8]) -> bool {
    while let Some((&byte, rest)) = before.split_last() {
        before = match byte {
            b'\r' | b'\n' => return true,
            _ if is_blank(byte) => rest,
            _ => match before.strip_suffix(b"\xEF\xBB\xBF") {
                Some(rest) => rest,
                None => return false,
            },
        };
    }
    false
}

/// Returns what the first node of `view`, which starts with `(`, says, or `None` if more bytes are
/// needed. Its `;` may be missing, as the reader supplies it. The node must begin with a property
/// that describes a game. Two root properties (spec A-05) suffice anywhere; at the start of a line
/// or after a variation, one and a property of the game; at the start of a line, `FF` or `GM`
/// alone, or both players and another property of the game in a node without a move. With `all`,
/// the lookahead will see no more bytes.
// ( ; F F [ 4 ] G M [
fn root_evidence(view: &[u8], all: bool, place: RestartPlace) -> Option<RootEvidence> {
    let mut at = after_blanks(view, 1);
    if view.get(at) == Some(&b';') {
        at = after_blanks(view, at + 1);
    }
    let (mut found, mut has_move) = (0u32, false);
    // Bytes beyond the lookahead count as absent. Bytes that have not arrived may still come.
    let is_at_end = loop {
        let ident = view[at..]
            .iter()
            .take_while(|&&byte| is_identifier(byte))
            .count();
        let bracket = after_blanks(view, at + ident);
        if view
            .get(bracket)
            .is_none_or(|&byte| byte != b'[' || ident == 0)
        {
            break bracket < view.len();
        }
        let bit = property_of_game(&view[at..]).map_or(0, |index| 1 << index);
        if found == 0 && bit == 0 {
            return Some(RootEvidence::None);
        }
        found |= bit;
        has_move |= matches!(&view[at..at + ident], b"B" | b"W");
        let is_apart = place.is_line_start || place.is_after_variation;
        let is_root = (found & ROOT).count_ones() >= 2
            || (place.is_line_start && found & FORMAT == found)
            || (is_apart && found & ROOT != 0 && found & !ROOT != 0);
        if is_root {
            return Some(RootEvidence::Root);
        }
        match after_values(view, bracket) {
            Some(end) => at = end,
            None => break false,
        }
    };
    if !is_at_end && !all {
        return if found == 0 && !may_describe_game(&view[at..]) {
            Some(RootEvidence::None)
        } else {
            None
        };
    }
    let is_info = place.is_line_start
        && place.is_after_node
        && found & PLAYERS == PLAYERS
        && (found & !ROOT).count_ones() >= 3
        && !has_move;
    Some(if is_info {
        RootEvidence::GameInfo
    } else {
        RootEvidence::None
    })
}

/// Returns the place after the values that begin with the `[` at `at`, and blanks; `None` if a
/// value does not end in `view`.
fn after_values(view: &[u8], mut at: usize) -> Option<usize> {
    while view.get(at) == Some(&b'[') {
        at += 1;
        while *view.get(at)? != b']' {
            at += if view[at] == b'\\' { 2 } else { 1 };
        }
        at = after_blanks(view, at + 1);
    }
    Some(at)
}

/// Returns the index in `OF_GAME` of the property that `bytes` starts with.
fn property_of_game(bytes: &[u8]) -> Option<usize> {
    let start: &[u8; 3] = bytes.first_chunk()?;
    OF_GAME.iter().position(|ident| *ident == start)
}

/// Returns whether a variation whose first node starts with `bytes` may look like another game.
pub(crate) fn begins_like_game(bytes: &[u8]) -> bool {
    bytes.get(2) == Some(&b'[') && property_of_game(bytes).is_some()
}

/// Returns whether `bytes` may be the beginning of a property that describes a game.
fn may_describe_game(bytes: &[u8]) -> bool {
    OF_GAME.iter().any(|ident| ident.starts_with(bytes))
}

/// Returns the index of the `(` of another game in the tail of a value that lost its `]`. Such a
/// tail has a line break or `)`, then `(`, `;`, `FF` or `GM`, and `[` with up to eight plain bytes.
#[inline]
pub(crate) fn restart_in_value(value: &[u8], limits: &Limits) -> Option<usize> {
    // Almost every value fails here, because it has no `[` near its end.
    let near = &value[value.len().saturating_sub(9)..];
    if near.len() < 2 || !near.contains(&b'[') {
        return None;
    }
    restart_in_tail(value, limits)
}

#[cold]
fn restart_in_tail(value: &[u8], limits: &Limits) -> Option<usize> {
    let plain = value
        .iter()
        .rev()
        .take_while(|&&byte| !matches!(byte, b'[' | b'\\' | b'\r' | b'\n'))
        .count();
    let bracket = value.len().checked_sub(plain + 1)?;
    if plain > 8 || value[bracket] != b'[' {
        return None;
    }
    let head = &value[..bracket];
    let head = head
        .strip_suffix(b"FF")
        .or_else(|| head.strip_suffix(b"GM"))?;
    let (head, _) = split_blanks_at_end(head);
    let (head, _) = split_blanks_at_end(head.strip_suffix(b";")?);
    let head = head.strip_suffix(b"(")?;
    let (before, gap) = split_blanks_at_end(head);
    let is_behind = before.ends_with(b")") || gap.iter().any(|byte| matches!(byte, b'\r' | b'\n'));
    let is_in_sight = bracket - head.len() < limits.lookahead;
    (is_in_sight && is_behind).then_some(head.len())
}

fn split_blanks_at_end(bytes: &[u8]) -> (&[u8], &[u8]) {
    let blanks = bytes
        .iter()
        .rev()
        .take_while(|&&byte| is_blank(byte))
        .count();
    bytes.split_at(bytes.len() - blanks)
}
