//! Events to a tree.

use crate::base::{Code, Result};
use crate::event::{Event, Flow, Place, Property, PropertyPart, Sink};
use crate::scan::Framing;

use super::GameTree;
use super::arena::{Full, MemoryLimit};
use super::node::{Entry, NONE, Node, NodeId};

/// Builds the tree of the first game that it is given, and then stops.
///
/// For every game of a stream in turn, see [`ReadGames`](super::ReadGames).
///
/// ```
/// use sgfstream::{EventReader, SliceReader, adapt::TreeBuilder};
///
/// let mut builder = TreeBuilder::new();
/// let mut reader = SliceReader::new(b"(;B[aa])(;B[bb])");
/// reader.drive(&mut builder)?;
/// let tree = builder.finish()?.expect("a game");
/// assert_eq!(tree.to_string(), "(;B[aa])");
/// # Ok::<(), sgfstream::Error>(())
/// ```
#[derive(Debug)]
pub struct TreeBuilder {
    pub(super) tree: GameTree,
    /// The node that properties belong to and the next node comes after.
    current: Option<NodeId>,
    /// A `(` has come, and its node not yet.
    starts: bool,
    /// Further `(` before that node; no reader gives such.
    empty_starts: u64,
    state: State,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// No game yet.
    Before,
    Within,
    Done,
    Failed(Full),
}

/// What became of an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Taken {
    /// It stands before the game.
    Outside,
    /// It is part of the game.
    Inside,
    /// The game is whole.
    Last,
}

impl Default for TreeBuilder {
    fn default() -> Self {
        Self::new()
    }
}

impl TreeBuilder {
    /// A builder of a tree within [`MemoryLimit::default`].
    #[must_use]
    pub fn new() -> Self {
        Self::within(MemoryLimit::default())
    }

    /// A builder of a tree that takes at most `limit`.
    #[must_use]
    pub fn within(limit: MemoryLimit) -> Self {
        Self { tree: GameTree::empty(limit), current: None, starts: false, empty_starts: 0, state: State::Before }
    }

    /// Ready for another game; the memory is kept.
    pub(super) fn clear(&mut self) {
        self.tree.clear();
        self.current = None;
        self.starts = false;
        self.empty_starts = 0;
        self.state = State::Before;
    }

    /// The tree; none if no game came. A game that is not at its end is given
    /// as far as it came.
    ///
    /// # Errors
    ///
    /// When the game takes more memory than is allowed.
    pub fn finish(mut self) -> Result<Option<GameTree>> {
        match self.state {
            State::Before => Ok(None),
            State::Within | State::Done => {
                self.tree.ensure_root();
                Ok(Some(self.tree))
            }
            State::Failed(full) => Err(full.into()),
        }
    }

    pub(super) fn is_within(&self) -> bool {
        self.state == State::Within
    }

    /// Takes one event.
    pub(super) fn take(&mut self, event: &Event<'_>, place: &Place) -> Result<Taken, Full> {
        match event {
            Event::VariationStart { .. } => {
                self.state = State::Within;
                self.empty_starts += u64::from(self.starts);
                self.starts = true;
            }
            // Said of a game that is about to begin.
            Event::Problem(problem) if self.is_within() || problem.code == Code::MissingParenthesis => {
                self.tree.budget.reserve(&mut self.tree.problems, 1)?;
                self.tree.problems.push(*problem);
            }
            _ if !self.is_within() => return Ok(Taken::Outside),
            Event::Property(property) => self.property(property)?,
            Event::NodeStart { .. } => self.node()?,
            Event::VariationEnd { .. } => return Ok(self.end_variation(place)),
            Event::PropertyPart(part) => self.part(part)?,
            Event::Problem(_) | Event::Gap(_) => {}
        }
        Ok(Taken::Inside)
    }

    #[inline]
    fn node(&mut self) -> Result<(), Full> {
        let starts_variation = std::mem::take(&mut self.starts) || self.current.is_none();
        let node = self.tree.push_node(Node { starts_variation, ..Node::ALONE })?;
        if let Some(parent) = self.current {
            self.tree.attach(parent, node);
        }
        self.current = Some(node);
        Ok(())
    }

    #[inline]
    fn property(&mut self, property: &Property<'_>) -> Result<(), Full> {
        let Some(node) = self.current else { return Ok(()) };
        let raw = property.as_bytes();
        let start = self.tree.text.len() as u64;
        let entry = Entry {
            start,
            len: raw.len() as u64,
            next: NONE,
            ident_len: 0,
            framing: property.framing(),
            simple: property.is_simple(),
        };
        self.tree.budget.reserve(&mut self.tree.text, raw.len())?;
        let at = self.tree.push_entry(node, property.ident(), entry)?;
        self.tree.text.extend_from_slice(raw);
        // Only at the end of a file, or of a game that was cut short, is it not closed.
        if !property.is_simple() && !is_plainly_closed(raw) && !self.tree.is_closed(at) {
            self.tree.close(at)
        } else {
            Ok(())
        }
    }

    fn part(&mut self, part: &PropertyPart<'_>) -> Result<(), Full> {
        let Some(node) = self.current else { return Ok(()) };
        let raw = part.as_bytes();
        self.tree.budget.reserve(&mut self.tree.text, raw.len())?;
        let at = if part.is_property_start() {
            let start = self.tree.text.len() as u64;
            let framing = part.content().framing();
            self.tree.push_entry(
                node,
                part.ident(),
                Entry { start, len: 0, next: NONE, ident_len: 0, framing, simple: false },
            )?
        } else {
            match self.tree.nodes[node.index()].last_property {
                NONE => return Ok(()),
                last => last,
            }
        };
        self.tree.text.extend_from_slice(raw);
        self.tree.entries[at as usize].len += raw.len() as u64;
        if part.last && !part.closed { self.tree.close(at) } else { Ok(()) }
    }

    /// Back to the node that the variation comes after. Each node is passed
    /// once in this way, by the end of its own variation.
    fn end_variation(&mut self, place: &Place) -> Taken {
        if std::mem::take(&mut self.starts) && self.current.is_some() {
            self.starts = self.empty_starts > 0;
            self.empty_starts = self.empty_starts.saturating_sub(1);
            return Taken::Inside;
        }
        self.tree.charset = place.charset;
        self.tree.charset_source = place.charset_source;
        while let Some(node) = self.current {
            self.current = self.tree.parent(node);
            if self.tree.node(node).starts_variation {
                break;
            }
        }
        if self.current.is_some() {
            return Taken::Inside;
        }
        self.tree.ensure_root();
        self.state = State::Done;
        Taken::Last
    }
}

impl Sink for TreeBuilder {
    fn event(&mut self, event: &Event<'_>, place: &Place) -> Flow {
        if matches!(self.state, State::Done | State::Failed(_)) {
            return Flow::Stop;
        }
        match self.take(event, place) {
            Ok(Taken::Outside | Taken::Inside) => Flow::Go,
            Ok(Taken::Last) => Flow::Stop,
            Err(full) => {
                self.state = State::Failed(full);
                Flow::Stop
            }
        }
    }
}

/// True if one look tells that the last `]` is a bracket: no `\` stands before
/// it, and no byte that it could be the second half of a character with.
#[inline]
fn is_plainly_closed(raw: &[u8]) -> bool {
    matches!(raw, [.., before, b']'] if *before < 0x80 && *before != b'\\')
}

impl GameTree {
    /// True if the last value of a property has its `]`.
    pub(super) fn is_closed(&self, entry: u32) -> bool {
        let property = self.property_at(entry);
        let end = property.as_bytes().as_ptr_range().end;
        property.values().last().is_some_and(|value| value.as_bytes().as_ptr_range().end != end)
    }

    /// Supplies the `]` of the property that was appended last: what comes
    /// after it when it is written must not become part of it.
    #[cold]
    fn close(&mut self, entry: u32) -> Result<(), Full> {
        self.budget.reserve(&mut self.text, 2)?;
        let as_read = self.entries[entry as usize].framing;
        let framings: &[Framing] = match as_read {
            // Nothing comes after the last value that could tell what a `\` is.
            Framing::Auto => &[Framing::Auto, Framing::Pairs, Framing::ShiftJis],
            _ => &[as_read],
        };
        self.append_byte(entry, b']');
        if self.is_closed_by(entry, framings) {
            return Ok(());
        }
        self.drop_byte(entry);
        if self.text.last() == Some(&b'\\') {
            // It escapes nothing, and must not escape the `]`.
            self.drop_byte(entry);
        } else {
            // Half a character, which would take the `]` as its other half.
            self.append_byte(entry, b' ');
        }
        self.append_byte(entry, b']');
        if !self.is_closed_by(entry, framings) {
            self.entries[entry as usize].framing = Framing::Value;
        }
        Ok(())
    }

    /// True if a `]` closes the property by one of the framings, which it then
    /// has.
    fn is_closed_by(&mut self, entry: u32, framings: &[Framing]) -> bool {
        framings.iter().any(|&framing| {
            self.entries[entry as usize].framing = framing;
            self.is_closed(entry)
        })
    }

    fn append_byte(&mut self, entry: u32, byte: u8) {
        self.text.push(byte);
        self.entries[entry as usize].len += 1;
    }

    fn drop_byte(&mut self, entry: u32) {
        self.text.pop();
        self.entries[entry as usize].len -= 1;
    }
}
