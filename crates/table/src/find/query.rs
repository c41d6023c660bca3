//! Queries: the target of a search, and its conditions.

use sgfstream::{Event, EventReader};
use sgfstream_game::{BOARD_MAX, Dialect, GameBoard, GameState, LookaheadBuffer, Replay, RootRetention, Side, Step};

use crate::filter::FilterError;
use crate::row::line::{LineStep, follow};

use super::{MoveList, Pattern};

/// Maximum number of moves in a sequence.
const SEQUENCE_MAX: usize = 250;

/// Query of a [`Finder`](super::Finder). It matches in all symmetries of the game, unless it is [`exact`](Self::exact).
///
/// ```
/// use sgfstream::SliceReader;
/// use sgfstream_table::{filter::Filter, find::Query, row::Rows};
///
/// let query = Query::position_after("pd dp pp").expect("moves").next("dd").expect("a move");
/// let filter = Filter::finding(query, Some("moves > 3")).expect("a condition");
/// // The same position by other moves; rotated, with its next move; with another next move.
/// let games = b"(;B[pp];W[dp];B[pd];W[dd])(;B[dp];W[dd];B[pp];W[pd])(;B[pd];W[dp];B[pp];W[qc])";
/// let mut rows = Rows::with_builder(SliceReader::new(games), filter.builder(Default::default()));
/// let mut found = Vec::new();
/// while rows.next_root()? {
///     found.push(filter.decide(&mut rows)?);
/// }
/// assert_eq!(found, [true, true, false]);
/// # Ok::<(), sgfstream::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Query {
    pub(super) what: QueryBody,
    pub(super) exact: bool,
    pub(super) swap_colors: bool,
    pub(super) variations: bool,
    pub(super) by_move: u64,
    pub(super) next: Option<MoveList>,
    pub(super) mover: Option<Side>,
    pub(super) all: bool,
    /// Number of moves to collect after the position, instead of hits.
    pub(super) moves_after: Option<u64>,
}

#[derive(Clone, Debug)]
pub(super) enum QueryBody {
    /// This board.
    Position(Box<GameBoard>),
    /// The board after these moves.
    After(MoveList),
    Pattern(Pattern),
    Sequence {
        moves: MoveList,
        anywhere: bool,
        gaps: bool,
    },
    /// This number of first moves.
    Opening(u64),
    /// Every board.
    Boards,
}

impl Query {
    fn new(what: QueryBody) -> Self {
        let (exact, swap_colors, variations, all) = (false, false, false, false);
        let (next, mover, moves_after) = (None, None, None);
        Self { what, exact, swap_colors, variations, by_move: u64::MAX, next, mover, all, moves_after }
    }

    /// Returns a query for the whole board of `position`.
    #[must_use]
    pub fn position(mut position: GameBoard) -> Self {
        position.keep_hash();
        Self::new(QueryBody::Position(Box::new(position)))
    }

    /// Returns a query for the whole board after these moves, in any order of moves.
    ///
    /// # Errors
    ///
    /// Same as [`MoveList::parse`].
    pub fn position_after(moves: &str) -> Result<Self, FilterError> {
        Ok(Self::new(QueryBody::After(MoveList::parse(moves)?)))
    }

    /// Returns a query for a pattern.
    #[must_use]
    pub fn pattern(pattern: Pattern) -> Self {
        Self::new(QueryBody::Pattern(pattern))
    }

    /// Returns a query for these moves in this order. With `anywhere`, the sequence may be displaced on the board. With
    /// `gaps`, moves on other cells may lie between its moves.
    ///
    /// # Errors
    ///
    /// Same as [`MoveList::parse`]. Also returns an error if there are no moves, or more than 250.
    pub fn sequence(moves: &str, anywhere: bool, gaps: bool) -> Result<Self, FilterError> {
        let list = MoveList::parse(moves)?;
        let whole = 0..moves.len();
        if list.is_empty() {
            return Err(FilterError::new("no moves are given; write moves such as `pd qf nc`", moves, whole));
        }
        if list.len() > SEQUENCE_MAX {
            let message = format!("a sequence has at most {SEQUENCE_MAX} moves, found {}", list.len());
            return Err(FilterError::new(message, moves, whole));
        }
        Ok(Self::new(QueryBody::Sequence { moves: list, anywhere, gaps }))
    }

    /// Returns a query that collects the first moves, at most `depth`, of every game with a board. Read them from
    /// [`RowBuilder::opening`](crate::row::RowBuilder::opening).
    #[must_use]
    pub fn opening(depth: u64) -> Self {
        Self::new(QueryBody::Opening(depth)).all()
    }

    /// Returns this query, set to collect at most `depth` moves after the first occurrence of the position on the main line.
    /// Read them from [`RowBuilder::opening`](crate::row::RowBuilder::opening), from the view of the query.
    ///
    /// ```
    /// use sgfstream::SliceReader;
    /// use sgfstream_game::Coordinates;
    /// use sgfstream_table::{filter::Filter, find::Query, row::Rows};
    ///
    /// let query = Query::position_after("pd dp").expect("moves").moves_after(2);
    /// let filter = Filter::finding(query, None).expect("no condition");
    /// let mut rows = Rows::with_builder(SliceReader::new(b"(;B[dd];W[pp];B[cq];W[qc];B[jj])"), filter.builder(Default::default()));
    /// assert!(rows.next_root()? && filter.decide(&mut rows)?);
    /// rows.finish_row()?;
    /// let opening = rows.builder().opening().expect("the position");
    /// let text = |at: usize| opening.moves[at].text(&opening.board, Coordinates::Sgf);
    /// assert_eq!((opening.moves.len(), text(0), text(1)), (2, "B qq".to_owned(), "W cc".to_owned()));
    /// # Ok::<(), anyhow::Error>(())
    /// ```
    #[must_use]
    pub fn moves_after(self, depth: u64) -> Self {
        Self { moves_after: Some(depth), ..self }.all()
    }

    /// Returns a query that collects the hashes of all boards on the main line, for every game with a board. Read them from
    /// [`RowBuilder::boards`](crate::row::RowBuilder::boards). A game without the hash of a [position](Self::position) does
    /// not have that position.
    #[must_use]
    pub fn boards() -> Self {
        Self::new(QueryBody::Boards).all()
    }

    /// Returns this query with or without rotations and reflections: if `exact`, only the given orientation matches.
    #[must_use]
    pub fn exact(mut self, exact: bool) -> Self {
        self.exact = exact;
        self
    }

    /// Returns this query with or without swapped colors, if the game allows them.
    #[must_use]
    pub fn swap_colors(mut self, swap_colors: bool) -> Self {
        self.swap_colors = swap_colors;
        self
    }

    /// Returns this query with or without variations.
    #[must_use]
    pub fn variations(mut self, variations: bool) -> Self {
        self.variations = variations;
        self
    }

    /// Returns this query with a maximum number of moves before the match.
    #[must_use]
    pub fn by_move(mut self, by_move: Option<u64>) -> Self {
        self.by_move = by_move.unwrap_or(u64::MAX);
        self
    }

    /// Returns this query with a required next move, up to symmetries of the query. The color of the move does not matter.
    ///
    /// # Errors
    ///
    /// Same as [`MoveList::parse`]. Also returns an error if there is not exactly one move.
    pub fn next(mut self, text: &str) -> Result<Self, FilterError> {
        let list = MoveList::parse(text)?;
        if list.len() != 1 {
            let message = format!("expected one move, found {}", list.len());
            return Err(FilterError::new(message, text, 0..text.len()));
        }
        self.next = Some(list);
        Ok(self)
    }

    /// Returns this query with a required side of the next move. At the end of a line, the side to play counts: `PL`
    /// names it, or the last move determines it. With swapped colors, the other side counts. If swapped colors match and
    /// leave the query unchanged, either side is accepted.
    ///
    /// ```
    /// use sgfstream::SliceReader;
    /// use sgfstream_game::Side;
    /// use sgfstream_table::{filter::Filter, find::Query, row::Rows};
    ///
    /// let decide = |mover| {
    ///     let query = Query::position_after("pd").expect("a move").mover(Some(mover));
    ///     let filter = Filter::finding(query, None).expect("no condition");
    ///     let mut rows = Rows::with_builder(SliceReader::new(b"(;B[pd];B[dp])"), filter.builder(Default::default()));
    ///     Ok::<_, sgfstream::Error>(rows.next_root()? && filter.decide(&mut rows)?)
    /// };
    /// assert!(decide(Side::Black)? && !decide(Side::White)?);
    /// # Ok::<(), sgfstream::Error>(())
    /// ```
    #[must_use]
    pub fn mover(mut self, mover: Option<Side>) -> Self {
        self.mover = mover;
        self
    }

    /// Returns whether the query is for a board, instead of a pattern or moves.
    #[must_use]
    pub fn is_position(&self) -> bool {
        matches!(self.what, QueryBody::Position(_) | QueryBody::After(_))
    }

    /// Returns whether swapped colors match.
    #[must_use]
    pub fn swaps_colors(&self) -> bool {
        self.swap_colors
    }

    /// Returns whether the query collects boards for an index, instead of searching.
    pub(crate) fn is_of_boards(&self) -> bool {
        matches!(self.what, QueryBody::Boards)
    }

    /// Returns whether variations are searched.
    #[must_use]
    pub fn has_variations(&self) -> bool {
        self.variations
    }

    /// Returns the pattern, if the query is for one.
    #[must_use]
    pub fn as_pattern(&self) -> Option<&Pattern> {
        match &self.what {
            QueryBody::Pattern(pattern) => Some(pattern),
            _ => None,
        }
    }

    /// Returns the target board in games of this dialect; for a sequence, the board with its moves. Returns `None` for a
    /// pattern, or if the game has no such board.
    #[must_use]
    pub fn board(&self, dialect: &Dialect) -> Option<GameBoard> {
        match &self.what {
            QueryBody::Pattern(_) | QueryBody::Opening(_) | QueryBody::Boards => None,
            QueryBody::Position(position) => Some((**position).clone()),
            QueryBody::After(moves) | QueryBody::Sequence { moves, .. } => moves.position(dialect),
        }
    }

    /// Returns a move of the query that was invalid on all searched boards, so that nothing can match, such as `R20`.
    /// Returns `None` if there is none, or no board was searched yet.
    ///
    /// ```
    /// use sgfstream::SliceReader;
    /// use sgfstream_table::{filter::Filter, find::Query, row::Rows};
    ///
    /// let query = Query::position_after("Q16 R20").expect("moves of some board");
    /// let filter = Filter::finding(query.clone(), None).expect("no condition");
    /// let mut rows = Rows::with_builder(SliceReader::new(b"(;SZ[19];B[pd])"), filter.builder(Default::default()));
    /// assert!(rows.next_root()? && !filter.decide(&mut rows)?);
    /// assert_eq!(query.impossible_move(), Some("R20"));
    /// # Ok::<(), sgfstream::Error>(())
    /// ```
    #[must_use]
    pub fn impossible_move(&self) -> Option<&str> {
        let list = match &self.what {
            QueryBody::After(moves) | QueryBody::Sequence { moves, .. } => Some(moves),
            QueryBody::Position(_) | QueryBody::Pattern(_) | QueryBody::Opening(_) | QueryBody::Boards => None,
        };
        list.into_iter().chain(&self.next).find_map(MoveList::unread)
    }

    /// Returns this query, set to find all hits of a game instead of one.
    #[must_use]
    pub fn all(mut self) -> Self {
        self.all = true;
        self
    }
}

/// Returns the position of the first game of `reader`: after `moves` moves of its main line, or at its end. Returns `None`
/// if there is no game, or its board is not searchable.
///
/// ```
/// use sgfstream::SliceReader;
/// use sgfstream_table::find::position_in;
///
/// let mut reader = SliceReader::new(b"(;SZ[5]AB[aa];B[bb];W[cc](;B[dd])(;B[ee]))");
/// let position = position_in(&mut reader, Some(1))?.expect("a position");
/// assert_eq!(position.to_string(), "X....\n.X...\n.....\n.....\n.....\n");
/// # Ok::<(), sgfstream::Error>(())
/// ```
///
/// # Errors
///
/// Same as [`EventReader::advance`].
pub fn position_in(reader: &mut impl EventReader, moves: Option<u64>) -> sgfstream::Result<Option<GameBoard>> {
    let mut state = GameState::new(RootRetention::Line).holding_game();
    let mut replay: Option<Replay> = None;
    reader.hold_games();
    let mut made = 0;
    let mut ahead = LookaheadBuffer::default();
    while !ahead.is_empty() || reader.advance()? {
        let (event, place) = ahead.pop().unwrap_or_else(|| (reader.event(), reader.place()));
        if state.asks_evidence(&event) {
            let (first, mut lookahead) = ((event.into_owned(), place), state.lookahead());
            ahead.read(reader, first, &mut lookahead)?;
            state.take_evidence(lookahead.finish());
            continue;
        }
        if event.ident().is_some() && !matches!(event, Event::Property(_)) {
            // The game is too long to buffer.
            return Ok(None);
        }
        let step = state.event(&event, &place);
        if step == Step::RootEnd {
            let is_searched = |replay: &Replay| replay.board().is_some_and(|board| board.size().longer() <= BOARD_MAX);
            replay = Replay::without_legality(&state).ok().filter(is_searched);
        }
        let Some(replay) = &mut replay else {
            if state.in_root() || place.depth == 0 {
                continue;
            }
            return Ok(None);
        };
        if !state.on_main_line() {
            break;
        }
        follow(&state, step, &event, |step| match step {
            LineStep::Move(played) if moves.is_none_or(|moves| made < moves) => {
                made += 1;
                replay.play(played.color, &played.value);
            }
            LineStep::Other(property) if moves.is_none_or(|moves| made < moves || made == 0) => {
                replay.apply(property);
            }
            _ => {}
        });
        if place.depth <= 1 && matches!(event, Event::VariationEnd { .. }) {
            break;
        }
    }
    let is_short = moves.is_some_and(|moves| made < moves);
    Ok(replay.filter(|_| !is_short).and_then(Replay::into_board))
}
