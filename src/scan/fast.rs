//! Fast paths for common shapes, identified by eight bytes. Each function here accepts only bytes
//! that the machine would read the same way, and leaves the rest to it. The tests `reads` run every
//! case with and without them.

use super::class::is_blank;
use super::framing::{Framing, ValueEnd, value_end};
use super::lookahead::begins_like_game;

/// Returns the eight bytes from `at` on as a number, the first byte lowest.
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

/// Returns `at`. A slice is never longer than `isize::MAX`. The mask tells the compiler so, which
/// then omits the check that a small addition overflows.
#[inline(always)]
fn in_memory(at: usize) -> usize {
    at & isize::MAX as usize
}

/// Shape of the first eight bytes of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NodeShape {
    /// `;`, a move, and the next `;`.
    Move,
    /// A move with an LF after it.
    MoveAndBlank,
    /// Something else.
    Other,
}

/// Recognizes the node of nearly all games of Go by one comparison: `;`, a property of one letter
/// with a value of two lowercase letters, and the next node, directly or after one LF. The letter
/// is one of eight, and nearly always `B` or `W`.
//  ; X [ a b ] ;        ; X [ a b ] LF ;
//  0 1 2 3 4 5 6        0 1 2 3 4 5 6  7
#[inline(always)]
pub(crate) fn look_at_move(word: u64) -> NodeShape {
    // Masked with 0xEA, only the letters B C F G R S V W become 0x42. Masked with 0xE0, only
    // 0x60-0x7F become 0x60: the lowercase letters, and no bracket.
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

/// Returns whether the first property of a variation describes a game. Then another game may begin
/// here, and more bytes must decide. `word` begins with the `;` of the node.
#[inline(always)]
pub(crate) fn may_be_game(word: u64) -> bool {
    let second = (word >> 8) as u8;
    is_blank(second) || begins_like_game(&word.to_le_bytes()[1..4])
}

/// Returns whether the identifier is not empty and has only capitals and digits.
pub(crate) fn is_plain_ident(ident: &[u8]) -> bool {
    !ident.is_empty()
        && ident
            .iter()
            .all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit())
}

/// Returns whether a property that describes its game may begin with this byte.
#[inline(always)]
pub(crate) fn may_be_about_game(first: u8) -> bool {
    matches!(first, b'F' | b'C' | b'G')
}

/// Returns whether the property describes its game: format, charset, or kind of game.
#[inline(always)]
pub(crate) fn is_about_game(ident: &[u8]) -> bool {
    matches!(ident, b"FF" | b"CA" | b"GM" | b"FF[" | b"CA[" | b"GM[")
}

/// Progress in a property whose end is uncertain or beyond the window. All places count from its
/// first byte.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct PropertyProgress {
    pub(crate) ident_len: usize,
    /// Number of values before the current one.
    pub(crate) values: u32,
    /// Where the content of the current value begins.
    pub(crate) value: usize,
    /// The end of the current value is here or later.
    pub(crate) look: usize,
    /// Whether a `]` or `\` of the property is half a character.
    pub(crate) multibyte: bool,
}

/// Extent of a property whose end is certain.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PlainProperty {
    /// One past the last `]`.
    pub(crate) end: usize,
    /// Whether it has only one value.
    pub(crate) one: bool,
    /// Whether a `]` or `\` of it is half a character.
    pub(crate) multibyte: bool,
}

/// Returns the property at `at`, whose identifier has `ident_len` letters with `[` directly after
/// them. If its end is uncertain, because a `[` near the end of a value could belong to another
/// game, or if the window ends too early, returns `None` and sets `unsettled`. `limit` is
/// [`Limits::property`](crate::Limits::property).
#[inline(never)]
pub(crate) fn plain_property(
    window: &[u8],
    at: usize,
    ident_len: usize,
    limit: usize,
    framing: Framing,
    unsettled: &mut PropertyProgress,
) -> Option<PlainProperty> {
    // The search stays within the limit, so that a longer property is never plain.
    let window = &window[..window.len().min(at.saturating_add(limit))];
    let mut start = at + ident_len + 1;
    let (mut values, mut has_halves) = (0, false);
    loop {
        let (look, multibyte) = match value_end(window, start, start, false, framing) {
            ValueEnd::Found {
                at: close,
                multibyte,
            } if is_plain_end(window, start, close) => {
                has_halves |= multibyte;
                let next = close
                    + 1
                    + window[close + 1..]
                        .iter()
                        .take_while(|&&byte| is_blank(byte))
                        .count();
                match window.get(next) {
                    Some(b'[') => {
                        start = next + 1;
                        values += 1;
                        continue;
                    }
                    Some(_) => {
                        return Some(PlainProperty {
                            end: close + 1,
                            one: values == 0,
                            multibyte: has_halves,
                        });
                    }
                    None => (close, false),
                }
            }
            ValueEnd::Found {
                at: close,
                multibyte,
            } => (close, multibyte),
            ValueEnd::Missing { resume, multibyte } => (resume, multibyte),
        };
        let multibyte = multibyte | has_halves;
        *unsettled = PropertyProgress {
            ident_len,
            values,
            value: start - at,
            look: look - at,
            multibyte,
        };
        return None;
    }
}

/// Returns whether the `]` at `at` surely ends its own value. It might belong to the next game if
/// this value lost its `]`.
#[inline(always)]
fn is_plain_end(window: &[u8], start: usize, at: usize) -> bool {
    // Another game may start at the end of a value that lost its `]`. Then a `[` is among its last
    // nine bytes.
    const SHORTEST: usize = b")(;FF[".len();
    if at - start < SHORTEST {
        return true;
    }
    match window[start..at].last_chunk::<9>() {
        // A loop would end at an unpredictable place, so this compares eight bytes at once.
        Some([first, near @ ..]) => {
            let others = u64::from_le_bytes(*near) ^ u64::from_le_bytes([b'['; 8]);
            let zero = others.wrapping_sub(u64::from_le_bytes([1; 8]))
                & !others
                & u64::from_le_bytes([0x80; 8]);
            *first != b'[' && zero == 0
        }
        None => !window[start..at].contains(&b'['),
    }
}
