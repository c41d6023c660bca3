//! The trait of edits, and what stands behind each.

use std::collections::BTreeMap;
use std::fmt;

use crate::write::Layout;

use super::{Context, Unit};

/// A change to games, unit by unit. Edits compose: each gives what it made of
/// a unit, or several units, or none, to the [`Next`].
///
/// ```
/// use sgfstream::adapt::rewrite::{Context, Edit, Next, Rewriter, Unit};
///
/// /// Leaves out comments with nothing in them.
/// struct NoEmptyComments;
///
/// impl Edit for NoEmptyComments {
///     fn name(&self) -> &'static str {
///         "no-empty-comments"
///     }
///
///     fn unit(&mut self, unit: &mut Unit, _: &Context, next: &mut Next<'_>) {
///         let is_empty = |unit: &Unit, number| {
///             unit.ident(number).is(b"C") && unit.property(number).is_some_and(|property| property.first().is_empty())
///         };
///         let dropped = unit.retain(|unit, number| !is_empty(unit, number));
///         next.count(dropped);
///         next.push(unit);
///     }
/// }
///
/// let mut rewriter = Rewriter::new(Vec::new(), vec![Box::new(NoEmptyComments)]);
/// rewriter.slice(b"(;B[aa]C[];W[bb]C[x])");
/// assert_eq!(rewriter.finish()?.0, b"(;B[aa];W[bb]C[x])");
/// # Ok::<(), std::io::Error>(())
/// ```
pub trait Edit {
    /// Its stable name: what a command line and a repair call it.
    fn name(&self) -> &'static str;

    /// Takes a unit and gives what becomes of it to `next`.
    fn unit(&mut self, unit: &mut Unit, at: &Context, next: &mut Next<'_>);

    /// What the edits behind it see of the game, where it changes that.
    fn context(&self, _at: &mut Context) {}

    /// The input has ended: gives what it still holds to `next`.
    fn end(&mut self, _next: &mut Next<'_>) {}

    /// Whether games are made well-formed before it sees them: what the reader
    /// had to supply is written, what nothing understands is left out. So it
    /// is, unless all edits say no.
    fn settles(&self) -> bool {
        true
    }

    /// The layout that it asks the writer for, if it does.
    fn layout(&self) -> Option<Layout> {
        None
    }
}

/// An edit and how often it changed something.
pub(super) struct Link {
    pub(super) edit: Box<dyn Edit>,
    pub(super) changes: u64,
}

impl fmt::Debug for Link {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({} changes)", self.edit.name(), self.changes)
    }
}

/// Takes what the last edit gives.
pub(super) trait Out {
    fn write(&mut self, unit: &Unit);
}

/// What rewriting did that somebody should hear of, each with how often.
pub type Notes = BTreeMap<&'static str, u64>;

/// The edits behind one, and the writer behind them.
pub struct Next<'n> {
    changes: &'n mut u64,
    rest: &'n mut [Link],
    at: Context,
    notes: &'n mut Notes,
    out: &'n mut dyn Out,
}

impl fmt::Debug for Next<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Next").field("rest", &self.rest).finish_non_exhaustive()
    }
}

impl Next<'_> {
    /// Hands a unit on.
    pub fn push(&mut self, unit: &mut Unit) {
        run(self.rest, unit, &self.at, self.notes, self.out);
    }

    /// Hands on a node that was split off the one in hand: it is no root.
    pub fn push_second(&mut self, unit: &mut Unit) {
        let at = Context { in_root: false, ..self.at };
        run(self.rest, unit, &at, self.notes, self.out);
    }

    /// Hands on a unit that was held, with the context it came with.
    pub fn push_held(&mut self, unit: &mut Unit, at: &Context) {
        run(self.rest, unit, at, self.notes, self.out);
    }

    /// The edit changed this many things.
    pub fn count(&mut self, changes: u64) {
        *self.changes += changes;
    }

    /// Something was met that the edit could not do, or not without loss.
    pub fn note(&mut self, note: &'static str) {
        *self.notes.entry(note).or_default() += 1;
    }
}

/// Gives a unit to the first of the edits. As deep as there are edits.
pub(super) fn run(links: &mut [Link], unit: &mut Unit, at: &Context, notes: &mut Notes, out: &mut dyn Out) {
    match links.split_first_mut() {
        None => out.write(unit),
        Some((link, rest)) => {
            let mut behind = *at;
            link.edit.context(&mut behind);
            let mut next = Next { changes: &mut link.changes, rest, at: behind, notes, out };
            link.edit.unit(unit, at, &mut next);
        }
    }
}

/// Tells the edits, one after another, that the input has ended.
pub(super) fn end(links: &mut [Link], at: &Context, notes: &mut Notes, out: &mut dyn Out) {
    for first in 0..links.len() {
        let Some((link, rest)) = links[first..].split_first_mut() else { return };
        let mut next = Next { changes: &mut link.changes, rest, at: *at, notes, out };
        link.edit.end(&mut next);
    }
}
