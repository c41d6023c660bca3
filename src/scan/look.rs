//! Looks ahead: what follows a `(`, whether a `;` starts a game without
//! parenthesis, and whether another game starts inside the one being read.
//! All reach at most [`Limits::lookahead`] bytes, so that the answer depends on
//! the bytes alone and never on how they arrive.

use crate::base::Limits;

use super::class::{has_capital_or_digit, is_blank, is_identifier};

/// What stands behind a `(` and blanks.
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
    /// Too few bytes to say.
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

/// Is `rest`, which starts with `(`, blanks, `;` at the start of a line, the
/// start of another game? Root properties stand nowhere else (spec A-05).
// ( ; F F [
pub(crate) fn look_at_restart(rest: &[u8], last: bool, limits: &Limits) -> Option<bool> {
    let full = rest.len() >= limits.lookahead;
    let view = &rest[..rest.len().min(limits.lookahead)];
    let skip_blanks = |from: usize| from + view[from..].iter().take_while(|&&byte| is_blank(byte)).count();
    let semicolon = skip_blanks(1);
    let root = skip_blanks((semicolon + 1).min(view.len()));
    let found = &view[root..];
    if found.len() < 3 && !full && !last && [b"FF[", b"GM["].iter().any(|root| root.starts_with(found)) {
        return None;
    }
    Some(found.starts_with(b"FF[") || found.starts_with(b"GM["))
}

/// Another game in the tail of a value that lost its `]`: the index of its
/// `(`. The value ends in a line break, `(`, `;`, `FF` or `GM`, and `[` with up
/// to eight plain bytes.
#[inline]
pub(crate) fn restart_in_value(value: &[u8], limits: &Limits) -> Option<usize> {
    // Almost every value fails here: a bracket must stand near its end.
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
    let (_, gap) = split_blanks_at_end(head);
    let is_in_sight = bracket - head.len() < limits.lookahead;
    (is_in_sight && gap.iter().any(|byte| matches!(byte, b'\r' | b'\n'))).then_some(head.len())
}

fn split_blanks_at_end(bytes: &[u8]) -> (&[u8], &[u8]) {
    let blanks = bytes.iter().rev().take_while(|&&byte| is_blank(byte)).count();
    bytes.split_at(bytes.len() - blanks)
}
