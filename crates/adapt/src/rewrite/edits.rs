//! The edits by name: what a command line offers and what a repair calls.

use sgfstream::Layout;
use sgfstream_game::Symmetry;

use super::board::{SwapColors, TurnBoard};
use super::edit::{Edit, EditFault, Next};
use super::handicap::PlaceHandicap;
use super::points::points_edit;
use super::rename::{gorilla, pentobi, rename, short_names};
use super::repair::repair;
use super::selector::strip;
use super::set::Set;
use super::text::plain_texts;
use super::upgrade::Upgrade;
use super::utf8::Utf8;
use super::variations::{Depth, Moves};
use super::{Context, Unit};

/// An edit that can be asked for by name.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct EditEntry {
    /// Its stable name.
    pub name: &'static str,
    /// The name of its argument; empty for none.
    pub argument: &'static str,
    /// Description as a sentence.
    pub description: &'static str,
    make: fn(&str) -> Result<Box<dyn Edit>, EditFault>,
}

macro_rules! edits {
    ($($name:literal $argument:literal $description:literal => $make:expr;)*) => {
        /// Every edit, in the order in which a help text lists them.
        pub const EDITS: &[EditEntry] =
            &[$(EditEntry { name: $name, argument: $argument, description: $description, make: $make },)*];
    };
}

edits! {
    "strip" "PROPERTIES" "Remove properties: identifiers, or classes such as comments, markup, private, obsolete"
        => |text| strip(text, false);
    "keep" "PROPERTIES" "Remove all other properties; FF, GM, CA and SZ stay"
        => |text| strip(text, true);
    "set" "ID=VALUE" "Give each root node a property, in place of the one it has"
        => |text| Ok(Box::new(Set::parse(text, false)?));
    "add" "ID=VALUE" "Give each root node a property, unless it has one"
        => |text| Ok(Box::new(Set::parse(text, true)?));
    "rename" "OLD=NEW" "Give a property another identifier"
        => rename;
    "short-names" "" "Write old long names without lowercase letters: AddBlack becomes AB"
        => |_| Ok(short_names());
    "gorilla" "" "Convert old files as GoRilla does: no digits and lowercase letters in identifiers, M to MA, L to LB, SL to SQ"
        => |_| Ok(gorilla());
    "pentobi" "" "Convert old Pentobi files as Pentobi does: BLUE to 1, 1 to B in games of two colours, moves as one value"
        => |_| Ok(pentobi());
    "main-line" "" "Remove all variations"
        => |_| Ok(Box::new(Depth::main_line()));
    "depth" "N" "Keep variations to this depth; deeper ones are reduced to their first line"
        => |text| Ok(Box::new(Depth::new(number(text, 1)?)));
    "moves" "N" "End each line after this many moves"
        => |text| Ok(Box::new(Moves::new(number(text, 0)?)));
    "expand" "" "Write rectangles in lists of points as single points"
        => |_| Ok(points_edit(false));
    "compress" "" "Write lists of points as rectangles"
        => |_| Ok(points_edit(true));
    "text" "" "Write texts in their plainest spelling: no needless escapes, no soft line breaks, LF, no blanks at the end"
        => |_| Ok(plain_texts());
    "utf8" "" "Write texts in UTF-8, and say so in CA"
        => |_| Ok(Box::new(Utf8::default()));
    "repair" "" "Write misspelt numbers, points, dates, results and times as FF[4] spells them"
        => |_| Ok(repair());
    "upgrade" "" "Convert older games to FF[4]: split mixed nodes, convert M, L, KI, TE with BM, repair values"
        => |_| Ok(Box::new(Upgrade::default()));
    "handicap" "" "Set up the stones of `HA` where the root of a game of Go has no `AB`: the usual ones if White moves first, or the black moves before White's"
        => |_| Ok(Box::new(PlaceHandicap::default()));
    "turn" "SYMMETRY" "Turn or mirror the board: rotate-90, rotate-180, rotate-270, mirror-columns, mirror-rows, transpose, antitranspose"
        => turn;
    "swap-colors" "" "Exchange Black and White in Go"
        => |_| Ok(Box::new(SwapColors));
    "canonical" "" "Write one node a line, a variation on a line of its own"
        => |_| Ok(Box::new(Canonical));
}

impl EditEntry {
    /// The edit, with its argument.
    ///
    /// # Errors
    ///
    /// An argument that does not fit.
    pub fn make(&self, argument: &str) -> Result<Box<dyn Edit>, EditFault> {
        if self.argument.is_empty() && !argument.is_empty() {
            return Err(EditFault::new(format!("expected no argument of `{}`, found `{argument}`", self.name)));
        }
        (self.make)(argument)
    }
}

/// The edit of this name.
///
/// ```
/// use sgfstream_adapt::rewrite::{EDITS, edit};
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
        None => Err(EditFault::new(format!("expected the name of an edit, found `{name}`"))),
    }
}

fn number(text: &str, min: u64) -> Result<u64, EditFault> {
    match text.parse() {
        Ok(number) if number >= min => Ok(number),
        _ => Err(EditFault::new(format!("expected a number from {min}, found `{text}`"))),
    }
}

fn turn(text: &str) -> Result<Box<dyn Edit>, EditFault> {
    match Symmetry::for_name(text) {
        Some(symmetry) => Ok(Box::new(TurnBoard(symmetry))),
        None => {
            let names: Vec<&str> = Symmetry::ALL.iter().map(|symmetry| symmetry.as_str()).collect();
            Err(EditFault::new(format!("expected one of {}, found `{text}`", names.join(", "))))
        }
    }
}

/// The layout of that name, which the writer makes.
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
