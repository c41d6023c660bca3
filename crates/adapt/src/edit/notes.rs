//! Notes for the user about edits, and the faults of their arguments.

use std::collections::BTreeMap;
use std::fmt;

/// Reason why an edit cannot be made.
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

/// Notes for the user about a rewrite, each with its number of occurrences.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Notes {
    /// For each note, its number of occurrences and the byte of its first one in the input.
    counts: BTreeMap<&'static str, (u64, u64)>,
    cut: u64,
    lost: u64,
    unknown_charset: u64,
}

impl Notes {
    /// Adds a note about the node or parenthesis at this byte of the input.
    pub(super) fn add(&mut self, note: &'static str, count: u64, byte: u64) {
        self.counts.entry(note).or_insert((0, byte)).0 += count;
    }

    /// Like `add`, for input that is missing from the output or was left unedited.
    pub(super) fn add_cut(&mut self, note: &'static str, count: u64, byte: u64) {
        self.add(note, count, byte);
        self.cut += count;
    }

    /// Like `add`, for a text that lost bytes.
    pub(super) fn add_loss(&mut self, note: &'static str, byte: u64) {
        self.add(note, 1, byte);
        self.lost += 1;
    }

    /// Like `add`, for a text whose charset is unknown.
    pub(super) fn add_unknown_charset(&mut self, note: &'static str, byte: u64) {
        self.add(note, 1, byte);
        self.unknown_charset += 1;
    }

    /// Returns the notes as sentences, each with its number of occurrences.
    pub fn iter(&self) -> impl Iterator<Item = (&'static str, u64)> + '_ {
        self.counts.iter().map(|(&note, &(count, _))| (note, count))
    }

    /// Returns the place of a note's first occurrence: the first byte of the node or parenthesis in
    /// the input.
    #[must_use]
    pub fn first_byte(&self, note: &str) -> Option<u64> {
        self.counts.get(note).map(|&(_, byte)| byte)
    }

    /// Returns whether an edit could not be made, or unparseable bytes were dropped.
    #[must_use]
    pub fn is_cut(&self) -> bool {
        self.cut > 0
    }

    /// Returns whether a text lost bytes in conversion, because they were invalid in its charset.
    #[must_use]
    pub fn is_lossy(&self) -> bool {
        self.lost > 0
    }

    /// Returns whether a text was converted that is not UTF-8 and has no declared charset. It was
    /// read as windows-1252, which may be wrong.
    #[must_use]
    pub fn has_unknown_charset(&self) -> bool {
        self.unknown_charset > 0
    }

    /// Adds the notes of another rewrite.
    pub fn merge(&mut self, other: &Self) {
        for (note, &(count, byte)) in &other.counts {
            self.add(note, count, byte);
        }
        self.cut += other.cut;
        self.lost += other.lost;
        self.unknown_charset += other.unknown_charset;
    }
}
