//! The stored form of a game: all that a reader found out, so that the game need not be read again
//! out of its file.

use super::{GameRecord, OwnedGame, Token, TokenBuffer, TokenKind};
use crate::base::{Charset, CharsetSource, Code, Problem, Span};

impl GameRecord<'_> {
    /// Appends the stored form of the game to `out`: bytes, tokens, charset, offset and problems,
    /// but not its number and its line. [`OwnedGame::load`] returns the same game, as it was read
    /// in its file.
    ///
    /// The form may change with each version of this crate.
    ///
    /// ```
    /// use sgfstream::SliceReader;
    /// use sgfstream::record::{GameReader, OwnedGame};
    ///
    /// let mut games =
    ///     GameReader::new(SliceReader::new(b"\xEF\xBB\xBFmail (;B[pd];W[dp]C[cut (;FF[4]GM[1])"));
    /// let game = games.next_game()?.expect("there is a game").expect("it is short");
    /// let (mut stored, mut copy) = (Vec::new(), OwnedGame::default());
    /// game.store(&mut stored);
    /// assert!(copy.load(&stored, game.number()));
    /// let copy = copy.record();
    /// assert_eq!(
    ///     (copy.span(), copy.tokens(), copy.problems()),
    ///     (game.span(), game.tokens(), game.problems())
    /// );
    /// assert_eq!(copy.charset_source(), sgfstream::CharsetSource::Bom);
    /// # Ok::<(), sgfstream::Error>(())
    /// ```
    pub fn store(&self, out: &mut Vec<u8>) {
        let (charset, source) = self.buffer().charset;
        push_number(out, self.as_bytes().len() as u64);
        out.extend_from_slice(self.as_bytes());
        out.extend_from_slice(&[charset.number(), source as u8]);
        push_number(out, self.span().start);
        let counts = [
            self.tokens().len(),
            self.problems().len(),
            self.problems_before().len(),
        ];
        counts
            .into_iter()
            .for_each(|count| push_number(out, count as u64));
        for problem in self.problems() {
            out.push(problem.code as u8);
            push_number(out, problem.span.start);
            push_number(out, problem.span.len());
        }
        let mut end = 0;
        for &token in self.tokens() {
            push_token(out, token, self.as_bytes(), end);
            end = end_after(self, token, end);
        }
    }
}

impl OwnedGame {
    /// Returns the bytes of a stored game without its tokens, or `None` if `stored` is too short.
    #[must_use]
    pub fn stored_bytes(mut stored: &[u8]) -> Option<&[u8]> {
        take_game(&mut stored)
    }

    /// Becomes the game that [`GameRecord::store`] has stored, with this number. Returns false if
    /// the bytes are no stored game; the game is then empty.
    pub fn load(&mut self, stored: &[u8], number: u64) -> bool {
        let is_game = self.parse(stored, number).is_some() && is_consistent(&self.record());
        if !is_game {
            *self = Self::default();
        }
        is_game
    }

    fn parse(&mut self, mut stored: &[u8], number: u64) -> Option<()> {
        let rest = &mut stored;
        let bytes = take_game(rest)?;
        let (charset, source) = (take_byte(rest)?, take_byte(rest)?);
        let charset = (
            Charset::of_number(charset)?,
            *CharsetSource::ALL.get(usize::from(source))?,
        );
        let base = take_number(rest)?;
        let [tokens, problems, problems_before] = [(); 3].map(|()| take_number(rest));
        let (tokens, problems) = (usize::try_from(tokens?).ok()?, problems?);
        let buffer = &mut self.buffer;
        buffer.problems.clear();
        for _ in 0..problems {
            let code = *Code::ALL.get(usize::from(take_byte(rest)?))?;
            let start = take_number(rest)?;
            let end = start.checked_add(take_number(rest)?)?;
            buffer
                .problems
                .push(Problem::new(code, Span::new(start, end)));
        }
        self.bytes.clear();
        self.bytes.extend_from_slice(bytes);
        buffer.tokens.clear();
        (buffer.len, buffer.base) = (0, base);
        let (mut end, mut opened) = (0, Vec::new());
        for index in 0..tokens {
            let token = take_token(rest, bytes, end)
                .filter(|token| token.kind() != TokenKind::Run || token.len() > 0)?;
            self.buffer.tokens.push(token);
            end = end_after(&self.record(), token, end);
            match token.kind() {
                TokenKind::Open => opened.push(index),
                TokenKind::Close => {
                    let open = self.buffer.tokens.get_mut(opened.pop()?)?;
                    *open = open.with_len(index as u64);
                }
                _ => {}
            }
        }
        if !rest.is_empty() {
            return None;
        }
        let buffer = &mut self.buffer;
        let problems_before = usize::try_from(problems_before?).ok()?;
        let TokenBuffer {
            len: count,
            problems_before: before,
            base: start,
            end,
            ..
        } = buffer;
        (*count, *before, *start, *end) = (
            tokens,
            problems_before,
            base,
            base.checked_add(bytes.len() as u64)?,
        );
        (buffer.number, buffer.charset) = (number, charset);
        (problems_before <= buffer.problems.len()).then_some(())
    }

    /// Adds problems before the game that another part of the input has: those after its last game.
    pub fn add_problems_before(&mut self, problems: &[Problem]) {
        self.buffer.problems.splice(..0, problems.iter().copied());
        self.buffer.problems_before += problems.len();
    }
}

/// Returns whether the tokens lie in the bytes of the game, and whether those that name another one
/// name such a one.
fn is_consistent(game: &GameRecord<'_>) -> bool {
    let (tokens, bytes) = (game.tokens(), game.as_bytes());
    let problems = game.problems().len() - game.problems_before().len();
    let mut depth = 0_usize;
    for (index, &token) in tokens.iter().enumerate() {
        let is_inside = match token.kind() {
            TokenKind::Problem => {
                if token.len() >= problems {
                    return false;
                }
                continue;
            }
            TokenKind::Open => {
                depth += 1;
                let close = tokens.get(token.len()).filter(|_| token.len() > index);
                close.is_some_and(|close| close.kind() == TokenKind::Close)
            }
            TokenKind::Close => depth > 0,
            TokenKind::Property => has_brackets(bytes, token),
            TokenKind::Move | TokenKind::Node | TokenKind::Run => depth > 0,
        };
        depth -= usize::from(token.kind() == TokenKind::Close && is_inside);
        if !is_inside || game.end_of(token) > bytes.len() || depth == 0 && index + 1 < tokens.len()
        {
            return false;
        }
    }
    depth == 0 && !tokens.is_empty()
}

/// Returns whether a property has room for its brackets. A property that the end of the input cut
/// has only the first one.
fn has_brackets(bytes: &[u8], token: Token) -> bool {
    let raw = bytes
        .get(token.at()..)
        .and_then(|rest| rest.get(..token.len()))
        .unwrap_or_default();
    let written = raw
        .iter()
        .take_while(|byte| byte.is_ascii_alphanumeric())
        .count();
    let ident = token.ident_len().map_or(written, |len| len as usize);
    ident + 1 + usize::from(token.is_marked()) <= raw.len()
}

/// Returns the place after a token, from which the place of the next one counts.
fn end_after(game: &GameRecord<'_>, token: Token, end: usize) -> usize {
    if token.kind() == TokenKind::Problem {
        end
    } else {
        game.end_of(token)
    }
}

/// Kind of a token whose bits follow as they are.
const RAW: u8 = 7;

/// Distance of a token from the end of the last one that follows as a number.
const FAR: u8 = 3;

/// Appends a token: its kind, its distance from the end of the token before, and its mark in one
/// byte; then the fields that the bytes of the game do not show. The index of the `)` of a `(` is
/// left out.
fn push_token(out: &mut Vec<u8>, token: Token, bytes: &[u8], end: usize) {
    let (start, kind) = (out.len(), token.kind());
    let distance = token.at() as i64 - end as i64;
    let near = u8::try_from(distance).unwrap_or(FAR).min(FAR);
    let framing = if kind == TokenKind::Property {
        (token.bits() & 3) as u8
    } else {
        0
    };
    out.push(kind as u8 | u8::from(token.is_marked()) << 3 | near << 4 | framing << 6);
    if near == FAR {
        push_number(out, ((distance << 1) ^ (distance >> 63)) as u64);
    }
    match kind {
        TokenKind::Run | TokenKind::Problem | TokenKind::Property => {
            push_number(out, token.len() as u64)
        }
        _ => {}
    }
    match (kind, token.values()) {
        (TokenKind::Run, _) if token.len() > 1 => out.push(token.stride() as u8),
        (TokenKind::Property, Some(values)) if !token.is_marked() => out.push(values as u8),
        (TokenKind::Property, None) if !token.is_marked() => out.push(u8::MAX),
        _ => {}
    }
    let expected = if kind == TokenKind::Open {
        token.with_len(0)
    } else {
        token
    };
    if take_token(&mut &out[start..], bytes, end) != Some(expected) {
        out.truncate(start);
        out.push(RAW);
        out.extend_from_slice(&token.bits().to_le_bytes());
    }
}

/// Returns the next token of a game with these bytes, and removes it from `stored`.
fn take_token(stored: &mut &[u8], bytes: &[u8], end: usize) -> Option<Token> {
    const KINDS: [TokenKind; 7] = [
        TokenKind::Open,
        TokenKind::Close,
        TokenKind::Node,
        TokenKind::Move,
        TokenKind::Run,
        TokenKind::Problem,
        TokenKind::Property,
    ];
    let head = take_byte(stored)?;
    let Some(&kind) = KINDS.get(usize::from(head & 7)) else {
        return Some(Token::of_bits(u64::from_le_bytes(
            *take_bytes(stored, 8)?.first_chunk()?,
        )));
    };
    let (is_marked, mut distance) = (head & 8 != 0, i64::from(head >> 4 & 3));
    if distance == i64::from(FAR) {
        let number = take_number(stored)?;
        distance = (number >> 1) as i64 ^ -((number & 1) as i64);
    }
    let at = (end as u64)
        .checked_add_signed(distance)
        .filter(|&at| at <= bytes.len() as u64)?;
    let mut len = || take_number(stored).filter(|&len| len <= bytes.len() as u64);
    Some(match kind {
        TokenKind::Run => {
            let count = len()?;
            Token::run(
                at,
                count,
                if count > 1 {
                    u64::from(take_byte(stored)? & 31)
                } else {
                    6
                },
            )
        }
        TokenKind::Problem => Token::new(kind, at, len()?),
        TokenKind::Property => {
            let len = len()?;
            let raw = bytes.get(at as usize..)?.get(..len as usize)?;
            let ident = raw
                .iter()
                .take_while(|byte| byte.is_ascii_alphanumeric())
                .count();
            let values = if is_marked {
                1
            } else {
                u64::from(take_byte(stored)?)
            };
            Token::of_fields(
                u64::from(head >> 6),
                at,
                len,
                Token::key_of(&raw[..ident]),
                values,
                is_marked,
            )
        }
        _ => Token::new(kind, at, 0).inserted(is_marked),
    })
}

/// Appends a number, seven bits in a byte.
fn push_number(out: &mut Vec<u8>, mut number: u64) {
    while number > 0x7F {
        out.push(number as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

/// Takes the bytes of the game, which are first.
fn take_game<'b>(stored: &mut &'b [u8]) -> Option<&'b [u8]> {
    let len = usize::try_from(take_number(stored)?).ok()?;
    take_bytes(stored, len)
}

fn take_byte(bytes: &mut &[u8]) -> Option<u8> {
    take_bytes(bytes, 1).map(|bytes| bytes[0])
}

fn take_bytes<'b>(bytes: &mut &'b [u8], len: usize) -> Option<&'b [u8]> {
    let (first, rest) = bytes.split_at_checked(len)?;
    *bytes = rest;
    Some(first)
}

fn take_number(bytes: &mut &[u8]) -> Option<u64> {
    let mut number = 0;
    for shift in (0..u64::BITS).step_by(7) {
        let byte = take_byte(bytes)?;
        number |= u64::from(byte & 0x7F) << shift;
        if byte < 0x80 {
            return Some(number);
        }
    }
    None
}
