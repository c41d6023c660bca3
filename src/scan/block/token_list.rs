//! List of the tokens of some thousand bytes, found together and stored as positions. It has only
//! plain tokens, which the machine would read the same way. The first byte that is not plain ends
//! the token list, and the machine reads on.

use std::cell::RefCell;
use std::sync::Arc;

use crate::scan::Framing;
use crate::scan::fast::{NodeShape, cold_path, is_plain_ident, look_at_move, word_at};

use super::bitmaps::{BLOCK, Vectors, Work, with_vectors};
use super::context_bitmaps::leap;
use super::walk::{Walk, end_in};

/// Maximum number of marks of a token list, a power of two.
pub(crate) const LEN: usize = 2048;

/// Length in bytes of the first token list after an interruption, and of the longest token list.
const SHORTEST: usize = BLOCK;
const LONGEST: usize = 64 * BLOCK;

/// Length in bytes of a text whose end a token list looks for. A search for the end of a longer text
/// alone is faster.
const TEXT: usize = 16 * BLOCK;

/// A block with this many nodes has only moves. The reader then reads without a token list, as long
/// as moves follow.
const MOVES: u32 = 8;

/// Marks of tokens: the starts of `;`, `(` with its `;`, `)`, and identifiers with their `[`; the
/// `]` at the ends of values; and, if gaps are reported, the first blank after a value, a `;` or a
/// `)`.
///
/// ```text
///   (;B[aa]C[a (;) ]AB[bb] [cc]\n;W[ee](
///   ^^^   ^^       ^^    ^    ^  ^^   ^^
/// ```
#[derive(Clone, Debug)]
pub(crate) struct TokenList {
    /// Where the token list begins in the window, between tokens.
    start: usize,
    /// Index of the next mark.
    pub(crate) next: usize,
    /// Index after the last mark that may be taken. One more is stored: the next token, or the byte
    /// after the last one.
    pub(crate) count: usize,
    /// Whether the mark at `count` is a property whose end is uncertain or beyond the window.
    pub(crate) is_cut: bool,
    /// A clone shares them until its next token list.
    marks: Arc<Marks>,
    /// Length in bytes of the next token list.
    reach: usize,
    /// Whether a `]` or `\` follows a byte of 0x80 or more, so that the framing matters.
    has_high_ends: bool,
}

/// Marks of a token list, with unused ones after them.
#[derive(Clone, Debug)]
struct Marks {
    /// Places, counted from the start of the token list.
    places: [u16; LEN],
    /// The byte at each mark.
    kinds: [u8; LEN],
}

/// Number of dropped readers whose marks a thread keeps for the next ones.
const KEPT: usize = 8;

thread_local! {
    /// Marks of dropped readers. Making new ones takes as long as reading a small game.
    static UNUSED: RefCell<Vec<Arc<Marks>>> = const { RefCell::new(Vec::new()) };
}

impl Marks {
    fn take() -> Arc<Self> {
        let unused = UNUSED.try_with(|unused| unused.borrow_mut().pop());
        unused.ok().flatten().unwrap_or_else(|| {
            Arc::new(Self {
                places: [0; LEN],
                kinds: [0; LEN],
            })
        })
    }
}

impl Drop for TokenList {
    fn drop(&mut self) {
        // Keep the list for the next reader of this thread, unless the thread ends.
        _ = UNUSED.try_with(|unused| {
            let mut unused = unused.borrow_mut();
            if unused.len() < KEPT {
                unused.push(Arc::clone(&self.marks));
            }
        });
    }
}

/// State of the reader where a token list begins.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Site {
    /// Whether a variation ends there, so that only `(` and `)` are allowed next.
    pub(crate) child: bool,
    /// Whether blanks are skipped instead of reported as gaps.
    pub(crate) skips_blanks: bool,
    /// Whether parentheses need no check of repairs or limits.
    pub(crate) plain_parentheses: bool,
    /// Number of open variations.
    pub(crate) open: u64,
    /// Maximum length of a property or an identifier.
    pub(crate) limit: usize,
    pub(crate) framing: Framing,
    /// Whether identifiers may have lowercase letters after a capital, because the game does not
    /// declare FF[4] and its root has ended.
    pub(crate) lowercase: bool,
    /// Whether the token list may continue into the next game.
    pub(crate) crosses: bool,
    /// Framing at the start of the next game.
    pub(crate) fresh_framing: Framing,
}

/// Extent of a property and its values.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Extent {
    /// Length of the identifier.
    pub(crate) ident_len: usize,
    /// One past the last `]`.
    pub(crate) end: usize,
    /// Number of values, or 0 if there may be several.
    pub(crate) count: usize,
}

impl TokenList {
    /// Smallest limit of properties and identifiers with which token lists are used.
    pub(crate) const MIN_LIMIT: usize = BLOCK;

    pub(crate) fn new() -> Self {
        Self {
            start: 0,
            next: 0,
            count: 0,
            is_cut: false,
            marks: Marks::take(),
            reach: SHORTEST,
            has_high_ends: false,
        }
    }

    /// Fills the token list with the tokens from `start` on. Returns the place of the first one, if
    /// there is one.
    #[inline(never)]
    pub(crate) fn go_to(&mut self, window: &[u8], start: usize, site: Site) -> Option<usize> {
        let longest = LONGEST.min(site.limit);
        let marks = Arc::make_mut(&mut self.marks);
        let filled = loop {
            let reach = self.reach.min(longest);
            let filled = with_vectors(
                window,
                &mut Fill {
                    marks,
                    start,
                    site,
                    reach,
                },
            );
            if filled.is_whole {
                self.reach = LONGEST.min(4 * self.reach);
            }
            // A token list that does not reach the end of its first property is useless, except for
            // a text.
            if filled.count + usize::from(filled.is_cut) > 1
                || !filled.is_whole
                || filled.is_stopped
                || reach == longest
            {
                break filled;
            }
        };
        self.start = start;
        self.next = 0;
        self.count = filled.count;
        self.is_cut = filled.is_cut;
        self.has_high_ends = filled.has_high_ends;
        (filled.count != 0 || filled.is_cut).then(|| self.place(0))
    }

    /// Returns whether the marks are also right under this framing. Under [`Framing::Value`] they
    /// always are.
    pub(crate) fn holds(&self, framing: Framing) -> bool {
        !self.has_high_ends || framing == Framing::Value
    }

    /// Discards the tokens that were not taken.
    #[inline(always)]
    pub(crate) fn clear(&mut self) {
        if self.next < self.count {
            self.reach = SHORTEST;
        }
        (self.next, self.count, self.is_cut) = (0, 0, false);
    }

    #[inline(always)]
    pub(crate) fn is_empty(&self) -> bool {
        self.next >= self.count
    }

    #[inline(always)]
    pub(crate) fn place(&self, mark: usize) -> usize {
        self.start + usize::from(self.marks.places[mark % LEN])
    }

    #[inline(always)]
    pub(crate) fn kind(&self, mark: usize) -> u8 {
        self.marks.kinds[mark % LEN]
    }

    /// Returns the place in the window from which the places of the marks count.
    #[inline(always)]
    pub(crate) fn start(&self) -> usize {
        self.start
    }

    /// Returns places and kinds of all marks.
    #[inline(always)]
    pub(crate) fn marks(&self) -> (&[u16; LEN], &[u8; LEN]) {
        (&self.marks.places, &self.marks.kinds)
    }

    /// Returns the kinds of the marks from the next one on.
    pub(crate) fn kinds_left(&self) -> impl Iterator<Item = u8> {
        self.marks.kinds[..self.count.min(LEN)][self.next..]
            .iter()
            .copied()
    }

    /// Returns the property at `at`, which is the next token, and the mark of the token after it.
    #[inline(always)]
    pub(crate) fn property(&self, at: usize, next: usize) -> (Extent, usize) {
        let (open, close) = (self.place(next + 1), self.place(next + 2));
        let ident_len = open - at;
        if self.kind(next + 3) == b']' {
            let (end, after) = self.more(next + 4);
            return (
                Extent {
                    ident_len,
                    end,
                    count: after - next - 2,
                },
                after,
            );
        }
        (
            Extent {
                ident_len,
                end: close + 1,
                count: 1,
            },
            next + 3,
        )
    }

    /// Skips the values after the second one. Returns the end of the last value, and the mark of
    /// the next token.
    #[cold]
    #[inline(never)]
    fn more(&self, mut next: usize) -> (usize, usize) {
        loop {
            if self.kind(next) != b']' {
                return (self.place(next - 1) + 1, next);
            }
            next += 1;
        }
    }

    /// Makes the next token list short, because the reader may skip the bytes that follow.
    pub(crate) fn be_short(&mut self) {
        self.reach = SHORTEST;
    }
}

/// Returns the length of the identifier at `at`, if it is plain and its `[` follows.
pub(crate) fn plain_ident_len(window: &[u8], at: usize, lowercase: bool) -> Option<usize> {
    let near = &window[at..window.len().min(at + TokenList::MIN_LIMIT)];
    let len = near.iter().position(|&byte| byte == b'[')?;
    let ident = &near[..len];
    let is_plain = is_plain_ident(ident)
        || lowercase
            && ident.first().is_some_and(u8::is_ascii_uppercase)
            && ident.iter().all(u8::is_ascii_alphanumeric);
    is_plain.then_some(len)
}

/// Work that writes the marks of a token list.
struct Fill<'t> {
    marks: &'t mut Marks,
    start: usize,
    site: Site,
    reach: usize,
}

struct FillResult {
    count: usize,
    /// Whether the mark at `count` is a property that may continue, or whose end is uncertain.
    is_cut: bool,
    /// Whether the token list reached its full length.
    is_whole: bool,
    /// Whether no token list can continue after its last token.
    is_stopped: bool,
    has_high_ends: bool,
}

impl Work<[u8]> for Fill<'_> {
    type Output = FillResult;

    #[inline(always)]
    fn work<V: Vectors>(&mut self, window: &[u8], vectors: V) -> FillResult {
        let Self {
            site,
            start: first,
            reach,
            ..
        } = *self;
        let Marks {
            places: marks,
            kinds,
        } = &mut *self.marks;
        let mut walk = Walk::new(site.framing, site.child);
        let mut open = site.open;
        let mut allows_lowercase = site.lowercase;
        let (mut count, mut start) = (0, first);
        let mut high_ends = 0;
        let mut short;
        let (mut is_stopped, mut is_whole, mut has_moves) = (true, false, false);
        // 1 if the last block ends with a blank, or with a token that a gap may follow.
        let (mut was_blank, mut was_token) = (0, 0);
        loop {
            if walk.carry.is_in_text() {
                let last = (first + reach).min(start + TEXT);
                let Some(next) = leap(window, start, last, vectors) else {
                    is_whole = last <= window.len();
                    break;
                };
                if next > start {
                    walk.carry.go_on_in_text();
                    start = next;
                }
            }
            let Some(rest) = window.get(start..) else {
                break;
            };
            if start - first + BLOCK > reach {
                is_whole = true;
                is_stopped = walk.carry.is_in_text();
                break;
            }
            let block = match rest.first_chunk() {
                Some(block) => block,
                None if rest.is_empty() => break,
                None => {
                    short = pad(rest);
                    &short
                }
            };
            if walk.carry.is_in_text() {
                // The compiler omits all other bitmaps of the block.
                let maps = vectors.bitmaps(block);
                if walk.carry.pass_text(&maps) {
                    start += BLOCK;
                    continue;
                }
            }
            let Some(out) = marks[..LEN - 1]
                .get_mut(count..)
                .and_then(|free| free.first_chunk_mut())
            else {
                is_stopped = false;
                break;
            };
            let Some(out_kinds) = kinds[..LEN - 1]
                .get_mut(count..)
                .and_then(|free| free.first_chunk_mut())
            else {
                is_stopped = false;
                break;
            };
            let maps = vectors.bitmaps(block);
            let from = (start - first) as u16;
            let passed = walk.pass(&maps, window, start);
            let mut faults = passed.doubts | passed.strays;
            faults |= passed.after_word & !(passed.found.words | maps.open);
            high_ends |= passed.found.high_ends;
            let signs = passed.left | passed.right;
            let mut gaps = 0;
            let mut next_games = 0;
            if !site.skips_blanks {
                let blanks = maps.blank & passed.found.outside_value;
                let tokens =
                    passed.found.closes | passed.right | maps.semicolon & passed.found.outside;
                gaps = blanks & !(blanks << 1 | was_blank);
                faults |= gaps & !(tokens << 1 | was_token);
                // Blanks between the values of a property are not a gap.
                faults |= maps.open & passed.found.outside_value & (blanks << 1 | was_blank);
                (was_blank, was_token) = (blanks >> (BLOCK - 1), tokens >> (BLOCK - 1));
            }
            if signs != 0 {
                if !site.plain_parentheses {
                    faults |= signs;
                }
                let closed = u64::from(passed.right.count_ones());
                if closed >= open {
                    if site.crosses {
                        (faults, next_games) =
                            across(window, start, open, passed.left, passed.right, faults);
                    } else if let Some(end) = end_in(open, 1, passed.left, passed.right) {
                        // All bytes after the end of the game are faults.
                        faults |= (u64::MAX << end) << 1;
                    }
                }
                open = (open + u64::from(passed.left.count_ones())).saturating_sub(closed);
            }
            if allows_lowercase && faults & passed.found.words & !maps.capital != 0 {
                cold_path();
                let lowercase = vectors.lowercase(block) & passed.after_word & !next_games;
                faults = faults & !lowercase | passed.found.doubts & lowercase;
            }
            if next_games != 0 {
                // The next game has declared nothing yet.
                allows_lowercase = false;
                if walk.framing != site.fresh_framing {
                    faults |= passed.found.high_ends & next_games;
                    walk.framing = site.fresh_framing;
                }
            }
            let opens = maps.open & passed.after_word;
            let found = passed.found.tokens | passed.found.closes | opens | gaps;
            if faults != 0 {
                let found = found & !faults & faults.wrapping_sub(1);
                vectors.write(found, from, out, block, out_kinds);
                count += found.count_ones() as usize;
                break;
            }
            vectors.write(found, from, out, block, out_kinds);
            count += found.count_ones() as usize;
            if open == 0 && !site.crosses {
                break;
            }
            let nodes = maps.semicolon & passed.found.outside;
            if signs == 0
                && nodes.count_ones() >= MOVES
                && is_move(window, start + (BLOCK - 1 - nodes.leading_zeros() as usize))
            {
                is_stopped = false;
                has_moves = true;
                break;
            }
            start += BLOCK;
        }
        // The list has not seen the bytes after it, so the end of a gap at its end is unknown.
        let byte = |mark: u16| window[first + usize::from(mark)];
        while count > 0 && matches!(byte(marks[count - 1]), b'[' | b']' | ..=b' ') {
            count -= 1;
        }
        let mut is_cut = false;
        if count > 1 && byte(marks[count - 1]) > b')' && byte(marks[count - 2]) <= b' ' {
            // If the last mark is not a property, it belongs to the gap.
            count -= 2;
        } else if count > 1 && !is_stopped {
            count -= 1;
            if has_moves && byte(marks[count]) != b';' {
                count -= 1;
            }
        } else if count > 0 {
            if matches!(byte(marks[count - 1]), b';' | b'(' | b')') {
                marks[count] = marks[count - 1] + 1;
                kinds[count] = 0;
            } else {
                count -= 1;
                is_cut = true;
            }
        }
        FillResult {
            count,
            is_cut,
            is_whole,
            is_stopped,
            has_high_ends: high_ends != 0,
        }
    }
}

/// Returns a block that begins with `rest`. The rest are NULs, which are not plain outside of
/// values and have no meaning inside.
#[cold]
#[inline(never)]
fn pad(rest: &[u8]) -> [u8; BLOCK] {
    let mut block = [0; BLOCK];
    block[..rest.len()].copy_from_slice(rest);
    block
}

/// Returns the faults of a block in which a game ends, and the bytes from the start of the next game
/// on. The starts of next games are not among the faults.
#[cold]
#[inline(never)]
fn across(
    window: &[u8],
    start: usize,
    mut open: u64,
    left: u64,
    right: u64,
    mut faults: u64,
) -> (u64, u64) {
    let mut next_games = 0;
    let mut signs = left | right;
    while signs != 0 {
        let bit = signs & signs.wrapping_neg();
        signs ^= bit;
        if left & bit != 0 {
            if open == 0 && window.get(start + bit.trailing_zeros() as usize + 1) == Some(&b';') {
                faults &= !bit;
                next_games |= bit.wrapping_neg();
            }
            open += 1;
        } else if open == 0 {
            return (faults | bit, next_games);
        } else {
            open -= 1;
        }
    }
    (faults, next_games)
}

/// Returns whether eight bytes identify the node at `at` as a move.
#[inline(always)]
fn is_move(window: &[u8], at: usize) -> bool {
    word_at(window, at).is_some_and(|word| look_at_move(word) != NodeShape::Other)
}
