//! Reader that starts in the middle of an input and ends where another reader can start.

use std::io::{self, Read};
use std::ops::{Deref, DerefMut, Range};

use crate::base::{LineCursor, Position, Result, Severity};
use crate::event::{Event, Flow, Place, Sink};
use crate::read::reader::{EventReader, EventSource};
use crate::read::{Options, Reader};
use crate::tokens::TokenBuffer;

use super::border::border;
use super::part_end::{End, PartEnd, UnclosedGame};
use super::part_read::{Origin, PartRead};
use super::read_at::ReadAt;

/// Bytes of a block to search for a border: first a little, then more.
const LOOKS: [usize; 2] = [16 << 10, 256 << 10];

/// Bytes that a part may read beyond its block before its turn: a little more than a reader's
/// buffer.
const SLACK: u64 = 512 << 10;

/// Initial buffer of a part's reader.
const BUFFER: u64 = 256 << 10;

/// Returns the buffer for an input of `size` bytes. With one more byte, a single read is enough to
/// find the end.
fn capacity(size: u64) -> usize {
    size.saturating_add(1).clamp(256, BUFFER) as usize
}

/// Returns where the part that begins in this block of `input` begins, if there is one.
fn part_start(input: &dyn ReadAt, block: u64, index: u64) -> io::Result<Option<u64>> {
    let start = index * block;
    if index == 0 {
        return Ok(Some(0));
    }
    let mut buf = Vec::new();
    let mut found = None;
    for look in LOOKS {
        let len = look.min(usize::try_from(block).unwrap_or(usize::MAX));
        let before = buf.len();
        buf.resize(len, 0);
        let more = input.read_full(start + before as u64, &mut buf[before..])?;
        buf.truncate(before + more);
        found = border(&buf);
        if found.is_some_and(|(_, is_sure)| is_sure) || buf.len() < len {
            break;
        }
    }
    Ok(found.map(|(at, _)| start + at as u64))
}

/// Reader of one part of an input. [`read_file`](super::read_file) passes one for each part to your
/// closure.
///
/// It returns the events that a reader of the whole input returns there. Spans and the bytes of
/// positions count from the start of the input. Games, and the lines and columns of positions,
/// count from the start of the part. The part ends before the `(` of the first game of the next
/// part.
///
/// ```
/// use sgfstream::parallel::{PartReader, read_file};
/// use sgfstream::{Event, EventReader, Options};
///
/// fn count_nodes(part: &mut PartReader<'_>) -> sgfstream::Result<u64> {
///     let mut nodes = 0;
///     while part.advance()? {
///         nodes += u64::from(matches!(part.event(), Event::NodeStart { .. }));
///     }
///     Ok(nodes)
/// }
///
/// let path = "corpus/go-collection.sgf";
/// let nodes = read_file(path, Options::for_files(), count_nodes, |all, part| all + part)?;
/// assert_eq!(nodes, 10);
/// # Ok::<(), sgfstream::Error>(())
/// ```
pub struct PartReader<'a> {
    reader: Reader<PartRead<'a>>,
    start: Start,
    border: NextPart<'a>,
    end: Option<End>,
    /// The next event is the last one again: see [`PartReader::read_on`].
    is_repeated: bool,
    /// The only game to read; `None` for all.
    only: Option<u64>,
    /// Whether the games before that game have been read.
    is_at_game: bool,
    problems: u64,
    trailing: TrailingProblems,
}

/// Start of a part.
#[derive(Clone, Copy)]
struct Start {
    byte: u64,
    /// Games before it, if known.
    games: u64,
    /// Line and column, if known.
    position: Option<Position>,
}

/// Known facts about the next part.
#[derive(Clone, Copy)]
struct NextPart<'a> {
    /// The input, if other parts begin in its blocks.
    input: Option<&'a dyn ReadAt>,
    block: u64,
    /// Block in which the next part may begin.
    next: u64,
    /// Offset before which nothing can end the part.
    until: u64,
}

impl NextPart<'_> {
    /// No next part: this one ends with the input.
    const NONE: Self = Self {
        input: None,
        block: u64::MAX,
        next: u64::MAX,
        until: u64::MAX,
    };
}

/// Start of a game at which a reader can begin: see [`PartReader::from_game`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GamePlace {
    game: u64,
    position: Position,
}

/// Counts of errors and warnings after the last game.
#[derive(Clone, Copy, Debug, Default)]
struct TrailingProblems {
    /// The last game before them.
    game: u64,
    counts: [u64; 2],
}

impl<'a> PartReader<'a> {
    /// Returns the part that begins in block `index`, if there is one. Each block has `block`
    /// bytes; the last one may have fewer.
    ///
    /// Before a part reads far beyond its block, it calls `turn`. This function returns whether the
    /// part is still needed, and may wait until everything before it has been read. So a wrong
    /// border costs no more than a block.
    ///
    /// ```
    /// use sgfstream::internal::End;
    /// use sgfstream::parallel::PartReader;
    /// use sgfstream::{Event, EventReader, Options};
    ///
    /// let collection = b"(;GM[1];B[aa];W[bb])".repeat(1000);
    /// let (mut games, mut parts) = (0, 0);
    /// let mut block = 0;
    /// loop {
    ///     // Threads would open one block each, and drop a part if the part before it does not end
    ///     // where it begins.
    ///     let part = PartReader::open(&collection, Options::default(), 4096, block, &|| true)?;
    ///     let mut part = part.expect("the part before ended where this one begins");
    ///     while part.advance()? {
    ///         games += u64::from(matches!(part.event(), Event::VariationStart { .. }));
    ///     }
    ///     parts += 1;
    ///     match part.finish()?.end {
    ///         End::Part(next) => block = next,
    ///         End::Input => break,
    ///     }
    /// }
    /// assert_eq!((games, parts), (1000, 5));
    /// # Ok::<(), sgfstream::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns an error if reading fails.
    #[doc(hidden)]
    pub fn open(
        input: &'a dyn ReadAt,
        options: Options,
        block: u64,
        index: u64,
        turn: &'a dyn Fn() -> bool,
    ) -> io::Result<Option<Self>> {
        let Some(start) = part_start(input, block, index)? else {
            return Ok(None);
        };
        let until = (index + 1).saturating_mul(block);
        let free = if index == 0 {
            u64::MAX
        } else {
            until.saturating_add(SLACK.min(block))
        };
        let origin = Origin::Blocks {
            input,
            at: start,
            free,
            turn,
        };
        let border = NextPart {
            input: Some(input),
            block,
            next: index + 1,
            until,
        };
        let part = Self::new(
            origin,
            options,
            BUFFER.min(block) as usize,
            LineCursor::starting_at(start),
            0,
        );
        Ok(Some(Self { border, ..part }))
    }

    fn new(
        origin: Origin<'a>,
        options: Options,
        capacity: usize,
        lines: LineCursor,
        games: u64,
    ) -> Self {
        Self {
            start: Start {
                byte: lines.position().byte,
                games,
                position: None,
            },
            reader: Reader::starting_at(PartRead(origin), options, capacity, lines, games),
            border: NextPart::NONE,
            end: None,
            is_repeated: false,
            only: None,
            is_at_game: false,
            problems: 0,
            trailing: TrailingProblems::default(),
        }
    }

    /// Returns a part with known borders: it begins at byte `bytes.start` of the input, after
    /// `games` games, and ends at `bytes.end`. Its games are numbered as in the whole input.
    ///
    /// `read` returns the input from `bytes.start` on, and continues after `bytes.end`, because the
    /// bytes after a game may decide how it is read. Both borders must come from parts that were
    /// read to their end: the [`start`](Self::start) and the [`offset`](Self::offset) of a part.
    /// The last part ends at `u64::MAX`.
    ///
    /// ```
    /// use sgfstream::parallel::PartReader;
    /// use sgfstream::{Event, EventReader, Options};
    ///
    /// let mut input = &b"(;B[aa])(;B[bb])(;B[cc])"[8..];
    /// let mut part = PartReader::range(&mut input, Options::default(), 8..16, 1);
    /// part.advance()?;
    /// assert_eq!((part.game(), part.span().start), (2, 8));
    /// part.finish()?;
    /// assert_eq!((part.games(), part.offset()), (1, 16));
    /// # Ok::<(), sgfstream::Error>(())
    /// ```
    #[doc(hidden)]
    pub fn range(read: &'a mut dyn Read, options: Options, bytes: Range<u64>, games: u64) -> Self {
        let lines = LineCursor::starting_at(bytes.start);
        let border = NextPart {
            next: bytes.end,
            until: bytes.end,
            ..NextPart::NONE
        };
        Self {
            border,
            ..Self::new(
                Origin::Stream(read),
                options,
                capacity(bytes.end - bytes.start),
                lines,
                games,
            )
        }
    }

    /// Returns the part of an input from a game on whose [place](Self::game_place) is known. Lines
    /// and games are numbered as in the whole input.
    ///
    /// ```
    /// use sgfstream::parallel::PartReader;
    /// use sgfstream::{Event, EventReader, Options};
    ///
    /// let bytes = b"(;B[aa])\n(;B[bb])".to_vec();
    /// let mut read = &bytes[..];
    /// let (mut whole, mut place) = (PartReader::whole(&mut read, Options::default(), None), None);
    /// while whole.advance()? {
    ///     place = whole.game_place().or(place);
    /// }
    /// let mut reader =
    ///     PartReader::from_game(&bytes, Options::default(), &place.expect("the second game"));
    /// reader.advance()?;
    /// assert_eq!((reader.game(), reader.position_of(reader.span().start).line), (2, 2));
    /// # Ok::<(), sgfstream::Error>(())
    /// ```
    #[doc(hidden)]
    #[must_use]
    pub fn from_game(input: &'a dyn ReadAt, options: Options, place: &GamePlace) -> Self {
        let origin = Origin::Blocks {
            input,
            at: place.position.byte,
            free: u64::MAX,
            turn: &|| true,
        };
        let mut part = Self::new(
            origin,
            options,
            BUFFER as usize,
            LineCursor::at(place.position),
            place.game - 1,
        );
        part.start.position = Some(place.position);
        part
    }

    /// Returns all bytes of `read` as the only part of an input of about `size` bytes.
    #[doc(hidden)]
    #[must_use]
    pub fn whole(read: &'a mut dyn Read, options: Options, size: Option<u64>) -> Self {
        Self::new(
            Origin::Stream(read),
            options,
            capacity(size.unwrap_or(BUFFER)),
            LineCursor::default(),
            0,
        )
    }

    /// Limits the events to game `number`, counted from 1, with the problems between the previous
    /// game and its `(`. The part must be a whole input, or begin at an earlier game.
    #[doc(hidden)]
    #[must_use]
    pub fn with_game(mut self, number: Option<u64>) -> Self {
        self.only = number;
        self
    }

    /// Returns the offset in the input of the part's start.
    #[doc(hidden)]
    #[must_use]
    pub fn start(&self) -> u64 {
        self.start.byte
    }

    /// Returns the offset in the input of the part's end; before it has ended, the offset up to
    /// which it was read.
    #[doc(hidden)]
    #[must_use]
    pub fn offset(&self) -> u64 {
        match (self.end, self.border.input) {
            (Some(End::Part(_)), _) => self.border.until,
            (_, None) => self.reader.offset().min(self.border.until),
            _ => self.reader.offset(),
        }
    }

    /// Returns line and column of the start, if the part begins [at a game](PartReader::from_game).
    #[doc(hidden)]
    #[must_use]
    pub fn start_position(&self) -> Option<Position> {
        self.start.position
    }

    /// Returns the place of the game whose `(` is the last event, if a reader that starts there
    /// returns the same events.
    #[doc(hidden)]
    #[must_use]
    pub fn game_place(&self) -> Option<GamePlace> {
        self.reader.is_at_independent_game().then(|| {
            let Place { span, game, .. } = self.reader.place();
            GamePlace {
                game,
                position: self.reader.position_of(span.start),
            }
        })
    }

    /// Returns the number of games that start in this part.
    #[doc(hidden)]
    #[must_use]
    pub fn games(&self) -> u64 {
        // Subtract the game of the next part, whose `(` the reader may have read.
        let is_beyond = matches!(self.end, Some(End::Part(_))) && self.reader.depth() == 1;
        self.reader.game() - self.start.games - u64::from(is_beyond)
    }

    /// Returns whether the next event may be a common one. A common event never ends the part;
    /// events after the end belong to the next part.
    #[inline(always)]
    fn is_common(&self) -> bool {
        self.end.is_none() && self.only.is_none() && !self.is_repeated
    }

    /// Returns the underlying input; buffered bytes are lost.
    #[doc(hidden)]
    #[must_use]
    pub fn into_inner(self) -> PartRead<'a> {
        self.reader.into_inner()
    }

    /// Continues after the end of the part, if another part would begin there. The part then ends
    /// where a later one begins. A caller does this if it cannot work on the next games without the
    /// ones before them. Returns false if the part ended with the input.
    ///
    /// ```
    /// use sgfstream::parallel::PartReader;
    /// use sgfstream::{EventReader, Options};
    ///
    /// let collection = b"(;GM[1];B[aa])".repeat(1000);
    /// let mut part = PartReader::open(&collection, Options::default(), 4096, 0, &|| true)?
    ///     .expect("the first part");
    /// while part.advance()? {}
    /// assert_eq!((part.games(), part.offset()), (293, 4102));
    /// assert!(part.read_on());
    /// while part.advance()? {}
    /// assert_eq!((part.games(), part.offset()), (586, 8204));
    /// # Ok::<(), sgfstream::Error>(())
    /// ```
    #[doc(hidden)]
    pub fn read_on(&mut self) -> bool {
        let is_cut = self.border.input.is_some() && matches!(self.end, Some(End::Part(_)));
        if is_cut {
            self.end = None;
            self.is_repeated = true;
            self.border.next += 1;
            self.border.until = self.border.next * self.border.block;
        }
        is_cut
    }

    /// Skips the remaining games, and returns the counts of the part.
    ///
    /// # Errors
    ///
    /// The same as for [`EventReader::next_event`].
    #[doc(hidden)]
    pub fn finish(&mut self) -> Result<PartEnd> {
        while self.advance()? {
            self.skip_game();
        }
        let (games, before) = (self.games(), self.start.games);
        let unclosed = self.reader.take_unclosed_games().into_iter();
        let is_found = self
            .only
            .is_none_or(|number| (1..=games + before).contains(&number));
        let trailing = if self.trailing.game == games + before {
            self.trailing.counts
        } else {
            [0, 0]
        };
        Ok(PartEnd {
            end: self.end.unwrap_or(End::Input),
            bytes: self.offset() - self.start.byte,
            games: if self.only.is_some() {
                u64::from(is_found)
            } else {
                games
            },
            position: match self.end {
                Some(End::Part(_)) => self.position_of(self.offset()),
                _ => Position::default(),
            },
            problems: self.problems,
            detected: self.reader.detected(),
            trailing,
            too_few_games: (!is_found).then_some(games + before),
            long_games: Vec::new(),
            unsearched: 0,
            unclosed_games: unclosed
                .map(|(number, bytes)| UnclosedGame { number, bytes })
                .collect(),
        })
    }

    #[cold]
    fn count_problem(&mut self) {
        self.problems += 1;
        let (Event::Problem(problem), Place { depth, game, .. }) =
            (self.reader.event(), self.reader.place())
        else {
            return;
        };
        if game != self.trailing.game {
            self.trailing = TrailingProblems {
                game,
                counts: [0, 0],
            };
        }
        if depth == 0 {
            match problem.severity() {
                Severity::Error => self.trailing.counts[0] += 1,
                Severity::Warning => self.trailing.counts[1] += 1,
                Severity::Note => {}
            }
        }
    }

    /// Returns whether the next part begins with the last event, which starts at `at`.
    #[cold]
    fn is_next_part(&mut self, at: u64) -> Result<bool> {
        let NextPart {
            input,
            block,
            next,
            until,
        } = &mut self.border;
        let Some(input) = *input else {
            return Ok(self.reader.is_at_border());
        };
        if !self.reader.is_at_independent_game() {
            return Ok(false);
        }
        loop {
            if at < *until {
                return Ok(false);
            }
            match part_start(input, *block, *next)? {
                Some(start) if start >= at => *until = start,
                _ => {
                    *next += 1;
                    *until = *next * *block;
                    continue;
                }
            }
            return Ok(*until == at);
        }
    }

    /// Skips to the end of the game before the selected one. A caller that retains bytes can call
    /// this before it begins to retain them.
    ///
    /// # Errors
    ///
    /// Returns an error if reading fails.
    #[doc(hidden)]
    pub fn skip_to_game(&mut self) -> Result<()> {
        let Some(before) = self.only.map(|number| number - 1) else {
            return Ok(());
        };
        let is_there = |reader: &Reader<PartRead<'_>>| {
            reader.game() > before || (reader.game() == before && reader.depth() == 0)
        };
        while !self.is_at_game && !is_there(&self.reader) {
            if !self.reader.advance()? {
                self.end = Some(End::Input);
                break;
            }
            let Place { depth, game, .. } = self.reader.place();
            match self.reader.event() {
                Event::VariationStart { .. } => self.reader.skip_game(),
                // `depth` still has the value of the game.
                Event::VariationEnd { .. } if depth == 1 && game == before => break,
                _ => {}
            }
        }
        self.is_at_game = true;
        Ok(())
    }

    /// Reads the next event of game `number`.
    #[cold]
    fn advance_in(&mut self, number: u64) -> Result<bool> {
        self.skip_to_game()?;
        loop {
            if self.end.is_some() || !self.reader.advance()? {
                self.end = Some(End::Input);
                return Ok(false);
            }
            let Place { depth, game, .. } = self.reader.place();
            match self.reader.event() {
                Event::Problem(_) => self.count_problem(),
                // Events between the previous game and the requested one.
                _ if game < number => continue,
                Event::VariationEnd { .. } if depth == 1 => self.end = Some(End::Input),
                _ => {}
            }
            return Ok(true);
        }
    }
}

/// The reader of the part's bytes, for retained bytes and the window. Read events from the part:
/// its reader continues after the end of the part.
impl<'a> Deref for PartReader<'a> {
    type Target = Reader<PartRead<'a>>;

    fn deref(&self) -> &Self::Target {
        &self.reader
    }
}

impl DerefMut for PartReader<'_> {
    fn deref_mut(&mut self) -> &mut Self::Target {
        &mut self.reader
    }
}

impl EventSource for PartReader<'_> {
    #[inline(always)]
    fn drive_common(&mut self, sink: &mut impl Sink) -> Option<Flow> {
        if self.is_common() {
            self.reader.drive_common(sink)
        } else {
            None
        }
    }

    #[inline(always)]
    fn fill_common(&mut self, buffer: &mut TokenBuffer) -> Option<Flow> {
        if self.is_common() {
            self.reader.fill_common(buffer)
        } else {
            None
        }
    }

    fn game_bytes(&self, start: u64, end: u64) -> Option<&[u8]> {
        self.reader.game_bytes(start, end)
    }

    #[inline(always)]
    fn retain_game(&mut self, from: Option<u64>, before: u64) {
        self.reader.retain_game(from, before);
    }

    #[inline(always)]
    fn holds_game(&self, start: u64) -> bool {
        self.reader.holds_game(start)
    }
}

impl EventReader for PartReader<'_> {
    #[inline]
    fn advance(&mut self) -> Result<bool> {
        if self.end.is_some() {
            return Ok(false);
        }
        if let Some(number) = self.only {
            return self.advance_in(number);
        }
        if !std::mem::take(&mut self.is_repeated) && !self.reader.advance()? {
            self.end = Some(End::Input);
            return Ok(false);
        }
        if self.reader.is_at_problem() {
            self.count_problem();
        }
        let at = self.reader.span().start;
        if at >= self.border.until && self.is_next_part(at)? {
            self.end = Some(End::Part(self.border.next));
            return Ok(false);
        }
        Ok(true)
    }

    #[inline]
    fn event(&self) -> Event<'_> {
        self.reader.event()
    }

    #[inline]
    fn place(&self) -> Place {
        self.reader.place()
    }

    fn position_of(&self, byte: u64) -> Position {
        self.reader.position_of(byte)
    }

    fn skip_variation(&mut self) {
        self.reader.skip_variation();
    }

    fn skip_game(&mut self) {
        self.reader.skip_game();
    }

    fn hold_games(&mut self) -> u64 {
        self.reader.hold_games()
    }
}

impl std::fmt::Debug for PartReader<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("PartReader")
            .field("start", &self.start.byte)
            .field("end", &self.end)
            .finish_non_exhaustive()
    }
}
