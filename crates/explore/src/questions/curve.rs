//! Evaluations and clocks along a line of a game: what the nodes state, what each move cost, and
//! how long it took.

use sgfstream::record::Outline;
use sgfstream_game::value::{Color, EngineLine, Evaluation, NodeReadings, OvertimeSystem, Real};
use sgfstream_game::{
    Coordinates, Facts, Side,
    facts::{Info, NodePath},
};

use super::replies::{ClockReply, EngineLineReply, EngineStep, EvaluationReply};

/// Maximum number of nodes of a variation that an engine wrote.
const VARIATION: usize = 60;

/// What a node of a line states.
struct StatedNode {
    readings: NodeReadings,
    /// Evaluation from Black's view.
    evaluation: Evaluation,
    /// Name of the engine that evaluated, if known.
    engine: Option<String>,
    /// Color of the last move, from 1.
    mover: Option<u8>,
    /// Number of moves.
    moves: usize,
}

impl StatedNode {
    fn of(outline: &Outline<'_>, facts: &Facts<'_>, node: usize) -> Self {
        let (mut readings, mut engine, mut second) = (NodeReadings::default(), None, None);
        for property in outline.properties(node) {
            let ident = property.ident().canonical();
            let raw = property.first().as_bytes();
            readings.read(&ident, raw);
            let name = if ident.ends_with(b"2") {
                &mut second
            } else {
                &mut engine
            };
            *name = name.take().or_else(|| Evaluation::engine(&ident, raw));
        }
        // The second engine counts where the first one says nothing.
        engine = engine.or(second);
        let (mut mover, mut moves) = (None, 0);
        for played in facts.moves_of_node(outline.node(node)) {
            mover = Some(played.color);
            moves += 1;
        }
        let evaluation = readings.evaluation(mover);
        if evaluation.is_before_move {
            // Name the player as the engine, because it searched for its own move.
            let player = if mover == Some(1) { Info::PB } else { Info::PW };
            engine = facts
                .value(player)
                .map(|name| String::from_utf8_lossy(name.as_bytes()).into_owned());
        }
        Self {
            readings,
            evaluation,
            engine,
            mover,
            moves,
        }
    }
}

/// Returns the evaluation and the clock that each node of a line states.
pub(super) fn of_line(
    outline: &Outline<'_>,
    facts: &Facts<'_>,
    line: &[usize],
) -> Vec<(Option<EvaluationReply>, Option<ClockReply>)> {
    let mut nodes: Vec<_> = line
        .iter()
        .map(|&node| StatedNode::of(outline, facts, node))
        .collect();
    // Without a move, the side that moved is the opponent of the next player.
    let mut next = None;
    for node in nodes.iter_mut().rev() {
        if node.mover.is_none() {
            node.evaluation = node.readings.evaluation(next.map(opponent));
        }
        next = node.mover.or(next);
    }
    let costs = costs(&nodes);
    let times = times(facts, &nodes);
    let mut all = Vec::with_capacity(nodes.len());
    for ((node, (cost, score_cost)), time_used) in nodes.iter().zip(costs).zip(times) {
        let Evaluation {
            winrate,
            score_lead,
            visits,
            ..
        } = node.evaluation;
        let is_evaluated = winrate.is_some() || score_lead.is_some();
        let evaluation = is_evaluated.then_some(EvaluationReply {
            winrate,
            score_lead,
            visits,
            cost,
            score_cost,
        });
        let clock = node.mover.and_then(clock_of).map(|at| ClockReply {
            time_left: node.readings.time_left[at],
            overtime_moves: node.readings.overtime_moves[at],
            time_used,
        });
        all.push((
            evaluation,
            clock.filter(|clock| clock.time_left.is_some() || clock.overtime_moves.is_some()),
        ));
    }
    all
}

fn opponent(color: u8) -> u8 {
    Side::of_color(color).opponent().color()
}

/// Returns the index of the clock of a color.
fn clock_of(color: u8) -> Option<usize> {
    Some(usize::from(color - 1)).filter(|&at| at < 2)
}

/// Returns the winrate and the points that each move lost: the difference between the evaluations
/// of the positions before and after it, from the view of its player. A move has no cost if one of
/// them is missing, if two engines made them, or if its node has several moves.
fn costs(nodes: &[StatedNode]) -> Vec<(Option<f64>, Option<f64>)> {
    // For the position after each node, the node that evaluates it.
    let mut evaluated = vec![None; nodes.len()];
    for (at, node) in nodes
        .iter()
        .enumerate()
        .filter(|(_, node)| node.evaluation.winrate.is_some())
    {
        let position = if node.evaluation.is_before_move {
            at.checked_sub(1)
        } else {
            Some(at)
        };
        if let Some(position) = position {
            evaluated[position].get_or_insert(node);
        }
    }
    let cost = |at: usize| {
        let (before, after) = (evaluated[at.checked_sub(1)?]?, evaluated[at]?);
        let mover = match nodes[at].mover? {
            1 => Color::Black,
            2 => Color::White,
            _ => return None,
        };
        let is_comparable = before.engine == after.engine && nodes[at].moves == 1;
        is_comparable.then(|| before.evaluation.cost(&after.evaluation, mover))
    };
    (0..nodes.len())
        .map(|at| cost(at).unwrap_or_default())
        .collect()
}

/// Returns the seconds that each move took: the player's clock after their last move less the clock
/// after this move. `TM` is the first clock. In overtime, and if time is added, clocks do not state
/// the time for a move.
fn times(facts: &Facts<'_>, nodes: &[StatedNode]) -> Vec<Option<f64>> {
    let mut times = vec![None; nodes.len()];
    if matches!(
        facts.overtime(),
        Some(OvertimeSystem::Fischer { .. } | OvertimeSystem::Other)
    ) {
        return times;
    }
    let main_time = facts
        .value(Info::TM)
        .and_then(|value| Real::parse_lenient(value.as_bytes()).ok());
    let mut last = [main_time.map(|time| time.value.get()); 2];
    for (time, node) in times.iter_mut().zip(nodes) {
        let Some(at) = node.mover.and_then(clock_of) else {
            continue;
        };
        let is_overtime = node.readings.overtime_moves[at].is_some();
        let left = node.readings.time_left[at].filter(|_| !is_overtime && node.moves == 1);
        let used = last[at].zip(left).map(|(before, left)| before - left);
        // Clocks count thousandths of a second at most.
        *time = used
            .filter(|&used| used >= 0.0)
            .map(|used| (used * 1e3).round() / 1e3);
        last[at] = left;
    }
    times
}

/// Returns the variations that an engine proposes in a node: the candidates in its properties, or
/// else the line that a node after it names, or else the evaluated variations after it. `to_move`
/// plays next, if no move of the node says who does.
pub(super) fn engine_lines(
    outline: &Outline<'_>,
    facts: &Facts<'_>,
    node: usize,
    to_move: Option<Side>,
) -> Vec<EngineLineReply> {
    let mover = facts
        .moves_of_node(outline.node(node))
        .last()
        .map(|played| Side::of_color(played.color));
    let Some(side) = mover.map(Side::opponent).or(to_move) else {
        return Vec::new();
    };
    let color = if side == Side::Black {
        Color::Black
    } else {
        Color::White
    };
    let mut lines = Vec::new();
    // The second engine of Lizzie counts where the first one has no lines.
    for ident in ["LZ", "LZOP", "LZ2", "LZOP2"] {
        if let Some(property) = outline.property(node, ident).filter(|_| lines.is_empty()) {
            let read = EngineLine::read(ident.as_bytes(), property.first().as_bytes(), color);
            lines.extend(
                read.iter().map(|line| {
                    EngineLineReply::new(&line.evaluation, steps_of(facts, line, side))
                }),
            );
        }
    }
    lines.retain(|line| !line.steps.is_empty());
    if lines.is_empty() {
        lines.extend(
            outline
                .children(node)
                .find_map(|child| preferred_line(outline, facts, child)),
        );
    }
    if lines.is_empty() {
        lines = outline
            .children(node)
            .skip(1)
            .filter_map(|child| evaluated_line(outline, facts, child))
            .collect();
    }
    lines
}

/// Returns the line that an engine prefers to the move of a node, as KaTrain writes it into the
/// comment of the node.
fn preferred_line(
    outline: &Outline<'_>,
    facts: &Facts<'_>,
    node: usize,
) -> Option<EngineLineReply> {
    let comment = outline.property(node, "C")?;
    let (player, line) = EngineLine::instead_of_move(b"C", comment.first().as_bytes())?;
    let side = if player == Color::Black {
        Side::Black
    } else {
        Side::White
    };
    let reply = EngineLineReply::new(&line.evaluation, steps_of(facts, &line, side));
    Some(reply).filter(|line| !line.steps.is_empty())
}

/// Returns the variation that begins with a node, if the node has an evaluation.
fn evaluated_line(
    outline: &Outline<'_>,
    facts: &Facts<'_>,
    node: usize,
) -> Option<EngineLineReply> {
    let stated = StatedNode::of(outline, facts, node);
    stated.evaluation.winrate?;
    let nodes = outline.line(node).take(VARIATION);
    let steps = nodes.filter_map(|node| {
        let name = played(facts, outline, node)?;
        Some(EngineStep {
            name,
            add: None,
            path: Some(NodePath::of(outline, node).to_string()),
        })
    });
    Some(EngineLineReply::new(&stated.evaluation, steps.collect()))
}

/// Returns the moves of a line up to the first one that the board does not have.
fn steps_of(facts: &Facts<'_>, line: &EngineLine, first: Side) -> Vec<EngineStep> {
    let (dialect, mut side, mut steps) = (facts.dialect(), first, Vec::new());
    for text in &line.moves {
        let Ok(mv) = dialect.parse_move_in_any(text.as_bytes()) else {
            break;
        };
        let player = side.name_in(facts.game);
        let name = format!("{player} {}", dialect.show_move_in(&mv, Coordinates::Gtp));
        let add = Some(format!("{player}[{}]", dialect.show_move(&mv)));
        steps.push(EngineStep {
            name,
            add,
            path: None,
        });
        side = side.opponent();
    }
    steps
}

/// Returns the move of a node in the players' notation.
pub(super) fn played(facts: &Facts<'_>, outline: &Outline<'_>, node: usize) -> Option<String> {
    let played = facts.moves_of_node(outline.node(node)).next()?;
    let value = played.bytes();
    let side = Side::of_color(played.color).name_in(facts.game);
    let dialect = facts.dialect();
    let shown = match dialect.parse_move(&value) {
        Ok(mv) => dialect.show_move_in(&mv, Coordinates::Gtp).to_string(),
        Err(_) => String::from_utf8_lossy(&value).chars().take(40).collect(),
    };
    Some(format!(
        "{side} {}",
        if shown.is_empty() { "pass" } else { &shown }
    ))
}
