//! Follows the lines of games and finds the hits of a query.

use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

use sgfstream::{Event, Place};
use sgfstream_game::{Coordinates, Dialect, GameState, Move, Opening, OpeningMove, Side, Step, TreePath, is_setup};

use crate::row::line::{LineStep, MainLineMove, follow};

use super::first_stone_plies::PlyRecorder;
use super::line::{ContinuationMoves, Line, SearchState};
use super::prepared::{Plan, PreparedQuery, UnsearchedReason};
use super::{FirstStonePlies, Hit, Query};

/// Maximum number of prepared boards to cache.
const READY_MAX: usize = 4;

/// Maximum nesting of variations to search. Some programs open a variation for each move. Each open line stores its board,
/// so games on boards larger than 19x19 get fewer.
const OPEN_MAX: usize = 1024;
const OPEN_FIELDS_MAX: usize = OPEN_MAX * 19 * 19;

/// Maximum number of boards to store for a game, including those of its main line.
const ALL_BOARDS_MAX: usize = 1 << 20;

/// Maximum number of openings to store for a game.
const OPENINGS_MAX: usize = 1 << 16;

/// Searches games for a [`Query`]. A [`RowBuilder`](crate::row::RowBuilder) passes it their events.
#[derive(Clone, Debug)]
pub struct Finder {
    query: Arc<Query>,
    /// Spelling of the next moves.
    pub(crate) coordinates: Coordinates,
    /// Recently used boards, the last one first.
    ready: Vec<(Dialect, Option<Arc<PreparedQuery>>)>,
    line: Option<Line>,
    /// The lines to which open variations return.
    open: Vec<Line>,
    /// Number of open variations that are not searched, because they are nested too deeply or their line is lost.
    too_deep: u64,
    /// Path of the current node.
    path: TreePath,
    hits: Vec<Hit>,
    /// The first moves of each line, without repetitions.
    openings: Vec<Opening>,
    known_openings: HashSet<u64>,
    /// Boards of the main line, followed by those of variations.
    boards: Vec<u64>,
    /// Number of boards of the main line, and of parts of it that were not searched; `None` before its end.
    main_line: Option<(usize, u64)>,
    stones: PlyRecorder,
    cut: u64,
    is_settled: bool,
}

impl Finder {
    pub(crate) fn new(query: Arc<Query>) -> Self {
        let (ready, line, open, hits, boards) = (Vec::new(), None, Vec::new(), Vec::new(), Vec::new());
        let coordinates = Coordinates::Sgf;
        let (openings, known_openings, path) = (Vec::new(), HashSet::new(), TreePath::default());
        Self {
            query,
            coordinates,
            ready,
            line,
            open,
            too_deep: 0,
            path,
            hits,
            openings,
            known_openings,
            boards,
            main_line: None,
            stones: PlyRecorder::default(),
            cut: 0,
            is_settled: true,
        }
    }

    /// Returns the query.
    #[must_use]
    pub fn query(&self) -> &Query {
        &self.query
    }

    /// Returns the hits of the game, in the order of their moves. Hits after one move are in the order of their transforms and
    /// corners.
    #[must_use]
    pub fn hits(&self) -> &[Hit] {
        &self.hits
    }

    /// Returns the first moves of the main line, if the query asks for them.
    #[must_use]
    pub fn opening(&self) -> Option<&Opening> {
        self.openings.first()
    }

    /// Returns the first moves of each line of the game, without repetitions, if the query asks for them in variations. The
    /// main line comes first.
    #[must_use]
    pub fn openings(&self) -> &[Opening] {
        &self.openings
    }

    /// Returns the canonical hashes of the boards of the main line, if the query asks for them. They are without repetitions if
    /// the query searches variations. Also returns the number of parts of the main line that were not stored.
    #[must_use]
    pub fn boards(&self) -> (&[u64], u64) {
        self.main_line.map_or((&[], self.cut), |(len, cut)| (&self.boards[..len], cut))
    }

    /// Returns the canonical hashes of boards that occur in variations only, without repetitions, if the query asks for
    /// them. Also returns the number of parts that were not searched: [`cut`](Self::cut) without the main line.
    #[must_use]
    pub fn boards_of_variations(&self) -> (&[u64], u64) {
        self.main_line.map_or((&[], 0), |(len, cut)| (&self.boards[len..], self.cut - cut))
    }

    /// Returns when each cell first got a stone, if the query asks for boards.
    #[must_use]
    pub fn stones(&self) -> &FirstStonePlies {
        self.stones.plies()
    }

    /// Returns the number of parts of the game that were not searched or stored. These are hits after the first
    /// [`HITS_MAX`](super::HITS_MAX), boards of a line after the first 65,536 and of a game after a million, variations
    /// nested in more than 1,024 others, boards that are too large, and for a pattern boards of Octi.
    #[must_use]
    pub fn cut(&self) -> u64 {
        self.cut
    }

    /// Returns whether further reading cannot change the hits.
    pub(crate) fn is_settled(&self) -> bool {
        self.is_settled
    }

    pub(crate) fn start_game(&mut self) {
        self.line = None;
        self.open.clear();
        self.hits.clear();
        self.openings.clear();
        self.known_openings.clear();
        self.boards.clear();
        self.main_line = None;
        self.stones.clear();
        self.path.start_game();
        // Count the root, whose events are not passed to the finder.
        self.path.node();
        (self.too_deep, self.cut, self.is_settled) = (0, 0, false);
    }

    /// Handles an event; `step` is its effect on the state of the game.
    pub(crate) fn take(&mut self, state: &GameState, step: Step, event: &Event<'_>, place: &Place) {
        if self.is_settled || state.in_root() {
            return;
        }
        if step == Step::RootEnd {
            self.line = self.prepared(state.dialect()).and_then(|prepared| Line::new(prepared, state));
        }
        if !self.is_searched(state) {
            return;
        }
        self.with_line(|taker| follow(state, step, event, |step| taker.take(step)));
        match event {
            _ if self.is_settled => {}
            Event::VariationStart { .. } if place.depth > 1 => {
                self.start_variation();
                self.path.push();
            }
            Event::VariationEnd { .. } => {
                self.end_variation(place.depth);
                self.path.pop();
            }
            Event::NodeStart { .. } => {
                self.path.node();
                self.end_if_complete();
            }
            _ => self.end_if_complete(),
        }
    }

    #[inline(always)]
    fn is_searched(&self, state: &GameState) -> bool {
        self.query.variations || state.on_main_line()
    }

    /// Passes steps to the current line, if there is one. Ends the game if no line remains.
    #[inline(always)]
    fn with_line(&mut self, take: impl FnOnce(&mut StepHandler<'_>)) {
        let Self { query, line, hits, cut, coordinates, path, .. } = self;
        if self.too_deep == 0
            && let Some(line) = line
        {
            let mut taker = StepHandler { query, coordinates: *coordinates, line, hits, cut, path, is_lost: false };
            take(&mut taker);
            taker.line.note_node(path);
            if taker.is_lost {
                let is_main_line = self.main_line.is_none();
                self.end_line();
                if is_main_line {
                    self.stones.clear();
                }
                self.line = None;
            }
        }
        if self.line.is_none() && self.open.is_empty() {
            self.end_game();
        }
    }

    /// Ends the search of the game if all possible hits have been found.
    fn end_if_complete(&mut self) {
        let Some(line) = &self.line else { return };
        if self.query.variations && (self.query.all || self.hits.is_empty()) {
            return;
        }
        let is_found = match (&line.found, &line.prepared.plan) {
            _ if line.after.as_ref().is_some_and(|after| line.ply < after.last) => return,
            (SearchState::Position { is_found }, _) => *is_found,
            (_, Plan::Opening(depth)) => line.ply >= *depth,
            _ => false,
        };
        // Setup may follow the last move that counts.
        let is_past = is_found || line.ply > self.query.by_move;
        let is_done = is_past && line.waiting.is_empty() && !line.is_set_up;
        if is_done || (!self.query.all && !self.hits.is_empty()) {
            self.end_game();
        }
    }

    fn start_variation(&mut self) {
        if !self.query.variations {
            return;
        }
        let Some(line) = &mut self.line else {
            // After a lost line, everything up to the end of its variation is lost as well.
            self.too_deep += 1;
            return;
        };
        let (columns, rows) = line.prepared.size;
        let open_max = OPEN_MAX.min(OPEN_FIELDS_MAX / (columns * rows).max(1) as usize);
        if self.too_deep > 0 || self.open.len() >= open_max {
            self.cut += u64::from(self.too_deep == 0);
            self.too_deep += 1;
            return;
        }
        line.look(&self.query, &mut self.hits, &mut self.cut);
        line.note_node(&self.path);
        if let SearchState::Boards { hashes, .. } = &mut line.found {
            keep_boards(&mut self.boards, hashes, &mut self.cut);
        }
        let mut before = line.clone();
        before.is_branched = true;
        if let SearchState::Boards { times, .. } = &mut before.found {
            // Clear the times of the open line, because only the main line, which continues here, needs them.
            times.clear();
        }
        line.is_branched = false;
        self.open.push(before);
    }

    fn end_variation(&mut self, depth: u64) {
        if !self.query.variations || depth <= 1 {
            return self.end_game();
        }
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
            if let SearchState::Opening(opening) = &line.found
                && !line.is_branched
            {
                let mut opening = opening.clone();
                opening.turn(line.prepared.size);
                keep_opening(&mut self.openings, &mut self.known_openings, opening, &mut self.cut);
            }
            if let Some(ContinuationMoves { mut moves, transform, .. }) = line.after.take()
                && !line.is_branched
            {
                moves.turn_back(transform.symmetry, line.prepared.symmetries(), line.prepared.size);
                keep_opening(&mut self.openings, &mut self.known_openings, moves, &mut self.cut);
            }
            line.look(&self.query, &mut self.hits, &mut self.cut);
            line.note_node(&self.path);
            if let SearchState::Boards { hashes, times } = &mut line.found {
                keep_boards(&mut self.boards, hashes, &mut self.cut);
                if self.main_line.is_none() {
                    std::mem::swap(&mut self.stones, times);
                    // Without variations, the index removes repetitions when it sorts the boards of many games.
                    if self.query.variations {
                        self.boards.sort_unstable();
                        self.boards.dedup();
                    }
                    self.main_line = Some((self.boards.len(), self.cut));
                }
            }
            if !line.is_branched {
                let waiting = std::mem::take(&mut line.waiting);
                for waiting in waiting {
                    line.end(&waiting, &mut self.hits, &mut self.cut);
                }
            }
        }
    }

    /// Ends the search of the game.
    fn end_game(&mut self) {
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
        // The sort is stable, so equal hits of several variations stay in the order in which they were found.
        self.hits.sort_by_key(|hit| (hit.ply, hit.transform, hit.corner.row, hit.corner.column));
    }

    fn prepared(&mut self, dialect: Dialect) -> Option<Arc<PreparedQuery>> {
        let at = match self.ready.iter().position(|(known, _)| *known == dialect) {
            Some(at) => at,
            None => {
                let prepared = match PreparedQuery::new(&self.query, &dialect) {
                    Ok(prepared) => Some(Arc::new(prepared)),
                    Err(UnsearchedReason::OtherGame) => None,
                    Err(UnsearchedReason::Unknown) => {
                        self.cut += 1;
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
fn keep_opening(openings: &mut Vec<Opening>, known: &mut HashSet<u64>, opening: Opening, cut: &mut u64) {
    let mut hash = DefaultHasher::new();
    (&opening.hashes, opening.has_setup).hash(&mut hash);
    if !known.insert(hash.finish()) {
        return;
    }
    if openings.len() < OPENINGS_MAX { openings.push(opening) } else { *cut += 1 }
}

/// Moves the boards of a line to those of its game.
fn keep_boards(boards: &mut Vec<u64>, hashes: &mut Vec<u64>, cut: &mut u64) {
    if boards.len() + hashes.len() > ALL_BOARDS_MAX {
        *cut += 1;
        return hashes.clear();
    }
    boards.append(hashes);
}

/// Handles the steps of a line.
struct StepHandler<'t> {
    query: &'t Query,
    coordinates: Coordinates,
    line: &'t mut Line,
    hits: &'t mut Vec<Hit>,
    cut: &'t mut u64,
    path: &'t TreePath,
    /// The board is unknown from here on.
    is_lost: bool,
}

impl StepHandler<'_> {
    fn take(&mut self, step: LineStep<'_>) {
        match step {
            _ if self.is_lost => {}
            LineStep::Move(played) => self.play(&played),
            LineStep::Other(property) if is_setup(property.ident()) => {
                self.line.set_up(property);
            }
            LineStep::NodeEnd => self.line.look(self.query, self.hits, self.cut),
            LineStep::Start | LineStep::Other(_) | LineStep::End => {}
        }
    }

    fn mark_unknown(&mut self, is_cut: bool) {
        *self.cut += u64::from(is_cut);
        self.is_lost = true;
    }

    /// Plays a move. An unreadable move does not change the board, but it ends an opening.
    fn play(&mut self, played: &MainLineMove<'_>) {
        let line = &mut *self.line;
        line.look(self.query, self.hits, self.cut);
        line.note_node(self.path);
        let parsed = line.replay.dialect().parse_move(&played.value);
        let mv = parsed.as_ref().ok();
        if mv.is_none() && (matches!(line.found, SearchState::Opening(_)) || line.after.is_some()) {
            return self.mark_unknown(false);
        }
        let side = Side::of_color(played.color);
        if !line.waiting.is_empty() {
            let written = match (self.coordinates, mv) {
                (Coordinates::Sgf, _) | (_, None) => {
                    String::from_utf8_lossy(&played.value).chars().take(OpeningMove::TEXT_MAX).collect()
                }
                (spelling, Some(mv)) => line.replay.dialect().show_move_in(mv, spelling).to_string(),
            };
            line.answer(side, mv, &written, self.hits, self.cut);
        }
        if let Some(Move::Place(field)) = mv {
            // Nearly all moves are of this kind.
            line.replay.place(played.color, *field);
        } else if !line.play_other(played, &parsed) {
            return self.mark_unknown(true);
        }
        line.ply += 1;
        line.count_changes(Some(line.ply));
        line.look_after(side, mv, self.query, self.hits, self.cut);
    }
}
