//! The members of a container that the caller named.

use std::collections::HashMap;
use std::sync::Arc;

use crate::glob::Matcher;
use crate::name::escaped;

/// Names of members.
#[derive(Debug, Default)]
pub(crate) struct Picks {
    /// By each name that one of them may have here: `a` and `a!b` for `a!b`.
    names: HashMap<String, Vec<Named>>,
    /// Directories and patterns.
    others: Vec<Other>,
    /// How many names there are.
    pub(crate) len: usize,
}

#[derive(Debug)]
struct Named {
    /// The name of a member inside that one.
    inner: Option<Box<str>>,
    /// As it was named.
    text: Box<str>,
}

#[derive(Debug)]
struct Other {
    wanted: String,
    /// The pattern before the first `!`, and what comes after that.
    glob: Option<(Matcher, Option<String>)>,
}

/// A member that is to be read.
#[derive(Clone, Debug, Default)]
pub(crate) struct Choice {
    /// The caller named it, so it is read whatever it looks like.
    pub(crate) is_named: bool,
    /// The caller named it by exactly these bytes.
    pub(crate) is_exact: bool,
    /// Members inside it that the caller named, and nothing else of it.
    pub(crate) inner: Option<Arc<Picks>>,
    /// It is wanted, and so are members inside it, which may be none that are taken without being named.
    pub(crate) is_mixed: bool,
}

impl Picks {
    pub(crate) fn new<'t>(wanted: impl Iterator<Item = &'t str>) -> Self {
        let mut picks = Self::default();
        for text in wanted {
            picks.len += 1;
            let name = text.trim_start_matches("./");
            let ends = name.match_indices('!').map(|(at, _)| at).chain([name.len()]);
            for end in ends {
                let named = Named { inner: name.get(end + 1..).map(Into::into), text: text.into() };
                picks.names.entry(name[..end].to_owned()).or_default().push(named);
            }
            let (first, deeper) = name.split_once('!').map_or((name, None), |(first, rest)| (first, Some(rest)));
            // A `[1]` in the name of a member is common and no pattern by itself.
            let glob = first.contains(['*', '?']).then(|| (Matcher::new(first), deeper.map(str::to_owned)));
            if glob.is_some() || name.is_empty() || name.ends_with('/') {
                picks.others.push(Other { wanted: name.to_owned(), glob });
            }
        }
        picks
    }

    /// How to read the member called `text`, whose name has the bytes `raw`; nothing if it is not wanted.
    pub(crate) fn find(&self, text: &str, raw: &[u8]) -> Option<Choice> {
        let by_bytes = || if raw.is_ascii() { None } else { self.find_text(&escaped(raw), raw) };
        self.find_text(text, raw).or_else(by_bytes)
    }

    fn find_text(&self, text: &str, raw: &[u8]) -> Option<Choice> {
        let text = text.trim_start_matches("./");
        let named = self.names.get(text).map_or(&[][..], Vec::as_slice);
        let mut inner: Vec<&str> = named.iter().filter_map(|named| named.inner.as_deref()).collect();
        let is_named = inner.len() < named.len();
        let mut choice = Choice { is_named, is_exact: inner.is_empty(), ..Choice::default() };
        choice.is_exact &= named.iter().all(|named| named.text.as_bytes() == raw);
        let mut is_whole = is_named;
        // A name that is found here is no pattern.
        let others = if named.is_empty() && !is_clutter(text) { &self.others[..] } else { &[] };
        for Other { wanted, glob } in others {
            choice.is_exact = false;
            if wanted.is_empty() || (wanted.ends_with('/') && text.starts_with(wanted.as_str())) {
                is_whole = true;
            } else if let Some((glob, deeper)) = glob
                && glob.is_match(text)
            {
                match deeper {
                    Some(deeper) => inner.push(deeper),
                    None => (choice.is_named, is_whole) = (true, true),
                }
            }
        }
        choice.is_mixed = is_whole && !inner.is_empty();
        choice.inner = (!is_whole && !inner.is_empty()).then(|| Arc::new(Self::new(inner.into_iter())));
        (is_whole || choice.inner.is_some()).then_some(choice)
    }
}

/// macOS keeps attributes in `__MACOSX/…` and `._name`; neither is a record.
pub(crate) fn is_clutter(name: &str) -> bool {
    let mut parts = name.split(['/', '\\']);
    parts.clone().next_back().is_some_and(|last| last.starts_with("._")) || parts.any(|part| part == "__MACOSX")
}
