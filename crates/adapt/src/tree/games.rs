//! One tree after another from a stream of games.

use std::str::FromStr;

use sgfstream::{Error, ErrorKind, Event, EventReader, Problem, Result, SliceReader};

use super::build::Taken;
use super::memory::MemoryLimit;
use super::{GameTree, TreeBuilder};

impl GameTree {
    /// The game of `bytes`. For bytes with several games, use
    /// [`parse_all`](Self::parse_all), or [`Games`] for one at a
    /// time.
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
    /// If there is no game, or more than one, or if the game takes more memory
    /// than [`MemoryLimit::default`].
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

    /// All games of `bytes`, in order.
    ///
    /// # Errors
    ///
    /// If a game takes more memory than [`MemoryLimit::default`].
    pub fn parse_all(bytes: &[u8]) -> Result<Vec<Self>> {
        Games::new(SliceReader::new(bytes)).collect()
    }
}

/// As [`GameTree::parse`].
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

/// The games of a reader: an iterator of trees, each within a [`MemoryLimit`].
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
/// A game that takes too much memory is an error ([`is_limit`](Error::is_limit)); the next game follows. After an error
/// of reading, the iterator ends; [`next_game`](Self::next_game) tries to read on.
#[derive(Debug)]
pub struct Games<R> {
    reader: R,
    builder: TreeBuilder,
    limit: MemoryLimit,
    outside: Vec<Problem>,
    outside_count: u64,
    phase: Phase,
    /// The iterator has given an error of reading.
    has_failed: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    /// The next event is the first after a game.
    Between,
    /// Reading failed; the next call goes on with the same game.
    Interrupted,
    /// The game was too large: on to its end.
    Dropping,
}

/// How many problems between two games are kept.
const OUTSIDE_KEPT: usize = 1 << 16;

impl<R: EventReader> Games<R> {
    /// The games of a reader, each within [`MemoryLimit::default`].
    #[must_use]
    pub fn new(reader: R) -> Self {
        Self::with_limit(reader, MemoryLimit::default())
    }

    /// The games of a reader, each within `limit`.
    #[must_use]
    pub fn with_limit(reader: R, limit: MemoryLimit) -> Self {
        let builder = TreeBuilder::within(limit);
        let (outside, outside_count) = (Vec::new(), 0);
        Self { reader, builder, limit, outside, outside_count, phase: Phase::Between, has_failed: false }
    }

    /// Lends the next game until the call after this one, which reuses its memory; `None` at the end of the input.
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
    /// When reading fails; a further call tries to go on with the same game.
    /// When a game takes more memory than is allowed
    /// ([`is_limit`](Error::is_limit)); a further call goes on after it.
    pub fn next_game(&mut self) -> Result<Option<&mut GameTree>> {
        if self.phase != Phase::Interrupted {
            self.builder.clear();
            // The last tree may have been taken away, limit and all.
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
                Ok(Taken::Inside) => {}
                Ok(Taken::Last) => return Ok(Some(&mut self.builder.tree)),
                Ok(Taken::Outside) => {
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

    /// The game whose reading failed before its end: as far as it was read.
    #[must_use]
    pub fn partial(&mut self) -> Option<&mut GameTree> {
        (self.phase == Phase::Interrupted && self.builder.is_within()).then(|| {
            self.builder.tree.ensure_root();
            &mut self.builder.tree
        })
    }

    /// The problems between the last game and the one before it; at the end of
    /// input, those after the last game. Of very many, the first 65,536.
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

    /// How many problems those are, with the ones that were not kept.
    #[must_use]
    pub fn problems_outside_count(&self) -> u64 {
        self.outside_count
    }

    /// The reader, to ask for places.
    #[must_use]
    pub fn reader(&self) -> &R {
        &self.reader
    }

    /// Gives the reader back.
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
        // An error of reading may come again and again.
        self.has_failed = game.as_ref().is_err_and(|err| !err.is_limit() && !err.is_problem());
        game.transpose()
    }
}
