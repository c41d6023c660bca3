//! Tokens one after another, with a run as its nodes and moves.

use super::{GameRecord, Token, TokenKind};
use crate::base::Problem;
use crate::event::Property;

/// Part of a game, in the order of the file.
///
/// ```
/// use sgfstream::SliceReader;
/// use sgfstream::record::{GameItem, GameReader};
///
/// let mut games = GameReader::new(SliceReader::new(b"(;B[aa];W[bb](;B[cc])(;B[dd]))"));
/// let game = games.next_game()?.expect("there is a game").expect("it is short");
/// let starts = game
///     .items(game.tokens())
///     .filter(|item| matches!(item, GameItem::VariationStart))
///     .count();
/// assert_eq!(starts, 3);
/// # Ok::<(), sgfstream::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum GameItem<'t> {
    /// `(`.
    VariationStart,
    /// `;`.
    Node,
    /// A property, with its token.
    Property(Token, Property<'t>),
    /// Problem in the file.
    Problem(&'t Problem),
    /// `)`.
    VariationEnd,
}

/// Iterator over the items of some tokens: see [`GameRecord::items`].
///
/// ```
/// use sgfstream::SliceReader;
/// use sgfstream::record::{GameItem, GameReader};
///
/// let mut games = GameReader::new(SliceReader::new(b"(;B[aa];W[bb](;B[cc]))"));
/// let game = games.next_game()?.expect("there is a game").expect("it is short");
/// let mut idents = Vec::new();
/// for item in game.items(game.main_line()) {
///     if let GameItem::Property(_, property) = item {
///         idents.push(property.ident().to_string());
///     }
/// }
/// assert_eq!(idents, ["B", "W", "B"]);
/// # Ok::<(), sgfstream::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct GameItems<'t> {
    game: GameRecord<'t>,
    tokens: std::slice::Iter<'t, Token>,
    /// The run that is being read.
    run: Token,
    /// Nodes of the run that are not read yet.
    left: usize,
    /// Whether the node of the next move of the run was returned.
    is_in_node: bool,
}

impl<'t> GameItems<'t> {
    pub(super) fn new(game: GameRecord<'t>, tokens: &'t [Token]) -> Self {
        Self {
            game,
            tokens: tokens.iter(),
            run: Token::default(),
            left: 0,
            is_in_node: false,
        }
    }

    #[inline]
    fn next_of_run(&mut self) -> GameItem<'t> {
        if !self.is_in_node {
            self.is_in_node = true;
            return GameItem::Node;
        }
        self.is_in_node = false;
        let token = self.run.of_run(self.run.nodes() - self.left);
        self.left -= 1;
        GameItem::Property(token, self.game.property(token))
    }
}

impl<'t> Iterator for GameItems<'t> {
    type Item = GameItem<'t>;

    #[inline]
    fn next(&mut self) -> Option<GameItem<'t>> {
        if self.left > 0 {
            return Some(self.next_of_run());
        }
        let token = *self.tokens.next()?;
        Some(match token.kind() {
            TokenKind::Open => GameItem::VariationStart,
            TokenKind::Close => GameItem::VariationEnd,
            TokenKind::Node => GameItem::Node,
            TokenKind::Move | TokenKind::Property => {
                GameItem::Property(token, self.game.property(token))
            }
            TokenKind::Problem => GameItem::Problem(self.game.problem_of(token)),
            TokenKind::Run => {
                (self.run, self.left) = (token, token.nodes());
                self.next_of_run()
            }
        })
    }
}
