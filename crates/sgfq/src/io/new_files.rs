//! New files in a directory: names that every file system accepts, each of them once.

use std::collections::HashMap;
use std::fs;
use std::io::Write;
use std::path::{Component, Path, PathBuf};

use anyhow::Context;

use sgfstream_archive::{Input, Target};

use crate::args::destination::{WholeFile, directory_of};
use crate::args::input::Inputs;
use crate::report::terminal::is_unsafe;

/// Names that are remembered, at 16 bytes each.
const NAMES: usize = 4_000_000;

/// Bytes of a name without its extension: enough for a number and an extension in the 255 that file systems take.
const NAME: usize = 200;

/// A directory that gets new files, of games or of what is made of them. No two names differ in case only.
pub(crate) struct NewFiles {
    directory: PathBuf,
    /// The directory, links resolved.
    real: PathBuf,
    extension: &'static str,
    replaces: bool,
    /// Hashes of the names in lower case, without numbers, and how many files had the name.
    names: HashMap<u64, u32>,
    /// The file that is written.
    open: Option<WholeFile>,
    /// The entry that it is for, if it is for one.
    entry: String,
    /// Files so far.
    pub(crate) count: u64,
}

impl NewFiles {
    /// Creates the directory, if there is none; `replaces` files that are there.
    pub(crate) fn create(directory: &Path, replaces: bool) -> anyhow::Result<Self> {
        let shown = || directory.display().to_string();
        let is_other = directory.exists() && !directory.is_dir();
        anyhow::ensure!(!is_other, "{}: expected a directory, found a file", shown());
        fs::create_dir_all(directory).with_context(shown)?;
        let real = fs::canonicalize(directory).with_context(shown)?;
        let (directory, names) = (directory.to_owned(), HashMap::new());
        Ok(Self { directory, real, extension: "sgf", replaces, names, open: None, entry: String::new(), count: 0 })
    }

    /// Files with this extension.
    pub(crate) fn with_extension(self, extension: &'static str) -> Self {
        Self { extension, ..self }
    }

    /// The file of an entry, named after it: that of the game before, if it was in the same entry.
    pub(crate) fn of(&mut self, entry: &str, names: &RelativeNames) -> anyhow::Result<&mut WholeFile> {
        if self.open.is_none() || self.entry != entry {
            self.next(&names.of(entry))?;
            entry.clone_into(&mut self.entry);
        }
        Ok(self.open.as_mut().expect("opened above"))
    }

    /// A new file. The parts of `name` between `/` are made safe; where another file has that name, a number follows.
    pub(crate) fn next(&mut self, name: &str) -> anyhow::Result<&mut WholeFile> {
        self.close()?;
        let path = self.free_path(name)?;
        fs::create_dir_all(directory_of(&path)).with_context(|| path.display().to_string())?;
        self.count += 1;
        Ok(self.open.insert(WholeFile::create(&path)?))
    }

    /// A path that no file of this run has.
    fn free_path(&mut self, name: &str) -> anyhow::Result<PathBuf> {
        let parts = name.split('/').filter(|part| !matches!(*part, "" | "."));
        let parts: Vec<String> = parts.map(|part| safe_name(part, is_accepted, NAME)).collect();
        let plain = if parts.is_empty() { "_".to_owned() } else { parts.join("/") };
        let mut number = self.names.get(&hash_of(&plain)).map_or(1, |number| number + 1);
        let mut free = plain.clone();
        while number > 1 {
            free = format!("{plain}-{number}");
            // It may be the name of another file.
            if self.names.insert(hash_of(&free), 1).is_none() {
                break;
            }
            number += 1;
        }
        self.names.insert(hash_of(&plain), number);
        anyhow::ensure!(self.names.len() <= NAMES, "expected at most {NAMES} files, found one more");
        let path = self.directory.join(format!("{free}.{}", self.extension));
        let is_free = self.replaces || path.symlink_metadata().is_err();
        anyhow::ensure!(is_free, "{}: expected no such file, found one", path.display());
        Ok(path)
    }

    /// Fails if another output is in the directory: it could replace one of these files.
    pub(crate) fn refuse(&self, other: &Path) -> anyhow::Result<()> {
        let is_inside = fs::canonicalize(directory_of(other)).is_ok_and(|parent| parent.starts_with(&self.real));
        let (other, directory) = (other.display(), self.directory.display());
        anyhow::ensure!(!is_inside, "{other}: expected a file that is not in {directory}, which gets the games");
        Ok(())
    }

    /// True if this run has written the file: a directory that is read late may hold its outputs.
    pub(crate) fn has_written(&self, source: &Path) -> bool {
        let parent = fs::canonicalize(directory_of(source)).ok();
        let file = parent.and_then(|parent| Some(parent.join(source.file_name()?).with_extension("")));
        let name = file.as_deref().and_then(|file| file.strip_prefix(&self.real).ok()?.to_str());
        name.is_some_and(|name| self.names.contains_key(&hash_of(name)))
    }

    fn close(&mut self) -> anyhow::Result<()> {
        match self.open.take() {
            Some(file) if self.replaces => file.finish(),
            Some(file) => file.finish_new(false),
            None => Ok(()),
        }
    }

    /// Gives the last file its name, and writes to `out` how many there are.
    pub(crate) fn finish(mut self, out: &mut dyn Write) -> anyhow::Result<()> {
        self.close()?;
        let files = self.count;
        Ok(writeln!(out, "{files} file{}", if files == 1 { "" } else { "s" })?)
    }
}

/// Names of entries, relative to the inputs that they are in.
pub(crate) struct RelativeNames {
    /// Directories, and files that are inputs.
    bases: Vec<PathBuf>,
}

impl RelativeNames {
    pub(crate) fn new(inputs: &Inputs) -> Self {
        let base = |input| match input {
            Input::Path(target) => Some(target.path),
            // A pattern begins at the first part that is not a name.
            Input::Glob(pattern) => {
                let parts = Path::new(&pattern).components();
                Some(parts.take_while(|part| !part.as_os_str().to_string_lossy().contains(['*', '?', '['])).collect())
            }
            _ => None,
        };
        Self { bases: inputs.parsed().into_iter().filter_map(base).collect() }
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

fn hash_of(name: &str) -> u64 {
    xxhash_rust::xxh3::xxh3_64(name.to_lowercase().as_bytes())
}

/// True for characters that each file system takes in a name, and that show where they are.
fn is_accepted(char: char) -> bool {
    !is_unsafe(char) && !matches!(char, '/' | '\\' | '<' | '>' | ':' | '"' | '|' | '?' | '*')
}

/// Makes of a text a file name that every file system accepts: characters that are not `is_safe` become `_`. It is never empty,
/// hidden, an option, a device of Windows or longer than `most` bytes; a name that is cut ends with the hash of the whole
/// text. Different texts may have the same name.
pub(crate) fn safe_name(text: &str, is_safe: impl Fn(char) -> bool, most: usize) -> String {
    let mut name: String = text.chars().map(|char| if is_safe(char) { char } else { '_' }).collect();
    name.truncate(name.trim_end_matches([' ', '.']).len());
    if name.is_empty() || name.starts_with(['.', '-', ' ']) || is_device(&name) {
        name.insert(0, '_');
    }
    if name.len() > most {
        let cut = name.char_indices().map(|(at, _)| at).take_while(|&at| at <= most - 20).last().unwrap_or(0);
        let hash = xxhash_rust::xxh3::xxh3_64(text.as_bytes());
        name = format!("{}-{hash:016x}", &name[..cut]);
    }
    name
}

/// True for a name that Windows keeps for a device, whatever follows its first dot.
fn is_device(name: &str) -> bool {
    let stem = name.split('.').next().unwrap_or_default().trim_end().to_ascii_uppercase();
    let port = stem.strip_prefix("COM").or_else(|| stem.strip_prefix("LPT"));
    let mut rest = port.unwrap_or_default().chars();
    matches!(stem.as_str(), "CON" | "PRN" | "AUX" | "NUL")
        || (rest.next().is_some_and(|c| c.is_ascii_digit() || "\u{b9}\u{b2}\u{b3}".contains(c))
            && rest.next().is_none())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_no_file_system_minds() {
        let is_word = |char: char| char.is_alphanumeric() || matches!(char, '-' | '_' | '.');
        for (text, word, name) in [
            ("Go Seigen", "Go_Seigen", "Go Seigen"),
            ("../../etc/passwd", "_.._.._etc_passwd", "_.._.._etc_passwd"),
            ("", "_", "_"),
            ("con", "_con", "_con"),
            ("Com1.x", "_Com1.x", "_Com1.x"),
            ("a\0b\n", "a_b_", "a_b_"),
            ("呉清源", "呉清源", "呉清源"),
            ("x...", "x", "x"),
            ("...", "_", "_"),
            (" x. ", "_x._", "_ x"),
            ("nul .txt", "nul_.txt", "_nul .txt"),
            ("Q&A (1): \u{202e}x?", "Q_A__1____x_", "Q&A (1)_ _x_"),
            (".hidden", "_.hidden", "_.hidden"),
            ("2-dan_1.5", "2-dan_1.5", "2-dan_1.5"),
            ("-rf", "_-rf", "_-rf"),
            ("COM\u{b9}", "_COM\u{b9}", "_COM\u{b9}"),
            ("lpt\u{b3}.sgf", "_lpt\u{b3}.sgf", "_lpt\u{b3}.sgf"),
            ("COM12", "COM12", "COM12"),
            ("COMÉ", "COMÉ", "COMÉ"),
        ] {
            assert_eq!((&*safe_name(text, is_word, 80), &*safe_name(text, is_accepted, 80)), (word, name), "{text}");
        }
        let (one, other) = ("é".repeat(500), "é".repeat(501));
        let name = safe_name(&one, is_word, 80);
        assert!(name.len() <= 80 && name != safe_name(&other, is_word, 80));
    }

    #[test]
    fn names_are_given_once() {
        let place = tempfile::TempDir::new().expect("a directory");
        let mut files = NewFiles::create(place.path(), false).expect("a directory");
        let given = ["x", "X", "x-2", "x-3", "x", "a/../b", "a//./B", "", "/"].map(|name| {
            let path = files.free_path(name).expect("a path");
            path.strip_prefix(place.path()).expect("inside").to_string_lossy().into_owned()
        });
        let names = ["x", "X-2", "x-2-2", "x-3", "x-4", "a/_/b", "a/B", "_", "_-2"];
        assert_eq!(given, names.map(|name| format!("{name}.sgf")));
    }
}
