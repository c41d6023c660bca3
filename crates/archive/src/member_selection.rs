//! Selects the members of a container that the caller named.

use std::collections::HashMap;
use std::sync::Arc;

use crate::glob::Matcher;
use crate::name::escaped;

/// A member that the caller named.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pick<'t> {
    /// Number of the reference that names it.
    pub(crate) number: usize,
    pub(crate) text: &'t str,
    pub(crate) game: Option<u64>,
}

/// Selection of members by their names.
#[derive(Debug, Default)]
pub(crate) struct MemberSelection {
    /// Names by the text that a member here may have: `a` and `a!b` for `a!b`.
    names: HashMap<String, Vec<Named>>,
    /// Directories and patterns.
    others: Vec<Other>,
}

#[derive(Debug)]
struct Named {
    number: usize,
    /// The name of a member inside this one.
    inner: Option<Box<str>>,
    /// The text of the caller.
    text: Box<str>,
    game: Option<u64>,
}

#[derive(Debug)]
struct Other {
    number: usize,
    wanted: String,
    /// The pattern before the first `!`, and the text after it.
    glob: Option<(Matcher, Option<String>)>,
    game: Option<u64>,
}

/// Selected member, with the way to read it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Choice {
    /// Whether the caller named it, so that it is read whatever its content.
    pub(crate) is_named: bool,
    /// Whether the caller named it by exactly these bytes.
    pub(crate) is_exact: bool,
    /// The selection inside it, if not all of its members are wanted.
    pub(crate) inner: Option<Arc<MemberSelection>>,
    /// Numbers of the references to all of it, or to its games.
    pub(crate) numbers: Vec<usize>,
    /// The games of these references; `None` for all games.
    pub(crate) games: Option<Vec<u64>>,
}

/// Returns the games of references, in order; `None` if a reference asks for all games.
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
            let ends = name
                .match_indices('!')
                .map(|(at, _)| at)
                .chain([name.len()]);
            for end in ends {
                let inner = name.get(end + 1..).map(Into::into);
                let named = Named {
                    number,
                    inner,
                    text: text.into(),
                    game,
                };
                picks
                    .names
                    .entry(name[..end].to_owned())
                    .or_default()
                    .push(named);
            }
            let (first, deeper) = name
                .split_once('!')
                .map_or((name, None), |(first, rest)| (first, Some(rest)));
            // A `[1]` in the name of a member is common, so that it does not make a pattern.
            let glob = first
                .contains(['*', '?'])
                .then(|| (Matcher::new(first), deeper.map(str::to_owned)));
            if glob.is_some() || name.is_empty() || name.ends_with('/') {
                picks.others.push(Other {
                    number,
                    wanted: name.to_owned(),
                    glob,
                    game,
                });
            }
        }
        picks
    }

    /// Returns how to read the member called `text`, whose name has the bytes `raw`; `None` if it
    /// is not selected.
    pub(crate) fn find(&self, text: &str, raw: &[u8]) -> Option<Choice> {
        let by_bytes = || {
            if raw.is_ascii() {
                None
            } else {
                self.find_text(&escaped(raw), raw)
            }
        };
        self.find_text(text, raw).or_else(by_bytes)
    }

    fn find_text(&self, text: &str, raw: &[u8]) -> Option<Choice> {
        let text = text.trim_start_matches("./");
        let named = self.names.get(text).map_or(&[][..], Vec::as_slice);
        let (mut whole, mut inner) = (Vec::new(), Vec::new());
        for &Named {
            number,
            inner: ref deeper,
            game,
            ..
        } in named
        {
            match deeper {
                Some(text) => inner.push(Pick { number, text, game }),
                None => whole.push((number, game)),
            }
        }
        let mut is_named = !whole.is_empty();
        let mut is_exact =
            inner.is_empty() && named.iter().all(|named| named.text.as_bytes() == raw);
        for &Other {
            number,
            ref wanted,
            ref glob,
            game,
        } in &self.others
        {
            let takes_all = wanted.is_empty();
            // Skip a text that a member has as its name, because it is not a pattern.
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
            // If the whole archive is selected too, its other members are read as well.
            let all = whole.iter().map(|&(number, game)| Pick {
                number,
                text: "",
                game,
            });
            Arc::new(Self::new(inner.iter().copied().chain(all)))
        });
        Some(Choice {
            is_named,
            is_exact,
            inner,
            numbers,
            games,
        })
    }
}

/// Returns whether the name is one of macOS's files of attributes, `__MACOSX/…` and `._name`, which
/// are never records.
pub(crate) fn is_macos_metadata(name: &str) -> bool {
    let mut parts = name.split(['/', '\\']);
    parts
        .clone()
        .next_back()
        .is_some_and(|last| last.starts_with("._"))
        || parts.any(|part| part == "__MACOSX")
}
