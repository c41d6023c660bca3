//! Follows the lines of games, and finds what a query asks for.

use std::sync::Arc;

use sgfstream::{Event, Place};
use sgfstream_game::{
    Change, Coordinates, Dialect, Field, GameBoard, GameState, Move, Opening, OpeningMove, Setup, Side, Step, is_setup,
};

use crate::row::line::{LineMove, LineStep, follow};

use super::placement::PlaceState;
use super::prepared::{Plan, Prepared, Sequence, Unsearched};
use super::waiting::{Shift, Waiting};
use super::{Continuation, HITS_MAX, Hit, Query};

/// Boards that are kept ready.
const READY_MAX: usize = 4;

/// Variations that are open inside each other; deeper ones are not searched.
const OPEN_MAX: usize = 128;

/// Boards of a game that are kept.
const BOARDS_MAX: usize = 1 << 16;

/// Looks for a [`Query`] in games: a [`RowBuilder`](crate::row::RowBuilder) gives it their events.
#[derive(Clone, Debug)]
pub struct Finder {
    query: Arc<Query>,
    /// How the next moves are spelled.
    pub(crate) coordinates: Coordinates,
    /// The boards that came last, the last one first.
    ready: Vec<(Dialect, Option<Arc<Prepared>>)>,
    line: Option<Line>,
    /// The lines to which the open variations return.
    open: Vec<Line>,
    /// Variations that are too deep, and open.
    too_deep: u64,
    hits: Vec<Hit>,
    opening: Option<Opening>,
    boards: Vec<u64>,
    cut: u64,
    is_settled: bool,
}

/// A line of moves from the start of the game.
#[derive(Clone, Debug)]
struct Line {
    prepared: Arc<Prepared>,
    position: GameBoard,
    ply: u64,
    /// Something was set up, and the board was not looked at since.
    is_set_up: bool,
    /// A variation has gone on from here: what waits for a move has had it there.
    is_branched: bool,
    found: Found,
    /// Changes of a move.
    changes: Vec<Change>,
    waiting: Vec<Waiting>,
}

/// Hits so far.
#[derive(Clone, Debug)]
enum Found {
    Position { is_found: bool },
    Pattern { wrong: Vec<u16>, matched: Vec<u32>, places: Vec<PlaceState> },
    Opening(Opening),
    Boards(Vec<u64>),
    Sequence { progress: Vec<u8>, recent: Vec<Option<(Side, Field)>>, done: Vec<(usize, Shift)> },
}

impl Finder {
    pub(crate) fn new(query: Arc<Query>) -> Self {
        let (ready, line, open, hits, boards) = (Vec::new(), None, Vec::new(), Vec::new(), Vec::new());
        let coordinates = Coordinates::Sgf;
        let opening = None;
        Self { query, coordinates, ready, line, open, too_deep: 0, hits, opening, boards, cut: 0, is_settled: true }
    }

    /// Query that it answers.
    #[must_use]
    pub fn query(&self) -> &Query {
        &self.query
    }

    /// The hits of the game, in the order of their moves.
    #[must_use]
    pub fn hits(&self) -> &[Hit] {
        &self.hits
    }

    /// The first moves of the game, if they are asked for.
    #[must_use]
    pub fn opening(&self) -> Option<&Opening> {
        self.opening.as_ref()
    }

    /// The canonical hashes of the boards of the game, each once, if they are asked for.
    #[must_use]
    pub fn boards(&self) -> &[u64] {
        &self.boards
    }

    /// Parts of the game that were not searched or are not kept: hits after the first [`HITS_MAX`] and boards after the first 65,536, variations inside more than 128
    /// others, boards that are too large, boards of Octi for a pattern, what follows a setup of more bytes than a reader holds at
    /// once.
    #[must_use]
    pub fn cut(&self) -> u64 {
        self.cut
    }

    /// True if reading on changes no hit.
    pub(crate) fn is_settled(&self) -> bool {
        self.is_settled
    }

    pub(crate) fn start_game(&mut self) {
        self.line = None;
        self.open.clear();
        self.hits.clear();
        self.opening = None;
        self.boards.clear();
        (self.too_deep, self.cut, self.is_settled) = (0, 0, false);
    }

    /// Takes an event; `step` is what it is to its game.
    pub(crate) fn take(&mut self, state: &GameState, step: Step, event: &Event<'_>, place: &Place) {
        if self.is_settled || state.in_root() {
            return;
        }
        if step == Step::RootEnd {
            self.line = self.prepared(state.dialect()).map(Line::new);
        }
        if !self.query.variations && !state.on_main_line() {
            return;
        }
        let Self { query, line, hits, cut, coordinates, .. } = self;
        if self.too_deep == 0
            && let Some(line) = line
        {
            let mut taker = Taker { query, coordinates: *coordinates, line, hits, cut, is_lost: false };
            follow(state, step, event, |step| taker.take(step));
            if taker.is_lost {
                self.end_line();
                self.line = None;
            }
        }
        if self.line.is_none() && self.open.is_empty() {
            return self.end_game();
        }
        match event {
            Event::VariationStart { .. } if place.depth > 1 => self.start_variation(),
            Event::VariationEnd { .. } => self.end_variation(place.depth),
            _ => self.settle(),
        }
    }

    /// Settled if all has been found that can be.
    fn settle(&mut self) {
        let Some(line) = &self.line else { return };
        if self.query.variations && (self.query.all || self.hits.is_empty()) {
            return;
        }
        let is_found = match (&line.found, &line.prepared.plan) {
            (Found::Position { is_found }, _) => *is_found,
            (_, Plan::Opening(depth)) => line.ply >= *depth,
            _ => false,
        };
        // A setup may follow the last move that counts.
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
            // What comes after a lost line is lost as well, to the end of its variation.
            self.too_deep += 1;
            return;
        };
        if self.too_deep > 0 || self.open.len() == OPEN_MAX {
            self.cut += u64::from(self.too_deep == 0);
            self.too_deep += 1;
            return;
        }
        line.look(&self.query, &self.hits, &mut self.cut);
        let mut before = line.clone();
        before.is_branched = true;
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
        self.settle();
    }

    fn end_line(&mut self) {
        if let Some(line) = &mut self.line {
            if let Found::Opening(opening) = &line.found {
                let mut opening = opening.clone();
                opening.turn(line.prepared.size);
                self.opening = Some(opening);
            }
            line.look(&self.query, &self.hits, &mut self.cut);
            if let Found::Boards(boards) = &mut line.found {
                boards.sort_unstable();
                boards.dedup();
                self.boards.append(boards);
            }
            if !line.is_branched {
                let waiting = std::mem::take(&mut line.waiting);
                for waiting in waiting {
                    line.end(&waiting, &mut self.hits, &mut self.cut);
                }
            }
        }
    }

    /// The game has ended, or all has been found.
    fn end_game(&mut self) {
        self.end_line();
        self.line = None;
        self.open.clear();
        self.is_settled = true;
        // Stable: those of one move stay in the order in which they were found.
        self.hits.sort_by_key(|hit| hit.ply);
    }

    fn prepared(&mut self, dialect: Dialect) -> Option<Arc<Prepared>> {
        let at = match self.ready.iter().position(|(known, _)| *known == dialect) {
            Some(at) => at,
            None => {
                let prepared = match Prepared::new(&self.query, &dialect) {
                    Ok(prepared) => Some(Arc::new(prepared)),
                    Err(Unsearched::OtherGame) => None,
                    Err(Unsearched::Unknown) => {
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

/// Takes the steps of a line.
struct Taker<'t> {
    query: &'t Query,
    coordinates: Coordinates,
    line: &'t mut Line,
    hits: &'t mut Vec<Hit>,
    cut: &'t mut u64,
    /// The board is not known from here on.
    is_lost: bool,
}

impl Taker<'_> {
    fn take(&mut self, step: LineStep<'_>) {
        match step {
            _ if self.is_lost => {}
            LineStep::Move(played) => self.play(&played),
            LineStep::Other(property) if is_setup(property.ident()) => {
                self.line.position.apply(property);
                if let Found::Opening(opening) = &mut self.line.found {
                    opening.has_setup |= self.line.ply == 0 && Setup::puts_stones(&property.ident().canonical());
                }
                self.line.count_changes();
                self.line.is_set_up = true;
            }
            LineStep::LongSetup(_) => self.lose(true),
            LineStep::NodeEnd => self.line.look(self.query, self.hits, self.cut),
            LineStep::Start | LineStep::Other(_) | LineStep::End => {}
        }
    }

    fn lose(&mut self, is_cut: bool) {
        *self.cut += u64::from(is_cut);
        self.is_lost = true;
    }

    /// A move that cannot be read changes no board, but an opening ends before it.
    fn play(&mut self, played: &LineMove<'_>) {
        let line = &mut *self.line;
        line.look(self.query, self.hits, self.cut);
        if played.is_cut {
            return self.lose(true);
        }
        let mv = line.position.dialect().parse_move(&played.value).ok();
        if mv.is_none() && matches!(line.found, Found::Opening(_)) {
            return self.lose(false);
        }
        let side = Side::of_color(played.color);
        let size = line.position.size();
        if !line.waiting.is_empty() {
            let written = match (self.coordinates, &mv) {
                (Coordinates::Sgf, _) | (_, None) => {
                    String::from_utf8_lossy(&played.value).chars().take(OpeningMove::TEXT_MAX).collect()
                }
                (spelling, Some(mv)) => line.position.dialect().show_move_in(mv, spelling).to_string(),
            };
            line.answer(side, mv.as_ref(), &written, self.hits, self.cut);
        }
        if let Some(mv) = &mv {
            // What is illegal is done all the same.
            let _ = line.position.play(side, mv);
        }
        if line.position.size() != size {
            return self.lose(true);
        }
        line.ply += 1;
        line.count_changes();
        line.look_after(side, mv.as_ref(), self.query, self.hits, self.cut);
    }
}

impl Line {
    fn new(prepared: Arc<Prepared>) -> Self {
        let mut position = prepared.start();
        let found = match &prepared.plan {
            Plan::Position(_) => {
                position.keep_plain_hash();
                Found::Position { is_found: false }
            }
            Plan::Pattern(places) => {
                position.keep_changes();
                let wrong = places.on_empty.clone();
                let matched = (0..wrong.len() as u32).filter(|&at| wrong[at as usize] == 0).collect();
                Found::Pattern { places: vec![PlaceState::Open; wrong.len()], wrong, matched }
            }
            Plan::Opening(_) => {
                position.keep_hash();
                Found::Opening(Opening::new(prepared.board()))
            }
            Plan::Boards => {
                position.keep_hash();
                Found::Boards(Vec::new())
            }
            Plan::Sequence(sequence) => {
                let shifts = if sequence.anywhere { prepared.shifts() } else { 1 };
                let progress = if sequence.gaps { vec![0; sequence.runs.len() * shifts] } else { Vec::new() };
                Found::Sequence { progress, recent: Vec::new(), done: Vec::new() }
            }
        };
        let (ply, is_branched, waiting) = (0, false, Vec::new());
        let changes = Vec::new();
        let mut line = Self { prepared, position, ply, is_set_up: true, is_branched, found, changes, waiting };
        line.count_changes();
        line
    }

    fn count_changes(&mut self) {
        if let (Plan::Pattern(places), Found::Pattern { wrong, matched, .. }) = (&self.prepared.plan, &mut self.found) {
            self.position.take_changes(&mut self.changes);
            self.changes.drain(..).for_each(|change| places.change(change, wrong, matched));
        }
    }

    /// Looks at a board that was set up, or that is the start of the game.
    fn look(&mut self, query: &Query, hits: &[Hit], cut: &mut u64) {
        if std::mem::take(&mut self.is_set_up) {
            self.look_at_board(query, hits, cut);
        }
    }

    fn look_after(&mut self, side: Side, mv: Option<&Move>, query: &Query, hits: &[Hit], cut: &mut u64) {
        if let (Plan::Opening(depth), Found::Opening(opening)) = (&self.prepared.plan, &mut self.found) {
            if let Some(mv) = mv.filter(|_| self.ply <= *depth) {
                opening.push(&self.position, side, mv);
            }
            return;
        }
        if !matches!(self.prepared.plan, Plan::Sequence(_)) {
            return self.look_at_board(query, hits, cut);
        }
        let prepared = Arc::clone(&self.prepared);
        if let Plan::Sequence(sequence) = &prepared.plan {
            let field = mv.and_then(Move::point).and_then(|field| self.position.straight(field));
            self.follow_sequence(sequence, side, field, query);
        }
    }

    #[inline]
    fn look_at_board(&mut self, query: &Query, hits: &[Hit], cut: &mut u64) {
        if self.ply > query.by_move {
            if let Found::Pattern { matched, .. } = &mut self.found {
                matched.clear();
            }
            return;
        }
        match (&self.prepared.plan, &mut self.found) {
            (Plan::Position(hashes), Found::Position { is_found: is_found @ false }) => {
                let Some(hash) = self.position.hash() else { return };
                let hash = hash.plain();
                if let Some(&(_, way)) = hashes.iter().find(|(known, _)| *known == hash)
                    && self.prepared.has_stones_of(&self.position, way)
                {
                    *is_found = true;
                    self.waiting.push(Waiting::new(self.ply, way, (0, 0)));
                }
            }
            (_, Found::Boards(boards)) if boards.len() < BOARDS_MAX => {
                boards.extend(self.position.hash().map(|hash| hash.canonical().0));
            }
            (_, Found::Boards(_)) => *cut += 1,
            (Plan::Pattern(placements), Found::Pattern { wrong, matched, places }) => {
                // Places that two changes of one move have matched are there twice.
                for number in matched.drain(..) {
                    let at = number as usize;
                    if wrong[at] == 0 && places[at] == PlaceState::Open {
                        let place = &placements.all[at];
                        places[at] = if place.labels.is_empty() { PlaceState::Found } else { PlaceState::Waiting };
                        if self.waiting.len() + hits.len() >= HITS_MAX {
                            *cut += 1;
                            continue;
                        }
                        let corner = (place.corner.0 as i32, place.corner.1 as i32);
                        let waiting = Waiting::new(self.ply, place.way, corner);
                        self.waiting.push(Waiting { placement: Some(number), ..waiting });
                    }
                }
            }
            _ => {}
        }
    }

    fn follow_sequence(&mut self, sequence: &Sequence, side: Side, field: Option<Field>, query: &Query) {
        let Found::Sequence { progress, recent, done } = &mut self.found else { return };
        let mut found = |run: usize, shift: Shift| {
            if self.ply <= query.by_move && !done.contains(&(run, shift)) && done.len() < HITS_MAX {
                done.push((run, shift));
                self.waiting.push(Waiting::new(self.ply, sequence.runs[run].way, shift));
            }
        };
        let shift_of = |from: Field, to: Field| {
            (i32::from(to.column) - i32::from(from.column), i32::from(to.row) - i32::from(from.row))
        };
        if !sequence.gaps {
            let len = sequence.runs.first().map_or(0, |run| run.moves.len());
            recent.push(field.map(|field| (side, field)));
            if recent.len() > len {
                recent.remove(0);
            }
            if recent.len() < len {
                return;
            }
            for (number, run) in sequence.runs.iter().enumerate() {
                let (Some(&(_, first)), Some(Some((_, at)))) = (run.moves.first(), recent.first()) else { continue };
                let shift = shift_of(first, *at);
                let is_made = |(&(side, field), made): (&(Side, Field), &Option<(Side, Field)>)| {
                    made.is_some_and(|made| made.0 == side && shift_of(field, made.1) == shift)
                };
                if (sequence.anywhere || shift == (0, 0)) && run.moves.iter().zip(&*recent).all(is_made) {
                    found(number, shift);
                }
            }
            return;
        }
        let Some(field) = field else { return };
        let (columns, rows) = self.prepared.size;
        let shifts = if sequence.anywhere { self.prepared.shifts() } else { 1 };
        for (number, run) in sequence.runs.iter().enumerate() {
            for &at in &run.fields {
                let shift = shift_of(at, field);
                let place = match sequence.anywhere {
                    false if shift != (0, 0) => continue,
                    false => 0,
                    true => {
                        let (right, down) = (shift.0 + columns as i32 - 1, shift.1 + rows as i32 - 1);
                        (down * (2 * columns as i32 - 1) + right) as usize
                    }
                };
                let Some(made) = progress.get_mut(number * shifts + place) else { continue };
                // A field of the sequence in another order: the longest beginning that fits goes on.
                while *made > 0 && run.moves[usize::from(*made)] != (side, at) {
                    *made = run.shorter[usize::from(*made) - 1];
                }
                *made += u8::from(run.moves[usize::from(*made)] == (side, at));
                if usize::from(*made) == run.moves.len() {
                    *made = 0;
                    found(number, shift);
                }
            }
        }
    }

    /// A move is made: what waits for one has it.
    fn answer(&mut self, side: Side, mv: Option<&Move>, written: &str, hits: &mut Vec<Hit>, cut: &mut u64) {
        let field = mv.and_then(Move::point).and_then(|field| self.position.straight(field));
        let prepared = Arc::clone(&self.prepared);
        let mut waiting = std::mem::take(&mut self.waiting);
        waiting.retain_mut(|waiting| {
            if let (Plan::Pattern(placements), Some(number)) = (&prepared.plan, waiting.placement) {
                let place = &placements.all[number as usize];
                let Some(field) = field.filter(|field| place.contains(*field)) else { return true };
                if let Some(&label) = place.labels.get(waiting.made) {
                    let Found::Pattern { matched, places, .. } = &mut self.found else { return false };
                    let state = &mut places[number as usize];
                    if *state == PlaceState::Found {
                        return false;
                    }
                    if waiting.made == 0 {
                        *state = PlaceState::Open;
                    }
                    // The place may match after this move as well.
                    matched.push(number);
                    let is_made = label == field && waiting.last != Some(side);
                    (waiting.made, waiting.last) = (waiting.made + 1, Some(side));
                    if is_made && waiting.made == place.labels.len() {
                        *state = PlaceState::Found;
                        if waiting.made == 1 {
                            // The one move that the pattern asks for is its continuation.
                            self.hit(waiting, side, Some(field), (mv, written), hits, cut);
                            return false;
                        }
                    }
                    return is_made;
                }
            }
            self.hit(waiting, side, field, (mv, written), hits, cut);
            false
        });
        self.waiting = waiting;
    }

    fn hit(
        &self,
        waiting: &Waiting,
        side: Side,
        field: Option<Field>,
        (mv, written): (Option<&Move>, &str),
        hits: &mut Vec<Hit>,
        cut: &mut u64,
    ) {
        let seen = if waiting.way.is_exchanged { side.opponent() } else { side };
        let inside = |field: Field| {
            let is_shifted = waiting.placement.is_none() && waiting.corner != (0, 0);
            let (right, down) = if is_shifted { waiting.corner } else { (0, 0) };
            let column = u16::try_from(i32::from(field.column) - right).ok()?;
            let row = u16::try_from(i32::from(field.row) - down).ok()?;
            let field = Field::new(column, row);
            (!is_shifted || field.is_on(self.position.size())).then_some(field)
        };
        let corner = waiting.corner_of_pattern();
        let continuation = match field.and_then(inside) {
            Some(field) => self.prepared.continuation(waiting.way, corner, side, field),
            None if field.is_some() => Continuation::Other(seen, "elsewhere".to_owned()),
            None if mv == Some(&Move::Pass) => Continuation::Other(seen, "pass".to_owned()),
            None => Continuation::Other(seen, written.to_owned()),
        };
        let ident = ["B", "W", "3", "4"][side.index()];
        let next = format!("{ident}[{written}]");
        let board = self.prepared.board();
        self.keep(Hit { ply: waiting.ply, way: waiting.way, corner, next, continuation, board }, hits, cut);
    }

    /// The line ends while a hit waits.
    fn end(&self, waiting: &Waiting, hits: &mut Vec<Hit>, cut: &mut u64) {
        let labels = match (&self.prepared.plan, waiting.placement) {
            (Plan::Pattern(places), Some(number)) => places.all[number as usize].labels.len(),
            _ => 0,
        };
        if waiting.made < labels {
            return;
        }
        let (corner, next) = (waiting.corner_of_pattern(), String::new());
        let continuation = Continuation::End;
        let board = self.prepared.board();
        self.keep(Hit { ply: waiting.ply, way: waiting.way, corner, next, continuation, board }, hits, cut);
    }

    fn keep(&self, hit: Hit, hits: &mut Vec<Hit>, cut: &mut u64) {
        if !self.prepared.wants(&hit.continuation) {
            return;
        }
        if hits.len() < HITS_MAX { hits.push(hit) } else { *cut += 1 }
    }
}
