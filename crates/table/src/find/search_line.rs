//! A line of moves under search, with the state of its hits.

use std::sync::Arc;

use sgfstream::Property;
use sgfstream_game::{
    BoardCell, Coordinates, GameBoard, Move, Side,
    board::{Fault, Setup},
    facts::Replay,
    internal::{Change, Opening, OpeningMove, TreePath},
};

use super::board_changes::ChangeRecorder;
use super::placement::PlaceState;
use super::prepared::{Plan, PreparedQuery, Sequence};
use super::step::{Displacement, Step};
use super::waiting::{Shift, Waiting};
use super::{Continuation, HITS_MAX, Hit, StartBoard, Transform};

/// Maximum number of boards to store for a line.
const BOARDS_MAX: usize = 1 << 16;

/// A line of moves from the start of the game.
#[derive(Clone, Debug)]
pub(super) struct SearchLine {
    pub(super) prepared: Arc<PreparedQuery>,
    pub(super) replay: Replay,
    pub(super) ply: u64,
    /// Whether setup changed the board since it was last compared.
    pub(super) is_set_up: bool,
    /// The hash of the board before that setup, if there are hashes.
    before_setup: Option<u64>,
    /// Whether the board of the start was compared.
    is_seen: bool,
    /// Whether a variation continued from here, so that hits waiting for a move got it there.
    pub(super) is_branched: bool,
    pub(super) found: SearchState,
    /// Buffer for the changes of a move.
    changes: Vec<Change>,
    pub(super) waiting: Vec<Waiting>,
    /// Moves after the position, if the query asks for them.
    pub(super) after: Option<ContinuationMoves>,
    /// The last move, if the query asks for remarks.
    pub(super) last: LastMove,
    /// Board before the first move, if setup made it and the query asks for boards.
    pub(super) start: Option<StartBoard>,
}

/// The last move of a line, and the board before it.
#[derive(Clone, Debug, Default)]
pub(super) struct LastMove {
    /// Canonical hash of the board before the move, if the query is for all boards.
    pub(super) board: Option<u64>,
    /// The move, if the board before it is the position of the query.
    pub(super) of_position: Option<(Transform, Continuation)>,
}

/// Hits of a game so far, and the number of its parts that were not searched or stored.
#[derive(Clone, Debug, Default)]
pub(super) struct HitList {
    pub(super) found: Vec<Hit>,
    pub(super) cut: u64,
}

/// Moves after a position, under collection.
#[derive(Clone, Debug)]
pub(super) struct ContinuationMoves {
    pub(super) moves: Opening,
    pub(super) transform: Transform,
    /// The number of the last move to collect.
    pub(super) last: u64,
}

/// State of the search, by the kind of query.
#[derive(Clone, Debug)]
pub(super) enum SearchState {
    Position {
        is_found: bool,
    },
    Pattern {
        wrong: Vec<u16>,
        matched: Vec<u32>,
        places: Vec<PlaceState>,
    },
    Opening(Opening),
    Boards {
        hashes: Vec<u64>,
        changes: ChangeRecorder,
    },
    Sequence {
        progress: Vec<u8>,
        recent: Vec<Option<(Side, Step)>>,
        done: Vec<(usize, Shift)>,
    },
}

impl SearchLine {
    /// Returns the line at the start of a game, or `None` if the board is unknown.
    pub(super) fn new(prepared: Arc<PreparedQuery>, mut replay: Replay) -> Option<Self> {
        let position = replay.board_mut()?;
        position.keep_as(prepared.start());
        let found = match &prepared.plan {
            Plan::Position(_) => SearchState::Position {
                is_found: prepared.query.has_remarks,
            },
            Plan::Pattern(places) => {
                let wrong = places.on_empty.clone();
                let matched = (0..wrong.len() as u32)
                    .filter(|&at| wrong[at as usize] == 0)
                    .collect();
                SearchState::Pattern {
                    places: vec![PlaceState::Open; wrong.len()],
                    wrong,
                    matched,
                }
            }
            Plan::Opening(_) => SearchState::Opening(Opening::new(prepared.board())),
            Plan::Boards => SearchState::Boards {
                hashes: Vec::new(),
                changes: ChangeRecorder::default(),
            },
            Plan::Sequence(sequence) => {
                let shifts = if sequence.anywhere {
                    prepared.shifts()
                } else {
                    1
                };
                let progress = if sequence.gaps {
                    vec![0; sequence.runs.len() * shifts]
                } else {
                    Vec::new()
                };
                SearchState::Sequence {
                    progress,
                    recent: Vec::new(),
                    done: Vec::new(),
                }
            }
        };
        let mut line = Self {
            prepared,
            replay,
            ply: 0,
            is_set_up: true,
            before_setup: None,
            is_seen: false,
            is_branched: false,
            found,
            changes: Vec::new(),
            waiting: Vec::new(),
            after: None,
            last: LastMove::default(),
            start: None,
        };
        line.count_changes(Some(0));
        Some(line)
    }

    /// Returns the current board, or `None` if it is unknown, so that the line is lost.
    #[inline]
    fn board(&self) -> Option<&GameBoard> {
        self.replay.board()
    }

    /// Stores the path of the node in hits that have none yet.
    #[inline]
    pub(super) fn note_node(&mut self, path: &TreePath) {
        for waiting in self
            .waiting
            .iter_mut()
            .rev()
            .take_while(|waiting| waiting.node.is_empty())
        {
            waiting.node = path.to_string();
        }
    }

    /// Counts the changes of the move with this number: 0 for the start of the game, `None` for
    /// later setup. Later setup has the number of the move before it; the board is compared both
    /// before and after it.
    #[inline]
    fn count_changes(&mut self, ply: Option<u64>) {
        if matches!(
            self.found,
            SearchState::Pattern { .. } | SearchState::Boards { .. }
        ) {
            self.take_changes(ply);
        }
    }

    #[inline(never)]
    fn take_changes(&mut self, ply: Option<u64>) {
        let Some(board) = self.replay.board_mut() else {
            return;
        };
        match (&self.prepared.plan, &mut self.found) {
            (Plan::Pattern(places), SearchState::Pattern { wrong, matched, .. }) => {
                board.take_changes(&mut self.changes);
                self.changes
                    .drain(..)
                    .for_each(|change| places.change(change, wrong, matched));
            }
            (_, SearchState::Boards { changes, .. }) => {
                board.take_changes(&mut self.changes);
                self.changes
                    .drain(..)
                    .for_each(|change| changes.change(change, ply));
            }
            _ => {}
        }
    }

    /// Plays a move. Returns false if the board is unknown afterwards. An unreadable move does not
    /// change the board, but it ends an opening.
    pub(super) fn play(
        &mut self,
        color: u8,
        value: &[u8],
        coordinates: Coordinates,
        hits: &mut HitList,
    ) -> bool {
        let parsed = self.replay.dialect().parse_move(value);
        let mv = parsed.as_ref().ok();
        if mv.is_none() && (matches!(self.found, SearchState::Opening(_)) || self.after.is_some()) {
            return false;
        }
        let side = Side::of_color(color);
        if !self.waiting.is_empty() {
            let written = match (coordinates, mv) {
                (Coordinates::Sgf, _) | (_, None) => String::from_utf8_lossy(value)
                    .chars()
                    .take(OpeningMove::TEXT_MAX)
                    .collect(),
                (spelling, Some(mv)) => {
                    self.replay.dialect().show_move_in(mv, spelling).to_string()
                }
            };
            self.answer(side, mv, &written, hits);
        }
        if self.prepared.query.has_remarks {
            self.last = self.last_move(side, mv);
        }
        if let Some(Move::Place(field)) = mv {
            // Nearly all moves are of this kind.
            self.replay.place(color, *field);
        } else if !self.play_other(color, value, &parsed) {
            hits.cut += 1;
            return false;
        }
        self.ply += 1;
        self.count_changes(Some(self.ply));
        self.look_after(side, mv, hits);
        true
    }

    /// Plays a move that is not just a stone on a cell, or is unreadable. Returns false if the
    /// board is unknown afterwards, or has another size.
    #[inline(never)]
    fn play_other(&mut self, color: u8, value: &[u8], parsed: &Result<Move, Fault>) -> bool {
        let size = self.board().map(GameBoard::size);
        self.replay.play_parsed(color, value, parsed);
        self.board().map(GameBoard::size) == size
    }

    /// Describes a move for remarks, before it is played.
    fn last_move(&self, side: Side, mv: Option<&Move>) -> LastMove {
        let board = self.canonical_hash();
        let of_position = self.matching_transform().and_then(|transform| {
            let field = mv
                .and_then(Move::point)
                .and_then(|field| self.board()?.straight(field))?;
            Some((
                transform,
                self.prepared
                    .map_back(transform, BoardCell::new(0, 0), side, field),
            ))
        });
        LastMove { board, of_position }
    }

    /// Returns the canonical hash of the board, if the query is for all boards.
    pub(super) fn canonical_hash(&self) -> Option<u64> {
        let is_of_boards = matches!(self.prepared.plan, Plan::Boards);
        self.board()
            .filter(|_| is_of_boards)?
            .hash()
            .map(|hash| hash.canonical().0)
    }

    /// Returns the transform from the position of the query to the board, if the board is this
    /// position.
    pub(super) fn matching_transform(&self) -> Option<Transform> {
        let Plan::Position(hashes) = &self.prepared.plan else {
            return None;
        };
        let board = self.board()?;
        let hash = board.hash()?.plain();
        let (_, transform) = *hashes.iter().find(|(known, _)| *known == hash)?;
        self.prepared
            .has_stones_of(board, transform)
            .then_some(transform)
    }

    /// Applies a setup property and counts its changes.
    pub(super) fn set_up(&mut self, property: &Property<'_>) {
        if !std::mem::replace(&mut self.is_set_up, true) {
            self.before_setup = self.plain_hash();
        }
        self.replay.apply(property);
        if let SearchState::Opening(opening) = &mut self.found {
            opening.has_setup |= self.ply == 0 && Setup::puts_stones(&property.ident().canonical());
        }
        self.count_changes((!self.is_seen).then_some(0));
    }

    fn plain_hash(&self) -> Option<u64> {
        self.board()
            .and_then(GameBoard::hash)
            .map(|hash| hash.plain())
    }

    /// Compares the board after setup or at the start of the game, if it was not compared yet.
    #[inline]
    pub(super) fn compare_setup(&mut self, hits: &mut HitList) {
        if std::mem::take(&mut self.is_set_up) {
            self.compare_new_setup(hits);
        }
    }

    #[inline(never)]
    fn compare_new_setup(&mut self, hits: &mut HitList) {
        if let SearchState::Boards { changes, .. } = &mut self.found {
            changes.end_setup();
        }
        let before = self.before_setup.take();
        if self.ply == 0 && matches!(self.found, SearchState::Boards { .. }) {
            self.start = self.set_up_start();
        }
        if before.is_some()
            && before != self.plain_hash()
            && matches!(self.found, SearchState::Position { .. })
        {
            // The waiting hits end here, because the next move is played on another board.
            for waiting in std::mem::take(&mut self.waiting) {
                self.end(&waiting, hits);
            }
            if let Some(after) = &mut self.after {
                after.last = self.ply;
            }
        }
        self.is_seen = true;
        self.look_at_board(hits);
    }

    /// Returns the board, unless a game usually begins with it.
    fn set_up_start(&self) -> Option<StartBoard> {
        let board = self.board()?;
        let usual = self.prepared.start().hash()?.canonical().0;
        if board.hash()?.canonical().0 == usual {
            None
        } else {
            StartBoard::of(board)
        }
    }

    fn look_after(&mut self, side: Side, mv: Option<&Move>, hits: &mut HitList) {
        let Some(board) = self.replay.board() else {
            return;
        };
        if let SearchState::Boards { changes, .. } = &mut self.found {
            let field = mv
                .and_then(Move::point)
                .and_then(|field| board.straight(field));
            changes.end_move(side, field);
        }
        if let (Plan::Opening(depth), SearchState::Opening(opening)) =
            (&self.prepared.plan, &mut self.found)
        {
            if let Some(mv) = mv.filter(|_| self.ply <= *depth) {
                opening.push(board, side, mv);
            }
            return;
        }
        if let Some(after) = &mut self.after {
            if let Some(mv) = mv.filter(|_| self.ply <= after.last) {
                after.moves.push(board, side, mv);
            }
            return;
        }
        if !matches!(self.prepared.plan, Plan::Sequence(_)) {
            return self.look_at_board(hits);
        }
        let made = mv.and_then(|mv| Step::of(board, mv));
        let prepared = Arc::clone(&self.prepared);
        if let Plan::Sequence(sequence) = &prepared.plan {
            self.follow_sequence(sequence, side, made);
        }
    }

    #[inline]
    fn look_at_board(&mut self, hits: &mut HitList) {
        if self.ply > self.prepared.query.by_move {
            if let SearchState::Pattern { matched, .. } = &mut self.found {
                matched.clear();
            }
            return;
        }
        match (&self.prepared.plan, &mut self.found) {
            (
                Plan::Position(hashes),
                SearchState::Position {
                    is_found: is_found @ false,
                },
            ) => {
                let Some(board) = self.replay.board_mut() else {
                    return;
                };
                let Some(hash) = board.hash().map(|hash| hash.plain()) else {
                    return;
                };
                if let Some(&(_, transform)) = hashes.iter().find(|(known, _)| *known == hash)
                    && self.prepared.has_stones_of(board, transform)
                {
                    *is_found = true;
                    let Some(depth) = self.prepared.query.moves_after else {
                        return self.waiting.push(Waiting::new(self.ply, transform, (0, 0)));
                    };
                    board.keep_hash();
                    self.after = Some(ContinuationMoves {
                        moves: Opening::new(self.prepared.board()),
                        transform,
                        last: self.ply.saturating_add(depth),
                    });
                }
            }
            (_, SearchState::Boards { hashes, .. }) if hashes.len() < BOARDS_MAX => {
                hashes.extend(
                    self.replay
                        .board()
                        .and_then(GameBoard::hash)
                        .map(|hash| hash.canonical().0),
                );
            }
            (_, SearchState::Boards { .. }) => hits.cut += 1,
            (
                Plan::Pattern(placements),
                SearchState::Pattern {
                    wrong,
                    matched,
                    places,
                },
            ) => {
                // A place is listed twice if two changes of one move matched it.
                for number in matched.drain(..) {
                    let at = number as usize;
                    if wrong[at] == 0 && places[at] == PlaceState::Open {
                        let place = &placements.all[at];
                        places[at] = if place.labels.is_empty() {
                            PlaceState::Found
                        } else {
                            PlaceState::Waiting
                        };
                        if self.waiting.len() + hits.found.len() >= HITS_MAX {
                            hits.cut += 1;
                            continue;
                        }
                        let corner = (place.corner.0 as i32, place.corner.1 as i32);
                        let waiting = Waiting::new(self.ply, place.transform, corner);
                        self.waiting.push(Waiting {
                            placement: Some(number),
                            ..waiting
                        });
                    }
                }
            }
            _ => {}
        }
    }

    fn follow_sequence(&mut self, sequence: &Sequence, side: Side, made: Option<Step>) {
        let SearchState::Sequence {
            progress,
            recent,
            done,
        } = &mut self.found
        else {
            return;
        };
        let mut found = |run: usize, shift: Shift| {
            if self.ply <= self.prepared.query.by_move
                && !done.contains(&(run, shift))
                && done.len() < HITS_MAX
            {
                done.push((run, shift));
                self.waiting
                    .push(Waiting::new(self.ply, sequence.runs[run].transform, shift));
            }
        };
        if !sequence.gaps {
            let len = sequence.runs.first().map_or(0, |run| run.moves.len());
            recent.push(made.map(|made| (side, made)));
            if recent.len() > len {
                recent.remove(0);
            }
            if recent.len() < len {
                return;
            }
            for (number, run) in sequence.runs.iter().enumerate() {
                if let Some(shift) = run.shift_to(recent)
                    && (sequence.anywhere || shift == (0, 0))
                {
                    found(number, shift);
                }
            }
            return;
        }
        let Some(made) = made else { return };
        let (columns, rows) = self.prepared.size;
        let shifts = if sequence.anywhere {
            self.prepared.shifts()
        } else {
            1
        };
        let (right, down, width) = (columns as i32 - 1, rows as i32 - 1, 2 * columns as i32 - 1);
        let place_of = |shift: Shift| ((shift.1 + down) * width + shift.0 + right) as usize;
        let shift_of = |place: usize| (place as i32 % width - right, place as i32 / width - down);
        for (number, run) in sequence.runs.iter().enumerate() {
            for at in &run.steps {
                let places = match at.displacement(&made) {
                    None => continue,
                    Some(Displacement::By(shift)) if sequence.anywhere => {
                        place_of(shift)..place_of(shift) + 1
                    }
                    Some(Displacement::By(shift)) if shift != (0, 0) => continue,
                    // Try all shifts for a word such as `swap`, wherever the stones are.
                    Some(Displacement::Any) if sequence.anywhere && run.has_cells() => 0..shifts,
                    Some(Displacement::Any) if sequence.anywhere => {
                        place_of((0, 0))..place_of((0, 0)) + 1
                    }
                    _ => 0..1,
                };
                for place in places {
                    let Some(len) = progress.get_mut(number * shifts + place) else {
                        continue;
                    };
                    let is_next = |len: u8| {
                        let (next_side, next) = &run.moves[usize::from(len)];
                        *next_side == side && next == at
                    };
                    // The move breaks the run. Continue with the longest beginning of the sequence
                    // that still matches.
                    while *len > 0 && !is_next(*len) {
                        *len = run.shorter[usize::from(*len) - 1];
                    }
                    *len += u8::from(is_next(*len));
                    if usize::from(*len) == run.moves.len() {
                        *len = 0;
                        found(
                            number,
                            if sequence.anywhere {
                                shift_of(place)
                            } else {
                                (0, 0)
                            },
                        );
                    }
                }
            }
        }
    }

    /// Handles a move for the hits that wait for one.
    fn answer(&mut self, side: Side, mv: Option<&Move>, written: &str, hits: &mut HitList) {
        let field = mv
            .and_then(Move::point)
            .and_then(|field| self.board()?.straight(field));
        let prepared = Arc::clone(&self.prepared);
        let mut waiting = std::mem::take(&mut self.waiting);
        waiting.retain_mut(|waiting| {
            if let (Plan::Pattern(placements), Some(number)) = (&prepared.plan, waiting.placement) {
                let place = &placements.all[number as usize];
                let Some(field) = field.filter(|field| place.contains(*field)) else {
                    return true;
                };
                if let Some(&label) = place.labels.get(waiting.made) {
                    let SearchState::Pattern {
                        matched, places, ..
                    } = &mut self.found
                    else {
                        return false;
                    };
                    let state = &mut places[number as usize];
                    if *state == PlaceState::Found {
                        return false;
                    }
                    if waiting.made == 0 {
                        *state = PlaceState::Open;
                    }
                    // Keep the place after its match, because it may match again after this move.
                    matched.push(number);
                    let is_made = label == field && waiting.last != Some(side);
                    (waiting.made, waiting.last) = (waiting.made + 1, Some(side));
                    if is_made && waiting.made == place.labels.len() {
                        *state = PlaceState::Found;
                        if waiting.made == 1 {
                            // The only move that the pattern asks for is its continuation.
                            self.hit(waiting, side, Some(field), (mv, written), hits);
                            return false;
                        }
                    }
                    return is_made;
                }
            }
            self.hit(waiting, side, field, (mv, written), hits);
            false
        });
        self.waiting = waiting;
    }

    fn hit(
        &self,
        waiting: &Waiting,
        side: Side,
        field: Option<BoardCell>,
        (mv, written): (Option<&Move>, &str),
        hits: &mut HitList,
    ) {
        let seen = waiting.transform.side(side);
        let inside = |field: BoardCell| {
            let is_shifted = waiting.placement.is_none() && waiting.corner != (0, 0);
            let (right, down) = if is_shifted { waiting.corner } else { (0, 0) };
            let column = u16::try_from(i32::from(field.column) - right).ok()?;
            let row = u16::try_from(i32::from(field.row) - down).ok()?;
            let field = BoardCell::new(column, row);
            (!is_shifted || field.is_on(self.board()?.size())).then_some(field)
        };
        let continuation = match field.and_then(inside) {
            Some(field) => {
                self.prepared
                    .map_back(waiting.transform, waiting.corner_of_pattern(), side, field)
            }
            None if field.is_some() => Continuation::Other(seen, "elsewhere".to_owned()),
            None if mv == Some(&Move::Pass) => Continuation::Other(seen, "pass".to_owned()),
            None => Continuation::Other(seen, written.to_owned()),
        };
        let game = self.prepared.board().game();
        let next = format!("{}[{written}]", side.name_in(game));
        let step = mv.and_then(|mv| Step::of(self.board()?, mv));
        if self.prepared.wants(
            &continuation,
            step.as_ref().map(|step| (step, waiting)),
            None,
        ) {
            self.keep(waiting, next, continuation, hits);
        }
    }

    /// Ends the line for a waiting hit.
    pub(super) fn end(&self, waiting: &Waiting, hits: &mut HitList) {
        let labels = match (&self.prepared.plan, waiting.placement) {
            (Plan::Pattern(places), Some(number)) => places.all[number as usize].labels.len(),
            _ => 0,
        };
        if waiting.made < labels {
            return;
        }
        // A pattern may wait for a move within it while the game continues elsewhere.
        let turn = self.replay.to_move().filter(|_| waiting.ply == self.ply);
        let turn = turn.map(|side| waiting.transform.side(side));
        if self.prepared.wants(&Continuation::End, None, turn) {
            self.keep(waiting, String::new(), Continuation::End, hits);
        }
    }

    fn keep(
        &self,
        waiting: &Waiting,
        next: String,
        continuation: Continuation,
        hits: &mut HitList,
    ) {
        if hits.found.len() >= HITS_MAX {
            hits.cut += 1;
            return;
        }
        hits.found.push(Hit {
            ply: waiting.ply,
            node: waiting.node.clone(),
            transform: waiting.transform,
            corner: waiting.corner_of_pattern(),
            next,
            continuation,
            board: self.prepared.board(),
        });
    }
}
