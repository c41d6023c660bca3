//! Iterates over the games of a stream as trees.

use std::str::FromStr;

use sgfstream::{Error, ErrorKind, Event, EventReader, Problem, Result, SliceReader};

use super::build::EventPlace;
use super::memory::MemoryLimit;
use super::{GameTree, TreeBuilder};

impl GameTree {
    /// Parses the game in `bytes`. If there may be several games, use [`parse_all`](Self::parse_all), or [`Games`] to read
    /// one at a time.
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
    /// Returns an error if there is no game, there are several games, or the game exceeds [`MemoryLimit::default`].
    pub fn parse(bytes: &[u8]) -> Result<Self> {
        let mut games = Games::new(SliceReader::new(bytes));
        let other = |message: String| Err(Error::new(ErrorKind::Other(message), None));
        let Some(tree) = games.next().transpose()? else { return other("the input has no game".to_owned()) };
        let mut reader = games.into_reader();
        while reader.advance()? {
            reader.skip_game();
        }
        match reader.game() {
            1 => Ok(tree),
            count => other(format!("expected one game, found {count}")),
        }
    }

    /// Parses all games in `bytes`, in order.
    ///
    /// # Errors
    ///
    /// Returns an error if a game exceeds [`MemoryLimit::default`].
    pub fn parse_all(bytes: &[u8]) -> Result<Vec<Self>> {
        Games::new(SliceReader::new(bytes)).collect()
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
/// A game that exceeds the limit gives an error ([`is_limit`](Error::is_limit)), and the iterator continues with the next
/// game. After a read error the iterator ends; [`next_game`](Self::next_game) tries to continue.
#[derive(Debug)]
pub struct Games<R> {
    reader: R,
    builder: TreeBuilder,
    limit: MemoryLimit,
    outside: Vec<Problem>,
    outside_count: u64,
    phase: Phase,
    /// The iterator has returned a read error.
    has_failed: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    /// The next event is the first one after a game.
    Between,
    /// Reading failed; the next call continues with the same game.
    Interrupted,
    /// The game was too large; the next call skips to its end.
    Dropping,
}

/// Maximum number of problems between two games to remember.
const OUTSIDE_KEPT: usize = 1 << 16;

impl<R: EventReader> Games<R> {
    /// Returns the games of a reader, each within [`MemoryLimit::default`].
    #[must_use]
    pub fn new(reader: R) -> Self {
        Self::with_limit(reader, MemoryLimit::default())
    }

    /// Returns the games of a reader, each within `limit`.
    #[must_use]
    pub fn with_limit(reader: R, limit: MemoryLimit) -> Self {
        let builder = TreeBuilder::within(limit);
        let (outside, outside_count) = (Vec::new(), 0);
        Self { reader, builder, limit, outside, outside_count, phase: Phase::Between, has_failed: false }
    }

    /// Returns the next game, or `None` at the end of the input. The tree is valid until the next call, which reuses its
    /// memory.
    ///
    /// ```
    /// use sgfstream::SliceReader;
    /// use sgfstream_adapt::Games;
    ///
    /// let mut games = Games::new(SliceReader::new(b"(;SZ[9])(;SZ[13])"));
    /// let mut sizes = Vec::new();
    /// while let Some(tree) = games.next_game()? {
    ///     sizes.push(tree.property(tree.root(), b"SZ").expect("a size").first().as_bytes().to_vec());
    /// }
    /// assert_eq!(sizes, [b"9".to_vec(), b"13".to_vec()]);
    /// # Ok::<(), sgfstream::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns an error if reading fails; another call tries to continue with the same game. Also returns an error if a game
    /// exceeds the limit ([`is_limit`](Error::is_limit)); another call continues after that game.
    pub fn next_game(&mut self) -> Result<Option<&mut GameTree>> {
        if self.phase != Phase::Interrupted {
            self.builder.clear();
            // The iterator may have taken the last tree, including its limit.
            self.builder.tree.set_memory_limit(self.limit);
            self.outside.clear();
            self.outside_count = 0;
        }
        if self.phase == Phase::Dropping {
            while self.advance(Phase::Dropping)? {
                if matches!(self.reader.event(), Event::VariationEnd(variation) if variation.is_game()) {
                    break;
                }
            }
        }
        while self.advance(Phase::Interrupted)? {
            let event = self.reader.event();
            let place = self.reader.place();
            match self.builder.take(&event, &place) {
                Ok(EventPlace::Inside) => {}
                Ok(EventPlace::Last) => return Ok(Some(&mut self.builder.tree)),
                Ok(EventPlace::Outside) => {
                    if let Event::Problem(problem) = event {
                        self.outside_count += 1;
                        if self.outside.len() < OUTSIDE_KEPT {
                            self.outside.push(problem);
                        }
                    }
                }
                Err(_) => {
                    let position = self.reader.position_of(place.span.start);
                    self.reader.skip_game();
                    self.phase = Phase::Dropping;
                    self.builder.clear();
                    return Err(Error::new(ErrorKind::Memory(self.limit.get()), Some(position)));
                }
            }
        }
        Ok(None)
    }

    fn advance(&mut self, on_failure: Phase) -> Result<bool> {
        let result = self.reader.advance();
        self.phase = if result.is_ok() { Phase::Between } else { on_failure };
        result
    }

    /// Returns the game whose reading failed before its end, as far as it was read.
    #[must_use]
    pub fn partial(&mut self) -> Option<&mut GameTree> {
        (self.phase == Phase::Interrupted && self.builder.is_within()).then(|| {
            self.builder.tree.ensure_root();
            &mut self.builder.tree
        })
    }

    /// Returns the problems between the last game and the one before it; at the end of input, those after the last game. It
    /// returns at most the first 65,536.
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
        &self.outside
    }

    /// Returns the number of those problems, including the ones beyond the maximum.
    #[must_use]
    pub fn problems_outside_count(&self) -> u64 {
        self.outside_count
    }

    /// Returns the reader, for example to ask for positions.
    #[must_use]
    pub fn reader(&self) -> &R {
        &self.reader
    }

    /// Returns the reader.
    #[must_use]
    pub fn into_reader(self) -> R {
        self.reader
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
        self.has_failed = game.as_ref().is_err_and(|err| !err.is_limit() && !err.is_problem());
        game.transpose()
    }
}
