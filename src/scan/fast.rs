//! Common shapes, recognised by eight bytes. Each function here says yes only where the machine would read the same,
//! and leaves the rest to it; the tests `reads` run every case with and without them.

use super::class::is_blank;
use super::framing::{Framing, ValueEnd, value_end};
use super::look::root_property;

/// Eight bytes from `at` on; the first is the lowest.
#[inline(always)]
pub(crate) fn word_at(window: &[u8], at: usize) -> Option<u64> {
    let at = in_memory(at);
    let bytes = window.get(at..at + 8)?.try_into().expect("eight bytes");
    Some(u64::from_le_bytes(bytes))
}

/// Marks the branch that calls it as rare. `std::hint::cold_path` does the same from Rust 1.95 on.
#[cold]
#[inline]
pub(crate) fn cold_path() {}

/// Returns `at`. A slice is never longer than `isize::MAX`, and saying so
/// spares the check that a little more does not overflow.
#[inline(always)]
fn in_memory(at: usize) -> usize {
    at & isize::MAX as usize
}

/// Class of the first eight bytes of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NodeShape {
    /// `;`, a move, and the next `;`.
    Move,
    /// A move with an LF after it.
    MoveAndBlank,
    /// Something else.
    Other,
}

/// Recognizes the node of nearly all games of Go by one comparison: `;`, a property of one letter with a value of two
/// lowercase letters, and the next node, directly or after one LF. The letter is one of eight, and nearly always `B` or `W`.
//  ; X [ a b ] ;        ; X [ a b ] LF ;
//  0 1 2 3 4 5 6        0 1 2 3 4 5 6  7
#[inline(always)]
pub(crate) fn look_at_move(word: u64) -> NodeShape {
    // 0xEA leaves 0x42 of the letters B C F G R S V W alone; 0xE0 leaves 0x60
    // of 0x60-0x7F, where the lowercase letters are, and no bracket.
    const SHAPE: u64 = u64::from_le_bytes([0xFF, 0xEA, 0xFF, 0xE0, 0xE0, 0xFF, 0xFF, 0]);
    const MOVE: u64 = u64::from_le_bytes([b';', 0x42, b'[', 0x60, 0x60, b']', b';', 0]);
    const SHAPE_LF: u64 = SHAPE | 0xFF << 56;
    const MOVE_LF: u64 = u64::from_le_bytes([b';', 0x42, b'[', 0x60, 0x60, b']', b'\n', b';']);
    if word & SHAPE == MOVE {
        NodeShape::Move
    } else if word & SHAPE_LF == MOVE_LF {
        NodeShape::MoveAndBlank
    } else {
        NodeShape::Other
    }
}

/// Does a variation begin here whose first property may be a root property?
/// That may be another game, if there is more of it. `word` begins with the
/// `;` of its node.
#[inline(always)]
pub(crate) fn may_be_game(word: u64) -> bool {
    let second = (word >> 8) as u8;
    is_blank(second) || root_property(&word.to_le_bytes()[1..4]).is_some()
}

/// Capitals and digits, and at least one.
pub(crate) fn is_plain_ident(ident: &[u8]) -> bool {
    !ident.is_empty() && ident.iter().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit())
}

/// Does one of the properties that say something of their game begin with this byte?
#[inline(always)]
pub(crate) fn may_be_about_game(first: u8) -> bool {
    matches!(first, b'F' | b'C' | b'G')
}

/// One of the properties that say something of their game.
#[inline(always)]
pub(crate) fn is_about_game(ident: &[u8]) -> bool {
    matches!(ident, b"FF" | b"CA" | b"GM" | b"FF[" | b"CA[" | b"GM[")
}

/// A property whose end is in doubt or out of sight: how far its values were read. All places count from its first byte.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Unsettled {
    pub(crate) ident_len: usize,
    /// Values before the one that was being read.
    pub(crate) values: u32,
    /// Where the content of that one begins.
    pub(crate) value: usize,
    /// Its end is here or later.
    pub(crate) look: usize,
    /// A `]` or `\` of it is half a character.
    pub(crate) multibyte: bool,
}

/// A property whose end is sure.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PlainProperty {
    /// One past the last `]`.
    pub(crate) end: usize,
    /// It has one value only.
    pub(crate) one: bool,
    /// A `]` or `\` of it is half a character.
    pub(crate) multibyte: bool,
}

/// The property at `at`, whose identifier has `ident_len` letters with `[` directly after them. `None` if its end is in doubt,
/// as a `[` near the end of a value could belong to another game, or if the window ends too early; then `unsettled` is set.
/// `limit` is [`Limits::property`](crate::Limits::property).
#[inline(never)]
pub(crate) fn plain_property(
    window: &[u8],
    at: usize,
    ident_len: usize,
    limit: usize,
    framing: Framing,
    unsettled: &mut Unsettled,
) -> Option<PlainProperty> {
    // Everything within the limit, so that a long property is never plain.
    let window = &window[..window.len().min(at.saturating_add(limit))];
    let mut start = at + ident_len + 1;
    let (mut values, mut has_halves) = (0, false);
    loop {
        let (look, multibyte) = match value_end(window, start, start, false, framing) {
            ValueEnd::Found { at: close, multibyte } if is_plain_end(window, start, close) => {
                has_halves |= multibyte;
                let next = close + 1 + window[close + 1..].iter().take_while(|&&byte| is_blank(byte)).count();
                match window.get(next) {
                    Some(b'[') => {
                        start = next + 1;
                        values += 1;
                        continue;
                    }
                    Some(_) => return Some(PlainProperty { end: close + 1, one: values == 0, multibyte: has_halves }),
                    None => (close, false),
                }
            }
            ValueEnd::Found { at: close, multibyte } => (close, multibyte),
            ValueEnd::Missing { resume, multibyte } => (resume, multibyte),
        };
        let multibyte = multibyte | has_halves;
        *unsettled = Unsettled { ident_len, values, value: start - at, look: look - at, multibyte };
        return None;
    }
}

/// Does the `]` at `at` end its value, and not another game's?
#[inline(always)]
fn is_plain_end(window: &[u8], start: usize, at: usize) -> bool {
    // Another game may start in the end of a value that lost its `]`: then a
    // `[` is one of its last nine bytes.
    const SHORTEST: usize = b")(;FF[".len();
    if at - start < SHORTEST {
        return true;
    }
    match window[start..at].last_chunk::<9>() {
        // Without a loop, which ends where it is not expected to.
        Some([first, near @ ..]) => {
            let others = u64::from_le_bytes(*near) ^ u64::from_le_bytes([b'['; 8]);
            let zero = others.wrapping_sub(u64::from_le_bytes([1; 8])) & !others & u64::from_le_bytes([0x80; 8]);
            *first != b'[' && zero == 0
        }
        None => !window[start..at].contains(&b'['),
    }
}
