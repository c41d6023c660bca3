//! The members of a container that the caller named.

use std::collections::HashMap;
use std::sync::Arc;

use crate::glob::Matcher;
use crate::name::escaped;

/// A member that the caller named.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pick<'t> {
    /// The number of the reference that names it.
    pub(crate) number: usize,
    pub(crate) text: &'t str,
    pub(crate) game: Option<u64>,
}

/// Names of members.
#[derive(Debug, Default)]
pub(crate) struct MemberSelection {
    /// By each name that one of them may have here: `a` and `a!b` for `a!b`.
    names: HashMap<String, Vec<Named>>,
    /// Directories and patterns.
    others: Vec<Other>,
}

#[derive(Debug)]
struct Named {
    number: usize,
    /// The name of a member inside that one.
    inner: Option<Box<str>>,
    /// As it was named.
    text: Box<str>,
    game: Option<u64>,
}

#[derive(Debug)]
struct Other {
    number: usize,
    wanted: String,
    /// The pattern before the first `!`, and what comes after that.
    glob: Option<(Matcher, Option<String>)>,
    game: Option<u64>,
}

/// A member that is to be read.
#[derive(Clone, Debug, Default)]
pub(crate) struct Choice {
    /// The caller named it, so it is read whatever it looks like.
    pub(crate) is_named: bool,
    /// The caller named it by exactly these bytes.
    pub(crate) is_exact: bool,
    /// Only some members inside it are wanted.
    pub(crate) inner: Option<Arc<MemberSelection>>,
    /// The references that are to all of it, or to games of it.
    pub(crate) numbers: Vec<usize>,
    /// The games that these references ask for.
    pub(crate) games: Option<Vec<u64>>,
}

/// The games that references ask for, in order; nothing if one of them asks for all games.
pub(crate) fn games_of(games: impl Iterator<Item = Option<u64>>) -> Option<Vec<u64>> {
    let mut games = games.collect::<Option<Vec<u64>>>()?;
    games.sort_unstable();
    games.dedup();
    Some(games)
}

impl MemberSelection {
    pub(crate) fn new<'t>(wanted: impl Iterator<Item = Pick<'t>>) -> Self {
        let mut picks = Self::default();
        for Pick { number, text, game } in wanted {
            let name = text.trim_start_matches("./");
            let ends = name.match_indices('!').map(|(at, _)| at).chain([name.len()]);
            for end in ends {
                let inner = name.get(end + 1..).map(Into::into);
                let named = Named { number, inner, text: text.into(), game };
                picks.names.entry(name[..end].to_owned()).or_default().push(named);
            }
            let (first, deeper) = name.split_once('!').map_or((name, None), |(first, rest)| (first, Some(rest)));
            // A `[1]` in the name of a member is common and no pattern by itself.
            let glob = first.contains(['*', '?']).then(|| (Matcher::new(first), deeper.map(str::to_owned)));
            if glob.is_some() || name.is_empty() || name.ends_with('/') {
                picks.others.push(Other { number, wanted: name.to_owned(), glob, game });
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
        let (mut whole, mut inner) = (Vec::new(), Vec::new());
        for &Named { number, inner: ref deeper, game, .. } in named {
            match deeper {
                Some(text) => inner.push(Pick { number, text, game }),
                None => whole.push((number, game)),
            }
        }
        let mut is_named = !whole.is_empty();
        let mut is_exact = inner.is_empty() && named.iter().all(|named| named.text.as_bytes() == raw);
        for &Other { number, ref wanted, ref glob, game } in &self.others {
            let takes_all = wanted.is_empty();
            // A name that is found here is no pattern.
            if !takes_all && !named.is_empty() || is_macos_metadata(text) {
                continue;
            }
            if takes_all || (wanted.ends_with('/') && text.starts_with(wanted.as_str())) {
                is_exact = false;
                whole.push((number, game));
            } else if let Some((glob, deeper)) = glob
                && glob.is_match(text)
            {
                is_exact = false;
                match deeper {
                    Some(text) => inner.push(Pick { number, text, game }),
                    None => {
                        is_named = true;
                        whole.push((number, game));
                    }
                }
            }
        }
        if whole.is_empty() && inner.is_empty() {
            return None;
        }
        let games = games_of(whole.iter().map(|(_, game)| *game));
        let numbers: Vec<usize> = whole.iter().map(|(number, _)| *number).collect();
        let inner = (!inner.is_empty()).then(|| {
            // An archive that is wanted whole gives its other members, too.
            let all = whole.iter().map(|&(number, game)| Pick { number, text: "", game });
            Arc::new(Self::new(inner.iter().copied().chain(all)))
        });
        Some(Choice { is_named, is_exact, inner, numbers, games })
    }
}

/// macOS keeps attributes in `__MACOSX/…` and `._name`; neither is a record.
pub(crate) fn is_macos_metadata(name: &str) -> bool {
    let mut parts = name.split(['/', '\\']);
    parts.clone().next_back().is_some_and(|last| last.starts_with("._")) || parts.any(|part| part == "__MACOSX")
}
