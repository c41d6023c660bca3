//! The sink that makes all statistics.

use sgfstream::{Event, Flow, Ident, Place, Property, PropertyPart, RawValue, Sink};
use sgfstream_game::{Dialect, Game, Info, LookaheadBuffer, Program, RootRetention, Setup, Step, is_setup};

use super::known_lines::KnownLines;
use super::point_counts::BoardPlace;
use super::{BoardId, GameInfoCounts, Histogram, IdentCounts, Openings, PlayedMove, PointCounts, ProblemCounts};
use crate::Count;

/// Options of [`Stats`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct StatsOptions {
    /// Number of moves in an opening. Default 4, maximum 16.
    pub opening_depth: usize,
}

impl Default for StatsOptions {
    fn default() -> Self {
        Self { opening_depth: 4 }
    }
}

impl StatsOptions {
    /// Returns these options with another number of moves in an opening.
    #[must_use]
    pub const fn with_opening_depth(mut self, moves: usize) -> Self {
        self.opening_depth = moves;
        self
    }
}

/// Sink that makes statistics of games; see the [module](crate::stats).
///
/// The main line of a game is everything before the first `)`. Lengths, openings and heat are those of main lines; `count`
/// counts all variations.
#[derive(Clone, Debug)]
pub struct Stats {
    /// Number of inputs, as ended by [`end_input`](Self::end_input).
    pub files: u64,
    /// Total size of the inputs, in bytes.
    pub bytes: u64,
    count: Count,
    ahead: LookaheadBuffer,
    /// Properties by identifier.
    pub idents: IdentCounts,
    /// Problems by code.
    pub problems: ProblemCounts,
    /// Lengths of main lines, in moves.
    pub lengths: Histogram,
    /// First moves of main lines.
    pub openings: Openings,
    depth: usize,
    known_lines: KnownLines,
    /// Points of main lines.
    pub heat: PointCounts,
    /// Counts of game information.
    pub facts: GameInfoCounts,
    game: Current,
}

/// The main line of the current game.
#[derive(Clone, Debug)]
struct Current {
    is_open: bool,
    board: BoardId,
    /// Where its moves are counted; set by the first move.
    place: Option<BoardPlace>,
    /// The first moves.
    opening: Vec<PlayedMove>,
    /// Whether one of the first moves could not be remembered.
    opening_cut: bool,
    /// Whether stones were set up before the first move.
    has_setup: bool,
}

impl Default for Stats {
    fn default() -> Self {
        Self::new(StatsOptions::default())
    }
}

impl Stats {
    /// Returns statistics without any games.
    #[must_use]
    pub fn new(options: StatsOptions) -> Self {
        let depth = options.opening_depth.min(16);
        Self {
            files: 0,
            bytes: 0,
            count: Count::holding(RootRetention::Line),
            ahead: LookaheadBuffer::default(),
            idents: IdentCounts::default(),
            problems: ProblemCounts::default(),
            lengths: Histogram::default(),
            openings: Openings::default(),
            depth,
            known_lines: KnownLines::default(),
            heat: PointCounts::default(),
            facts: GameInfoCounts::default(),
            game: Current {
                is_open: false,
                board: BoardId::new(Game::Go, None),
                place: None,
                opening: Vec::with_capacity(depth),
                opening_cut: false,
                has_setup: false,
            },
        }
    }

    /// Returns the number of moves in an opening.
    #[must_use]
    pub fn depth(&self) -> usize {
        self.depth
    }

    /// Returns the counts of games, nodes, moves and properties.
    #[must_use]
    pub fn count(&self) -> &Count {
        &self.count
    }

    /// Ends an input of `bytes` bytes. It counts as a file, and an unfinished game counts as far as it was read.
    pub fn end_input(&mut self, bytes: u64) {
        self.end_part(bytes);
        self.files += 1;
    }

    /// Ends a part of an input, like [`end_input`](Self::end_input), but without counting a file. Another part counts the
    /// file.
    pub fn end_part(&mut self, bytes: u64) {
        self.ahead.end(&mut self.count.state);
        self.take_kept();
        if self.count.state.end_input() == Step::RootEnd {
            self.end_root();
        }
        self.end_game();
        self.bytes += bytes;
    }

    /// Adds the counts of `other`, which must have ended its input.
    pub fn merge(&mut self, other: Self) {
        self.files += other.files;
        self.bytes += other.bytes;
        self.count.merge(&other.count);
        self.idents.merge(&other.idents);
        self.problems.merge(&other.problems);
        self.lengths.merge(&other.lengths);
        self.openings.merge(other.openings);
        self.heat.merge(&other.heat);
        self.facts.merge(&other.facts);
    }

    /// Handles the end of a root, when the kind of the game is known.
    #[inline(never)]
    fn end_root(&mut self) {
        let state = &self.count.state;
        self.game.board = BoardId::of(state);
        for played in state.root_moves() {
            self.game.play(&mut self.heat, self.depth, played.color, Some(&played.bytes()));
        }
    }

    #[inline(never)]
    fn start_game(&mut self) {
        self.end_game();
        self.game.is_open = true;
        self.game.place = None;
        self.game.opening.clear();
        self.game.opening_cut = false;
        self.game.has_setup = false;
    }

    #[inline(never)]
    fn end_game(&mut self) {
        let game = &mut self.game;
        if !std::mem::take(&mut game.is_open) {
            return;
        }
        let state = &self.count.state;
        self.heat.end_game(game.place, state.ply());
        self.lengths.add(state.ply());
        let (outcome, years) = self.facts.add(state, game.board);
        if game.has_setup {
            self.openings.with_setup += 1;
        } else {
            let program =
                if game.board.game.has_two_letter_points() { Program::Standard } else { state.dialect().program() };
            let dialect = match state.dialect() {
                known if known.has_size() => Dialect::of_program(game.board.game, game.board.size, program),
                unknown => unknown,
            };
            let opening = self.known_lines.opening(dialect, game.board, &game.opening);
            self.openings.add_on(game.board, opening, game.opening_cut, |tally| {
                tally.add(outcome.winner(), years, || None);
            });
        }
    }

    /// Handles any event except moves and nodes after the root. Inlined, so that the event need not be in memory. So the
    /// place comes by value.
    #[inline(always)]
    fn other(&mut self, event: &Event<'_>, place: Place) {
        if self.ahead.keeps(&mut self.count.state, event, &place) {
            self.take_kept();
        } else {
            self.known(event, &place);
        }
    }

    /// Handles the buffered events, once the kind of the game is known.
    #[inline(never)]
    fn take_kept(&mut self) {
        if self.ahead.is_known() {
            let mut ahead = std::mem::take(&mut self.ahead);
            while let Some((event, place)) = ahead.pop() {
                _ = Sink::take(self, &event, &place);
            }
            self.ahead = ahead;
        }
    }

    /// Handles an event of a game whose kind is known.
    #[inline(always)]
    fn known(&mut self, event: &Event<'_>, place: &Place) {
        let step = self.count.add(event, place);
        if step == Step::RootEnd {
            self.end_root();
        }
        match *event {
            Event::Property(property) => self.property(step, property),
            Event::VariationStart { .. } if place.depth == 1 => self.start_game(),
            Event::VariationEnd { .. } if place.depth == 1 => self.end_game(),
            Event::Problem(problem) => self.problems.add(&problem),
            Event::PropertyPart(part) => self.part(part),
            _ => {}
        }
    }

    #[inline(never)]
    fn property(&mut self, step: Step, property: Property<'_>) {
        self.idents.add(property.ident());
        if step == Step::Other {
            self.add_value(property.ident(), property.first());
        }
        self.look_for_setup(property.ident());
        let state = &self.count.state;
        if matches!(step, Step::Moves | Step::RootEnd) && state.on_main_line() {
            for played in state.moves(&property) {
                self.game.play(&mut self.heat, self.depth, played.color, Some(&played.bytes()));
            }
        }
    }

    /// Counts a part of a property that is too long for one event.
    #[cold]
    fn part(&mut self, part: PropertyPart<'_>) {
        if part.is_property_start() {
            self.idents.add(part.ident());
            self.add_value(part.ident(), part.content());
            self.look_for_setup(part.ident());
        }
        let state = &self.count.state;
        if let Some(played) = state.part_move(&part).filter(|_| state.on_main_line()) {
            let whole = part.is_value_end().then_some(played.value.as_bytes());
            self.game.play(&mut self.heat, self.depth, played.color, whole);
        }
    }

    /// Counts a value of game information, which may be in any node.
    fn add_value(&mut self, ident: Ident<'_>, value: RawValue<'_>) {
        let state = &mut self.count.state;
        if !state.in_root()
            && let Some(info) = Info::of(ident)
        {
            state.add_value(info, value);
        }
    }

    fn look_for_setup(&mut self, ident: Ident<'_>) {
        let state = &self.count.state;
        if is_setup(ident) && !self.game.has_setup && state.ply() == 0 && state.on_main_line() {
            self.game.has_setup = Setup::puts_stones(&ident.canonical());
        }
    }
}

impl Current {
    /// Counts a move of the main line. `raw` is `None` if the move is too long for one event.
    #[inline(never)]
    fn play(&mut self, heat: &mut PointCounts, depth: usize, color: u8, raw: Option<&[u8]>) {
        if self.opening.len() < depth {
            match raw.and_then(|raw| PlayedMove::new(color, raw)) {
                Some(played) if !self.opening_cut => self.opening.push(played),
                _ => self.opening_cut = true,
            }
        }
        let place = match self.place {
            Some(place) => place,
            None => *self.place.insert(heat.place(self.board)),
        };
        match raw {
            Some(raw) => heat.add(place, color, raw),
            None => heat.add_long(place),
        }
    }
}

impl Sink for Stats {
    const PLAYS: bool = true;

    // Inlined, because a call would need the event in memory.
    #[inline(always)]
    fn event(&mut self, event: &Event<'_>, place: &Place) -> Flow {
        self.other(event, *place);
        Flow::Go
    }

    #[inline(always)]
    fn node(&mut self, place: &Place) -> Flow {
        match self.count.state.node() {
            Some(_) => self.count.nodes += 1,
            None => self.other(&Event::NodeStart { supplied: false }, *place),
        }
        Flow::Go
    }

    #[inline(always)]
    fn play(&mut self, letter: u8, point: [u8; 2], property: &Property<'_>, place: &Place) -> Flow {
        let Some(Step::Move { color, point }) = self.count.state.play(letter, point) else {
            self.other(&Event::Property(*property), *place);
            return Flow::Go;
        };
        self.count.add_move();
        self.idents.add_move(color);
        if self.count.state.on_main_line() {
            let depth = self.depth;
            if self.game.opening.len() < depth || !self.heat.add_point(self.game.place, color, point) {
                self.game.play(&mut self.heat, depth, color, Some(&point));
            }
        }
        Flow::Go
    }
}
