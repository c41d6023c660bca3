//! Groups of replacements, of which all or none are made.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use sgfstream::record::GameRecord;

use super::{Comment, DisplacedValues, GameEdits};

/// Replacements that are made together or not at all, with the values that they take out of their node.
#[derive(Clone, Debug, Default)]
pub struct EditGroup<'e> {
    replacements: Vec<(Range<usize>, Cow<'e, [u8]>)>,
    displaced: Vec<DisplacedValue<'e>>,
}

/// A value that leaves its property.
#[derive(Clone, Debug)]
struct DisplacedValue<'e> {
    node: usize,
    comment: Comment,
    ident: Cow<'e, [u8]>,
    value: Cow<'e, [u8]>,
}

impl<'e> EditGroup<'e> {
    /// Returns this group, which also replaces `span`.
    #[must_use]
    pub fn replace(mut self, span: Range<usize>, bytes: impl Into<Cow<'e, [u8]>>) -> Self {
        self.replacements.push((span, bytes.into()));
        self
    }

    /// Returns this group, which also deletes `span`.
    #[must_use]
    pub fn delete(self, span: Range<usize>) -> Self {
        self.replace(span, &b""[..])
    }

    /// Returns this group, which also inserts bytes.
    #[must_use]
    pub fn insert(self, at: usize, bytes: impl Into<Cow<'e, [u8]>>) -> Self {
        self.replace(at..at, bytes)
    }

    /// Returns this group, which takes a value out of a property: see [`DisplacedValues::add`].
    #[must_use]
    pub fn displace(
        mut self,
        node: usize,
        comment: Comment,
        ident: impl Into<Cow<'e, [u8]>>,
        value: impl Into<Cow<'e, [u8]>>,
    ) -> Self {
        let (ident, value) = (ident.into(), value.into());
        self.displaced.push(DisplacedValue { node, comment, ident, value });
        self
    }
}

/// Groups that may conflict. Call [`take`](Self::take) in the order of their rank, because the first of two wins.
///
/// ```
/// use sgfstream::SliceReader;
/// use sgfstream::record::GameReader;
/// use sgfstream_adapt::edit::{Comment, EditGroup, EditGroups, write_edited};
///
/// let mut games = GameReader::new(SliceReader::new(b"(;RE[B+, he said]C[x])"));
/// let game = games.next_game()?.expect("there is a game").expect("it is short");
/// let mut groups = EditGroups::default();
/// let old = &game.as_bytes()[5..16];
/// assert!(groups.take(EditGroup::default().replace(5..16, &b"B+"[..]).displace(1, Comment::Game, &b"RE"[..], old)));
/// assert!(!groups.take(EditGroup::default().delete(2..17).insert(1, &b";"[..])));
/// let mut out = Vec::new();
/// write_edited(game.as_bytes(), groups.finish(&game).sorted(), &mut out);
/// assert_eq!(String::from_utf8_lossy(&out), "(;RE[B+]C[x]XK[RE: B+, he said])");
/// # Ok::<(), sgfstream::Error>(())
/// ```
#[derive(Debug, Default)]
pub struct EditGroups {
    edits: GameEdits,
    /// Ends of the taken spans that are not empty, by start.
    spans: BTreeMap<usize, usize>,
    /// Places of insertions.
    points: BTreeSet<usize>,
    displaced: DisplacedValues,
    refused: u64,
}

impl EditGroups {
    /// Returns a list of groups whose displaced values become lines of comments.
    #[must_use]
    pub fn with_comments() -> Self {
        Self { displaced: DisplacedValues::new(true), ..Self::default() }
    }

    /// Returns whether a span overlaps one that was taken. Insertions at one place do not conflict.
    fn conflicts(&self, span: &Range<usize>) -> bool {
        let before = self.spans.range(..span.start).next_back();
        if before.is_some_and(|(_, &end)| end > span.start) {
            return true;
        }
        if span.is_empty() {
            return false;
        }
        self.spans.range(span.clone()).next().is_some() || self.points.range(span.start + 1..span.end).next().is_some()
    }

    /// Takes a group, unless it conflicts with a group that was taken before. Returns whether the group was taken. The
    /// replacements of a group must not overlap each other.
    pub fn take(&mut self, group: EditGroup<'_>) -> bool {
        if group.replacements.iter().any(|(span, _)| self.conflicts(span)) {
            self.refused += 1;
            return false;
        }
        for (span, bytes) in group.replacements {
            if span.is_empty() {
                self.points.insert(span.start);
            } else {
                self.spans.insert(span.start, span.end);
            }
            self.edits.replace(span, bytes.into_owned());
        }
        for DisplacedValue { node, comment, ident, value } in group.displaced {
            self.displaced.add(node, comment, &ident, &value);
        }
        self.edits.start_group();
        true
    }

    /// Returns whether a place is in a span that was taken.
    #[must_use]
    pub fn covers(&self, at: usize) -> bool {
        self.spans.range(..=at).next_back().is_some_and(|(_, &end)| end > at)
    }

    /// Returns the number of groups that were refused.
    #[must_use]
    pub fn refused(&self) -> u64 {
        self.refused
    }

    /// Returns whether no group was taken.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.edits.is_empty()
    }

    /// Returns the replacements, and one insertion for each node with displaced values. The places of all spans and nodes
    /// are those in the bytes of `game`.
    #[must_use]
    pub fn finish(mut self, game: &GameRecord<'_>) -> GameEdits {
        let Self { edits, displaced, spans, .. } = &mut self;
        displaced.write(game, edits, |at| spans.range(..at).next_back().is_some_and(|(_, &end)| end > at));
        self.edits
    }
}
