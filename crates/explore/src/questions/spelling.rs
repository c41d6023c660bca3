//! Spelling of positions as moves and setup, for addresses and commands.

use sgfstream::record::Outline;
use sgfstream_adapt::stats::BoardId;
use sgfstream_game::{
    Dialect, Facts, GameBoard,
    facts::Replay,
    internal::{BOARD_MAX, PositionStep},
};
use sgfstream_table::find::MoveList;

/// Returns the steps as requests write them: `AB[dp][pd] W[qf]`.
pub(super) fn written<'s>(
    dialect: &Dialect,
    steps: impl IntoIterator<Item = &'s PositionStep>,
) -> String {
    let words = steps
        .into_iter()
        .map(|step| step.written(dialect).to_string());
    words.collect::<Vec<_>>().join(" ")
}

/// Returns the moves and the setup that lead to a node, or the setup of its board if its line has
/// an illegal or unreadable move. Returns `None` if neither leads to its board.
pub(super) fn of_node(outline: &Outline<'_>, facts: &Facts<'_>, node: usize) -> Option<String> {
    let dialect = BoardId::of_dialect(&facts.dialect()).dialect();
    let mut replay = facts.replay_boards().ok()?;
    let mut line = Some(Vec::new());
    for property in outline
        .path(node)
        .into_iter()
        .flat_map(|node| outline.properties(node))
    {
        replay.apply(&property);
        let steps = PositionStep::of_property(facts, &property);
        line = line.zip(steps).map(|(line, steps)| [line, steps].concat());
    }
    let turn = replay.to_move();
    let board = replay.into_board()?;
    let line = line.map(|line| written(&dialect, &line));
    line.filter(|text| leads_to(text, &dialect, &board))
        .or_else(|| {
            let mut setup = PositionStep::of_board(&board);
            setup.extend(turn.and_then(|side| {
                PositionStep::set_up(&dialect, "PL", [side.name_in(dialect.game())])
            }));
            Some(written(&dialect, &setup)).filter(|text| leads_to(text, &dialect, &board))
        })
}

/// Returns the board before the first move of the main line.
pub(super) fn start_of(facts: &Facts<'_>) -> Option<GameBoard> {
    let mut replay = facts.replay_boards().ok()?;
    for (_, property) in facts
        .record()
        .main_line_nodes()
        .flat_map(|node| node.properties())
    {
        if facts.moves_of(&property).next().is_some() {
            break;
        }
        replay.apply(&property);
    }
    replay.into_board()
}

/// Returns the setup of a board, which is empty at the usual start. Returns `None` if setup does
/// not lead to the board.
pub(super) fn of_board(board: &GameBoard) -> Option<String> {
    let dialect = BoardId::of_dialect(board.dialect()).dialect();
    let setup = written(&dialect, &PositionStep::of_board(board));
    [String::new(), setup]
        .into_iter()
        .find(|text| leads_to(text, &dialect, board))
}

/// Returns whether `text` leads to `board` by legal moves.
fn leads_to(text: &str, dialect: &Dialect, board: &GameBoard) -> bool {
    let steps = MoveList::parse(text)
        .ok()
        .and_then(|list| list.steps_on(dialect));
    let (Some(steps), Ok(mut replay)) = (steps, Replay::of_dialect(dialect)) else {
        return false;
    };
    if board.size().longer() > BOARD_MAX
        || !steps.iter().all(|step| step.apply_to(&mut replay).is_ok())
    {
        return false;
    }
    let hash = |mut board: GameBoard| {
        board.keep_plain_hash();
        board.hash().map(|hash| hash.plain())
    };
    replay
        .into_board()
        .is_some_and(|reached| hash(reached) == hash(board.clone()))
}
