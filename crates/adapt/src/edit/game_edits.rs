//! Replacements of spans, and the writer.

use std::ops::Range;

/// Replacement of a span of bytes. An insertion has an empty span, a deletion no bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Replacement {
    /// Bytes to replace.
    pub span: Range<usize>,
    /// Bytes to write.
    pub bytes: Vec<u8>,
}

/// Replacements that do not overlap, in any order.
///
/// ```
/// use sgfstream_adapt::edit::{GameEdits, write_edited};
///
/// let mut edits = GameEdits::default();
/// edits.insert(18, b"C[x]");
/// edits.delete(7..12);
/// let mut out = Vec::new();
/// write_edited(b"(;GM[1] N[y];B[aa])", edits.sorted(), &mut out);
/// assert_eq!(out, b"(;GM[1];B[aa]C[x])");
/// ```
#[derive(Clone, Debug, Default)]
pub struct GameEdits {
    replacements: Vec<Replacement>,
}

impl GameEdits {
    /// Replaces the bytes of `span`.
    pub fn replace(&mut self, span: Range<usize>, bytes: Vec<u8>) {
        self.replacements.push(Replacement { span, bytes });
    }

    /// Deletes the bytes of `span`.
    pub fn delete(&mut self, span: Range<usize>) {
        self.replace(span, Vec::new());
    }

    /// Inserts bytes at a place, after those that were inserted there before.
    pub fn insert(&mut self, at: usize, bytes: &[u8]) {
        self.replace(at..at, bytes.to_vec());
    }

    /// Returns whether there are no replacements.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.replacements.is_empty()
    }

    /// Removes all replacements.
    pub fn clear(&mut self) {
        self.replacements.clear();
    }

    /// Sorts the replacements by place and returns them. At one place, a deletion that ends there
    /// comes first, then the insertions in their order, then a replacement that starts there.
    pub fn sorted(&mut self) -> &[Replacement] {
        // A list in order is left in one pass.
        self.replacements
            .sort_by_key(|replacement| (replacement.span.start, replacement.span.end));
        &self.replacements
    }
}

/// Writes `bytes` with sorted replacements. All bytes outside of the spans are copied.
pub fn write_edited(bytes: &[u8], replacements: &[Replacement], out: &mut Vec<u8>) {
    let mut from = 0;
    for Replacement { span, bytes: new } in replacements {
        out.extend_from_slice(&bytes[from..span.start.max(from)]);
        out.extend_from_slice(new);
        from = span.end.max(from);
    }
    out.extend_from_slice(&bytes[from..]);
}
