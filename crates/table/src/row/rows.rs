//! The loop over a reader that gives a row for each game.

use sgfstream::{Event, EventReader, Flow, OwnedEvent, Place, Property, Result, Sink, Span, Variation};
use sgfstream_game::{Ahead, Step};

use super::{ColumnSet, GameExtent, GameRow, Probes, RowBuilder};

/// Rows from a reader, one game at a time.
///
/// Either [`next_row`](Self::next_row) for each game, or in two steps, to
/// decide about a game when its root is known:
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
    /// Part of the game was skipped.
    is_skipped: bool,
    long: LongGames,
    /// Events after a root that does not tell which game it is: they were read ahead, and come before those of the reader.
    ahead: Ahead,
}

/// Games that are longer than [`Limits::game`](sgfstream::Limits::game): nothing is made of them.
#[derive(Clone, Debug, Default)]
struct LongGames {
    limit: u64,
    /// The game that is read, or was read last, is one.
    is_current: bool,
    numbers: Vec<u64>,
}

/// How far to read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Until {
    Root,
    Settled,
    End,
}

/// Gets every event of a game that is read, after the builder has taken it.
/// [`Flow::Stop`] interrupts the reading; it may be taken up again.
pub(crate) trait Listener {
    /// An event, and what it is to its game.
    fn event(&mut self, builder: &RowBuilder, step: Step, event: &Event<'_>, place: &Place) -> Flow;
}

/// Listens to nothing.
impl Listener for () {
    #[inline(always)]
    fn event(&mut self, _: &RowBuilder, _: Step, _: &Event<'_>, _: &Place) -> Flow {
        Flow::Go
    }
}

impl<R: EventReader> Rows<R> {
    /// Rows with these columns.
    pub fn new(reader: R, columns: ColumnSet) -> Self {
        Self::with_probes(reader, columns, Probes::default())
    }

    /// Rows with these columns, and answers to these questions.
    pub(crate) fn with_probes(reader: R, columns: ColumnSet, probes: Probes) -> Self {
        Self::with_builder(reader, RowBuilder::with_probes(columns, probes))
    }

    /// Rows from a builder, which [`into_parts`](Self::into_parts) gives back for the next reader. The reader
    /// [holds games](EventReader::hold_games).
    pub fn with_builder(mut reader: R, builder: RowBuilder) -> Self {
        let long = LongGames { limit: reader.hold_games(), ..LongGames::default() };
        Self { reader, builder, is_in_game: false, is_skipped: false, long, ahead: Ahead::default() }
    }

    /// Returns whether the game, as far as it was read, is longer than [`Limits::game`](sgfstream::Limits::game). Its row has
    /// only what was read until the reader noticed.
    #[must_use]
    pub fn is_long(&self) -> bool {
        self.long.is_current
    }

    /// Takes the numbers of the games so far that are too long; see [`is_long`](Self::is_long).
    #[must_use]
    pub fn take_long_games(&mut self) -> Vec<u64> {
        std::mem::take(&mut self.long.numbers)
    }

    /// Goes on to the next game and reads its root node; and the nodes up to that of the first move, while a column
    /// wants game information that the game has not said, and of a game that names no player the main line up to the first
    /// node with some. False at the end.
    ///
    /// # Errors
    ///
    /// As [`EventReader::advance`].
    pub fn next_root(&mut self) -> Result<bool> {
        self.next_root_with(&mut ())
    }

    /// As [`next_root`](Self::next_root), with a listener.
    ///
    /// # Errors
    ///
    /// As [`EventReader::advance`].
    pub(crate) fn next_root_with(&mut self, listener: &mut impl Listener) -> Result<bool> {
        self.skip_rest()?;
        let is_found = self.read(Until::Root, listener)?;
        if !is_found {
            self.builder.end_input();
        }
        Ok(is_found)
    }

    /// Reads on until the rest of the game changes neither its row nor an
    /// answer.
    ///
    /// # Errors
    ///
    /// As [`EventReader::advance`].
    pub fn settle(&mut self) -> Result<()> {
        if self.is_in_game && !self.builder.is_settled() {
            self.read(Until::Settled, &mut ())?;
        }
        Ok(())
    }

    /// Reads the rest of the game as far as its row needs it, skips what is
    /// left, and gives the row.
    ///
    /// # Errors
    ///
    /// As [`EventReader::advance`].
    pub fn finish_row(&mut self) -> Result<&GameRow> {
        self.settle()?;
        self.skip_rest()
    }

    /// Skips to the end of the game, and gives its row: with its length, and
    /// without what the skipped nodes would say.
    ///
    /// # Errors
    ///
    /// As [`EventReader::advance`].
    pub fn skip_rest(&mut self) -> Result<&GameRow> {
        if self.is_in_game {
            self.is_skipped = true;
            self.skip_ahead();
            self.read(Until::End, &mut ())?;
        }
        Ok(self.builder.row())
    }

    /// Reads every event of the rest of the game, so that its
    /// [`extent`](Self::extent) is exact, and gives its row.
    ///
    /// # Errors
    ///
    /// As [`EventReader::advance`].
    pub fn read_rest(&mut self) -> Result<&GameRow> {
        self.read_rest_with(&mut ())?;
        Ok(self.builder.row())
    }

    /// As [`read_rest`](Self::read_rest), with a listener. False if it stopped
    /// the reading.
    ///
    /// # Errors
    ///
    /// As [`EventReader::advance`].
    pub(crate) fn read_rest_with(&mut self, listener: &mut impl Listener) -> Result<bool> {
        if self.is_in_game {
            self.read(Until::End, listener)?;
        }
        Ok(!self.is_in_game)
    }

    /// The row of the next game that is not [too long](Self::is_long); none at the end.
    ///
    /// # Errors
    ///
    /// As [`EventReader::advance`].
    pub fn next_row(&mut self) -> Result<Option<&GameRow>> {
        while self.next_root()? {
            self.finish_row()?;
            if !self.is_long() {
                return Ok(Some(self.row()));
            }
        }
        Ok(None)
    }

    /// Reads on. True if what was read for is reached.
    fn read(&mut self, until: Until, listener: &mut impl Listener) -> Result<bool> {
        let Self { reader, builder, is_in_game, is_skipped, long, ahead } = self;
        let (is_reached, unjudged) = (false, None);
        let mut driver = Driver { builder, listener, until, is_in_game, is_skipped, long, is_reached, unjudged };
        loop {
            while let Some((event, place)) = ahead.pop() {
                match driver.take(&event, &place) {
                    Flow::Stop => return Ok(driver.is_reached),
                    // Looking ahead ended with a piece of a property that is too long.
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

    /// Skips to the end of the game, which may be among the events that were read ahead.
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

    /// The row as far as it is known.
    #[must_use]
    pub fn row(&self) -> &GameRow {
        self.builder.row()
    }

    /// The builder, for its questions.
    #[must_use]
    pub fn builder(&self) -> &RowBuilder {
        &self.builder
    }

    /// The bytes of the game, as far as it was read.
    #[must_use]
    pub fn span(&self) -> Span {
        self.builder.extent().span
    }

    /// Where the game is, after it was read to its end. None before that, and
    /// where it cannot be known since part of a cut-off game was skipped.
    #[must_use]
    pub fn extent(&self) -> Option<GameExtent> {
        let extent = self.builder.extent();
        let is_unknown = self.is_in_game || self.is_skipped && extent.lacks_ends > 0;
        (!is_unknown).then_some(extent)
    }

    /// True once the game was read or skipped to its end.
    #[must_use]
    pub(crate) fn is_at_end_of_game(&self) -> bool {
        !self.is_in_game
    }

    /// The reader.
    #[must_use]
    pub fn reader(&self) -> &R {
        &self.reader
    }

    /// The reader, to be changed between games.
    #[must_use]
    pub fn reader_mut(&mut self) -> &mut R {
        &mut self.reader
    }

    /// Gives back the reader, and the builder for the next one.
    #[must_use]
    pub fn into_parts(self) -> (R, RowBuilder) {
        (self.reader, self.builder)
    }
}

/// Drives a builder to a goal.
struct Driver<'d, L> {
    builder: &'d mut RowBuilder,
    listener: &'d mut L,
    until: Until,
    is_in_game: &'d mut bool,
    is_skipped: &'d mut bool,
    long: &'d mut LongGames,
    is_reached: bool,
    /// The event that it stopped at: which game it is depends on what follows.
    unjudged: Option<(OwnedEvent, Place)>,
}

impl<L: Listener> Driver<'_, L> {
    /// Takes any event but a node or move after the root, and looks whether what is read for is reached. Out of the loop over moves, whose numbers then
    /// stay in registers; the event goes by value, as a reference to it would put every event into memory.
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
        let step = self.builder.take(&event, &place);
        let flow = self.listener.event(self.builder, step, &event, &place);
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
        self.go_on(flow)
    }

    /// Tells the listener of a node or move that the builder has taken.
    #[inline(always)]
    fn tell(&mut self, step: Step, event: &Event<'_>, place: &Place) -> Flow {
        let flow = self.listener.event(self.builder, step, event, place);
        if self.builder.has_questions() { self.go_on(flow) } else { flow }
    }

    /// Stops where what is read for is reached.
    fn go_on(&mut self, flow: Flow) -> Flow {
        self.is_reached = match self.until {
            Until::Root => {
                if flow == Flow::Stop {
                    // The listener cannot take more before it is known whose it is.
                    self.builder.end_info();
                }
                self.builder.take_new_root()
            }
            Until::Settled => !*self.is_in_game || self.builder.is_settled(),
            Until::End => !*self.is_in_game,
        };
        if self.is_reached { Flow::Stop } else { flow }
    }
}

impl<L: Listener> Sink for Driver<'_, L> {
    const PLAYS: bool = true;

    #[inline(always)]
    fn event(&mut self, event: &Event<'_>, place: &Place) -> Flow {
        self.other(*event, *place)
    }

    #[inline(always)]
    fn node(&mut self, place: &Place) -> Flow {
        let event = Event::NodeStart { supplied: false };
        match self.builder.node(place) {
            Some(step) => self.tell(step, &event, place),
            None => self.other(event, *place),
        }
    }

    #[inline(always)]
    fn play(&mut self, letter: u8, point: [u8; 2], property: &Property<'_>, place: &Place) -> Flow {
        let event = Event::Property(*property);
        match self.builder.play(letter, point, &event, place) {
            Some(step) => self.tell(step, &event, place),
            None => self.other(event, *place),
        }
    }
}
