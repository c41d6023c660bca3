//! Lookahead after a `(`, after a `;` that may start a game without parenthesis, and at a `(` that may start another
//! game inside the current one. Each looks at most [`Limits::lookahead`] bytes ahead, so that its result depends on the
//! bytes alone and never on how they arrive.

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

/// Returns the bytes of `rest` that a lookahead may see, and whether more bytes would not change them.
fn lookahead_window<'r>(rest: &'r [u8], limits: &Limits) -> (&'r [u8], bool) {
    (&rest[..rest.len().min(limits.lookahead)], rest.len() >= limits.lookahead)
}

/// Returns the index of the first byte from `from` on that is not a blank.
fn after_blanks(bytes: &[u8], from: usize) -> usize {
    from + bytes[from..].iter().take_while(|&&byte| is_blank(byte)).count()
}

/// Looks at the bytes after the `(` at the start of `rest`. The first `settled` bytes are known to be the `(` and
/// blanks. The function updates `settled` for the next call.
pub(crate) fn look_after_parenthesis(rest: &[u8], last: bool, limits: &Limits, settled: &mut usize) -> Inner {
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

/// Returns whether `rest`, which starts with `;`, starts a game without parenthesis, or `None` if more bytes are
/// needed.
pub(crate) fn look_at_headless(rest: &[u8], last: bool, limits: &Limits) -> Option<bool> {
    let (view, full) = lookahead_window(rest, limits);
    look_at_property(&view[after_blanks(view, 1)..], full || last)
}

/// Returns whether `view` starts with an identifier, blanks and `[`, or `None` if more bytes are needed. With `all`,
/// the lookahead will see no more bytes.
fn look_at_property(view: &[u8], all: bool) -> Option<bool> {
    let identifier = view.iter().take_while(|&&byte| is_identifier(byte)).count();
    match view.get(after_blanks(view, identifier)) {
        None if all => Some(false),
        None => None,
        Some(b'[') => Some(has_capital_or_digit(&view[..identifier])),
        Some(_) => Some(false),
    }
}

/// The root properties (spec A-03), with their `[`.
const ROOT: [&[u8; 3]; 6] = [b"FF[", b"GM[", b"CA[", b"AP[", b"SZ[", b"ST["];

/// Returns whether `rest`, which starts with `(`, blanks and `;` inside a game, starts another game, or `None` if more
/// bytes are needed. It must look like a game, and no later `)` may close the game around it.
pub(crate) fn look_at_restart(
    rest: &[u8],
    last: bool,
    limits: &Limits,
    line_start: bool,
    framing: Framing,
) -> Option<bool> {
    let (view, full) = lookahead_window(rest, limits);
    match looks_like_game(view, full || last, line_start) {
        Some(true) if full || last => Some(is_cut_off(view, !full, line_start, framing)),
        Some(true) => None,
        other => other,
    }
}

/// Returns whether the game before the `(` at the start of `view` was cut off. The bytes after the `)` of that `(`
/// decide. `is_end` is set if the input ends with `view`.
fn is_cut_off(view: &[u8], is_end: bool, line_start: bool, framing: Framing) -> bool {
    let mut depth = 0u32;
    let mut at = 0;
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
            // This `)` closes a variation of the game before.
            b')' if depth == 0 => return false,
            b')' => depth -= 1,
            b'(' => {
                if at > 0 && depth == 0 && view.get(after_blanks(view, at + 1)) == Some(&b';') {
                    let at_line_start = is_line_start(&view[..at]);
                    if looks_like_game(&view[at..], true, at_line_start) == Some(false) {
                        return false;
                    }
                    // Here a game begins on its own line, so the first one does not belong to the game before: it was
                    // appended to a game that was cut off.
                    if at_line_start && !line_start {
                        return true;
                    }
                }
                depth += 1;
            }
            _ => {}
        }
        at += 1;
    }
    is_end || line_start
}

/// Returns whether only blanks and byte order marks are between the end of `before` and a line break.
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

/// Returns whether `view`, which starts with `(`, blanks and `;`, looks like a game, or `None` if more bytes are
/// needed. Root properties occur only in roots (spec A-05), so two of them suffice. At the start of a line, `FF` or
/// `GM` alone suffices. With `all`, the lookahead will see no more bytes.
// ( ; F F [ 4 ] G M [
fn looks_like_game(view: &[u8], all: bool, line_start: bool) -> Option<bool> {
    // Bytes beyond the lookahead count as absent. Bytes that have not arrived may still come.
    let unseen = if all { Some(false) } else { None };
    let semicolon = after_blanks(view, 1);
    let first = after_blanks(view, (semicolon + 1).min(view.len()));
    match root_property(&view[first..]) {
        Some(0 | 1) if line_start => return Some(true),
        Some(_) => {}
        None if is_cut_short(&view[first..]) => return unseen,
        None => return Some(false),
    }
    let mut at = first + 3;
    loop {
        match view.get(at) {
            None => return unseen,
            Some(b']') => break,
            Some(b'\\') => at += 2,
            Some(_) => at += 1,
        }
    }
    let second = after_blanks(view, at + 1);
    match root_property(&view[second..]) {
        Some(_) => Some(true),
        None if is_cut_short(&view[second..]) => unseen,
        None => Some(false),
    }
}

/// Returns the index in `ROOT` of the root property that `bytes` starts with.
pub(crate) fn root_property(bytes: &[u8]) -> Option<usize> {
    ROOT.iter().position(|root| bytes.starts_with(*root))
}

/// Returns whether `bytes` may be the beginning of a root property.
fn is_cut_short(bytes: &[u8]) -> bool {
    ROOT.iter().any(|root| root.starts_with(bytes))
}

/// Returns the index of the `(` of another game in the tail of a value that lost its `]`. Such a tail has a line break
/// or `)`, then `(`, `;`, `FF` or `GM`, and `[` with up to eight plain bytes.
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
    let plain = value.iter().rev().take_while(|&&byte| !matches!(byte, b'[' | b'\\' | b'\r' | b'\n')).count();
    let bracket = value.len().checked_sub(plain + 1)?;
    if plain > 8 || value[bracket] != b'[' {
        return None;
    }
    let head = &value[..bracket];
    let head = head.strip_suffix(b"FF").or_else(|| head.strip_suffix(b"GM"))?;
    let (head, _) = split_blanks_at_end(head);
    let (head, _) = split_blanks_at_end(head.strip_suffix(b";")?);
    let head = head.strip_suffix(b"(")?;
    let (before, gap) = split_blanks_at_end(head);
    let is_behind = before.ends_with(b")") || gap.iter().any(|byte| matches!(byte, b'\r' | b'\n'));
    let is_in_sight = bracket - head.len() < limits.lookahead;
    (is_in_sight && is_behind).then_some(head.len())
}

fn split_blanks_at_end(bytes: &[u8]) -> (&[u8], &[u8]) {
    let blanks = bytes.iter().rev().take_while(|&&byte| is_blank(byte)).count();
    bytes.split_at(bytes.len() - blanks)
}
