//! Game information on the path from the root to a node. FF[4] allows games to branch into variations that have their own
//! game information below the root. Commands that handle each variation as a game find it here.

use std::io::{self, Write};
use std::ops::Range;

use sgfstream::{Event, Ident, Place, Property};
use sgfstream_game::{Definition, Game, Key, PropertyType};

use super::games::write_property;

/// Properties of the root, and game information below it on the path to the current node.
#[derive(Debug, Default)]
pub(crate) struct PathInfo {
    /// First `GM` of the root.
    game: Option<Game>,
    nodes: u64,
    /// Properties of the root, concatenated, with the range of each.
    root: Vec<u8>,
    of_root: Vec<Range<usize>>,
    /// Properties below the root on the path.
    below: Vec<Vec<u8>>,
    /// For each open variation with properties before it, the number of `below` at its start, and the number of variations
    /// that started there.
    starts: Vec<(usize, u64)>,
    /// Whether game information was added since the last call of [`take_new`](Self::take_new).
    is_new: bool,
}

/// Maximum bytes buffered below the root. Later properties stay in their nodes.
const HELD: usize = 64 << 10;

impl PathInfo {
    /// Handles an event. Returns whether it is a property that [`write`](Self::write) will write in the root.
    pub(crate) fn take(&mut self, event: &Event<'_>, place: &Place) -> bool {
        match event {
            Event::VariationStart { .. } if place.depth == 1 => *self = Self::default(),
            Event::VariationStart { .. } => match self.starts.last_mut() {
                Some((len, count)) if *len == self.below.len() => *count += 1,
                _ => self.starts.push((self.below.len(), 1)),
            },
            Event::VariationEnd { .. } => {
                if let Some((len, count)) = self.starts.last_mut() {
                    self.below.truncate(*len);
                    *count -= 1;
                    if *count == 0 {
                        self.starts.pop();
                    }
                }
            }
            Event::NodeStart { .. } => self.nodes += 1,
            Event::Property(property) if place.depth > 1 || self.nodes > 1 => return self.take_below(property),
            _ if event.ident().is_some() && place.depth == 1 && self.nodes == 1 => {
                self.take_of_root(event);
                return true;
            }
            _ => {}
        }
        false
    }

    fn take_of_root(&mut self, event: &Event<'_>) {
        let start = self.root.len();
        _ = write_property(event, |bytes| {
            self.root.extend_from_slice(bytes);
            Ok(())
        });
        if let Event::Property(property) = event {
            if property.ident().is(b"GM") {
                self.game.get_or_insert(Game::parse_lenient(property.first().as_bytes()).value);
            }
            self.of_root.push(start..self.root.len());
        }
    }

    fn take_below(&mut self, property: &Property<'_>) -> bool {
        let held: usize = self.below.iter().map(Vec::len).sum();
        if property.is_simple() && property.ident().as_bytes().len() == 1
            || !self.is_game_info(property)
            || held + property.as_bytes().len() > HELD
        {
            return false;
        }
        let mut raw = Vec::new();
        _ = write_property(&Event::Property(*property), |bytes| {
            raw.extend_from_slice(bytes);
            Ok(())
        });
        self.below.push(raw);
        self.is_new = true;
        true
    }

    /// Returns whether a property describes a whole game. `IP` of Hex and the clocks of Boardspace do not, because they
    /// occur in the middle of games.
    fn is_game_info(&self, property: &Property<'_>) -> bool {
        let (ident, game) = (property.ident(), self.game.unwrap_or_default());
        let found = Definition::find_with_value(game, 4, &ident.canonical(), property.first().as_bytes());
        found.is_some_and(|found| found.definition.property_type == PropertyType::GameInfo)
            && Key::of(ident) != Key::IP
            && !game.is_boardspace()
    }

    /// Returns the number of bytes that [`write`](Self::write) writes, or slightly more.
    pub(crate) fn len(&self) -> usize {
        self.root.len() + self.below.iter().map(Vec::len).sum::<usize>()
    }

    /// Returns whether game information was added below the root since the last call and is still on the path.
    pub(crate) fn take_new(&mut self) -> bool {
        std::mem::take(&mut self.is_new) && !self.below.is_empty()
    }

    /// Writes the root with the information on the path. Properties below the root replace those of the root, and the last
    /// property of an identifier replaces earlier ones.
    pub(crate) fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        let ident = |raw: &[u8]| -> Vec<u8> {
            let len = raw.iter().take_while(|byte| byte.is_ascii_alphanumeric()).count();
            Ident::new(&raw[..len]).canonical().into_owned()
        };
        let below: Vec<Vec<u8>> = self.below.iter().map(|raw| ident(raw)).collect();
        let mut written = 0;
        for range in self.of_root.iter().filter(|range| below.contains(&ident(&self.root[range.start..]))) {
            out.write_all(&self.root[written..range.start])?;
            written = range.end;
        }
        out.write_all(&self.root[written..])?;
        let is_last = |at: usize| !below[at + 1..].contains(&below[at]);
        let mut last = self.below.iter().enumerate().filter(|(at, _)| is_last(*at));
        last.try_for_each(|(_, raw)| out.write_all(raw))
    }
}
