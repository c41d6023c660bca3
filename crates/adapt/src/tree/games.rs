//! One tree after another from a stream of games.

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
    /// assert_eq!(none.to_string(), "expected a game, found none");
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
        let mut games = Games::of(SliceReader::new(bytes));
        let other = |message: String| Err(Error::new(ErrorKind::Other(message), None));
        let Some(tree) = games.next()? else { return other("expected a game, found none".to_owned()) };
        let tree = std::mem::take(tree);
        let mut count = 1;
        let mut reader = games.into_reader();
        while let Some(event) = reader.next() {
            if matches!(event, Event::VariationStart { .. }) && reader.depth() == 1 {
                count += 1;
                reader.skip_game();
            }
        }
        if count == 1 { Ok(tree) } else { other(format!("expected one game, found {count}")) }
    }

    /// All games of `bytes`, in order.
    ///
    /// # Errors
    ///
    /// If a game takes more memory than [`MemoryLimit::default`].
    pub fn parse_all(bytes: &[u8]) -> Result<Vec<Self>> {
        let mut games = Games::of(SliceReader::new(bytes));
        let mut trees = Vec::new();
        while let Some(tree) = games.next()? {
            trees.push(std::mem::take(tree));
        }
        Ok(trees)
    }
}

/// The games of a reader, one tree at a time, in memory that is reused.
///
/// Not an `Iterator`, since a tree is lent until the next one is asked for;
/// take it with [`std::mem::take`] to keep it.
#[derive(Debug)]
pub struct Games<R> {
    reader: R,
    builder: TreeBuilder,
    limit: MemoryLimit,
    outside: Vec<Problem>,
    outside_count: u64,
    phase: Phase,
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
    ///
    /// ```
    /// use sgfstream::SliceReader;
    /// use sgfstream_adapt::Games;
    ///
    /// let mut games = Games::of(SliceReader::new(b"(;SZ[9])(;SZ[13])"));
    /// let mut sizes = Vec::new();
    /// while let Some(tree) = games.next()? {
    ///     sizes.push(tree.property(tree.root(), b"SZ").expect("a size").first().as_bytes().to_vec());
    /// }
    /// assert_eq!(sizes, [b"9".to_vec(), b"13".to_vec()]);
    /// # Ok::<(), sgfstream::Error>(())
    /// ```
    #[must_use]
    pub fn of(reader: R) -> Self {
        Self::new(reader, MemoryLimit::default())
    }

    /// The games of a reader, each within `limit`.
    #[must_use]
    pub fn new(reader: R, limit: MemoryLimit) -> Self {
        let builder = TreeBuilder::within(limit);
        Self { reader, builder, limit, outside: Vec::new(), outside_count: 0, phase: Phase::Between }
    }

    /// The next game, or none at the end of input.
    ///
    /// # Errors
    ///
    /// When reading fails; a further call tries to go on with the same game.
    /// When a game takes more memory than is allowed
    /// ([`is_limit`](Error::is_limit)); a further call goes on after it.
    #[expect(clippy::should_implement_trait, reason = "the tree borrows from the reader of games")]
    pub fn next(&mut self) -> Result<Option<&mut GameTree>> {
        if self.phase != Phase::Interrupted {
            self.builder.clear();
            // The last tree may have been taken away, limit and all.
            self.builder.tree.set_memory_limit(self.limit);
            self.outside.clear();
            self.outside_count = 0;
        }
        if self.phase == Phase::Dropping {
            while self.advance(Phase::Dropping)? {
                if matches!(self.reader.event(), Event::VariationEnd { .. }) && self.reader.place().depth == 1 {
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
    /// let mut games = Games::of(SliceReader::new(b"mail (;B[aa]) )"));
    /// assert!(games.next()?.is_some_and(|tree| tree.problems().is_empty()));
    /// assert_eq!(games.problems_outside()[0].code, Code::TextBeforeGame);
    /// assert!(games.next()?.is_none());
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
