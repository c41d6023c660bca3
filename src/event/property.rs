//! Properties: an identifier, and values that are split when they are asked for.

use std::borrow::Cow;
use std::fmt;

use crate::base::Charset;
use crate::scan::{Framing, ValueEnd, root_property, value_end};

use super::{Ident, RawValue};

/// An identifier and its values, borrowed from the reader's buffer.
///
/// ```
/// use sgfstream::{Event, SliceReader};
///
/// let property = SliceReader::new(b"(;AB[pd][dd] [pp])")
///     .find_map(|event| match event {
///         Event::Property(property) => Some(property),
///         _ => None,
///     })
///     .expect("one property");
/// assert!(property.ident() == "AB");
/// assert_eq!(property.values().count(), 3);
/// assert_eq!(property.as_bytes(), b"AB[pd][dd] [pp]");
/// ```
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Property<'a> {
    pub(super) raw: &'a [u8],
    pub(super) ident_len: u32,
    pub(super) framing: Framing,
    pub(super) charset: Charset,
    /// There is one value; its `[` directly follows the identifier, and its `]` is the last byte.
    pub(super) simple: bool,
}

impl<'a> Property<'a> {
    /// A property of the bytes `raw`, which begin with an identifier of `ident_len` bytes. `simple` is a promise: there is
    /// one value, its `[` directly follows the identifier, and its `]` is the last byte. Its charset is
    /// [`Charset::AUTO`]. [`parse`](Self::parse) is for bytes that are not known to be a property.
    #[must_use]
    #[inline(always)]
    pub fn new(raw: &'a [u8], ident_len: u32, framing: Framing, simple: bool) -> Self {
        debug_assert!(ident_len as usize <= raw.len());
        Self { raw, ident_len, framing, charset: Charset::AUTO, simple }
    }

    /// The property that `raw` holds, if it holds one and nothing else:
    /// identifier, values, blanks between. The last value may lack its `]`.
    /// Its charset is [`Charset::AUTO`].
    #[must_use]
    pub fn parse(raw: &'a [u8], framing: Framing) -> Option<Self> {
        let ident_len = raw.iter().take_while(|byte| byte.is_ascii_alphanumeric()).count();
        let property = Self::new(raw, u32::try_from(ident_len).ok()?, framing, false);
        let mut values = property.values();
        values.by_ref().last()?;
        (ident_len > 0 && values.rest.is_empty()).then_some(property)
    }

    /// The property that `raw` is known to hold, from its identifier to its last `]`.
    #[must_use]
    pub fn from_raw(raw: &'a [u8], framing: Framing) -> Self {
        let ident_len = raw.iter().take_while(|byte| byte.is_ascii_alphanumeric()).count();
        Self::new(raw, ident_len as u32, framing, false)
    }

    /// True if a variation that begins with this property may be taken for another game, whose predecessor was cut off: it
    /// is a root property, its `[` directly after the identifier. See [`to_bytes_spaced`](Self::to_bytes_spaced).
    #[must_use]
    pub fn begins_game(&self) -> bool {
        root_property(self.raw).is_some()
    }

    /// Its bytes with a blank before the first `[`, so that a variation that begins with it does not look like another
    /// game.
    #[must_use]
    pub fn to_bytes_spaced(&self) -> Vec<u8> {
        let (ident, values) = self.raw.split_at(self.ident_len as usize);
        [ident, b" ", values].concat()
    }

    /// Its identifier.
    #[must_use]
    #[inline(always)]
    pub fn ident(&self) -> Ident<'a> {
        Ident::new(&self.raw[..self.ident_len as usize])
    }

    /// The whole property as written, from the identifier to the last `]`.
    #[must_use]
    #[inline(always)]
    pub fn as_bytes(&self) -> &'a [u8] {
        self.raw
    }

    /// How its values are framed.
    #[must_use]
    pub fn framing(&self) -> Framing {
        self.framing
    }

    /// The charset of its game, as far as the reader knew it here.
    #[must_use]
    pub fn charset(&self) -> Charset {
        self.charset
    }

    /// This property, with values to be decoded by `charset`.
    #[must_use]
    #[inline(always)]
    pub const fn with_charset(self, charset: Charset) -> Self {
        Self { charset, ..self }
    }

    /// True if its only value is known without a search: see `simple` of [`new`](Self::new).
    #[must_use]
    #[inline(always)]
    pub fn is_simple(&self) -> bool {
        self.simple
    }

    /// Its values, in order, split as they are asked for. At least one.
    #[inline]
    #[must_use]
    pub fn values(&self) -> Values<'a> {
        Values {
            rest: &self.raw[self.ident_len as usize..],
            framing: self.framing,
            charset: self.charset,
            simple: self.simple,
        }
    }

    /// The last value, if it has no `]`.
    pub(super) fn cut_value(&self) -> Option<RawValue<'a>> {
        // One look tells nearly always: no escape before the `]`, and no half of a character.
        let is_plain = matches!(self.raw, [.., before, b']'] if *before < 0x80 && *before != b'\\');
        let is_last = |value: &RawValue<'_>| value.as_bytes().as_ptr_range().end == self.raw.as_ptr_range().end;
        if is_plain { None } else { self.values().last().filter(is_last) }
    }

    #[inline(always)]
    fn value(&self, bytes: &'a [u8]) -> RawValue<'a> {
        RawValue::new(bytes, self.framing).with_charset(self.charset)
    }

    /// Its first value.
    //  Always inlined, and the call takes single fields: for a call with the whole property, each move of a game would
    //  have one put into memory.
    #[must_use]
    #[inline(always)]
    pub fn first(&self) -> RawValue<'a> {
        if self.simple {
            return self.value(&self.raw[self.ident_len as usize + 1..self.raw.len() - 1]);
        }
        Self::split_first(self.raw, self.ident_len, self.framing, self.charset)
    }

    #[inline(never)]
    fn split_first(raw: &'a [u8], ident_len: u32, framing: Framing, charset: Charset) -> RawValue<'a> {
        let property = Self { raw, ident_len, framing, charset, simple: false };
        property.values().next().unwrap_or_else(|| property.value(b""))
    }

    /// Its first value as Text; see [`RawValue::text`].
    ///
    /// ```
    /// use sgfstream::{Event, EventReader, Reader};
    ///
    /// let mut reader = Reader::new(&b"(;CA[GBK]C[\xba\xda])"[..]);
    /// let mut comment = String::new();
    /// while reader.advance()? {
    ///     if let Event::Property(property) = reader.event()
    ///         && property.ident() == "C"
    ///     {
    ///         comment = property.text().into_owned();
    ///     }
    /// }
    /// assert_eq!(comment, "黑");
    /// # Ok::<(), sgfstream::Error>(())
    /// ```
    #[must_use]
    pub fn text(&self) -> Cow<'a, str> {
        self.first().text()
    }

    /// Its first value as SimpleText; see [`RawValue::simple_text`].
    #[must_use]
    pub fn simple_text(&self) -> Cow<'a, str> {
        self.first().simple_text()
    }

    /// The move `B[xy]` or `W[xy]`, as nearly every property of an archive is: its letter, `B` or `W`, and the two bytes
    /// of its only value as written, which need not be a point of the board. `None` for all else.
    ///
    /// ```
    /// use sgfstream::{Framing, Property};
    ///
    /// let as_move = |raw| Property::parse(raw, Framing::Value).expect("a property").as_move();
    /// assert_eq!(as_move(b"W[pd]"), Some((b'W', *b"pd")));
    /// assert_eq!([as_move(b"W[]"), as_move(b"B[][]"), as_move(b"AB[pd]")], [None; 3]);
    /// ```
    #[must_use]
    #[inline(always)]
    pub fn as_move(&self) -> Option<(u8, [u8; 2])> {
        match *self.raw {
            [letter @ (b'B' | b'W'), b'[', column, row, b']'] if self.simple || self.only_len() == Some(2) => {
                Some((letter, [column, row]))
            }
            _ => None,
        }
    }

    #[cold]
    fn only_len(&self) -> Option<usize> {
        self.only().map(|value| value.as_bytes().len())
    }

    /// Its value, if it has exactly one.
    #[must_use]
    #[inline]
    pub fn only(&self) -> Option<RawValue<'a>> {
        let mut values = self.values();
        let first = values.next();
        if self.simple || values.next().is_none() { first } else { None }
    }

    /// Its values, each as the only piece of it.
    pub(super) fn pieces(self) -> impl Iterator<Item = PropertyPart<'a>> {
        let (mut from, base) = (0, self.raw.as_ptr() as usize);
        (0..).zip(self.values()).map(move |(value, content)| {
            let content_start = content.as_bytes().as_ptr() as usize - base - from;
            let content_end = from + content_start + content.as_bytes().len();
            let closed = content_end < self.raw.len();
            let raw = &self.raw[from..content_end + usize::from(closed)];
            from += raw.len();
            PropertyPart {
                ident: self.ident(),
                raw,
                value,
                content_start: content_start as u32,
                framing: self.framing,
                charset: self.charset,
                first: true,
                last: true,
                closed,
            }
        })
    }

    /// How many values it has, without splitting where one look tells.
    #[must_use]
    #[inline(always)]
    pub fn value_count(&self) -> u64 {
        if self.simple { 1 } else { self.split_count() }
    }

    #[inline(never)]
    fn split_count(&self) -> u64 {
        self.values().count() as u64
    }
}

impl fmt::Debug for Property<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Property({})", String::from_utf8_lossy(self.raw))
    }
}

/// The values of a property, in order.
#[derive(Clone, Debug)]
pub struct Values<'a> {
    rest: &'a [u8],
    framing: Framing,
    charset: Charset,
    simple: bool,
}

impl<'a> Iterator for Values<'a> {
    type Item = RawValue<'a>;

    #[inline]
    fn next(&mut self) -> Option<RawValue<'a>> {
        if self.simple {
            self.simple = false;
            let content = &self.rest[1..self.rest.len() - 1];
            self.rest = &[];
            return Some(RawValue::new(content, self.framing).with_charset(self.charset));
        }
        let open = self.rest.iter().position(|&byte| byte == b'[')?;
        let content = open + 1;
        let end = match value_end(self.rest, content, content, true, self.framing) {
            ValueEnd::Found { at, .. } => at,
            // Only the last value can lack its end: the input ended first.
            ValueEnd::Missing { .. } => self.rest.len(),
        };
        let value = RawValue::new(&self.rest[content..end], self.framing).with_charset(self.charset);
        self.rest = self.rest.get(end + 1..).unwrap_or(&[]);
        Some(value)
    }
}

impl std::iter::FusedIterator for Values<'_> {}

/// A piece of one value of a property that is too long to be given whole.
///
/// A property's parts come one after another: value by value, piece by piece.
/// A new property begins with a part whose [`is_property_start`](Self::is_property_start) is true.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct PropertyPart<'a> {
    pub(crate) ident: Ident<'a>,
    pub(crate) raw: &'a [u8],
    pub(crate) value: u64,
    pub(crate) content_start: u32,
    pub(crate) framing: Framing,
    pub(crate) charset: Charset,
    pub(crate) first: bool,
    pub(crate) last: bool,
    pub(crate) closed: bool,
}

impl<'a> PropertyPart<'a> {
    /// The identifier of the property that this is a part of.
    #[must_use]
    pub fn ident(&self) -> Ident<'a> {
        self.ident
    }

    /// Which value of the property this belongs to, from 0.
    #[must_use]
    pub fn value_index(&self) -> u64 {
        self.value
    }

    /// True for the first piece of a value.
    #[must_use]
    pub fn is_value_start(&self) -> bool {
        self.first
    }

    /// True for the last piece of a value.
    #[must_use]
    pub fn is_value_end(&self) -> bool {
        self.last
    }

    /// True for the first piece of the first value: a property begins.
    #[must_use]
    pub fn is_property_start(&self) -> bool {
        self.first && self.value == 0
    }

    /// The piece of the value's content, without brackets.
    #[must_use]
    pub fn content(&self) -> RawValue<'a> {
        let end = self.raw.len() - usize::from(self.closed);
        RawValue::new(&self.raw[self.content_start as usize..end], self.framing).with_charset(self.charset)
    }

    /// Where the content begins in [`as_bytes`](Self::as_bytes): after the identifier and the `[`, if they are in this part.
    #[must_use]
    pub fn content_start(&self) -> u32 {
        self.content_start
    }

    /// True if its value ends with a `]` in this part. A last piece without it was cut by the end of input.
    #[must_use]
    pub fn is_closed(&self) -> bool {
        self.closed
    }

    /// This piece with other bytes: `raw`, whose content begins at `content_start`.
    #[must_use]
    pub fn with_bytes<'b>(self, ident: Ident<'b>, raw: &'b [u8], content_start: u32) -> PropertyPart<'b> {
        PropertyPart { ident, raw, content_start, ..self }
    }

    /// This piece with the `]` of its value, which its bytes end with.
    #[must_use]
    pub fn with_end(self) -> Self {
        Self { closed: true, ..self }
    }

    /// This piece, its content framed so and to be decoded by `charset`.
    #[must_use]
    pub fn read_as(self, framing: Framing, charset: Charset) -> Self {
        Self { framing, charset, ..self }
    }

    /// How its value is framed.
    #[must_use]
    pub fn framing(&self) -> Framing {
        self.framing
    }

    /// The bytes as written: the content, and the identifier and the brackets that are in this part.
    #[must_use]
    pub fn as_bytes(&self) -> &'a [u8] {
        self.raw
    }
}

impl fmt::Debug for PropertyPart<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "PropertyPart({}, {} bytes)", self.ident, self.raw.len())
    }
}
