//! The tokens of some thousand bytes, found together and written down as positions. Only plain tokens are written down,
//! which the machine would read the same way; the first byte that is not plain ends the tape, and the machine reads on.

use crate::scan::Framing;
use crate::scan::fast::{NodeLook, cold_path, is_plain_ident, look_at_move, word_at};

use super::bitmaps::{BLOCK, Vectors, Work, with_vectors};
use super::found::{FAR, leap};
use super::walk::{Walk, end_in};

/// How many marks a tape has at most, a power of two.
const LEN: usize = 2048;

/// How many bytes the first tape after something else has, and how many at most.
const SHORTEST: usize = BLOCK;
const LONGEST: usize = 64 * BLOCK;

/// A block with so many nodes has moves only: what follows is read without a tape, as long as it is moves.
const MOVES: u32 = 8;

/// Where tokens begin, `;`, `(` with its `;`, `)`, identifiers with their `[`; the `]` at the ends of values; and, where gaps
/// are given, the first of blanks after a value, a `;` or a `)`.
///
/// ```text
///   (;B[aa]C[a (;) ]AB[bb] [cc]\n;W[ee](
///   ^^^   ^^       ^^    ^    ^  ^^   ^^
/// ```
#[derive(Clone, Debug)]
pub(crate) struct Tape {
    /// Where it begins in the window: between tokens.
    start: usize,
    /// The next mark.
    next: usize,
    /// After the last one that may be taken. One more is marked: the next token, or the byte after the last one.
    count: usize,
    /// From `start` on.
    marks: Box<[u16; LEN]>,
    /// How many bytes the next tape is to have.
    reach: usize,
    /// A `]` or `\` follows a byte of 0x80 or more, so that the framing matters.
    has_high_ends: bool,
}

/// Where a tape begins.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Site {
    /// After a variation: only `(` and `)` are in order.
    pub(crate) child: bool,
    /// Blanks are not given as gaps.
    pub(crate) skips_blanks: bool,
    /// Parentheses need no look at repairs or limits.
    pub(crate) plain_parentheses: bool,
    /// Open variations.
    pub(crate) open: u64,
    /// How long a property or an identifier may be.
    pub(crate) limit: usize,
    pub(crate) framing: Framing,
}

/// A property, by its values.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Values {
    /// The length of the identifier.
    pub(crate) ident_len: usize,
    /// One past the last `]`.
    pub(crate) end: usize,
    /// It has one value only.
    pub(crate) one: bool,
}

impl Tape {
    /// A property, or an identifier, that may be shorter than this is not looked for by tapes.
    pub(crate) const MIN_LIMIT: usize = BLOCK;

    pub(crate) fn new() -> Self {
        Self { start: 0, next: 0, count: 0, marks: Box::new([0; LEN]), reach: SHORTEST, has_high_ends: false }
    }

    /// Goes to the tokens from `start` on. Where the first one is, if there is one.
    #[inline(never)]
    pub(crate) fn go_to(&mut self, window: &[u8], start: usize, site: Site) -> Option<usize> {
        let longest = LONGEST.min(site.limit);
        let filled = loop {
            let reach = self.reach.min(longest);
            let filled = with_vectors(window, &mut Fill { marks: &mut self.marks, start, site, reach });
            if filled.is_whole {
                self.reach = LONGEST.min(4 * self.reach);
            }
            // A tape that does not come to the end of its first property is of no use, but for a text.
            if filled.count > 1 || !filled.is_whole || filled.is_stopped || reach == longest {
                break filled;
            }
        };
        self.start = start;
        self.next = 0;
        self.count = filled.count;
        self.has_high_ends = filled.has_high_ends;
        (filled.count != 0).then(|| self.mark())
    }

    /// The values are framed in another way. All marks are ends by their bytes alone, too: `Framing::Value` finds the same.
    pub(crate) fn reframe(&mut self, framing: Framing) {
        if self.has_high_ends && framing != Framing::Value {
            self.clear();
        }
    }

    /// Gives up the tokens that were not taken.
    #[inline(always)]
    pub(crate) fn clear(&mut self) {
        if !self.is_empty() {
            self.reach = SHORTEST;
        }
        self.end();
    }

    /// Its last token is read in another way.
    #[inline(always)]
    pub(crate) fn end(&mut self) {
        self.next = 0;
        self.count = 0;
    }

    #[inline(always)]
    pub(crate) fn is_empty(&self) -> bool {
        self.next >= self.count
    }

    /// Is there nothing after the token that is next?
    #[inline(always)]
    pub(crate) fn is_last(&self) -> bool {
        self.next + 1 >= self.count
    }

    #[inline(always)]
    fn mark(&self) -> usize {
        self.start + usize::from(self.marks[self.next % LEN])
    }

    /// Passes a mark. Where the next one is.
    #[inline(always)]
    pub(crate) fn pass(&mut self) -> usize {
        self.next += 1;
        self.mark()
    }

    /// Passes the property at `at`, which is not the last token. Its values, and where the next token is.
    #[inline(always)]
    pub(crate) fn pass_values(&mut self, window: &[u8], at: usize) -> (Values, usize) {
        let mut close = self.pass();
        let mut after = self.pass();
        let one = window.get(after) != Some(&b']');
        if !one {
            (close, after) = self.pass_more(window, after);
        }
        (Values { ident_len: ident_len(window, at), end: close + 1, one }, after)
    }

    /// Passes the values after the first one, of which one ends at `close`. Where the last one ends, and where the next token is.
    #[cold]
    #[inline(never)]
    fn pass_more(&mut self, window: &[u8], mut close: usize) -> (usize, usize) {
        loop {
            let after = self.pass();
            if window.get(after) != Some(&b']') {
                return (close, after);
            }
            close = after;
        }
    }

    /// The next tape is to have few bytes, as what follows may not be read.
    pub(crate) fn be_short(&mut self) {
        self.reach = SHORTEST;
    }
}

/// The length of the identifier at `at`, which a `[` follows.
#[inline(always)]
fn ident_len(window: &[u8], at: usize) -> usize {
    // Without a branch between the lengths of most: which of them comes next is not foreseen.
    match window.get(at + 1..at + 3) {
        Some(&[second, third]) if (second == b'[') | (third == b'[') => 2 - usize::from(second == b'['),
        _ => long_ident_len(window, at),
    }
}

#[cold]
#[inline(never)]
fn long_ident_len(window: &[u8], at: usize) -> usize {
    window[at..].iter().take_while(|&&byte| byte != b'[').count()
}

/// The length of the identifier at `at`, if it is plain and has its `[`.
pub(crate) fn plain_ident_len(window: &[u8], at: usize) -> Option<usize> {
    let near = &window[at..window.len().min(at + Tape::MIN_LIMIT)];
    let len = near.iter().position(|&byte| byte == b'[')?;
    is_plain_ident(&near[..len]).then_some(len)
}

/// Writes the marks of a tape.
struct Fill<'t> {
    marks: &'t mut [u16; LEN],
    start: usize,
    site: Site,
    reach: usize,
}

struct Filled {
    count: usize,
    /// It came to its full length.
    is_whole: bool,
    /// No tape can go on after its last token.
    is_stopped: bool,
    has_high_ends: bool,
}

impl Work<[u8]> for Fill<'_> {
    type Output = Filled;

    #[inline(always)]
    fn work<V: Vectors>(&mut self, window: &[u8], vectors: V) -> Filled {
        let Self { site, start: first, reach, .. } = *self;
        let marks = &mut *self.marks;
        let mut walk = Walk::new(site.framing, site.child);
        let mut open = site.open;
        let (mut count, mut start) = (0, first);
        let (mut texts, mut high_ends) = (0, 0);
        let mut short = [0; BLOCK];
        let (mut is_stopped, mut is_whole, mut has_moves) = (true, false, false);
        // 1 if the last block ends with a blank, or with a token that a gap may follow.
        let (mut was_blank, mut was_token) = (0, 0);
        while let Some(rest) = window.get(start..) {
            if start - first + BLOCK > reach {
                is_whole = true;
                is_stopped = walk.carry.is_in_text();
                break;
            }
            let block = match rest.first_chunk() {
                Some(block) => block,
                None if rest.is_empty() => break,
                None => {
                    // NULs, which are not plain outside of values, and nothing inside.
                    short[..rest.len()].copy_from_slice(rest);
                    &short
                }
            };
            let Some(out) = marks[..LEN - 1].get_mut(count..).and_then(|free| free.first_chunk_mut()) else {
                is_stopped = false;
                break;
            };
            let maps = vectors.bitmaps(block);
            let mut passed = walk.pass(&maps, window, start);
            passed.faults |= passed.after_word & !(passed.found.words | maps.open);
            high_ends |= passed.found.high_ends;
            let signs = passed.left | passed.right;
            let mut gaps = 0;
            if !site.skips_blanks {
                let blanks = maps.blank & passed.found.outside_value;
                let tokens = passed.found.closes | passed.right | maps.semicolon & passed.found.outside;
                gaps = blanks & !(blanks << 1 | was_blank);
                passed.faults |= gaps & !(tokens << 1 | was_token);
                // Between the values of a property, they are no gap.
                passed.faults |= maps.open & passed.found.outside_value & (blanks << 1 | was_blank);
                (was_blank, was_token) = (blanks >> (BLOCK - 1), tokens >> (BLOCK - 1));
            }
            if signs != 0 {
                if !site.plain_parentheses {
                    passed.faults |= signs;
                }
                let closed = u64::from(passed.right.count_ones());
                if closed >= open
                    && let Some(end) = end_in(open, 1, passed.left, passed.right)
                {
                    // All after the end of the game.
                    passed.faults |= (u64::MAX << end) << 1;
                }
                open = (open + u64::from(passed.left.count_ones())).saturating_sub(closed);
            }
            let found = passed.found.tokens | passed.found.closes | gaps;
            let from = (start - first) as u16;
            if passed.faults != 0 {
                let found = found & !passed.faults & passed.faults.wrapping_sub(1);
                vectors.write(found, from, out);
                count += found.count_ones() as usize;
                break;
            }
            vectors.write(found, from, out);
            count += found.count_ones() as usize;
            if open == 0 {
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
            if walk.carry.is_in_text() {
                cold_path();
                texts = if found == 0 { texts + 1 } else { 0 };
                // The end of a longer one is found sooner by a search for it alone.
                let last = (first + reach).min(start + FAR * BLOCK);
                let next = if texts < FAR { leap(window, start, last, vectors) } else { None };
                match next {
                    Some(next) => start = next,
                    None => {
                        is_whole = true;
                        break;
                    }
                }
            }
        }
        // What follows the last property is not known, nor where the last gap ends.
        let byte = |mark: u16| window[first + usize::from(mark)];
        while count > 0 && matches!(byte(marks[count - 1]), b']' | ..=b' ') {
            count -= 1;
        }
        if count > 1 && byte(marks[count - 1]) > b')' && byte(marks[count - 2]) <= b' ' {
            // If that is no property, it belongs to the gap.
            count -= 2;
        } else if count > 1 && !is_stopped {
            count -= 1;
            if has_moves && byte(marks[count]) != b';' {
                count -= 1;
            }
        } else if count > 0 {
            marks[count] = marks[count - 1] + 1;
        }
        Filled { count, is_whole, is_stopped, has_high_ends: high_ends != 0 }
    }
}

/// Is the node at `at` a move that is recognised by eight bytes?
#[inline(always)]
fn is_move(window: &[u8], at: usize) -> bool {
    word_at(window, at).is_some_and(|word| look_at_move(word) != NodeLook::Other)
}
