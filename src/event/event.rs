//! The event: one step of the reader through a collection.

use crate::base::Problem;

use super::{Property, PropertyPart};

/// One step through a collection of game trees.
///
/// ```text
/// stream     = { game }
/// game       = VariationStart node+ variation* VariationEnd          depth 1
/// variation  = VariationStart node+ variation* VariationEnd          depth 2…
/// node       = NodeStart Property*
/// ```
///
/// Problems come between the others, wherever the input is faulty; without them, the grammar above holds for any input
/// (EBNF of FF\[4\], spec C-02).
///
/// ```
/// use sgfstream::{Event, SliceReader};
///
/// let mut moves = Vec::new();
/// for event in SliceReader::new(b"(;GM[1];B[pd];W[dp](;B[dd])(;B[pp]))") {
///     if let Event::Property(property) = event
///         && (property.ident() == "B" || property.ident() == "W")
///     {
///         moves.extend(property.values().map(|value| value.as_bytes()));
///     }
/// }
/// assert_eq!(moves, [b"pd", b"dp", b"dd", b"pp"]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Event<'a> {
    /// `(`: a game at depth 1, a variation below it.
    VariationStart {
        /// The reader supplied it: there is no `(` in the input.
        supplied: bool,
    },
    /// `;`: a node begins; its properties follow.
    NodeStart {
        /// The reader supplied it: there is no `;` in the input.
        supplied: bool,
    },
    /// An identifier with all its values.
    Property(Property<'a>),
    /// A piece of a property that is longer than
    /// [`Limits::property`](crate::Limits::property).
    PropertyPart(PropertyPart<'a>),
    /// `)`: the game or variation ends.
    VariationEnd {
        /// The reader supplied it: there is no `)` in the input.
        supplied: bool,
    },
    /// Something in the input is wrong; reading goes on.
    Problem(Problem),
    /// Bytes that belong to no other event: blanks, text between games, what
    /// was dropped. Given only when
    /// [`Options::gaps`](crate::Options::gaps) asks for them; a long gap comes in pieces.
    Gap(&'a [u8]),
}

/// One cache line.
const _: () = assert!(size_of::<Event<'_>>() <= 64);
