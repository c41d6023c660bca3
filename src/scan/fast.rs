//! The common shapes, by a look at eight bytes. Each function here says yes
//! only where the machine would say the same, and leaves the rest to it; the
//! tests hold them to that (`reads` runs every case with and without them).

use super::class::{is_blank, is_capital_or_digit};
use super::framing::Framing;

/// Eight bytes from `at` on; the first is the lowest.
#[inline(always)]
pub(crate) fn word_at(window: &[u8], at: usize) -> Option<u64> {
    let at = in_memory(at);
    let bytes = window.get(at..at + 8)?.try_into().expect("eight bytes");
    Some(u64::from_le_bytes(bytes))
}

/// The same index. A slice is never longer than `isize::MAX`, and saying so
/// spares the check that a little more does not overflow.
#[inline(always)]
pub(crate) fn in_memory(at: usize) -> usize {
    at & isize::MAX as usize
}

/// What a look at a node's first eight bytes tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NodeLook {
    /// `;` and a move behind it, which ends where its `]` does.
    Move,
    /// The same, with one blank and the next node's `;` behind the move.
    MoveAndBlank,
    /// Something else.
    Other,
}

/// The node of nearly all games of Go, by one comparison: `;`, `B` or `W`, a
/// value of two lowercase letters, and the next node right behind it, or
/// behind one LF.
//  ; X [ a b ] ;        ; X [ a b ] LF ;
//  0 1 2 3 4 5 6        0 1 2 3 4 5 6  7
#[inline(always)]
pub(crate) fn look_at_move(word: u64) -> NodeLook {
    // 0xEA leaves 0x42 of the letters B C F G R S V W alone; 0xE0 leaves 0x60
    // of 0x60-0x7F, where the lowercase letters are, and no bracket.
    const SHAPE: u64 = u64::from_le_bytes([0xFF, 0xEA, 0xFF, 0xE0, 0xE0, 0xFF, 0xFF, 0]);
    const MOVE: u64 = u64::from_le_bytes([b';', 0x42, b'[', 0x60, 0x60, b']', b';', 0]);
    const SHAPE_LF: u64 = SHAPE | 0xFF << 56;
    const MOVE_LF: u64 = u64::from_le_bytes([b';', 0x42, b'[', 0x60, 0x60, b']', b'\n', b';']);
    if word & SHAPE == MOVE {
        NodeLook::Move
    } else if word & SHAPE_LF == MOVE_LF {
        NodeLook::MoveAndBlank
    } else {
        NodeLook::Other
    }
}

/// The same in all its forms: any capital, any two plain bytes, and anything
/// behind it that is in sight and no further value. `word` begins with a `;`.
#[inline(always)]
pub(crate) fn is_move_node(word: u64) -> bool {
    const SHAPE: u64 = u64::from_le_bytes([0, 0, 0xFF, 0, 0x80, 0xFF, 0, 0]);
    const MOVE: u64 = u64::from_le_bytes([0, 0, b'[', 0, 0, b']', 0, 0]);
    // `\` and `]` differ in the last bit only.
    let content = (word >> 24) & 0xFEFE ^ 0x5C5C;
    // The byte behind decides whether another value follows; behind a blank,
    // the byte behind that.
    let next = (word >> 48) as u8;
    let next = if is_blank(next) { (word >> 56) as u8 } else { next };
    (word & SHAPE == MOVE)
        & ((word >> 8) as u8).is_ascii_uppercase()
        & (content & 0xFF != 0)
        & (content & 0xFF00 != 0)
        & !is_blank(next)
        & (next != b'[')
}

/// How many blanks a word begins with, unless one of its bytes is a NUL.
#[inline(always)]
pub(crate) fn leading_blanks(word: u64) -> Option<usize> {
    if zero_bytes(word) != 0 {
        return None;
    }
    // A byte above the space carries into its high bit here, or has it set.
    let others = (((word & !HIGH) + LOW * (0x80 - 0x21)) | word) & HIGH;
    Some(others.trailing_zeros() as usize / 8)
}

/// A variation whose first property may be a root property: another game, if
/// there is more of it. `word` begins with `(;`.
#[inline(always)]
pub(crate) fn may_be_game(word: u64) -> bool {
    // F G C A S, as bits from `A` on.
    const INITIALS: u32 = 1 << 5 | 1 << 6 | 1 << 2 | 1 | 1 << 18;
    let third = (word >> 16) as u8;
    let is_initial = third.is_ascii_uppercase() && INITIALS >> (third - b'A') & 1 == 1;
    is_blank(third) || (is_initial && (word >> 32) as u8 == b'[')
}

/// One of the properties that say something of their game.
#[inline(always)]
pub(crate) fn is_about_game(word: u64) -> bool {
    const fn head(ident: [u8; 2]) -> u64 {
        u64::from_le_bytes([ident[0], ident[1], 0, 0, 0, 0, 0, 0])
    }
    let start = word & 0xFFFF;
    start == head(*b"FF") || start == head(*b"CA") || start == head(*b"GM")
}

/// A whole property in plain dress.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Plain {
    /// One past its last `]`; 0 where there is nothing plain.
    pub(crate) end: usize,
    pub(crate) ident_len: u32,
    pub(crate) simple: bool,
}

const NOT_PLAIN: Plain = Plain { end: 0, ident_len: 0, simple: false };

/// The property at `at`, whose first eight bytes are `word`, if its identifier
/// is at most six letters, none of them lowercase, and has no blank behind it;
/// if its values end beyond doubt, and if what follows is in sight. `limit` is
/// [`Limits::property`](crate::Limits::property).
#[inline(never)]
pub(crate) fn plain_property(window: &[u8], at: usize, word: u64, limit: usize, framing: Framing) -> Plain {
    // Everything within the limit, so that a long property is never plain.
    let window = &window[..window.len().min(at.saturating_add(limit))];
    let bracket = zero_bytes(word ^ (LOW * b'[' as u64));
    let ident_len = bracket.trailing_zeros() as usize / 8;
    let is_letter = |index: usize| is_capital_or_digit((word >> (index * 8)) as u8);
    // One letter or two, without a branch between them.
    let is_short = (ident_len <= 2) & is_letter(0) & (is_letter(1) | (ident_len == 1));
    if !(is_short || (3..=6).contains(&ident_len) && (0..ident_len).all(is_letter)) {
        return NOT_PLAIN;
    }
    let mut start = at + ident_len + 1;
    let mut simple = true;
    loop {
        let Some(close) = plain_value_end(window, start, framing) else {
            return NOT_PLAIN;
        };
        let mut next = close + 1;
        while window.get(next).is_some_and(|&byte| is_blank(byte)) {
            next += 1;
        }
        match window.get(next) {
            None => return NOT_PLAIN,
            Some(b'[') => {
                simple = false;
                start = next + 1;
            }
            Some(_) => return Plain { end: close + 1, ident_len: ident_len as u32, simple },
        }
    }
}

const LOW: u64 = 0x0101_0101_0101_0101;
const HIGH: u64 = 0x8080_8080_8080_8080;

/// The high bit of each zero byte; above the first, others may be set too.
#[inline(always)]
const fn zero_bytes(word: u64) -> u64 {
    word.wrapping_sub(LOW) & !word & HIGH
}

/// The `]` that ends the value whose content starts at `start`, where there is
/// no doubt: no bracket that could be half a character, none close before the
/// end that could belong to another game.
#[inline(always)]
fn plain_value_end(window: &[u8], start: usize, framing: Framing) -> Option<usize> {
    let mut at = start;
    // Near first, eight bytes a look: most values are short.
    let mut looks = 4;
    while let Some(word) = word_at(window, at) {
        let found = zero_bytes((word & !LOW) ^ (LOW * 0x5C));
        if found == 0 {
            at += 8;
            looks -= 1;
            if looks == 0 {
                break;
            }
            continue;
        }
        at += found.trailing_zeros() as usize / 8;
        if window[at] == b'\\' {
            if window[at - 1] >= 0x80 && framing != Framing::Value {
                return None;
            }
            at += 2;
            continue;
        }
        return is_plain_end(window, start, at, framing).then_some(at);
    }
    // Far: at the speed of the vectors.
    loop {
        at += memchr::memchr2(b']', b'\\', window.get(at..)?)?;
        if window[at] == b']' {
            return is_plain_end(window, start, at, framing).then_some(at);
        }
        if window[at - 1] >= 0x80 && framing != Framing::Value {
            return None;
        }
        at += 2;
    }
}

/// Does the `]` at `at` end its value beyond doubt?
#[inline(always)]
fn is_plain_end(window: &[u8], start: usize, at: usize, framing: Framing) -> bool {
    if window[at - 1] >= 0x80 {
        match framing {
            Framing::Value => {}
            // What follows can follow a value: the bytes are right.
            Framing::Auto => {
                if !matches!(window.get(at + 1), Some(b'[' | b';' | b'(' | b')')) {
                    return false;
                }
            }
            Framing::Pairs | Framing::ShiftJis => return false,
        }
    }
    // Another game may start in the end of a value that lost its `]`: then a
    // `[` is one of its last nine bytes.
    const SHORTEST: usize = b")(;FF[".len();
    let len = at - start;
    if len < SHORTEST {
        return true;
    }
    let Some(tail) = word_at(window, at.wrapping_sub(8)) else {
        return false;
    };
    // Of a shorter value, its own bytes only.
    let tail = tail >> (8 * 8usize.saturating_sub(len));
    zero_bytes(tail ^ (LOW * b'[' as u64)) == 0 && (len < 9 || window[at - 9] != b'[')
}
