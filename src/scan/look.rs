//! Lookahead: what follows a `(`, whether a `;` starts a game without parenthesis, and whether another game starts
//! inside the one being read. Each reaches at most [`Limits::lookahead`] bytes, so that the answer depends on the bytes
//! alone and never on how they arrive.

use crate::base::Limits;

use super::class::{has_capital_or_digit, is_blank, is_identifier};

/// What follows a `(` and blanks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Look {
    /// `;`
    Node,
    /// An identifier with a capital or digit, and `[`.
    Property,
    /// `(`
    Parenthesis,
    /// `)`, at the index.
    End(usize),
    /// Blanks as far as the look reaches.
    Blank,
    /// Anything else, or the end of input.
    Other,
    /// There are too few bytes to know.
    More,
}

/// Looks at what follows the `(` at the start of `rest`. `settled` bytes are
/// known to be the `(` and blanks; it is kept for the next look.
pub(crate) fn look_after_parenthesis(rest: &[u8], last: bool, limits: &Limits, settled: &mut usize) -> Look {
    let full = rest.len() >= limits.lookahead;
    let view = &rest[..rest.len().min(limits.lookahead)];
    let from = (*settled).max(1);
    let at = from + view[from..].iter().take_while(|&&byte| is_blank(byte)).count();
    *settled = at;
    match view.get(at) {
        None if full => Look::Blank,
        None if last => Look::Other,
        None => Look::More,
        Some(b';') => Look::Node,
        Some(b'(') => Look::Parenthesis,
        Some(b')') => Look::End(at),
        Some(_) => match look_at_property(&view[at..], full || last) {
            None => Look::More,
            Some(true) => Look::Property,
            Some(false) => Look::Other,
        },
    }
}

/// Is `rest`, which starts with `;`, the start of a game without parenthesis?
pub(crate) fn look_at_headless(rest: &[u8], last: bool, limits: &Limits) -> Option<bool> {
    let full = rest.len() >= limits.lookahead;
    let view = &rest[..rest.len().min(limits.lookahead)];
    let at = 1 + view[1..].iter().take_while(|&&byte| is_blank(byte)).count();
    look_at_property(&view[at..], full || last)
}

/// Does `view` start with an identifier, blanks and `[`? `None`: it may, with
/// more bytes; with `all` there are no more to be looked at.
fn look_at_property(view: &[u8], all: bool) -> Option<bool> {
    let identifier = view.iter().take_while(|&&byte| is_identifier(byte)).count();
    let next = identifier + view[identifier..].iter().take_while(|&&byte| is_blank(byte)).count();
    match view.get(next) {
        None if all => Some(false),
        None => None,
        Some(b'[') => Some(has_capital_or_digit(&view[..identifier])),
        Some(_) => Some(false),
    }
}

/// The root properties (spec A-03), with their `[`.
const ROOT: [&[u8; 3]; 6] = [b"FF[", b"GM[", b"CA[", b"AP[", b"SZ[", b"ST["];

/// Is `rest`, which starts with `(`, blanks, `;`, the start of another game?
/// Root properties are nowhere else (spec A-05): two of them tell, and at
/// the start of a line `FF` or `GM` alone.
// ( ; F F [ 4 ] G M [
pub(crate) fn look_at_restart(rest: &[u8], last: bool, limits: &Limits, line_start: bool) -> Option<bool> {
    let full = rest.len() >= limits.lookahead;
    let view = &rest[..rest.len().min(limits.lookahead)];
    let skip_blanks = |from: usize| from + view[from..].iter().take_while(|&&byte| is_blank(byte)).count();
    // What is not in sight is not there; what has not arrived may be.
    let unseen = if full || last { Some(false) } else { None };
    let semicolon = skip_blanks(1);
    let first = skip_blanks((semicolon + 1).min(view.len()));
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
    let second = skip_blanks(at + 1);
    match root_property(&view[second..]) {
        Some(_) => Some(true),
        None if is_cut_short(&view[second..]) => unseen,
        None => Some(false),
    }
}

/// Which root property `bytes` starts with.
pub(crate) fn root_property(bytes: &[u8]) -> Option<usize> {
    ROOT.iter().position(|root| bytes.starts_with(*root))
}

/// `bytes` may be the beginning of a root property.
fn is_cut_short(bytes: &[u8]) -> bool {
    ROOT.iter().any(|root| root.starts_with(bytes))
}

/// Another game in the tail of a value that lost its `]`: the index of its
/// `(`. The value ends in a line break or `)`, and `(`, `;`, `FF` or `GM`, and
/// `[` with up to eight plain bytes.
#[inline]
pub(crate) fn restart_in_value(value: &[u8], limits: &Limits) -> Option<usize> {
    // Almost every value fails here: a bracket must be near its end.
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
