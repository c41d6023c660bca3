//! The position and the game information at each node, to compare games before and after a change.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::rc::Rc;

use sgfstream::record::{GameItem, GameReader};
use sgfstream::{Charset, Property, SliceReader};
use sgfstream_game::value::OvertimeSystem;
use sgfstream_game::{
    Facts, Game, GameBoard, Side,
    facts::{Info, RawMove, Replay},
};

/// Facts that a game declares.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Head {
    game: Game,
    size: String,
    overtime: String,
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
    let mut reader = GameReader::new(SliceReader::new(bytes));
    let mut games = Vec::new();
    while let Some(game) = reader.next_game().expect("memory can be read") {
        games.push(positions_of_game(&Facts::of(
            game.expect("a short game"),
            0,
        )));
    }
    games
}

/// Panics unless each game has the positions of `before`, in their order. A change may split a
/// node, which adds one position between two.
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
        return Some(format!(
            "expected {} games, found {}",
            expected.len(),
            found.len()
        ));
    }
    expected
        .iter()
        .zip(&found)
        .enumerate()
        .find_map(|(game, (expected, found))| {
            let mut rest = found.iter();
            let at = expected
                .iter()
                .position(|position| !rest.any(|other| other == position));
            let at =
                at.or((expected.last() != found.last()).then(|| expected.len().saturating_sub(1)))?;
            let entries =
                |positions: &[Position]| positions.get(at).map_or_else(Vec::new, Position::entries);
            let (expected, found) = (entries(expected), entries(found));
            let only = |one: &[String], other: &[String]| {
                one.iter()
                    .filter(|e| !other.contains(e))
                    .cloned()
                    .collect::<Vec<_>>()
            };
            let (expected, found) = (only(&expected, &found), only(&found, &expected));
            Some(format!(
                "game {}, position {at}: expected {expected:?}, found {found:?}",
                game + 1
            ))
        })
}

impl Position {
    fn entries(&self) -> Vec<String> {
        let Self {
            head,
            board,
            to_move,
        } = self;
        let start = format!("{:?} {} {:?}", head.game, head.size, head.overtime);
        let mut entries = vec![start, format!("{board:?}"), format!("{to_move:?}")];
        entries.extend(
            head.info
                .iter()
                .map(|(info, value)| format!("{info:?} {value}")),
        );
        entries
    }
}

fn positions_of_game(facts: &Facts<'_>) -> Vec<Position> {
    // `upgrade` writes the overtime of `TC` and `TT` in `OT`.
    let is_info = |info: &&Info| !info.is_root_only() && !matches!(info, Info::TC | Info::TT);
    let info = Info::ALL.iter().filter(is_info).filter_map(|&info| {
        let value = facts.value(info)?;
        // Edits decode no text of an unknown charset, and may rename a property without reading it.
        let text = match facts.charset() {
            Charset::AUTO => String::from_utf8_lossy(value.as_bytes()),
            _ => value.simple_text(),
        };
        Some((info, readable(info, facts.game, text.into_owned())?))
    });
    let head = Rc::new(Head {
        game: facts.game,
        overtime: facts
            .overtime()
            .map_or_else(String::new, |system| format!("{system:?}")),
        size: format!(
            "{:?} {:?}",
            facts.dialect().size(),
            facts.dialect().has_size()
        ),
        info: info.collect(),
    });
    let mut replay = facts.replay_boards().ok();
    replay
        .iter_mut()
        .filter_map(Replay::board_mut)
        .for_each(GameBoard::keep_plain_hash);
    let mut positions = Vec::new();
    let game = facts.record();
    let (mut has_node, mut ends_variation) = (false, false);
    for item in game.items(game.tokens()) {
        if std::mem::take(&mut ends_variation)
            && let Some(replay) = &mut replay
        {
            replay.end_variation();
        }
        match item {
            GameItem::Property(_, property) => match &mut replay {
                Some(replay) => replay.apply(&property),
                None => positions.extend(moves_as_positions(facts, &head, &property)),
            },
            GameItem::Node => end_node(has_node, &head, replay.as_ref(), &mut positions),
            GameItem::VariationStart => {
                end_node(has_node, &head, replay.as_ref(), &mut positions);
                if has_node {
                    replay
                        .iter_mut()
                        .for_each(|replay| _ = replay.start_variation());
                }
            }
            GameItem::VariationEnd => {
                end_node(has_node, &head, replay.as_ref(), &mut positions);
                ends_variation = true;
            }
            _ => {}
        }
        has_node |= matches!(item, GameItem::Node);
    }
    positions
}

/// Adds the position of a node that has ended.
fn end_node(
    has_node: bool,
    head: &Rc<Head>,
    replay: Option<&Replay>,
    positions: &mut Vec<Position>,
) {
    // In games without a board, each move was a position.
    let Some(replay) = replay.filter(|replay| has_node && replay.follows()) else {
        return;
    };
    let board = replay.board().map(|board| match board.hash() {
        Some(hash) => hash.plain(),
        None => {
            let mut hasher = DefaultHasher::new();
            board.to_string().hash(&mut hasher);
            hasher.finish()
        }
    });
    let position = Position {
        head: Rc::clone(head),
        board,
        to_move: replay.to_move(),
    };
    if positions.last() != Some(&position) {
        positions.push(position);
    }
}

/// Returns the reading of the value, or `None` if the reading is a guess or impossible.
fn readable(info: Info, game: Game, text: String) -> Option<String> {
    match info {
        // `HA[0]` and an empty text mean the same as no property.
        _ if text.trim().is_empty() || (info == Info::HA && text.trim() == "0") => None,
        Info::OT if OvertimeSystem::parse(&text) != OvertimeSystem::Other => None,
        Info::RE | Info::KM | Info::HA | Info::TM | Info::DT => {
            Some(format!("{:?}", info.read(game, &text).sure()?.value))
        }
        _ => Some(text),
    }
}

/// In games without a board, each move is a position.
fn moves_as_positions(
    facts: &Facts<'_>,
    head: &Rc<Head>,
    property: &Property<'_>,
) -> Vec<Position> {
    let position = |raw: RawMove<'_>| {
        let mut hasher = DefaultHasher::new();
        (
            raw.color,
            format!("{:?}", facts.dialect().parse_move(&raw.bytes())),
        )
            .hash(&mut hasher);
        Position {
            head: Rc::clone(head),
            board: Some(hasher.finish()),
            to_move: None,
        }
    };
    facts.moves_of(property).map(position).collect()
}
