//! Openings for the page: a tree of the first moves of a board, and diagrams with the next moves of
//! a position.

use serde_json::{Value, json};

use sgfstream_adapt::stats::OpeningPosition;
use sgfstream_draw::{Diagram, LABELS, class_of};
use sgfstream_game::{Dialect, GameBoard, facts::Replay, internal::OpeningMove};

use super::pictures::Pictures;
use crate::stats::json;
use crate::stats::report::{Start, StatsReport};

/// A board is drawn if it has at least 1 of this many games.
const PART: u64 = 50;

/// Maximum number of boards with openings.
const OPENINGS: usize = 6;

/// Lines with fewer than 1 of this many games are drawn together as one block.
const LEAST: u64 = 90;

/// Maximum number of next moves shown on a diagram.
const NEXT: usize = 8;

/// Maximum number of first moves whose position gets its own diagram. At least one game in ten must
/// have the move.
const FIRST: usize = 3;

/// Minimum number of games of a position with a diagram.
const GAMES: u64 = 10;

/// Returns the openings on the boards with the most games.
pub(super) fn drawn(report: &StatsReport<'_>, pictures: &mut Pictures) -> Value {
    let boards = &report.stats.openings.boards.all;
    let all: u64 = boards.iter().map(|start| start.tally.count).sum();
    let (mut drawn, mut others, mut games) = (Vec::new(), 0, 0);
    for start in boards {
        let count = start.tally.count;
        if !drawn.is_empty() && (count * PART < all || drawn.len() == OPENINGS) {
            (others, games) = (others + 1, games + count);
            continue;
        }
        let tree = after(report, start, 0, 0);
        if report.stats.depth > 0 && tree["next"].as_array().is_some_and(|next| !next.is_empty()) {
            let positions = positions(report, start, pictures);
            drawn.push(
                json!({ "board": start.board.to_string(), "games": count, "tree": tree, "positions": positions }),
            );
        }
    }
    json!({ "boards": drawn, "others": others, "games": games })
}

/// Returns the positions after `hash`, and the number of positions that are too rare to draw. The
/// depth is at most the depth of the openings.
fn after(report: &StatsReport<'_>, start: &Start, moves: usize, hash: u64) -> Value {
    let (mut next, mut ways, mut games) = (Vec::new(), 0, 0);
    for (hash, position) in start.after(moves, hash) {
        if position.tally.count * LEAST < start.tally.count {
            (ways, games) = (ways + 1, games + position.tally.count);
            continue;
        }
        let Some(last) = position.line.last() else {
            continue;
        };
        let mut line = json::line(report, start, position);
        line["color"] = class_of(start.board.game, last.side()).into();
        line["after"] = after(report, start, moves + 1, hash);
        next.push(line);
    }
    json!({ "next": next, "other_ways": ways, "other_games": games })
}

/// Returns diagrams of the empty board and of the most frequent first moves, each with its next
/// moves. The list is empty for few games, and for games whose board cannot be drawn.
fn positions(report: &StatsReport<'_>, start: &Start, pictures: &mut Pictures) -> Vec<Value> {
    if start.tally.count < GAMES {
        return Vec::new();
    }
    let least = start.tally.count.div_ceil(10).max(GAMES);
    let first = start
        .after(0, 0)
        .into_iter()
        .take(FIRST)
        .filter(|(_, after)| after.tally.count >= least)
        .map(Some);
    std::iter::once(None)
        .chain(first)
        .filter_map(|from| position(report, start, from, pictures))
        .collect()
}

/// Returns the diagram of a position, or of the start, with the letters of its next moves.
fn position(
    report: &StatsReport<'_>,
    start: &Start,
    from: Option<(u64, &OpeningPosition)>,
    pictures: &mut Pictures,
) -> Option<Value> {
    let (hash, line) = from.map_or((0, &[][..]), |(hash, after)| (hash, &after.line[..]));
    let games = from.map_or(start.tally.count, |(_, after)| after.tally.count);
    let mut next = start.after(line.len(), hash);
    let rest = next.split_off(next.len().min(NEXT));
    if next.is_empty() {
        return None;
    }
    let mut diagram = Diagram::new(board_after(&start.dialect(), line)?, report.coordinates)?;
    let dialect = start.dialect();
    let field_of = |played: &OpeningMove| Some(dialect.numbered(played.field()?));
    diagram.last.extend(line.last().and_then(field_of));
    let mut rows = Vec::new();
    for ((_, after), label) in next.iter().zip(LABELS.chars()) {
        // A position stores the first line that leads to it. If that line does not continue the
        // line of this diagram, its stones may be rotated or mirrored, so the move gets no letter.
        let field = field_of(after.line.last()?).filter(|_| after.line[..line.len()] == *line);
        if let Some(field) = field {
            diagram.marks.labels.insert(field, label.to_string());
        }
        let mut row = json::line(report, start, after);
        row["label"] = field.map_or('–', |_| label).to_string().into();
        rows.push(row);
    }
    let board = start.board;
    let name = match from {
        None => format!("{board}: first moves"),
        Some((_, after)) => format!("{board}: after {}", report.moves(start, after).join(" ")),
    };
    let others: u64 = rest.iter().map(|(_, after)| after.tally.count).sum();
    let picture = pictures.add(&diagram.svg(&name, false));
    Some(json!({
        "name": name,
        "games": games,
        "next": rows,
        "other_ways": rest.len(),
        "other_games": others,
        "picture": picture,
    }))
}

/// Returns the board after a line, or `None` if a move is invalid on this board.
fn board_after(board: &Dialect, line: &[OpeningMove]) -> Option<GameBoard> {
    let mut replay = Replay::of_dialect(board).ok()?;
    for played in line {
        let point = played
            .field()
            .map(|field| board.show_point(board.numbered(field)).to_string());
        let judged = replay.play(played.side().color(), point.unwrap_or_default().as_bytes());
        judged.is_legal().filter(|&is_legal| is_legal)?;
    }
    replay.into_board()
}
