//! Checks the properties of one node together: setup beside a move, two moves, and root or
//! game-info properties out of place (spec ).

use sgfstream::record::GameItem;
use sgfstream::{Code, Ident, Severity, Span};
use sgfstream_game::{
    Dialect, Facts, board::Turn, facts::Info, internal::Key, property::PropertyType,
};

use super::Remedy;
use super::idents::{IdentSet, Inserted};
use super::report::{CheckerMemory, Reporter};

/// State of the node being checked.
#[derive(Debug, Default)]
pub(super) struct Node {
    /// Whether a node is open.
    pub(super) is_open: bool,
    span: Span,
    /// Single-letter identifiers seen in the node, one bit each.
    letters: u32,
    idents: IdentSet,
    seen: Contents,
    /// Value of HA, if it is a number.
    pub(super) handicap: Option<(i64, Span)>,
    /// Whether usual points are defined for this number of handicap stones.
    pub(super) has_usual_stones: bool,
    /// Whether no node so far has `SZ`.
    lacks_size: bool,
    /// Number of points in AB.
    pub(super) black_stones: u64,
    /// Number of points in AB of the nodes before the first move, if the root has a handicap.
    stones_at_start: Option<u64>,
}

/// Properties seen in the node so far, and which findings were reported.
#[derive(Clone, Copy, Debug, Default)]
struct Contents {
    has_property: bool,
    has_setup: bool,
    /// Setup other than `PL`.
    has_stones: bool,
    /// A property of the type move, such as `KO`.
    has_move_property: bool,
    /// A property that plays a move.
    has_move: bool,
    has_game_info: bool,
    said_mixed: bool,
    said_in_game: bool,
}

impl Node {
    /// Returns the state before the root.
    pub(super) fn of(facts: &Facts<'_>) -> Self {
        let lacks_size = facts.value(Info::SZ).is_none() || facts.has_late_size();
        let stones_at_start = facts.handicap().is_some().then(|| stones_at_start(facts));
        Self {
            lacks_size,
            stones_at_start,
            ..Self::default()
        }
    }

    #[inline(always)]
    pub(super) fn start(&mut self, span: Span) {
        self.is_open = true;
        self.span = span;
        self.letters = 0;
        self.idents.clear();
        self.seen = Contents::default();
        self.handicap = None;
        self.black_stones = 0;
    }

    /// Returns whether the node has a move.
    pub(super) fn has_move(&self) -> bool {
        self.seen.has_move
    }

    /// Records a property with a one-letter identifier. Returns whether the node had none of this
    /// name.
    #[inline(always)]
    pub(super) fn insert_letter(&mut self, letter: u8) -> bool {
        self.seen.has_property = true;
        let bit = 1 << (letter - b'A');
        let is_new = self.letters & bit == 0;
        self.letters |= bit;
        is_new
    }

    /// Records a simple move, if it is the node's first move and the node has no setup. Otherwise
    /// returns false and changes nothing, and the caller must check the move in full.
    #[inline(always)]
    pub(super) fn plain_move(&mut self, letter: u8) -> bool {
        if self.seen.has_move || self.seen.has_setup || !self.insert_letter(letter) {
            return false;
        }
        self.seen.has_move = true;
        self.seen.has_move_property = true;
        true
    }

    /// Reports a property that the node has twice (spec I-08).
    pub(super) fn look_for_again(
        &mut self,
        report: &mut Reporter<'_>,
        key: Key,
        id: Ident<'_>,
        is_list: bool,
        span: Span,
    ) {
        self.seen.has_property = true;
        let inserted = match id.as_bytes() {
            &[letter @ b'A'..=b'Z'] => {
                if self.insert_letter(letter) {
                    Inserted::New
                } else {
                    Inserted::Again
                }
            }
            id => self.idents.insert(key, id),
        };
        match inserted {
            Inserted::New => {}
            Inserted::Full => report.limit(CheckerMemory::Identifiers, span),
            Inserted::Again => {
                let joins = is_list || matches!(key, Key::C | Key::GC | Key::ON | Key::CP);
                let remedy = if joins {
                    Remedy::Merge
                } else {
                    Remedy::DropProperty
                };
                let message = format!("`{id}` occurs again in the same node");
                report.add(Code::DuplicateProperty, span, message, remedy);
            }
        }
    }

    /// Reports a property in a node where its type may not be. `info_at` is the depth of the node
    /// with game information on the current path. `is_other_size`: it is an `SZ` that contradicts
    /// the size of the board.
    pub(super) fn place(
        &mut self,
        report: &mut Reporter<'_>,
        property_type: PropertyType,
        id: Ident<'_>,
        span: Span,
        info_at: &mut Option<u64>,
        is_other_size: bool,
    ) {
        match property_type {
            PropertyType::Root if !report.path.is_root() => {
                let is_size = is_other_size && std::mem::take(&mut self.lacks_size);
                let remedy = if is_size {
                    Remedy::MoveToRoot
                } else {
                    Remedy::DropProperty
                };
                let message = format!("`{id}` belongs in the root node");
                report.add(Code::RootPropertyElsewhere, span, message, remedy);
            }
            PropertyType::GameInfo if !self.seen.has_game_info => {
                self.seen.has_game_info = true;
                match info_at {
                    None => *info_at = Some(report.path.depth()),
                    Some(_) => {
                        let message = format!(
                            "a node above already has game information; found `{id}` below it"
                        );
                        report.add(
                            Code::GameInfoBelowGameInfo,
                            span,
                            message,
                            Remedy::DropProperty,
                        );
                    }
                }
            }
            PropertyType::Setup => {
                self.seen.has_stones |= !id.is(b"PL");
                self.seen.has_setup = true;
                self.look_for_mix(report, id, span);
                if !self.seen.said_in_game
                    && !id.is(b"PL")
                    && !report.path.is_root()
                    && report.path.is_main_line()
                {
                    self.seen.said_in_game = true;
                    let message = format!("the main line has setup after the root: `{id}`");
                    report.add(Code::SetupInMainLine, span, message, None);
                }
                let before = report.path.set_turn(Turn::default());
                report.path.set_turn(before.after_setup());
            }
            PropertyType::Move => {
                self.seen.has_move_property = true;
                self.look_for_mix(report, id, span);
            }
            _ => {}
        }
    }

    fn look_for_mix(&mut self, report: &mut Reporter<'_>, id: Ident<'_>, span: Span) {
        if !self.seen.has_setup || !self.seen.has_move_property || self.seen.said_mixed {
            return;
        }
        self.seen.said_mixed = true;
        let remedy = if !self.seen.has_stones {
            Remedy::DropProperty
        } else {
            Remedy::SplitNode
        };
        let message = format!("the node mixes setup and a move: `{id}`");
        report.add(Code::SetupWithMove, span, message, remedy);
    }

    /// Reports a second move in the node, and a move in the root.
    pub(super) fn look_at_move(&mut self, report: &mut Reporter<'_>, id: Ident<'_>, span: Span) {
        if self.seen.has_move {
            let message = format!("the node already has a move before `{id}`");
            report.add(Code::TwoMovesInNode, span, message, Remedy::SplitNode);
        }
        self.seen.has_move = true;
        if report.path.is_root() {
            let message = format!("the root node has a move: `{id}`");
            report.add(Code::MoveInRoot, span, message, Remedy::SplitNode);
        }
    }

    /// Reports a move out of turn.
    pub(super) fn look_for_turn(
        report: &mut Reporter<'_>,
        dialect: &Dialect,
        value: &[u8],
        legality: bool,
        id: Ident<'_>,
        span: Span,
    ) {
        let game = dialect.game();
        let Some(side) = game.move_ids().side(id).filter(|_| game.takes_turns()) else {
            return;
        };
        let turn = match dialect.parse_move(value) {
            Ok(mv) => Turn::after(dialect, side, &mv),
            Err(_) => Turn::follows(game, side),
        };
        let before = report.path.set_turn(turn);
        if before.excludes(side) {
            out_of_turn(report, before, legality, id, span);
        }
    }

    /// Ends the node: reports an empty node, and a handicap that does not match the stones.
    #[inline(always)]
    pub(super) fn end(&mut self, report: &mut Reporter<'_>) {
        self.is_open = false;
        if !self.seen.has_property || self.handicap.is_some() {
            self.look_at_whole(report);
        }
    }

    #[cold]
    fn look_at_whole(&self, report: &mut Reporter<'_>) {
        if !self.seen.has_property {
            let message = "the node has no properties";
            report.add(Code::EmptyNode, self.span, message, None);
        }
        if let Some((handicap, span)) = self.handicap
            && handicap >= 2
            && u64::try_from(handicap).ok() != Some(self.black_stones)
            && u64::try_from(handicap).ok() != self.stones_at_start
        {
            let (stones, s) = (
                self.black_stones,
                if self.black_stones == 1 { "" } else { "s" },
            );
            let message =
                format!("`HA` is {handicap}, and its node sets up {stones} black stone{s}");
            let has_stones =
                self.black_stones > 0 || self.stones_at_start.is_some_and(|stones| stones > 0);
            let is_missing = !has_stones && report.path.is_root() && !self.seen.has_move;
            let remedy = (is_missing && self.has_usual_stones).then_some(Remedy::PlaceHandicap);
            report.add(Code::HandicapMismatch, span, message, remedy);
        }
    }
}

/// Returns the number of points in AB before the first move. Some programs set up the handicap in
/// the second node.
#[cold]
fn stones_at_start(facts: &Facts<'_>) -> u64 {
    let (record, dialect) = (facts.record(), facts.dialect());
    let mut stones = 0;
    for item in record.items(record.main_line()) {
        let GameItem::Property(_, property) = item else {
            continue;
        };
        if facts.moves_of(&property).next().is_some() {
            break;
        }
        if property.ident().is(b"AB") {
            let entries = property
                .values()
                .filter_map(|value| dialect.read_entry(value.as_bytes()).ok());
            stones += entries.map(|entry| entry.value.len() as u64).sum::<u64>();
        }
    }
    stones
}

#[cold]
pub(super) fn out_of_turn(
    report: &mut Reporter<'_>,
    before: Turn,
    legality: bool,
    id: Ident<'_>,
    span: Span,
) {
    let other = match before {
        Turn::Named(_) => "`PL` names the other side",
        Turn::First(_) => "the other side plays first in this game",
        Turn::Next(_) | Turn::Open(_) => {
            let message = format!("the same color moves twice in a row: `{id}`");
            let severity = if legality {
                Severity::Warning
            } else {
                Code::TwoMovesInRow.severity()
            };
            return report.add_as(severity, Code::TwoMovesInRow, span, message, None);
        }
    };
    report.add(
        Code::ContradictingPlayer,
        span,
        format!("{other}, found `{id}`"),
        None,
    );
}
