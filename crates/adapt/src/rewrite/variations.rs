//! `main-line`, `depth` and `moves`: remove parts of the tree, at constant
//! memory however deep it is.

use sgfstream_game::MoveIds;

use super::unit::UnitKind;
use super::{Context, Edit, Next, Unit};

/// Keeps variations to a depth; what nests deeper is reduced to its first
/// line, which becomes part of the variation above it.
pub(super) struct Depth {
    name: &'static str,
    max: u64,
    /// A variation deeper than `max` was closed since the last one that is
    /// kept began: the next one that opens there is no first line.
    closed: bool,
    /// Nothing is kept until the variation of this depth ends.
    dropping: Option<u64>,
}

impl Depth {
    /// Variations to the depth `max`; 1 is the main line alone.
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

    fn unit(&mut self, unit: &mut Unit, at: &Context, next: &mut Next<'_>) {
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

/// Ends each line after a number of moves.
pub(super) struct Moves {
    max: u64,
    /// Moves from the root to here.
    played: u64,
    /// How many there were where the variations of this depth and those below
    /// it began, up to the next entry: as many entries as moves at most.
    began: Vec<(u64, u64)>,
    /// A `(` whose first node has not come.
    open: Option<Unit>,
    /// Nothing is kept until the variation of this depth ends.
    dropping: Option<Dropping>,
    ids: MoveIds,
}

#[derive(Clone, Copy)]
struct Dropping {
    depth: u64,
    /// Its `)` goes as well: it has no node.
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

    fn send_open(&mut self, next: &mut Next<'_>) {
        if let Some(mut open) = self.open.take() {
            next.push(&mut open);
        }
    }
}

impl Edit for Moves {
    fn name(&self) -> &'static str {
        "moves"
    }

    fn unit(&mut self, unit: &mut Unit, at: &Context, next: &mut Next<'_>) {
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
    /// Back to where the variation of this depth began.
    fn close(&mut self, depth: u64) {
        while self.began.len() > 1 && self.began.last().is_some_and(|&(began, _)| began > depth) {
            self.began.pop();
        }
        self.played = self.began.last().map_or(0, |&(_, played)| played);
    }
}
