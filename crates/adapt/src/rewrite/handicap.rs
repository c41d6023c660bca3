//! `handicap`: writes the stones of a handicap as `AB` in the root, if the record omits them or plays them as moves.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::rc::Rc;

use sgfstream::{Framing, Ident};
use sgfstream_game::go::handicap_points;
use sgfstream_game::value::Number;
use sgfstream_game::{BoardCell, Dialect, Game};

use super::{Context, Edit, NextEdit, Unit, UnitKind};

/// Numbers of the games that got stones, from 1.
pub(super) type PlacedGames = Rc<RefCell<BTreeSet<u64>>>;

/// Edit that adds the stones of `HA` to the root of a Go game without `AB` (spec Q-31). White must move first, or after as
/// many black moves as there are stones, or the game must end there.
///
/// Without black moves, the stones go to the usual points, which servers mean when they omit the stones. Black moves become
/// stones only if each is the only property of its node and on a point of its own, before any white stone. Then no move
/// captures, is suicide or makes a ko. So the board and the turn after the last of them are those of the setup, and each
/// later node keeps its board.
#[derive(Default)]
pub(super) struct PlaceHandicap {
    /// A root that waits for the first moves.
    root: Option<WaitingRoot>,
    games: u64,
    /// The games that got stones. Only a repair sets this list; the edit then changes no move.
    placed: Option<PlacedGames>,
}

struct WaitingRoot {
    unit: Unit,
    at: Context,
    stones: usize,
    /// Black moves after the root, and their points.
    moves: Vec<(Unit, Context)>,
    points: Vec<BoardCell>,
    /// Whether moves may become stones.
    takes_moves: bool,
}

impl PlaceHandicap {
    /// Returns the edit for a repair, which drops no move.
    pub(super) fn for_fix(placed: &PlacedGames) -> Self {
        Self { placed: Some(Rc::clone(placed)), ..Self::default() }
    }

    /// Returns the number of stones that this root omits.
    fn stones_of(unit: &Unit, at: &Context) -> Option<usize> {
        let has = |ident: &[u8]| unit.find(ident).is_some();
        if !at.in_root || !at.is_of(Game::Go) || !unit.is_whole_node() || has(b"AB") || has(b"B") || has(b"W") {
            return None;
        }
        let raw = unit.property(unit.find(b"HA")?)?;
        let stones = Number::read(raw.first().as_bytes()).sure()?.value.get();
        Some(usize::from(u8::try_from(stones).ok().filter(|&stones| stones >= 2)?))
    }

    /// Passes the root and the buffered moves on. If White moves next or the game has ended, the root gets its stones.
    fn release(&mut self, is_white_next: bool, next: &mut NextEdit<'_>) {
        let Some(WaitingRoot { mut unit, at, stones, moves, points, .. }) = self.root.take() else { return };
        let usual = |size| handicap_points(size, u8::try_from(stones).ok()?);
        let stones = match moves.len() {
            _ if !is_white_next => None,
            0 => at.size.and_then(usual),
            played => (played == stones).then_some(points),
        };
        let Some(stones) = stones else {
            next.push_at(&mut unit, at);
            moves.into_iter().for_each(|(mut unit, at)| next.push_at(&mut unit, at));
            return;
        };
        let dialect = Dialect::new(Game::Go, at.size);
        let values = stones.into_iter().map(|point| format!("[{}]", dialect.show_point(point)));
        unit.insert(None, format!("AB{}", values.collect::<String>()).as_bytes(), Framing::Value);
        next.count(1);
        if let Some(placed) = &self.placed {
            placed.borrow_mut().insert(self.games);
        }
        next.push_at(&mut unit, at);
    }

    /// Buffers a node if a black handicap stone is its only content. Returns false for any other unit.
    fn takes_move(&mut self, unit: &mut Unit, at: &Context) -> bool {
        let Some(root) = self.root.as_mut().filter(|root| root.takes_moves && root.moves.len() < root.stones) else {
            return false;
        };
        let only = unit.first().filter(|_| unit.is_whole_node() && at.depth == 1 && unit.ids().count() == 1);
        let property = only.filter(|&id| unit.ident(id).is(b"B")).and_then(|id| unit.property(id));
        let value = property.and_then(|property| property.only());
        let point = value.and_then(|value| Dialect::new(Game::Go, at.size).parse_point(value.as_bytes()).ok());
        let Some(point) = point.filter(|point| !root.points.contains(point)) else { return false };
        root.points.push(point);
        root.moves.push((std::mem::replace(unit, Unit::node()), *at));
        true
    }
}

impl Edit for PlaceHandicap {
    fn name(&self) -> &'static str {
        "handicap"
    }

    fn unit(&mut self, unit: &mut Unit, at: &Context, next: &mut NextEdit<'_>) {
        if self.takes_move(unit, at) {
            return;
        }
        let moves_first = unit.ids().find(|&id| at.game.move_ids().contains(unit.ident(id)));
        let has_ended = unit.kind() == UnitKind::Close && at.depth == 1;
        self.release(has_ended || moves_first.is_some_and(|id| unit.ident(id).is(b"W")), next);
        let Some(stones) = Self::stones_of(unit, at) else {
            self.games += u64::from(at.in_root && unit.begins_node());
            return next.push(unit);
        };
        self.games += 1;
        let has_any = |idents: &[&[u8]]| idents.iter().any(|ident| unit.find(ident).is_some());
        // If the stones filled the board, the last move would be suicide. `PL` would contradict the turn after the setup.
        let area = at.size.map_or(0, |size| size.columns() * size.rows()) as usize;
        let takes_moves = self.placed.is_none() && stones < area && !has_any(&[b"AW", b"AE", b"PL"]);
        let (moves, points) = (Vec::new(), Vec::new());
        let unit = std::mem::replace(unit, Unit::node());
        self.root = Some(WaitingRoot { unit, at: *at, stones, moves, points, takes_moves });
    }

    fn end(&mut self, next: &mut NextEdit<'_>) {
        self.release(true, next);
    }

    fn needs_wellformed(&self) -> bool {
        self.placed.is_none()
    }

    fn ignores(&self, _: Ident<'_>, _: &Context) -> bool {
        self.root.is_none()
    }
}
