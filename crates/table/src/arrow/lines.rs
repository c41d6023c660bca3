//! Rows of the table of lines: one for each game, with its main line as lists of numbers, for
//! machine learning.

use arrow_schema::SchemaRef;
use sgfstream::Property;
use sgfstream_game::value::BoardSize;
use sgfstream_game::{BoardCell, Game, Move, Side, facts::Replay};

use crate::row::GameRow;
use crate::row::line::{LineStep, MainLineMove};

use super::columns::{AnyRows, TableRows};
use super::sink::{GameNow, TableSink, rows};
use super::table::{LineColumns, LineRow};

/// Maximum number of moves. A longer game gets no moves, because a row is built in memory.
const LONGEST: usize = 1 << 20;

/// Number of a pass.
pub(super) const PASS: i16 = -1;

/// Number of a move that is not one point of the board, or cannot be read.
pub(super) const OTHER: i16 = -2;

/// Makes the rows of lines.
#[derive(Debug)]
pub(super) struct LineRows {
    rows: TableRows<LineColumns>,
    /// Whether to replay moves, to check whether they are legal.
    legality: bool,
    line: LineMoves,
}

/// The main line of the current game, as far as it was read.
#[derive(Debug, Default)]
struct LineMoves {
    size: Option<BoardSize>,
    /// The board, if stones were set up or moves are replayed.
    replay: Option<Replay>,
    /// Stones were set up, but there is no board that knows them.
    is_setup_lost: bool,
    setup: [Vec<i16>; 2],
    moves: Vec<i16>,
    colors: Vec<i8>,
    is_too_long: bool,
    has_later_setup: bool,
}

impl LineRows {
    pub(super) fn new(schema: &SchemaRef, legality: bool) -> Self {
        Self {
            rows: TableRows::new(LineColumns::default(), schema),
            legality,
            line: LineMoves::default(),
        }
    }
}

impl TableSink for LineRows {
    rows!();

    fn start_game(&mut self) {
        let LineMoves {
            setup,
            moves,
            colors,
            ..
        } = std::mem::take(&mut self.line);
        self.line = LineMoves {
            setup,
            moves,
            colors,
            ..LineMoves::default()
        };
        self.line
            .setup
            .iter_mut()
            .chain([&mut self.line.moves])
            .for_each(Vec::clear);
        self.line.colors.clear();
    }

    fn step(&mut self, game: &GameNow<'_>, step: &LineStep<'_>) {
        let Self { line, legality, .. } = self;
        match step {
            LineStep::Start => {
                let dialect = game.dialect;
                line.size = Some(dialect.size()).filter(|_| dialect.has_size());
                line.replay = match dialect.game() {
                    _ if *legality => game.facts.replay().ok(),
                    Game::Go => None,
                    // Some other games begin with stones on the board.
                    _ => game.facts.replay_boards().ok(),
                };
            }
            LineStep::Move(played) => line.play(game, played, *legality),
            LineStep::Other(property) if game.facts.changes_board(property.ident()) => {
                line.set_up(game, property)
            }
            LineStep::NodeEnd => line.end_node(),
            _ => {}
        }
    }

    fn end_game(&mut self, game: &GameNow<'_>) {
        let Self {
            rows,
            line,
            legality,
        } = self;
        if line.moves.is_empty() {
            line.take_setup();
        }
        let row = game.row();
        let side = |side: u32| i16::try_from(side).ok();
        let setup = |side: usize| (!line.is_setup_lost).then_some(&line.setup[side][..]);
        let illegal = line
            .replay
            .as_ref()
            .filter(|_| *legality && !line.is_setup_lost)
            .and_then(Replay::illegal);
        rows.push(LineRow {
            key: Some(game.key),
            board_width: line.size.and_then(|size| side(size.columns())),
            board_height: line.size.and_then(|size| side(size.rows())),
            black: setup(0),
            white: setup(1),
            to_play: side_number(row.to_play.as_deref()),
            moves: (!line.is_too_long).then_some(&line.moves),
            colors: (!line.is_too_long).then_some(&line.colors),
            winner: winner(row),
            margin: row.margin,
            komi: row.komi,
            handicap: row.handicap,
            rules: row.rules.as_deref(),
            is_legal: illegal.map(|illegal| illegal == 0),
            has_later_setup: Some(line.has_later_setup),
        });
    }
}

impl LineMoves {
    fn set_up(&mut self, game: &GameNow<'_>, property: &Property<'_>) {
        if property.ident().is(b"KO") || property.ident().is(b"PL") {
            if let Some(replay) = &mut self.replay {
                replay.apply(property);
            }
            return;
        }
        self.has_later_setup |= !self.moves.is_empty();
        if self.replay.is_none() && self.moves.is_empty() {
            self.replay = game.facts.replay_boards().ok();
        }
        match &mut self.replay {
            Some(replay) => replay.apply(property),
            None => self.is_setup_lost |= self.moves.is_empty(),
        }
    }

    fn end_node(&mut self) {
        if let Some(replay) = &mut self.replay {
            replay.end_node();
        }
    }

    fn play(
        &mut self,
        game: &GameNow<'_>,
        MainLineMove { color, value, .. }: &MainLineMove<'_>,
        legality: bool,
    ) {
        if self.moves.is_empty() {
            self.take_setup();
            if !legality {
                self.replay = None;
            }
        }
        if self.moves.len() >= LONGEST {
            self.is_too_long = true;
            return;
        }
        let mv = game.dialect.parse_move(value);
        self.moves.push(
            mv.as_ref()
                .ok()
                .zip(self.size)
                .map_or(OTHER, |(mv, size)| number(mv, size)),
        );
        self.colors.push(*color as i8);
        if let Some(replay) = &mut self.replay {
            replay.play_parsed(*color, value, &mv);
        }
    }

    /// Collects the stones on the board before the first move.
    fn take_setup(&mut self) {
        let (Some(position), Some(size)) =
            (self.replay.as_ref().and_then(Replay::board), self.size)
        else {
            return;
        };
        let fields = (0..size.rows() as u16)
            .flat_map(|row| (0..size.columns() as u16).map(move |column| (column, row)));
        for field in fields.map(|(column, row)| BoardCell::new(column, row)) {
            if let Some(side) = position.stone(field)
                && let Some(stones) = self.setup.get_mut(side.index())
            {
                stones.push(point(field, size));
            }
        }
    }
}

/// Returns 1 for Black, 2 for White, the number of another color, 0 for a draw, or `None` if the
/// winner is uncertain.
pub(super) fn winner(row: &GameRow) -> Option<i8> {
    match row.winner.as_deref()? {
        "draw" => Some(0),
        side => side_number(Some(side)),
    }
}

/// Returns 1 for Black, 2 for White, or the number of another color.
fn side_number(side: Option<&str>) -> Option<i8> {
    Side::parse(side?.as_bytes())
        .ok()
        .map(|side| side.color() as i8)
}

/// Returns the number of a move: its point, [`PASS`] or [`OTHER`].
pub(super) fn number(mv: &Move, size: BoardSize) -> i16 {
    match mv {
        Move::Place(field) => point(*field, size),
        _ if mv.is_pass() => PASS,
        _ => OTHER,
    }
}

/// Returns the number of a point: row by row, from the upper left corner.
pub(super) fn point(field: BoardCell, size: BoardSize) -> i16 {
    let number = u32::from(field.row) * size.columns() + u32::from(field.column);
    i16::try_from(number).unwrap_or(OTHER)
}
