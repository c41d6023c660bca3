//! Properties: an identifier, and values that are split on demand.

use std::borrow::Cow;
use std::fmt;

use crate::base::Charset;
use crate::scan::{Framing, ValueEnd, begins_like_game, value_end};

use super::{Ident, RawValue};

/// Property: an identifier and its values, borrowed from the reader's buffer.
///
/// ```
/// use sgfstream::{Event, SliceReader};
///
/// let mut reader = SliceReader::new(b"(;AB[pd][dd] [pp])");
/// let Some(Ok(Event::Property(property))) = reader.events().nth(2) else {
///     panic!("the third event is a property")
/// };
/// assert!(property.ident() == "AB");
/// assert_eq!(property.values().count(), 3);
/// assert_eq!(property.as_bytes(), b"AB[pd][dd] [pp]");
/// ```
#[derive(Clone, Copy, Eq)]
pub struct Property<'a> {
    pub(super) raw: &'a [u8],
    pub(super) ident_len: u32,
    pub(super) framing: Framing,
    pub(super) charset: Charset,
    /// Number of values; 0 if they were not counted. 1 promises more: the `[` of the value directly
    /// follows the identifier, and its `]` is the last byte.
    pub(super) counted: u8,
}

/// Properties are equal if they have the same bytes, and these mean the same.
impl PartialEq for Property<'_> {
    fn eq(&self, other: &Self) -> bool {
        let fields = |it: &Self| (it.raw, it.ident_len, it.framing, it.charset, it.is_simple());
        fields(self) == fields(other)
    }
}

impl<'a> Property<'a> {
    /// Returns a property of the bytes `raw`, which begin with an identifier of `ident_len` bytes.
    /// `simple` is a promise: there is a single value, its `[` directly follows the identifier, and
    /// its `]` is the last byte. The charset is [`Charset::AUTO`]. For bytes that may not be a
    /// property, use [`parse`](Self::parse).
    #[must_use]
    #[inline(always)]
    pub fn new(raw: &'a [u8], ident_len: u32, framing: Framing, simple: bool) -> Self {
        debug_assert!(ident_len as usize <= raw.len());
        Self {
            raw,
            ident_len,
            framing,
            charset: Charset::AUTO,
            counted: simple.into(),
        }
    }

    /// Sets the number of values, which the reader has counted.
    #[inline(always)]
    pub(crate) fn with_count(self, values: usize) -> Self {
        Self {
            counted: u8::try_from(values).unwrap_or(0),
            ..self
        }
    }

    /// Parses `raw` as a single property: identifier and values, with blanks between them. The last
    /// value may lack its `]`. The charset is [`Charset::AUTO`].
    #[must_use]
    pub fn parse(raw: &'a [u8], framing: Framing) -> Option<Self> {
        let ident_len = raw
            .iter()
            .take_while(|byte| byte.is_ascii_alphanumeric())
            .count();
        let property = Self::new(raw, u32::try_from(ident_len).ok()?, framing, false);
        let mut values = property.values();
        values.by_ref().last()?;
        (ident_len > 0 && values.rest.is_empty()).then_some(property)
    }

    /// Returns the property in `raw`, which must extend from its identifier to its last `]`.
    #[doc(hidden)]
    #[must_use]
    pub fn from_raw(raw: &'a [u8], framing: Framing) -> Self {
        let ident_len = raw
            .iter()
            .take_while(|byte| byte.is_ascii_alphanumeric())
            .count();
        Self::new(raw, ident_len as u32, framing, false)
    }

    /// Returns whether a variation that begins with this property looks like another game whose
    /// predecessor was cut off: it describes a game, as `SZ` or `PB` does, with its `[` directly
    /// after the identifier. See [`to_bytes_spaced`](Self::to_bytes_spaced).
    #[doc(hidden)]
    #[must_use]
    pub fn begins_game(&self) -> bool {
        begins_like_game(self.raw)
    }

    /// Returns the bytes with a blank before the first `[`, so that a variation that begins with
    /// them does not look like another game.
    #[must_use]
    pub fn to_bytes_spaced(&self) -> Vec<u8> {
        let (ident, values) = self.raw.split_at(self.ident_len as usize);
        [ident, b" ", values].concat()
    }

    /// Returns the identifier as written; [`Ident::canonical`] drops its lowercase letters.
    #[must_use]
    #[inline(always)]
    pub fn ident(&self) -> Ident<'a> {
        Ident::new(&self.raw[..self.ident_len as usize])
    }

    /// Returns the whole property as written, from the identifier to the last `]`.
    #[must_use]
    #[inline(always)]
    pub fn as_bytes(&self) -> &'a [u8] {
        self.raw
    }

    /// Returns the framing of the values.
    #[must_use]
    pub fn framing(&self) -> Framing {
        self.framing
    }

    /// Returns the charset of the game, as far as the reader knew it at this property.
    #[must_use]
    pub fn charset(&self) -> Charset {
        self.charset
    }

    /// Sets the charset that decodes the values.
    #[doc(hidden)]
    #[must_use]
    #[inline(always)]
    pub const fn with_charset(self, charset: Charset) -> Self {
        Self { charset, ..self }
    }

    /// Returns whether the only value is known without a search: see `simple` of
    /// [`new`](Self::new).
    #[must_use]
    #[inline(always)]
    pub fn is_simple(&self) -> bool {
        self.counted == 1
    }

    /// Iterates over the values, in order, and splits them on demand. There is at least one.
    #[inline]
    #[must_use]
    pub fn values(&self) -> Values<'a> {
        Values {
            rest: &self.raw[self.ident_len as usize..],
            framing: self.framing,
            charset: self.charset,
            simple: self.is_simple(),
        }
    }

    /// Returns the last value, if the end of the input cut it. [`RawValue::closing`] closes it.
    ///
    /// ```
    /// use sgfstream::{Framing, Property};
    ///
    /// let property = Property::from_raw(b"AB[aa][bb", Framing::Value);
    /// assert_eq!(property.cut_value().expect("it has no `]`").as_bytes(), b"bb");
    /// ```
    #[must_use]
    #[inline]
    pub fn cut_value(&self) -> Option<RawValue<'a>> {
        // A quick test is nearly always enough: no escape and no half of a character before the
        // `]`.
        let is_plain = matches!(self.raw, [.., before, b']'] if *before < 0x80 && *before != b'\\');
        let is_last = |value: &RawValue<'_>| {
            value.as_bytes().as_ptr_range().end == self.raw.as_ptr_range().end
        };
        if self.is_simple() || is_plain {
            None
        } else {
            self.values().last().filter(is_last)
        }
    }

    #[inline(always)]
    fn value(&self, bytes: &'a [u8]) -> RawValue<'a> {
        RawValue::new(bytes, self.framing).with_charset(self.charset)
    }

    /// Returns the value that counts if the property allows one: the first that is not blank, or
    /// the first if all are.
    ///
    /// ```
    /// use sgfstream::{Framing, Property};
    ///
    /// assert_eq!(Property::from_raw(b"PW[][Cy][Di]", Framing::Value).first().as_bytes(), b"Cy");
    /// ```
    // This method is always inlined, and `split_first` takes single fields. If it took the whole
    // property, each move of a game would have to be stored in memory.
    #[must_use]
    #[inline(always)]
    pub fn first(&self) -> RawValue<'a> {
        if self.is_simple() {
            return self.value(&self.raw[self.ident_len as usize + 1..self.raw.len() - 1]);
        }
        Self::split_first(self.raw, self.ident_len, self.framing, self.charset)
    }

    #[inline(never)]
    fn split_first(
        raw: &'a [u8],
        ident_len: u32,
        framing: Framing,
        charset: Charset,
    ) -> RawValue<'a> {
        let property = Self {
            raw,
            ident_len,
            framing,
            charset,
            counted: 0,
        };
        let is_blank = |value: &RawValue<'_>| value.as_bytes().trim_ascii().is_empty();
        let mut values = property.values();
        // A value borrows from the property, also an empty one, so that its place is known.
        let first = values.next().unwrap_or_else(|| property.value(b""));
        if is_blank(&first) {
            values.find(|value| !is_blank(value)).unwrap_or(first)
        } else {
            first
        }
    }

    /// Returns the [`first`](Self::first) value as Text; see [`RawValue::text`].
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

    /// Returns the [`first`](Self::first) value as SimpleText; see [`RawValue::simple_text`].
    #[must_use]
    pub fn simple_text(&self) -> Cow<'a, str> {
        self.first().simple_text()
    }

    /// Returns the letter and the point of a move `B[xy]` or `W[xy]`, the form of nearly every
    /// property of an archive. The two bytes of the point are as written and need not be on the
    /// board. Returns `None` for every other property.
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
            [letter @ (b'B' | b'W'), b'[', column, row, b']']
                if self.is_simple() || self.only_len() == Some(2) =>
            {
                Some((letter, [column, row]))
            }
            _ => None,
        }
    }

    #[cold]
    fn only_len(&self) -> Option<usize> {
        self.only().map(|value| value.as_bytes().len())
    }

    /// Returns the value, if there is exactly one.
    #[must_use]
    #[inline]
    pub fn only(&self) -> Option<RawValue<'a>> {
        let mut values = self.values();
        let first = values.next();
        if self.is_simple() || values.next().is_none() {
            first
        } else {
            None
        }
    }

    /// Iterates over the values, each as a single piece.
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

    /// Returns the number of values, without splitting them if the reader has counted them.
    #[must_use]
    #[inline(always)]
    pub fn value_count(&self) -> u64 {
        if self.counted > 0 {
            self.counted.into()
        } else {
            self.split_count()
        }
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

/// Iterator over the values of a property, in order.
///
/// ```
/// use sgfstream::{Framing, Property};
///
/// let property = Property::parse(b"AB[pd] [dd]", Framing::Value).expect("a property");
/// let points: Vec<_> = property.values().map(|value| value.as_bytes()).collect();
/// assert_eq!(points, [b"pd", b"dd"]);
/// ```
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
        // Try a point of two lowercase letters first, because most values of long lists are points.
        if let Some((&near, rest)) = self.rest.split_first_chunk()
            && is_two_letters(near)
        {
            let value = RawValue::new(&self.rest[1..3], self.framing).with_charset(self.charset);
            self.rest = rest;
            return Some(value);
        }
        self.search_next()
    }
}

/// Returns whether four bytes are `[`, two bytes from 0x60 to 0x7F, and `]`; no such byte is a
/// bracket or a `\`.
#[inline(always)]
fn is_two_letters(bytes: [u8; 4]) -> bool {
    u32::from_le_bytes(bytes) & 0xFF_E0_E0_FF == u32::from_le_bytes(*b"[``]")
}

impl<'a> Values<'a> {
    /// Finds the next value by its brackets.
    #[inline(never)]
    fn search_next(&mut self) -> Option<RawValue<'a>> {
        let open = self.rest.iter().position(|&byte| byte == b'[')?;
        let content = open + 1;
        let end = match value_end(self.rest, content, content, true, self.framing) {
            ValueEnd::Found { at, .. } => at,
            // Only the last value can lack its end, because the input ended first.
            ValueEnd::Missing { .. } => self.rest.len(),
        };
        let value =
            RawValue::new(&self.rest[content..end], self.framing).with_charset(self.charset);
        self.rest = self.rest.get(end + 1..).unwrap_or(&[]);
        Some(value)
    }
}

impl std::iter::FusedIterator for Values<'_> {}

/// Piece of one value of a property that is too long to return whole.
///
/// A property's parts are in order: value by value, piece by piece. A property starts with a part
/// whose [`is_property_start`](Self::is_property_start) is true.
///
/// ```
/// use sgfstream::{Event, EventReader, Limits, Options, SliceReader};
///
/// let options = Options::default().with_limits(Limits::default().with_property(16));
/// let mut reader = SliceReader::with_options(b"(;C[a comment of 27 characters])", options);
/// let mut text = String::new();
/// while reader.advance()? {
///     if let Event::PropertyPart(part) = reader.event() {
///         text += &part.content().text();
///     }
/// }
/// assert_eq!(text, "a comment of 27 characters");
/// # Ok::<(), sgfstream::Error>(())
/// ```
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
    /// Returns the identifier of the property.
    #[must_use]
    pub fn ident(&self) -> Ident<'a> {
        self.ident
    }

    /// Returns the index of the value in its property, from 0.
    #[must_use]
    pub fn value_index(&self) -> u64 {
        self.value
    }

    /// Returns whether this is the first piece of a value.
    #[must_use]
    pub fn is_value_start(&self) -> bool {
        self.first
    }

    /// Returns whether this is the last piece of a value.
    #[must_use]
    pub fn is_value_end(&self) -> bool {
        self.last
    }

    /// Returns whether this is the first piece of the first value, so that a property starts.
    #[must_use]
    pub fn is_property_start(&self) -> bool {
        self.first && self.value == 0
    }

    /// Returns the piece of the value's content, without brackets.
    #[must_use]
    pub fn content(&self) -> RawValue<'a> {
        let end = self.raw.len() - usize::from(self.closed);
        RawValue::new(&self.raw[self.content_start as usize..end], self.framing)
            .with_charset(self.charset)
    }

    /// Returns whether the value ends with a `]` in this part. If the last piece does not, the end
    /// of input cut it.
    #[must_use]
    pub fn is_closed(&self) -> bool {
        self.closed
    }

    /// Returns the bytes as written: the content, and the identifier and brackets that are in this
    /// part.
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
