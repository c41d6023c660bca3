//! Notes for the user about edits, and the faults of their arguments.

use std::collections::BTreeMap;
use std::fmt;

/// Reason why an edit cannot be made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EditFault(pub(super) String);

impl fmt::Display for EditFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for EditFault {}

/// Meaning of a note. Each note has one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NoteKind {
    Remark,
    /// Input is missing from the output or was left unedited.
    Cut,
    /// A text lost bytes.
    Loss,
    /// The charset of a text is unknown.
    UnknownCharset,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct NoteCount {
    kind: NoteKind,
    count: u64,
    /// Byte of the first occurrence in the input.
    byte: u64,
}

/// Notes for the user about a rewrite, each with its number of occurrences.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Notes {
    counts: BTreeMap<&'static str, NoteCount>,
}

impl Notes {
    /// Adds a note about the node or parenthesis at this byte of the input.
    pub(super) fn add(&mut self, kind: NoteKind, note: &'static str, count: u64, byte: u64) {
        let first = NoteCount {
            kind,
            count: 0,
            byte,
        };
        self.counts.entry(note).or_insert(first).count += count;
    }

    fn has(&self, kind: NoteKind) -> bool {
        self.counts.values().any(|note| note.kind == kind)
    }

    /// Returns the notes as sentences, each with its number of occurrences.
    pub fn iter(&self) -> impl Iterator<Item = (&'static str, u64)> + '_ {
        self.counts.iter().map(|(&note, found)| (note, found.count))
    }

    /// Returns the place of a note's first occurrence: the first byte of the node or parenthesis in
    /// the input.
    #[must_use]
    pub fn first_byte(&self, note: &str) -> Option<u64> {
        self.counts.get(note).map(|found| found.byte)
    }

    /// Returns whether an edit could not be made, or unparseable bytes were dropped.
    #[must_use]
    pub fn is_cut(&self) -> bool {
        self.has(NoteKind::Cut)
    }

    /// Returns whether a text lost bytes in conversion, because they were invalid in its charset.
    #[must_use]
    pub fn is_lossy(&self) -> bool {
        self.has(NoteKind::Loss)
    }

    /// Returns whether a text was converted that is not UTF-8 and has no declared charset. It was
    /// read as windows-1252, which may be wrong.
    #[must_use]
    pub fn has_unknown_charset(&self) -> bool {
        self.has(NoteKind::UnknownCharset)
    }

    /// Adds the notes of another rewrite.
    pub fn merge(&mut self, other: &Self) {
        for (note, found) in &other.counts {
            self.add(found.kind, note, found.count, found.byte);
        }
    }
}
