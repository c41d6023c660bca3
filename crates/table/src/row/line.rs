//! The main line of a game, property by property, for every table that is
//! about it.

use std::borrow::Cow;

use sgfstream::{Event, Ident, Property};
use sgfstream_game::{GameState, Step, is_setup};

/// Next step of the main line.
pub(crate) enum LineStep<'l> {
    /// The root has ended. Its properties follow.
    Start,
    /// A move.
    Move(LineMove<'l>),
    /// A property that is no move.
    Other(&'l Property<'l>),
    /// The end of a node.
    NodeEnd,
    /// The end of a line, after that of its last node.
    End,
}

/// A move of the main line.
pub(crate) struct LineMove<'l> {
    /// Its number, from 1.
    pub(crate) ply: u64,
    /// Who plays, from 1.
    pub(crate) color: u8,
    /// Its value as newer files write it.
    pub(crate) value: Cow<'l, [u8]>,
}

/// Gives `take` what an event of the main line brings. The properties of the root come when it has ended.
pub(crate) fn follow(state: &GameState, step: Step, event: &Event<'_>, mut take: impl FnMut(LineStep<'_>)) {
    match step {
        Step::Move { color, point } => {
            return take(LineStep::Move(LineMove { ply: state.ply(), color, value: Cow::Borrowed(&point) }));
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
                take(LineStep::Move(LineMove { ply, color: played.color, value: played.bytes() }));
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
                take(LineStep::Move(LineMove { ply, color, value: played.bytes() }));
            }
            if !has_moves {
                take(LineStep::Other(property));
            }
        }
        _ => {}
    }
}

/// True if a property sets up a position. Where moves and setup of a root are too many to be held, GM and SZ after them
/// come too late to change what they mean, but still tell two games apart.
pub(super) fn sets_up(state: &GameState, ident: Ident<'_>) -> bool {
    is_setup(ident) || (state.nodes() <= 1 && !state.in_root() && (ident.is(b"GM") || ident.is(b"SZ")))
}
