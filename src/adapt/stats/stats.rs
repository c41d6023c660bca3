//! The sink that counts everything.

use crate::base::Charset;
use crate::event::{Event, Flow, Ident, Place, Property, PropertyPart, Sink};
use crate::game::{Game, MoveIds};

use super::header::{Header, Slot};
use super::heat::HeatPlace;
use super::{Board, Facts, Heat, Histogram, IdentCounts, Openings, PlayedMove, ProblemCounts, facts};
use crate::adapt::Count;

/// What to count, and how much of it to hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StatsOptions {
    /// How many moves of a game make its opening. Default 4, at most 16.
    pub opening_depth: usize,
    /// How many moves all openings together may have. Default 16 384.
    pub opening_limit: usize,
}

impl Default for StatsOptions {
    fn default() -> Self {
        Self { opening_depth: 4, opening_limit: 1 << 14 }
    }
}

/// Statistics of games; see the [room](crate::adapt::stats).
///
/// The main line of a game is what comes before the first `)` in it. Lengths,
/// openings and heat are of main lines; `count` is of everything.
#[derive(Clone, Debug)]
pub struct Stats {
    /// Inputs that were ended by [`end_input`](Self::end_input).
    pub files: u64,
    /// Their bytes.
    pub bytes: u64,
    count: Count,
    /// Properties by identifier.
    pub idents: IdentCounts,
    /// Problems by code.
    pub problems: ProblemCounts,
    /// Moves of main lines.
    pub lengths: Histogram,
    /// First moves of main lines.
    pub openings: Openings,
    /// Points of main lines.
    pub heat: Heat,
    /// What the games say of themselves.
    pub facts: Facts,
    game: Current,
}

/// The game that is being read.
#[derive(Clone, Debug)]
struct Current {
    phase: Phase,
    ids: MoveIds,
    board: Board,
    /// Its place in the heat, from its first move on.
    place: Option<HeatPlace>,
    /// Moves of the main line.
    length: u64,
    /// The first of them.
    opening: Vec<PlayedMove>,
    /// One of them could not be remembered.
    opening_cut: bool,
    /// Stones were set before the first move.
    has_setup: bool,
    header: Header,
    /// Moves of the root, as long as it is not known which game it is.
    root_moves: Vec<RootMove>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    /// No game is open.
    Between,
    /// Before the root.
    Start,
    /// In the root.
    Root,
    /// In the main line, behind the root.
    Main,
    /// Behind the main line.
    Side,
}

#[derive(Clone, Copy, Debug)]
struct RootMove {
    /// Letters of the canonical identifier, zeros behind.
    ident: [u8; 6],
    played: Option<PlayedMove>,
    values: u64,
}

/// More moves than that in a root are counted by their number alone.
const ROOT_MOVES: usize = 64;

impl Default for Stats {
    fn default() -> Self {
        Self::new(StatsOptions::default())
    }
}

impl Stats {
    /// Nothing counted yet.
    #[must_use]
    pub fn new(options: StatsOptions) -> Self {
        let depth = options.opening_depth.min(16);
        Self {
            files: 0,
            bytes: 0,
            count: Count::default(),
            idents: IdentCounts::default(),
            problems: ProblemCounts::default(),
            lengths: Histogram::default(),
            openings: Openings::new(depth, options.opening_limit),
            heat: Heat::default(),
            facts: Facts::default(),
            game: Current {
                phase: Phase::Between,
                ids: Game::Go.move_ids(),
                board: Board { game: Game::Go, size: None },
                place: None,
                length: 0,
                opening: Vec::with_capacity(depth),
                opening_cut: false,
                has_setup: false,
                header: Header::default(),
                root_moves: Vec::new(),
            },
        }
    }

    /// Games, nodes, moves and their like.
    #[must_use]
    pub fn count(&self) -> &Count {
        &self.count
    }

    /// An input of `bytes` is at its end: it counts as a file, and a game
    /// that was not at its end counts as far as it came.
    pub fn end_input(&mut self, bytes: u64) {
        self.end_game();
        self.files += 1;
        self.bytes += bytes;
    }

    /// Forgets everything, and keeps the memory for the next input.
    ///
    /// ```
    /// use sgfstream::{SliceReader, adapt::stats::Stats};
    ///
    /// let mut stats = Stats::default();
    /// SliceReader::new(b"(;PB[Lee];B[aa])").drive(&mut stats);
    /// stats.end_input(16);
    /// stats.clear();
    /// assert_eq!((stats.files, stats.count().games, stats.facts.players.len()), (0, 0, 0));
    /// ```
    pub fn clear(&mut self) {
        (self.files, self.bytes) = (0, 0);
        self.count = Count::default();
        self.idents.clear();
        self.problems = ProblemCounts::default();
        self.lengths.clear();
        self.openings.clear();
        self.heat.clear();
        self.facts.clear();
        self.game.phase = Phase::Between;
    }

    /// Adds the counts of another, which must be at the end of its input.
    pub fn merge(&mut self, other: &Self) {
        self.files += other.files;
        self.bytes += other.bytes;
        self.count.merge(&other.count);
        self.idents.merge(&other.idents);
        self.problems.merge(&other.problems);
        self.lengths.merge(&other.lengths);
        self.openings.merge(&other.openings);
        self.heat.merge(&other.heat);
        self.facts.merge(&other.facts);
    }

    fn start_game(&mut self, charset: Charset) {
        self.end_game();
        let game = &mut self.game;
        game.phase = Phase::Start;
        game.ids = Game::Go.move_ids();
        game.length = 0;
        game.opening.clear();
        game.opening_cut = false;
        game.has_setup = false;
        game.header.clear();
        game.header.charset = charset;
        game.root_moves.clear();
    }

    /// The root is over: now it is known which game it is.
    #[cold]
    #[inline(never)]
    fn end_root(&mut self) {
        let header = &self.game.header;
        let raw = header.get(Slot::GM).map_or(&b""[..], |value| value.as_bytes());
        let game = Game::parse_lenient(raw).value;
        let text = header.get(Slot::SZ).map(|value| value.simple_text(header.charset));
        let size = text.and_then(|text| facts::size(game, &text));
        self.game.phase = Phase::Main;
        self.game.ids = game.move_ids();
        self.game.board = Board::new(game, size);
        self.game.place = None;
        for at in 0..self.game.root_moves.len() {
            let RootMove { ident, played, values } = self.game.root_moves[at];
            let ident = ident.split(|&byte| byte == 0).next().unwrap_or(&[]);
            if let Some(color) = self.game.ids.color(Ident::new(ident)) {
                let raw = played.map(|played| played.with_color(color));
                let bytes = raw.as_ref().map(PlayedMove::as_bytes);
                self.play(color, bytes, values);
            }
        }
    }

    /// A move of the main line; without bytes, one that is too long to
    /// remember.
    #[inline]
    fn play(&mut self, color: u8, raw: Option<&[u8]>, values: u64) {
        if self.game.opening.len() < self.openings.depth() {
            self.open(color, raw);
        }
        self.game.length += values;
        let place = match self.game.place {
            Some(place) => place,
            None => *self.game.place.insert(self.heat.place(self.game.board)),
        };
        match raw {
            Some(raw) => self.heat.add(place, color, raw),
            None => self.heat.add_long(place),
        }
    }

    #[cold]
    #[inline(never)]
    fn open(&mut self, color: u8, raw: Option<&[u8]>) {
        match raw.and_then(|raw| PlayedMove::new(color, raw)) {
            Some(played) if !self.game.opening_cut => self.game.opening.push(played),
            _ => self.game.opening_cut = true,
        }
    }

    /// The game is over, or the input.
    #[cold]
    #[inline(never)]
    fn end_game(&mut self) {
        match self.game.phase {
            Phase::Between => return,
            Phase::Start | Phase::Root => self.end_root(),
            Phase::Main | Phase::Side => {}
        }
        let game = &mut self.game;
        game.phase = Phase::Between;
        self.heat.end_game(game.place, game.length);
        self.lengths.add(game.length);
        if game.has_setup {
            self.openings.add_with_setup();
        } else {
            self.openings.add(game.board, &mut game.opening, game.opening_cut);
        }
        self.facts.add(&game.header, game.board);
    }

    #[cold]
    #[inline(never)]
    fn start_or_end_root(&mut self) {
        match self.game.phase {
            Phase::Start => self.game.phase = Phase::Root,
            _ => self.end_root(),
        }
    }

    /// Any event but a property or a node.
    #[inline(never)]
    fn other_event(&mut self, event: &Event<'_>, place: &Place) {
        self.count.event(event, place);
        match event {
            Event::VariationStart { .. } if place.depth == 1 => self.start_game(place.charset),
            Event::VariationStart { .. } if self.game.phase == Phase::Root => self.end_root(),
            Event::VariationEnd { .. } => {
                if self.game.phase == Phase::Root {
                    self.end_root();
                }
                if self.game.phase == Phase::Main {
                    self.game.phase = Phase::Side;
                }
                if place.depth == 1 {
                    self.end_game();
                }
            }
            Event::PropertyPart(part) => self.part(part),
            Event::Problem(problem) => self.problems.add(problem),
            _ => {}
        }
    }

    /// Any property but a plain move of the main line.
    #[inline(never)]
    fn other_property(&mut self, event: &Event<'_>, property: &Property<'_>, place: &Place) {
        self.count.event(event, place);
        let ident = property.ident();
        self.idents.add(ident);
        let game = &mut self.game;
        game.header.keep(ident, property.first(), game.phase == Phase::Root);
        match game.phase {
            Phase::Root => {
                game.header.charset = place.charset;
                self.root_property(property);
            }
            Phase::Main => {
                if game.length == 0 && is_setup(ident) {
                    game.has_setup = true;
                } else if let Some(color) = game.ids.color(ident).filter(|_| game.ids.is_move(property)) {
                    self.play(color, Some(property.first().as_bytes()), property.value_count());
                }
            }
            _ => {}
        }
    }

    fn root_property(&mut self, property: &Property<'_>) {
        let ident = property.ident();
        if is_setup(ident) {
            self.game.has_setup = true;
            return;
        }
        let canonical = ident.canonical();
        let value = property.first().as_bytes();
        // So Boardspace introduces its players.
        if !MoveIds::may_move(ident) || (canonical.starts_with(b"P") && value.starts_with(b"id ")) {
            return;
        }
        let values = property.value_count();
        let moves = &mut self.game.root_moves;
        if moves.len() < ROOT_MOVES {
            let mut ident = [0; 6];
            ident[..canonical.len()].copy_from_slice(&canonical);
            moves.push(RootMove { ident, played: PlayedMove::new(0, value), values });
        } else if let Some(last) = moves.iter_mut().rev().find(|last| last.ident.starts_with(&canonical)) {
            last.values += values;
        }
    }

    /// A piece of a property that is too long to be given whole.
    #[cold]
    #[inline(never)]
    fn part(&mut self, part: &PropertyPart<'_>) {
        let ident = part.ident();
        if part.is_property_start() {
            self.idents.add(ident);
            self.game.header.keep(ident, part.content(), self.game.phase == Phase::Root);
            self.game.has_setup |= self.game.length == 0 && self.is_in_main_line() && is_setup(ident);
        }
        if part.is_value_start()
            && self.is_in_main_line()
            && let Some(color) = self.game.ids.color(ident)
        {
            self.play(color, None, 1);
        }
    }

    fn is_in_main_line(&self) -> bool {
        matches!(self.game.phase, Phase::Root | Phase::Main)
    }
}

fn is_setup(ident: Ident<'_>) -> bool {
    ident.is(b"AB") || ident.is(b"AW") || ident.is(b"AE")
}

impl Sink for Stats {
    #[inline]
    fn event(&mut self, event: &Event<'_>, place: &Place) -> Flow {
        match event {
            Event::Property(property) => {
                // What nearly every event of most files is. Other properties of five bytes that look like it,
                // `B[][]` or one whose only byte is an escaped bracket, are no point of a board.
                if let [letter @ (b'B' | b'W'), b'[', column, row, b']'] = *property.as_bytes()
                    && self.game.phase == Phase::Main
                    && self.heat.add_point(self.game.place, if letter == b'B' { 1 } else { 2 }, [column, row])
                {
                    self.count.add_move(1);
                    self.idents.add_letter(letter);
                    self.game.length += 1;
                    if self.game.opening.len() < self.openings.depth() {
                        self.open(if letter == b'B' { 1 } else { 2 }, Some(&[column, row]));
                    }
                } else {
                    self.other_property(event, property, place);
                }
            }
            Event::NodeStart { .. } => {
                self.count.add_node();
                if matches!(self.game.phase, Phase::Start | Phase::Root) {
                    self.start_or_end_root();
                }
            }
            _ => self.other_event(event, place),
        }
        Flow::Go
    }
}
