//! The identifiers of one node: is one there twice, or not of FF\[4\]?

use std::collections::HashSet;

use crate::base::Code;
use crate::event::{Event, Ident};
use crate::game::Game;

/// Identifiers remembered in a node; beyond them no duplicate is found.
const REMEMBERED: usize = 4096;

/// Looks at the identifiers of each node, one event after another.
///
/// An identifier may stand once in a node (spec I-08), and FF\[4\] has letters
/// only (I-01); digits belong to the dialects that name them (I-05).
///
/// ```
/// use sgfstream::{Code, EventReader, SliceReader, adapt::NodeIdents};
///
/// let mut idents = NodeIdents::default();
/// let mut reader = SliceReader::new(b"(;AB[aa]C[x]AddBlack[bb];C[y])");
/// let mut found = Vec::new();
/// while let Some(event) = reader.next() {
///     found.extend(idents.look(&event, reader.depth()));
/// }
/// assert_eq!(found, [Code::DuplicateProperty]);
/// ```
#[derive(Clone, Debug, Default)]
pub struct NodeIdents {
    /// Single letters, one bit each: nearly all there is.
    letters: u32,
    others: HashSet<Box<[u8]>>,
    is_ff4: bool,
    is_dialect: bool,
    nodes: u64,
}

impl NodeIdents {
    /// What is wrong with the identifier of this event, if it has one.
    pub fn look(&mut self, event: &Event<'_>, depth: u64) -> Option<Code> {
        match event {
            Event::VariationStart { .. } if depth == 1 => {
                *self = Self::default();
                None
            }
            Event::NodeStart { .. } => {
                self.nodes += 1;
                self.letters = 0;
                if !self.others.is_empty() {
                    self.others.clear();
                }
                None
            }
            Event::Property(property) => {
                if self.nodes == 1 {
                    let value = property.first().as_bytes().trim_ascii();
                    self.is_ff4 |= property.ident().is(b"FF") && value == b"4";
                    self.is_dialect |= property.ident().is(b"GM") && has_digits(value);
                }
                self.look_at(property.ident())
            }
            Event::PropertyPart(part) if part.is_property_start() => self.look_at(part.ident()),
            _ => None,
        }
    }

    fn look_at(&mut self, ident: Ident<'_>) -> Option<Code> {
        if let [letter @ b'A'..=b'Z'] = ident.as_bytes() {
            let bit = 1 << (letter - b'A');
            let is_new = self.letters & bit == 0;
            self.letters |= bit;
            return if is_new { None } else { Some(Code::DuplicateProperty) };
        }
        let canonical = ident.canonical();
        if self.others.contains(&*canonical) {
            return Some(Code::DuplicateProperty);
        }
        if self.others.len() < REMEMBERED {
            self.others.insert(canonical.as_ref().into());
        }
        (self.is_ff4 && !self.is_dialect && canonical.iter().any(u8::is_ascii_digit)).then_some(Code::DigitInIdentifier)
    }
}

/// Is this a game whose dialect has digits in its identifiers?
fn has_digits(gm: &[u8]) -> bool {
    let game = Game::parse_lenient(gm).value;
    game.variant().is_some() || game.is_boardspace() || game == Game::Other
}
