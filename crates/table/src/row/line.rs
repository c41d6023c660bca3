//! Steps of a game's main line, property by property, for all tables about it.

use std::borrow::Cow;

use sgfstream::{Event, Ident, Property};
use sgfstream_game::{GameState, Step, is_setup};

/// Step of the main line.
pub(crate) enum LineStep<'l> {
    /// The end of the root. Its properties follow.
    Start,
    /// A move.
    Move(MainLineMove<'l>),
    /// A property that is not a move.
    Other(&'l Property<'l>),
    /// The end of a node.
    NodeEnd,
    /// The end of the line, after the end of its last node.
    End,
}

/// A move of the main line.
pub(crate) struct MainLineMove<'l> {
    /// Number of the move, from 1.
    pub(crate) ply: u64,
    /// Number of the player, from 1.
    pub(crate) color: u8,
    /// The value in the spelling of newer files.
    pub(crate) value: Cow<'l, [u8]>,
}

/// Passes the steps of an event on the main line to `take`. The properties of the root follow at its end.
pub(crate) fn follow(state: &GameState, step: Step, event: &Event<'_>, mut take: impl FnMut(LineStep<'_>)) {
    match step {
        Step::Move { color, point } => {
            return take(LineStep::Move(MainLineMove { ply: state.ply(), color, value: Cow::Borrowed(&point) }));
        }
        Step::Node => return take(LineStep::NodeEnd),
        _ => {}
    }
    if step == Step::RootEnd {
        take(LineStep::Start);
        let mut ply = 0;
        for property in state.root() {
            let before = ply;
            for played in state.moves(&property) {
                ply += 1;
                take(LineStep::Move(MainLineMove { ply, color: played.color, value: played.bytes() }));
            }
            if ply == before {
                take(LineStep::Other(&property));
            }
        }
    }
    if state.in_root() {
        return;
    }
    match event {
        Event::NodeStart { .. } | Event::VariationStart { .. } => take(LineStep::NodeEnd),
        Event::VariationEnd { .. } => {
            take(LineStep::NodeEnd);
            take(LineStep::End);
        }
        Event::Property(property) => {
            let mut has_moves = false;
            for played in state.moves(property) {
                has_moves = true;
                let (ply, color) = (played.ply, played.color);
                take(LineStep::Move(MainLineMove { ply, color, value: played.bytes() }));
            }
            if !has_moves {
                take(LineStep::Other(property));
            }
        }
        _ => {}
    }
}

/// Returns whether a property is setup. In a root that is too long to buffer, a late GM or SZ does not affect the meaning of
/// moves and setup, but it still distinguishes games, so it counts as well.
pub(super) fn sets_up(state: &GameState, ident: Ident<'_>) -> bool {
    is_setup(ident) || (state.nodes() <= 1 && !state.in_root() && (ident.is(b"GM") || ident.is(b"SZ")))
}
