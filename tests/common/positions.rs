//! The position and the game information at each node, to compare games before and after a change.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::rc::Rc;

use sgfstream::{Event, EventReader, SliceReader};
use sgfstream_game::{Game, GameBoard, GameState, Info, Replay, RootRetention, Side, Step};

/// Facts that a game declares.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Head {
    game: Game,
    size: String,
    /// The values that have a certain reading.
    info: Vec<(Info, String)>,
}

/// Position at the end of a node.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Position {
    head: Rc<Head>,
    /// Hash of the stones. In games without a board, hash of a move.
    board: Option<u64>,
    to_move: Option<Side>,
}

/// Positions of each game, in the order of its nodes. A node that changes nothing has no entry.
pub(crate) fn positions(bytes: &[u8]) -> Vec<Vec<Position>> {
    let mut walk = Walk {
        state: GameState::new(RootRetention::All),
        replay: None,
        head: None,
        ends_variation: false,
        games: Vec::new(),
    };
    let mut reader = SliceReader::new(bytes);
    reader.hold_games();
    while reader.advance().expect("memory can be read") {
        walk.event(&reader.event(), &reader.place());
    }
    walk.games
}

/// Panics unless each game has the positions of `before`, in their order. A change may split a node, which adds one
/// position between two.
#[track_caller]
pub(crate) fn assert_kept(before: &[u8], after: &[u8], what: &str) {
    if let Some(difference) = difference(before, after) {
        panic!("{what}: {difference}");
    }
}

/// Returns the first difference that a split node does not explain.
pub(crate) fn difference(before: &[u8], after: &[u8]) -> Option<String> {
    if before == after {
        return None;
    }
    let (expected, found) = (positions(before), positions(after));
    if expected.len() != found.len() {
        return Some(format!("expected {} games, found {}", expected.len(), found.len()));
    }
    expected.iter().zip(&found).enumerate().find_map(|(game, (expected, found))| {
        let mut rest = found.iter();
        let at = expected.iter().position(|position| !rest.any(|other| other == position));
        let at = at.or((expected.last() != found.last()).then(|| expected.len().saturating_sub(1)))?;
        let entries = |positions: &[Position]| positions.get(at).map_or_else(Vec::new, Position::entries);
        let (expected, found) = (entries(expected), entries(found));
        let only =
            |one: &[String], other: &[String]| one.iter().filter(|e| !other.contains(e)).cloned().collect::<Vec<_>>();
        let (expected, found) = (only(&expected, &found), only(&found, &expected));
        Some(format!("game {}, position {at}: expected {expected:?}, found {found:?}", game + 1))
    })
}

impl Position {
    fn entries(&self) -> Vec<String> {
        let Self { head, board, to_move } = self;
        let mut entries = vec![format!("{:?} {}", head.game, head.size), format!("{board:?}"), format!("{to_move:?}")];
        entries.extend(head.info.iter().map(|(info, value)| format!("{info:?} {value}")));
        entries
    }
}

struct Walk {
    state: GameState,
    replay: Option<Replay>,
    /// `None` in a root that has not ended.
    head: Option<Rc<Head>>,
    /// The last event ended a variation, so the board returns to the start of the variation.
    ends_variation: bool,
    games: Vec<Vec<Position>>,
}

impl Walk {
    fn event(&mut self, event: &Event<'_>, place: &sgfstream::Place) {
        if std::mem::take(&mut self.ends_variation)
            && let Some(replay) = &mut self.replay
        {
            replay.end_variation();
        }
        if matches!(event, Event::VariationStart(variation) if variation.is_game()) {
            (self.head, self.replay) = (None, None);
            self.games.push(Vec::new());
        }
        let step = self.state.event(event, place);
        if step == Step::RootEnd {
            self.start_game();
        }
        match event {
            Event::Property(property) if step != Step::Held && self.head.is_some() => {
                self.property(property);
            }
            Event::NodeStart { .. } => self.end_node(),
            Event::VariationStart(_) => {
                self.end_node();
                self.replay.iter_mut().for_each(|replay| _ = replay.start_variation());
            }
            Event::VariationEnd(variation) => {
                self.end_node();
                self.ends_variation = !variation.is_game();
            }
            _ => {}
        }
    }

    fn start_game(&mut self) {
        let state = &self.state;
        let info = Info::ALL.iter().filter(|info| !info.is_root_only()).filter_map(|&info| {
            let text = state.value(info)?.with_charset(state.charset()).simple_text().into_owned();
            Some((info, readable(info, state.game(), text)?))
        });
        self.head = Some(Rc::new(Head {
            game: state.game(),
            size: format!("{:?} {:?}", state.dialect().size(), state.dialect().has_size()),
            info: info.collect(),
        }));
        self.replay = Replay::without_legality(state).ok();
        self.replay.iter_mut().filter_map(Replay::board_mut).for_each(GameBoard::keep_plain_hash);
        let Self { state, replay, head, games, .. } = self;
        state.root().for_each(|property| take_property(state, replay, head.as_ref(), games, &property));
    }

    fn property(&mut self, property: &sgfstream::Property<'_>) {
        let Self { state, replay, head, games, .. } = self;
        take_property(state, replay, head.as_ref(), games, property);
    }

    fn end_node(&mut self) {
        let (Some(head), Some(positions)) = (&self.head, self.games.last_mut()) else { return };
        let board = match &self.replay {
            // In games without a board, each move was a position.
            None => return,
            Some(replay) if !replay.follows() => return,
            Some(replay) => replay.board().map(|board| match board.hash() {
                Some(hash) => hash.plain(),
                None => {
                    let mut hasher = DefaultHasher::new();
                    board.to_string().hash(&mut hasher);
                    hasher.finish()
                }
            }),
        };
        let to_move = self.replay.as_ref().and_then(Replay::to_move);
        let position = Position { head: Rc::clone(head), board, to_move };
        if positions.last() != Some(&position) {
            positions.push(position);
        }
    }
}

/// Returns the reading of the value, or `None` if the reading is a guess or impossible.
fn readable(info: Info, game: Game, text: String) -> Option<String> {
    match info {
        // `HA[0]` and an empty text mean the same as no property.
        _ if text.trim().is_empty() || (info == Info::HA && text.trim() == "0") => None,
        Info::RE | Info::KM | Info::HA | Info::TM | Info::DT => {
            Some(format!("{:?}", info.read(game, &text).sure()?.value))
        }
        _ => Some(text),
    }
}

/// In games without a board, each move is a position.
fn take_property(
    state: &GameState,
    replay: &mut Option<Replay>,
    head: Option<&Rc<Head>>,
    games: &mut [Vec<Position>],
    property: &sgfstream::Property<'_>,
) {
    if let Some(replay) = replay {
        return replay.apply(property);
    }
    let (Some(head), Some(positions)) = (head, games.last_mut()) else { return };
    for raw in state.moves(property) {
        let mut hasher = DefaultHasher::new();
        (raw.color, format!("{:?}", state.dialect().parse_move(&raw.bytes()))).hash(&mut hasher);
        positions.push(Position { head: Rc::clone(head), board: Some(hasher.finish()), to_move: None });
    }
}
