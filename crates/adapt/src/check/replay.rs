//! The rules of the game: moves are made on a board, and what is against the
//! rules is said (spec M-04: it is made all the same).

use sgfstream::{Code, Ident, Property, Span};
use sgfstream_game::octi::{OCTI_PODS_MAX, OctiBoard, OctiStone};
use sgfstream_game::value::{PointEntry, PointSet};
use sgfstream_game::{Applied, Dialect, Field, Game, GameBoard, Illegal, Reason, Setup, Side};

use super::context::GameContext;
use super::finding::{found, shown};
use super::report::{Remembered, Report};

/// Positions that are kept, one for each open variation: of a Go board some
/// 3 kB each.
const KEPT_MAX: usize = 1024;

/// Illegal moves of one node that wait for its end. Beyond that `KO` excuses
/// only those that come after.
const ILLEGAL_MAX: usize = 64;

/// The board of the game at hand.
#[derive(Default)]
pub(super) struct Replay {
    position: Option<GameBoard>,
    kept: Vec<Option<GameBoard>>,
    /// Open variations below those that are kept.
    below: u64,
    /// Moves of the node against the rules. `KO` may come after them.
    illegal: Vec<(Code, Span, String)>,
    /// Stones of Octi that the node marks, and where the last of the marks are.
    marked: Vec<OctiStone>,
    marks: Span,
}

impl Replay {
    /// A game begins. False if no board knows its rules.
    pub(super) fn start_game(&mut self, context: &GameContext) -> bool {
        self.kept.clear();
        self.below = 0;
        self.position = GameBoard::with_rules(&context.dialect, context.go_rules).ok();
        self.position.is_some()
    }

    /// No game is at hand.
    pub(super) fn stop(&mut self) {
        self.position = None;
        self.kept.clear();
        self.below = 0;
    }

    pub(super) fn push(&mut self, report: &mut Report<'_>, span: Span) {
        if self.position.is_none() && self.kept.is_empty() {
            return;
        }
        if self.kept.len() >= KEPT_MAX {
            self.below += 1;
            report.limit(Remembered::Positions, span);
        } else {
            self.kept.push(self.position.clone());
        }
    }

    pub(super) fn pop(&mut self) {
        if self.below > 0 {
            self.below -= 1;
        } else if let Some(position) = self.kept.pop() {
            self.position = position;
        }
    }

    /// The node ends. `KO` says that its move is made though it is illegal
    /// (spec OP-10).
    #[inline]
    pub(super) fn end_node(&mut self, report: &mut Report<'_>, has_ko: bool) {
        if !self.illegal.is_empty() {
            self.tell_illegal(report, has_ko);
        }
        if !self.marked.is_empty() {
            self.tell_marks(report);
        }
    }

    #[cold]
    fn tell_illegal(&mut self, report: &mut Report<'_>, has_ko: bool) {
        for (code, span, message) in self.illegal.drain(..) {
            if !has_ko {
                report.say(code, span, message, None);
            }
        }
    }

    /// A stone has one mark, and there are no more marks than stones (spec
    /// O-24, O-27).
    #[cold]
    fn tell_marks(&mut self, report: &mut Report<'_>) {
        let board = self.position.as_ref().and_then(GameBoard::board::<OctiBoard>);
        let too_many = board.map_or(0, |board| board.too_many(&self.marked));
        self.marked.clear();
        if too_many > 0 {
            let message = format!("expected each mark on a stone of its own, found {too_many} more than stones");
            report.say(Code::MarkWithoutStone, self.marks, message, None);
        }
    }

    #[cold]
    fn mark(&mut self, dialect: &Dialect, property: &Property<'_>, span: Span) {
        // With more marks than a board can have stones, some are too many.
        let space = (OCTI_PODS_MAX + 1).saturating_sub(self.marked.len());
        let stones = property.values().filter_map(|value| OctiStone::parse(dialect.size(), value.as_bytes()).ok());
        self.marked.extend(stones.take(space));
        self.marks = span;
    }

    /// A property is too long to be held. If it changes the position, what comes after it is not known.
    pub(super) fn miss(&mut self, report: &mut Report<'_>, id: &[u8], span: Span) {
        let Some(game) = self.position.as_ref().filter(|_| self.below == 0).map(|position| position.dialect().game())
        else {
            return;
        };
        if Setup::of(game, id).is_some() || game.move_ids().contains(Ident::new(id)) {
            report.limit(Remembered::Property, span);
            self.position = None;
        }
    }

    /// Plays a stone on the board, as [`apply`](Self::apply) does when `property` says so.
    //  The property goes by value: a reference to it would put every event into memory.
    #[inline(never)]
    pub(super) fn place(
        &mut self,
        report: &mut Report<'_>,
        side: Side,
        field: Field,
        property: Property<'_>,
        span: Span,
    ) {
        let Some(position) = self.position.as_mut().filter(|_| self.below == 0) else { return };
        if let Err(illegal) = position.place(side, field) {
            self.keep_illegal(report, illegal, &property, span);
        }
    }

    #[cold]
    fn keep_illegal(&mut self, report: &mut Report<'_>, illegal: Illegal, property: &Property<'_>, span: Span) {
        self.illegal.extend(illegal_move(illegal, property, span));
        if self.illegal.len() > ILLEGAL_MAX {
            self.tell_illegal(report, false);
        }
    }

    /// Does what a property says.
    pub(super) fn apply(&mut self, report: &mut Report<'_>, property: &Property<'_>, id: &[u8], span: Span) {
        let Some(position) = &mut self.position else {
            return;
        };
        if self.below > 0 {
            return;
        }
        if let Some(Setup::Stone(side)) = Setup::of(position.dialect().game(), id) {
            without_effect(report, position, side, property, span);
        }
        if position.dialect().game() == Game::Octi && matches!(id, b"CS" | b"MS" | b"SS" | b"TS") {
            let dialect = *position.dialect();
            return self.mark(&dialect, property, span);
        }
        match position.apply(property) {
            Applied::Played(_, Err(illegal)) => self.keep_illegal(report, illegal, property, span),
            Applied::SetUp(Err(illegal)) if illegal.reason != Reason::OffBoard => {
                let message = format!("in `{}`: {illegal}: {}", shown(id), found(property.first().as_bytes()));
                report.say(Code::IllegalSetup, span, message, None);
            }
            // What cannot be read was said of its value.
            _ => {}
        }
    }
}

#[cold]
fn illegal_move(illegal: Illegal, property: &Property<'_>, span: Span) -> Option<(Code, Span, String)> {
    let code = match illegal.reason {
        // Said of the value.
        Reason::OffBoard => return None,
        Reason::Occupied => Code::OccupiedPoint,
        Reason::Ko | Reason::Superko => Code::IllegalKo,
        Reason::Suicide => Code::IllegalSuicide,
        _ => Code::IllegalMove,
    };
    Some((code, span, format!("{illegal}: `{}`", shown(property.as_bytes()))))
}

/// AB, AW and AE that change nothing are bad style (spec A-11). Said once a
/// property.
fn without_effect(
    report: &mut Report<'_>,
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
    // However many rectangles there are, each point is looked at once.
    let mut seen = PointSet::new();
    for value in property.values() {
        let raw = value.as_bytes();
        let idle = match PointEntry::parse(raw) {
            Ok(entry) if dialect.game().has_two_letter_points() => entry
                .insert_into(&mut seen)
                .filter(|&point| point.is_on(dialect.size()) && position.stone(point.into()) == side)
                .count() as u64,
            _ => match dialect.parse_point(raw) {
                Ok(field) => u64::from(position.stone(field) == side),
                Err(_) => 0,
            },
        };
        effectless += idle;
        if idle > 0 && first.is_none() {
            first = Some(raw);
        }
    }
    if let Some(raw) = first {
        let points =
            if effectless == 1 { "a point that is".to_owned() } else { format!("{effectless} points that are") };
        let message =
            format!("expected setup that changes the position, found {points} so already, first in {}", found(raw));
        report.say(Code::SetupWithoutEffect, span, message, None);
    }
}

impl std::fmt::Debug for Replay {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Replay").field("kept", &self.kept.len()).finish_non_exhaustive()
    }
}
