//! Reader of games.

use super::{GameRecord, OwnedGame, TokenBuffer, TokenKind};
use crate::base::{LongGame, Position, Problem, Result, Span};
use crate::event::{Event, Flow};
use crate::read::EventReader;

/// Number of nodes of the first step towards the end of a main line. A problem has fewer, and the
/// tree behind them is larger.
const MAIN_LINE_NODES: usize = 64;

/// Reader of games: one [`GameRecord`] after another.
///
/// The bytes of a game stay in the window of the reader until the next game is read. A game that is
/// longer than [`Limits::game`](crate::Limits::game) has no record: [`next_game`](Self::next_game)
/// names it, and reading continues behind it.
///
/// ```
/// use sgfstream::Reader;
/// use sgfstream::record::GameReader;
///
/// let archive = &b"(;PB[Ada];B[pd];W[dp])\n(;PB[Ben];B[qd])"[..];
/// let mut games = GameReader::new(Reader::new(archive));
/// let mut found = Vec::new();
/// while let Some(game) = games.next_game()? {
///     match game {
///         Ok(game) => found.push((game.number(), game.span().start, game.nodes().count())),
///         Err(long) => eprintln!("game {} is too long", long.number),
///     }
/// }
/// assert_eq!(found, [(1, 0, 3), (2, 23, 2)]);
/// # Ok::<(), sgfstream::Error>(())
/// ```
///
/// As an iterator it returns games that own their bytes, for other threads:
///
/// ```
/// use sgfstream::SliceReader;
/// use sgfstream::record::GameReader;
///
/// let mut bytes = 0;
/// for game in GameReader::new(SliceReader::new(b"(;B[pd])(;B[dd];W[pp])")) {
///     bytes += game?.record().as_bytes().len();
/// }
/// assert_eq!(bytes, 22);
/// # Ok::<(), sgfstream::Error>(())
/// ```
#[derive(Debug)]
pub struct GameReader<R> {
    reader: R,
    buffer: TokenBuffer,
    is_in_game: bool,
    /// Whether a part of the game was skipped that fitted the budget so far.
    is_skipped: bool,
    /// Whether an error has stopped reading, so that the next call continues in the same game.
    is_interrupted: bool,
    keeps_context: bool,
    /// Offset of the first byte that a reader with context keeps for the next game.
    context: u64,
    keeps_all: bool,
    keeps_long_games: bool,
    /// Positions of the problems, if a game over the budget keeps them.
    problem_positions: Vec<Position>,
    /// End of the last game.
    last_end: u64,
}

/// Bytes before a game, and before the text before a game, that a reader with context keeps.
const CONTEXT: u64 = 64 << 10;

/// Bytes between two games that a reader with context keeps.
const GAP: u64 = 4 << 20;

impl<R: EventReader> GameReader<R> {
    /// Returns a reader of the games that `reader` reads. The budget of a game is
    /// [`Limits::game`](crate::Limits::game): its bytes, 8 bytes a token and 24 bytes a problem.
    pub fn new(mut reader: R) -> Self {
        let budget = reader.hold_games();
        Self {
            reader,
            buffer: TokenBuffer::new(budget),
            is_in_game: false,
            is_skipped: false,
            is_interrupted: false,
            keeps_context: false,
            context: 0,
            keeps_all: false,
            keeps_long_games: false,
            problem_positions: Vec::new(),
            last_end: 0,
        }
    }

    /// Keeps the bytes between a game and the game before it as well, up to 4 MiB, and 64 KiB
    /// before them. So a caller can show the lines of problems: see [`bytes`](Self::bytes).
    #[must_use]
    pub fn keeping_context(self) -> Self {
        Self {
            keeps_context: true,
            ..self
        }
    }

    /// Keeps all bytes from the end of the last game on, so that the reader can copy the bytes
    /// between games, and games that have no record.
    ///
    /// ```
    /// use sgfstream::Reader;
    /// use sgfstream::record::GameReader;
    ///
    /// let mut games =
    ///     GameReader::new(Reader::new(&b"mail: (;B[aa]) and (;B[bb])"[..])).keeping_all_bytes();
    /// let (mut copy, mut end) = (Vec::new(), 0);
    /// while games.next_game()?.is_some() {
    ///     games.reader().copy(end..games.span().start, &mut copy).expect("the bytes were kept");
    ///     end = games.span().end;
    /// }
    /// assert_eq!(copy, b"mail:  and ");
    /// # Ok::<(), sgfstream::Error>(())
    /// ```
    #[must_use]
    pub fn keeping_all_bytes(self) -> Self {
        Self {
            keeps_all: true,
            ..self
        }
    }

    /// Keeps the bytes of a game that has no record, so that the reader can copy them.
    #[must_use]
    pub fn keeping_long_games(self) -> Self {
        Self {
            keeps_long_games: true,
            ..self
        }
    }

    /// Reads a game that has no record to its end, and keeps its problems: see
    /// [`long_game_problems`](Self::long_game_problems).
    pub fn keep_long_game_problems(&mut self) {
        self.buffer.keeps_problems = true;
    }

    /// Returns the problems before and in a game that has no record, with their positions, and the
    /// number of those before it. It returns 65,536 problems at most.
    pub fn long_game_problems(&self) -> (usize, impl Iterator<Item = (Problem, Position)> + '_) {
        let positions = self.problem_positions.iter().copied();
        (
            self.buffer.problems_before,
            self.buffer.problems().iter().copied().zip(positions),
        )
    }

    /// Returns whether the bytes of a game that has no record [are kept](Self::keeping_long_games).
    #[must_use]
    pub fn keeps_long_games(&self) -> bool {
        self.keeps_all || self.keeps_long_games
    }

    /// Reads the next game. Returns `None` at the end of the input.
    ///
    /// # Errors
    ///
    /// The same as for [`EventReader::advance`]. After an error, the next call tries again.
    pub fn next_game(&mut self) -> Result<Option<Result<GameRecord<'_>, LongGame>>> {
        if !self.start(usize::MAX)? {
            return Ok(None);
        }
        Ok(Some(self.game().ok_or_else(|| self.long_game())))
    }

    /// Reads the next game into `game`. Returns false at the end of the input.
    ///
    /// # Errors
    ///
    /// The same as for [`next_game`](Self::next_game), and
    /// [`ErrorKind::LongGame`](crate::ErrorKind::LongGame) for a game over the budget. The next
    /// call then reads the game behind it.
    pub fn read_game(&mut self, game: &mut OwnedGame) -> Result<bool> {
        match self.next_game()? {
            Some(Ok(record)) => game.copy_from(record),
            Some(Err(long)) => return Err(long.into()),
            None => return Ok(false),
        }
        Ok(true)
    }

    /// Reads the root of the next game. Returns false at the end of the input.
    ///
    /// # Errors
    ///
    /// The same as for [`next_game`](Self::next_game).
    pub fn next_root(&mut self) -> Result<bool> {
        self.start(1)
    }

    /// Reads this number of nodes of the next game. Returns false at the end of the input.
    ///
    /// # Errors
    ///
    /// The same as for [`next_game`](Self::next_game).
    pub fn next_nodes(&mut self, nodes: usize) -> Result<bool> {
        self.start(nodes)
    }

    /// Reads this number of further nodes. The last of them has no properties yet.
    ///
    /// # Errors
    ///
    /// The same as for [`next_game`](Self::next_game).
    pub fn read_nodes(&mut self, nodes: usize) -> Result<()> {
        if self.is_in_game && nodes > 0 {
            self.read(nodes)
        } else {
            Ok(())
        }
    }

    /// Reads the rest of the game.
    ///
    /// # Errors
    ///
    /// The same as for [`next_game`](Self::next_game).
    pub fn read_rest(&mut self) -> Result<()> {
        self.read_nodes(usize::MAX)
    }

    /// Reads on to the end of the main line, and in steps, so that little of a large tree behind it
    /// is read.
    ///
    /// # Errors
    ///
    /// The same as for [`next_game`](Self::next_game).
    ///
    /// ```
    /// use sgfstream::SliceReader;
    /// use sgfstream::record::GameReader;
    ///
    /// let tree = format!("(;(;B[pd];W[dp]){})", "(;B[dd])".repeat(10_000));
    /// let mut games = GameReader::new(SliceReader::new(tree.as_bytes()));
    /// assert!(games.next_root()?);
    /// games.read_main_line()?;
    /// let game = games.game().expect("a short game");
    /// assert!(game.main_line().len() < game.tokens().len() && !game.is_whole());
    /// # Ok::<(), sgfstream::Error>(())
    /// ```
    pub fn read_main_line(&mut self) -> Result<()> {
        let mut nodes = MAIN_LINE_NODES;
        while self.is_in_game && !self.has_main_line() {
            self.read(nodes)?;
            nodes *= 2;
        }
        Ok(())
    }

    fn has_main_line(&self) -> bool {
        self.buffer
            .tokens()
            .iter()
            .any(|token| token.kind() == TokenKind::Close)
    }

    /// Skips the rest of the game. Unless the game was read to its end, it has no record
    /// afterwards, only a [`span`](Self::span).
    ///
    /// # Errors
    ///
    /// The same as for [`next_game`](Self::next_game).
    pub fn skip_rest(&mut self) -> Result<()> {
        if !self.is_in_game {
            return Ok(());
        }
        self.is_skipped = !self.buffer.is_over;
        self.buffer.drop_tokens();
        self.retain(None, 0);
        self.reader.skip_game();
        while self.reader.advance()? {
            let place = self.reader.place();
            if matches!(self.reader.event(), Event::VariationEnd(end) if end.depth == 1) {
                self.buffer.finish(place.span.end);
                break;
            }
        }
        self.is_in_game = false;
        Ok(())
    }

    /// Returns the game as far as it was read. Returns `None` if it is over the budget, or was
    /// skipped.
    #[must_use]
    pub fn game(&self) -> Option<GameRecord<'_>> {
        let buffer = &self.buffer;
        if buffer.is_over {
            return None;
        }
        let end = if self.is_in_game {
            u64::MAX
        } else {
            buffer.end
        };
        let bytes = self.reader.game_bytes(buffer.base, end)?;
        Some(GameRecord::new(bytes, buffer, buffer.base))
    }

    /// Returns whether the game is over the budget, as far as it was read. Of a game that was
    /// skipped, only the bytes count.
    #[must_use]
    pub fn is_long(&self) -> bool {
        let bytes = if self.is_in_game {
            0
        } else {
            self.span().len()
        };
        self.buffer.is_over && !self.is_skipped || bytes > self.buffer.budget
    }

    /// Returns number and span of the last game: the name of a game that has no record.
    #[must_use]
    pub fn long_game(&self) -> LongGame {
        LongGame {
            number: self.number(),
            span: self.span(),
        }
    }

    /// Returns the bytes of the game in the input, once it was read or skipped to its end.
    #[must_use]
    pub fn span(&self) -> Span {
        Span::new(self.buffer.base, self.buffer.end)
    }

    /// Returns the number of the game.
    #[must_use]
    pub fn number(&self) -> u64 {
        self.buffer.number
    }

    /// Returns the problems after the last game, once there is no game left. In a part that is not
    /// the last, they belong to the first game of the next part.
    #[must_use]
    pub fn trailing_problems(&self) -> &[Problem] {
        if self.buffer.is_empty() {
            self.buffer.problems()
        } else {
            &[]
        }
    }

    /// Returns these bytes of the input, if they are still in the buffer. The bytes of the game are
    /// there.
    #[must_use]
    pub fn bytes(&self, span: Span) -> Option<&[u8]> {
        self.reader.game_bytes(span.start, span.end)
    }

    /// Returns the reader, for positions, counts and the end of a part.
    pub fn reader(&self) -> &R {
        &self.reader
    }

    /// Returns the reader. Reading events from it loses games.
    pub fn reader_mut(&mut self) -> &mut R {
        &mut self.reader
    }

    /// Returns the reader.
    pub fn into_inner(self) -> R {
        self.reader
    }

    /// Starts the next game, and reads it up to the node number `left`, from 0 for the root.
    fn start(&mut self, left: usize) -> Result<bool> {
        if !self.is_interrupted {
            self.skip_rest()?;
            let end = self.buffer.end;
            self.last_end = self.last_end.max(end);
            self.buffer.clear();
            self.problem_positions.clear();
            self.is_skipped = false;
            self.context = end.saturating_sub(CONTEXT);
            self.retain(self.keeps_context.then_some(end), CONTEXT);
        }
        self.read(left)?;
        Ok(!self.buffer.is_empty())
    }

    fn read(&mut self, left: usize) -> Result<()> {
        self.buffer.left = left;
        let result = self.read_on();
        let place = self.reader.place();
        self.buffer.charset = (place.charset, place.charset_source);
        self.is_in_game = !self.buffer.is_empty() && self.buffer.end == 0;
        self.is_interrupted = result.is_err();
        result
    }

    #[inline]
    fn read_on(&mut self) -> Result<()> {
        if self.buffer.is_over && self.buffer.keeps_problems {
            return self.read_problems();
        }
        loop {
            let flow = match self.reader.fill_common(&mut self.buffer) {
                Some(flow) => flow,
                None => {
                    let buffer = &mut self.buffer;
                    if !buffer.is_empty() && !buffer.is_over && !self.reader.holds_game(buffer.base)
                    {
                        buffer.drop_tokens();
                        if buffer.keeps_problems {
                            return self.read_problems();
                        }
                        self.reader.skip_game();
                    }
                    if !self.reader.advance()? {
                        return Ok(());
                    }
                    self.take_event()
                }
            };
            match flow {
                Flow::Go | Flow::SkipVariation => {}
                Flow::SkipGame if self.buffer.keeps_problems => return self.read_problems(),
                Flow::SkipGame => {
                    if !self.keeps_long_games() {
                        self.retain(None, 0);
                    }
                    self.reader.skip_game();
                }
                Flow::Stop => return Ok(()),
            }
        }
    }

    /// Reads the problems of a game over the budget, up to its end.
    fn read_problems(&mut self) -> Result<()> {
        if !self.keeps_long_games {
            self.retain(None, 0);
        }
        while self.reader.advance()? {
            match self.reader.event() {
                Event::Problem(problem)
                    if note_position(&self.reader, &mut self.problem_positions) =>
                {
                    self.buffer.add_problem(problem);
                }
                Event::VariationEnd(end) if end.depth == 1 => {
                    self.buffer.finish(self.reader.place().span.end);
                    return Ok(());
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Keeps the bytes from `from` on, and `before` bytes before it; or all bytes from the end of
    /// the last game on.
    #[inline]
    fn retain(&mut self, from: Option<u64>, before: u64) {
        if self.keeps_all {
            let from = from.unwrap_or(self.last_end).max(self.last_end);
            self.reader.retain_game(Some(from), from - self.last_end);
        } else {
            self.reader.retain_game(from, before);
        }
    }

    fn take_event(&mut self) -> Flow {
        let (event, place) = (self.reader.event(), self.reader.place());
        let flow = self.buffer.take(&event, &place);
        if self.buffer.keeps_problems && matches!(event, Event::Problem(_)) {
            note_position(&self.reader, &mut self.problem_positions);
        }
        if matches!(event, Event::VariationStart(start) if start.depth == 1) {
            let before = if self.keeps_context {
                (place.span.start - self.context).min(GAP)
            } else {
                0
            };
            self.retain(Some(place.span.start), before);
        }
        flow
    }
}

/// Maximum number of problems whose positions are noted.
const POSITIONS: usize = 1 << 16;

/// Notes the position of the last event, a problem of a game that may go over the budget. Returns
/// whether there was room.
fn note_position(reader: &impl EventReader, positions: &mut Vec<Position>) -> bool {
    let has_room = positions.len() < POSITIONS;
    if has_room {
        positions.push(reader.position_of(reader.place().span.start));
    }
    has_room
}

impl<R: EventReader> Iterator for GameReader<R> {
    type Item = Result<OwnedGame>;

    fn next(&mut self) -> Option<Result<OwnedGame>> {
        match self.next_game() {
            Ok(Some(Ok(record))) => Some(Ok(record.to_owned_game())),
            Ok(Some(Err(long))) => Some(Err(long.into())),
            Ok(None) => None,
            Err(err) => Some(Err(err)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Reader;
    use crate::base::LineCursor;

    /// The `)` of the game is on the same token list as the token that goes over the budget.
    #[test]
    fn a_game_that_goes_over_near_its_end_is_skipped() {
        let game = [b"(;B[aa](;B[bb]".repeat(60), b")".repeat(120)].concat();
        let input = [&game[..], b"\n", &game].concat();
        let mut long_games = 0;
        for budget in (1..6_000).step_by(37) {
            let options =
                crate::Options::default().with_limits(crate::Limits::default().with_game(budget));
            let mut games = GameReader::new(crate::SliceReader::with_options(&input, options));
            let mut count = 0;
            while let Some(game) = games.next_game().expect("memory can be read") {
                long_games += u32::from(game.is_err());
                count += 1;
            }
            assert_eq!(count, 2, "budget {budget}");
        }
        assert!(long_games > 0);
    }

    /// A property longer than the budget comes in parts, so it decides neither charset nor game,
    /// however the bytes arrive.
    #[test]
    fn a_root_over_the_budget_is_read_alike_in_slices_and_streams() {
        let inputs = [
            &b"(;n]CA[ISO885\n(;9-1]B[\xd4]1),"[..],
            b"(;GM[Blokus Trigon Three-Player]A[\x81\\])\n",
        ];
        for (input, budget) in inputs
            .into_iter()
            .flat_map(|input| (1..60).map(move |at| (input, at)))
        {
            let limits = crate::Limits::default().with_game(budget);
            let options = crate::Options::default().with_limits(limits);
            let mut slice = GameReader::new(crate::SliceReader::with_options(input, options));
            let mut stream = GameReader::new(Reader::with_buffer(input, options, 1));
            let [in_slice, in_stream] = [
                slice
                    .next_game()
                    .expect("memory can be read")
                    .map(|game| game.map(|game| game.span())),
                stream
                    .next_game()
                    .expect("memory can be read")
                    .map(|game| game.map(|game| game.span())),
            ];
            assert_eq!(in_slice, in_stream, "budget {budget}");
        }
    }

    /// Text before a game does not count against the budget of the game, wherever it is kept.
    #[test]
    #[cfg_attr(miri, ignore = "takes minutes in Miri")]
    fn a_game_after_a_long_text_is_not_long() {
        let limits = crate::Limits::default().with_game(100_000);
        let options = crate::Options::default().with_limits(limits);
        for text_len in [90_000, 500_000, 6_000_000] {
            let text = b"x ".repeat(text_len / 2);
            let game = [b"(;C[", &b"y".repeat(80_000)[..], b"])"].concat();
            let input = [&text[..], &game, &text, &game, &text].concat();
            for has_file in [false, true] {
                let mut reader = Reader::with_buffer(&input[..], options, 64);
                if has_file {
                    reader.retain_in(tempfile);
                }
                let mut games = GameReader::new(reader).keeping_all_bytes();
                let (mut copy, mut end, mut count) = (Vec::new(), 0, 0);
                while let Some(found) = games.next_game().expect("memory can be read") {
                    assert_eq!(found.expect("a short game").as_bytes(), game);
                    count += 1;
                    if has_file {
                        games
                            .reader()
                            .copy(end..games.span().end, &mut copy)
                            .expect("the bytes were kept");
                    }
                    end = games.span().end;
                }
                assert_eq!(count, 2);
                if has_file {
                    games
                        .reader()
                        .copy(end..input.len() as u64, &mut copy)
                        .expect("the bytes were kept");
                    assert!(copy == input, "{text_len}");
                }
            }
        }
    }

    fn tempfile() -> std::io::Result<std::fs::File> {
        let name = format!(
            "sgfstream-{}-{:?}",
            std::process::id(),
            std::thread::current().id()
        );
        let path = std::env::temp_dir().join(name);
        let file = std::fs::File::options()
            .read(true)
            .write(true)
            .create_new(true)
            .open(&path)?;
        std::fs::remove_file(path)?;
        Ok(file)
    }

    /// Problems of a game over the budget have their positions, however far they lie before the end
    /// of the game.
    #[test]
    fn problems_of_a_long_game() {
        let text = b"line\n".repeat(100_000);
        let input = [
            b"(;B[aa])\n]\n(;C[a]]\n;C[",
            &text[..],
            b"]]\n;C[",
            &text,
            b"]\n]x)\n(;B[bb])]",
        ]
        .concat();
        let limits = crate::Limits::default().with_game(100_000);
        let options = crate::Options::default().with_limits(limits);
        let mut expected = Vec::new();
        let mut reader = crate::SliceReader::new(&input);
        while reader.advance().expect("no limit is set") {
            if let Event::Problem(problem) = reader.event() {
                expected.push((problem, reader.position_of(problem.span.start)));
            }
        }
        let mut games = GameReader::new(Reader::with_buffer(&input[..], options, 64));
        games.keep_long_game_problems();
        let mut found = Vec::new();
        while let Some(game) = games.next_game().expect("memory can be read") {
            if game.is_err() {
                let (before, problems) = games.long_game_problems();
                found.extend(problems);
                assert_eq!((before, games.number()), (1, 2));
            }
        }
        assert_eq!(found, expected[..expected.len() - 1]);
        assert_eq!(games.trailing_problems().len(), 1);
    }

    #[test]
    #[cfg_attr(miri, ignore = "takes minutes in Miri")]
    fn the_text_before_a_game_stays_in_the_buffer() {
        let long = [b"(;C[", &b"x\n".repeat(400_000)[..], b"])"].concat();
        let text = b"a line\n".repeat(100_000);
        let input = [&text[..], &long, &text, b"(;B[aa])", &text, &long].concat();
        let mut games = GameReader::new(Reader::with_buffer(
            &input[..],
            crate::Options::default(),
            64,
        ))
        .keeping_context();
        let mut starts = Vec::new();
        while games.next_game().expect("memory can be read").is_some() {
            let span = games.span();
            let with_text = Span::new(span.start - text.len() as u64, span.end);
            let expected = &input[with_text.start as usize..with_text.end as usize];
            assert_eq!(games.bytes(with_text), Some(expected));
            let mut lines = LineCursor::default();
            lines.advance(&input[..with_text.start as usize]);
            assert_eq!(
                games.reader().position_of(with_text.start),
                lines.position()
            );
            starts.push(span.start);
        }
        let text = text.len() as u64;
        let long = long.len() as u64;
        assert_eq!(starts, [text, 2 * text + long, 3 * text + long + 8]);
    }
}
