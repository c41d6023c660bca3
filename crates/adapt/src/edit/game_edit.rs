//! The trait of edits, and what an edit writes into.

use sgfstream::record::GameRecord;
use sgfstream::{Ident, RawValue};

use super::notes::NoteKind;
use super::{EditContext, GameEdits, Notes, PlacedProperty};

/// An edit of a game: a function from the game to replacements of its bytes.
///
/// ```
/// use sgfstream::record::GameRecord;
/// use sgfstream_adapt::edit::{EditContext, EditOutput, GameEdit, PlacedProperty, Rewriter};
///
/// /// Leaves out comments with nothing in them.
/// struct NoEmptyComments;
///
/// impl GameEdit for NoEmptyComments {
///     fn name(&self) -> &'static str {
///         "no-empty-comments"
///     }
///
///     fn edit(&self, game: &GameRecord<'_>, _: &EditContext, out: &mut EditOutput) {
///         for placed in PlacedProperty::wanted(*game, |ident, _| ident.is(b"C")) {
///             if placed.property.first().is_empty() {
///                 out.edits.delete(placed.with_blanks(game));
///                 out.count(1);
///             }
///         }
///     }
/// }
///
/// let mut rewriter = Rewriter::new(vec![Box::new(NoEmptyComments)]);
/// assert_eq!(rewriter.slice(b"(;B[aa]C[];W[bb]C[x])"), b"(;B[aa];W[bb]C[x])");
/// ```
pub trait GameEdit {
    /// Returns the stable name of the edit, for command lines and reports.
    fn name(&self) -> &'static str;

    /// Adds the replacements that the edit makes in a game. The game has no parts that the reader
    /// inserted, and no stray text.
    fn edit(&self, game: &GameRecord<'_>, at: &EditContext, out: &mut EditOutput);

    /// Returns the number of calls of [`edit`](Self::edit) for a game. Each call reads the result
    /// of the last one, and [`EditOutput::step`] is its number.
    fn steps(&self) -> usize {
        1
    }

    /// Changes the facts for later edits, if this edit changes them.
    fn context(&self, _at: &mut EditContext) {}

    /// Returns whether the edit drops a property of this name, in the root or below. Returns `None`
    /// if it makes other changes than dropping whole properties. An edit that drops only whole
    /// properties also edits games that are too long to buffer.
    fn drops(&self, _ident: Ident<'_>, _in_root: bool, _at: &EditContext) -> Option<bool> {
        None
    }

    /// Returns whether each game gets the canonical layout.
    fn is_canonical(&self) -> bool {
        false
    }
}

/// What an edit makes of a game: replacements, a number of changes, and notes for the user.
#[derive(Debug, Default)]
pub struct EditOutput {
    /// The replacements.
    pub edits: GameEdits,
    /// The number of this step.
    pub(super) step: usize,
    /// Place of the game in the input.
    pub(super) start: u64,
    /// Whether the game has the bytes of the input, so that places in it are places in the input.
    pub(super) is_as_read: bool,
    pub(super) changes: u64,
    pub(super) notes: Notes,
}

impl EditOutput {
    /// Returns the number of this step, from 0.
    #[must_use]
    pub fn step(&self) -> usize {
        self.step
    }

    /// Adds to the number of changes of this edit.
    pub fn count(&mut self, changes: u64) {
        self.changes += changes;
    }

    /// Adds a note for the user about the node at `node`.
    pub fn note(&mut self, note: &'static str, node: usize) {
        self.add_note(NoteKind::Remark, note, 1, node);
    }

    /// Adds a note about an edit that failed or dropped data. `sgfq` then exits with status 1.
    pub fn note_cut(&mut self, note: &'static str, node: usize) {
        self.add_note(NoteKind::Cut, note, 1, node);
    }

    /// Adds a note about the node at `node`, or about the game if an earlier edit changed it.
    pub(super) fn add_note(&mut self, kind: NoteKind, note: &'static str, count: u64, node: usize) {
        let offset = if self.is_as_read { node as u64 } else { 0 };
        self.notes.add(kind, note, count, self.start + offset);
    }

    /// Deletes a property, with the blanks before it.
    pub fn drop_property(&mut self, game: &GameRecord<'_>, placed: &PlacedProperty<'_>) {
        self.edits.delete(placed.with_blanks(game));
    }

    /// Replaces the identifier of a property.
    pub fn rename(&mut self, placed: &PlacedProperty<'_>, ident: &[u8]) {
        self.edits.replace(placed.ident_span(), ident.to_vec());
    }

    /// Replaces each value of a property for which `edit` returns other bytes. Returns whether one
    /// changed.
    pub fn edit_values<'t>(
        &mut self,
        placed: &PlacedProperty<'t>,
        mut edit: impl FnMut(RawValue<'t>) -> Option<Vec<u8>>,
    ) -> bool {
        let mut is_changed = false;
        for value in placed.property.values() {
            if let Some(new) = edit(value) {
                self.edits.replace(placed.value_span(value), new);
                is_changed = true;
            }
        }
        is_changed
    }
}
