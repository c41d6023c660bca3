//! Names of files and members relative to their inputs.

use std::path::{Component, Path, PathBuf};

use sgfstream_archive::{Input, Target};

/// Names of entries relative to the inputs that contain them.
pub(crate) struct RelativeNames {
    /// Directories and files of the inputs.
    bases: Vec<PathBuf>,
}

impl RelativeNames {
    pub(crate) fn new(inputs: Vec<Input>) -> Self {
        let base = |input| match input {
            Input::Path(target) => Some(target.path),
            // The base of a pattern ends before the first part with a wildcard.
            Input::Glob(pattern) => {
                let parts = Path::new(&pattern).components();
                Some(
                    parts
                        .take_while(|part| {
                            !part.as_os_str().to_string_lossy().contains(['*', '?', '['])
                        })
                        .collect(),
                )
            }
            _ => None,
        };
        Self {
            bases: inputs.into_iter().filter_map(base).collect(),
        }
    }

    /// Returns the name of an entry without the extension `.sgf`: for a file in a directory, its
    /// path from there; for a member of an archive, the member's path; else the name of the file.
    /// If no input is a prefix, a list named the file, and its path is kept.
    pub(crate) fn of(&self, entry: &str) -> String {
        let (path, member) = match Input::parse(entry) {
            Input::Path(Target { path, member, .. }) => (path, member),
            _ => (PathBuf::from(entry), None),
        };
        let rests = self
            .bases
            .iter()
            .filter_map(|base| path.strip_prefix(base).ok());
        let rest = rests
            .min_by_key(|rest| rest.components().count())
            .unwrap_or(&path);
        let is_input = rest.as_os_str().is_empty();
        let path = if is_input && member.is_none() {
            Path::new(path.file_name().unwrap_or_default())
        } else {
            rest
        };
        let parts = path
            .components()
            .filter(|part| matches!(part, Component::Normal(_)));
        let parts = parts.map(|part| part.as_os_str().to_string_lossy().into_owned());
        let name = parts
            .chain(member.map(|member| member.replace('!', "/")))
            .collect::<Vec<_>>()
            .join("/");
        if name == "-" {
            return "stdin".to_owned();
        }
        // Compressed files are called `x.sgf.gz`.
        let without = |name: &str| {
            let at = name
                .len()
                .checked_sub(4)
                .filter(|&at| name.is_char_boundary(at))?;
            name[at..]
                .eq_ignore_ascii_case(".sgf")
                .then(|| name[..at].to_owned())
        };
        let unpacked = name.rsplit_once('.').and_then(|(name, _)| without(name));
        without(&name).or(unpacked).unwrap_or(name)
    }
}
