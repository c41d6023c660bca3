//! Selects properties by identifiers and classes. The edits `strip` and `keep` use such selections.

use sgfstream::Ident;
use sgfstream::record::GameRecord;
use sgfstream_game::{
    internal::Fit,
    property::{Definition, Origin, PropertyType},
};

use super::{EditContext, EditFault, EditOutput, GameEdit, PlacedProperty};

/// Defines a class in each row: its variant, name and description.
macro_rules! classes {
    ($($variant:ident $name:literal $description:literal)*) => {
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        enum Class { $($variant,)* }

        const CLASSES: &[(&str, Class)] = &[$(($name, Class::$variant),)*];

        /// The names of all classes, each with its description.
        pub const CLASS_NAMES: &[(&str, &str)] = &[$(($name, $description),)*];
    };
}

classes! {
    Comments    "comments"    "C and GC"
    Names       "names"       "N"
    Markup      "markup"      "AR CR DD LB LN MA SL SQ TR VW, the old L and M, and the marks of single games"
    Annotations "annotations" "BM DO IT TE DM GB GW HO UC V, the old CH SI EL EX"
    Territory   "territory"   "TB and TW"
    Timing      "timing"      "BL WL OB OW, and Pentobi's 1L to 4L"
    Root        "root"        "the properties of root nodes"
    GameInfo    "game-info"   "players, dates, places, results and the like"
    Setup       "setup"       "positions set up"
    Move        "move"        "moves and what belongs to them: KO, MN, time left, BM DO IT TE"
    Private     "private"     "properties that neither a version of the format nor a dialect defines for the game"
    Analysis    "analysis"    "evaluations by engines: LZ LZ2 LZOP LZOP2 SBKV KT KTV OGSC PLYO PNV VNWR"
    Obsolete    "obsolete"    "properties that FF[4] no longer has, and old forms of dialects"
}

/// Selection of properties by a list of identifiers and classes: `C,LB,private`. Identifiers have
/// capitals and digits, classes lowercase letters.
///
/// ```
/// use sgfstream::Ident;
/// use sgfstream_adapt::edit::{EditContext, Selector};
///
/// let selector = Selector::parse("LB, comments,territory").expect("a list");
/// let go = EditContext::default();
/// for (ident, selected) in
///     [("C", true), ("GC", true), ("LaBel", true), ("TB", true), ("B", false)]
/// {
///     assert_eq!(selector.selects(Ident::new(ident.as_bytes()), &go), selected, "{ident}");
/// }
/// assert!(Selector::parse("coments").is_err());
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Selector {
    idents: Vec<Vec<u8>>,
    classes: Vec<Class>,
}

impl Selector {
    /// Parses a selector: names separated by commas or blanks.
    ///
    /// # Errors
    ///
    /// Returns an error if a word is neither an identifier nor a class, or if there are no words.
    pub fn parse(text: &str) -> Result<Self, EditFault> {
        let mut selector = Self {
            idents: Vec::new(),
            classes: Vec::new(),
        };
        for word in text.split([',', ' ']).filter(|word| !word.is_empty()) {
            if let Some((_, class)) = CLASSES.iter().find(|(name, _)| *name == word) {
                selector.classes.push(*class);
                continue;
            }
            let canonical: Vec<u8> = word
                .bytes()
                .filter(|byte| !byte.is_ascii_lowercase())
                .collect();
            // FF[3] has lowercase letters in identifiers and dialects have digits, but none has
            // both.
            let has_both = canonical.len() < word.len() && canonical.iter().any(u8::is_ascii_digit);
            if canonical.is_empty()
                || has_both
                || !word.bytes().all(|byte| byte.is_ascii_alphanumeric())
            {
                let names: Vec<&str> = CLASSES.iter().map(|(name, _)| *name).collect();
                let names = names.join(", ");
                return Err(EditFault(format!(
                    "expected an identifier such as C, or one of {names}, found `{word}`"
                )));
            }
            selector.idents.push(canonical);
        }
        if selector.idents.is_empty() && selector.classes.is_empty() {
            return Err(EditFault(
                "expected identifiers or classes of properties, such as C or comments".to_owned(),
            ));
        }
        Ok(selector)
    }

    /// Returns whether the property is selected.
    #[must_use]
    pub fn selects(&self, ident: Ident<'_>, at: &EditContext) -> bool {
        if self.idents.iter().any(|wanted| ident.is(wanted)) {
            return true;
        }
        if self.classes.is_empty() {
            return false;
        }
        let canonical = ident.canonical();
        self.classes
            .iter()
            .any(|class| class.contains(&canonical, at))
    }
}

/// Returns the edit that removes the selected properties, or with `keep` all other properties.
pub(super) fn strip(text: &str, keep: bool) -> Result<Box<dyn GameEdit>, EditFault> {
    Ok(Box::new(Strip {
        selector: Selector::parse(text)?,
        keep,
    }))
}

struct Strip {
    selector: Selector,
    keep: bool,
}

impl Strip {
    fn stays(&self, ident: Ident<'_>, in_root: bool, at: &EditContext) -> bool {
        // Version, game, charset and board size decide how a reader understands all other
        // properties.
        let is_essential = |ident: Ident<'_>| {
            [&b"FF"[..], b"GM", b"CA", b"SZ"]
                .iter()
                .any(|id| ident.is(id))
        };
        match self.keep {
            true => self.selector.selects(ident, at) || (in_root && is_essential(ident)),
            false => !self.selector.selects(ident, at),
        }
    }
}

impl GameEdit for Strip {
    fn name(&self) -> &'static str {
        if self.keep { "keep" } else { "strip" }
    }

    fn edit(&self, game: &GameRecord<'_>, at: &EditContext, out: &mut EditOutput) {
        let is_dropped = |ident: Ident<'_>, in_root| !self.stays(ident, in_root, at);
        for placed in PlacedProperty::wanted(*game, is_dropped) {
            out.drop_property(game, &placed);
            out.count(1);
        }
    }

    fn drops(&self, ident: Ident<'_>, in_root: bool, at: &EditContext) -> Option<bool> {
        Some(!self.stays(ident, in_root, at))
    }
}

impl Class {
    fn contains(self, ident: &[u8], at: &EditContext) -> bool {
        let definition = || at.definition(Ident::new(ident));
        let is_type = |wanted| definition().is_some_and(|found| found.property_type == wanted);
        let is_one_of = |names: &[u8]| names.split(|&byte| byte == b' ').any(|name| name == ident);
        match self {
            Self::Comments => matches!(ident, b"C" | b"GC"),
            Self::Names => ident == b"N",
            // The second list has Octi's marks on stones, and the point that Lines of Action marks.
            Self::Markup => {
                is_one_of(b"AR CR DD LB LN MA SL SQ TR VW L M")
                    || (is_one_of(b"AS CS MS SS TS SE") && is_type(PropertyType::None))
            }
            Self::Annotations => is_one_of(b"BM DO IT TE DM GB GW HO UC V CH SI EL EX"),
            Self::Territory => matches!(ident, b"TB" | b"TW"),
            Self::Timing => is_one_of(b"BL WL OB OW 1L 2L 3L 4L"),
            Self::Root => is_type(PropertyType::Root),
            Self::GameInfo => is_type(PropertyType::GameInfo),
            Self::Setup => is_type(PropertyType::Setup),
            Self::Move => is_type(PropertyType::Move),
            Self::Private => match Definition::find(at.game, at.ff, ident) {
                None => true,
                Some(found) => {
                    found.fit == Fit::OtherGame
                        || found.definition.is_of_program()
                        || found.definition.origin == Origin::Sgb
                }
            },
            Self::Analysis => definition().is_some_and(|found| found.origin == Origin::Analysis),
            Self::Obsolete => definition().is_some_and(|found| match found.origin {
                Origin::Standard => !found.versions.contains(4),
                Origin::OldDialect | Origin::Sgb => true,
                _ => false,
            }),
        }
    }
}
