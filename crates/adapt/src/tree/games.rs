//! Iterates over the games of a stream as trees.

use std::str::FromStr;

use sgfstream::record::GameReader;
use sgfstream::{Code, Error, EventReader, Limits, Options, Problem, Result, SliceReader};

use super::GameTree;
use super::memory::{MemoryFull, MemoryLimit};

impl GameTree {
    /// Parses the game in `bytes`. If there may be several games, use
    /// [`parse_all`](Self::parse_all), or [`Games`] to read one at a time.
    ///
    /// ```
    /// use sgfstream_adapt::GameTree;
    ///
    /// assert_eq!(GameTree::parse(b"mail: (;GM[1]) bye")?.node_count(), 1);
    /// let none = GameTree::parse(b"no game").expect_err("an error");
    /// assert_eq!(none.to_string(), "the input has no game");
    /// let two = GameTree::parse(b"(;GM[1])(;GM[2])").expect_err("an error");
    /// assert_eq!(two.to_string(), "expected one game, found 2");
    /// assert_eq!(GameTree::parse_all(b"(;GM[1])(;GM[2])")?.len(), 2);
    /// # Ok::<(), sgfstream::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns an error if there is no game, there are several games, or the game exceeds
    /// [`MemoryLimit::default`].
    pub fn parse(bytes: &[u8]) -> Result<Self> {
        let mut games = Games::of_bytes(bytes);
        let Some(tree) = games.next().transpose()? else {
            return Err(Error::other("the input has no game"));
        };
        let mut reader = games.into_reader();
        while reader.advance()? {
            reader.skip_game();
        }
        match reader.game() {
            1 => Ok(tree),
            count => Err(Error::other(format!("expected one game, found {count}"))),
        }
    }

    /// Parses all games in `bytes`, in order.
    ///
    /// # Errors
    ///
    /// Returns an error if a game exceeds [`MemoryLimit::default`].
    pub fn parse_all(bytes: &[u8]) -> Result<Vec<Self>> {
        Games::of_bytes(bytes).collect()
    }
}

impl<'b> Games<SliceReader<'b>> {
    /// Returns the games of `bytes`, which may have any length that a record can count.
    fn of_bytes(bytes: &'b [u8]) -> Self {
        let limits = Limits::default().with_game(usize::MAX);
        Self::new(SliceReader::with_options(
            bytes,
            Options::default().with_limits(limits),
        ))
    }
}

/// Parses one game, like [`GameTree::parse`].
///
/// ```
/// use sgfstream_adapt::GameTree;
///
/// let tree: GameTree = "(;GM[1];B[pd];W[dp])".parse()?;
/// assert_eq!(tree.node_count(), 3);
/// # Ok::<(), sgfstream::Error>(())
/// ```
impl FromStr for GameTree {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        Self::parse(text.as_bytes())
    }
}

/// Iterator over the games of a reader as trees, each within a [`MemoryLimit`].
///
/// ```
/// use sgfstream::SliceReader;
/// use sgfstream_adapt::Games;
///
/// let mut lengths = Vec::new();
/// for tree in Games::new(SliceReader::new(b"(;SZ[9];B[ee])(;SZ[13])")) {
///     lengths.push(tree?.main_line().count());
/// }
/// assert_eq!(lengths, [2, 1]);
/// # Ok::<(), sgfstream::Error>(())
/// ```
///
/// A game that exceeds the limit, or [`Limits::game`] of the reader, gives an error
/// ([`is_limit`](Error::is_limit)), and the iterator continues with the next game. After a read
/// error the iterator ends; [`next_game`](Self::next_game) tries to continue.
#[derive(Debug)]
pub struct Games<R> {
    games: GameReader<R>,
    tree: GameTree,
    limit: MemoryLimit,
    /// The iterator has returned a read error.
    has_failed: bool,
}

impl<R: EventReader> Games<R> {
    /// Returns the games of a reader, each within [`MemoryLimit::default`].
    #[must_use]
    pub fn new(reader: R) -> Self {
        Self::with_limit(reader, MemoryLimit::default())
    }

    /// Returns the games of a reader, each within `limit`.
    #[must_use]
    pub fn with_limit(reader: R, limit: MemoryLimit) -> Self {
        Self {
            games: GameReader::new(reader),
            tree: GameTree::empty(limit),
            limit,
            has_failed: false,
        }
    }

    /// Returns the next game, or `None` at the end of the input. The tree is valid until the next
    /// call, which reuses its memory.
    ///
    /// ```
    /// use sgfstream::SliceReader;
    /// use sgfstream_adapt::Games;
    ///
    /// let mut games = Games::new(SliceReader::new(b"(;SZ[9])(;SZ[13])"));
    /// let mut sizes = Vec::new();
    /// while let Some(tree) = games.next_game()? {
    ///     sizes.push(
    ///         tree.property(tree.root(), b"SZ").expect("a size").first().as_bytes().to_vec(),
    ///     );
    /// }
    /// assert_eq!(sizes, [b"9".to_vec(), b"13".to_vec()]);
    /// # Ok::<(), sgfstream::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns an error if reading fails; another call tries to continue with the same game. Also
    /// returns an error if a game exceeds the limit ([`MemoryFull`]); another call continues after
    /// that game.
    pub fn next_game(&mut self) -> Result<Option<&mut GameTree>> {
        self.clear_tree();
        let (err, start) = match self.games.next_game()? {
            None => return Ok(None),
            Some(Err(long)) => return Err(long.into()),
            Some(Ok(game)) => match self.tree.add_game(&game) {
                Ok(()) => return Ok(Some(&mut self.tree)),
                Err(full) => (Error::from(full), game.span().start),
            },
        };
        self.clear_tree();
        Err(err.at(Some(self.games.reader().position_of(start))))
    }

    fn clear_tree(&mut self) {
        self.tree.clear();
        // The iterator may have taken the last tree, including its limit.
        self.tree.set_memory_limit(self.limit);
    }

    /// Returns the game whose reading failed before its end, as far as it was read.
    #[must_use]
    pub fn partial(&mut self) -> Option<&mut GameTree> {
        let game = self
            .games
            .game()
            .filter(|game| !game.tokens().is_empty() && !game.is_whole())?;
        self.tree.clear();
        self.tree.add_game(&game).ok()?;
        Some(&mut self.tree)
    }

    /// Returns the problems between the last game and the one before it; at the end of input, those
    /// after the last game.
    ///
    /// ```
    /// use sgfstream::{Code, SliceReader};
    /// use sgfstream_adapt::Games;
    ///
    /// let mut games = Games::new(SliceReader::new(b"mail (;B[aa]) )"));
    /// assert!(games.next_game()?.is_some_and(|tree| tree.problems().is_empty()));
    /// assert_eq!(games.problems_outside()[0].code, Code::TextBeforeGame);
    /// assert!(games.next_game()?.is_none());
    /// assert_eq!(games.problems_outside()[0].code, Code::StrayParenthesis);
    /// # Ok::<(), sgfstream::Error>(())
    /// ```
    #[must_use]
    pub fn problems_outside(&self) -> &[Problem] {
        let Some(game) = self.games.game().filter(|game| !game.tokens().is_empty()) else {
            return self.games.trailing_problems();
        };
        match game.problems_before() {
            [outside @ .., last] if last.code == Code::MissingParenthesis => outside,
            outside => outside,
        }
    }

    /// Returns the reader, for example to ask for positions.
    #[must_use]
    pub fn reader(&self) -> &R {
        self.games.reader()
    }

    /// Returns the reader.
    #[must_use]
    pub fn into_reader(self) -> R {
        self.games.into_inner()
    }
}

impl<R: EventReader> Iterator for Games<R> {
    type Item = Result<GameTree>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.has_failed {
            return None;
        }
        let game = self.next_game().map(|tree| tree.map(std::mem::take));
        // A read error may repeat forever, so end after the first.
        self.has_failed = game
            .as_ref()
            .is_err_and(|err| !err.is_limit() && !err.is_problem() && !MemoryFull::is_in(err));
        game.transpose()
    }
}
