//! Points that may occur once: in the setup of a node, its markup, its
//! territory, its labels, each view; and its arrows and lines (spec A-10).

use std::collections::HashSet;
use std::hash::Hash;

use sgfstream::{Code, Span};
use sgfstream_game::octi::Arrow;
use sgfstream_game::{Field, Game, Key};

use super::Remedy;
use super::field_set::{FieldSet, Put};
use super::finding::found;
use super::report::{Remembered, Report};
use super::values::Read;

/// Arrows and lines of one node that are remembered.
const LINES_MAX: usize = 1 << 14;

/// Properties whose points are unique together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Group {
    Setup,
    Markup,
    Territory,
    Labels,
    Dimmed,
    View,
    BlackSquares,
    WhiteSquares,
    Arrows,
    Lines,
    StoneArrows,
}

impl Group {
    /// The group of a property in a game, if its points are to be unique.
    pub(super) fn of(game: Game, key: Key) -> Option<Self> {
        Some(match key {
            // Backgammon repeats a point for each checker (spec games §6); Octi's
            // pods may share one, and Pentobi's values are whole pieces.
            Key::AB | Key::AW | Key::AE | Key::AA => match game {
                Game::Backgammon | Game::Octi | Game::Pentobi(_) => return None,
                _ => Self::Setup,
            },
            Key::CR | Key::MA | Key::SL | Key::SQ | Key::TR => Self::Markup,
            Key::TB | Key::TW => Self::Territory,
            Key::LB => Self::Labels,
            Key::DD => Self::Dimmed,
            Key::VW => Self::View,
            Key::AR => Self::Arrows,
            Key::LN => Self::Lines,
            // Octi's: each of its lists by itself (spec O-18, O-19, O-28).
            Key::BO if game == Game::Octi => Self::BlackSquares,
            Key::WO if game == Game::Octi => Self::WhiteSquares,
            Key::AS if game == Game::Octi => Self::StoneArrows,
            _ => return None,
        })
    }
}

/// The points of one node.
#[derive(Debug, Default)]
pub(super) struct Points {
    sets: [FieldSet; 8],
    lines: HashSet<(bool, Field, Field)>,
    stone_arrows: HashSet<Arrow>,
    /// A set has something in it.
    touched: bool,
}

impl Points {
    #[inline(always)]
    pub(super) fn start_node(&mut self) {
        if self.touched {
            self.touched = false;
            self.sets.iter_mut().for_each(FieldSet::clear);
            self.lines.clear();
            self.stone_arrows.clear();
        }
    }

    /// Looks at what a value says.
    #[inline]
    pub(super) fn look(
        &mut self,
        report: &mut Report<'_>,
        group: Group,
        id: &[u8],
        read: Read,
        raw: &[u8],
        span: Span,
    ) {
        match (read, group) {
            (Read::Nothing, _) => {}
            (Read::Pair(from, to), Group::Arrows | Group::Lines) => {
                self.look_at_line(report, group == Group::Arrows, id, (from, to), raw, span);
            }
            (Read::Arrow(arrow), Group::StoneArrows) => {
                self.touched = true;
                let put = put_into(&mut self.stone_arrows, arrow);
                tell(report, put, id, raw, span);
            }
            (_, Group::Arrows | Group::Lines | Group::StoneArrows) => {}
            (Read::Field(field), group) => {
                self.touched = true;
                let put = self.sets[group as usize].insert(field);
                tell(report, put, id, raw, span);
            }
            (Read::Rectangle(entry), Group::Setup | Group::Markup | Group::Territory | Group::Dimmed | Group::View) => {
                self.touched = true;
                let set = &mut self.sets[group as usize];
                if set.insert_all(entry) == Put::Again {
                    again(report, id, raw, span);
                }
            }
            _ => {}
        }
    }

    fn look_at_line(
        &mut self,
        report: &mut Report<'_>,
        is_arrow: bool,
        id: &[u8],
        (from, to): (Field, Field),
        raw: &[u8],
        span: Span,
    ) {
        if from == to {
            let message =
                format!("in `{}`: expected two points, found one: {}", String::from_utf8_lossy(id), found(raw));
            return report.say(Code::OnePointLine, span, message, Some(Remedy::DropValue));
        }
        // A line has no direction.
        let ends = if is_arrow || from <= to { (from, to) } else { (to, from) };
        let line = (is_arrow, ends.0, ends.1);
        self.touched = true;
        let put = put_into(&mut self.lines, line);
        tell(report, put, id, raw, span);
    }
}

fn put_into<T: Eq + Hash>(lines: &mut HashSet<T>, line: T) -> Put {
    if lines.contains(&line) {
        Put::Again
    } else if lines.len() >= LINES_MAX {
        Put::Full
    } else {
        lines.insert(line);
        Put::New
    }
}

#[inline]
fn tell(report: &mut Report<'_>, put: Put, id: &[u8], raw: &[u8], span: Span) {
    match put {
        Put::New => {}
        Put::Again => again(report, id, raw, span),
        Put::Full => report.limit(Remembered::Points, span),
    }
}

#[cold]
fn again(report: &mut Report<'_>, id: &[u8], raw: &[u8], span: Span) {
    let id = String::from_utf8_lossy(id);
    let message = format!(
        "in `{id}`: expected points that this kind of property has not yet in the node, found {} again",
        found(raw)
    );
    report.say(Code::RepeatedPoint, span, message, Some(Remedy::DropValue));
}
