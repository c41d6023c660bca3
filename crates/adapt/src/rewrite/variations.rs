//! `main-line`, `depth` and `moves`: cut the tree, in memory that does not grow with its depth.

use sgfstream_game::MoveIds;

use super::unit::UnitKind;
use super::{Context, Edit, NextEdit, Unit};

/// Edit that keeps variations to a depth. It reduces deeper ones to their first line, which becomes part of the variation
/// above.
pub(super) struct Depth {
    name: &'static str,
    max: u64,
    /// A variation deeper than `max` has ended since the last kept variation began, so the next one there is not a first
    /// line.
    closed: bool,
    /// Everything is dropped until the variation of this depth ends.
    dropping: Option<u64>,
}

impl Depth {
    /// Returns the edit that keeps variations to the depth `max`; 1 keeps the main line only.
    pub(super) fn new(max: u64) -> Self {
        Self { name: "depth", max: max.max(1), closed: false, dropping: None }
    }

    pub(super) fn main_line() -> Self {
        Self { name: "main-line", ..Self::new(1) }
    }
}

impl Edit for Depth {
    fn name(&self) -> &'static str {
        self.name
    }

    fn unit(&mut self, unit: &mut Unit, at: &Context, next: &mut NextEdit<'_>) {
        if let Some(depth) = self.dropping {
            if unit.kind() == UnitKind::Close && at.depth == depth {
                self.dropping = None;
            }
            return;
        }
        match unit.kind() {
            UnitKind::Open if at.depth <= self.max => self.closed = false,
            UnitKind::Open if self.closed => {
                self.dropping = Some(at.depth);
                next.count(1);
                return;
            }
            UnitKind::Open => return,
            UnitKind::Close if at.depth > self.max => {
                self.closed = true;
                return;
            }
            _ => {}
        }
        next.push(unit);
    }
}

/// Edit that ends each line after a number of moves.
pub(super) struct Moves {
    max: u64,
    /// Moves from the root to the current unit.
    played: u64,
    /// Depths at which variations begin, each with `played` at that place. An entry also stands for deeper variations up to
    /// the depth of the next entry, so the entries are at most as many as the moves.
    began: Vec<(u64, u64)>,
    /// A `(` whose first node has not come yet.
    open: Option<Unit>,
    /// Everything is dropped until the variation of this depth ends.
    dropping: Option<Dropping>,
    ids: MoveIds,
}

#[derive(Clone, Copy)]
struct Dropping {
    depth: u64,
    /// Whether to drop its `)` as well, because no node of it was written.
    whole: bool,
}

impl Moves {
    pub(super) fn new(max: u64) -> Self {
        Self {
            max,
            played: 0,
            began: Vec::new(),
            open: None,
            dropping: None,
            ids: MoveIds::of(sgfstream_game::Game::Go),
        }
    }

    fn moves_of(&self, unit: &Unit) -> u64 {
        unit.ids()
            .filter(|&id| match unit.property(id) {
                Some(property) => self.ids.is_move(&property),
                None => unit.is_property_start(id) && self.ids.contains(unit.ident(id)),
            })
            .count() as u64
    }

    fn send_open(&mut self, next: &mut NextEdit<'_>) {
        if let Some(mut open) = self.open.take() {
            next.push(&mut open);
        }
    }
}

impl Edit for Moves {
    fn name(&self) -> &'static str {
        "moves"
    }

    fn unit(&mut self, unit: &mut Unit, at: &Context, next: &mut NextEdit<'_>) {
        if let Some(dropping) = self.dropping {
            let is_end = unit.kind() == UnitKind::Close && at.depth == dropping.depth;
            if !is_end {
                return;
            }
            self.dropping = None;
            if dropping.whole {
                self.close(at.depth);
                return;
            }
        }
        match unit.kind() {
            UnitKind::Open => {
                if at.depth == 1 {
                    (self.played, self.ids) = (0, at.game.move_ids());
                    self.began.clear();
                }
                if self.began.last().is_none_or(|&(_, played)| played != self.played) {
                    self.began.push((at.depth, self.played));
                }
                self.open = Some(unit.clone());
                return;
            }
            UnitKind::Node { .. } => {
                let moves = self.moves_of(unit);
                if moves > 0 && !at.in_root && self.played + moves > self.max {
                    next.count(1);
                    let whole = self.open.take().is_some();
                    self.dropping = Some(Dropping { depth: at.depth, whole });
                    return;
                }
                self.played += moves;
                self.send_open(next);
            }
            UnitKind::Close => {
                self.send_open(next);
                self.close(at.depth);
            }
            UnitKind::Between => self.send_open(next),
        }
        next.push(unit);
    }
}

impl Moves {
    /// Restores `played` to its value at the start of the variation of this depth.
    fn close(&mut self, depth: u64) {
        while self.began.len() > 1 && self.began.last().is_some_and(|&(began, _)| began > depth) {
            self.began.pop();
        }
        self.played = self.began.last().map_or(0, |&(_, played)| played);
    }
}
