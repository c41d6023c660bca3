//! A game.

use super::{GameItems, Node, Nodes, Token, TokenBuffer, TokenKind};
use crate::base::{Charset, CharsetSource, Problem, Severity, Span};
use crate::event::Property;
use crate::scan::Framing;

/// A game: its bytes, its tokens, its place in the input, and the problems that the reader found in
/// it.
///
/// Bytes between two tokens are blanks, or the reader dropped them and a problem names them. Tokens
/// are the same for every reader, however the bytes arrive.
///
/// ```
/// use sgfstream::SliceReader;
/// use sgfstream::record::GameReader;
///
/// let mut games = GameReader::new(SliceReader::new(
///     b"(;GM[1]PB[Ada];B[pd];W[dp]C[good](;B[qq])(;B[cc]))",
/// ));
/// let game = games.next_game()?.expect("there is a game").expect("it is short");
/// let root = game.root().expect("every game has a root");
/// let names: Vec<_> =
///     root.properties().map(|(_, property)| property.ident().to_string()).collect();
/// assert_eq!(names, ["GM", "PB"]);
/// assert_eq!(game.main_line_nodes().count(), 4);
/// assert_eq!(game.nodes().nth(2).map(|node| node.children().len()), Some(2));
/// # Ok::<(), sgfstream::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct GameRecord<'t> {
    bytes: &'t [u8],
    buffer: &'t TokenBuffer,
    start: u64,
}

impl<'t> GameRecord<'t> {
    pub(super) fn new(bytes: &'t [u8], buffer: &'t TokenBuffer, start: u64) -> Self {
        Self {
            bytes,
            buffer,
            start,
        }
    }

    pub(super) fn buffer(&self) -> &'t TokenBuffer {
        self.buffer
    }

    /// Returns the bytes, from `(` to `)`.
    #[must_use]
    #[inline(always)]
    pub fn as_bytes(&self) -> &'t [u8] {
        self.bytes
    }

    /// Returns the bytes of the game in the input.
    #[must_use]
    pub fn span(&self) -> Span {
        Span::new(self.start, self.start + self.bytes.len() as u64)
    }

    /// Returns the number of the game in the input, from 1.
    #[must_use]
    pub fn number(&self) -> u64 {
        self.buffer.number
    }

    /// Returns the charset of the texts.
    #[must_use]
    #[inline(always)]
    pub fn charset(&self) -> Charset {
        self.buffer.charset.0
    }

    /// Returns how the charset was determined.
    #[must_use]
    pub fn charset_source(&self) -> CharsetSource {
        self.buffer.charset.1
    }

    /// Returns all tokens in file order, with those that the reader inserted.
    #[must_use]
    #[inline(always)]
    pub fn tokens(&self) -> &'t [Token] {
        self.buffer.tokens()
    }

    /// Returns the tokens of the main line: all before the first `)`.
    #[must_use]
    pub fn main_line(&self) -> &'t [Token] {
        let tokens = self.tokens();
        let end = tokens
            .iter()
            .position(|token| token.kind() == TokenKind::Close);
        &tokens[..end.unwrap_or(tokens.len())]
    }

    /// Returns the tokens of the root's properties, and of the problems between them.
    #[must_use]
    pub fn root_tokens(&self) -> &'t [Token] {
        let tokens = self.tokens();
        let start = self.root_index().map_or(tokens.len(), |node| node + 1);
        let ends = |token: &Token| {
            !matches!(
                token.kind(),
                TokenKind::Move | TokenKind::Property | TokenKind::Problem
            )
        };
        let end = tokens[start..]
            .iter()
            .position(ends)
            .map_or(tokens.len(), |len| start + len);
        &tokens[start..end]
    }

    /// Returns the part of `tokens` after the root. `tokens` are all tokens of the game, or the
    /// tokens of its main line.
    #[must_use]
    pub fn after_root(&self, tokens: &'t [Token]) -> &'t [Token] {
        let start = self.root_index().map_or(tokens.len(), |node| node + 1);
        tokens
            .get(start + self.root_tokens().len()..)
            .unwrap_or_default()
    }

    /// Returns the root, or `None` if reading stopped before it.
    #[must_use]
    pub fn root(&self) -> Option<Node<'t>> {
        self.root_index().map(|token| Node::new(*self, token, 0))
    }

    /// Iterates over all nodes in the order of the file.
    #[must_use]
    pub fn nodes(&self) -> Nodes<'t> {
        Nodes::new(*self, 0..self.tokens().len())
    }

    /// Iterates over the nodes of the main line.
    #[must_use]
    pub fn main_line_nodes(&self) -> Nodes<'t> {
        Nodes::new(*self, 0..self.main_line().len())
    }

    /// Iterates over what some tokens of the game say, with a run as its nodes and moves.
    #[must_use]
    #[inline]
    pub fn items(&self, tokens: &'t [Token]) -> GameItems<'t> {
        GameItems::new(*self, tokens)
    }

    /// Returns the property of a token of kind [`TokenKind::Move`] or [`TokenKind::Property`].
    #[must_use]
    #[inline(always)]
    pub fn property(&self, token: Token) -> Property<'t> {
        let at = token.at();
        if token.is_move() {
            return Property::new(&self.bytes[at..at + 5], 1, Framing::Auto, true)
                .with_charset(self.charset());
        }
        let raw = &self.bytes[at..at + token.len()];
        let ident = token.ident_len().unwrap_or_else(|| {
            raw.iter()
                .take_while(|byte| byte.is_ascii_alphanumeric())
                .count() as u32
        });
        Property::new(raw, ident, token.framing(), token.is_marked()).with_charset(self.charset())
    }

    /// Returns the color, 1 or 2, and the point of the plain move at this place: see
    /// [`Token::places`].
    #[must_use]
    #[inline(always)]
    pub fn plain_move(&self, at: usize) -> (u8, [u8; 2]) {
        match self.bytes[at..] {
            [letter, _, column, row, ..] => (if letter == b'B' { 1 } else { 2 }, [column, row]),
            _ => (0, [0; 2]),
        }
    }

    /// Returns the problems of the game, and the problems of the bytes between it and the game
    /// before it.
    #[must_use]
    pub fn problems(&self) -> &'t [Problem] {
        self.buffer.problems()
    }

    /// Returns the problems of the bytes between this game and the game before it.
    #[must_use]
    pub fn problems_before(&self) -> &'t [Problem] {
        &self.problems()[..self.buffer.problems_before]
    }

    /// Returns the problem of a token of kind [`TokenKind::Problem`].
    #[must_use]
    pub fn problem_of(&self, token: Token) -> &'t Problem {
        &self.problems()[self.buffer.problems_before + token.len()]
    }

    /// Returns the numbers of problems of severity error and warning, in the game and in the bytes
    /// before it.
    #[must_use]
    pub fn faults(&self) -> (u64, u64) {
        let count = |severity| {
            self.problems()
                .iter()
                .filter(|problem| problem.severity() == severity)
                .count() as u64
        };
        (count(Severity::Error), count(Severity::Warning))
    }

    /// Returns the bytes of a token in the input. They are empty for a token that the reader
    /// inserted.
    #[must_use]
    pub fn span_of(&self, token: Token) -> Span {
        Span::new(
            self.start + token.at() as u64,
            self.start + self.end_of(token) as u64,
        )
    }

    /// Returns the place after a token, relative to the game.
    #[must_use]
    pub fn end_of(&self, token: Token) -> usize {
        let len = match token.kind() {
            TokenKind::Property => token.len(),
            TokenKind::Move => 5,
            TokenKind::Run => (token.len() - 1) * token.stride() + 6,
            TokenKind::Problem => 0,
            TokenKind::Open | TokenKind::Close | TokenKind::Node => usize::from(!token.is_marked()),
        };
        token.at() + len
    }

    /// Returns whether the game was read to its end.
    #[must_use]
    pub fn is_whole(&self) -> bool {
        self.tokens().first().is_some_and(|open| open.len() > 0)
    }

    fn root_index(&self) -> Option<usize> {
        self.tokens()
            .iter()
            .position(|token| token.kind() == TokenKind::Node)
    }
}
