//! `handicap`: place the usual stones of a handicap that the record leaves out.

use sgfstream::{Framing, Ident};
use sgfstream_game::go::handicap_points;
use sgfstream_game::value::Number;
use sgfstream_game::{Dialect, Game};

use super::{Context, Edit, Next, Unit};

/// Gives the root of a game of Go that has `HA` and no `AB` the stones on their usual points (spec Q-31), if White makes the
/// first move. A game in which Black moves first keeps its root: those moves may be the handicap.
#[derive(Default)]
pub(super) struct PlaceHandicap {
    /// A root that waits for the first move, with its context and its stones.
    root: Option<(Unit, Context, Vec<u8>)>,
}

impl PlaceHandicap {
    /// Returns the property with the stones that this root leaves out.
    fn stones_of(unit: &Unit, at: &Context) -> Option<Vec<u8>> {
        let has = |ident: &[u8]| unit.find(ident).is_some();
        if !at.in_root || !at.is_of(Game::Go) || !unit.is_whole_node() || has(b"AB") || has(b"B") || has(b"W") {
            return None;
        }
        let raw = unit.property(unit.find(b"HA")?)?;
        let stones = Number::read(raw.first().as_bytes()).sure()?.value.get();
        let points = handicap_points(at.size?, u8::try_from(stones).ok()?)?;
        let dialect = Dialect::new(Game::Go, at.size);
        let values = points.into_iter().map(|point| format!("[{}]", dialect.show_point(point)));
        Some(format!("AB{}", values.collect::<String>()).into_bytes())
    }

    /// Hands the root on, with its stones if `is_meant`.
    fn release(&mut self, is_meant: bool, next: &mut Next<'_>) {
        let Some((mut root, at, stones)) = self.root.take() else { return };
        if is_meant {
            root.insert(None, &stones, Framing::Value);
            next.count(1);
        }
        next.push_at(&mut root, at);
    }
}

impl Edit for PlaceHandicap {
    fn name(&self) -> &'static str {
        "handicap"
    }

    fn unit(&mut self, unit: &mut Unit, at: &Context, next: &mut Next<'_>) {
        let moves_first = unit.ids().find(|&id| at.game.move_ids().contains(unit.ident(id)));
        self.release(moves_first.is_some_and(|id| unit.ident(id).is(b"W")), next);
        match Self::stones_of(unit, at) {
            Some(stones) => self.root = Some((std::mem::replace(unit, Unit::node()), *at, stones)),
            None => next.push(unit),
        }
    }

    fn end(&mut self, next: &mut Next<'_>) {
        self.release(false, next);
    }

    fn passes(&self, _: Ident<'_>, _: &Context) -> bool {
        self.root.is_none()
    }
}
