//! Queries: what to look for, and within which bounds.

use sgfstream::{Event, EventReader};
use sgfstream_game::{Ahead, BOARD_MAX, Dialect, GameBoard, GameState, Replay, RootRetention, Side, Step};

use crate::filter::FilterError;
use crate::row::line::{LineStep, follow};

use super::{MoveList, Pattern};

/// The most moves of a sequence.
const SEQUENCE_MAX: usize = 250;

/// Query of a [`Finder`](super::Finder): in all symmetries that the game has, unless [`exact`](Self::exact).
///
/// ```
/// use sgfstream::SliceReader;
/// use sgfstream_table::{filter::Filter, find::Query, row::Rows};
///
/// let query = Query::position_after("pd dp pp").expect("moves").next("dd").expect("a move");
/// let filter = Filter::finding(query, Some("moves > 3")).expect("a condition");
/// // The same position by other moves; turned, as is its next move; with another next move.
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
    pub(super) what: What,
    pub(super) exact: bool,
    pub(super) swap_colors: bool,
    pub(super) variations: bool,
    pub(super) by_move: u64,
    pub(super) next: Option<MoveList>,
    pub(super) mover: Option<Side>,
    pub(super) all: bool,
    /// So many moves after the position are wanted, and no hit.
    pub(super) moves_after: Option<u64>,
}

#[derive(Clone, Debug)]
pub(super) enum What {
    /// A board.
    Position(Box<GameBoard>),
    /// The board after these moves.
    After(MoveList),
    Pattern(Pattern),
    Sequence {
        moves: MoveList,
        anywhere: bool,
        gaps: bool,
    },
    /// So many first moves.
    Opening(u64),
    /// Every board.
    Boards,
}

impl Query {
    fn new(what: What) -> Self {
        let (exact, swap_colors, variations, all) = (false, false, false, false);
        let (next, mover, moves_after) = (None, None, None);
        Self { what, exact, swap_colors, variations, by_move: u64::MAX, next, mover, all, moves_after }
    }

    /// The whole board is that of `position`.
    #[must_use]
    pub fn position(mut position: GameBoard) -> Self {
        position.keep_hash();
        Self::new(What::Position(Box::new(position)))
    }

    /// The whole board is the one after these moves, whichever moves led to it.
    ///
    /// # Errors
    ///
    /// As [`MoveList::parse`].
    pub fn position_after(moves: &str) -> Result<Self, FilterError> {
        Ok(Self::new(What::After(MoveList::parse(moves)?)))
    }

    /// A pattern is on the board.
    #[must_use]
    pub fn pattern(pattern: Pattern) -> Self {
        Self::new(What::Pattern(pattern))
    }

    /// These moves are made, in this order. `anywhere`: as far from each other, wherever that is on the board.
    /// `gaps`: with moves elsewhere between them, on other fields than those of the sequence.
    ///
    /// # Errors
    ///
    /// As [`MoveList::parse`]; without moves, with a pass, or with more than 250 moves.
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
        Ok(Self::new(What::Sequence { moves: list, anywhere, gaps }))
    }

    /// The first moves, at most `depth`, of every game with a board: they are in
    /// [`RowBuilder::opening`](crate::row::RowBuilder::opening).
    #[must_use]
    pub fn opening(depth: u64) -> Self {
        Self::new(What::Opening(depth)).all()
    }

    /// The first moves, at most `depth`, after the position is first on the board: they are in
    /// [`RowBuilder::opening`](crate::row::RowBuilder::opening), as the query sees them, if the main line has the position.
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

    /// Every board of the main line of every game with a board: their hashes are in
    /// [`RowBuilder::boards`](crate::row::RowBuilder::boards). A [position](Self::position) that has no such hash is not in the
    /// game.
    #[must_use]
    pub fn boards() -> Self {
        Self::new(What::Boards).all()
    }

    /// Only as it lies: nothing is turned or mirrored.
    #[must_use]
    pub fn exact(mut self, exact: bool) -> Self {
        self.exact = exact;
        self
    }

    /// With the colours exchanged, too, where the game allows that.
    #[must_use]
    pub fn swap_colors(mut self, swap_colors: bool) -> Self {
        self.swap_colors = swap_colors;
        self
    }

    /// In variations, too.
    #[must_use]
    pub fn variations(mut self, variations: bool) -> Self {
        self.variations = variations;
        self
    }

    /// After at most so many moves.
    #[must_use]
    pub fn by_move(mut self, by_move: Option<u64>) -> Self {
        self.by_move = by_move.unwrap_or(u64::MAX);
        self
    }

    /// Where the next move is this, or one that is the same by a symmetry of what is looked for. Whose move it is makes no
    /// difference.
    ///
    /// # Errors
    ///
    /// As [`MoveList::parse`]; if it is not one move.
    pub fn next(mut self, text: &str) -> Result<Self, FilterError> {
        let list = MoveList::parse(text)?;
        if list.len() != 1 {
            let message = format!("expected one move, found {}", list.len());
            return Err(FilterError::new(message, text, 0..text.len()));
        }
        self.next = Some(list);
        Ok(self)
    }

    /// Where this side moves next, or would move next after the last node of a line: the side that `PL` names, or that the last
    /// move leaves to play; with the colours exchanged, the other one. Of what is the same with the colours exchanged,
    /// which then are looked for, too, either side.
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

    /// True if it looks for a board, and not for a pattern or for moves.
    #[must_use]
    pub fn is_position(&self) -> bool {
        matches!(self.what, What::Position(_) | What::After(_))
    }

    /// True if it looks for it with the colours exchanged, too.
    #[must_use]
    pub fn swaps_colors(&self) -> bool {
        self.swap_colors
    }

    /// True if it looks in variations, too.
    #[must_use]
    pub fn has_variations(&self) -> bool {
        self.variations
    }

    /// The pattern, if it looks for one.
    #[must_use]
    pub fn as_pattern(&self) -> Option<&Pattern> {
        match &self.what {
            What::Pattern(pattern) => Some(pattern),
            _ => None,
        }
    }

    /// The board that is looked for in games of this dialect; after a sequence, the board with its moves. `None` for a
    /// pattern, and where the game has no such board.
    #[must_use]
    pub fn board(&self, dialect: &Dialect) -> Option<GameBoard> {
        match &self.what {
            What::Pattern(_) | What::Opening(_) | What::Boards => None,
            What::Position(position) => Some((**position).clone()),
            What::After(moves) | What::Sequence { moves, .. } => moves.position(dialect),
        }
    }

    /// A move of the query that is possible on no board that was searched, so that nothing can be found: `R20`. `None` if
    /// there is none, or no board was searched yet.
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
            What::After(moves) | What::Sequence { moves, .. } => Some(moves),
            What::Position(_) | What::Pattern(_) | What::Opening(_) | What::Boards => None,
        };
        list.into_iter().chain(&self.next).find_map(MoveList::unread)
    }

    /// Every hit of a game is wanted, not only whether there is one.
    #[must_use]
    pub fn all(mut self) -> Self {
        self.all = true;
        self
    }
}

/// The position of the first game of `reader`: after so many moves of its main line, or at its end. `None` if there
/// is no game, or none with a board that is searched.
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
/// As [`EventReader::advance`].
pub fn position_in(reader: &mut impl EventReader, moves: Option<u64>) -> sgfstream::Result<Option<GameBoard>> {
    let mut state = GameState::new(RootRetention::Line).holding_game();
    let mut replay: Option<Replay> = None;
    reader.hold_games();
    let mut made = 0;
    let mut ahead = Ahead::default();
    while !ahead.is_empty() || reader.advance()? {
        let (event, place) = ahead.pop().unwrap_or_else(|| (reader.event(), reader.place()));
        if state.asks_evidence(&event) {
            let (first, mut lookahead) = ((event.into_owned(), place), state.lookahead());
            ahead.read(reader, first, &mut lookahead)?;
            state.take_evidence(lookahead.finish());
            continue;
        }
        if event.ident().is_some() && !matches!(event, Event::Property(_)) {
            // The game is longer than a caller may hold.
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
