//! The loop over a reader that gives a row a game.

use sgfstream::base::{Code, Result, Span};
use sgfstream::event::{Event, Flow, Sink};
use sgfstream::read::EventReader;

use super::{ColumnSet, GameRow, Probes, RowBuilder};

/// Where a game stands, and what its bytes lack to be a game on their own.
///
/// ```
/// use sgfstream::SliceReader;
/// use sgfstream_table::row::{ColumnSet, Rows};
///
/// let input = b"mail (;B[aa]) (;B[bb](;C[cut";
/// let mut rows = Rows::new(SliceReader::new(input), ColumnSet::default());
/// assert!(rows.next_root()?);
/// rows.pass()?;
/// let extent = rows.extent();
/// assert_eq!((extent.span.start, extent.span.end), (5, 13));
/// assert!(extent.is_whole());
/// assert!(rows.next_root()?);
/// rows.pass()?;
/// assert_eq!(rows.extent().tail(), b"]))");
/// # Ok::<(), sgfstream::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GameExtent {
    /// The game's bytes, from its `(` to its `)`.
    pub span: Span,
    /// Its `(` is missing.
    pub lacks_start: bool,
    /// Its last value lacks its `]`.
    pub lacks_bracket: bool,
    /// How many `)` are missing at its end.
    pub lacks_ends: u64,
}

impl GameExtent {
    /// True if the bytes can stand among other games.
    #[must_use]
    pub fn is_whole(&self) -> bool {
        !self.lacks_start && !self.lacks_bracket && self.lacks_ends == 0
    }

    /// What to write before the bytes.
    #[must_use]
    pub fn head(&self) -> &'static [u8] {
        if self.lacks_start { b"(" } else { b"" }
    }

    /// What to write behind the bytes. Where a lone `\` ends an open value, it
    /// must be left out before this; see [`lacks_bracket`](Self::lacks_bracket).
    #[must_use]
    pub fn tail(&self) -> Vec<u8> {
        let mut tail = Vec::new();
        if self.lacks_bracket {
            tail.push(b']');
        }
        // A reader takes any depth; a file that lacks more than this is no game.
        tail.resize(tail.len() + self.lacks_ends.min(1 << 24) as usize, b')');
        tail
    }
}

/// Rows from a reader, one game at a time.
///
/// Either [`next_row`](Self::next_row) for each game, or in two steps, to
/// decide about a game with its root known:
///
/// ```
/// use sgfstream::SliceReader;
/// use sgfstream_table::row::{Column, ColumnSet, Rows};
///
/// let input = b"(;PB[Go Seigen];B[aa];W[bb])(;PB[Kitani];B[cc])";
/// let wanted = ColumnSet::of(["pb", "moves"].map(|name| Column::find(name).expect("a column")));
/// let mut rows = Rows::new(SliceReader::new(input), wanted);
/// let mut moves = 0;
/// while rows.next_root()? {
///     if rows.row().pb.as_deref() == Some("Kitani") {
///         rows.skip()?;
///     } else {
///         moves += rows.finish()?.moves.expect("it was wanted");
///     }
/// }
/// assert_eq!(moves, 2);
/// # Ok::<(), sgfstream::Error>(())
/// ```
#[derive(Debug)]
pub struct Rows<R> {
    reader: R,
    builder: RowBuilder,
    extent: GameExtent,
    /// `(` that stand in the game's bytes, less `)`.
    open: i64,
    state: State,
    /// The builder has told us that nothing is left to be learnt.
    settled: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Between,
    InGame,
    Ended,
}

impl<R: EventReader> Rows<R> {
    /// Rows with these columns.
    pub fn new(reader: R, columns: ColumnSet) -> Self {
        Self::with_probes(reader, columns, Probes::default())
    }

    /// Rows with these columns, and answers to these questions.
    pub fn with_probes(reader: R, columns: ColumnSet, probes: Probes) -> Self {
        Self::with_builder(reader, RowBuilder::with_probes(columns, probes))
    }

    /// Rows from a builder, which [`into_builder`](Self::into_builder) gives back for the next reader.
    pub fn with_builder(reader: R, builder: RowBuilder) -> Self {
        Self { reader, builder, extent: GameExtent::default(), open: 0, state: State::Between, settled: false }
    }

    /// Goes on to the next game and reads its root node. False at the end.
    ///
    /// # Errors
    ///
    /// As [`EventReader::advance`].
    pub fn next_root(&mut self) -> Result<bool> {
        while self.state == State::InGame {
            self.skip()?;
        }
        loop {
            let was_in_root = self.builder.is_in_root();
            if !self.step()? {
                return Ok(false);
            }
            if was_in_root && !self.builder.is_in_root() {
                return Ok(true);
            }
        }
    }

    /// Goes past the next game without a row for it: the way to a game whose
    /// number is known. False at the end.
    ///
    /// ```
    /// use sgfstream::SliceReader;
    /// use sgfstream_table::row::{ColumnSet, Rows};
    ///
    /// let mut rows = Rows::new(SliceReader::new(b"(;PB[a])(;PB[b])(;PB[c])"), ColumnSet::default());
    /// assert!(rows.pass_over()? && rows.pass_over()? && rows.next_root()?);
    /// assert_eq!(rows.row().game, Some(3));
    /// assert!(!rows.pass_over()?);
    /// # Ok::<(), sgfstream::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As [`EventReader::advance`].
    pub fn pass_over(&mut self) -> Result<bool> {
        while self.state == State::InGame {
            self.skip()?;
        }
        loop {
            if !self.reader.advance()? {
                self.state = State::Ended;
                return Ok(false);
            }
            let place = self.reader.place();
            match self.reader.event() {
                Event::VariationStart { .. } if place.depth == 1 => {
                    self.extent = GameExtent { span: place.span, ..GameExtent::default() };
                    self.reader.skip_game();
                }
                Event::VariationEnd { .. } if place.depth == 1 => {
                    self.extent.span.end = place.span.end;
                    return Ok(true);
                }
                _ => {}
            }
        }
    }

    /// Reads the rest of the game, as far as what is wanted needs it, and
    /// gives its row. Where nodes were skipped, what the game's bytes lack is
    /// not known exactly: [`pass`](Self::pass) looks at all of them.
    ///
    /// # Errors
    ///
    /// As [`EventReader::advance`].
    pub fn finish(&mut self) -> Result<&GameRow> {
        while self.state == State::InGame {
            if self.settled {
                self.reader.skip_game();
            }
            if !self.step()? {
                break;
            }
        }
        Ok(self.builder.row())
    }

    /// Goes to the end of the game without looking into its nodes, and gives
    /// its row: with its length, and without what nodes say.
    ///
    /// # Errors
    ///
    /// As [`EventReader::advance`].
    pub fn skip(&mut self) -> Result<&GameRow> {
        self.settled = true;
        self.finish()
    }

    /// The row of the next game; none at the end.
    ///
    /// # Errors
    ///
    /// As [`EventReader::advance`].
    pub fn next_row(&mut self) -> Result<Option<&GameRow>> {
        if self.next_root()? { Ok(Some(self.finish()?)) } else { Ok(None) }
    }

    /// Reads every event of the rest of the game, so that its
    /// [`extent`](Self::extent) is exact, and gives its row.
    ///
    /// # Errors
    ///
    /// As [`EventReader::advance`].
    pub fn pass(&mut self) -> Result<&GameRow> {
        while self.state == State::InGame && self.step()? {}
        Ok(self.builder.row())
    }

    fn step(&mut self) -> Result<bool> {
        if !self.reader.advance()? {
            self.state = State::Ended;
            return Ok(false);
        }
        let event = self.reader.event();
        let place = self.reader.place();
        match event {
            Event::VariationStart { supplied } => {
                if place.depth == 1 {
                    self.state = State::InGame;
                    self.settled = false;
                    self.open = 0;
                    self.extent = GameExtent { span: place.span, lacks_start: supplied, ..GameExtent::default() };
                    self.open += i64::from(supplied);
                }
                self.open += i64::from(!supplied);
            }
            Event::VariationEnd { supplied } => {
                self.open -= i64::from(!supplied);
                if place.depth == 1 {
                    self.extent.span.end = place.span.end;
                    self.extent.lacks_ends = u64::try_from(self.open).unwrap_or(0);
                }
            }
            Event::Problem(problem) => {
                self.extent.lacks_bracket |= problem.code == Code::UnclosedValue;
            }
            _ => {}
        }
        let flow = self.builder.event(&event, &place);
        self.settled |= flow == Flow::SkipGame;
        if matches!(event, Event::VariationEnd { .. }) && place.depth == 1 {
            self.state = State::Between;
        }
        Ok(true)
    }

    /// The row as far as it is known.
    #[must_use]
    pub fn row(&self) -> &GameRow {
        self.builder.row()
    }

    /// The row, to fill in what events do not say.
    pub fn row_mut(&mut self) -> &mut GameRow {
        self.builder.row_mut()
    }

    /// The builder, for its questions.
    #[must_use]
    pub fn builder(&self) -> &RowBuilder {
        &self.builder
    }

    /// Where the game stands; whole once it was finished or skipped.
    #[must_use]
    pub fn extent(&self) -> GameExtent {
        self.extent
    }

    /// True once the game was finished or skipped.
    #[must_use]
    pub fn is_at_end_of_game(&self) -> bool {
        self.state != State::InGame
    }

    /// The reader.
    #[must_use]
    pub fn reader(&self) -> &R {
        &self.reader
    }

    /// Gives back the builder.
    #[must_use]
    pub fn into_builder(self) -> RowBuilder {
        self.builder
    }
}
