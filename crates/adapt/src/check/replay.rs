//! Replays the moves on a board and reports those that break the rules of the game. Illegal moves
//! are played as well (spec M-04).

use sgfstream::{Code, Property, Span};
use sgfstream_game::octi::{OCTI_PODS_MAX, OctiBoard, OctiStone};
use sgfstream_game::value::{Point, PointSet};
use sgfstream_game::{
    BoardCell, Dialect, Facts, Game, GameBoard, Side,
    board::{Setup, Violation},
    facts::{JudgedMove, MoveFault, RawMove, Replay},
};

use super::finding::{found, shown};
use super::report::{CheckerMemory, Reporter};

/// Maximum number of illegal moves of one node that wait for a `KO`. Beyond it, the waiting moves
/// are reported, and `KO` excuses only later ones.
const ILLEGAL_MAX: usize = 64;

/// Reports the moves of the current game that break its rules.
#[derive(Debug, Default)]
pub(super) struct Legality {
    replay: Option<Replay>,
    /// Illegal moves of the node. They wait for its end, because a `KO` after them excuses them.
    illegal: Vec<(Code, Span, String)>,
    /// The stones of Octi that the node marks, and the span of the last marks.
    marked: Vec<OctiStone>,
    marks: Span,
}

impl Legality {
    /// Starts a game. Returns false if no board knows its rules.
    pub(super) fn start_game(&mut self, facts: &Facts<'_>) -> bool {
        self.replay = facts.replay().ok();
        self.replay.is_some()
    }

    /// Ends the replay of this game.
    pub(super) fn stop(&mut self) {
        self.replay = None;
    }

    pub(super) fn push(&mut self, report: &mut Reporter<'_>, span: Span) {
        if let Some(replay) = &mut self.replay
            && !replay.start_variation()
        {
            report.limit(CheckerMemory::Positions, span);
        }
    }

    pub(super) fn pop(&mut self) {
        if let Some(replay) = &mut self.replay {
            replay.end_variation();
        }
    }

    fn board(&self) -> Option<&GameBoard> {
        self.replay
            .as_ref()
            .filter(|replay| replay.follows())?
            .board()
    }

    /// Ends the node: reports its illegal moves, unless it has a `KO`, and its surplus marks.
    #[inline]
    pub(super) fn end_node(&mut self, report: &mut Reporter<'_>) {
        let Some(replay) = &mut self.replay else {
            return;
        };
        let is_excused = replay.end_node();
        if !self.illegal.is_empty() {
            self.tell_illegal(report, is_excused);
        }
        if !self.marked.is_empty() {
            self.tell_marks(report);
        }
    }

    #[cold]
    fn tell_illegal(&mut self, report: &mut Reporter<'_>, is_excused: bool) {
        for (code, span, message) in self.illegal.drain(..) {
            if !is_excused {
                report.add(code, span, message, None);
            }
        }
    }

    /// Reports marks without a stone: each stone has one mark (spec O-04, O-24, O-27).
    #[cold]
    fn tell_marks(&mut self, report: &mut Reporter<'_>) {
        let board = self.board().and_then(GameBoard::board::<OctiBoard>);
        let too_many = board.map_or(0, |board| board.too_many(&self.marked));
        let is_ambiguous =
            board.is_some_and(|board| self.marked.iter().any(|stone| board.is_ambiguous(stone)));
        self.marked.clear();
        if is_ambiguous {
            let message = "a mark names no prongs, and the pods on its point differ";
            report.add(Code::MarkWithoutStone, self.marks, message, None);
        }
        if too_many > 0 {
            let message = format!("the node has {too_many} more marks than stones at a point");
            report.add(Code::MarkWithoutStone, self.marks, message, None);
        }
    }

    #[cold]
    fn mark(&mut self, dialect: &Dialect, property: &Property<'_>, span: Span) {
        // One mark more than a board can have stones is enough to find that some are surplus.
        let space = (OCTI_PODS_MAX + 1).saturating_sub(self.marked.len());
        let stones = property
            .values()
            .filter_map(|value| OctiStone::parse(dialect.size(), value.as_bytes()).ok());
        self.marked.extend(stones.take(space));
        self.marks = span;
    }

    /// Plays a stone on the board, like [`apply`](Self::apply) with `property`.
    //  The property goes by value: a reference to it would put every event into memory.
    #[inline(never)]
    pub(super) fn place(
        &mut self,
        report: &mut Reporter<'_>,
        color: u8,
        field: BoardCell,
        property: Property<'_>,
        span: Span,
    ) {
        let Some(replay) = self.replay.as_mut().filter(|replay| replay.follows()) else {
            return;
        };
        if let Some(Err(fault)) = replay.place(color, field).legality {
            self.keep_illegal(report, fault, &property, span);
        }
    }

    #[cold]
    fn keep_illegal(
        &mut self,
        report: &mut Reporter<'_>,
        fault: MoveFault,
        property: &Property<'_>,
        span: Span,
    ) {
        let MoveFault::Illegal(reason) = fault else {
            // The check of the value has reported any other fault.
            return;
        };
        let code = match reason {
            Violation::OffBoard => Code::PointOffBoard,
            Violation::Occupied => Code::OccupiedPoint,
            Violation::Ko | Violation::Superko => Code::IllegalKo,
            Violation::Suicide => Code::IllegalSuicide,
            _ => Code::IllegalMove,
        };
        let message = format!("{reason}: `{}`", shown(property.as_bytes()));
        if !fault.is_excused_by_ko() {
            return report.add(code, span, message, None);
        }
        self.illegal.push((code, span, message));
        if self.illegal.len() > ILLEGAL_MAX {
            self.tell_illegal(report, false);
        }
    }

    /// Applies a property to the board, and checks setup before and moves after it.
    pub(super) fn apply(
        &mut self,
        report: &mut Reporter<'_>,
        property: &Property<'_>,
        id: &[u8],
        span: Span,
    ) {
        let Some(board) = self.board() else { return };
        let dialect = *board.dialect();
        if let Some(Setup::Stone(side)) = Setup::of(dialect.game(), id) {
            without_effect(report, board, side, property, span);
        }
        if dialect.game() == Game::Octi && matches!(id, b"CS" | b"MS" | b"SS" | b"TS") {
            return self.mark(&dialect, property, span);
        }
        let mut faults = Vec::new();
        // The message names the property, so each fault of its values is reported once.
        let judged = |_: &RawMove<'_>, judged: JudgedMove| {
            faults.extend(
                judged
                    .legality
                    .and_then(Result::err)
                    .filter(|fault| !faults.contains(fault)),
            );
        };
        let done = self
            .replay
            .as_mut()
            .and_then(|replay| replay.apply_each(property, judged));
        for fault in faults {
            self.keep_illegal(report, fault, property, span);
        }
        // Setup off the board was reported with its value.
        if let Some(Err(MoveFault::Illegal(reason))) = done
            && reason != Violation::OffBoard
        {
            let message = format!(
                "in `{}`: {reason}: {}",
                shown(id),
                found(property.first().as_bytes())
            );
            report.add(Code::IllegalSetup, span, message, None);
        }
    }
}

/// Reports AB, AW and AE that change nothing, which is bad style (spec A-11), once a property.
fn without_effect(
    report: &mut Reporter<'_>,
    position: &GameBoard,
    side: Option<Side>,
    property: &Property<'_>,
    span: Span,
) {
    let dialect: &Dialect = position.dialect();
    if !dialect.game().stone_is_point() || dialect.game() == Game::Backgammon {
        return;
    }
    let mut effectless = 0u64;
    let mut first = None;
    // Rectangles may overlap many times, so check each point only once.
    let mut seen = PointSet::new();
    for value in property.values() {
        let raw = value.as_bytes();
        let idle = if dialect.game().has_two_letter_points() {
            dialect.read_entry(raw).map_or(0, |entry| {
                let is_idle = |point: &Point| {
                    point.is_on(dialect.size()) && position.stone((*point).into()) == side
                };
                entry.value.insert_into(&mut seen).filter(is_idle).count() as u64
            })
        } else {
            dialect
                .parse_point(raw)
                .map_or(0, |field| u64::from(position.stone(field) == side))
        };
        effectless += idle;
        if idle > 0 && first.is_none() {
            first = Some(raw);
        }
    }
    if let Some(raw) = first {
        let points = if effectless == 1 {
            "a point".to_owned()
        } else {
            format!("{effectless} points")
        };
        let message = format!(
            "the setup does not change the position at {points}, first in {}",
            found(raw)
        );
        report.add(Code::SetupWithoutEffect, span, message, None);
    }
}
