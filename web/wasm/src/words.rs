//! Events as numbers and one text.
//!
//! ```text
//! event    = head [name] value*  [place]        all of them words of 32 bits
//! head     = kind (3 bits) and, for a property, name (16 bits) and how many values (13 bits)
//! value    = 1 00 … two characters of ASCII     in the lowest 14 bits
//!          | 1 01 … one character of ASCII
//!          | 1 10 … none
//!          | 0 start, length                    in UTF-16 units of the text
//! place    = start, end, depth, game, charset and framing << 16, only if asked for
//! ```

use sgfstream::{
    Charset, CharsetSource, Code, Event, Flow, Framing, Place, Property, PropertyPart, RawValue,
    Sink, Variation,
};

use crate::answers::FRAMINGS;
use crate::names;

pub(crate) const VARIATION_START: u32 = 0;
pub(crate) const NODE_START: u32 = 1;
pub(crate) const VARIATION_END: u32 = 2;
const PROPERTY: u32 = 3;
const PROBLEM: u32 = 4;
const PART: u32 = 5;
/// A node whose first property is a move of two characters.
const MOVE: u32 = 6;
const GAP: u32 = 7;

/// Markers for a name that is not interned and a count that does not fit. Both follow as words.
const OTHER_NAME: usize = 0xFFFF;
const OTHER_COUNT: usize = 0x1FFF;

/// Number of words after which a batch is full.
const FULL: usize = 1 << 16;

/// Maximum bytes of buffered values of a root: CA may follow the texts that it applies to (spec
/// CA-02).
const HELD: usize = 4 << 20;

/// Optional parts of events.
#[derive(Clone, Copy, Default)]
pub(crate) struct EventParts {
    /// Values as written, one character per byte, instead of decoded texts.
    pub(crate) raw: bool,
    /// Bytes, depth, game and charset of each event.
    pub(crate) places: bool,
}

/// Batch of events under construction.
#[derive(Default)]
pub(crate) struct Words {
    wanted: EventParts,
    pub(crate) words: Vec<u32>,
    pub(crate) text: String,
    /// Length of the text in UTF-16 units.
    units: u32,
    /// Offset in the input that is subtracted from the places of this batch.
    pub(crate) base: u64,
    /// Charsets by their numbers.
    pub(crate) charsets: Vec<Charset>,
    /// Nodes of the game so far.
    nodes: u64,
    /// Number of words up to a node that has no property yet.
    node_at: usize,
    /// Values of a root whose charset is not known yet.
    held: Vec<BufferedValue>,
    held_bytes: Vec<u8>,
    is_full: bool,
}

/// A buffered value: the index of the word for the place of its text, and its bytes.
struct BufferedValue {
    word: usize,
    start: usize,
    end: usize,
    framing: Framing,
}

impl Words {
    pub(crate) fn new(wanted: EventParts) -> Self {
        Self {
            wanted,
            ..Self::default()
        }
    }

    /// Begins the next batch.
    pub(crate) fn clear(&mut self) {
        self.words.clear();
        self.text.clear();
        self.units = 0;
        self.node_at = 0;
        self.is_full = false;
    }

    pub(crate) fn charset_of(&self, number: usize) -> String {
        self.charsets
            .get(number)
            .map_or("", |charset| charset.name())
            .to_owned()
    }

    pub(crate) fn is_full(&self) -> bool {
        self.is_full
    }

    /// Returns whether the batch is complete, that is, no value is buffered.
    pub(crate) fn is_settled(&self) -> bool {
        self.held.is_empty()
    }

    #[inline(always)]
    fn push_text(&mut self, text: &str) {
        let units = if text.is_ascii() {
            text.len()
        } else {
            text.encode_utf16().count()
        };
        self.words.extend([self.units, units as u32]);
        self.text.push_str(text);
        self.units += units as u32;
    }

    /// Appends bytes, one character per byte.
    fn push_latin1(&mut self, bytes: &[u8]) {
        self.words.extend([self.units, bytes.len() as u32]);
        self.text.extend(bytes.iter().map(|&byte| char::from(byte)));
        self.units += bytes.len() as u32;
    }

    #[inline(always)]
    fn value(&mut self, value: RawValue<'_>, place: &Place) {
        // Plain bytes are neither whitespace, which Text changes, nor escapes.
        let plain = |byte: u8| byte > b' ' && byte < 0x7F && byte != b'\\';
        let word = match *value.as_bytes() {
            [first, second] if plain(first) && plain(second) => {
                1 << 31 | u32::from(first) | u32::from(second) << 7
            }
            [first] if plain(first) => 1 << 31 | 1 << 29 | u32::from(first),
            [] => 1 << 31 | 2 << 29,
            _ => return self.long_value(value, place),
        };
        self.words.push(word);
    }

    fn long_value(&mut self, value: RawValue<'_>, place: &Place) {
        let bytes = value.as_bytes();
        if self.wanted.raw {
            return self.push_latin1(bytes);
        }
        let waits =
            self.nodes == 1 && place.charset_source < CharsetSource::Declared && !bytes.is_ascii();
        if waits && self.held_bytes.len() < HELD {
            let start = self.held_bytes.len();
            self.held_bytes.extend_from_slice(bytes);
            let end = self.held_bytes.len();
            self.held.push(BufferedValue {
                word: self.words.len(),
                start,
                end,
                framing: value.framing(),
            });
            self.words.extend([0, 0]);
            return;
        }
        self.push_text(&value.with_charset(place.charset).text());
    }

    /// Decodes the buffered values, because the charset of the game is known or will not become
    /// better known.
    #[cold]
    fn decode_buffered(&mut self, charset: Charset) {
        let (held, bytes) = (
            std::mem::take(&mut self.held),
            std::mem::take(&mut self.held_bytes),
        );
        for BufferedValue {
            word,
            start,
            end,
            framing,
        } in held
        {
            let text = RawValue::new(&bytes[start..end], framing)
                .with_charset(charset)
                .text();
            let units = text.encode_utf16().count() as u32;
            self.words[word] = self.units;
            self.words[word + 1] = units;
            self.text.push_str(&text);
            self.units += units;
        }
    }

    /// Handles the end of the input.
    pub(crate) fn end(&mut self, charset: Charset) {
        self.decode_buffered(charset);
    }

    fn place(&mut self, place: &Place, framing: Framing) {
        let from_base = |byte: u64| byte.wrapping_sub(self.base) as u32;
        let (start, end) = (from_base(place.span.start), from_base(place.span.end));
        let charset = match self
            .charsets
            .iter()
            .position(|&charset| charset == place.charset)
        {
            Some(found) => found,
            None => {
                self.charsets.push(place.charset);
                self.charsets.len() - 1
            }
        };
        let framing = FRAMINGS
            .iter()
            .position(|&found| found == framing)
            .unwrap_or(0) as u32;
        self.words.extend([
            start,
            end,
            place.depth as u32,
            place.game as u32,
            charset as u32 | framing << 16,
        ]);
    }

    #[inline(always)]
    fn property(&mut self, property: &Property<'_>, place: &Place) {
        if let Some((color, [first, second])) = property.as_move()
            && self.words.len() == self.node_at
            && !self.wanted.places
            && [first, second]
                .iter()
                .all(|byte| byte.is_ascii_alphanumeric())
            && let Some(last) = self.words.last_mut()
        {
            let color = u32::from(color == b'W') << 3;
            self.node_at = 0;
            *last = MOVE | color | u32::from(first) << 8 | u32::from(second) << 15;
            return;
        }
        self.any_property(property, place);
    }

    #[inline(never)]
    fn any_property(&mut self, property: &Property<'_>, place: &Place) {
        let written = property.ident();
        let name = names::number_of(written.as_bytes()).unwrap_or(OTHER_NAME);
        if property.is_simple() {
            self.words.push(PROPERTY | (name as u32) << 3 | 1 << 19);
            self.other_name(name, written);
            self.value(property.first(), place);
        } else {
            let at = self.words.len();
            self.words.push(0);
            self.other_name(name, written);
            let count_at = self.words.len();
            let mut count = 0;
            for value in property.values() {
                self.value(value, place);
                count += 1;
            }
            self.words[at] = PROPERTY | (name as u32) << 3 | (count.min(OTHER_COUNT) as u32) << 19;
            if count >= OTHER_COUNT {
                self.words.insert(count_at, count as u32);
                self.held
                    .iter_mut()
                    .filter(|held| held.word >= count_at)
                    .for_each(|held| held.word += 1);
            }
        }
    }

    fn other_name(&mut self, name: usize, written: sgfstream::Ident<'_>) {
        if name == OTHER_NAME {
            self.push_latin1(&written.canonical());
            self.push_latin1(written.as_bytes());
        }
    }

    #[cold]
    #[inline(never)]
    fn part(&mut self, part: &PropertyPart<'_>, place: &Place) {
        let name = names::number_of(part.ident().as_bytes()).unwrap_or(OTHER_NAME);
        let flags = u32::from(part.is_value_start()) | u32::from(part.is_value_end()) << 1;
        self.words.push(PART | (name as u32) << 3 | flags << 19);
        self.other_name(name, part.ident());
        self.words
            .push(u32::try_from(part.value_index()).unwrap_or(u32::MAX));
        self.value(part.content(), place);
    }
}

impl Sink for Words {
    #[inline(always)]
    fn event(&mut self, event: &Event<'_>, place: &Place) -> Flow {
        if self.wanted.places && self.words.is_empty() {
            self.base = place.span.start;
        }
        let mut framing = Framing::Value;
        match event {
            Event::NodeStart { supplied } => {
                self.nodes += 1;
                if !self.held.is_empty() {
                    self.decode_buffered(place.charset);
                }
                self.words.push(NODE_START | u32::from(*supplied) << 3);
                // A supplied node gets no move from the compact form.
                self.node_at = if *supplied { 0 } else { self.words.len() };
            }
            Event::Property(property) => {
                framing = property.framing();
                self.property(property, place);
            }
            Event::VariationStart(Variation { supplied, .. }) => {
                if place.depth == 1 {
                    self.nodes = 0;
                }
                if !self.held.is_empty() {
                    self.decode_buffered(place.charset);
                }
                self.words.push(VARIATION_START | u32::from(*supplied) << 3);
            }
            Event::VariationEnd(Variation { supplied, .. }) => {
                if !self.held.is_empty() {
                    self.decode_buffered(place.charset);
                }
                self.words.push(VARIATION_END | u32::from(*supplied) << 3);
            }
            Event::PropertyPart(part) => self.part(part, place),
            Event::Problem(problem) => {
                let code = Code::ALL
                    .iter()
                    .position(|code| *code == problem.code)
                    .unwrap_or(0);
                self.words.push(PROBLEM | (code as u32) << 3);
            }
            Event::Gap(bytes) => {
                self.words.push(GAP);
                self.push_latin1(bytes);
            }
            _ => return Flow::Go,
        }
        if self.wanted.places {
            self.place(place, framing);
        }
        if self.words.len() >= FULL && self.held.is_empty() {
            self.is_full = true;
            return Flow::Stop;
        }
        Flow::Go
    }
}
