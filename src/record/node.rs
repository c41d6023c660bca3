//! Nodes of a game.

use std::ops::Range;

use super::{GameRecord, Token, TokenKind};
use crate::event::Property;

/// Node of a game: its token, and its number in a run.
///
/// ```
/// use sgfstream::SliceReader;
/// use sgfstream::record::GameReader;
///
/// let mut games = GameReader::new(SliceReader::new(b"(;GM[1];B[aa](;W[bb])(;W[cc]))"));
/// let game = games.next_game()?.expect("there is a game").expect("it is short");
/// let node = game.nodes().nth(1).expect("a second node");
/// assert_eq!(&game.as_bytes()[node.start()..][..6], b";B[aa]");
/// assert_eq!(node.children().len(), 2);
/// # Ok::<(), sgfstream::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Node<'t> {
    game: GameRecord<'t>,
    token: usize,
    number: usize,
}

/// Iterator over nodes in the order of the file.
///
/// ```
/// use sgfstream::SliceReader;
/// use sgfstream::record::GameReader;
///
/// let mut games = GameReader::new(SliceReader::new(b"(;GM[1];B[aa](;W[bb])(;W[cc]))"));
/// let game = games.next_game()?.expect("there is a game").expect("it is short");
/// assert_eq!((game.nodes().count(), game.main_line_nodes().count()), (4, 3));
/// # Ok::<(), sgfstream::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Nodes<'t> {
    game: GameRecord<'t>,
    token: usize,
    number: usize,
    /// Index of the token before which the nodes end.
    end: usize,
}

/// Iterator over the properties of a node, with their tokens.
///
/// ```
/// use sgfstream::SliceReader;
/// use sgfstream::record::GameReader;
///
/// let mut games = GameReader::new(SliceReader::new(b"(;GM[1]AB[aa][bb])"));
/// let game = games.next_game()?.expect("there is a game").expect("it is short");
/// let root = game.root().expect("every game has a root");
/// let values: Vec<_> =
///     root.properties().map(|(_, property)| property.value_count()).collect();
/// assert_eq!(values, [1, 2]);
/// # Ok::<(), sgfstream::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct NodeProperties<'t> {
    game: GameRecord<'t>,
    /// The move of a node of a run.
    first: Option<Token>,
    rest: std::slice::Iter<'t, Token>,
}

impl<'t> Node<'t> {
    pub(super) fn new(game: GameRecord<'t>, token: usize, number: usize) -> Self {
        Self {
            game,
            token,
            number,
        }
    }

    /// Returns the game that contains the node.
    #[must_use]
    pub fn game(&self) -> GameRecord<'t> {
        self.game
    }

    /// Returns the index of the node's token in [`GameRecord::tokens`]. All nodes of a run have the
    /// same token.
    #[must_use]
    pub fn token_index(&self) -> usize {
        self.token
    }

    /// Returns the place of the node's `;` in the bytes of the game.
    #[must_use]
    pub fn start(&self) -> usize {
        let token = self.token();
        token.at()
            + if token.kind() == TokenKind::Run {
                self.number * token.stride()
            } else {
                0
            }
    }

    /// Returns whether the reader inserted the `;`.
    #[must_use]
    pub fn is_inserted(&self) -> bool {
        self.token().is_inserted()
    }

    /// Iterates over the node's properties, with their tokens.
    #[must_use]
    #[inline]
    pub fn properties(&self) -> NodeProperties<'t> {
        let token = self.token();
        let first = (token.kind() == TokenKind::Run).then(|| token.of_run(self.number));
        let rest = if self.is_last_of_token() {
            &self.game.tokens()[self.token + 1..]
        } else {
            &[]
        };
        NodeProperties {
            game: self.game,
            first,
            rest: rest.iter(),
        }
    }

    /// Returns the bytes from the node's `;` to its last property, relative to the game.
    #[must_use]
    pub fn extent(&self) -> Range<usize> {
        let start = self.start();
        let mut end = start + usize::from(!self.is_inserted());
        for (token, _) in self.properties() {
            end = end.max(self.game.end_of(token));
        }
        start..end
    }

    /// Returns the child nodes: the node that follows, or the first node of each variation.
    #[must_use]
    pub fn children(&self) -> Vec<Node<'t>> {
        if !self.is_last_of_token() {
            return vec![Node {
                number: self.number + 1,
                ..*self
            }];
        }
        let tokens = self.game.tokens();
        let mut children = Vec::new();
        let mut at = self.token + 1;
        while let Some(token) = tokens.get(at) {
            match token.kind() {
                TokenKind::Node | TokenKind::Run => {
                    children.push(Node {
                        game: self.game,
                        token: at,
                        number: 0,
                    });
                    break;
                }
                TokenKind::Open => {
                    let first = tokens[at..].iter().position(|token| token.nodes() > 0);
                    children.extend(first.map(|first| Node {
                        game: self.game,
                        token: at + first,
                        number: 0,
                    }));
                    at = token.len();
                }
                TokenKind::Close => break,
                TokenKind::Move | TokenKind::Property | TokenKind::Problem => {}
            }
            at += 1;
        }
        children
    }

    fn token(&self) -> Token {
        self.game.tokens()[self.token]
    }

    fn is_last_of_token(&self) -> bool {
        self.number + 1 >= self.token().nodes()
    }
}

impl<'t> Nodes<'t> {
    pub(super) fn new(game: GameRecord<'t>, tokens: Range<usize>) -> Self {
        Self {
            game,
            token: tokens.start,
            number: 0,
            end: tokens.end,
        }
    }
}

impl<'t> Iterator for Nodes<'t> {
    type Item = Node<'t>;

    #[inline]
    fn next(&mut self) -> Option<Node<'t>> {
        while self.token < self.end {
            let (token, number) = (self.token, self.number);
            if number < self.game.tokens()[token].nodes() {
                self.number += 1;
                return Some(Node {
                    game: self.game,
                    token,
                    number,
                });
            }
            (self.token, self.number) = (token + 1, 0);
        }
        None
    }
}

impl<'t> Iterator for NodeProperties<'t> {
    type Item = (Token, Property<'t>);

    #[inline]
    fn next(&mut self) -> Option<(Token, Property<'t>)> {
        let token = match self.first.take() {
            Some(token) => token,
            None => loop {
                let token = *self.rest.next()?;
                match token.kind() {
                    TokenKind::Property | TokenKind::Move => break token,
                    TokenKind::Problem => {}
                    TokenKind::Node | TokenKind::Run | TokenKind::Open | TokenKind::Close => {
                        self.rest = [].iter();
                        return None;
                    }
                }
            },
        };
        Some((token, self.game.property(token)))
    }
}
