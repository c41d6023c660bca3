//! Finds repeated points of a node in its setup, its markup, its territory, its labels and each
//! view, and repeated arrows and lines (spec A-10).

use std::collections::HashSet;

use sgfstream::{Code, Ident, Span};
use sgfstream_game::value::{PointEntry, PointSet, Repair};
use sgfstream_game::{Game, internal::Key};

use super::Remedy;
use super::finding::found;
use super::idents::Inserted;
use super::report::{CheckerMemory, Reporter};
use super::values::Read;

/// Maximum number of points beyond 52 x 52, lines and arrows remembered for one node.
const OTHERS_MAX: usize = 1 << 14;

/// Number of groups whose points are in sets. The sets of the setup properties follow.
const GROUPS: usize = 8;

/// Properties that together make the setup of a node.
const SETUPS: [&[u8]; 4] = [b"AB", b"AW", b"AE", b"AA"];

/// Properties that may not share a point in one node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
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
    /// Returns the group of a property in a game, or `None` if its points may repeat.
    pub(super) fn of(game: Game, key: Key) -> Option<Self> {
        Some(match key {
            // In Backgammon each checker repeats its point (spec games §6). In Octi pods may share
            // a point. The values of Pentobi are whole pieces.
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
            // In Octi each of these lists has unique points of its own (spec O-18, O-19, O-28).
            Key::BO if game == Game::Octi => Self::BlackSquares,
            Key::WO if game == Game::Octi => Self::WhiteSquares,
            Key::AS if game == Game::Octi => Self::StoneArrows,
            _ => return None,
        })
    }
}

/// The points, lines and arrows of one node so far.
#[derive(Debug, Default)]
pub(super) struct Points {
    /// Points within 52 x 52, which two letters can name: by group, then by setup property, in the
    /// order of [`SETUPS`]. There are no sets before the first point.
    near: Vec<PointSet>,
    /// Points outside of 52 x 52, lines and arrows.
    others: HashSet<(Group, Read)>,
    /// Groups with points in `near`, one bit each.
    touched: u8,
}

impl Points {
    #[inline(always)]
    pub(super) fn start_node(&mut self) {
        while self.touched != 0 {
            let group = self.touched.trailing_zeros() as usize;
            self.near[group].clear();
            if group == Group::Setup as usize {
                self.near[GROUPS..].iter_mut().for_each(PointSet::clear);
            }
            self.touched &= self.touched - 1;
        }
        if !self.others.is_empty() {
            self.others.clear();
        }
    }

    /// Reports the points, line or arrow of a value if the node already has them.
    #[inline]
    pub(super) fn check_value(
        &mut self,
        report: &mut Reporter<'_>,
        group: Group,
        id: Ident<'_>,
        read: Read,
        raw: &[u8],
        span: Span,
    ) {
        let other = match (read, group) {
            (Read::Pair(from, to), Group::Arrows | Group::Lines) if from == to => {
                return one_point_line(report, id, raw, span);
            }
            // Sort the ends, because a line has no direction.
            (Read::Pair(from, to), Group::Lines) => Read::Pair(from.min(to), from.max(to)),
            (Read::Pair(..), Group::Arrows) | (Read::Arrow(_), Group::StoneArrows) => read,
            (_, Group::Arrows | Group::Lines | Group::StoneArrows) => return,
            (Read::Field(field), _) => match field.as_point() {
                Some(point) => {
                    let entry = PointEntry::between(point, point);
                    return self.look_at_points(report, group, id, entry, raw, span);
                }
                None => read,
            },
            (
                Read::Rectangle(entry),
                Group::Setup | Group::Markup | Group::Territory | Group::Dimmed | Group::View,
            ) => {
                return self.look_at_points(report, group, id, entry, raw, span);
            }
            _ => return,
        };
        let inserted = if self.others.contains(&(group, other)) {
            Inserted::Again
        } else if self.others.len() >= OTHERS_MAX {
            Inserted::Full
        } else {
            self.others.insert((group, other));
            Inserted::New
        };
        match inserted {
            Inserted::New => {}
            Inserted::Again => again(report, id, raw, span, Remedy::DropValue),
            Inserted::Full => report.limit(CheckerMemory::Points, span),
        }
    }

    /// Reports the points of a value that the group already has.
    #[inline]
    pub(super) fn look_at_points(
        &mut self,
        report: &mut Reporter<'_>,
        group: Group,
        id: Ident<'_>,
        entry: PointEntry,
        raw: &[u8],
        span: Span,
    ) {
        self.touched |= 1 << group as u8;
        if self.near.is_empty() {
            self.near = vec![PointSet::new(); GROUPS + 4];
        }
        let columns = entry.column_bits();
        let rows = entry.upper_left().row()..=entry.lower_right().row();
        let own = SETUPS
            .iter()
            .position(|known| group == Group::Setup && *known == id.as_bytes());
        let (mut has_again, mut is_of_other, mut fresh) = (false, false, None);
        for row in rows {
            let new = self.near[group as usize].insert_row(row, columns);
            let new_to_own = own.map_or(0, |own| self.near[GROUPS + own].insert_row(row, columns));
            has_again |= new != columns;
            is_of_other |= new_to_own & !new != 0;
            if entry.len() > 1 {
                fresh.get_or_insert_with(PointSet::new).insert_row(row, new);
            }
        }
        if !has_again {
            return;
        }
        let rest: Vec<String> = fresh
            .map_or(Vec::new(), PointSet::rectangles)
            .iter()
            .map(|rest| rest.to_string())
            .collect();
        let remedy = match rest.is_empty() {
            // If another setup property has the point, dropping this value would change the board.
            _ if is_of_other => Remedy::DropReplaced,
            true => Remedy::DropValue,
            false => Remedy::write(Repair::Repeated, rest.join("][")),
        };
        again(report, id, raw, span, remedy);
    }
}

#[cold]
fn one_point_line(report: &mut Reporter<'_>, id: Ident<'_>, raw: &[u8], span: Span) {
    let message = format!(
        "in `{id}`: the line starts and ends at the same point: {}",
        found(raw)
    );
    report.add(Code::OnePointLine, span, message, Remedy::DropValue);
}

#[cold]
fn again(report: &mut Reporter<'_>, id: Ident<'_>, raw: &[u8], span: Span, remedy: Remedy) {
    let message = format!(
        "in `{id}`: the node has the point already in this kind of property: {}",
        found(raw)
    );
    report.add(Code::RepeatedPoint, span, message, remedy);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::Finding;
    use sgfstream_game::BoardCell;

    #[test]
    fn near_and_far() {
        let (mut points, codes) = (Points::default(), std::cell::RefCell::new(Vec::new()));
        let mut add = |finding: Finding| codes.borrow_mut().push(finding.code);
        let mut report = Reporter::of_game(1, &mut add);
        let mut look = |points: &mut Points, read| {
            points.check_value(
                &mut report,
                Group::Setup,
                Ident::new(b"AB"),
                read,
                b"aa",
                Span::new(0, 2),
            );
            codes.borrow_mut().drain(..).count()
        };
        for field in [
            BoardCell::new(0, 0),
            BoardCell::new(51, 51),
            BoardCell::new(52, 0),
            BoardCell::new(700, 700),
        ] {
            assert_eq!(
                [
                    look(&mut points, Read::Field(field)),
                    look(&mut points, Read::Field(field))
                ],
                [0, 1]
            );
        }
        points.start_node();
        let rectangle = |raw: &[u8]| Read::Rectangle(PointEntry::parse(raw).expect("two corners"));
        assert_eq!(look(&mut points, rectangle(b"bb:dd")), 0);
        assert_eq!(look(&mut points, Read::Field(BoardCell::new(3, 1))), 1);
        assert_eq!(look(&mut points, Read::Field(BoardCell::new(0, 0))), 0);
        assert_eq!(look(&mut points, rectangle(b"aa:ab")), 1);
        assert_eq!(look(&mut points, Read::Field(BoardCell::new(700, 700))), 0);
    }
}
