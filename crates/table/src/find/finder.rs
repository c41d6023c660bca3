//! Searches the lines of games for the hits of a query.

use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

use sgfstream::Property;
use sgfstream::record::{Token, TokenKind};
use sgfstream_game::{
    Coordinates, Dialect, Facts,
    internal::{Opening, TreePath},
};

use super::board_changes::ChangeRecorder;
use super::prepared::{Plan, PreparedQuery, UnsearchedReason};
use super::remark::{NodeRemarks, has_variation_remarks};
use super::search_line::{ContinuationMoves, HitList, LastMove, SearchLine, SearchState};
use super::{HITS_MAX, Hit, Query, Remark, StartBoard};

/// Maximum number of prepared boards to cache.
const READY_MAX: usize = 4;

/// Maximum nesting of variations to search. Some programs open a variation for each move. Each open
/// line stores its board, so games on boards larger than 19x19 get fewer.
const OPEN_MAX: usize = 1024;
const OPEN_FIELDS_MAX: usize = OPEN_MAX * 19 * 19;

/// Maximum number of boards to store for a game, including the boards of its main line.
const ALL_BOARDS_MAX: usize = 1 << 20;

/// Maximum number of openings to store for a game.
const OPENINGS_MAX: usize = 1 << 16;

/// Searches games for a [`Query`].
///
/// ```
/// use sgfstream::SliceReader;
/// use sgfstream::record::GameReader;
/// use sgfstream_game::Facts;
/// use sgfstream_table::find::{Finder, Query};
///
/// let mut finder = Finder::new(Query::position_after("pd dp").expect("moves"));
/// let mut games =
///     GameReader::new(SliceReader::new(b"(;B[pd];W[dp];B[pp])(;B[dd];W[pp])(;B[aa])"));
/// let mut found = Vec::new();
/// while let Some(game) = games.next_game()? {
///     finder.search(&Facts::of(game.expect("a short game"), 0));
///     found.push(finder.hits().first().map(|hit| hit.next.clone()));
/// }
/// assert_eq!(found, [Some("B[pp]".to_owned()), Some(String::new()), None]);
/// # Ok::<(), sgfstream::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Finder {
    query: Arc<Query>,
    /// Spelling of the next moves.
    pub(crate) coordinates: Coordinates,
    /// Recently used boards, the last one first.
    ready: Vec<(Dialect, Option<Arc<PreparedQuery>>)>,
    line: Option<SearchLine>,
    /// The lines to which open variations return.
    open: Vec<SearchLine>,
    /// Number of open variations that are not searched, because they are nested too deeply or their
    /// line is lost.
    too_deep: u64,
    /// Path of the current node.
    path: TreePath,
    hits: HitList,
    /// The first moves of each line, without repetitions.
    openings: Vec<Opening>,
    known_openings: HashSet<u64>,
    /// Boards of the main line, followed by the boards of variations.
    boards: Vec<u64>,
    /// Number of boards of the main line, and of parts of it that were not searched; `None` before
    /// its end.
    main_line: Option<(usize, u64)>,
    changes: ChangeRecorder,
    start: Option<StartBoard>,
    /// Whether the search includes variations. A search for remarks on boards includes them if they
    /// have remarks.
    in_variations: bool,
    /// Remarks of the current node, and remarks of the game.
    node_remarks: NodeRemarks,
    remarks: Vec<Remark>,
    /// Canonical hashes of the boards with remarks.
    remarked_boards: Vec<u64>,
    is_settled: bool,
}

impl Finder {
    /// Returns a finder for a query.
    #[must_use]
    pub fn new(query: Query) -> Self {
        Self {
            is_settled: true,
            ..Self::before_game(Arc::new(query))
        }
    }

    /// Returns a finder before its first game.
    fn before_game(query: Arc<Query>) -> Self {
        let mut path = TreePath::default();
        path.start_game();
        path.node();
        Self {
            query,
            coordinates: Coordinates::Sgf,
            ready: Vec::new(),
            line: None,
            open: Vec::new(),
            too_deep: 0,
            path,
            hits: HitList::default(),
            openings: Vec::new(),
            known_openings: HashSet::new(),
            boards: Vec::new(),
            main_line: None,
            changes: ChangeRecorder::default(),
            start: None,
            in_variations: false,
            node_remarks: NodeRemarks::default(),
            remarks: Vec::new(),
            remarked_boards: Vec::new(),
            is_settled: false,
        }
    }

    /// Returns the query.
    #[must_use]
    pub fn query(&self) -> &Query {
        &self.query
    }

    /// Returns the hits of the game, in the order of their moves. Hits after one move are in the
    /// order of their transforms and corners.
    #[must_use]
    pub fn hits(&self) -> &[Hit] {
        &self.hits.found
    }

    /// Returns the first moves of the main line, if the query asks for them.
    #[must_use]
    pub fn opening(&self) -> Option<&Opening> {
        self.openings.first()
    }

    /// Returns the first moves of each line of the game, without repetitions, if the query asks for
    /// them in variations. The main line comes first.
    #[must_use]
    pub fn openings(&self) -> &[Opening] {
        &self.openings
    }

    /// Returns the canonical hashes of the boards of the main line, if the query asks for them.
    /// They are without repetitions if the query searches variations. Also returns the number of
    /// parts of the main line that were not stored.
    #[must_use]
    pub fn boards(&self) -> (&[u64], u64) {
        self.main_line.map_or((&[], self.hits.cut), |(len, cut)| {
            (&self.boards[..len], cut)
        })
    }

    /// Returns the canonical hashes of boards that occur in variations only, without repetitions,
    /// if the query asks for them. Also returns the number of parts that were not searched:
    /// [`cut`](Self::cut) without the main line.
    #[must_use]
    pub fn boards_of_variations(&self) -> (&[u64], u64) {
        let main_line = self.main_line.filter(|_| self.query.variations);
        main_line.map_or((&[], 0), |(len, cut)| {
            (&self.boards[len..], self.hits.cut - cut)
        })
    }

    /// Returns the changes of the board on the main line for a [`Locator`](super::Locator), if the
    /// query asks for boards. Returns no bytes if the changes do not determine every board and the
    /// cell of every move.
    #[must_use]
    pub fn changes(&self) -> &[u8] {
        self.changes.changes()
    }

    /// Returns the board before the first move of the main line, if setup made it and the query
    /// asks for boards.
    #[must_use]
    pub fn start(&self) -> Option<StartBoard> {
        self.start
    }

    /// Returns the nodes that say something about the position, in the order of the file, if the
    /// query asks for [remarks](Query::remarks).
    #[must_use]
    pub fn remarks(&self) -> &[Remark] {
        &self.remarks
    }

    /// Returns the canonical hashes of the boards with remarks, if the query asks for remarks on
    /// all boards.
    #[must_use]
    pub fn remarked_boards(&self) -> &[u64] {
        &self.remarked_boards
    }

    /// Returns the number of parts of the game that were not searched or stored. These are hits
    /// after the first [`HITS_MAX`](super::HITS_MAX), boards of a line after the first 65,536 and
    /// of a game after a million, variations nested in more than 1,024 others, boards that are too
    /// large, and for a pattern boards of Octi.
    #[must_use]
    pub fn cut(&self) -> u64 {
        self.hits.cut
    }

    /// Returns whether the last search is final: reading more of its game cannot change the result.
    #[must_use]
    pub fn is_settled(&self) -> bool {
        self.is_settled
    }

    /// Searches a game as far as it was read, from its start. If the result is not
    /// [settled](Self::is_settled), read more of the game and search it again.
    pub fn search(&mut self, facts: &Facts<'_>) {
        self.start_game();
        let game = facts.record();
        let prepared = self.prepared(facts.dialect());
        self.line =
            prepared.and_then(|prepared| SearchLine::new(prepared, facts.replay_boards().ok()?));
        for &token in game.root_tokens() {
            self.apply_token(facts, token);
        }
        self.in_variations =
            self.query.variations || self.query.has_remarks && has_variation_remarks(&game);
        let tokens = if self.in_variations {
            game.tokens()
        } else {
            game.main_line()
        };
        for &token in game.after_root(tokens) {
            if self.line.is_none() && self.open.is_empty() {
                break;
            }
            match token.kind() {
                TokenKind::Run if facts.has_letters() => {
                    self.start_node();
                    for at in token.places() {
                        if at > token.at() + 1 {
                            self.path.node();
                        }
                        if self.is_settled {
                            break;
                        }
                        let (color, point) = game.plain_move(at);
                        self.play(color, &point);
                        self.end_if_complete();
                    }
                }
                TokenKind::Run | TokenKind::Node => {
                    (0..token.nodes()).for_each(|_| self.start_node())
                }
                TokenKind::Move | TokenKind::Property => {
                    self.apply_token(facts, token);
                    self.end_if_complete();
                }
                TokenKind::Open => self.start_variation(),
                TokenKind::Close => self.end_variation(),
                TokenKind::Problem => {}
            }
            if self.is_settled {
                return;
            }
        }
        let is_line_lost = self.line.is_none() && self.open.is_empty();
        let is_cut_off = !self.query.has_remarks && tokens.len() < game.tokens().len();
        if is_line_lost || game.is_whole() || is_cut_off {
            self.end_game();
        }
    }

    /// Handles a property: its moves, or its setup.
    fn apply_token(&mut self, facts: &Facts<'_>, token: Token) {
        if !matches!(token.kind(), TokenKind::Move | TokenKind::Property) {
            return;
        }
        if self.query.has_remarks && token.kind() == TokenKind::Property {
            self.node_remarks.add(&facts.record(), token);
        }
        let property = facts.record().property(token);
        let mut has_moves = false;
        for played in facts.moves_of(&property) {
            has_moves = true;
            self.play(played.color, &played.bytes());
        }
        if !has_moves && !property.ident().is(b"KO") && facts.changes_board(property.ident()) {
            self.set_up(&property);
        }
    }

    pub(crate) fn start_game(&mut self) {
        *self = Self {
            coordinates: self.coordinates,
            ready: std::mem::take(&mut self.ready),
            ..Self::before_game(Arc::clone(&self.query))
        };
    }

    /// Returns the current line, if it is searched.
    #[inline]
    fn searched_line(&mut self) -> Option<&mut SearchLine> {
        self.line.as_mut().filter(|_| self.too_deep == 0)
    }

    /// Ends a node and starts the next one.
    fn start_node(&mut self) {
        self.end_node();
        self.end_remarks();
        self.path.node();
        self.end_if_complete();
    }

    /// Compares the board at the end of a node, if setup changed it.
    #[inline]
    fn end_node(&mut self) {
        if let Self {
            line: Some(line),
            too_deep: 0,
            hits,
            path,
            ..
        } = self
        {
            line.compare_setup(hits);
            line.note_node(path);
        }
    }

    /// Stores the remarks of a node at its end.
    #[inline]
    fn end_remarks(&mut self) {
        let NodeRemarks {
            has_any,
            judges_move,
            has_move,
        } = std::mem::take(&mut self.node_remarks);
        if has_any {
            self.keep_remarks(judges_move && has_move);
        }
    }

    #[inline(never)]
    fn keep_remarks(&mut self, judges_move: bool) {
        let Some(line) = self.line.as_ref().filter(|_| self.too_deep == 0) else {
            return;
        };
        let before = if judges_move {
            line.last.clone()
        } else {
            LastMove::default()
        };
        self.remarked_boards
            .extend(before.board.into_iter().chain(line.canonical_hash()));
        let (board, path) = (line.prepared.board(), &self.path);
        let judged = before
            .of_position
            .map(|(transform, next)| (transform, line.ply - 1, Some(next)));
        let here = line
            .matching_transform()
            .map(|transform| (transform, line.ply, None));
        for (transform, ply, next) in judged.into_iter().chain(here) {
            if self.remarks.len() < HITS_MAX {
                self.remarks.push(Remark {
                    node: path.to_string(),
                    ply,
                    transform,
                    next,
                    board,
                });
            } else {
                self.hits.cut += 1;
            }
        }
    }

    fn set_up(&mut self, property: &Property<'_>) {
        if let Some(line) = self.searched_line() {
            line.set_up(property);
        }
    }

    /// Plays a move on the current line. If its board is unknown afterwards, the line ends.
    #[inline]
    fn play(&mut self, color: u8, value: &[u8]) {
        self.end_node();
        self.node_remarks.has_move = true;
        let Self {
            line: Some(line),
            too_deep: 0,
            hits,
            path,
            coordinates,
            ..
        } = self
        else {
            return;
        };
        let is_known = line.play(color, value, *coordinates, hits);
        line.note_node(path);
        if !is_known {
            self.lose_line();
        }
    }

    #[cold]
    fn lose_line(&mut self) {
        let is_main_line = self.main_line.is_none();
        self.end_line();
        if is_main_line {
            self.changes = ChangeRecorder::default();
        }
        self.line = None;
    }

    /// Ends the search of the game if all possible hits have been found.
    fn end_if_complete(&mut self) {
        let Some(line) = &self.line else { return };
        if self.query.has_remarks
            || self.in_variations && (self.query.all || self.hits.found.is_empty())
        {
            return;
        }
        let is_found = match (&line.found, &line.prepared.plan) {
            _ if line
                .after
                .as_ref()
                .is_some_and(|after| line.ply < after.last) =>
            {
                return;
            }
            (SearchState::Position { is_found }, _) => *is_found,
            (_, Plan::Opening(depth)) => line.ply >= *depth,
            _ => false,
        };
        // Setup may follow the last move that counts.
        let is_past = is_found || line.ply > self.query.by_move;
        let is_done = is_past && line.waiting.is_empty() && !line.is_set_up;
        if is_done || (!self.query.all && !self.hits.found.is_empty()) {
            self.end_game();
        }
    }

    fn start_variation(&mut self) {
        self.end_node();
        self.end_remarks();
        if self.in_variations {
            self.branch();
        }
        self.path.push();
    }

    /// Stores the line to which the variation returns, and continues with a copy of it.
    fn branch(&mut self) {
        let Some(line) = &mut self.line else {
            // The line was too deep. Skip up to the end of its variation, which has no board.
            self.too_deep += 1;
            return;
        };
        let (columns, rows) = line.prepared.size;
        let open_max = OPEN_MAX.min(OPEN_FIELDS_MAX / (columns * rows).max(1) as usize);
        if self.too_deep > 0 || self.open.len() >= open_max {
            self.hits.cut += u64::from(self.too_deep == 0);
            self.too_deep += 1;
            return;
        }
        if let SearchState::Boards { hashes, .. } = &mut line.found {
            if self.query.variations || self.main_line.is_none() {
                keep_boards(&mut self.boards, hashes, &mut self.hits.cut);
            }
            hashes.clear();
        }
        let mut before = line.clone();
        before.is_branched = true;
        if let SearchState::Boards { changes, .. } = &mut before.found {
            // Only the main line, which continues here, needs its changes.
            *changes = ChangeRecorder::default();
        }
        line.is_branched = false;
        self.open.push(before);
    }

    fn end_variation(&mut self) {
        self.end_node();
        self.end_remarks();
        if !self.in_variations || self.path.depth() <= 1 {
            return self.end_game();
        }
        self.path.pop();
        if self.too_deep > 0 {
            self.too_deep -= 1;
            return;
        }
        self.end_line();
        self.line = self.open.pop();
        self.end_if_complete();
    }

    fn end_line(&mut self) {
        if let Some(line) = &mut self.line {
            line.compare_setup(&mut self.hits);
            line.note_node(&self.path);
            if let SearchState::Opening(opening) = &line.found
                && !line.is_branched
            {
                let mut opening = opening.clone();
                opening.turn(line.prepared.size);
                keep_opening(
                    &mut self.openings,
                    &mut self.known_openings,
                    opening,
                    &mut self.hits.cut,
                );
            }
            if let Some(ContinuationMoves {
                mut moves,
                transform,
                ..
            }) = line.after.take()
                && !line.is_branched
            {
                moves.turn_back(
                    transform.symmetry,
                    line.prepared.symmetries(),
                    line.prepared.size,
                );
                keep_opening(
                    &mut self.openings,
                    &mut self.known_openings,
                    moves,
                    &mut self.hits.cut,
                );
            }
            let is_kept = self.query.variations || self.main_line.is_none();
            if let SearchState::Boards { hashes, changes } = &mut line.found
                && is_kept
            {
                keep_boards(&mut self.boards, hashes, &mut self.hits.cut);
                if self.main_line.is_none() {
                    self.changes = std::mem::take(changes);
                    self.start = line.start;
                    // Without variations, the index removes repetitions when it sorts the boards of
                    // many games.
                    if self.query.variations {
                        self.boards.sort_unstable();
                        self.boards.dedup();
                    }
                    self.main_line = Some((self.boards.len(), self.hits.cut));
                }
            }
            if !line.is_branched {
                let waiting = std::mem::take(&mut line.waiting);
                for waiting in waiting {
                    line.end(&waiting, &mut self.hits);
                }
            }
        }
    }

    /// Ends the search of the game.
    fn end_game(&mut self) {
        self.end_remarks();
        self.end_line();
        self.line = None;
        self.open.clear();
        self.is_settled = true;
        if let Some((len, _)) = self.main_line.filter(|(len, _)| *len < self.boards.len()) {
            let (main_line, variations) = self.boards.split_at_mut(len);
            variations.sort_unstable();
            let (mut kept, mut last) = (0, None);
            for at in 0..variations.len() {
                let hash = variations[at];
                if last.replace(hash) != Some(hash) && main_line.binary_search(&hash).is_err() {
                    variations[kept] = hash;
                    kept += 1;
                }
            }
            self.boards.truncate(len + kept);
        }
        // The sort is stable, so equal hits of several variations stay in the order in which they
        // were found.
        self.hits
            .found
            .sort_by_key(|hit| (hit.ply, hit.transform, hit.corner.row, hit.corner.column));
    }

    fn prepared(&mut self, dialect: Dialect) -> Option<Arc<PreparedQuery>> {
        let at = match self.ready.iter().position(|(known, _)| *known == dialect) {
            Some(at) => at,
            None => {
                let prepared = match PreparedQuery::new(&self.query, &dialect) {
                    Ok(prepared) => Some(Arc::new(prepared)),
                    Err(UnsearchedReason::OtherGame) => None,
                    Err(UnsearchedReason::Unknown) => {
                        self.hits.cut += 1;
                        return None;
                    }
                };
                self.ready.truncate(READY_MAX - 1);
                self.ready.push((dialect, prepared));
                self.ready.len() - 1
            }
        };
        self.ready[..=at].rotate_right(1);
        self.ready[0].1.clone()
    }
}

/// Stores the first moves of a line, unless an earlier line has the same.
fn keep_opening(
    openings: &mut Vec<Opening>,
    known: &mut HashSet<u64>,
    opening: Opening,
    cut: &mut u64,
) {
    let mut hash = DefaultHasher::new();
    (&opening.hashes, opening.has_setup).hash(&mut hash);
    if !known.insert(hash.finish()) {
        return;
    }
    if openings.len() < OPENINGS_MAX {
        openings.push(opening)
    } else {
        *cut += 1
    }
}

/// Moves the boards of a line to the boards of its game.
fn keep_boards(boards: &mut Vec<u64>, hashes: &mut Vec<u64>, cut: &mut u64) {
    if boards.len() + hashes.len() > ALL_BOARDS_MAX {
        *cut += 1;
        return hashes.clear();
    }
    boards.append(hashes);
}
