//! Queries: the target of a search, and its conditions.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use sgfstream::EventReader;
use sgfstream::record::{GameItem, GameReader};
use sgfstream_game::{Dialect, Facts, GameBoard, Side, internal::BOARD_MAX};

use crate::filter::FilterError;

use super::{MoveList, Pattern};

/// Maximum number of moves in a sequence.
const SEQUENCE_MAX: usize = 250;

/// Query of a [`Finder`](super::Finder). It matches in all symmetries of the game, unless it is
/// [`exact`](Self::exact).
///
/// ```
/// use sgfstream::SliceReader;
/// use sgfstream::record::GameReader;
/// use sgfstream_game::Facts;
/// use sgfstream_table::find::{Finder, Query};
///
/// let query = Query::position_after("pd dp pp").expect("moves").next("dd").expect("a move");
/// let mut finder = Finder::new(query);
/// // The same position by other moves; rotated, with its next move; with another next move.
/// let games =
///     b"(;B[pp];W[dp];B[pd];W[dd])(;B[dp];W[dd];B[pp];W[pd])(;B[pd];W[dp];B[pp];W[qc])";
/// let mut games = GameReader::new(SliceReader::new(games));
/// let mut found = Vec::new();
/// while let Some(game) = games.next_game()? {
///     finder.search(&Facts::of(game.expect("a short game"), 0));
///     found.push(!finder.hits().is_empty());
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
    /// Whether to collect remarks.
    pub(super) has_remarks: bool,
    /// Shared by all clones of the query.
    pub(super) boards: Arc<SearchedBoards>,
}

/// What the query could be on the boards of a search.
#[derive(Debug, Default)]
pub(super) struct SearchedBoards {
    /// Whether the query can match on some board.
    pub(super) is_fit: AtomicBool,
    /// Whether it cannot match on some board.
    pub(super) is_unfit: AtomicBool,
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
        Self {
            what,
            exact: false,
            swap_colors: false,
            variations: false,
            by_move: u64::MAX,
            next: None,
            mover: None,
            all: false,
            moves_after: None,
            has_remarks: false,
            boards: Arc::default(),
        }
    }

    /// Returns a query for the whole board of `position`.
    #[must_use]
    pub fn position(mut position: GameBoard) -> Self {
        position.keep_hash();
        Self::new(QueryBody::Position(Box::new(position)))
    }

    /// Returns a query for the whole board after these moves and setup, in any order.
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

    /// Returns a query for these moves in this order. With `anywhere`, the sequence may be
    /// displaced on the board. With `gaps`, moves on other cells may lie between its moves.
    ///
    /// # Errors
    ///
    /// Same as [`MoveList::parse`]. Also returns an error if there are no moves, more than 250, or
    /// setup.
    pub fn sequence(moves: &str, anywhere: bool, gaps: bool) -> Result<Self, FilterError> {
        let list = MoveList::parse(moves)?;
        let whole = 0..moves.len();
        if list.is_empty() {
            return Err(FilterError::new(
                "no moves are given; write moves such as `pd qf nc`",
                moves,
                whole,
            ));
        }
        if list.has_setup() {
            return Err(FilterError::new(
                "a sequence has moves only, no setup",
                moves,
                whole,
            ));
        }
        if list.len() > SEQUENCE_MAX {
            let message = format!(
                "a sequence has at most {SEQUENCE_MAX} moves, found {}",
                list.len()
            );
            return Err(FilterError::new(message, moves, whole));
        }
        Ok(Self::new(QueryBody::Sequence {
            moves: list,
            anywhere,
            gaps,
        }))
    }

    /// Returns a query that collects the first moves, at most `depth`, of every game with a board.
    /// Read them from [`Finder::opening`](super::Finder::opening).
    #[must_use]
    pub fn opening(depth: u64) -> Self {
        Self::new(QueryBody::Opening(depth)).all()
    }

    /// Returns this query, set to collect at most `depth` moves after the first occurrence of the
    /// position on the main line. Read them from [`Finder::opening`](super::Finder::opening), from
    /// the view of the query.
    ///
    /// ```
    /// use sgfstream::SliceReader;
    /// use sgfstream::record::GameReader;
    /// use sgfstream_game::{Coordinates, Facts};
    /// use sgfstream_table::find::{Finder, Query};
    ///
    /// let mut finder = Finder::new(Query::position_after("pd dp").expect("moves").moves_after(2));
    /// let mut games = GameReader::new(SliceReader::new(b"(;B[dd];W[pp];B[cq];W[qc];B[jj])"));
    /// let game = games.next_game()?.expect("a game").expect("a short game");
    /// finder.search(&Facts::of(game, 0));
    /// let opening = finder.opening().expect("the position");
    /// let text = |at: usize| opening.moves[at].text(&opening.board, Coordinates::Sgf);
    /// assert_eq!(
    ///     (opening.moves.len(), text(0), text(1)),
    ///     (2, "B qq".to_owned(), "W cc".to_owned())
    /// );
    /// # Ok::<(), sgfstream::Error>(())
    /// ```
    #[must_use]
    pub fn moves_after(self, depth: u64) -> Self {
        Self {
            moves_after: Some(depth),
            ..self
        }
        .all()
    }

    /// Returns a query that collects the hashes of all boards on the main line, for every game with
    /// a board. Read them from [`Finder::boards`](super::Finder::boards). A game without the hash
    /// of a [position](Self::position) does not have that position.
    #[must_use]
    pub fn boards() -> Self {
        Self::new(QueryBody::Boards).all()
    }

    /// Returns this query, set to collect the nodes that say something about the position, in all
    /// lines, instead of hits. Read them from [`Finder::remarks`](super::Finder::remarks). A query
    /// for all [boards](Self::boards) also collects the hashes of the boards with remarks.
    ///
    /// ```
    /// use sgfstream::SliceReader;
    /// use sgfstream::record::GameReader;
    /// use sgfstream_game::Facts;
    /// use sgfstream_table::find::{Finder, Query};
    ///
    /// let mut finder = Finder::new(Query::position_after("pd dp").expect("moves").remarks());
    /// let mut games =
    ///     GameReader::new(SliceReader::new(b"(;B[dd];W[pp]C[Diagonal.](;B[qc])(;B[dq]BM[1]))"));
    /// let game = games.next_game()?.expect("a game").expect("a short game");
    /// finder.search(&Facts::of(game, 0));
    /// let nodes: Vec<_> =
    ///     finder.remarks().iter().map(|remark| (&*remark.node, remark.next.is_some())).collect();
    /// assert_eq!(nodes, [("/1", false), ("1/0", true)]);
    /// # Ok::<(), sgfstream::Error>(())
    /// ```
    #[must_use]
    pub fn remarks(self) -> Self {
        let variations = self.variations || self.is_position();
        Self {
            has_remarks: true,
            variations,
            ..self
        }
        .all()
    }

    /// Returns this query with or without rotations and reflections: if `exact`, only the given
    /// orientation matches.
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

    /// Returns this query with a required next move, up to symmetries of the query. The color of
    /// the move does not matter.
    ///
    /// # Errors
    ///
    /// Same as [`MoveList::parse`]. Also returns an error if there is not exactly one move.
    pub fn next(mut self, text: &str) -> Result<Self, FilterError> {
        let list = MoveList::parse(text)?;
        if list.len() != 1 || list.has_setup() {
            let message = format!("expected one move, found {}", list.len());
            return Err(FilterError::new(message, text, 0..text.len()));
        }
        self.next = Some(list);
        Ok(self)
    }

    /// Returns this query with a required side of the next move. At the end of a line, the side to
    /// play counts: `PL` names it, or the last move determines it. With swapped colors, the other
    /// side counts. If swapped colors match and leave the query unchanged, either side is accepted.
    ///
    /// ```
    /// use sgfstream::SliceReader;
    /// use sgfstream::record::GameReader;
    /// use sgfstream_game::{Facts, Side};
    /// use sgfstream_table::find::{Finder, Query};
    ///
    /// let mut games = GameReader::new(SliceReader::new(b"(;B[pd];B[dp])"));
    /// let facts = Facts::of(games.next_game()?.expect("a game").expect("a short game"), 0);
    /// let has_hit = |mover| {
    ///     let mut finder =
    ///         Finder::new(Query::position_after("pd").expect("a move").mover(Some(mover)));
    ///     finder.search(&facts);
    ///     !finder.hits().is_empty()
    /// };
    /// assert!(has_hit(Side::Black) && !has_hit(Side::White));
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

    /// Returns whether the query collects [remarks](Self::remarks).
    #[must_use]
    pub fn has_remarks(&self) -> bool {
        self.has_remarks
    }

    /// Returns the pattern, if the query is for one.
    #[must_use]
    pub fn as_pattern(&self) -> Option<&Pattern> {
        match &self.what {
            QueryBody::Pattern(pattern) => Some(pattern),
            _ => None,
        }
    }

    /// Returns the target board in games of this dialect; for a sequence, the board with its moves.
    /// Returns `None` for a pattern, or if the game has no such board.
    #[must_use]
    pub fn board(&self, dialect: &Dialect) -> Option<GameBoard> {
        match &self.what {
            QueryBody::Pattern(_) | QueryBody::Opening(_) | QueryBody::Boards => None,
            QueryBody::Position(position) => Some((**position).clone()),
            QueryBody::After(moves) | QueryBody::Sequence { moves, .. } => moves.position(dialect),
        }
    }

    /// Returns a move of the query that was invalid on all searched boards, so that nothing can
    /// match, such as `R20`. Returns `None` if no move was, or no board was searched yet.
    ///
    /// ```
    /// use sgfstream::SliceReader;
    /// use sgfstream::record::GameReader;
    /// use sgfstream_game::Facts;
    /// use sgfstream_table::find::{Finder, Query};
    ///
    /// let query = Query::position_after("Q16 R20").expect("moves of some board");
    /// let mut finder = Finder::new(query.clone());
    /// let mut games = GameReader::new(SliceReader::new(b"(;SZ[19];B[pd])"));
    /// finder.search(&Facts::of(games.next_game()?.expect("a game").expect("a short game"), 0));
    /// assert_eq!((finder.hits().len(), query.impossible_move()), (0, Some("R20")));
    /// # Ok::<(), sgfstream::Error>(())
    /// ```
    #[must_use]
    pub fn impossible_move(&self) -> Option<&str> {
        let list = match &self.what {
            QueryBody::After(moves) | QueryBody::Sequence { moves, .. } => Some(moves),
            QueryBody::Position(_)
            | QueryBody::Pattern(_)
            | QueryBody::Opening(_)
            | QueryBody::Boards => None,
        };
        list.into_iter()
            .chain(&self.next)
            .find_map(MoveList::unread)
    }

    /// Returns the reason why nothing can match: a [move](Self::impossible_move) is invalid on all
    /// searched boards, or none of them has the game and size of the query. Returns `None` if a
    /// match is possible, or no board was searched yet.
    ///
    /// ```
    /// use sgfstream::SliceReader;
    /// use sgfstream::record::GameReader;
    /// use sgfstream_game::Facts;
    /// use sgfstream_table::find::{Finder, Pattern, Query};
    ///
    /// let query = Query::pattern(Pattern::parse("X.......O").expect("a pattern"));
    /// let mut games = GameReader::new(SliceReader::new(b"(;SZ[7];B[aa])"));
    /// Finder::new(query.clone())
    ///     .search(&Facts::of(games.next_game()?.expect("a game").expect("a short game"), 0));
    /// assert_eq!(
    ///     query.mismatch().as_deref(),
    ///     Some("the pattern fits on no board that was searched")
    /// );
    /// # Ok::<(), sgfstream::Error>(())
    /// ```
    #[must_use]
    pub fn mismatch(&self) -> Option<String> {
        if let Some(word) = self.impossible_move() {
            return Some(format!(
                "`{word}` is not a move on any board that was searched"
            ));
        }
        let SearchedBoards { is_fit, is_unfit } = &*self.boards;
        if is_fit.load(Ordering::Relaxed) || !is_unfit.load(Ordering::Relaxed) {
            return None;
        }
        Some(match &self.what {
            QueryBody::Pattern(_) => "the pattern fits on no board that was searched".to_owned(),
            QueryBody::Position(position) => {
                let (game, size) = (position.dialect().game(), position.size());
                let (columns, rows) = (size.columns(), size.rows());
                format!(
                    "no game that was searched has the board of the position, {} {columns}x{rows}",
                    game.name()
                )
            }
            _ => "no game that was searched has a known board".to_owned(),
        })
    }

    /// Returns this query, set to find all hits of a game instead of one.
    #[must_use]
    pub fn all(mut self) -> Self {
        self.all = true;
        self
    }
}

/// Returns the position of the first game of `reader`: after `moves` moves of its main line, or at
/// its end. Returns `None` if there is no game, or its board is not searchable.
///
/// ```
/// use sgfstream::SliceReader;
/// use sgfstream_table::find::position_in;
///
/// let reader = SliceReader::new(b"(;SZ[5]AB[aa];B[bb];W[cc](;B[dd])(;B[ee]))");
/// let position = position_in(reader, Some(1))?.expect("a position");
/// assert_eq!(position.to_string(), "X....\n.X...\n.....\n.....\n.....\n");
/// # Ok::<(), sgfstream::Error>(())
/// ```
///
/// # Errors
///
/// Same as [`EventReader::advance`].
pub fn position_in(
    reader: impl EventReader,
    moves: Option<u64>,
) -> sgfstream::Result<Option<GameBoard>> {
    let mut games = GameReader::new(reader);
    if games.next_root()? {
        games.read_main_line()?;
    }
    Ok(games
        .game()
        .and_then(|game| position_of(&Facts::of(game, 0), moves)))
}

fn position_of(facts: &Facts<'_>, moves: Option<u64>) -> Option<GameBoard> {
    let mut replay = facts.replay_boards().ok()?;
    if replay.board()?.size().longer() > BOARD_MAX {
        return None;
    }
    let (game, mut made) = (facts.record(), 0);
    let mut before_node = None;
    let below = game.after_root(game.main_line());
    'line: for item in game.items(game.root_tokens()).chain(game.items(below)) {
        let GameItem::Property(_, property) = item else {
            if matches!(item, GameItem::Node) && moves == Some(0) {
                before_node = Some(replay.clone());
            }
            continue;
        };
        let mut has_moves = false;
        for played in facts.moves_of(&property) {
            if Some(made) == moves {
                // Setup beside the first move does not belong to the start.
                replay = before_node.unwrap_or(replay);
                break 'line;
            }
            replay.play(played.color, &played.bytes());
            (has_moves, made) = (true, made + 1);
        }
        // Setup after the last move belongs to the next position.
        if !has_moves && (Some(made) != moves || made == 0) {
            replay.apply(&property);
        }
    }
    let is_short = moves.is_some_and(|moves| made < moves);
    replay.into_board().filter(|_| !is_short)
}
