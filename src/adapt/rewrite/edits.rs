//! The edits by name: what a command line offers and what a repair calls.

use std::fmt;

use crate::game::Symmetry;
use crate::write::Layout;

use super::points::{Pass, Points};
use super::rename::{Gorilla, Pentobi, Rename, ShortNames};
use super::repair::RepairValues;
use super::set::Set;
use super::strip::Strip;
use super::text::{Break, LineBreaks, Normal, Wrap};
use super::turn::{SwapColors, Turn};
use super::upgrade::Upgrade;
use super::utf8::Utf8;
use super::variations::{Depth, Moves};
use super::{Context, Edit, Next, Selector, Unit};

/// Why an edit cannot be made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EditFault(String);

impl EditFault {
    pub(super) fn new(message: String) -> Self {
        Self(message)
    }
}

impl fmt::Display for EditFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for EditFault {}

/// An edit that can be asked for by name.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct EditEntry {
    /// Its stable name.
    pub name: &'static str,
    /// What its argument is called; empty for none.
    pub argument: &'static str,
    /// What it does, as a sentence.
    pub description: &'static str,
    make: fn(&str) -> Result<Box<dyn Edit>, EditFault>,
}

/// Every edit, in the order in which they are offered.
pub const EDITS: &[EditEntry] = &[
    EditEntry {
        name: "strip",
        argument: "PROPERTIES",
        description: "Leave out properties: identifiers, or classes such as comments, markup, private, obsolete",
        make: |text| Ok(Box::new(Strip { selector: Selector::parse(text)?, keep: false })),
    },
    EditEntry {
        name: "keep",
        argument: "PROPERTIES",
        description: "Leave out all other properties; FF, GM, CA and SZ stay",
        make: |text| Ok(Box::new(Strip { selector: Selector::parse(text)?, keep: true })),
    },
    EditEntry {
        name: "set",
        argument: "ID=VALUE",
        description: "Give each root node a property, in place of the one it has",
        make: |text| Ok(Box::new(Set::parse(text, false)?)),
    },
    EditEntry {
        name: "add",
        argument: "ID=VALUE",
        description: "Give each root node a property, unless it has one",
        make: |text| Ok(Box::new(Set::parse(text, true)?)),
    },
    EditEntry {
        name: "rename",
        argument: "OLD=NEW",
        description: "Give a property another identifier",
        make: |text| Ok(Box::new(Rename::parse(text)?)),
    },
    EditEntry {
        name: "short-names",
        argument: "",
        description: "Old long names as today's: AddBlack becomes AB",
        make: |_| Ok(Box::new(ShortNames)),
    },
    EditEntry {
        name: "gorilla",
        argument: "",
        description: "What GoRilla does to old files: no digits and small letters in identifiers, M to MA, L to LB, SL to SQ",
        make: |_| Ok(Box::new(Gorilla)),
    },
    EditEntry {
        name: "pentobi",
        argument: "",
        description: "What Pentobi does to its old files: BLUE to 1, 1 to B in games of two colours, moves as one value",
        make: |_| Ok(Box::new(Pentobi)),
    },
    EditEntry {
        name: "main-line",
        argument: "",
        description: "Leave out all variations",
        make: |_| Ok(Box::new(Depth::main_line())),
    },
    EditEntry {
        name: "depth",
        argument: "N",
        description: "Keep variations to this depth; deeper ones are reduced to their first line",
        make: |text| Ok(Box::new(Depth::new(number(text, 1)?))),
    },
    EditEntry {
        name: "moves",
        argument: "N",
        description: "End each line after this many moves",
        make: |text| Ok(Box::new(Moves::new(number(text, 0)?))),
    },
    EditEntry {
        name: "expand",
        argument: "",
        description: "Rectangles in lists of points as their points",
        make: |_| Ok(Box::new(Points { compress: false })),
    },
    EditEntry {
        name: "compress",
        argument: "",
        description: "Lists of points as rectangles",
        make: |_| Ok(Box::new(Points { compress: true })),
    },
    EditEntry {
        name: "pass-empty",
        argument: "",
        description: "Passes of Go as []",
        make: |_| Ok(Box::new(Pass { empty: true })),
    },
    EditEntry {
        name: "pass-tt",
        argument: "",
        description: "Passes of Go as [tt], on boards of at most 19 by 19",
        make: |_| Ok(Box::new(Pass { empty: false })),
    },
    EditEntry {
        name: "text",
        argument: "",
        description: "Texts in their plainest spelling: no needless escapes, no soft line breaks, LF, no blanks at the end",
        make: |_| Ok(Box::new(Normal)),
    },
    EditEntry {
        name: "line-breaks",
        argument: "lf|crlf|cr",
        description: "One kind of line break in texts",
        make: |text| {
            let kind = match text {
                "lf" => Break::Lf,
                "crlf" => Break::CrLf,
                "cr" => Break::Cr,
                _ => return Err(EditFault::new(format!("expected lf, crlf or cr, found `{text}`"))),
            };
            Ok(Box::new(LineBreaks(kind)))
        },
    },
    EditEntry {
        name: "wrap",
        argument: "WIDTH",
        description: "Soft line breaks in texts with longer lines",
        make: |text| Ok(Box::new(Wrap(usize::try_from(number(text, 1)?).unwrap_or(usize::MAX)))),
    },
    EditEntry {
        name: "utf8",
        argument: "",
        description: "Texts in UTF-8, and CA says so",
        make: |_| Ok(Box::new(Utf8::default())),
    },
    EditEntry {
        name: "repair",
        argument: "",
        description: "Numbers, points, dates, results and times that are misspelt as FF[4] has them",
        make: |_| Ok(Box::new(RepairValues)),
    },
    EditEntry {
        name: "upgrade",
        argument: "",
        description: "FF[4] of older games: mixed nodes split, M, L, KI, TE with BM converted, values repaired",
        make: |_| Ok(Box::new(Upgrade::default())),
    },
    EditEntry {
        name: "turn",
        argument: "SYMMETRY",
        description: "Turn or mirror the board: rotate-90, rotate-180, rotate-270, mirror-columns, mirror-rows, transpose, antitranspose",
        make: |text| match Symmetry::for_name(text) {
            Some(symmetry) => Ok(Box::new(Turn(symmetry))),
            None => {
                let names: Vec<&str> = Symmetry::ALL.iter().map(|symmetry| symmetry.as_str()).collect();
                Err(EditFault::new(format!("expected one of {}, found `{text}`", names.join(", "))))
            }
        },
    },
    EditEntry {
        name: "swap-colors",
        argument: "",
        description: "Exchange Black and White in Go",
        make: |_| Ok(Box::new(SwapColors)),
    },
    EditEntry {
        name: "canonical",
        argument: "",
        description: "One node a line, a variation on a line of its own",
        make: |_| Ok(Box::new(Canonical)),
    },
];

impl EditEntry {
    /// The edit, with its argument.
    ///
    /// # Errors
    ///
    /// An argument that does not fit.
    pub fn make(&self, argument: &str) -> Result<Box<dyn Edit>, EditFault> {
        if self.argument.is_empty() && !argument.is_empty() {
            return Err(EditFault(format!("expected no argument of `{}`, found `{argument}`", self.name)));
        }
        (self.make)(argument)
    }
}

/// The edit of this name.
///
/// ```
/// use sgfstream::adapt::rewrite::{EDITS, edit};
///
/// assert_eq!(edit("turn", "rotate-90").expect("an edit").name(), "turn");
/// assert!(edit("turn", "upside-down").is_err() && edit("shorten", "").is_err());
/// assert!(EDITS.iter().any(|entry| entry.name == "upgrade"));
/// ```
///
/// # Errors
///
/// An unknown name, or an argument that does not fit.
pub fn edit(name: &str, argument: &str) -> Result<Box<dyn Edit>, EditFault> {
    match EDITS.iter().find(|entry| entry.name == name) {
        Some(entry) => entry.make(argument),
        None => Err(EditFault(format!("expected the name of an edit, found `{name}`"))),
    }
}

fn number(text: &str, min: u64) -> Result<u64, EditFault> {
    match text.parse() {
        Ok(number) if number >= min => Ok(number),
        _ => Err(EditFault(format!("expected a number from {min}, found `{text}`"))),
    }
}

/// A layout of our own; the writer does it.
struct Canonical;

impl Edit for Canonical {
    fn name(&self) -> &'static str {
        "canonical"
    }

    fn unit(&mut self, unit: &mut Unit, _: &Context, next: &mut Next<'_>) {
        next.push(unit);
    }

    fn layout(&self) -> Option<Layout> {
        Some(Layout::Canonical)
    }
}
