//! View of a node of a game: its board, its marks, and the next nodes.

use std::collections::BTreeMap;
use std::rc::Rc;

use sgfstream::record::Outline;
use sgfstream_game::value::Number;
use sgfstream_game::{
    BoardCell, Coordinates, Dialect, Facts, Game, Move, Side,
    board::{Fault, NoBoard, Turn},
    facts::{JudgedMove, MoveFault, RawMove, Replay},
    internal::{BOARD_MAX, PathWalk, PositionStep},
};

use crate::diagram::{Diagram, fields_of};
use crate::layout::BoardLayout;
use crate::marks::NodeMarks;

/// Maximum number of next nodes listed.
const NEXT: usize = 64;

/// Maximum characters of a move shown.
const MOVE: usize = 40;

/// A node of a game with its board and the next nodes.
pub struct NodeView {
    /// Board and marks of the node.
    pub diagram: Diagram,
    /// Path of the node, as [`NodePath`](sgfstream_game::facts::NodePath) parses it.
    pub path: String,
    /// Number of moves up to the node.
    pub ply: u64,
    /// Last move of the node, if it has one.
    pub played: Option<String>,
    /// Player to move.
    pub to_move: Option<Side>,
    /// Paths of the next nodes, each with its first move.
    pub next: Vec<(String, Option<String>)>,
    /// Number of next nodes that are not listed.
    pub more: u64,
    /// Number of moves and setup values that the board did not accept.
    pub unread: u64,
    /// Name of the node.
    pub name: Option<String>,
    /// Comment of the node.
    pub comment: Option<String>,
}

impl NodeView {
    /// Plays the game of `facts` up to `node` and numbers the stones from move `numbers_from` on.
    /// `layout` caches the layout of the board for the next game.
    ///
    /// ```
    /// use sgfstream::SliceReader;
    /// use sgfstream::record::{GameReader, Outline};
    /// use sgfstream_draw::NodeView;
    /// use sgfstream_game::{Coordinates, Facts, facts::NodeTarget};
    ///
    /// let mut games = GameReader::new(SliceReader::new(b"(;SZ[5];B[bb];W[bc];B[cc])"));
    /// let game = games.next_game()?.expect("there is a game").expect("it is short");
    /// let (outline, facts) = (Outline::of(game), Facts::of(game, 0));
    /// let node = NodeTarget::Move(2).find(&outline, &facts).expect("three moves");
    /// let view = NodeView::of(&outline, &facts, node, Coordinates::Gtp, None, &mut None)
    ///     .expect("a board of Go");
    /// assert_eq!((view.path.as_str(), view.played.as_deref()), ("/2", Some("W B3")));
    /// assert_eq!(view.next, [("/3".to_owned(), Some("B C3".to_owned()))]);
    /// # Ok::<(), sgfstream::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns a sentence if the game has no board or its board is too large to draw.
    pub fn of(
        outline: &Outline<'_>,
        facts: &Facts<'_>,
        node: usize,
        coordinates: Coordinates,
        numbers_from: Option<u64>,
        layout: &mut Option<Rc<BoardLayout>>,
    ) -> Result<Box<Self>, String> {
        let replay = replay_of(facts, facts.replay_boards())?;
        let mut line = PlayedLine::new(replay, coordinates, numbers_from.unwrap_or(u64::MAX));
        let mut walk = PathWalk::default();
        for node in outline.path(node) {
            if node > 0 {
                walk.step(outline, node);
            }
            line.play(outline, facts, node);
        }
        let to_move = turn_after(outline, facts, node, &line.replay);
        let (ply, made, unread) = (line.ply, line.played.take(), line.unread);
        let diagram = line.into_diagram(layout)?;
        let mut next = Vec::new();
        for child in outline.children(node).take(NEXT) {
            let mut walk = walk.clone();
            walk.step(outline, child);
            let first = facts.moves_of_node(outline.node(child)).next();
            let played = first.map(|raw| {
                played(
                    facts,
                    &raw,
                    &facts.dialect().parse_move(&raw.bytes()),
                    coordinates,
                )
            });
            next.push((walk.path().to_string(), played));
        }
        let text = |ident| {
            outline
                .property(node, ident)
                .map(|property| property.text().into_owned())
        };
        Ok(Box::new(Self {
            path: walk.path().to_string(),
            ply,
            played: made,
            to_move,
            next,
            more: outline.children(node).skip(NEXT).count() as u64,
            unread,
            name: text("N"),
            comment: text("C"),
            diagram,
        }))
    }
}

/// Moves and setup tried at the start of a game or after one of its nodes, up to the first illegal
/// one.
pub struct TriedMoves {
    /// Board after the moves, with the last move and the numbers of the stones.
    pub diagram: Diagram,
    /// Player to move.
    pub to_move: Option<Side>,
    /// Whether neither a move nor `PL` determines the player to move.
    pub is_turn_open: bool,
    /// Number of moves that lead to the board, including the moves of the game.
    pub ply: u64,
    /// Tried steps that were made: moves in the players' notation, and setup as a property.
    pub shown: Vec<String>,
    /// Index of the illegal step among the tried steps, and the reason.
    pub illegal: Option<(usize, String)>,
}

impl TriedMoves {
    /// Tries `steps` on the starting board of a dialect.
    ///
    /// ```
    /// use sgfstream_draw::TriedMoves;
    /// use sgfstream_game::{BoardCell, Dialect, Game, Move, Side, internal::PositionStep};
    ///
    /// let (go, corner) = (Dialect::new(Game::Go, None), Move::Place(BoardCell::new(0, 0)));
    /// let setup = PositionStep::set_up(&go, "AB", ["pd"]).expect("a point");
    /// let moves = [Side::Black, Side::White].map(|side| PositionStep::Move(side, corner.clone()));
    /// let tried = TriedMoves::at_start(&go, &[&[setup], &moves[..]].concat()).expect("a board");
    /// assert_eq!(
    ///     (tried.shown, tried.to_move),
    ///     (vec!["AB[pd]".to_owned(), "B A19".to_owned()], Some(Side::White))
    /// );
    /// assert_eq!(tried.illegal.expect("the point is taken").0, 2);
    /// ```
    ///
    /// # Errors
    ///
    /// Returns a sentence if the game has no board or its board is too large to draw.
    pub fn at_start(dialect: &Dialect, steps: &[PositionStep]) -> Result<Self, String> {
        let replay = Replay::of_dialect(dialect).map_err(|no_board| no_board.to_string())?;
        Self::of(PlayedLine::new(replay, Coordinates::Gtp, 1), steps)
    }

    /// Tries `steps` after a node, by the rules of the game.
    ///
    /// # Errors
    ///
    /// Same as [`at_start`](Self::at_start).
    pub fn after_node(
        outline: &Outline<'_>,
        facts: &Facts<'_>,
        node: usize,
        steps: &[PositionStep],
    ) -> Result<Self, String> {
        let mut line = PlayedLine::new(replay_of(facts, facts.replay())?, Coordinates::Gtp, 1);
        for node in outline.path(node) {
            line.play(outline, facts, node);
            line.replay.end_node();
        }
        let turn = turn_after(outline, facts, node, &line.replay);
        let tried = Self::of(line, steps)?;
        Ok(if tried.shown.is_empty() {
            Self {
                to_move: turn,
                is_turn_open: false,
                ..tried
            }
        } else {
            tried
        })
    }

    fn of(mut line: PlayedLine, steps: &[PositionStep]) -> Result<Self, String> {
        let (mut shown, mut illegal) = (Vec::new(), None);
        for (at, step) in steps.iter().enumerate() {
            let before = line.clone();
            let text = line.spelled(step);
            line.marks.clear();
            let done = match step {
                PositionStep::Move(side, mv) => {
                    line.make(side.color(), mv).legality.unwrap_or(Ok(()))
                }
                PositionStep::SetUp(_) => {
                    line.last.clear();
                    step.apply_to(&mut line.replay)
                }
            };
            if let Err(fault) = done {
                illegal = Some((at, format!("{text}: {fault}")));
                line = before;
                break;
            }
            shown.push(text);
        }
        let (to_move, ply) = (line.replay.to_move(), line.ply);
        let is_turn_open = matches!(line.replay.turn(), Turn::Open(_));
        Ok(Self {
            diagram: line.into_diagram(&mut None)?,
            to_move,
            is_turn_open,
            ply,
            shown,
            illegal,
        })
    }
}

/// A line of moves while it is played on a board.
#[derive(Clone)]
struct PlayedLine {
    replay: Replay,
    coordinates: Coordinates,
    /// First move that gets a number.
    numbers_from: u64,
    ply: u64,
    /// Number of the last move. `MN` sets it (FF[4] `MN`).
    number: u64,
    marks: NodeMarks,
    /// Cells and text of the node's last move.
    last: Vec<BoardCell>,
    played: Option<String>,
    numbers: BTreeMap<BoardCell, u64>,
    unread: u64,
}

impl PlayedLine {
    fn new(replay: Replay, coordinates: Coordinates, numbers_from: u64) -> Self {
        Self {
            replay,
            coordinates,
            numbers_from,
            ply: 0,
            number: 0,
            marks: NodeMarks::default(),
            last: Vec::new(),
            played: None,
            numbers: BTreeMap::new(),
            unread: 0,
        }
    }

    fn into_diagram(self, layout: &mut Option<Rc<BoardLayout>>) -> Result<Diagram, String> {
        let position = self.replay.into_board().ok_or(LOST)?;
        let diagram = Diagram::like(position, self.coordinates, layout);
        let mut diagram = diagram
            .ok_or_else(|| format!("the board is larger than {BOARD_MAX}x{BOARD_MAX} points"))?;
        (diagram.marks, diagram.last, diagram.numbers) = (self.marks, self.last, self.numbers);
        diagram
            .numbers
            .retain(|&field, _| diagram.position.stone(field).is_some());
        Ok(diagram)
    }

    /// Returns a step as players write it.
    fn spelled(&self, step: &PositionStep) -> String {
        let dialect = self.replay.dialect();
        let PositionStep::Move(side, mv) = step else {
            return step.written(dialect).to_string();
        };
        let spelled = dialect.show_move_in(mv, Coordinates::Gtp).to_string();
        format!(
            "{} {}",
            side.name_in(dialect.game()),
            if spelled.is_empty() { "pass" } else { &spelled }
        )
    }

    fn play(&mut self, outline: &Outline<'_>, facts: &Facts<'_>, node: usize) {
        self.marks.clear();
        self.last.clear();
        self.played = None;
        let stated = outline
            .property(node, "MN")
            .and_then(|property| Number::parse_lenient(property.text().as_bytes()).ok());
        if let Some(stated) = stated.and_then(|stated| u64::try_from(stated.value.get()).ok()) {
            self.number = stated.saturating_sub(1);
        }
        for property in outline.properties(node) {
            let mut moves = facts.moves_of(&property).peekable();
            if moves.peek().is_some() {
                moves.for_each(|raw| self.play_move(facts, &raw));
                continue;
            }
            match self.replay.apply_each(&property, |_, _| {}) {
                Some(done) => {
                    self.unread += u64::from(matches!(done, Err(MoveFault::Unreadable(_))))
                }
                None => self
                    .marks
                    .add(&property, self.replay.dialect(), facts.charset()),
            }
        }
    }

    fn play_move(&mut self, facts: &Facts<'_>, raw: &RawMove<'_>) {
        let value = raw.bytes();
        let mv = self.replay.dialect().parse_move(&value);
        self.played = Some(played(facts, raw, &mv, self.coordinates));
        let judged = match &mv {
            Ok(mv) => self.make(raw.color, mv),
            Err(_) => {
                (self.ply, self.number) = (self.ply + 1, self.number + 1);
                self.last.clear();
                self.replay.play_parsed(raw.color, &value, &mv)
            }
        };
        if let Some(Err(fault)) = judged.legality {
            self.unread += u64::from(!fault.is_excused_by_ko());
        }
    }

    fn make(&mut self, color: u8, mv: &Move) -> JudgedMove {
        (self.ply, self.number) = (self.ply + 1, self.number + 1);
        let judged = self.replay.play_move(color, mv);
        self.last = fields_of(mv);
        if let Some(&field) = self.last.first() {
            // The new number replaces the number of an older stone on the cell.
            self.numbers.remove(&field);
            if self.ply >= self.numbers_from && u32::from(field.column.max(field.row)) < BOARD_MAX {
                self.numbers.insert(field, self.number);
            }
        }
        judged
    }
}

/// Returns the player to move after a node. If neither `PL` nor the last move determines the
/// player, the first `PL` or move after the node does, as in the column `to_play`. Otherwise, the
/// rules decide.
fn turn_after(
    outline: &Outline<'_>,
    facts: &Facts<'_>,
    node: usize,
    replay: &Replay,
) -> Option<Side> {
    if matches!(replay.turn(), Turn::Open(_) | Turn::First(_)) {
        for property in outline
            .line(node)
            .skip(1)
            .flat_map(|node| outline.properties(node))
        {
            let side = match property.ident().is(b"PL") {
                true => Side::named_in(facts.game, property.first().as_bytes()),
                false => facts
                    .moves_of(&property)
                    .next()
                    .map(|played| Side::of_color(played.color)),
            };
            if side.is_some() {
                return side;
            }
        }
    }
    replay.to_move()
}

/// Sentence for a game without `GM` whose moves show only later that it is Kropki.
const LOST: &str = "the game began as Go and has borders of Kropki; set `GM` to Kropki";

/// Returns the start of a game if its board can be drawn.
fn replay_of(facts: &Facts<'_>, replay: Result<Replay, NoBoard>) -> Result<Replay, String> {
    let (game, dialect) = (facts.game, facts.dialect());
    if facts.board_size().is_none() && matches!(replay, Ok(_) | Err(NoBoard::TooLarge(..))) {
        let name = game.name();
        return Err(format!("{name} has no default board size; add `SZ`"));
    }
    let replay = replay.map_err(|no_board| no_board.to_string())?;
    let (size, most) = (
        dialect.size(),
        if game == Game::Havannah {
            BOARD_MAX / 2
        } else {
            BOARD_MAX
        },
    );
    if size.longer() > most && !matches!(game, Game::Pentobi(_)) {
        return Err(format!("the board is larger than {most}x{most}: {size}"));
    }
    Ok(replay)
}

/// Returns a move with the letter of its side: `B Q16`.
fn played(
    facts: &Facts<'_>,
    raw: &RawMove<'_>,
    mv: &Result<Move, Fault>,
    coordinates: Coordinates,
) -> String {
    let text = match mv {
        Ok(Move::Pass) => "pass".to_owned(),
        Ok(mv) => facts.dialect().show_move_in(mv, coordinates).to_string(),
        Err(_) => String::from_utf8_lossy(&raw.bytes()).into_owned(),
    };
    let mut text = format!(
        "{} {}",
        String::from_utf8_lossy(&raw.ident.canonical()),
        text.trim()
    );
    if let Some((end, _)) = text.char_indices().nth(MOVE) {
        text.truncate(end);
        text.push('…');
    }
    text
}
