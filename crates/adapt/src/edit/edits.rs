//! Edits: functions that make them, and the list of all edits by name for command lines.

use sgfstream::record::GameRecord;
use sgfstream_game::board::Symmetry;

use super::handicap::place_handicap;
use super::points::PointLists;
use super::rename::{gorilla, pentobi, rename, shorten};
use super::repair::repair_values;
use super::selector;
use super::set::Set;
use super::text::simplify_texts;
use super::turn::{TurnBoard, TurnToFirstCorner, swap_colors};
use super::upgrade::Upgrade;
use super::utf8::Utf8;
use super::variations::{Depth, Moves};
use super::{EditContext, EditFault, EditOutput, GameEdit};

/// An edit in [`EDITS`]: its name, its argument and a description.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct EditEntry {
    /// Stable name.
    pub name: &'static str,
    /// Name of the argument; an empty string for an edit without an argument.
    pub argument: &'static str,
    /// Description as an imperative sentence.
    pub description: &'static str,
    make: fn(&str) -> Result<Box<dyn GameEdit>, EditFault>,
}

macro_rules! edits {
    ($($name:literal $argument:literal $description:literal => $make:expr;)*) => {
        /// All edits, in the order of the help.
        pub const EDITS: &[EditEntry] =
            &[$(EditEntry { name: $name, argument: $argument, description: $description, make: $make },)*];
    };
}

edits! {
    "strip" "PROPERTIES" "Remove properties: identifiers, or classes such as comments, markup, private, obsolete"
        => |text| selector::strip(text, false);
    "keep" "PROPERTIES" "Remove all properties except these and FF, GM, CA and SZ"
        => |text| selector::strip(text, true);
    "set" "ID=VALUE" "Set a property in each root node, replacing an existing one"
        => |text| Ok(Box::new(Set::parse(text, false)?));
    "add" "ID=VALUE" "Add a property to each root node that lacks it"
        => |text| Ok(Box::new(Set::parse(text, true)?));
    "rename" "OLD=NEW" "Rename a property"
        => rename;
    "short-names" "" "Shorten old long names to their capital letters: AddBlack becomes AB"
        => |_| stateless("short-names", |game, _, out| shorten(game, out));
    "gorilla" "" "Convert old files as GoRilla does: no digits or lowercase letters in identifiers, M to MA, L to LB, SL to SQ"
        => |_| stateless("gorilla", gorilla);
    "pentobi" "" "Convert old Pentobi files as Pentobi does: BLUE to 1, 1 to B in games of two colors, moves as one value"
        => |_| stateless("pentobi", pentobi);
    "main-line" "" "Remove all variations"
        => |_| Ok(main_line());
    "depth" "N" "Keep variations down to depth N, and only the first line below"
        => |text| Ok(Box::new(Depth::new(number(text, 1)?)));
    "moves" "N" "End each line after N moves"
        => |text| Ok(Box::new(Moves::new(number(text, 0)?)));
    "expand" "" "Expand rectangles in lists of points to single points"
        => |_| Ok(Box::new(PointLists { compress: false }));
    "compress" "" "Compress lists of points to rectangles"
        => |_| Ok(Box::new(PointLists { compress: true }));
    "text" "" "Simplify texts: remove needless escapes, soft line breaks and trailing blanks, and write LF"
        => |_| stateless("text", simplify_texts);
    "utf8" "" "Convert texts to UTF-8 and declare it in CA"
        => |_| Ok(Box::new(Utf8));
    "repair" "" "Correct misspelled numbers, points, dates, results and times to FF[4]"
        => |_| stateless("repair", repair_values);
    "upgrade" "" "Convert older games to FF[4]: split mixed nodes, convert M, L, KI, TE with BM, repair values"
        => |_| Ok(Box::new(Upgrade));
    "handicap" "" "Set up the stones of `HA` if the root of a Go game has no `AB`: the usual stones if White moves first; otherwise each black move before White's first becomes a stone"
        => |_| stateless("handicap", place_handicap);
    "turn" "SYMMETRY" "Rotate or mirror the board: rotate-90, rotate-180, rotate-270, mirror-columns, mirror-rows, transpose, antitranspose; first-corner turns the first move of each Go game to the upper right"
        => parse_turn;
    "swap-colors" "" "Swap Black and White in Go"
        => |_| stateless("swap-colors", swap_colors);
    "canonical" "" "Write one node per line, and each variation on its own line"
        => |_| Ok(Box::new(Canonical));
}

impl EditEntry {
    /// Makes the edit with its argument.
    ///
    /// # Errors
    ///
    /// Returns an error if the argument is invalid.
    pub fn make(&self, argument: &str) -> Result<Box<dyn GameEdit>, EditFault> {
        if self.argument.is_empty() && !argument.is_empty() {
            return Err(EditFault(format!(
                "`{}` takes no argument, found `{argument}`",
                self.name
            )));
        }
        (self.make)(argument)
    }
}

/// Returns an edit that sets a property of each root to a text, in the charset of the game. It
/// replaces the property that the root has. Of a composed value, the first `:` separates the
/// halves.
///
/// ```
/// use sgfstream_adapt::edit::{Rewriter, edits};
///
/// let mut rewriter = Rewriter::new(vec![
///     edits::set("PB", "李 [9]")?,
///     edits::strip("C,N")?,
///     edits::main_line(),
/// ]);
/// let edited =
///     rewriter.slice(b"mail\n( ;CA[GBK] PB [\xba\xda]\n;B[aa] C[x]\n;(;W[bb])(;W[cc])\n)");
/// assert_eq!(edited, b"mail\n( ;CA[GBK] PB[\xc0\xee [9\\]]\n;B[aa]\n;;W[bb])");
/// # Ok::<(), sgfstream_adapt::edit::EditFault>(())
/// ```
///
/// # Errors
///
/// Returns an error if `ident` is not an identifier.
pub fn set(ident: &str, text: &str) -> Result<Box<dyn GameEdit>, EditFault> {
    Ok(Box::new(Set::parse(&format!("{ident}={text}"), false)?))
}

/// Returns an edit that removes properties: identifiers, or classes such as `comments`
/// ([`CLASS_NAMES`](super::CLASS_NAMES)), separated by commas.
///
/// # Errors
///
/// Returns an error if a word is neither an identifier nor a class.
pub fn strip(properties: &str) -> Result<Box<dyn GameEdit>, EditFault> {
    selector::strip(properties, false)
}

/// Returns an edit that removes all variations.
#[must_use]
pub fn main_line() -> Box<dyn GameEdit> {
    Box::new(Depth::main_line())
}

/// Returns an edit that rotates or mirrors the board.
#[must_use]
pub fn turn(symmetry: Symmetry) -> Box<dyn GameEdit> {
    Box::new(TurnBoard(symmetry))
}

/// Makes an edit by its name.
///
/// ```
/// use sgfstream_adapt::edit::{EDITS, edit};
///
/// assert_eq!(edit("turn", "rotate-90").expect("an edit").name(), "turn");
/// assert!(edit("turn", "upside-down").is_err() && edit("shorten", "").is_err());
/// assert!(EDITS.iter().any(|entry| entry.name == "upgrade"));
/// ```
///
/// # Errors
///
/// Returns an error if the name is unknown or the argument is invalid.
pub fn edit(name: &str, argument: &str) -> Result<Box<dyn GameEdit>, EditFault> {
    match EDITS.iter().find(|entry| entry.name == name) {
        Some(entry) => entry.make(argument),
        None => Err(EditFault(format!("unknown edit `{name}`"))),
    }
}

fn number(text: &str, min: u64) -> Result<u64, EditFault> {
    match text.parse() {
        Ok(number) if number >= min => Ok(number),
        _ => Err(EditFault(format!(
            "expected a number of at least {min}, found `{text}`"
        ))),
    }
}

fn parse_turn(text: &str) -> Result<Box<dyn GameEdit>, EditFault> {
    if text == "first-corner" {
        return Ok(Box::new(TurnToFirstCorner));
    }
    match Symmetry::for_name(text) {
        Some(symmetry) => Ok(turn(symmetry)),
        None => {
            let names: Vec<&str> = Symmetry::ALL
                .iter()
                .map(|symmetry| symmetry.as_str())
                .collect();
            Err(EditFault(format!(
                "expected first-corner or one of {}, found `{text}`",
                names.join(", ")
            )))
        }
    }
}

/// Edit that only replaces bytes, and needs nothing but the game for it.
struct StatelessEdit {
    name: &'static str,
    edit: fn(&GameRecord<'_>, &EditContext, &mut EditOutput),
}

impl GameEdit for StatelessEdit {
    fn name(&self) -> &'static str {
        self.name
    }

    fn edit(&self, game: &GameRecord<'_>, at: &EditContext, out: &mut EditOutput) {
        (self.edit)(game, at, out);
    }
}

fn stateless(
    name: &'static str,
    edit: fn(&GameRecord<'_>, &EditContext, &mut EditOutput),
) -> Result<Box<dyn GameEdit>, EditFault> {
    Ok(Box::new(StatelessEdit { name, edit }))
}

/// Edit that changes only the layout, which the writer makes.
struct Canonical;

impl GameEdit for Canonical {
    fn name(&self) -> &'static str {
        "canonical"
    }

    fn edit(&self, _: &GameRecord<'_>, _: &EditContext, _: &mut EditOutput) {}

    fn is_canonical(&self) -> bool {
        true
    }
}
