//! Loops that write common input into the buffer of a game, without making events.

use super::{Cursor, Mode};
use crate::event::{Event, Flow, Property};
use crate::scan::{LIST, NodeShape, is_about_game, look_at_move, may_be_about_game, word_at};
use crate::tokens::{Token, TokenBuffer, TokenKind};

impl Cursor {
    /// Implements [`EventSource::fill_common`](crate::read::reader::EventSource::fill_common).
    #[inline(never)]
    pub(in crate::read) fn fill_common(
        &mut self,
        window: &[u8],
        buffer: &mut TokenBuffer,
    ) -> Option<Flow> {
        // Where a game goes over the budget, its `)` may be on the token list already. Only a step
        // takes it from there.
        if self.skip_to.is_some() || buffer.is_empty() || buffer.is_over {
            return None;
        }
        loop {
            if self.tokens.next < self.tokens.count {
                match self.fill_tokens(window, buffer) {
                    Flow::Go => {}
                    // The charset of the game is unknown, or only the parser can read a property
                    // of the root.
                    Flow::SkipVariation => return None,
                    flow => return Some(flow),
                }
                if self.tokens.next < self.tokens.count {
                    return None;
                }
            }
            if self.tokens.count != 0 {
                self.leave_tokens(window);
            }
            if !matches!(
                self.mode,
                Mode::Node | Mode::Open | Mode::Root | Mode::Child
            ) {
                return None;
            }
            if self.mode != Mode::Child {
                self.fill_runs(window, buffer);
                // Where reading stops soon, nodes with a line feed after them leave room for more.
                while buffer.left < 1 << 16 && buffer.left > 1 && self.fill_runs(window, buffer) {}
                if buffer.left == 1 && self.fill_last_node(window, buffer) {
                    return Some(Flow::Stop);
                }
            }
            if self.begin_tokens(window).is_none() {
                self.fill_doubtful(window, buffer)?;
                if self.mode == Mode::Slow {
                    return None;
                }
            }
        }
    }

    /// Takes a property that may be about its game, or whose end is not on the token list.
    #[inline(never)]
    fn fill_doubtful(&mut self, window: &[u8], buffer: &mut TokenBuffer) -> Option<()> {
        self.doubtful_step(window).map(|token| {
            if let Event::Property(property) = self.common_event(window, token) {
                buffer.take_property(&property, self.span().start - buffer.base);
            }
        })
    }

    /// Writes the tokens of the list into the buffer, up to one that only the parser can read.
    #[inline(never)]
    fn fill_tokens(&mut self, window: &[u8], buffer: &mut TokenBuffer) -> Flow {
        if self.mode == Mode::OpenGame && self.parser.detects {
            return Flow::SkipVariation;
        }
        let (count, first) = (self.tokens.count, self.tokens.next);
        if buffer.tokens.len() - buffer.len < count - first {
            buffer.make_room(count - first);
        }
        if buffer.is_over {
            return Flow::SkipGame;
        }
        let start = self.tokens.start();
        // Where the list begins in the game. It may begin before the game, so sums with it wrap.
        let rel = (self.parser.machine.base() + start as u64).wrapping_sub(buffer.base);
        let mut at = Progress {
            next: first,
            len: buffer.len,
            inner: buffer.open,
            open: self.open,
            left: 0,
        };
        let mut in_root = buffer.in_root;
        if self.mode == Mode::OpenGame {
            buffer.begin_root();
            in_root = true;
            buffer.tokens[at.len] = Token::new(
                TokenKind::Node,
                rel.wrapping_add((self.tokens.place(first) - start) as u64),
                0,
            );
            (at.len, at.next) = (at.len + 1, first + 1);
        }
        let mut is_stuck = false;
        while in_root && at.next < count {
            let list = self.tokens.marks();
            at = fill_list::<true, false>(
                list,
                count,
                &window[start..],
                rel,
                Token::one_value(self.framing),
                &mut buffer.tokens,
                at,
            );
            if at.next == count {
                break;
            }
            in_root =
                self.tokens.kind(at.next) > b';' || self.tokens.kind(at.next).is_ascii_digit();
            if in_root && !self.fill_about_game(window, buffer, rel, &mut at) {
                is_stuck = true;
                break;
            }
            if self.tokens.count == 0 {
                // Begin another list behind this property, because it has changed the framing.
                (buffer.len, buffer.in_root) = (at.len, true);
                return Flow::Go;
            }
        }
        let mut flow = Flow::Go;
        if !in_root && at.next < count {
            let list = self.tokens.marks();
            let (text, fields) = (&window[start..], Token::one_value(self.framing));
            if buffer.left > usize::MAX / 2 {
                at = fill_list::<false, false>(
                    list,
                    count,
                    text,
                    rel,
                    fields,
                    &mut buffer.tokens,
                    at,
                );
            } else {
                at.left = buffer.left;
                at = fill_list::<false, true>(
                    list,
                    count,
                    text,
                    rel,
                    fields,
                    &mut buffer.tokens,
                    at,
                );
                buffer.left = at.left;
                if at.left == 0 {
                    flow = Flow::Stop;
                }
            }
        }
        self.tokens.next = at.next;
        self.open = at.open;
        (buffer.len, buffer.open, buffer.in_root) = (at.len, at.inner, in_root);
        if at.next > first {
            self.mode = match self.tokens.kind(at.next - 1) {
                b'(' => Mode::Open,
                b')' if at.open == 0 => Mode::Outside,
                b')' => Mode::Child,
                _ if in_root => Mode::Root,
                _ => Mode::Node,
            };
            self.place_by_tokens();
            if at.open == 0 {
                buffer.finish(
                    buffer.base.wrapping_add(rel)
                        + (self.tokens.place(at.next - 1) - start) as u64
                        + 1,
                );
                return Flow::Stop;
            }
        }
        if is_stuck { Flow::SkipVariation } else { flow }
    }

    /// Takes a property of the root that may be about its game. Returns false if the parser has to
    /// read it.
    #[inline(never)]
    fn fill_about_game(
        &mut self,
        window: &[u8],
        buffer: &mut TokenBuffer,
        rel: u64,
        at: &mut Progress,
    ) -> bool {
        let (place, framing) = (self.tokens.place(at.next), self.framing);
        let (values, after) = self.tokens.property(place, at.next);
        if self.root_property(window, place, values).is_none() {
            return false;
        }
        let property = Property::new(
            &window[place..values.end],
            values.ident_len as u32,
            self.framing,
            values.count == 1,
        );
        buffer.tokens[at.len] = Token::property(
            &property,
            rel.wrapping_add((place - self.tokens.start()) as u64),
        );
        (at.len, at.next) = (at.len + 1, after);
        if framing != self.framing && !self.tokens.holds(self.framing) {
            self.tokens.next = after;
            self.mode = Mode::Root;
            self.take(place, values.end);
            self.leave_tokens(window);
            self.is_cut = false;
        }
        true
    }

    /// Writes runs of nodes with a single move into the buffer.
    #[inline(never)]
    fn fill_runs(&mut self, window: &[u8], buffer: &mut TokenBuffer) -> bool {
        let rel = self.parser.machine.base().wrapping_sub(buffer.base);
        let mut at = self.at;
        // A node has six bytes or more, so that no more nodes than may be read are in this window.
        let room = buffer
            .left
            .saturating_sub(2)
            .saturating_mul(6)
            .saturating_add(8);
        let window =
            &window[..window
                .len()
                .min(at.saturating_add(if buffer.left > 1 { room } else { 0 }))];
        let (mut nodes, mut last, mut may_join) = (0, 0, true);
        while let Some(first) = plain_node(window, at) {
            let start = at;
            let (mut count, stride);
            if first == NodeShape::Move {
                at = skip_nodes::<6>(window, at + 6, NodeShape::Move);
                (count, stride) = ((at - start) / 6, 6);
            } else {
                at = skip_nodes::<7>(window, at + 7, NodeShape::MoveAndBlank);
                (count, stride) = ((at - start) / 7, 7);
            }
            last = at - stride;
            // The last node of a run may have another distance to the next.
            if let Some(shape) = plain_node(window, at) {
                count += 1;
                last = at;
                at += if shape == NodeShape::Move { 6 } else { 7 };
            }
            let place = rel.wrapping_add(start as u64);
            if may_join {
                buffer.push_run(place, count as u64, stride as u64);
                may_join = buffer.ends_with_node();
            } else {
                // Two nodes or more are before it, at another distance.
                buffer.push(Token::run(
                    place,
                    count as u64,
                    if count == 1 { 6 } else { stride as u64 },
                ));
            }
            nodes += count;
        }
        if nodes > 0 {
            buffer.left -= nodes;
            buffer.in_root = false;
            (self.mode, self.at) = (Mode::Node, at);
            self.take(last + 1, last + 6);
        }
        nodes > 0
    }

    /// Takes the `;` of a node with a single move, before which reading stops.
    #[cold]
    fn fill_last_node(&mut self, window: &[u8], buffer: &mut TokenBuffer) -> bool {
        let Some(shape) = plain_node(window, self.at) else {
            return false;
        };
        buffer.push(Token::new(
            TokenKind::Node,
            (self.parser.machine.base() + self.at as u64).wrapping_sub(buffer.base),
            0,
        ));
        (buffer.left, buffer.in_root) = (0, false);
        self.mode = if shape == NodeShape::Move {
            Mode::Move
        } else {
            Mode::MoveAndBlank
        };
        self.take(self.at, self.at + 1);
        self.at += 1;
        true
    }
}

/// Returns the shape of the node at `at`, if eight bytes identify it as a plain move.
#[inline(always)]
fn plain_node(window: &[u8], at: usize) -> Option<NodeShape> {
    let word = word_at(window, at)?;
    let shape = look_at_move(word);
    (shape != NodeShape::Other && is_move_letter(word)).then_some(shape)
}

/// Returns whether the second byte, one of the eight of [`look_at_move`], is `B` or `W`. `C[ab]`
/// has the shape of a move, too.
#[inline(always)]
fn is_move_letter(word: u64) -> bool {
    (word ^ word >> 2) & 0x500 == 0
}

/// Skips nodes of this shape.
#[inline(always)]
fn skip_nodes<const STRIDE: usize>(window: &[u8], at: usize, shape: NodeShape) -> usize {
    let mut rest = window.get(at..).unwrap_or_default();
    let len = rest.len();
    while let Some(word) = rest.first_chunk() {
        let word = u64::from_le_bytes(*word);
        if look_at_move(word) != shape || !is_move_letter(word) {
            break;
        }
        rest = &rest[STRIDE..];
    }
    at + len - rest.len()
}

/// How far a token list was written into a buffer.
#[derive(Clone, Copy)]
struct Progress {
    /// The next mark.
    next: usize,
    /// Number of tokens.
    len: usize,
    /// Index of the innermost open `(`.
    inner: usize,
    /// Number of open variations.
    open: u64,
    /// Number of nodes up to the one at which reading stops, if that is limited.
    left: usize,
}

/// Writes the tokens of a list up to the mark `end`, or to the end of the game. In a root, it stops
/// before the next node or parenthesis, and before a property that may be about the game. It has no
/// other state than its arguments, so that all of it stays in registers.
#[inline(never)]
fn fill_list<const ROOT: bool, const LIMITED: bool>(
    (places, kinds): (&[u16; LIST], &[u8; LIST]),
    end: usize,
    text: &[u8],
    rel: u64,
    one_value: u64,
    out: &mut [Token],
    from: Progress,
) -> Progress {
    let Progress {
        mut next,
        mut len,
        mut inner,
        mut open,
        mut left,
    } = from;
    // Stop before the last marks of a full list, because each step looks at the marks after its
    // own. The caller reads them one by one.
    let end = end.min(LIST - 4);
    while next < end {
        let (byte, place) = (kinds[next], places[next]);
        let at = rel.wrapping_add(u64::from(place));
        let token;
        if byte > b';' {
            let (name, mut close, mut after) =
                (places[next + 1] - place, places[next + 2], next + 3);
            if ROOT && may_be_about_game(byte) && name == 2 {
                let ident = text.get(usize::from(place)..).unwrap_or_default();
                if is_about_game(&ident[..ident.len().min(3)]) {
                    break;
                }
            }
            let mut kind = one_value;
            if kinds[after] == b']' {
                while kinds[after % LIST] == b']' {
                    after += 1;
                }
                close = places[(after - 1) % LIST];
                kind = Token::with_values(one_value, after - next - 2);
            } else if name == 1 && close == place.wrapping_add(4) && matches!(byte, b'B' | b'W') {
                next = after;
                len = put_move(out, len, at, ROOT);
                continue;
            }
            let second = if name == 2 {
                text.get(usize::from(place) + 1).copied().unwrap_or(0)
            } else {
                b'@'
            };
            let key = if name <= 2 {
                Token::key_of_letters(byte, second)
            } else {
                0
            };
            token = Token::short(kind, at, u64::from(close - place) + 1, key);
            next = after;
        } else if ROOT {
            if !byte.is_ascii_digit() {
                break;
            }
            // An identifier that begins with a digit.
            (token, next) = property_with_digit((places, kinds), next, at, one_value);
        } else if byte == b';' {
            if LIMITED {
                left -= 1;
            }
            let is_plain = next + 3 < end
                && (!LIMITED || left != 0)
                && matches!(kinds[next + 1], b'B' | b'W')
                && places[next + 1] == place.wrapping_add(1)
                && places[next + 2] == place.wrapping_add(2)
                && places[next + 3] == place.wrapping_add(5)
                && kinds[next + 4] != b']';
            if is_plain {
                next += 4;
                len = put_node(out, len, at);
                continue;
            }
            next += 1;
            token = Token::new(TokenKind::Node, at, 0);
            if LIMITED && left == 0 {
                if let Some(free) = out.get_mut(len) {
                    *free = token;
                }
                len += 1;
                break;
            }
        } else if byte == b')' {
            next += 1;
            if let Some(before) = out.get_mut(inner) {
                inner = before.len();
                *before = before.with_len(len as u64);
            }
            open -= 1;
            if open == 0 {
                if let Some(free) = out.get_mut(len) {
                    *free = Token::new(TokenKind::Close, at, 0);
                }
                len += 1;
                break;
            }
            token = Token::new(TokenKind::Close, at, 0);
        } else if byte == b'(' {
            next += 1;
            open += 1;
            token = Token::new(TokenKind::Open, at, inner as u64);
            inner = len;
        } else {
            (token, next) = property_with_digit((places, kinds), next, at, one_value);
        }
        if let Some(free) = out.get_mut(len) {
            *free = token;
        }
        len += 1;
    }
    Progress {
        next,
        len,
        inner,
        open,
        left,
    }
}

/// Returns the property whose identifier begins with a digit, and the mark after it.
#[cold]
fn property_with_digit(
    (places, kinds): (&[u16; LIST], &[u8; LIST]),
    next: usize,
    at: u64,
    one_value: u64,
) -> (Token, usize) {
    let mut after = next + 3;
    while kinds[after % LIST] == b']' {
        after += 1;
    }
    let len = u64::from(places[(after - 1) % LIST] - places[next]) + 1;
    (
        Token::short(Token::with_values(one_value, after - next - 2), at, len, 0),
        after,
    )
}

/// Adds a node of a plain move. Returns the number of tokens.
#[inline(always)]
fn put_node(out: &mut [Token], len: usize, at: u64) -> usize {
    if let Some(last) = out.get_mut(len.wrapping_sub(1))
        && let Some(longer) = last.with_node(at)
    {
        *last = longer;
        return len;
    }
    if let Some(free) = out.get_mut(len) {
        *free = Token::run(at, 1, 6);
    }
    len + 1
}

/// Adds a move; together with its node if that was the end of the list before. Returns the number
/// of tokens.
#[cold]
#[inline(never)]
fn put_move(out: &mut [Token], len: usize, at: u64, in_root: bool) -> usize {
    let node = Token::new(TokenKind::Node, at.wrapping_sub(1), 0);
    if !in_root && len > 0 && out.get(len - 1) == Some(&node) {
        return put_node(out, len - 1, at - 1);
    }
    if let Some(free) = out.get_mut(len) {
        *free = Token::new(TokenKind::Move, at, 0);
    }
    len + 1
}
