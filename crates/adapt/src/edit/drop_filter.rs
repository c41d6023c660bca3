//! Drops whole properties of a game that is too long to buffer, in constant memory.

use std::io::{self, Write};

use sgfstream::{Event, EventReader, Ident, Span};

use super::notes::NoteKind;
use super::placed_property::is_blank;
use super::well_formed::UNREAD;
use super::{EditContext, GameEdit, Notes};

/// Copies the events of a game without the properties that edits drop. It makes the game
/// well-formed, as [`Rewriter`](super::Rewriter) does.
pub(super) struct DropFilter<'f, W> {
    edits: &'f [Box<dyn GameEdit>],
    at: &'f EditContext,
    /// Offset of the game in the input.
    start: u64,
    out: &'f mut W,
    /// Blanks that are written unless the next property is dropped.
    blanks: Vec<u8>,
    /// Bytes since the last event, if they are more than blanks.
    stray: u64,
    /// Number of nodes so far: 1 in the root.
    nodes: u64,
    /// Place of the last node or parenthesis.
    mark: u64,
    /// Whether the property that comes in parts is dropped.
    is_dropping: bool,
    depth: u64,
    begin: VariationBegin,
    changes: Vec<u64>,
    notes: Notes,
}

/// Beginning of a variation below the game's own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum VariationBegin {
    /// Its first node has a property, or there is no such variation.
    Written,
    /// Nothing was dropped so far.
    AsRead,
    /// Properties were dropped, so that it may look like another game.
    Changed,
}

impl<'f, W: Write> DropFilter<'f, W> {
    pub(super) fn new(
        edits: &'f [Box<dyn GameEdit>],
        at: &'f EditContext,
        start: u64,
        out: &'f mut W,
    ) -> Self {
        Self {
            edits,
            at,
            start,
            out,
            blanks: Vec::new(),
            stray: 0,
            nodes: 0,
            mark: 0,
            is_dropping: false,
            depth: 0,
            begin: VariationBegin::Written,
            changes: vec![0; edits.len()],
            notes: Notes::default(),
        }
    }

    /// Copies the game that `reader` reads with its gaps.
    pub(super) fn run(&mut self, reader: &mut impl EventReader) -> io::Result<()> {
        while reader.advance().map_err(io::Error::other)? {
            self.event(&reader.event(), reader.span())?;
        }
        self.end_gap();
        self.write(b"")
    }

    /// Adds the numbers of changes and the notes to the counts and notes of the rewriter.
    pub(super) fn finish(self, changes: &mut [u64], notes: &mut Notes) {
        for (sum, more) in changes.iter_mut().zip(&self.changes) {
            *sum += more;
        }
        notes.merge(&self.notes);
    }

    fn event(&mut self, event: &Event<'_>, span: Span) -> io::Result<()> {
        if !matches!(event, Event::Gap(_) | Event::Problem(_)) {
            self.end_gap();
        }
        match event {
            Event::Gap(gap) => self.gap(gap),
            Event::VariationStart(_) => {
                self.depth += 1;
                self.begin = if self.depth > 1 {
                    VariationBegin::AsRead
                } else {
                    VariationBegin::Written
                };
                self.mark(b"(", span)
            }
            Event::VariationEnd(_) => {
                self.depth -= 1;
                self.mark(b")", span)
            }
            Event::NodeStart { .. } => {
                self.nodes += 1;
                self.mark(b";", span)
            }
            Event::Property(property) => {
                if self.drops(property.ident()) {
                    self.skip();
                    return Ok(());
                }
                // Write a blank before the `[`, or the variation would look like another game.
                if self.begin == VariationBegin::Changed && property.begins_game() {
                    return self.write_property(&property.to_bytes_spaced(), event);
                }
                self.write_property(property.as_bytes(), event)
            }
            Event::PropertyPart(part) => {
                if part.is_property_start() {
                    self.is_dropping = self.drops(part.ident());
                }
                if self.is_dropping {
                    self.skip();
                    return Ok(());
                }
                self.write_property(part.as_bytes(), event)
            }
            _ => Ok(()),
        }
    }

    /// Takes bytes between events. If any of them are more than blanks, all of them are dropped.
    fn gap(&mut self, gap: &[u8]) -> io::Result<()> {
        if self.stray > 0 || !is_blank(gap) {
            self.stray += (self.blanks.len() + gap.len()) as u64;
            self.blanks.clear();
            return Ok(());
        }
        self.blanks.extend_from_slice(gap);
        if self.blanks.len() > 1 << 16 {
            self.write(b"")
        } else {
            Ok(())
        }
    }

    /// Reports the bytes that were dropped since the last event.
    fn end_gap(&mut self) {
        if self.stray > 0 {
            let bytes = std::mem::take(&mut self.stray);
            let mark = self.start + self.mark;
            self.notes.add(NoteKind::Cut, UNREAD, bytes, mark);
        }
    }

    /// Leaves out a property, with the blanks before it.
    fn skip(&mut self) {
        self.blanks.clear();
        if self.begin == VariationBegin::AsRead {
            self.begin = VariationBegin::Changed;
        }
    }

    /// Writes a property or a part of one. A value that the input cuts off is closed.
    fn write_property(&mut self, bytes: &[u8], event: &Event<'_>) -> io::Result<()> {
        self.begin = VariationBegin::Written;
        let Some(value) = event.cut_value() else {
            return self.write(bytes);
        };
        let (kept, end) = value.closing();
        let cut = value.as_bytes().len() - kept.len();
        self.write(&bytes[..bytes.len() - cut])?;
        self.out.write_all(end.as_bytes())
    }

    fn mark(&mut self, mark: &[u8], span: Span) -> io::Result<()> {
        self.mark = span.start;
        self.write(mark)
    }

    fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.out.write_all(&self.blanks)?;
        self.blanks.clear();
        self.out.write_all(bytes)
    }

    /// Returns whether an edit drops a property, and counts it.
    fn drops(&mut self, ident: Ident<'_>) -> bool {
        let in_root = self.nodes <= 1;
        for (edit, changes) in self.edits.iter().zip(&mut self.changes) {
            if edit.drops(ident, in_root, self.at) == Some(true) {
                *changes += 1;
                return true;
            }
        }
        false
    }
}
