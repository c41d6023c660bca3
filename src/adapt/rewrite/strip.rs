//! `strip` and `keep`: properties left out.

use crate::event::Ident;

use super::{Context, Edit, Next, Selector, Unit};

/// Leaves out the selected properties, or the others.
pub(super) struct Strip {
    pub(super) selector: Selector,
    /// Leave out what is not selected.
    pub(super) keep: bool,
}

impl Strip {
    fn drops(&self, ident: Ident<'_>, at: &Context) -> bool {
        if self.keep {
            // Without these the rest would mean something else.
            let is_essential = at.in_root && [&b"FF"[..], b"GM", b"CA", b"SZ"].iter().any(|id| ident.is(id));
            !is_essential && !self.selector.selects(ident, at)
        } else {
            self.selector.selects(ident, at)
        }
    }
}

impl Edit for Strip {
    fn name(&self) -> &'static str {
        if self.keep { "keep" } else { "strip" }
    }

    fn unit(&mut self, unit: &mut Unit, at: &Context, next: &mut Next<'_>) {
        if unit.is_node() {
            let dropped = unit.retain(|unit, number| !self.drops(unit.ident(number), at));
            next.count(dropped);
        }
        next.push(unit);
    }
}
