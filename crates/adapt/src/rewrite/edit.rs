//! The trait of edits, and the chain that passes units from edit to edit.

use std::collections::BTreeMap;
use std::fmt;

use sgfstream::{Ident, Layout};

use super::{Context, Unit};

/// A change to games, unit by unit. Edits form a chain: an edit may pass a unit on to [`NextEdit`], pass several units
/// on, or drop it.
pub(crate) trait Edit {
    /// Returns the stable name of the edit, for command lines and reports.
    fn name(&self) -> &'static str;

    /// Edits a unit and passes the result to `next`.
    fn unit(&mut self, unit: &mut Unit, at: &Context, next: &mut NextEdit<'_>);

    /// Changes the context for later edits, if this edit changes the facts in it.
    fn context(&self, _at: &mut Context) {}

    /// Passes buffered units to `next`, because the input has ended.
    fn end(&mut self, _next: &mut NextEdit<'_>) {}

    /// Returns whether this edit needs well-formed games. If any edit of the chain does, the rewriter writes the tokens that
    /// the reader inserted, and drops unparseable bytes.
    fn needs_wellformed(&self) -> bool {
        true
    }

    /// Returns whether this edit leaves properties of this name unchanged after the root of this game, and needs none of
    /// them for later units. If all edits return `true` for every property of a node, the rewriter copies the node without
    /// calling them. The rewriter calls this after the root.
    fn ignores(&self, _ident: Ident<'_>, _at: &Context) -> bool {
        false
    }

    /// Returns the layout that this edit requires of the writer, if any.
    fn layout(&self) -> Option<Layout> {
        None
    }
}

/// An edit, and its number of changes so far.
pub(super) struct Link {
    pub(super) edit: Box<dyn Edit>,
    pub(super) changes: u64,
}

impl fmt::Debug for Link {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({} changes)", self.edit.name(), self.changes)
    }
}

/// Notes for the user about a rewrite, each with its number of occurrences.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Notes {
    /// For each note, its number of occurrences and the byte of its first one in the input.
    counts: BTreeMap<&'static str, (u64, u64)>,
    cut: u64,
    lost: u64,
    unknown_charset: u64,
}

impl Notes {
    pub(super) fn add(&mut self, note: &'static str, count: u64, byte: u64) {
        self.counts.entry(note).or_insert((0, byte)).0 += count;
    }

    /// Like `add`, for input that is missing from the output or was left unedited.
    pub(super) fn add_cut(&mut self, note: &'static str, count: u64, byte: u64) {
        self.add(note, count, byte);
        self.cut += count;
    }
}

/// The later edits of the chain, and the writer at its end.
pub(crate) struct NextEdit<'n> {
    changes: &'n mut u64,
    at: Context,
    chain: Chain<'n>,
}

/// Edits, with the writer and the notes that they share.
pub(super) struct Chain<'n> {
    pub(super) links: &'n mut [Link],
    pub(super) notes: &'n mut Notes,
    /// First byte in the input of the unit that the chain was called with.
    pub(super) byte: u64,
    pub(super) out: &'n mut dyn FnMut(&Unit),
}

impl fmt::Debug for NextEdit<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Next").field("links", &self.chain.links).finish_non_exhaustive()
    }
}

impl NextEdit<'_> {
    /// Passes a unit on.
    pub(crate) fn push(&mut self, unit: &mut Unit) {
        let at = self.at;
        self.chain.run(unit, &at);
    }

    /// Passes a buffered unit on, with its own context.
    pub(super) fn push_at(&mut self, unit: &mut Unit, mut at: Context) {
        std::mem::swap(&mut self.at, &mut at);
        self.push(unit);
        self.at = at;
    }

    /// Adds to the number of changes of this edit.
    pub(crate) fn count(&mut self, changes: u64) {
        *self.changes += changes;
    }

    /// Adds a note for the user.
    pub(crate) fn note(&mut self, note: &'static str) {
        self.chain.notes.add(note, 1, self.chain.byte);
    }

    /// Like `note`, for a text that lost bytes.
    pub(super) fn note_loss(&mut self, note: &'static str) {
        self.note(note);
        self.chain.notes.lost += 1;
    }

    /// Like `note`, for a text whose charset is unknown.
    pub(super) fn note_unknown_charset(&mut self, note: &'static str) {
        self.note(note);
        self.chain.notes.unknown_charset += 1;
    }
}

impl Chain<'_> {
    /// Passes a unit to the first edit. The depth of recursion is the number of edits.
    pub(super) fn run(&mut self, unit: &mut Unit, at: &Context) {
        let Some((link, links)) = self.links.split_first_mut() else { return (self.out)(unit) };
        let mut after = *at;
        link.edit.context(&mut after);
        let chain = Chain { links, notes: self.notes, byte: self.byte, out: self.out };
        link.edit.unit(unit, at, &mut NextEdit { changes: &mut link.changes, at: after, chain });
    }

    /// Notifies the edits in order that the input has ended.
    pub(super) fn end(&mut self, at: &Context) {
        for first in 0..self.links.len() {
            let Some((link, links)) = self.links[first..].split_first_mut() else { return };
            let chain = Chain { links, notes: self.notes, byte: self.byte, out: self.out };
            link.edit.end(&mut NextEdit { changes: &mut link.changes, at: *at, chain });
        }
    }
}
