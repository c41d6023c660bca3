//! Limits on the memory of a reader, and on its input.

/// Limits on the bytes that a reader buffers, whatever the size of the input.
///
/// The first three limit how far a reader looks ahead before it returns an event, so they change
/// the events of unusual input. They never lose any of it.
///
/// ```
/// use sgfstream::{Event, Limits, Options, SliceReader};
///
/// let options = Options::default().with_limits(Limits::default().with_property(16));
/// let mut reader = SliceReader::with_options(b"(;C[longer than sixteen bytes])", options);
/// let parts =
///     reader.events().filter(|event| matches!(event, Ok(Event::PropertyPart(_)))).count();
/// assert_eq!(parts, 2);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Limits {
    /// Bytes from a property's identifier to its last `]`. A longer property comes as
    /// [`PropertyPart`](crate::PropertyPart)s, with pieces of values that are at most this long.
    /// Default: 1 MiB; minimum: 16.
    pub property: usize,
    /// Bytes of an identifier. A longer identifier is reported (`identifier-too-long`) and belongs
    /// to no property. Default: 4096; minimum: 6.
    pub identifier: usize,
    /// Bytes to look ahead after an identifier or a `(`, which may begin a variation or a game.
    /// Default: 4096; minimum: 64.
    pub lookahead: usize,
    /// Number of open parentheses, dropped or inserted by the reader, that can still be matched.
    /// Default: 4096.
    pub repairs: usize,
    /// Depth of variations beyond which reading stops with an error. Default: no limit.
    pub depth: Option<u64>,
    /// Bytes of a game that [`GameReader`](crate::record::GameReader) buffers. It returns a longer
    /// game as a [`LongGame`](crate::LongGame). Default: 32 MiB; maximum: 1 GiB.
    pub game: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            property: 1 << 20,
            identifier: 4096,
            lookahead: 4096,
            repairs: 4096,
            depth: None,
            game: 32 << 20,
        }
    }
}

impl Limits {
    /// Sets [`depth`](Self::depth).
    #[must_use]
    pub fn with_depth(self, depth: impl Into<Option<u64>>) -> Self {
        Self {
            depth: depth.into(),
            ..self
        }
    }
}

/// Implements the builder methods of an options struct, because other crates cannot write it as a
/// literal.
macro_rules! setters {
    ($type:ty: $($name:ident($field:ident: $value:ty)),+ $(,)?) => {
        impl $type {
            $(
                #[doc = concat!("Sets [`", stringify!($field), "`](Self::", stringify!($field), ").")]
                #[must_use]
                pub const fn $name(self, $field: $value) -> Self {
                    Self { $field, ..self }
                }
            )+
        }
    };
}

pub(crate) use setters;

setters!(Limits: with_property(property: usize), with_identifier(identifier: usize), with_lookahead(lookahead: usize),
    with_repairs(repairs: usize), with_game(game: usize));
