//! A loop over a reader that returns a row for each game.

use sgfstream::{Event, EventReader, Flow, OwnedEvent, Place, Property, Result, Sink, Span, Variation};
use sgfstream_game::LookaheadBuffer;

use super::{ColumnSet, GameExtent, GameRow, Probes, RowBuilder};

/// Rows of the games of a reader.
///
/// Call [`next_row`](Self::next_row) for each game. Or read in two steps, to decide about a game by its root:
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
///         rows.skip_rest()?;
///     } else {
///         moves += rows.finish_row()?.moves.expect("it was wanted");
///     }
/// }
/// assert_eq!(moves, 2);
/// # Ok::<(), sgfstream::Error>(())
/// ```
#[derive(Debug)]
pub struct Rows<R> {
    reader: R,
    builder: RowBuilder,
    is_in_game: bool,
    /// Whether a part of the game was skipped.
    is_skipped: bool,
    long: LongGames,
    /// Events read ahead after a root that does not show which game it is. They come before the reader's next event.
    ahead: LookaheadBuffer,
}

/// Games longer than [`Limits::game`](sgfstream::Limits::game), which are not processed.
#[derive(Clone, Debug, Default)]
struct LongGames {
    limit: u64,
    /// Whether the current or last game is one of them.
    is_current: bool,
    numbers: Vec<u64>,
}

/// How far to read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ReadGoal {
    Root,
    Settled,
    End,
}

impl<R: EventReader> Rows<R> {
    /// Returns rows with these columns.
    pub fn new(reader: R, columns: ColumnSet) -> Self {
        Self::with_probes(reader, columns, Probes::default())
    }

    /// Returns rows with these columns, and with answers to these questions.
    pub(crate) fn with_probes(reader: R, columns: ColumnSet, probes: Probes) -> Self {
        Self::with_builder(reader, RowBuilder::with_probes(columns, probes))
    }

    /// Returns rows from a builder, which [`into_parts`](Self::into_parts) returns for use with another reader. This makes
    /// the reader [hold games](EventReader::hold_games).
    pub fn with_builder(mut reader: R, builder: RowBuilder) -> Self {
        let long = LongGames { limit: reader.hold_games(), ..LongGames::default() };
        Self { reader, builder, is_in_game: false, is_skipped: false, long, ahead: LookaheadBuffer::default() }
    }

    /// Returns whether the game, as far as it was read, is longer than [`Limits::game`](sgfstream::Limits::game). Its row is
    /// incomplete then.
    #[must_use]
    pub fn is_long(&self) -> bool {
        self.long.is_current
    }

    /// Takes the numbers of the games that were too long; see [`is_long`](Self::is_long).
    #[must_use]
    pub fn take_long_games(&mut self) -> Vec<u64> {
        std::mem::take(&mut self.long.numbers)
    }

    /// Moves to the next game and reads its root node. If a column needs game information that the root lacks, reads on to
    /// the end of the node with the first move. If no player is named until then, reads on to the first node of the main
    /// line with game information. Returns false at the end.
    ///
    /// # Errors
    ///
    /// Same as [`EventReader::advance`].
    pub fn next_root(&mut self) -> Result<bool> {
        self.skip_rest()?;
        let is_found = self.read(ReadGoal::Root)?;
        if !is_found {
            self.builder.end_input();
        }
        Ok(is_found)
    }

    /// Reads until the rest of the game changes neither the row nor an answer.
    ///
    /// # Errors
    ///
    /// Same as [`EventReader::advance`].
    pub fn complete_row(&mut self) -> Result<()> {
        if self.is_in_game && !self.builder.is_settled() {
            self.read(ReadGoal::Settled)?;
        }
        Ok(())
    }

    /// Reads as much of the game as the row needs, skips the rest, and returns the row.
    ///
    /// # Errors
    ///
    /// Same as [`EventReader::advance`].
    pub fn finish_row(&mut self) -> Result<&GameRow> {
        self.complete_row()?;
        self.skip_rest()
    }

    /// Skips to the end of the game and returns its row. The row has the length, but no columns that need the skipped nodes.
    ///
    /// # Errors
    ///
    /// Same as [`EventReader::advance`].
    pub fn skip_rest(&mut self) -> Result<&GameRow> {
        if self.is_in_game {
            self.is_skipped = true;
            self.skip_ahead();
            self.read(ReadGoal::End)?;
        }
        Ok(self.builder.row())
    }

    /// Reads the rest of the game completely, so that its [`extent`](Self::extent) is exact, and returns the row.
    ///
    /// # Errors
    ///
    /// Same as [`EventReader::advance`].
    pub fn read_rest(&mut self) -> Result<&GameRow> {
        if self.is_in_game {
            self.read(ReadGoal::End)?;
        }
        Ok(self.builder.row())
    }

    /// Returns the row of the next game that is not [too long](Self::is_long), or `None` at the end.
    ///
    /// # Errors
    ///
    /// Same as [`EventReader::advance`].
    pub fn next_row(&mut self) -> Result<Option<&GameRow>> {
        while self.next_root()? {
            self.finish_row()?;
            if !self.is_long() {
                return Ok(Some(self.row()));
            }
        }
        Ok(None)
    }

    /// Reads until the goal. Returns whether it was reached.
    fn read(&mut self, until: ReadGoal) -> Result<bool> {
        let Self { reader, builder, is_in_game, is_skipped, long, ahead } = self;
        let (is_reached, unjudged) = (false, None);
        let mut driver = Driver { builder, until, is_in_game, is_skipped, long, is_reached, unjudged };
        loop {
            while let Some((event, place)) = ahead.pop() {
                match driver.take(&event, &place) {
                    Flow::Stop => return Ok(driver.is_reached),
                    // Looking ahead ended at a piece of a property that is too long.
                    Flow::SkipGame => reader.skip_game(),
                    _ => {}
                }
            }
            reader.drive(&mut driver)?;
            let Some(first) = driver.unjudged.take() else {
                return Ok(driver.is_reached);
            };
            let mut lookahead = driver.builder.state().lookahead();
            let read = ahead.read(reader, first, &mut lookahead);
            driver.builder.state_mut().take_evidence(lookahead.finish());
            read?;
        }
    }

    /// Skips to the end of the game, which may be among the events read ahead.
    fn skip_ahead(&mut self) {
        while let Some((event, place)) = self.ahead.pop() {
            match event {
                Event::VariationStart(Variation { supplied, .. }) => self.builder.open += i64::from(!supplied),
                Event::VariationEnd(variation) if variation.is_game() => {
                    return self.ahead.push(&Event::VariationEnd(variation), &place);
                }
                Event::VariationEnd(Variation { supplied, .. }) => self.builder.open -= i64::from(!supplied),
                _ => {}
            }
        }
        self.reader.skip_game();
    }

    /// Returns the row as far as it is known.
    #[must_use]
    pub fn row(&self) -> &GameRow {
        self.builder.row()
    }

    /// Returns the builder, with its answers.
    #[must_use]
    pub fn builder(&self) -> &RowBuilder {
        &self.builder
    }

    /// Returns the bytes of the game, as far as it was read.
    #[must_use]
    pub fn span(&self) -> Span {
        self.builder.extent().span
    }

    /// Returns the extent of the game, after it was read to its end. Returns `None` before that, or if a part of a cut-off
    /// game was skipped, so that its extent is unknown.
    #[must_use]
    pub fn extent(&self) -> Option<GameExtent> {
        let extent = self.builder.extent();
        let is_unknown = self.is_in_game || self.is_skipped && extent.lacks_ends > 0;
        (!is_unknown).then_some(extent)
    }

    /// Returns whether the game was read or skipped to its end.
    #[must_use]
    pub(crate) fn is_at_end_of_game(&self) -> bool {
        !self.is_in_game
    }

    /// Returns the reader.
    #[must_use]
    pub fn reader(&self) -> &R {
        &self.reader
    }

    /// Returns the reader. Change it only between games.
    #[must_use]
    pub fn reader_mut(&mut self) -> &mut R {
        &mut self.reader
    }

    /// Returns the reader, and the builder for another reader.
    #[must_use]
    pub fn into_parts(self) -> (R, RowBuilder) {
        (self.reader, self.builder)
    }
}

/// Sink that drives a builder to a goal.
struct Driver<'d> {
    builder: &'d mut RowBuilder,
    until: ReadGoal,
    is_in_game: &'d mut bool,
    is_skipped: &'d mut bool,
    long: &'d mut LongGames,
    is_reached: bool,
    /// The event at which it stopped, because the kind of the game depends on the events after it.
    unjudged: Option<(OwnedEvent, Place)>,
}

impl Driver<'_> {
    /// Handles any event except moves and nodes after the root. It is outside of the loop over moves, so that their numbers
    /// stay in registers. The event goes by value, so that it need not be in memory.
    #[inline(never)]
    fn other(&mut self, event: Event<'_>, place: Place) -> Flow {
        if self.builder.state().asks_evidence(&event) {
            self.unjudged = Some((event.into_owned(), place));
            return Flow::Stop;
        }
        if let Event::PropertyPart(_) = event {
            self.long.is_current = true;
            return Flow::SkipGame;
        }
        let _ = self.builder.take(&event, &place);
        match event {
            Event::VariationStart { .. } if place.depth == 1 => {
                (*self.is_in_game, *self.is_skipped, self.long.is_current) = (true, false, false);
            }
            Event::VariationEnd { .. } if place.depth == 1 => {
                *self.is_in_game = false;
                self.long.is_current |= self.builder.extent().span.len() > self.long.limit;
                if self.long.is_current {
                    self.long.numbers.push(place.game);
                }
            }
            _ => {}
        }
        self.go_on()
    }

    /// Checks whether the goal is reached, and stops there.
    fn go_on(&mut self) -> Flow {
        self.is_reached = match self.until {
            ReadGoal::Root => self.builder.take_new_root(),
            ReadGoal::Settled => !*self.is_in_game || self.builder.is_settled(),
            ReadGoal::End => !*self.is_in_game,
        };
        if self.is_reached { Flow::Stop } else { Flow::Go }
    }
}

impl Sink for Driver<'_> {
    const PLAYS: bool = true;

    #[inline(always)]
    fn event(&mut self, event: &Event<'_>, place: &Place) -> Flow {
        self.other(*event, *place)
    }

    #[inline(always)]
    fn node(&mut self, place: &Place) -> Flow {
        match self.builder.node(place) {
            Some(_) if self.builder.has_questions() => self.go_on(),
            Some(_) => Flow::Go,
            None => self.other(Event::NodeStart { supplied: false }, *place),
        }
    }

    #[inline(always)]
    fn play(&mut self, letter: u8, point: [u8; 2], property: &Property<'_>, place: &Place) -> Flow {
        match self.builder.play(letter, point, property, place) {
            Some(_) if self.builder.has_questions() => self.go_on(),
            Some(_) => Flow::Go,
            None => self.other(Event::Property(*property), *place),
        }
    }
}
