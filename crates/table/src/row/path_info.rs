//! Game information on the path from the root to a node. FF[4] allows games to branch into
//! variations that have their own game information below the root. Commands that handle each
//! variation as a game find it here.

use std::io::{self, Write};

use sgfstream::Property;
use sgfstream::record::{GameRecord, Node};
use sgfstream_game::{
    Game,
    internal::Key,
    property::{Definition, PropertyType},
};

/// Properties of the root, and game information below it on the path to a node.
#[derive(Debug)]
pub struct PathInfo<'t> {
    record: GameRecord<'t>,
    /// First `GM` of the root.
    game: Game,
    /// Properties of the root, as they are written.
    root: Vec<u8>,
    /// Properties below the root on the path.
    below: Vec<Property<'t>>,
}

/// Maximum bytes of properties below the root. Later properties stay in their nodes.
const HELD: usize = 64 << 10;

impl<'t> PathInfo<'t> {
    /// Returns the information of the root.
    pub fn of_root(record: GameRecord<'t>) -> Self {
        let mut info = Self {
            record,
            game: Game::default(),
            root: Vec::new(),
            below: Vec::new(),
        };
        let mut gm = None;
        for (_, property) in record.root().iter().flat_map(Node::properties) {
            write_property(&property, |bytes| info.root.write_all(bytes))
                .expect("writing to memory");
            if gm.is_none() && property.ident().is(b"GM") {
                gm = Some(Game::parse_lenient(property.first().as_bytes()).value);
            }
        }
        info.game = gm.unwrap_or_default();
        info
    }

    /// Adds a property below the root if it is game information. Returns whether it is: then
    /// [`write`](Self::write) writes it in the root.
    pub fn add(&mut self, property: Property<'t>) -> bool {
        let is_short = property.is_simple() && property.ident().as_bytes().len() == 1;
        if is_short
            || !self.is_game_info(&property)
            || self.below_len() + property.as_bytes().len() > HELD
        {
            return false;
        }
        self.below.push(property);
        true
    }

    /// Returns the number of properties below the root.
    pub fn below_count(&self) -> usize {
        self.below.len()
    }

    /// Removes the properties below the root that were added after the first `count`.
    pub fn truncate(&mut self, count: usize) {
        self.below.truncate(count);
    }

    fn below_len(&self) -> usize {
        self.below
            .iter()
            .map(|property| property.as_bytes().len())
            .sum()
    }

    /// Returns whether a property describes a whole game. `IP` of Hex and the clocks of Boardspace
    /// do not, because they occur in the middle of games.
    fn is_game_info(&self, property: &Property<'_>) -> bool {
        let ident = property.ident();
        let found = Definition::find_with_value(
            self.game,
            4,
            &ident.canonical(),
            property.first().as_bytes(),
        );
        found.is_some_and(|found| found.definition.property_type == PropertyType::GameInfo)
            && Key::of(ident) != Key::IP
            && !self.game.is_boardspace()
    }

    /// Returns the number of bytes that [`write`](Self::write) writes, or more.
    pub fn written_len(&self) -> usize {
        self.root.len() + self.below_len()
    }

    /// Writes the root with the information on the path. Properties below the root replace
    /// properties of the root. Of several with one identifier, the first that is not blank counts.
    pub fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        if self.below.is_empty() {
            return out.write_all(&self.root);
        }
        let mut idents = Vec::new();
        let mut first: Vec<&Property<'_>> = Vec::new();
        let is_blank = |property: &Property<'_>| {
            property
                .values()
                .all(|value| value.as_bytes().trim_ascii().is_empty())
        };
        for property in &self.below {
            let ident = property.ident().canonical();
            if let Some(number) = idents.iter().position(|other| *other == ident) {
                if !is_blank(first[number]) || is_blank(property) {
                    continue;
                }
                idents.remove(number);
                first.remove(number);
            }
            idents.push(ident);
            first.push(property);
        }
        for (_, property) in self.record.root().iter().flat_map(Node::properties) {
            if !idents.contains(&property.ident().canonical()) {
                write_property(&property, |bytes| out.write_all(bytes))?;
            }
        }
        for property in first {
            write_property(property, |bytes| out.write_all(bytes))?;
        }
        Ok(())
    }
}

/// Passes the bytes of a property to `write`, without whitespace between its values. A value that
/// the end of the input truncated is closed, so that no later byte becomes part of it.
///
/// # Errors
///
/// Returns an error if `write` does.
pub fn write_property(
    property: &Property<'_>,
    mut write: impl FnMut(&[u8]) -> io::Result<()>,
) -> io::Result<()> {
    // A simple property has nothing between its parts and is closed.
    if property.is_simple() {
        return write(property.as_bytes());
    }
    write(property.ident().as_bytes())?;
    let is_cut = property.cut_value().is_some();
    let mut values = property.values().peekable();
    while let Some(value) = values.next() {
        let is_cut = is_cut && values.peek().is_none();
        let (bytes, bracket) = if is_cut {
            value.closing()
        } else {
            (value.as_bytes(), "]")
        };
        write(b"[")?;
        write(bytes)?;
        write(bracket.as_bytes())?;
    }
    Ok(())
}
