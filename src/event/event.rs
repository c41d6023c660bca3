//! Events: the steps of a reader through a collection.

use crate::base::Problem;

use super::{Ident, Property, PropertyPart, RawValue};

/// Event of a reader: the start or end of a game or variation, a node, a property, a problem, or a
/// gap.
///
/// ```text
/// stream     = { game }
/// game       = VariationStart node+ variation* VariationEnd          depth 1
/// variation  = VariationStart node+ variation* VariationEnd          depth 2…
/// node       = NodeStart Property*
/// ```
///
/// Problems come between other events, at the place of the error. Without them, the events of
/// any input follow the grammar above (EBNF of FF\[4\], spec C-02).
///
/// ```
/// use sgfstream::{Event, SliceReader};
///
/// let mut moves = Vec::new();
/// for event in SliceReader::new(b"(;GM[1];B[pd];W[dp](;B[dd])(;B[pp]))").events() {
///     if let Event::Property(property) = event?
///         && (property.ident() == "B" || property.ident() == "W")
///     {
///         moves.extend(property.values().map(|value| value.as_bytes()));
///     }
/// }
/// assert_eq!(moves, [b"pd", b"dp", b"dd", b"pp"]);
/// # Ok::<(), sgfstream::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Event<'a> {
    /// `(`: a game or a variation starts.
    VariationStart(Variation),
    /// `;`: a node starts; its properties follow.
    NodeStart {
        /// Whether the reader inserted the node, because the input has no `;`.
        supplied: bool,
    },
    /// An identifier with all its values.
    Property(Property<'a>),
    /// A piece of a property that is longer than [`Limits::property`](crate::Limits::property). To
    /// handle properties of any length, use [`ident`](Self::ident).
    PropertyPart(PropertyPart<'a>),
    /// `)`: the game or variation ends.
    VariationEnd(Variation),
    /// A problem in the input; the reader continues.
    Problem(Problem),
    /// Bytes of no other event: blanks, text between games, dropped bytes. These events come only
    /// if [`Options::gaps`](crate::Options::gaps) is set. A long gap comes in pieces.
    Gap(&'a [u8]),
}

impl<'a> Event<'a> {
    /// Returns the identifier of a property, also if the property is longer than
    /// [`Limits::property`](crate::Limits::property) and comes in parts; `None` for every other
    /// event.
    ///
    /// ```
    /// use sgfstream::{EventReader, Limits, Options, SliceReader, Writer};
    ///
    /// let options = Options::default().with_limits(Limits::default().with_property(16));
    /// let mut reader =
    ///     SliceReader::with_options(b"(;C[longer than sixteen bytes]B[aa])", options);
    /// let mut writer = Writer::new(Vec::new());
    /// while reader.advance()? {
    ///     match reader.event() {
    ///         event if event.ident().is_some_and(|ident| ident == "C") => {}
    ///         event => writer.event(&event)?,
    ///     }
    /// }
    /// assert_eq!(writer.finish()?, b"(;B[aa])");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    #[inline]
    pub fn ident(&self) -> Option<Ident<'a>> {
        match self {
            Event::Property(property) => Some(property.ident()),
            Event::PropertyPart(part) => Some(part.ident()),
            _ => None,
        }
    }

    /// Returns the bytes of a property, of a piece of one, or of a gap; no bytes for every other
    /// event.
    #[must_use]
    #[inline]
    pub fn as_bytes(&self) -> &'a [u8] {
        match self {
            Event::Property(property) => property.as_bytes(),
            Event::PropertyPart(part) => part.as_bytes(),
            Event::Gap(bytes) => bytes,
            _ => b"",
        }
    }

    /// Returns the values of a property, or the piece of a value that this event is: one loop for
    /// properties of any length. Empty for every other event.
    ///
    /// ```
    /// use sgfstream::{EventReader, Limits, Options, SliceReader};
    ///
    /// let options = Options::default().with_limits(Limits::default().with_property(16));
    /// let mut reader =
    ///     SliceReader::with_options(b"(;AB[aa][bb]C[longer than sixteen bytes])", options);
    /// let (mut values, mut bytes) = (0, 0);
    /// while reader.advance()? {
    ///     for piece in reader.event().pieces() {
    ///         values += u32::from(piece.is_value_start());
    ///         bytes += piece.content().as_bytes().len();
    ///     }
    /// }
    /// assert_eq!((values, bytes), (3, 29));
    /// # Ok::<(), sgfstream::Error>(())
    /// ```
    pub fn pieces(&self) -> impl Iterator<Item = PropertyPart<'a>> + use<'a> {
        let (property, part) = match *self {
            Event::Property(property) => (Some(property), None),
            Event::PropertyPart(part) => (None, Some(part)),
            _ => (None, None),
        };
        property.into_iter().flat_map(Property::pieces).chain(part)
    }

    /// Returns whether the event is the end of a game.
    ///
    /// ```
    /// use sgfstream::{EventReader, SliceReader};
    ///
    /// let mut reader = SliceReader::new(b"(;B[aa](;W[bb])(;W[cc]))(;B[dd]");
    /// let mut games = 0;
    /// while reader.advance()? {
    ///     games += u32::from(reader.event().ends_game());
    /// }
    /// assert_eq!(games, 2);
    /// # Ok::<(), sgfstream::Error>(())
    /// ```
    #[must_use]
    #[inline]
    pub const fn ends_game(&self) -> bool {
        matches!(self, Event::VariationEnd(variation) if variation.is_game())
    }

    /// Returns the last value of a property, or of a part of one, if the end of the input cut it.
    /// [`RawValue::closing`] closes it.
    ///
    /// ```
    /// use sgfstream::{EventReader, SliceReader};
    ///
    /// let mut reader = SliceReader::new(b"(;C[a]AB[aa][bb");
    /// let mut cut = Vec::new();
    /// while reader.advance()? {
    ///     cut.extend(reader.event().cut_value().map(|value| value.as_bytes().to_vec()));
    /// }
    /// assert_eq!(cut, [b"bb"]);
    /// # Ok::<(), sgfstream::Error>(())
    /// ```
    #[must_use]
    #[inline]
    pub fn cut_value(&self) -> Option<RawValue<'a>> {
        match self {
            Event::Property(property) => property.cut_value(),
            Event::PropertyPart(part) => {
                Some(part.content()).filter(|_| part.is_value_end() && !part.is_closed())
            }
            _ => None,
        }
    }
}

/// Variation that starts or ends, with its depth. The outermost variation is the game.
///
/// ```
/// use sgfstream::{Event, EventReader, Reader};
///
/// let mut reader = Reader::new(&b"(;GM[1];B[pd](;W[dp])(;W[dd]))(;GM[1]"[..]);
/// let (mut games, mut variations) = (0, 0);
/// while reader.advance()? {
///     match reader.event() {
///         Event::VariationEnd(variation) if variation.is_game() => games += 1,
///         Event::VariationEnd(_) => variations += 1,
///         _ => {}
///     }
/// }
/// assert_eq!((games, variations), (2, 2));
/// # Ok::<(), sgfstream::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Variation {
    /// The number of open variations, counting this one: 1 for a game, 2 for the variations of its
    /// main line.
    pub depth: u64,
    /// Whether the reader inserted the parenthesis, because the input lacks it.
    pub supplied: bool,
}

impl Variation {
    /// Returns a variation of this depth; the reader inserted its parenthesis if it is `supplied`.
    #[must_use]
    pub const fn new(depth: u64, supplied: bool) -> Self {
        Self { depth, supplied }
    }

    /// Returns whether this is a whole game: its depth is 1.
    #[must_use]
    #[inline(always)]
    pub const fn is_game(self) -> bool {
        self.depth == 1
    }
}

/// An event fits in one cache line.
const _: () = assert!(size_of::<Event<'_>>() <= 64);
