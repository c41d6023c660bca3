//! Produces the events of a tree, as if it were read from a file.

use std::convert::Infallible;
use std::io::{self, Write};

use super::arena::NONE;
use sgfstream::{Event, Property, Variation, Writer};

use super::GameTree;
use super::node::NodeId;

impl GameTree {
    /// Returns the events of the game, from its `(` to its `)`.
    ///
    /// ```
    /// use sgfstream::SliceReader;
    /// use sgfstream_adapt::GameTree;
    ///
    /// let game = b"(;GM[1];B[pd](;W[dp])(;W[dd];B[pp](;W[qq])))";
    /// let mut reader = SliceReader::new(game);
    /// let events = reader.events().collect::<sgfstream::Result<Vec<_>>>()?;
    /// assert!(GameTree::parse(game)?.events().eq(events));
    /// # Ok::<(), sgfstream::Error>(())
    /// ```
    #[must_use]
    pub fn events(&self) -> TreeEvents<'_> {
        self.events_from(self.root())
    }

    /// Returns the events of `top` and the nodes below it, as a game of its own.
    #[must_use]
    pub fn events_from(&self, top: NodeId) -> TreeEvents<'_> {
        let at = if self.contains(top) {
            EventPosition::Open(top)
        } else {
            EventPosition::End
        };
        TreeEvents {
            tree: self,
            top,
            at,
            depth: 0,
        }
    }

    /// Writes the game to a writer, whose [`Layout`](sgfstream::Layout) applies.
    ///
    /// # Errors
    ///
    /// Returns an error if the writer fails.
    ///
    /// ```
    /// use sgfstream::{Layout, Writer};
    /// use sgfstream_adapt::GameTree;
    ///
    /// let tree = GameTree::parse(b"( ;GaMe [1] (;AB[aa] [bb]) (;C[\\]]")?;
    /// let mut writer = Writer::with_layout(Vec::new(), Layout::Canonical);
    /// tree.write_with(&mut writer)?;
    /// assert_eq!(writer.finish()?, b"(;GM[1]\n(;AB[aa][bb])\n(;C[\\]]))\n");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn write_with<W: Write>(&self, writer: &mut Writer<W>) -> io::Result<()> {
        self.write_events(|event| writer.event(&event))
    }

    /// Passes each event and the blanks after it to `write`. A variation that begins with
    /// properties of a game looks like another game whose predecessor was cut off. Where the bytes
    /// around it decided that it is a variation, and are not the same any more, a blank before the
    /// first `[` tells the reader.
    pub(super) fn write_events<E>(
        &self,
        write: impl FnMut(Event<'_>) -> Result<(), E>,
    ) -> Result<(), E> {
        self.write_with_blanks(&self.variations_like_games(), write)
    }

    /// Returns the numbers of the variations that a reader would take for another game, without a
    /// blank in their first property.
    pub(super) fn variations_like_games(&self) -> Vec<usize> {
        let mut found = Vec::new();
        if !self.is_edited && self.problems.is_empty() {
            return found;
        }
        for _ in 0..MOST_READINGS {
            let (bytes, candidates) = self.bytes_and_candidates(&found);
            if candidates.is_empty() {
                return found;
            }
            let end = self.read_first(&bytes).record().as_bytes().len();
            let Some(next) = candidates.iter().find(|candidate| candidate.at >= end) else {
                return found;
            };
            found.push(next.number);
        }
        let (_, rest) = self.bytes_and_candidates(&found);
        found.extend(rest.iter().map(|candidate| candidate.number));
        found.sort_unstable();
        found
    }

    /// Returns the bytes of the game, and the variations below the root that begin with a property
    /// that describes a game.
    pub(super) fn bytes_and_candidates(&self, spaced: &[usize]) -> (Vec<u8>, Vec<VariationBegin>) {
        let (mut bytes, mut candidates) = (Vec::new(), Vec::new());
        let (mut number, mut begin) = (0, None);
        let written: Result<(), Infallible> = self.write_with_blanks(spaced, |event| {
            match event {
                Event::VariationStart(_) => {
                    begin = (number > 0).then_some(VariationBegin {
                        at: bytes.len(),
                        number,
                    });
                    number += 1;
                }
                Event::Property(property) => {
                    candidates.extend(begin.take().filter(|_| property.begins_game()));
                }
                _ => {}
            }
            bytes.extend_from_slice(bytes_of(&event));
            Ok(())
        });
        let Ok(()) = written;
        (bytes, candidates)
    }

    /// Passes events to `write`, with a blank in the first property of these variations.
    fn write_with_blanks<E>(
        &self,
        spaced: &[usize],
        mut write: impl FnMut(Event<'_>) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut events = self.events();
        let mut variations = 0;
        let mut is_spaced = false;
        while let Some((event, blanks)) = events.next_with_blanks() {
            match event {
                Event::VariationStart(_) => {
                    is_spaced = spaced.binary_search(&variations).is_ok();
                    variations += 1;
                    write(event)?;
                }
                Event::Property(property) if std::mem::take(&mut is_spaced) => {
                    write(Event::Property(Property::from_raw(
                        &property.to_bytes_spaced(),
                        property.framing(),
                    )))?;
                }
                event => write(event)?,
            }
            if !blanks.is_empty() {
                write(Event::Gap(blanks))?;
            }
        }
        Ok(())
    }
}

/// A tree is read again this many times at most, to find the variations that look like games.
const MOST_READINGS: usize = 8;

/// Start of a variation.
pub(super) struct VariationBegin {
    /// Place of its `(`.
    at: usize,
    /// Number of the `(` in the game, from 0.
    number: usize,
}

/// Returns the bytes of an event, if no part of it was inserted.
pub(super) fn bytes_of<'a>(event: &Event<'a>) -> &'a [u8] {
    match event {
        Event::VariationStart(_) => b"(",
        Event::NodeStart { .. } => b";",
        Event::VariationEnd(_) => b")",
        event => event.as_bytes(),
    }
}

/// Iterator over the events of a tree; see [`GameTree::events`].
#[derive(Clone, Debug)]
pub struct TreeEvents<'t> {
    tree: &'t GameTree,
    top: NodeId,
    at: EventPosition,
    depth: u64,
}

/// Position of the iterator: the next event.
#[derive(Clone, Copy, Debug)]
enum EventPosition {
    /// The `(` of a node, if it has one, followed by the node.
    Open(NodeId),
    /// The `;` of a node.
    Node(NodeId),
    /// A property of a node; at the end of the list, the children of the node.
    Property(NodeId, u32),
    /// The `)` of a node, if it has one, followed by the rest of the tree.
    Close(NodeId),
    /// The event after the variation of a node.
    After(NodeId),
    End,
}

impl<'t> TreeEvents<'t> {
    /// Returns the next event, and the blanks that follow it in the input.
    #[inline]
    pub(super) fn next_with_blanks(&mut self) -> Option<(Event<'t>, &'t [u8])> {
        let tree = self.tree;
        loop {
            match self.at {
                EventPosition::Open(node) => {
                    self.at = EventPosition::Node(node);
                    if node == self.top || tree.starts_variation(node) {
                        self.depth += 1;
                        let blanks = tree.arena.blanks_after_parenthesis(tree.node(node).start);
                        return Some((
                            Event::VariationStart(Variation::new(self.depth, false)),
                            blanks,
                        ));
                    }
                }
                EventPosition::Node(node) => {
                    let stored = tree.node(node);
                    self.at = EventPosition::Property(node, stored.properties.first);
                    return Some((
                        Event::NodeStart { supplied: false },
                        tree.arena.blanks_from(stored.start),
                    ));
                }
                EventPosition::Property(node, NONE) => {
                    self.at = match tree.first_child(node) {
                        Some(child) => EventPosition::Open(child),
                        None => EventPosition::Close(node),
                    };
                }
                EventPosition::Property(node, record) => {
                    self.at = EventPosition::Property(node, tree.arena.next(record));
                    let property = tree.arena.property(record)?;
                    return Some((Event::Property(property), tree.arena.blanks_after(record)));
                }
                EventPosition::Close(node) => {
                    self.at = EventPosition::After(node);
                    if node == self.top || tree.starts_variation(node) {
                        let variation = Variation::new(self.depth, false);
                        self.depth = self.depth.saturating_sub(1);
                        let blanks = tree.arena.blanks_from(tree.node(node).end);
                        return Some((Event::VariationEnd(variation), blanks));
                    }
                }
                EventPosition::After(node) if node == self.top => self.at = EventPosition::End,
                EventPosition::After(node) => {
                    self.at = match (tree.next_sibling(node), tree.parent(node)) {
                        (Some(sibling), _) => EventPosition::Open(sibling),
                        (None, Some(parent)) => EventPosition::Close(parent),
                        (None, None) => EventPosition::End,
                    };
                }
                EventPosition::End => return None,
            }
        }
    }
}

impl<'t> Iterator for TreeEvents<'t> {
    type Item = Event<'t>;

    fn next(&mut self) -> Option<Event<'t>> {
        self.next_with_blanks().map(|(event, _)| event)
    }
}

impl std::iter::FusedIterator for TreeEvents<'_> {}
