//! Remedies of findings, as data for code that repairs games.

use std::fmt;

use sgfstream::Code;
use sgfstream_game::value::Repair;

use crate::borders::Borders;

/// Repair that would resolve a finding.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Remedy {
    /// Replace the value at the finding's span.
    Rewrite {
        /// Kind of repair, from the lenient reading.
        repair: Repair,
        /// The new value without its brackets, in the game's charset.
        value: Vec<u8>,
        /// Whether the value is ambiguous, and this is its most likely meaning.
        is_guess: bool,
    },
    /// Drop the value at the span.
    DropValue,
    /// Drop the points that earlier setup of the node has and that this value replaces.
    DropReplaced,
    /// Drop the property.
    DropProperty,
    /// Move the property to the root, which lacks it. This is a guess, because the board has the
    /// usual size otherwise.
    MoveToRoot,
    /// Keep the first value that is not empty (SGFC 13, spec Q-03).
    KeepFirst,
    /// Join the values into the first property of that name (spec Q-04).
    Merge,
    /// Split the node in two (spec E-04, Q-05).
    SplitNode,
    /// Replace the two with `IT` or `DO` (spec E-05).
    Join,
    /// Rename the property to the newer identifier.
    Rename(&'static str),
    /// Declare `FF[4]`, which has the property or feature.
    StateVersion,
    /// Set up the usual stones of a handicap with `AB`, if White moves first (spec Q-31). This is a
    /// guess.
    PlaceHandicap,
    /// Write the game as the reader read it: with missing parts inserted, and without stray ones.
    AsRead,
    /// Insert a `\` before a bracket, because a text goes on behind it.
    EscapeBracket {
        /// Offset of the bracket in the input.
        bracket: u64,
        /// Offset of the bracket that ends the text.
        end: u64,
    },
    /// Declare the actual charset of the bytes in `CA`.
    StateCharset,
}

impl Remedy {
    /// Returns the remedy that replaces a value after `repair`; a guess if the repair is one.
    pub(super) fn write(repair: Repair, value: impl ToString) -> Self {
        Self::Rewrite {
            repair,
            value: value.to_string().into_bytes(),
            is_guess: repair.is_guess(),
        }
    }

    /// Returns the repair and the new value for the span, if the remedy replaces a value.
    pub(crate) fn replacement(&self) -> Option<(Repair, &[u8])> {
        match self {
            Self::Rewrite { repair, value, .. } => Some((*repair, value)),
            _ => None,
        }
    }

    /// Returns the remedy for a place in the rest of a text that `borders` found. `base` is the
    /// offset of the places.
    pub(crate) fn of_text(borders: &Borders, place: usize, base: u64) -> Option<Self> {
        let (bracket, end) = borders.text_at(place)?;
        Some(Self::EscapeBracket {
            bracket: base + bracket as u64,
            end: base + end as u64,
        })
    }

    /// Returns a stable kebab-case name. A rewrite has the name of its repair.
    #[must_use]
    pub const fn as_str(&self) -> &'static str {
        match self {
            Self::Rewrite { is_guess: true, .. } => "guess",
            Self::Rewrite { repair, .. } => repair.as_str(),
            Self::DropValue => "drop-value",
            Self::DropReplaced => "drop-replaced",
            Self::DropProperty => "drop-property",
            Self::MoveToRoot => "move-to-root",
            Self::KeepFirst => "keep-first",
            Self::Merge => "merge",
            Self::SplitNode => "split-node",
            Self::Join => "join",
            Self::Rename(_) => "rename",
            Self::StateVersion => "state-version",
            Self::PlaceHandicap => "place-handicap",
            Self::AsRead => "as-read",
            Self::EscapeBracket { .. } => "escape-bracket",
            Self::StateCharset => "state-charset",
        }
    }

    /// Returns the text that replaces the span, if the remedy has one and it is UTF-8.
    #[must_use]
    pub fn text(&self) -> Option<&str> {
        match self {
            Self::Rewrite { value, .. } => std::str::from_utf8(value).ok(),
            Self::Rename(ident) => Some(ident),
            _ => None,
        }
    }

    /// Returns the remedy of a problem that the reader reported and recovered from.
    pub(crate) fn of_reader(code: Code) -> Option<Self> {
        Some(match code {
            // The game's start may be missing there, and only a person can restore it.
            Code::ValueBeforeGame => return None,
            Code::NoGame | Code::WideEncoding | Code::BracketInCharacter => return None,
            // No repair, because these bytes may be moves in the syntax of another program.
            Code::IdentifierWithoutCapital
            | Code::IdentifierTooLong
            | Code::ValueWithoutIdentifier => return None,
            Code::InvalidBytes | Code::AssumedCharset | Code::UnknownCharset => Self::StateCharset,
            _ => Self::AsRead,
        })
    }
}

impl fmt::Display for Remedy {
    /// Writes the remedy as an imperative sentence.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Rewrite {
                repair,
                value,
                is_guess,
            } => {
                write!(
                    f,
                    "{} `{}`: {}",
                    if *is_guess { "guess" } else { "write" },
                    String::from_utf8_lossy(value),
                    repair.message()
                )
            }
            Self::DropValue => f.write_str("drop the value"),
            Self::DropReplaced => f.write_str("drop the points from the setup before it"),
            Self::DropProperty => f.write_str("drop the property"),
            Self::MoveToRoot => f.write_str("move the property to the root"),
            Self::KeepFirst => f.write_str("keep the first value that is not empty"),
            Self::Merge => f.write_str("join the values into one property"),
            Self::SplitNode => f.write_str("split the node"),
            Self::Join => f.write_str("write `IT` or `DO` instead of both"),
            Self::Rename(ident) => write!(f, "write `{ident}`"),
            Self::StateVersion => f.write_str("declare `FF[4]`"),
            Self::PlaceHandicap => {
                f.write_str("set up the usual stones with `AB`, if White moves first")
            }
            Self::AsRead => f.write_str("make the same change in the file"),
            Self::EscapeBracket { bracket, end } => {
                write!(
                    f,
                    "write `\\]` at byte {bracket}: the text goes on to byte {end}"
                )
            }
            Self::StateCharset => f.write_str("declare the charset of the bytes in `CA`"),
        }
    }
}
