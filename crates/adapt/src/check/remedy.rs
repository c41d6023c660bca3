//! Remedies of findings, as data for those who repair.

use std::fmt;

use sgfstream::Code;
use sgfstream_game::value::Repair;

/// Remedy of a finding: what a repair would do.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Remedy {
    /// Write the value at the finding's span anew.
    Rewrite {
        /// Repair by a lenient reading.
        repair: Repair,
        /// The value as it should be between its brackets, in the game's charset.
        value: Vec<u8>,
    },
    /// Write the value at the finding's span anew, as a guess: it has several
    /// meanings, and this one is likely.
    Guess {
        /// Repair by the reading.
        repair: Repair,
        /// The likely value between its brackets, in the game's charset.
        value: Vec<u8>,
    },
    /// Drop the value at the span.
    DropValue,
    /// Drop the property.
    DropProperty,
    /// Keep the first value that is not empty (SGFC 13, spec Q-03).
    KeepFirst,
    /// Join the values into the first property of that name (spec Q-04).
    Merge,
    /// Make two nodes of the one (spec E-04, Q-05).
    SplitNode,
    /// Write `IT` or `DO` for the two (spec E-05).
    Join,
    /// Write the newer identifier.
    Rename(&'static str),
    /// State the version that has it: `FF[4]`.
    StateVersion,
    /// Set up the usual stones of a handicap with `AB`, if White moves first (spec Q-31). A guess.
    PlaceHandicap,
    /// Action of the reader, which went on: supply what is missing,
    /// drop what belongs to nothing.
    AsRead,
    /// Say in `CA` what the bytes are.
    StateCharset,
}

impl Remedy {
    /// Writes a value anew that took `repair`.
    pub(super) fn write(repair: Repair, value: Vec<u8>) -> Self {
        if repair.is_guess() { Self::Guess { repair, value } } else { Self::Rewrite { repair, value } }
    }

    /// Value that replaces the one at the span, and the repair that made it.
    pub(crate) fn replacement(&self) -> Option<(Repair, &[u8])> {
        match self {
            Self::Rewrite { repair, value } | Self::Guess { repair, value } => Some((*repair, value)),
            _ => None,
        }
    }

    /// A stable kebab-case name; for a rewriting, that of the repair.
    #[must_use]
    pub const fn as_str(&self) -> &'static str {
        match self {
            Self::Rewrite { repair, .. } => repair.as_str(),
            Self::Guess { .. } => "guess",
            Self::DropValue => "drop-value",
            Self::DropProperty => "drop-property",
            Self::KeepFirst => "keep-first",
            Self::Merge => "merge",
            Self::SplitNode => "split-node",
            Self::Join => "join",
            Self::Rename(_) => "rename",
            Self::StateVersion => "state-version",
            Self::PlaceHandicap => "place-handicap",
            Self::AsRead => "as-read",
            Self::StateCharset => "state-charset",
        }
    }

    /// Text that replaces the text at the span, where the remedy knows it and it is
    /// text in UTF-8.
    #[must_use]
    pub fn text(&self) -> Option<&str> {
        match self {
            Self::Rewrite { value, .. } | Self::Guess { value, .. } => std::str::from_utf8(value).ok(),
            Self::Rename(ident) => Some(ident),
            _ => None,
        }
    }

    /// Remedy of a problem that the reader reported and passed.
    pub(crate) fn of_reader(code: Code) -> Option<Self> {
        Some(match code {
            // A game may have lost its start there, and only a person can put it back.
            Code::ValueBeforeGame => return None,
            Code::NoGame | Code::WideEncoding | Code::BracketInCharacter => return None,
            // They may be moves that another program reads.
            Code::IdentifierWithoutCapital | Code::IdentifierTooLong | Code::ValueWithoutIdentifier => return None,
            Code::InvalidBytes | Code::AssumedCharset | Code::UnknownCharset => Self::StateCharset,
            _ => Self::AsRead,
        })
    }
}

impl fmt::Display for Remedy {
    /// Writes the remedy as a sentence.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Rewrite { repair, value } => {
                write!(f, "write `{}`: {}", String::from_utf8_lossy(value), repair.message())
            }
            Self::Guess { repair, value } => {
                write!(f, "guess `{}`: {}", String::from_utf8_lossy(value), repair.message())
            }
            Self::DropValue => f.write_str("drop the value"),
            Self::DropProperty => f.write_str("drop the property"),
            Self::KeepFirst => f.write_str("keep the first value that is not empty"),
            Self::Merge => f.write_str("join the values into one property"),
            Self::SplitNode => f.write_str("split the node"),
            Self::Join => f.write_str("write `IT` or `DO` instead of both"),
            Self::Rename(ident) => write!(f, "write `{ident}`"),
            Self::StateVersion => f.write_str("declare `FF[4]`"),
            Self::PlaceHandicap => f.write_str("set up the usual stones with `AB`, if White moves first"),
            Self::AsRead => f.write_str("write the game as it was read"),
            Self::StateCharset => f.write_str("declare the charset of the bytes in `CA`"),
        }
    }
}
