//! The trait of edits, and the chain that they form.

use std::collections::BTreeMap;
use std::fmt;

use sgfstream::{Ident, Layout};

use super::{Context, Unit};

/// A change to games, unit by unit. Edits form a chain: each gives what it made
/// of a unit, or several units, or none, to the [`Next`].
///
/// ```
/// use sgfstream_adapt::rewrite::{Context, Edit, Next, Rewriter, Unit};
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
///         let dropped = unit.retain(|unit, id| {
///             !unit.ident(id).is(b"C") || unit.property(id).is_none_or(|property| !property.first().is_empty())
///         });
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
    /// Its stable name: what a command line and a report call it.
    fn name(&self) -> &'static str;

    /// Takes a unit and gives what becomes of it to `next`.
    fn unit(&mut self, unit: &mut Unit, at: &Context, next: &mut Next<'_>);

    /// Changes what the edits after it see of the game, where it changes that.
    fn context(&self, _at: &mut Context) {}

    /// The input has ended: gives what it still holds to `next`.
    fn end(&mut self, _next: &mut Next<'_>) {}

    /// Whether games are made well-formed before it sees them: what the reader
    /// had to supply is written, what no reader understands is left out. They
    /// are, unless all edits of the chain answer `false`.
    fn settles(&self) -> bool {
        true
    }

    /// True if in this game properties of this name go on as they are after the root, and change nothing for the units after
    /// them. Nodes with nothing else are not given to the edits if all of them answer `true`. It is asked after the root.
    fn passes(&self, _ident: Ident<'_>, _at: &Context) -> bool {
        false
    }

    /// The layout that it asks the writer for, if it does.
    fn layout(&self) -> Option<Layout> {
        None
    }
}

/// Why an edit cannot be made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EditFault(String);

impl EditFault {
    pub(super) fn new(message: String) -> Self {
        Self(message)
    }
}

impl fmt::Display for EditFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for EditFault {}

/// An edit of nodes that is one function.
struct NodeEdit<F> {
    name: &'static str,
    passes: fn(Ident<'_>, &Context) -> bool,
    edit: F,
}

/// The edit that does `edit` to each node, or piece of one.
pub(super) fn node_edit(
    name: &'static str,
    edit: impl FnMut(&mut Unit, &Context, &mut Next<'_>) + 'static,
) -> Box<dyn Edit> {
    property_edit(name, |_, _| false, edit)
}

/// Like `node_edit`, for an edit that leaves properties for which [`passes`](Edit::passes) is true.
pub(super) fn property_edit(
    name: &'static str,
    passes: fn(Ident<'_>, &Context) -> bool,
    edit: impl FnMut(&mut Unit, &Context, &mut Next<'_>) + 'static,
) -> Box<dyn Edit> {
    Box::new(NodeEdit { name, passes, edit })
}

impl<F: FnMut(&mut Unit, &Context, &mut Next<'_>)> Edit for NodeEdit<F> {
    fn name(&self) -> &'static str {
        self.name
    }

    fn unit(&mut self, unit: &mut Unit, at: &Context, next: &mut Next<'_>) {
        if unit.is_node() {
            (self.edit)(unit, at, next);
        }
        next.push(unit);
    }

    fn passes(&self, ident: Ident<'_>, at: &Context) -> bool {
        (self.passes)(ident, at)
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

/// Notes for the user of a rewriting, each with how often.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Notes {
    /// How often, and the byte of the input where it was first.
    counts: BTreeMap<&'static str, (u64, u64)>,
    cut: u64,
    lost: u64,
    unknown_charset: u64,
}

impl Notes {
    pub(super) fn add(&mut self, note: &'static str, count: u64, byte: u64) {
        self.counts.entry(note).or_insert((0, byte)).0 += count;
    }

    /// Like `add`, for bytes that are not in the output.
    pub(super) fn add_cut(&mut self, note: &'static str, count: u64, byte: u64) {
        self.add(note, count, byte);
        self.cut += count;
    }

    /// Each note as a sentence, with how often it was made.
    pub fn iter(&self) -> impl Iterator<Item = (&'static str, u64)> + '_ {
        self.counts.iter().map(|(&note, &(count, _))| (note, count))
    }

    /// The byte of the input where the node or parenthesis begins that a note was first made of.
    #[must_use]
    pub fn first_byte(&self, note: &str) -> Option<u64> {
        self.counts.get(note).map(|&(_, byte)| byte)
    }

    /// True if something could not be done and was left as it was, or bytes that no reader understands were left out.
    #[must_use]
    pub fn is_cut(&self) -> bool {
        self.cut > 0
    }

    /// True if text was converted with loss: some of its bytes were no text in its charset.
    #[must_use]
    pub fn is_lossy(&self) -> bool {
        self.lost > 0
    }

    /// True if text was converted that is not UTF-8 and whose charset nothing names: it was taken for windows-1252, and what
    /// was written may not be what was meant.
    #[must_use]
    pub fn has_unknown_charset(&self) -> bool {
        self.unknown_charset > 0
    }

    /// Adds the notes of another rewriting.
    pub fn merge(&mut self, other: &Self) {
        other.counts.iter().for_each(|(note, &(count, byte))| self.add(note, count, byte));
        self.cut += other.cut;
        self.lost += other.lost;
        self.unknown_charset += other.unknown_charset;
    }
}

/// The edits that follow one, and the writer after them.
pub struct Next<'n> {
    changes: &'n mut u64,
    at: Context,
    chain: Chain<'n>,
}

/// Edits, and what they lead to.
pub(super) struct Chain<'n> {
    pub(super) links: &'n mut [Link],
    pub(super) notes: &'n mut Notes,
    /// Where in the input the unit began that is given to the first edit.
    pub(super) byte: u64,
    pub(super) out: &'n mut dyn FnMut(&Unit),
}

impl fmt::Debug for Next<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Next").field("links", &self.chain.links).finish_non_exhaustive()
    }
}

impl Next<'_> {
    /// Hands a unit on.
    pub fn push(&mut self, unit: &mut Unit) {
        let at = self.at;
        self.chain.run(unit, &at);
    }

    /// Hands on a unit that was held, with the context that it came with.
    pub(super) fn push_at(&mut self, unit: &mut Unit, mut at: Context) {
        std::mem::swap(&mut self.at, &mut at);
        self.push(unit);
        self.at = at;
    }

    /// Hands on a node that was split off the one at hand: it is no root.
    pub(super) fn push_second(&mut self, unit: &mut Unit) {
        let at = Context { in_root: false, ..self.at };
        self.chain.run(unit, &at);
    }

    /// The edit changed this many things.
    pub fn count(&mut self, changes: u64) {
        *self.changes += changes;
    }

    /// Something was done that a user should be told of.
    pub fn note(&mut self, note: &'static str) {
        self.chain.notes.add(note, 1, self.chain.byte);
    }

    /// Like `note`, where bytes were lost.
    pub(super) fn note_loss(&mut self, note: &'static str) {
        self.note(note);
        self.chain.notes.lost += 1;
    }

    /// Like `note`, where the charset is not known.
    pub(super) fn note_unknown_charset(&mut self, note: &'static str) {
        self.note(note);
        self.chain.notes.unknown_charset += 1;
    }

    /// Something could not be done, and was left as it was or written with a
    /// loss. A command that meets this should say so with its exit status.
    pub fn note_cut(&mut self, note: &'static str) {
        self.note(note);
        self.chain.notes.cut += 1;
    }
}

impl Chain<'_> {
    /// Gives a unit to the first of the edits. Recurses as often as there are
    /// edits.
    pub(super) fn run(&mut self, unit: &mut Unit, at: &Context) {
        let Some((link, links)) = self.links.split_first_mut() else { return (self.out)(unit) };
        let mut after = *at;
        link.edit.context(&mut after);
        let chain = Chain { links, notes: self.notes, byte: self.byte, out: self.out };
        link.edit.unit(unit, at, &mut Next { changes: &mut link.changes, at: after, chain });
    }

    /// Tells the edits, one after another, that the input has ended.
    pub(super) fn end(&mut self, at: &Context) {
        for first in 0..self.links.len() {
            let Some((link, links)) = self.links[first..].split_first_mut() else { return };
            let chain = Chain { links, notes: self.notes, byte: self.byte, out: self.out };
            link.edit.end(&mut Next { changes: &mut link.changes, at: *at, chain });
        }
    }
}
