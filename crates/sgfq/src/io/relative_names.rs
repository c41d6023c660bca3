//! Names of files and members, relative to the inputs that they are in.

use std::path::{Component, Path, PathBuf};

use sgfstream_archive::{Input, Target};

/// Names of entries, relative to the inputs that they are in.
pub(crate) struct RelativeNames {
    /// Directories, and files that are inputs.
    bases: Vec<PathBuf>,
}

impl RelativeNames {
    pub(crate) fn new(inputs: Vec<Input>) -> Self {
        let base = |input| match input {
            Input::Path(target) => Some(target.path),
            // A pattern begins at the first part that is not a name.
            Input::Glob(pattern) => {
                let parts = Path::new(&pattern).components();
                Some(parts.take_while(|part| !part.as_os_str().to_string_lossy().contains(['*', '?', '['])).collect())
            }
            _ => None,
        };
        Self { bases: inputs.into_iter().filter_map(base).collect() }
    }

    /// The name of an entry: of a file in a directory, its path from there; of a member of an archive, the member's; else
    /// the file's. What no input begins with, a list names: its path is kept. Without the extension `.sgf`.
    pub(crate) fn of(&self, entry: &str) -> String {
        let (path, member) = match Input::parse(entry) {
            Input::Path(Target { path, member, .. }) => (path, member),
            _ => (PathBuf::from(entry), None),
        };
        let rests = self.bases.iter().filter_map(|base| path.strip_prefix(base).ok());
        let rest = rests.min_by_key(|rest| rest.components().count()).unwrap_or(&path);
        let is_input = rest.as_os_str().is_empty();
        let path = if is_input && member.is_none() { Path::new(path.file_name().unwrap_or_default()) } else { rest };
        let parts = path.components().filter(|part| matches!(part, Component::Normal(_)));
        let parts = parts.map(|part| part.as_os_str().to_string_lossy().into_owned());
        let name = parts.chain(member.map(|member| member.replace('!', "/"))).collect::<Vec<_>>().join("/");
        if name == "-" {
            return "stdin".to_owned();
        }
        // What was packed is `x.sgf.gz`.
        let without = |name: &str| {
            let at = name.len().checked_sub(4).filter(|&at| name.is_char_boundary(at))?;
            name[at..].eq_ignore_ascii_case(".sgf").then(|| name[..at].to_owned())
        };
        let unpacked = name.rsplit_once('.').and_then(|(name, _)| without(name));
        without(&name).or(unpacked).unwrap_or(name)
    }
}
