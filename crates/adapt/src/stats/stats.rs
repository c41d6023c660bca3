//! Statistics of games: what each game adds to them.

use sgfstream::record::{GameReader, GameRecord, Token, TokenKind};
use sgfstream::{EventReader, Problem, Result};
use sgfstream_game::internal::{Key, MoveIds, is_setup_key};
use sgfstream_game::{Dialect, Facts, Game, board::Setup, dialect::Program};

use super::known_lines::KnownLines;
use super::point_counts::BoardPlace;
use super::{
    BoardId, GameInfoCounts, Histogram, IdentCounts, Openings, PlayedMove, PointCounts,
    ProblemCounts,
};

/// Statistics of games; see the [module](crate::stats).
///
/// The main line of a game is everything before the first `)`. Lengths, openings and heat count
/// main lines; the other counts include all variations.
#[derive(Clone, Debug)]
pub struct Stats {
    /// Number of inputs.
    pub files: u64,
    /// Total size of the inputs, in bytes.
    pub bytes: u64,
    /// Game trees.
    pub games: u64,
    /// Nodes.
    pub nodes: u64,
    /// Moves of all lines.
    pub moves: u64,
    /// Variations: every `(` below a game's own.
    pub variations: u64,
    /// Properties.
    pub properties: u64,
    /// Values of properties.
    pub values: u64,
    /// Properties by identifier.
    pub idents: IdentCounts,
    /// Problems by code.
    pub problems: ProblemCounts,
    /// Lengths of main lines, in moves.
    pub lengths: Histogram,
    /// First moves of main lines.
    pub openings: Openings,
    /// Number of moves in an opening.
    pub depth: usize,
    known_lines: KnownLines,
    /// Points of main lines.
    pub heat: PointCounts,
    /// Counts of game information.
    pub facts: GameInfoCounts,
    line: MainLine,
}

/// The main line of a game.
#[derive(Clone, Debug)]
struct MainLine {
    board: BoardId,
    /// Where its moves are counted; set by the first move.
    place: Option<BoardPlace>,
    /// Number of moves.
    ply: u64,
    /// The first moves.
    opening: Vec<PlayedMove>,
    /// Whether one of the first moves could not be remembered.
    is_opening_cut: bool,
    /// Whether stones were set up before the first move.
    has_setup: bool,
}

/// Returns statistics without any games. Their openings have 4 moves.
impl Default for Stats {
    fn default() -> Self {
        Self::with_opening_depth(4)
    }
}

impl Stats {
    /// Returns statistics without any games. Their openings have `moves` moves, at most 16.
    #[must_use]
    pub fn with_opening_depth(moves: usize) -> Self {
        let depth = moves.min(16);
        Self {
            files: 0,
            bytes: 0,
            games: 0,
            nodes: 0,
            moves: 0,
            variations: 0,
            properties: 0,
            values: 0,
            idents: IdentCounts::default(),
            problems: ProblemCounts::default(),
            lengths: Histogram::default(),
            openings: Openings::default(),
            depth,
            known_lines: KnownLines::default(),
            heat: PointCounts::default(),
            facts: GameInfoCounts::default(),
            line: MainLine {
                board: BoardId::new(Game::Go, None),
                place: None,
                ply: 0,
                opening: Vec::with_capacity(depth),
                is_opening_cut: false,
                has_setup: false,
            },
        }
    }

    /// Adds the counts of `other`.
    pub fn merge(&mut self, other: Self) {
        self.files += other.files;
        self.bytes += other.bytes;
        self.games += other.games;
        self.nodes += other.nodes;
        self.moves += other.moves;
        self.variations += other.variations;
        self.properties += other.properties;
        self.values += other.values;
        self.idents.merge(&other.idents);
        self.problems.merge(&other.problems);
        self.lengths.merge(&other.lengths);
        self.openings.merge(other.openings, 0);
        self.heat.merge(&other.heat);
        self.facts.merge(&other.facts);
    }

    /// Adds all games of a reader, and the problems after them. Returns the numbers of the games
    /// that do not fit [`Limits::game`](sgfstream::Limits::game): they are not counted.
    ///
    /// # Errors
    ///
    /// Same as [`GameReader::next_game`]. A game whose reading failed does not count.
    pub fn add_all<R: EventReader>(&mut self, games: &mut GameReader<R>) -> Result<Vec<u64>> {
        let mut long_games = Vec::new();
        loop {
            match games.next_game() {
                Ok(Some(Ok(game))) => self.add(game),
                Ok(Some(Err(long))) => long_games.push(long.number),
                Ok(None) => break,
                Err(err) => return Err(err),
            }
        }
        self.add_problems(games.trailing_problems());
        Ok(long_games)
    }

    /// Adds the problems after the last game of an input.
    pub fn add_problems(&mut self, problems: &[Problem]) {
        for problem in problems {
            self.problems.add(problem);
        }
    }

    /// Adds a game.
    pub fn add(&mut self, game: GameRecord<'_>) {
        let facts = Facts::of(game, u32::MAX);
        self.line.start(BoardId::of(&facts));
        self.games += 1;
        self.add_problems(game.problems());
        let (mut nodes, mut on_main_line, mut in_root) = (0, true, true);
        for (at, &token) in game.tokens().iter().enumerate() {
            match token.kind() {
                TokenKind::Open => {
                    self.variations += u64::from(at > 0);
                    in_root &= at == 0;
                }
                TokenKind::Close => (on_main_line, in_root) = (false, false),
                TokenKind::Node => {
                    in_root &= nodes == 0;
                    nodes += 1;
                }
                TokenKind::Run => {
                    in_root = false;
                    nodes += token.nodes();
                    self.add_plain_moves(&facts, token.places(), on_main_line);
                }
                TokenKind::Move => {
                    self.add_plain_moves(&facts, std::iter::once(token.at()), on_main_line)
                }
                TokenKind::Property => self.add_property(&facts, token, on_main_line, in_root),
                TokenKind::Problem => {}
            }
        }
        self.nodes += nodes as u64;
        self.end_game(&facts);
    }

    /// Adds moves of two bytes. Nearly all properties of most files are these.
    #[inline]
    fn add_plain_moves(
        &mut self,
        facts: &Facts<'_>,
        places: impl Iterator<Item = usize>,
        on_main_line: bool,
    ) {
        let game = facts.record();
        let are_moves = facts.has_letters();
        let mut by_color = [0; 2];
        for at in places {
            let (color, point) = game.plain_move(at);
            by_color[usize::from(color != 1)] += 1;
            if on_main_line && are_moves {
                self.line
                    .play_point(&mut self.heat, self.depth, color, point);
            }
        }
        self.idents.add_moves(by_color);
        let count = by_color[0] + by_color[1];
        self.properties += count;
        self.values += count;
        self.moves += if are_moves { count } else { 0 };
    }

    #[inline(never)]
    fn add_property(&mut self, facts: &Facts<'_>, token: Token, on_main_line: bool, in_root: bool) {
        let record = facts.record();
        let key = Key::of_token(&record, token);
        let property = record.property(token);
        self.idents.add_keyed(key, property.ident());
        self.properties += 1;
        self.values += token
            .values()
            .map_or_else(|| property.value_count(), u64::from);
        if on_main_line
            && is_setup_key(key)
            && !self.line.has_setup
            && (in_root || self.line.ply == 0)
        {
            self.line.has_setup = Setup::puts_stones(&property.ident().canonical());
        }
        if !MoveIds::may_move(key) {
            return;
        }
        for played in facts.moves_of(&property) {
            self.moves += 1;
            if on_main_line {
                self.line
                    .play(&mut self.heat, self.depth, played.color, &played.bytes());
            }
        }
    }

    fn end_game(&mut self, facts: &Facts<'_>) {
        let line = &self.line;
        self.heat.end_game(line.place, line.ply);
        self.lengths.add(line.ply);
        let (outcome, years) = self.facts.add(facts, line.board);
        if line.has_setup {
            self.openings.with_setup += 1;
            return;
        }
        let game = line.board.game;
        let dialect = match facts.dialect() {
            unknown if !unknown.has_size() => unknown,
            _ if game.has_two_letter_points() => {
                Dialect::of_program(game, line.board.size, Program::Standard)
            }
            known => Dialect::of_program(game, line.board.size, known.program()),
        };
        let opening = self.known_lines.opening(dialect, line.board, &line.opening);
        self.openings.add_on(
            line.board,
            std::slice::from_ref(opening),
            line.is_opening_cut,
            |tally| {
                tally.add(outcome.winner(), years, || None);
            },
        );
    }
}

impl MainLine {
    fn start(&mut self, board: BoardId) {
        self.board = board;
        self.place = None;
        self.ply = 0;
        self.opening.clear();
        self.is_opening_cut = false;
        self.has_setup = false;
    }

    /// Counts a move of two bytes.
    #[inline(always)]
    fn play_point(&mut self, heat: &mut PointCounts, depth: usize, color: u8, point: [u8; 2]) {
        if self.opening.len() >= depth && heat.add_point(self.place, color, point) {
            self.ply += 1;
        } else {
            self.play(heat, depth, color, &point);
        }
    }

    /// Counts a move.
    #[inline(never)]
    fn play(&mut self, heat: &mut PointCounts, depth: usize, color: u8, raw: &[u8]) {
        self.ply += 1;
        if self.opening.len() < depth {
            match PlayedMove::new(color, raw) {
                Some(played) if !self.is_opening_cut => self.opening.push(played),
                _ => self.is_opening_cut = true,
            }
        }
        let place = match self.place {
            Some(place) => place,
            None => *self.place.insert(heat.place(self.board)),
        };
        heat.add(place, color, raw);
    }
}
