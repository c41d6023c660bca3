//! Lines and columns of findings.

use sgfstream::internal::LineCursor;
use sgfstream::record::{GameReader, GameRecord};
use sgfstream::{Charset, EventReader, Position, Span};

/// Distance of the places whose lines are remembered. A request for an earlier place costs at most
/// this many bytes.
const STRIDE: usize = 4 << 10;

/// Lines and columns of some bytes of an input. Each byte is counted once, even if places are
/// requested out of order.
///
/// ```
/// use sgfstream::Position;
/// use sgfstream_adapt::check::LinePositions;
///
/// let mut lines = LinePositions::new(b"(;FF[4]\nKM[6,5])", Position::default());
/// assert_eq!((lines.position_of(11).line, lines.position_of(11).column), (2, 4));
/// ```
#[derive(Clone, Debug)]
pub struct LinePositions<'t> {
    bytes: &'t [u8],
    start: u64,
    /// Line and column at each multiple of [`STRIDE`] from the start, up to the last requested
    /// place.
    marks: Vec<LineCursor>,
    /// The result of the last request.
    last: LineCursor,
}

impl<'t> LinePositions<'t> {
    /// Returns the positions of `bytes`, which begin at `start`.
    #[must_use]
    pub fn new(bytes: &'t [u8], start: Position) -> Self {
        let first = LineCursor::at(start);
        Self {
            bytes,
            start: start.byte,
            marks: vec![first],
            last: first,
        }
    }

    /// Returns the line and column of a byte. For a byte before the first one, it returns the
    /// position of the first.
    pub fn position_of(&mut self, byte: u64) -> Position {
        let to = usize::try_from(byte.saturating_sub(self.start))
            .unwrap_or(usize::MAX)
            .min(self.bytes.len());
        let mut from = (self.last.position().byte - self.start) as usize;
        if from > to || from / STRIDE < to / STRIDE {
            from = to / STRIDE * STRIDE;
            self.last = self.mark(to / STRIDE);
        }
        self.last.advance(&self.bytes[from..to]);
        self.last.position()
    }

    /// Returns the mark of this number, after it added all marks up to it.
    fn mark(&mut self, number: usize) -> LineCursor {
        while self.marks.len() <= number {
            let from = (self.marks.len() - 1) * STRIDE;
            let mut mark = self.marks[self.marks.len() - 1];
            mark.advance(&self.bytes[from..from + STRIDE]);
            self.marks.push(mark);
        }
        self.marks[number]
    }
}

/// Place of a finding: the buffer of the reader around it, and the charset of its bytes.
#[derive(Debug)]
pub struct FindingPlace<'t, R> {
    games: &'t GameReader<R>,
    /// Charset of the game, or of the game before the finding.
    pub charset: Charset,
    lines: Option<LinePositions<'t>>,
    /// Position of the finding, if it is about a game over the budget.
    pub(super) position: Option<Position>,
}

impl<'t, R: EventReader> FindingPlace<'t, R> {
    /// Returns the place of findings in the game that `games` has read, in the bytes before it, or
    /// in those after the last game.
    #[must_use]
    pub fn new(games: &'t GameReader<R>, charset: Charset) -> Self {
        Self {
            games,
            charset,
            lines: None,
            position: None,
        }
    }

    /// Returns the reader of the game.
    #[must_use]
    pub fn reader(&self) -> &'t R {
        self.games.reader()
    }

    /// Returns the line and column of a byte of the game, or of the bytes between it and the game
    /// before it.
    pub fn position_of(&mut self, byte: u64) -> Position {
        if let Some(position) = self.position {
            return position;
        }
        match self.games.game().filter(|game| !game.tokens().is_empty()) {
            Some(game) => {
                let lines = self.lines.get_or_insert_with(|| lines_of(self.games, game));
                lines.position_of(byte)
            }
            None => self.games.reader().position_of(byte),
        }
    }
}

/// Returns the positions in a game, and in the bytes between it and the game before it.
fn lines_of<'t>(
    games: &'t GameReader<impl EventReader>,
    game: GameRecord<'t>,
) -> LinePositions<'t> {
    let first = game
        .problems_before()
        .first()
        .map_or(u64::MAX, |problem| problem.span.start);
    let with_text = games.bytes(Span::new(first.min(game.span().start), game.span().end));
    let bytes = with_text.unwrap_or(game.as_bytes());
    let start = game.span().end - bytes.len() as u64;
    LinePositions::new(bytes, games.reader().position_of(start))
}

#[cfg(test)]
mod tests {
    use super::*;

    proptest::proptest! {
        /// The order of requests does not matter.
        #[test]
        fn places_in_any_order(line in "[ab]{0,3}(\r\n|\n\r|\n|\r|\n\n)", asked in proptest::collection::vec(0usize..20_000, 1..20)) {
            let bytes: Vec<u8> = line.bytes().cycle().take(20_000).collect();
            let mut positions = LinePositions::new(&bytes, Position::default());
            for at in asked {
                let mut lines = LineCursor::default();
                lines.advance(&bytes[..at]);
                proptest::prop_assert_eq!(positions.position_of(at as u64), lines.position());
            }
        }
    }
}
