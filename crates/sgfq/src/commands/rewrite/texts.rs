//! `--replace`: replaces texts of properties in any node.

use std::sync::Arc;

use regex::Regex;

use sgfstream::escape_text;
use sgfstream::record::GameRecord;
use sgfstream_adapt::edit::{EditContext, EditOutput, GameEdit, PlacedProperty, Selector};
use sgfstream_game::property::ValueType;

use crate::report::regex_error;

/// Maximum bytes of a written text, as for texts that are read.
const LONGEST: usize = 1 << 20;

/// Maximum bytes that the replacement of one match may have.
const LONGEST_MATCH: usize = 64 << 20;

/// Maximum bytes of a searched text if the expression may match more than [`FAR`] bytes. Each
/// search may read to the end of the text and match little, which takes time quadratic in the
/// length.
const LONGEST_SEARCHED: usize = 32 << 10;

/// Bytes that a search may read beyond its match in texts of any length.
const FAR: usize = 1 << 10;

/// Name, argument and description of this edit.
pub(super) const EDIT: (&str, &str, &str) = (
    "replace",
    "PROPERTIES/REGEX/NEW/",
    "Replace matches of a regular expression in texts of any node: `C/hosi/hoshi/`, `PB,PW|^Mr (.*)|$1|`. If the \
     expression can match more than 1,000 characters, texts of more than 32 KiB stay unchanged",
);

/// Texts to replace, and their replacement.
#[derive(Clone, Debug)]
pub(super) struct Texts {
    selector: Selector,
    regex: Regex,
    /// Maximum length of a searched text.
    longest: usize,
    /// Replacement of a match.
    new: Arc<str>,
}

impl Texts {
    /// Parses `PROPERTIES/REGEX/NEW/`.
    pub(super) fn parse(argument: &str) -> anyhow::Result<Self> {
        let is_name = |char: char| char.is_ascii_alphanumeric() || matches!(char, ',' | '-' | ' ');
        let properties = argument.trim_start_matches(is_name);
        let selector = Selector::parse(&argument[..argument.len() - properties.len()])?;
        let separator = properties.chars().next();
        let parts: Vec<&str> =
            separator.map_or_else(Vec::new, |separator| properties.split(separator).collect());
        let &["", pattern, new, ""] = &parts[..] else {
            anyhow::bail!(
                "expected PROPERTIES/REGEX/NEW/, such as C/hosi/hoshi/, found `{argument}`"
            );
        };
        let regex = Regex::new(pattern).map_err(|err| regex_error(pattern, &err))?;
        let farthest = regex_syntax::parse(pattern)?.properties().maximum_len();
        let longest = if farthest.is_some_and(|bytes| bytes <= FAR) {
            LONGEST
        } else {
            LONGEST_SEARCHED
        };
        Ok(Self {
            selector,
            regex,
            longest,
            new: new.into(),
        })
    }

    /// Returns the edit.
    pub(super) fn edit(&self) -> Box<dyn GameEdit> {
        Box::new(self.clone())
    }

    /// Returns the new text if it differs.
    fn changed(&self, text: &str) -> Option<Changed> {
        if text.len() > self.longest {
            return self.regex.is_match(text).then_some(Changed::Unsearched);
        }
        let Some(new) = replaced(&self.regex, text, &self.new) else {
            return Some(Changed::TooLong);
        };
        let new = new?;
        (new != text).then_some(if new.len() > LONGEST {
            Changed::TooLong
        } else {
            Changed::To(new)
        })
    }
}

/// Outcome of a replacement in a text.
enum Changed {
    To(String),
    /// The new text exceeds [`LONGEST`].
    TooLong,
    /// The text is too long to search with this expression.
    Unsearched,
}

/// Returns the text with each match replaced by `new`, `Some(None)` without a match, or `None` if
/// it becomes too long.
fn replaced(regex: &Regex, text: &str, new: &str) -> Option<Option<String>> {
    let groups = new.matches('$').count();
    if new.len().saturating_add(groups.saturating_mul(text.len())) > LONGEST_MATCH {
        return if regex.is_match(text) {
            None
        } else {
            Some(None)
        };
    }
    let (mut out, mut copied, mut is_found) = (String::new(), 0, false);
    let mut take = |found: regex::Match<'_>, expand: &mut dyn FnMut(&mut String)| {
        out.push_str(&text[copied..found.start()]);
        expand(&mut out);
        (copied, is_found) = (found.end(), true);
        out.len() <= LONGEST
    };
    let is_whole = if groups == 0 {
        regex
            .find_iter(text)
            .all(|found| take(found, &mut |out| out.push_str(new)))
    } else {
        let mut matches = regex.captures_iter(text);
        matches.all(|found| take(found.get_match(), &mut |out| found.expand(new, out)))
    };
    out.push_str(&text[copied..]);
    is_whole.then(|| Some(out).filter(|_| is_found))
}

impl GameEdit for Texts {
    fn name(&self) -> &'static str {
        EDIT.0
    }

    fn edit(&self, game: &GameRecord<'_>, at: &EditContext, out: &mut EditOutput) {
        for placed in PlacedProperty::wanted(*game, |ident, _| self.selector.selects(ident, at)) {
            let found = at.definition(placed.property.ident());
            let kind = found.map(|found| found.value_type);
            if matches!(kind, None | Some(ValueType::Text | ValueType::SimpleText)) {
                self.edit_texts(&placed, at, out);
            } else {
                out.note(
                    "properties whose values are not text are unchanged",
                    placed.node,
                );
            }
        }
    }
}

impl Texts {
    fn edit_texts(&self, placed: &PlacedProperty<'_>, at: &EditContext, out: &mut EditOutput) {
        let mut changes = 0;
        let (mut is_lacking, mut grows, mut is_unsearched) = (false, false, false);
        for value in placed.property.values() {
            match self.changed(&value.with_charset(at.charset).text()) {
                Some(Changed::To(new)) => match at.encode(&escape_text(&new)) {
                    Some(bytes) => {
                        out.edits.replace(placed.value_span(value), bytes);
                        changes += 1;
                    }
                    None => is_lacking = true,
                },
                Some(Changed::TooLong) => grows = true,
                Some(Changed::Unsearched) => is_unsearched = true,
                None => {}
            }
        }
        out.count(changes);
        if grows {
            out.note_cut(
                "texts are unchanged: their replacement is longer than 1 MiB",
                placed.node,
            );
        }
        if is_unsearched {
            let note = "texts of more than 32 KiB are unchanged: the expression may match too much";
            out.note_cut(note, placed.node);
        }
        if is_lacking {
            let note = "texts that their game's charset cannot encode are unchanged; see --utf8";
            out.note_cut(note, placed.node);
        }
    }
}
