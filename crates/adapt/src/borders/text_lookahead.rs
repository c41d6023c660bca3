//! Looks at the bytes behind a text for the place where it ends.

use std::ops::Range;

use memchr::memchr2;

use sgfstream::record::Node;
use sgfstream::{Framing, Property};
use sgfstream_game::value::ListKind;
use sgfstream_game::{
    Dialect, Facts,
    internal::Fit,
    property::{Definition, Origin, PropertyType},
};

use super::is_too_long;
use crate::check::{has_text, reads_as};

/// Property of displaced values.
const KEPT: &[u8] = b"XK";

/// Properties of a node among which to look for the one that a stray text belongs to.
const PROPERTIES: usize = 16;

/// Blanks beyond ASCII: the ideographic one, the one that does not break, and the byte order mark.
const BLANKS: [&[u8]; 3] = [b"\xE3\x80\x80", b"\xC2\xA0", b"\xEF\xBB\xBF"];

/// Bytes of a value to look at for a certain property, and of a text that is looked at ahead.
const AHEAD: usize = 1 << 10;

/// Node with the places of its properties in the input.
#[derive(Debug)]
pub(super) struct NodeText {
    /// Place after the `;`.
    start: usize,
    properties: Vec<(Range<usize>, Framing)>,
}

impl NodeText {
    /// A node that is too long to repair gets no properties, so that no text owns what is stray in
    /// it.
    pub(super) fn of(node: &Node<'_>, base: usize) -> Self {
        let start = base + node.start() + usize::from(!node.is_inserted());
        if is_too_long(node) {
            return Self {
                start,
                properties: Vec::new(),
            };
        }
        let place =
            |at: usize, property: &Property<'_>| base + at..base + at + property.as_bytes().len();
        let properties = node
            .properties()
            .map(|(token, property)| (place(token.at(), &property), property.framing()));
        Self {
            start,
            properties: properties.collect(),
        }
    }

    /// Returns the end of the last property before a place, or the start of the node.
    pub(super) fn end_before(&self, place: usize) -> usize {
        let count = self
            .properties
            .partition_point(|(span, _)| span.start < place);
        count
            .checked_sub(1)
            .map_or(self.start, |last| self.properties[last].0.end)
    }
}

/// A text that a stray text may belong to.
pub(super) struct Owner<'i> {
    /// The property, up to the `]` where the reader ended the value.
    pub(super) span: Range<usize>,
    /// Whether it takes several values.
    is_list: bool,
    ident: &'i [u8],
}

/// What a look at bytes needs to know of their game.
#[derive(Clone, Copy)]
pub(super) struct Notation {
    dialect: Dialect,
    ff: u8,
    /// Whether identifiers have lowercase letters, as in `Black[aa]`.
    has_long_idents: bool,
}

impl Notation {
    pub(super) fn of(facts: &Facts<'_>) -> Self {
        let has_lowercase = |property: Property<'_>| {
            property
                .ident()
                .as_bytes()
                .iter()
                .any(u8::is_ascii_lowercase)
        };
        let record = facts.record();
        let in_root = record.root().is_some_and(|root| {
            root.properties()
                .take(3)
                .any(|(_, each)| has_lowercase(each))
        });
        // The first move may be the only long name, as in `;Black[aa]`.
        let dialect = facts.dialect();
        let mut moves = record
            .nodes()
            .skip(1)
            .take(4)
            .filter_map(|node| node.properties().next());
        let in_move = moves.any(|(_, first)| {
            let is_move = facts.game.move_ids().contains(first.ident());
            is_move && has_lowercase(first) && dialect.parse_move(first.first().as_bytes()).is_ok()
        });
        Self {
            dialect,
            ff: facts.version().number(),
            has_long_idents: in_root || in_move,
        }
    }
}

/// What follows a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Following {
    /// A certain property, or the border of a node, variation or game.
    Structure,
    /// The end of the input.
    End,
    Text,
}

/// The next place in a text that may matter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TextMark {
    Bracket(usize),
    Border,
    End,
}

pub(super) struct TextLookahead<'i> {
    pub(super) input: &'i [u8],
    pub(super) notation: Notation,
}

impl<'i> TextLookahead<'i> {
    fn byte(&self, at: usize) -> Option<u8> {
        self.input.get(at).copied()
    }

    /// Returns the place after blanks, and after line breaks that a program spelled as `\n`.
    fn skip_blanks(&self, mut at: usize) -> usize {
        while let Some(byte) = self.byte(at) {
            match byte {
                0..=b' ' => at += 1,
                b'\\' if matches!(self.byte(at + 1), Some(b'n' | b'r')) => at += 2,
                0xC2 | 0xE3 | 0xEF => {
                    match BLANKS
                        .iter()
                        .find(|blank| self.input[at..].starts_with(blank))
                    {
                        Some(blank) => at += blank.len(),
                        None => break,
                    }
                }
                _ => break,
            }
        }
        at
    }

    /// Returns the place of the next `]` that ends a value, if it is near.
    fn value_end(&self, mut at: usize) -> Option<usize> {
        let end = self.input.len().min(at + AHEAD);
        loop {
            at += memchr2(b']', b'\\', self.input.get(at..end)?)?;
            if self.input[at] == b']' {
                return Some(at);
            }
            at += 2;
        }
    }

    fn definition(&self, id: &[u8], first: &[u8]) -> Option<&'static Definition> {
        let game = self.notation.dialect.game();
        let found = Definition::find_with_value(game, self.notation.ff, id, first)?;
        let is_of_game = found.fit != Fit::OtherGame || found.definition.origin == Origin::Standard;
        (is_of_game && id != KEPT).then_some(found.definition)
    }

    /// Returns the length of an identifier before a `[`.
    fn ident_len(&self, at: usize) -> Option<usize> {
        let is_letter = |byte: &&u8| {
            byte.is_ascii_uppercase()
                || (self.notation.has_long_idents && byte.is_ascii_lowercase())
        };
        let len = self
            .input
            .get(at..)?
            .iter()
            .take(64)
            .take_while(is_letter)
            .count();
        (len > 0 && self.input[at].is_ascii_uppercase() && self.byte(at + len) == Some(b'['))
            .then_some(len)
    }

    /// Returns the definition of the property at a place and its end, if it has a known identifier
    /// and a value of its type.
    fn property(&self, at: usize) -> Option<(&'static Definition, usize)> {
        let len = self.ident_len(at)?;
        let id: Vec<u8> = self.input[at..at + len]
            .iter()
            .copied()
            .filter(u8::is_ascii_uppercase)
            .collect();
        let from = at + len + 1;
        let end = self.value_end(from)?;
        let value = &self.input[from..end];
        let definition = self.definition(&id, value)?;
        let is_read = value.is_empty() || reads_as(&self.notation.dialect, definition, value);
        is_read.then_some((definition, end + 1))
    }

    /// Returns the end of the certain property at a place.
    fn certain_property(&self, at: usize) -> Option<usize> {
        let end = self.property(at)?.1;
        let next = self.skip_blanks(end);
        let is_before_structure = match self.byte(next) {
            None | Some(b';' | b'(' | b')' | b'[') => true,
            Some(_) => self.ident_len(next).is_some(),
        };
        is_before_structure.then_some(end)
    }

    /// Returns whether a text is at a place that lacks a `\` itself, so that no structure follows
    /// its first `]`. A second property of the name `besides` is rather a word of the first.
    fn has_text_property(&self, at: usize, besides: &[u8]) -> bool {
        let Some((definition, end)) = self.property(at) else {
            return false;
        };
        let len = self.ident_len(at).unwrap_or(0);
        let ident = &self.input[at..at + len];
        let owner = Owner {
            span: at..end,
            is_list: is_list(definition),
            ident,
        };
        is_text(definition) && ident != besides && self.text_end(&owner, false).is_some()
    }

    /// Returns what follows a place behind a text of the name `ident`. `looks_ahead` is whether a
    /// text may follow that lacks a `\` itself.
    fn following(&self, at: usize, ident: &[u8], looks_ahead: bool) -> Following {
        let at = self.skip_blanks(at);
        let is_structure = match self.byte(at) {
            None => return Following::End,
            Some(b';' | b'(' | b')') => self.is_border(at),
            Some(_) => {
                self.certain_property(at).is_some()
                    || (looks_ahead && self.has_text_property(at, ident))
            }
        };
        if is_structure {
            Following::Structure
        } else {
            Following::Text
        }
    }

    /// Returns whether the `;`, `(` or `)` at a place is the border of a node, variation or game.
    fn is_border(&self, at: usize) -> bool {
        let next = self.skip_blanks(at + 1);
        match (self.byte(at), self.byte(next)) {
            (Some(b';'), Some(b';' | b'(')) => true,
            (Some(b';'), _) => self.certain_property(next).is_some(),
            (Some(b'('), Some(b';')) => self.is_border(next),
            (Some(b')'), _) => {
                // More parentheses are no text, and each look at all of them would make the search
                // quadratic.
                let mut last = next;
                for _ in 0..16 {
                    match self.byte(last) {
                        Some(b')') => last = self.skip_blanks(last + 1),
                        Some(b'(') => return self.byte(self.skip_blanks(last + 1)) == Some(b';'),
                        found => return found.is_none(),
                    }
                }
                true
            }
            _ => false,
        }
    }

    /// Returns whether letters and a `[` follow a `;`, as in `;b[dd]` of another program. Then the
    /// reader ended the value right.
    fn has_foreign_node(&self, at: usize) -> bool {
        let at = self.skip_blanks(at);
        let from = self.skip_blanks(at + 1).min(self.input.len());
        let len = self.input[from..]
            .iter()
            .take(64)
            .take_while(|byte| byte.is_ascii_alphabetic())
            .count();
        self.byte(at) == Some(b';') && self.byte(from + len) == Some(b'[')
    }

    /// Returns the `]` that ends a text, if it is surely a later one than where the reader ended it.
    ///
    /// Brackets in pairs are evidence, too. If all are in pairs where the reader ended the value, a
    /// later `]` needs one more. If one is open there, the `]` that closes the last pair is the end
    /// before a node or property that is not certain, too.
    pub(super) fn text_end(&self, owner: &Owner<'_>, looks_ahead: bool) -> Option<usize> {
        let from = owner.span.end - 1;
        if self.has_foreign_node(from + 1) {
            return None;
        }
        let (mut at, mut open) = (from, self.open_brackets(owner.span.clone()));
        let is_closed = open <= 0;
        while looks_ahead || at < from + AHEAD {
            let may_end = open < i64::from(!is_closed);
            let is_before_value =
                owner.is_list && self.byte(self.skip_blanks(at + 1)) == Some(b'[');
            let is_end = match self.following(at + 1, owner.ident, looks_ahead) {
                Following::End if at > from => return None,
                Following::End | Following::Structure => true,
                Following::Text => {
                    is_before_value || (at > from && may_end && self.has_property(at + 1))
                }
            };
            if at == from && (is_end || (is_closed && self.has_property(at + 1))) {
                return None;
            }
            if is_end && (may_end || !is_closed) {
                return Some(at);
            }
            match self.next_mark(at + 1) {
                TextMark::Bracket(next) => {
                    open += self.open_brackets(at + 1..next + 1);
                    at = next;
                }
                // The last `]` closes the text, and a stray word follows it.
                TextMark::Border if at > from && may_end => return Some(at),
                TextMark::Border | TextMark::End => return None,
            }
        }
        None
    }

    /// Returns whether a property follows, in this node or in the next, whether or not structure
    /// follows it.
    fn has_property(&self, at: usize) -> bool {
        let at = self.skip_blanks(at);
        let at = if self.byte(at) == Some(b';') {
            self.skip_blanks(at + 1)
        } else {
            at
        };
        self.property(at).is_some()
    }

    /// Returns the next `]` that does not end a certain property, or the border before it.
    fn next_mark(&self, mut at: usize) -> TextMark {
        while let Some(byte) = self.byte(at) {
            match byte {
                b'\\' => at += 1,
                b']' => return TextMark::Bracket(at),
                b';' | b'(' | b')' if self.is_border(at) => return TextMark::Border,
                b'A'..=b'Z' if !self.input[at - 1].is_ascii_alphanumeric() => {
                    if let Some(end) = self.certain_property(at) {
                        at = end - 1;
                    }
                }
                _ => {}
            }
            at += 1;
        }
        TextMark::End
    }

    /// Returns the number of `[` without the number of `]`.
    pub(super) fn open_brackets(&self, text: Range<usize>) -> i64 {
        let count = |wanted| {
            self.input[text.clone()]
                .iter()
                .filter(|&&byte| byte == wanted)
                .count() as i64
        };
        count(b'[') - count(b']')
    }

    /// Returns the places of each `]` without `\`.
    pub(super) fn bare_brackets(&self, text: Range<usize>) -> Vec<usize> {
        let (mut found, mut is_escaped) = (Vec::new(), false);
        for at in text {
            let byte = self.input[at];
            if byte == b']' && !is_escaped {
                found.push(at);
            }
            is_escaped = byte == b'\\' && !is_escaped;
        }
        found
    }

    /// Returns whether the brackets of a text are the same by bytes and by pairs of bytes, as
    /// Shift_JIS, Big5 and GBK have them.
    pub(super) fn has_sure_brackets(&self, text: Range<usize>) -> bool {
        let bytes = &self.input[text];
        if std::str::from_utf8(bytes).is_ok() {
            return true;
        }
        let find = |has_pairs: bool| {
            let (mut at, mut found) = (0, Vec::new());
            while let Some(&byte) = bytes.get(at) {
                found.extend((byte == b']').then_some(at));
                at += 1 + usize::from(byte == b'\\' || (has_pairs && byte >= 0x81));
            }
            found
        };
        find(true) == find(false)
    }

    /// Returns the text that a stray text at `place` belongs to.
    pub(super) fn owner(&self, nodes: &[NodeText], place: usize) -> Option<Owner<'i>> {
        for node in nodes.iter().rev() {
            let count = node
                .properties
                .partition_point(|(span, _)| span.start < place);
            for (number, (span, framing)) in node.properties[..count]
                .iter()
                .enumerate()
                .rev()
                .take(PROPERTIES)
            {
                let property = Property::from_raw(&self.input[span.clone()], *framing);
                let ident = property.ident();
                let is_plain = self.notation.has_long_idents
                    || ident.as_bytes().iter().all(u8::is_ascii_uppercase);
                let id = ident.canonical();
                let definition = self
                    .definition(&id, property.first().as_bytes())
                    .filter(|found| is_text(found));
                let is_again = || {
                    // A node has one `C`, so take a second one for a word of the first.
                    node.properties[..number].iter().any(|(span, framing)| {
                        Property::from_raw(&self.input[span.clone()], *framing)
                            .ident()
                            .canonical()
                            == id
                    })
                };
                if is_plain && let Some(definition) = definition {
                    if is_again() {
                        continue;
                    }
                    let is_list = is_list(definition);
                    let first = property.first().as_bytes();
                    let first_end = first.as_ptr() as usize - property.as_bytes().as_ptr() as usize
                        + first.len()
                        + 1;
                    let end = if is_list {
                        span.end
                    } else {
                        span.end.min(span.start + first_end)
                    };
                    let ident = &self.input[span.start..span.start + ident.as_bytes().len()];
                    return Some(Owner {
                        span: span.start..end,
                        is_list,
                        ident,
                    });
                }
                if &*id == KEPT || (is_plain && self.certain_property(span.start).is_some()) {
                    return None;
                }
            }
            // If the `;` is a word of a text, the text is in the node before.
            let semicolon = node.start.checked_sub(1)?;
            if self.byte(semicolon) != Some(b';') || self.is_border(semicolon) {
                return None;
            }
        }
        None
    }
}

fn is_list(definition: &Definition) -> bool {
    definition.list_kind != ListKind::Single
}

/// Returns whether a property takes text, and is not of the root, which tells how to read the game.
fn is_text(definition: &Definition) -> bool {
    definition.property_type != PropertyType::Root && has_text(definition.value_type)
}
