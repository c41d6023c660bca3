//! A file that is compared, node by node.

use std::ops::Range;

use sgfstream::{Event, EventReader, Framing, Position, Property, RawValue};
use sgfstream_adapt::rewrite::{Context as Meaning, Selector};
use sgfstream_engine::PartReader;
use sgfstream_game::value::ListKind;
use sgfstream_game::{Dialect, GameState, Hold, ValueType};

/// Memory that a node may take to be compared.
const NODE: usize = 14 << 20;

/// Characters of a property that are shown.
const SHOWN: usize = 120;

/// An element of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Found {
    VariationStart,
    Node,
    VariationEnd,
    End,
}

/// One of the files.
pub(super) struct Side<'r, 'p> {
    pub(super) reader: &'r mut PartReader<'p>,
    pub(super) state: GameState,
    ignore: Option<&'r Selector>,
    /// Games so far, and nodes of the game.
    pub(super) game: u64,
    pub(super) node: u64,
    pub(super) properties: Written,
    /// An event that was read to see the end of a node.
    is_ahead: bool,
    is_ended: bool,
}

/// The properties of a node, as they are written.
#[derive(Default)]
pub(super) struct Written {
    pub(super) bytes: Vec<u8>,
    /// Where each ends.
    pub(super) ends: Vec<(usize, Framing)>,
    /// Memory that comparing them takes.
    cost: usize,
}

impl Written {
    fn clear(&mut self) {
        self.bytes.clear();
        self.ends.clear();
        self.cost = 0;
    }

    /// Adds a property, or the next piece of the last one.
    fn add(&mut self, bytes: &[u8], values: usize, framing: Framing, is_start: bool) {
        self.cost += 2 * bytes.len() + values * size_of::<Value>();
        if self.is_whole() {
            self.bytes.extend_from_slice(bytes);
            match self.ends.last_mut().filter(|_| !is_start) {
                Some((end, _)) => *end = self.bytes.len(),
                None => self.ends.push((self.bytes.len(), framing)),
            }
        }
    }

    /// False if the node is too large to be compared.
    pub(super) fn is_whole(&self) -> bool {
        self.cost <= NODE
    }

    fn iter(&self) -> impl Iterator<Item = Property<'_>> {
        let mut start = 0;
        self.ends.iter().map(move |&(end, framing)| {
            let raw = &self.bytes[std::mem::replace(&mut start, end)..end];
            Property::from_raw(raw, framing)
        })
    }
}

impl<'r, 'p> Side<'r, 'p> {
    pub(super) fn new(reader: &'r mut PartReader<'p>, ignore: Option<&'r Selector>) -> Self {
        Self {
            reader,
            state: GameState::new(Hold::Values),
            ignore,
            game: 0,
            node: 0,
            properties: Written::default(),
            is_ahead: false,
            is_ended: false,
        }
    }

    fn advance(&mut self) -> anyhow::Result<bool> {
        if !std::mem::take(&mut self.is_ahead) {
            self.is_ended = !self.reader.advance()?;
            let _ = match self.is_ended {
                true => self.state.end_input(),
                false => self.state.event(&self.reader.event(), &self.reader.place()),
            };
        }
        Ok(!self.is_ended)
    }

    pub(super) fn next(&mut self) -> anyhow::Result<(Found, Position)> {
        let mut at = Position::default();
        while self.advance()? {
            at = self.reader.position_of(self.reader.span().start);
            match self.reader.event() {
                Event::VariationStart { .. } => {
                    if self.reader.depth() == 1 {
                        (self.game, self.node) = (self.game + 1, 0);
                    }
                    return Ok((Found::VariationStart, at));
                }
                Event::VariationEnd { .. } => return Ok((Found::VariationEnd, at)),
                Event::NodeStart { .. } => {
                    self.read_node()?;
                    return Ok((Found::Node, at));
                }
                _ => {}
            }
        }
        Ok((Found::End, at))
    }

    fn read_node(&mut self) -> anyhow::Result<()> {
        self.node += 1;
        self.properties.clear();
        while self.advance()? {
            match self.reader.event() {
                Event::Property(property) => {
                    let values = property.value_count() as usize;
                    self.properties.add(property.as_bytes(), values, property.framing(), true);
                }
                Event::PropertyPart(part) => {
                    let values = usize::from(part.is_value_start());
                    self.properties.add(part.as_bytes(), values, part.framing(), part.is_property_start());
                }
                Event::Problem(_) | Event::Gap(_) => {}
                _ => {
                    self.is_ahead = true;
                    break;
                }
            }
        }
        Ok(())
    }

    /// The values of the last node.
    pub(super) fn values(&self) -> Values {
        let mut values = Values::default();
        let meaning = Meaning::of(&self.state);
        let dialect = Dialect::of_any_program(self.state.game(), self.state.board_size());
        for property in self.properties.iter() {
            let (ident, is_root) = (property.ident(), self.node == 1);
            if !(is_root && ident.is(b"CA")) && self.ignore.is_none_or(|ignore| !ignore.selects(ident, &meaning)) {
                values.add(&property, &self.state, &meaning, &dialect);
            }
        }
        values.sort();
        values
    }

    pub(super) fn named(&self, found: Found) -> String {
        match found {
            Found::VariationStart => "a variation".to_owned(),
            Found::VariationEnd => "the end of a variation".to_owned(),
            Found::End => "the end of the file".to_owned(),
            Found::Node => {
                let values = self.values();
                match values.values.first().map(|value| values.ident(value)) {
                    Some(ident) => format!("a node with {}", values.shown(ident, 0, true)),
                    None => "a node".to_owned(),
                }
            }
        }
    }
}

/// The values of a node, without escapes, blanks and other spellings, in the order of their identifiers.
#[derive(Default)]
pub(super) struct Values {
    bytes: Vec<u8>,
    values: Vec<Value>,
}

/// A value in the bytes of [`Values`].
struct Value {
    /// Where its identifier begins; a `[` follows it.
    ident: u32,
    /// Its place among the values of the node; 0 in lists, where the place means nothing.
    place: u32,
    value: Range<u32>,
}

impl Values {
    fn push(&mut self, bytes: impl IntoIterator<Item = u8>) -> Range<u32> {
        let start = self.bytes.len() as u32;
        self.bytes.extend(bytes);
        start..self.bytes.len() as u32
    }

    fn add(&mut self, property: &Property<'_>, state: &GameState, meaning: &Meaning, dialect: &Dialect) {
        let ident = property.ident().canonical();
        let definition = meaning.definition(&ident).map(|found| found.definition);
        let is_text = |value_type: ValueType| value_type.is_text() || matches!(value_type, ValueType::Compose(..));
        let is_text = definition.as_ref().is_none_or(|definition| is_text(definition.value_type));
        let is_list = definition.is_some_and(|known| matches!(known.list_kind, ListKind::List | ListKind::Elist));
        let ident = self.push(ident.iter().copied().chain([b'['])).start;
        let add = |values: &mut Self, value: &[u8]| {
            let place = if is_list { 0 } else { values.values.len() as u32 + 1 };
            let value = match is_text {
                true => values.push(value.iter().copied()),
                false => values.push(value.iter().copied().filter(|byte| !byte.is_ascii_whitespace())),
            };
            values.values.push(Value { ident, place, value });
        };
        let mut moves = state.moves(property).peekable();
        if moves.peek().is_some() {
            for played in moves {
                let bytes = played.bytes();
                match dialect.spell_move(&bytes) {
                    Some(spelled) => add(self, spelled.as_bytes()),
                    None => add(self, &bytes),
                }
            }
            return;
        }
        for value in property.values().map(|value: RawValue<'_>| value.with_charset(state.charset())) {
            // Texts in one charset, everything else is ASCII.
            match value.as_bytes().is_ascii() {
                true => add(self, &value.unescaped()),
                false => add(self, value.text().as_bytes()),
            }
        }
    }

    fn ident(&self, value: &Value) -> &[u8] {
        self.bytes[value.ident as usize..].split(|&byte| byte == b'[').next().unwrap_or_default()
    }

    fn value(&self, value: &Value) -> &[u8] {
        &self.bytes[value.value.start as usize..value.value.end as usize]
    }

    fn sort(&mut self) {
        let mut values = std::mem::take(&mut self.values);
        let key = |value: &Value| (self.ident(value), value.place, self.value(value));
        values.sort_unstable_by(|one, other| key(one).cmp(&key(other)));
        self.values = values;
    }

    /// The identifier and the value of this number; none after the last.
    pub(super) fn get(&self, at: usize) -> Option<(&[u8], &[u8])> {
        self.values.get(at).map(|value| (self.ident(value), self.value(value)))
    }

    /// The value of this number, or `all` of its property from there on, as far as they are shown.
    pub(super) fn shown(&self, ident: &[u8], at: usize, all: bool) -> String {
        let mut text = String::from_utf8_lossy(ident).into_owned();
        let values = self.values.get(at..).unwrap_or_default().iter().take_while(|value| self.ident(value) == ident);
        let mut values = values.take(if all { SHOWN } else { 1 }).peekable();
        if values.peek().is_none() {
            return format!("no `{text}`, or no further value");
        }
        for value in values {
            let value = self.value(value);
            text.push_str(&format!("[{}]", String::from_utf8_lossy(&value[..value.len().min(4 * SHOWN)])));
        }
        if let Some((cut, _)) = text.char_indices().nth(SHOWN) {
            text.truncate(cut);
            text.push('…');
        }
        format!("`{text}`")
    }
}
