//! The members of a container that the caller named, each for one or several takers.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use crate::glob::Matcher;
use crate::name::escaped;

/// Names of members, and who asked for each.
#[derive(Debug, Default)]
pub(crate) struct Picks {
    /// By each name that one of them may have here: `a` and `a!b` for `a!b`.
    names: HashMap<String, Vec<Named>>,
    /// Directories and patterns.
    others: Vec<Other>,
}

#[derive(Debug)]
struct Named {
    /// The name of a member inside that one.
    inner: Option<Box<str>>,
    /// As it was named.
    text: Box<str>,
    taker: usize,
}

#[derive(Debug)]
struct Other {
    wanted: String,
    /// The pattern before the first `!`, and what comes after that.
    glob: Option<(Matcher, Option<String>)>,
    taker: usize,
}

/// How a member matches the picks.
#[derive(Debug, Default)]
pub(crate) struct Picked {
    /// Those who named it, or a directory around it.
    pub(crate) takers: Vec<usize>,
    pub(crate) is_named: bool,
    /// They named it by exactly these bytes.
    pub(crate) is_exact: bool,
    /// Members inside it that were named, and who did.
    pub(crate) inner: Vec<(Box<str>, usize)>,
}

impl Picks {
    pub(crate) fn new<'t>(wanted: impl Iterator<Item = (&'t str, usize)>) -> Self {
        let mut picks = Self::default();
        for (text, taker) in wanted {
            let name = text.trim_start_matches("./");
            let ends = name.match_indices('!').map(|(at, _)| at).chain([name.len()]);
            for end in ends {
                let inner = name.get(end + 1..).map(Into::into);
                let named = Named { inner, text: text.into(), taker };
                picks.names.entry(name[..end].to_owned()).or_default().push(named);
            }
            let (first, deeper) = name.split_once('!').map_or((name, None), |(first, rest)| (first, Some(rest)));
            // A `[1]` in the name of a member is common and no pattern by itself.
            let glob = first.contains(['*', '?']).then(|| (Matcher::new(first), deeper.map(str::to_owned)));
            if glob.is_some() || name.is_empty() || name.ends_with('/') {
                picks.others.push(Other { wanted: name.to_owned(), glob, taker });
            }
        }
        picks
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.names.is_empty()
    }

    /// How the member called `text` matches, whose name has the bytes `raw`; takers in `done` want nothing more.
    pub(crate) fn find(&self, text: &str, raw: &[u8], done: &HashSet<usize>) -> Option<Picked> {
        let by_bytes = || if raw.is_ascii() { None } else { self.find_text(&escaped(raw), raw, done) };
        self.find_text(text, raw, done).or_else(by_bytes)
    }

    fn find_text(&self, text: &str, raw: &[u8], done: &HashSet<usize>) -> Option<Picked> {
        let text = text.trim_start_matches("./");
        let mut picked = Picked { is_exact: true, ..Picked::default() };
        for Named { inner, text: named, taker } in self.names.get(text).into_iter().flatten() {
            match inner {
                _ if done.contains(taker) => {}
                Some(inner) => picked.inner.push((inner.clone(), *taker)),
                None => {
                    picked.is_named = true;
                    picked.is_exact &= named.as_bytes() == raw;
                    picked.takers.push(*taker);
                }
            }
        }
        for Other { wanted, glob, taker } in &self.others {
            let is_known = picked.takers.contains(taker) || picked.inner.iter().any(|(_, known)| known == taker);
            if is_known || is_clutter(text) {
                continue;
            }
            if wanted.is_empty() || (wanted.ends_with('/') && text.starts_with(wanted.as_str())) {
                picked.takers.push(*taker);
                picked.is_exact = false;
            } else if let Some((glob, deeper)) = glob
                && glob.is_match(text)
            {
                match deeper {
                    Some(deeper) => picked.inner.push((deeper.as_str().into(), *taker)),
                    None => {
                        picked.is_named = true;
                        picked.takers.push(*taker);
                    }
                }
                picked.is_exact = false;
            }
        }
        picked.is_exact &= picked.inner.is_empty();
        (!picked.takers.is_empty() || !picked.inner.is_empty()).then_some(picked)
    }
}

impl Picked {
    /// The picks inside the member.
    pub(crate) fn inner_picks(&self) -> Option<Arc<Picks>> {
        let inner = self.inner.iter().map(|(text, taker)| (&**text, *taker));
        (!self.inner.is_empty() && self.takers.is_empty()).then(|| Arc::new(Picks::new(inner)))
    }
}

/// macOS keeps attributes in `__MACOSX/…` and `._name`; neither is a record.
pub(crate) fn is_clutter(name: &str) -> bool {
    let mut parts = name.split(['/', '\\']);
    parts.clone().next_back().is_some_and(|last| last.starts_with("._")) || parts.any(|part| part == "__MACOSX")
}
